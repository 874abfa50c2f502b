"""`values: from_type`: the labels of an enum and the list of a CHECK are declared keys, and all that there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from proxy.policy.catalog import Catalog
from proxy.policy.lint import check_against_catalog
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy

TABLE = """
CREATE TYPE mood AS ENUM ('so-so', 'fine', 'it''s "bad"');
CREATE DOMAIN stars AS smallint CHECK (VALUE IN (1, 2, 3));
CREATE DOMAIN few_stars AS stars CHECK (VALUE < 3);
CREATE TABLE answers (
    patient_id integer PRIMARY KEY REFERENCES patients, mood mood,
    size char(2) NOT NULL CHECK (size IN ('S', 'M', 'XL')),
    state varchar(9) CHECK (state IN ('new', 'it''s')),
    level integer CHECK (level IN (1, 2, -3)),
    rate numeric(3, 1) CHECK (rate = ANY ('{0.5,1.5}')),
    grade text CHECK (grade IN ('a', 'b') OR level = 1),
    "Kind of" text CHECK ("Kind of" IN ('x', 'y')),
    unchecked text CHECK (length(unchecked) < 5), present mood NOT NULL DEFAULT 'fine',
    stars few_stars, weight bigint CHECK (weight IS NULL OR weight IN (10, -20)), half integer CHECK (half IN (1, 1.5)),
    endless float CHECK (endless IN (1, 'Infinity'))
);
INSERT INTO answers SELECT i, (ARRAY['so-so', 'fine', NULL])[1 + i % 3]::mood, (ARRAY['S', 'M'])[1 + i % 2],
    (ARRAY['new', 'it''s'])[1 + i % 2], (ARRAY[1, 2, -3])[1 + i % 3], 0.5, 'a', 'x', 'z',
    'fine', 1 + i % 2, CASE i % 2 WHEN 1 THEN 10 END, 1, 1 FROM generate_series(1, 900) AS i;
"""
LISTED = {
    "mood": ("so-so", "fine", 'it\'s "bad"'),
    "size": ("S", "M", "XL"),
    "state": ("new", "it's"),
    "level": ("1", "2", "-3"),
    "rate": ("0.5", "1.5"),
    "Kind of": ("x", "y"),
    "present": ("so-so", "fine", 'it\'s "bad"'),
    "stars": ("1", "2", "3"),
    "weight": ("10", "-20"),
    "half": ("1",),
}


def _policy(*columns: str) -> Policy:
    loose = clinic.exact_policy()
    content = loose.model_dump(exclude_unset=True)
    content["tables"]["public.answers"] = {
        **{key: content["tables"]["public.patients"][key] for key in ("unit", "budget", "query")},
        "columns": {"patient_id": {}} | {column: {"values": "from_type"} for column in columns},
    }
    return Policy.model_validate(content)


@pytest.fixture(scope="module")
def dsn(copy_clinic: Callable[[], str]) -> str:
    source = copy_clinic()
    with psycopg.connect(source, autocommit=True) as connection:
        connection.execute(TABLE)
    return source


@pytest.fixture(scope="module")
def catalog(dsn: str) -> Catalog:
    return read_catalog(dsn, _policy().tables)


@pytest.fixture(scope="module")
def connections(proxies: StartProxy, dsn: str) -> Iterator[Connections]:
    with client_and_source(proxies(_policy(*LISTED), source=dsn)) as both:
        yield both


def test_labels_are_those_of_the_type_or_of_a_check_of_the_column_alone(catalog: Catalog) -> None:
    found = {name: column.labels for name, column in catalog.tables["public.answers"].columns.items() if column.labels}
    assert found == LISTED


@pytest.mark.parametrize("column", ["grade", "unchecked", "endless", "patient_id"])
def test_a_column_without_such_a_list_is_an_error_of_the_policy(column: str, catalog: Catalog) -> None:
    findings = [found for found in check_against_catalog(_policy(column), catalog) if found.severity == "error"]
    assert [finding.message for finding in findings] == [f"neither the type of {column} nor a CHECK lists its values"]


@pytest.mark.parametrize(
    ("column", "groups"),
    [
        ("mood", 4),
        ("size", 3),
        ("state", 3),
        ("level", 4),
        ('"Kind of"', 3),
        ("present", 3),
        ("rate", 3),
        ("weight", 3),
        ("stars", 4),
    ],
)
def test_each_listed_value_is_a_declared_key(column: str, groups: int, connections: Connections) -> None:
    """With NULL, where the column can be NULL; no row is in another group."""
    client, _ = connections
    query = f"SELECT {column}, count(*) FROM answers GROUP BY 1"
    explained = "\n".join(line for (line,) in client.execute(f"EXPLAIN {query}".encode()).fetchall())
    assert "every key is answered" in explained
    assert_same_answer(query, connections)
    with client.transaction():
        client.execute("SET LOCAL dp.empty_groups = 'show'")
        assert len(client.execute(query.encode()).fetchall()) == groups


def test_a_text_that_is_none_of_the_listed_labels_is_an_error_before_any_charge(connections: Connections) -> None:
    client, source = connections
    before = client.execute("SELECT count(*) FROM dp.ledger").fetchone()
    for condition in (
        "mood = 'finest'::mood",
        "mood IN ('fine'::mood, 'finest'::mood)",
        "mood = ANY ('{finest}'::mood[])",
    ):
        query = f"SELECT count(*) FROM answers WHERE {condition}".encode()
        for connection in (client, source):
            with pytest.raises(psycopg.Error, match='invalid input value for enum mood: "finest"') as refusal:
                connection.execute(query)
            assert refusal.value.sqlstate == "22P02"
    assert client.execute("SELECT count(*) FROM dp.ledger").fetchone() == before
    assert_same_answer("SELECT mood, count(*) FROM answers WHERE mood = 'it''s \"bad\"'::mood GROUP BY 1", connections)
