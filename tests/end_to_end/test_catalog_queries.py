"""What a client learns from the catalog: the shape of the tables, as SQLAlchemy reads it, and nothing about the data.

The source is a clinic whose owner has put one word, `SECRET`, wherever a schema can hold data: defaults, CHECKs,
comments, enum labels, views, indexes, statistics and names. Every search for it runs on the source too, and finds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import Engine, Inspector, MetaData, Table, create_engine, func, inspect, select
from sqlalchemy.engine.reflection import ObjectKind

from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy
from tests.end_to_end.test_equals_postgres import assert_same

SECRET = "quagga77"
REVEALING = f"""
CREATE TYPE mood AS ENUM ('calm', '{SECRET}');
ALTER TABLE patients ADD COLUMN mood mood, ADD COLUMN {SECRET}_number text UNIQUE,
    ALTER COLUMN region SET DEFAULT '{SECRET}', ADD CONSTRAINT {SECRET}_check CHECK (region <> '{SECRET}');
UPDATE visits SET diagnosis = '{SECRET}' WHERE visit_id % 5 = 0;
CREATE UNIQUE INDEX {SECRET}_code ON specialties (code);
ALTER TABLE specialties ADD CONSTRAINT {SECRET}_title UNIQUE (title);
CREATE INDEX {SECRET}_index ON visits (cost) WHERE diagnosis = '{SECRET}';
CREATE STATISTICS {SECRET}_statistics ON region, diagnosis FROM visits;
CREATE VIEW urgent_visits AS SELECT visit_id, patient_id, region FROM visits WHERE urgent AND diagnosis <> '{SECRET}';
CREATE POLICY {SECRET}_policy ON visits USING (diagnosis <> '{SECRET}');
CREATE FUNCTION {SECRET}_function() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER {SECRET}_trigger BEFORE INSERT ON visits FOR EACH ROW EXECUTE FUNCTION {SECRET}_function('{SECRET}');
CREATE SCHEMA {SECRET}_schema CREATE TABLE wards (ward_id integer PRIMARY KEY);
COMMENT ON TABLE visits IS 'without {SECRET}';
COMMENT ON COLUMN regions.zone IS 'not {SECRET}';
ANALYZE;
"""


@pytest.fixture(scope="module")
def proxy(proxies: StartProxy, copy_clinic: Callable[[], str]) -> RunningProxy:
    """An exact proxy before the revealing source; its policy also lists the enum column and the view."""
    source = copy_clinic()
    with psycopg.connect(source, autocommit=True) as connection:
        connection.execute(REVEALING)
    exact = clinic.exact_policy()
    patients, visits = exact.tables["public.patients"], exact.tables["public.visits"]
    assert patients.columns is not None
    assert visits.columns is not None
    view_columns = {name: visits.columns[name] for name in ("visit_id", "patient_id", "region")}
    tables = exact.tables | {
        "public.patients": patients.model_copy(
            update={"columns": patients.columns | {"mood": visits.columns["diagnosis"]}}
        ),
        "public.urgent_visits": visits.model_copy(update={"columns": view_columns}),
    }
    return proxies(exact.model_copy(update={"tables": tables}), source=source)


@pytest.fixture(scope="module")
def client(proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    with proxy.connect() as connection:
        yield connection


@pytest.fixture(scope="module")
def source(proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    with psycopg.connect(proxy.options.source_dsn, autocommit=True) as connection:
        yield connection


@contextmanager
def open_engine(dsn: str) -> Iterator[Engine]:
    engine = create_engine("postgresql+psycopg://", connect_args=conninfo_to_dict(dsn))
    try:
        yield engine
    finally:
        engine.dispose()


@pytest.fixture(scope="module")
def engines(proxy: RunningProxy) -> Iterator[tuple[Engine, Engine]]:
    """SQLAlchemy on the proxy and on the source itself."""
    with (
        open_engine(proxy.dsn(options="-c dp.empty_groups=hide")) as here,
        open_engine(proxy.options.source_dsn) as there,
    ):
        yield here, there


# Types come without length and precision. SQLAlchemy does not know char(n) without n, and an enum has labels.
OTHER_TYPES = {"CHAR": "NullType", "ENUM": "TEXT"}


def shape(inspector: Inspector, proxy: RunningProxy) -> dict[str, dict[str, Any]]:
    """Columns and keys of the policy's tables, restricted to the columns that the policy shows."""
    columns = inspector.get_multi_columns(kind=ObjectKind.ANY)
    shapes = {}
    for (schema, name), found in columns.items():
        if f"public.{name}" not in proxy.options.policy.tables:
            continue
        listed = proxy.options.policy.tables[f"public.{name}"].columns
        visible = [column for column in found if listed is None or column["name"] in listed]
        names = {column["name"] for column in visible}
        foreign_keys = inspector.get_foreign_keys(name, schema)
        indexes = inspector.get_indexes(name, schema)
        shapes[name] = {
            "columns": [(column["name"], type_name(column["type"]), column["nullable"]) for column in visible],
            "primary key": inspector.get_pk_constraint(name, schema)["constrained_columns"],
            "foreign keys": sorted(
                (key["constrained_columns"], key["referred_table"], key["referred_columns"]) for key in foreign_keys
            ),
            "unique keys": sorted(
                columns for index in indexes if index["unique"] and names.issuperset(columns := index["column_names"])
            ),
        }
    return shapes


def type_name(column_type: object) -> str:
    name = type(column_type).__name__
    return OTHER_TYPES.get(name, name) + (" with time zone" if getattr(column_type, "timezone", False) else "")


@pytest.mark.filterwarnings("ignore:Did not recognize type 'bpchar'")
def test_sqlalchemy_reflects_the_visible_tables_columns_and_keys_of_the_source(
    engines: tuple[Engine, Engine], proxy: RunningProxy
) -> None:
    here, there = map(inspect, engines)
    assert shape(here, proxy) == shape(there, proxy)
    tables = {"patients", "visits", "regions", "specialties", "urgent_visits"}
    assert set(here.get_table_names()) == tables == shape(here, proxy).keys()
    assert set(here.get_schema_names()) == {"dp", "information_schema", "public"}
    reflected = shape(here, proxy)["visits"]
    assert ("seen_at", "TIMESTAMP with time zone", True) in reflected["columns"]
    assert (["patient_id"], "patients", ["patient_id"]) in reflected["foreign keys"]
    assert shape(here, proxy)["specialties"]["unique keys"] == [["code"], ["title"]]


@pytest.mark.filterwarnings("ignore:Did not recognize type 'bpchar'")
def test_sqlalchemy_reflects_no_comment_default_check_view_text_label_or_secondary_index(
    engines: tuple[Engine, Engine],
) -> None:
    def revealed(inspector: Inspector) -> set[str]:
        columns = [column for found in inspector.get_multi_columns(kind=ObjectKind.ANY).values() for column in found]
        indexes = [index for found in inspector.get_multi_indexes().values() for index in found]
        kinds = {
            "comment": any(found["text"] for found in inspector.get_multi_table_comment().values()),
            "column comment": any(column.get("comment") for column in columns),
            "default": any(column["default"] for column in columns),
            "check": any(inspector.get_multi_check_constraints().values()),
            "view": bool(inspector.get_view_names()),
            "label": bool(inspector.get_enums()),
            "secondary index": any(not index["unique"] for index in indexes),
        }
        return {kind for kind, found in kinds.items() if found}

    here, there = map(inspect, engines)
    assert len(revealed(there)) == 7
    assert revealed(here) == set()


def test_a_reflected_table_aggregates_as_on_the_source(engines: tuple[Engine, Engine]) -> None:
    answers = []
    for engine in engines:
        visits = Table("visits", MetaData(), autoload_with=engine, resolve_fks=False)
        query = (
            select(visits.c.region, func.count(), func.sum(visits.c.minutes), func.avg(visits.c.cost))
            .where(visits.c.cost > 100, visits.c.region.in_(["north", "east", "west"]))
            .group_by(visits.c.region)
            .order_by(visits.c.region)
        )
        with engine.connect() as connection:
            answers.append(connection.execute(query).all())
    here, there = answers
    assert [row.region for row in here] == ["east", "north", "west"]
    for row, expected in zip(here, there, strict=True):
        assert_same(row[:3], expected[:3])
        assert float(row[3]) == pytest.approx(float(expected[3]), rel=1e-6)


def test_a_filter_box_reads_a_declared_column_for_free(
    engines: tuple[Engine, Engine], client: psycopg.Connection
) -> None:
    spent = "SELECT account, epsilon_spent, rho_spent FROM dp.budget ORDER BY 1"
    before = client.execute(spent).fetchall()
    visits = Table("visits", MetaData(), autoload_with=engines[0], resolve_fks=False)
    with engines[0].connect() as connection:
        regions = set(connection.scalars(select(visits.c.region).distinct().limit(10000)))
    assert {"north", "south", "east", "west"} <= regions
    assert client.execute(spent).fetchall() == before


INDEXES_OF_VISITS = """(SELECT count(*) FROM pg_index i JOIN pg_class c ON i.indrelid IN (c.oid, c.reltoastrelid)
    WHERE c.oid = 'visits'::regclass)"""
STATISTICS = {
    "rows and pages": "SELECT reltuples::bigint, relpages, relallvisible FROM pg_class WHERE oid = 'visits'::regclass",
    "index entries": "SELECT reltuples, relpages - 1 FROM pg_class WHERE oid = 'visits_pkey'::regclass",
    "size of the rows": "SELECT pg_relation_size('visits'), pg_relation_size('patients')",
    "size beyond one page for each index": f"SELECT pg_total_relation_size('visits') - 8192 * {INDEXES_OF_VISITS}",
    "free space and visibility maps": "SELECT pg_relation_size('visits', 'fsm'), pg_relation_size('visits', 'vm')",
    "column statistics": "SELECT n_distinct, null_frac, avg_width FROM pg_stats WHERE tablename IN ('visits', 'patients')",
    "extended statistics": "SELECT length(n_distinct::text), length(dependencies::text) FROM pg_stats_ext",
    "extended statistics objects": "SELECT count(*) FROM pg_statistic_ext",
    "activity": "SELECT n_tup_upd, n_live_tup + n_dead_tup FROM pg_stat_user_tables WHERE relname = 'visits'",
    "reads": "SELECT seq_tup_read, idx_tup_fetch FROM pg_stat_user_tables WHERE relname IN ('visits', 'patients')",
    "blocks": "SELECT heap_blks_read + heap_blks_hit FROM pg_statio_user_tables WHERE relname = 'visits'",
}


@pytest.mark.parametrize("query", STATISTICS.values(), ids=STATISTICS.keys())
def test_statistics_and_sizes_of_private_tables_are_zero_or_absent(
    client: psycopg.Connection, source: psycopg.Connection, query: str
) -> None:
    client.execute("SELECT count(*) FROM visits WHERE urgent")
    source.execute("SELECT count(*) FROM visits WHERE urgent")
    here, there = client.execute(query).fetchall(), source.execute(query).fetchall()
    assert {value for row in here for value in row} <= {0, None}
    assert {value for row in there for value in row} - {0, -1, None}


def test_explain_estimates_nothing_about_private_tables(client: psycopg.Connection) -> None:
    lines = [line for (line,) in client.execute("EXPLAIN SELECT count(*) FROM visits WHERE region = 'north'")]
    assert not [line for line in lines if "rows=" in line or "cost=" in line]
    assert lines[0] == "Differentially private aggregate of public.visits"


KEYS = """
    SELECT k.table_name, k.column_name, c.constraint_type, k.ordinal_position
    FROM information_schema.table_constraints c
    JOIN information_schema.key_column_usage k USING (constraint_schema, constraint_name, table_name)
    WHERE k.table_schema = 'public' AND k.column_name NOT LIKE %s AND k.table_name || k.column_name <> 'specialtiescode'
    ORDER BY 1, 2, 3"""
COLUMNS = """
    SELECT table_name, column_name, is_nullable, CASE WHEN data_type = 'USER-DEFINED' THEN 'text' ELSE data_type END
    FROM information_schema.columns WHERE table_schema = 'public' AND column_name NOT LIKE %s
    ORDER BY table_name, ordinal_position"""
INDEXED = "SELECT tablename, count(*) FROM pg_indexes WHERE schemaname = 'public' AND indexname NOT LIKE %s AND indexdef ~ 'UNIQUE' GROUP BY 1"
