"""An owner's mistake that would publish rows, or fail for one of them, keeps the proxy from starting."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest

from proxy.policy.findings import PolicyError
from proxy.policy.model import Policy
from tests.conftest import PostgresCluster
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy

TRAPS = """
CREATE VIEW long_visits AS SELECT * FROM visits WHERE minutes > 60;
CREATE MATERIALIZED VIEW stored AS SELECT diagnosis FROM long_visits;
CREATE VIEW diagnoses AS SELECT DISTINCT diagnosis FROM stored;
CREATE TABLE archive (patient_id integer NOT NULL, diagnosis text) PARTITION BY RANGE (patient_id);
CREATE TABLE archive_old PARTITION OF archive FOR VALUES FROM (0) TO (1000);
INSERT INTO archive SELECT patient_id, diagnosis FROM visits WHERE patient_id < 1000;
CREATE VIEW old_diagnoses AS SELECT diagnosis FROM archive_old;
CREATE TABLE everything (LIKE patients);
ALTER TABLE patients INHERIT everything;
CREATE TABLE copies (patient_id integer, diagnosis text);
CREATE RULE copying AS ON INSERT TO visits DO ALSO INSERT INTO copies VALUES (NEW.patient_id, NEW.diagnosis);
CREATE SEQUENCE numbers;
ALTER TABLE visits ALTER visit_id SET DEFAULT nextval('numbers');
CREATE VIEW newest AS SELECT last_value FROM numbers;
CREATE FUNCTION treated(text) RETURNS boolean LANGUAGE sql BEGIN ATOMIC
    SELECT EXISTS (SELECT FROM visits WHERE diagnosis = $1); END;
CREATE DOMAIN treatable AS text CHECK (VALUE = '' OR treated(VALUE));
CREATE VIEW treatments AS SELECT name::treatable FROM regions;
CREATE MATERIALIZED VIEW kept AS SELECT * FROM visits;
CREATE VIEW kept_visits AS SELECT * FROM kept;
"""

PUBLISHED = {
    "view": ("diagnoses", "public.visits through public.stored, public.long_visits"),
    "partition": ("archive_old", "public.archive"),
    "view over a partition": ("old_diagnoses", "public.archive through public.archive_old"),
    "parent": ("everything", "public.patients"),
    "sequence of a default": ("newest", "public.visits through public.numbers"),
    "conditions of a domain": (
        "treatments",
        "public.visits through public.treatable (type), public.treated()",
    ),
    "copy by a rule": ("copies", "public.visits through a rule of public.visits"),
}


@pytest.fixture(scope="module")
def trapped(copy_clinic: Callable[[], str]) -> str:
    source = copy_clinic()
    with psycopg.connect(source, autocommit=True) as connection:
        connection.execute(TRAPS)
    return source


def policy(**tables: object) -> Policy:
    """The clinic's policy with further tables."""
    archive = {
        "unit": {"name": "patient", "column": "patient_id"},
        "budget": {"epsilon": "1", "delta": "1e-6"},
        "columns": {"patient_id": {}},
    }
    wanted = {"archive": archive} | {
        name: archive if table == "private" else {"public": True} for name, table in tables.items()
    }
    content = clinic.policy().model_dump(exclude_none=True)
    content["tables"] |= {f"public.{name}": table for name, table in wanted.items()}
    return Policy.model_validate(content)


@pytest.mark.parametrize(("name", "private"), PUBLISHED.values(), ids=PUBLISHED.keys())
def test_a_public_relation_that_shows_private_rows_stops_the_start(
    name: str, private: str, trapped: str, proxies: StartProxy
) -> None:
    with pytest.raises(PolicyError) as refusal:
        proxies(policy(**{name: "public"}), source=trapped)
    (finding,) = refusal.value.findings
    assert finding.path == f"tables.public.{name}.public"
    assert finding.message == f"public, but it shows rows of the private table {private}"


def test_a_parent_and_its_partition_with_two_budgets_stop_the_start(trapped: str, proxies: StartProxy) -> None:
    with pytest.raises(PolicyError, match=r"its rows are rows of public\.archive too, and would have two budgets"):
        proxies(policy(archive_old="private"), source=trapped)


@pytest.mark.parametrize("view", ["long_visits", "kept_visits"])
def test_a_view_and_what_it_reads_with_two_budgets_stop_the_start(view: str, trapped: str, proxies: StartProxy) -> None:
    with pytest.raises(PolicyError, match=r"its rows are rows of public\.visits too, and would have two budgets"):
        proxies(policy(**{view: "private"}), source=trapped)


def test_the_same_source_without_traps_in_the_policy_starts(trapped: str, proxies: StartProxy) -> None:
    with proxies(policy(), source=trapped).connect() as client:
        assert client.execute("SELECT count(*) FROM regions").fetchall() == [(5,)]


def test_an_owners_function_that_source_queries_would_call_for_each_row_stops_the_start(
    copy_clinic: Callable[[], str], proxies: StartProxy
) -> None:
    """Source queries make texts of numbers, and a cast between Postgres's own types belongs to no schema."""
    source = copy_clinic()
    with psycopg.connect(source, autocommit=True) as owner:
        owner.execute(
            "CREATE FUNCTION told(integer) RETURNS text LANGUAGE sql AS 'SELECT max(diagnosis) FROM public.visits'; "
            "CREATE CAST (integer AS text) WITH FUNCTION told(integer)"
        )
    with pytest.raises(PolicyError, match=r"source queries would call what users made.*: CAST \(integer AS text\)"):
        proxies(policy(), source=source)


@pytest.mark.parametrize("encoding", ["WIN1252", "SQL_ASCII"])
def test_a_database_with_characters_that_have_no_form_in_utf8_stops_the_start(
    encoding: str, postgres_cluster: PostgresCluster, proxies: StartProxy
) -> None:
    """One row with such a character would make every source query of its text fail, and so be seen."""
    name = f"clinic_in_{encoding.lower()}"
    with psycopg.connect(postgres_cluster.dsn("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING '{encoding}' LOCALE 'C'".encode())
    clinic.create(postgres_cluster.dsn(name))
    with pytest.raises(PolicyError, match=f"the database's encoding is {encoding}; only UTF8 is supported"):
        proxies(source=postgres_cluster.dsn(name))
