"""What a client learns from the catalog: the shape of the tables, as SQLAlchemy reads it, and nothing about the data.

Every search for what the owner of the revealing clinic wrote in the schema runs on the source too, and finds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from sqlalchemy import Engine, Inspector, MetaData, Table, create_engine, func, inspect, select
from sqlalchemy.engine.reflection import ObjectKind

from proxy.policy.model import Policy
from tests.end_to_end import revealing_clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.revealing_clinic import SECRET
from tests.end_to_end.running import RunningProxy
from tests.end_to_end.test_equals_postgres import assert_same

Connections = tuple[psycopg.Connection, psycopg.Connection]
Engines = tuple[Engine, Engine]


@pytest.fixture(scope="module")
def proxy(proxies: StartProxy, copy_clinic: Callable[[], str]) -> RunningProxy:
    """An exact proxy before the revealing source."""
    source = copy_clinic()
    revealing_clinic.alter(source)
    return proxies(revealing_clinic.exact_policy(), source=source)


@pytest.fixture(scope="module")
def connections(proxy: RunningProxy) -> Iterator[Connections]:
    """A client of the proxy, and one of the source itself."""
    with proxy.connect() as client, psycopg.connect(proxy.options.source_dsn, autocommit=True) as source:
        yield client, source


@pytest.fixture(scope="module")
def engines(proxy: RunningProxy) -> Iterator[Engines]:
    """SQLAlchemy on the proxy and on the source itself."""
    here, there = (
        create_engine("postgresql+psycopg://", connect_args=conninfo_to_dict(dsn))
        for dsn in (proxy.dsn(options="-c dp.empty_groups=hide"), proxy.options.source_dsn)
    )
    yield here, there
    here.dispose()
    there.dispose()


OTHER_TYPES = {"ENUM": "NULL"}
"""An enum's labels might be data; as a type without labels SQLAlchemy does not know it, and says so."""

WITHOUT_LABELS = pytest.mark.filterwarnings("ignore:Did not recognize type 'mood' of column 'mood'")


def shape(inspector: Inspector, policy: Policy | None = None) -> dict[str, dict[str, Any]]:
    """Columns and keys of every table and view; with a policy, of those that it lists, restricted to its columns."""
    shapes = {}
    for (schema, name), columns in inspector.get_multi_columns(kind=ObjectKind.ANY).items():
        if policy is not None:
            if f"public.{name}" not in policy.tables:
                continue
            listed = policy.tables[f"public.{name}"].columns
            columns = [column for column in columns if listed is None or column["name"] in listed]
        names = {column["name"] for column in columns}
        indexes = inspector.get_indexes(name, schema)
        unique_keys = [[str(column) for column in index["column_names"]] for index in indexes if index["unique"]]
        foreign_keys = inspector.get_foreign_keys(name, schema)
        shapes[name] = {
            "columns": [(column["name"], type_name(column["type"]), column["nullable"]) for column in columns],
            "primary key": inspector.get_pk_constraint(name, schema)["constrained_columns"],
            "foreign keys": {(*key["constrained_columns"], key["referred_table"]) for key in foreign_keys},
            "indexes": sorted(str(index["column_names"]) for index in indexes if of_columns(index)),
            "unique keys": sorted(key for key in unique_keys if names.issuperset(key)),
        }
    return shapes


def of_columns(index: Any) -> bool:
    """Is an index neither a key, nor does it have conditions or expressions?"""
    special = index["unique"] or "expressions" in index or "postgresql_where" in index["dialect_options"]
    return not special


def type_name(column_type: object) -> str:
    name = type(column_type).__name__
    return OTHER_TYPES.get(name) or str(column_type) + (" TZ" if getattr(column_type, "timezone", False) else "")


@WITHOUT_LABELS
def test_sqlalchemy_reflects_exactly_the_visible_tables_columns_and_keys_of_the_source(
    engines: Engines, proxy: RunningProxy
) -> None:
    here, there = inspect(engines[0]), inspect(engines[1])
    found = shape(here)
    assert found == shape(there, proxy.options.policy)
    assert found.keys() == {"patients", "visits", "regions", "specialties", "urgent_visits"}
    assert ("seen_at", "TIMESTAMP TZ", True) in found["visits"]["columns"]
    assert ("cost", "NUMERIC(10, 2)", True) in found["visits"]["columns"]
    assert found["visits"]["foreign keys"] == {("patient_id", "patients"), ("specialty_id", "specialties")}
    assert found["specialties"]["unique keys"] == [["code"], ["title"]]
    assert set(here.get_schema_names()) == {"dp", "information_schema", "public"}


@WITHOUT_LABELS
def test_sqlalchemy_reflects_no_comment_default_check_or_name_of_an_index(engines: Engines) -> None:
    def reflects(inspector: Inspector) -> list[bool]:
        columns = chain.from_iterable(inspector.get_multi_columns(kind=ObjectKind.ANY).values())
        indexes = chain.from_iterable(inspector.get_multi_indexes(kind=ObjectKind.ANY).values())
        return [
            any(comment["text"] for comment in inspector.get_multi_table_comment().values()),
            any(column["default"] or column["comment"] for column in columns),
            any(inspector.get_multi_check_constraints().values()),
            any(SECRET in str(index) for index in indexes),
        ]

    assert [reflects(inspect(engine)) for engine in engines] == [[False] * 4, [True] * 4]


def test_a_view_is_a_view_whose_query_says_nothing(engines: Engines) -> None:
    here, there = map(inspect, engines)
    assert here.get_view_names() == ["urgent_visits"] == [name for name in there.get_view_names() if SECRET not in name]
    assert here.get_view_definition("urgent_visits").startswith(" SELECT NULL::")


def test_a_reflected_table_aggregates_as_on_the_source(engines: Engines) -> None:
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
        assert_same(row, expected)


def test_a_filter_box_reads_a_declared_column_for_free(engines: Engines, connections: Connections) -> None:
    client, _ = connections
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
    proxy: RunningProxy, connections: Connections, query: str
) -> None:
    with proxy.connect() as other:  # a session hands in its counters when it ends
        other.execute("SELECT count(*) FROM visits WHERE urgent")
    here, there = (connection.execute(query).fetchall() for connection in connections)
    assert {value for row in here for value in row} <= {0, None}
    assert {value for row in there for value in row} - {0, -1, None}


def test_explain_estimates_nothing_about_private_tables(connections: Connections) -> None:
    client, _ = connections
    lines = [line for (line,) in client.execute("EXPLAIN SELECT count(*) FROM visits WHERE region = 'north'")]
    assert not [line for line in lines if "rows=" in line or "cost=" in line]
    assert lines[0] == "Differentially private aggregate of public.visits"


INFORMATION_SCHEMA = {
    "columns": """
        SELECT table_name, column_name, is_nullable, replace(data_type, 'USER-DEFINED', 'text'),
               character_maximum_length, numeric_precision, numeric_scale, datetime_precision
        FROM information_schema.columns WHERE table_schema = 'public' AND column_name NOT LIKE %s
        ORDER BY table_name, ordinal_position""",
    "keys": """
        SELECT table_name, column_name, constraint_type, k.ordinal_position FROM information_schema.key_column_usage k
        JOIN information_schema.table_constraints USING (constraint_schema, constraint_name, table_name)
        WHERE k.table_schema = 'public' AND column_name NOT LIKE %s AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')
        ORDER BY 1, 2""",
}


@pytest.mark.parametrize("query", INFORMATION_SCHEMA.values(), ids=INFORMATION_SCHEMA.keys())
def test_the_information_schema_has_the_columns_and_keys_of_the_source(connections: Connections, query: str) -> None:
    here, there = (connection.execute(query, [f"%{SECRET}%"]).fetchall() for connection in connections)
    assert here == there
    assert "visits" in {row[0] for row in here}


DESCRIPTIONS = {
    "comment of a table": "SELECT obj_description('visits'::regclass, 'pg_class')",
    "comments of columns": "SELECT col_description(attrelid, attnum) FROM pg_attribute WHERE attrelid = 'regions'::regclass",
    "defaults": "SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef",
    "defaults of columns": "SELECT column_default FROM information_schema.columns",
    "constraints": "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint",
    "checks": "SELECT check_clause FROM information_schema.check_constraints",
    "indexes": "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "enum labels": "SELECT enumlabel FROM pg_enum",
    "view texts": "SELECT viewname, definition FROM pg_views WHERE schemaname = 'public'",
    "row policies": "SELECT policyname, qual FROM pg_policies",
    "triggers": "SELECT pg_get_triggerdef(oid) FROM pg_trigger",
    "common values": "SELECT most_common_vals::text FROM pg_stats",
}


@pytest.mark.parametrize("query", DESCRIPTIONS.values(), ids=DESCRIPTIONS.keys())
def test_an_analyst_reads_no_expression_comment_or_name_that_the_owner_wrote_beside_the_columns(
    connections: Connections, query: str
) -> None:
    client, source = connections
    assert SECRET in str(source.execute(query).fetchall())
    assert SECRET not in str(client.execute(query).fetchall())


def catalogs_with_the_secret(connection: psycopg.Connection) -> set[str]:
    """System catalogs with the secret in any row; stored expressions hold a text as the decimal codes of its bytes."""
    patterns = [f"%{SECRET}%", "% " + " ".join(str(code) for code in SECRET.encode()) + " %"]
    catalogs = connection.execute(
        "SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r' AND relnamespace = 'pg_catalog'::regnamespace"
    )
    search = "SELECT 1 FROM {} AS found WHERE found::text LIKE ANY (%s) LIMIT 1"
    return {
        name
        for (name,) in catalogs.fetchall()
        if connection.execute(sql.SQL(search).format(sql.Identifier(name)), [patterns]).fetchone()
    }


def test_not_even_a_superuser_finds_the_secret_in_the_catalogs_of_the_stage(
    proxy: RunningProxy, connections: Connections
) -> None:
    _, source = connections
    catalogs = "attrdef attribute class constraint description enum index policy proc rewrite statistic trigger"
    assert catalogs_with_the_secret(source) >= {f"pg_{name}" for name in catalogs.split()}
    with psycopg.connect(make_conninfo(proxy.options.stage_dsn, dbname=proxy.database)) as stage:
        assert stage.execute("SELECT 'public.urgent_visits'::regclass IS NOT NULL").fetchone() == (True,)
        assert catalogs_with_the_secret(stage) == set()
