"""The stage: a faithful shape of the source without a private row, and what an analyst can do on it."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from typing import Any

import psycopg
import pytest

from proxy.errors import StageBusyError
from proxy.policy.catalog import Catalog
from proxy.postgres.catalog_reader import read_catalog
from proxy.postgres.stage import Stage, StageQueryError
from proxy.postgres.stage_building import build_stage
from proxy.postgres.stage_roles import FOR_QUESTIONS
from proxy.postgres.stage_schema import StageBuildError
from proxy.settings import SETTINGS
from tests.conftest import PostgresCluster
from tests.postgres.conftest import TABLES, clinic_policy, make_clinic
from tests.programs import find_program

DATABASE = "clinic_stage"

VISIBLE_SECRETS = """
    SELECT (SELECT count(*) FROM pg_attrdef), (SELECT count(*) FROM pg_constraint WHERE contype = 'c'
            AND connamespace <> 'information_schema'::regnamespace),
           (SELECT count(*) FROM pg_description d JOIN pg_class c ON c.oid = d.objoid
            WHERE c.relnamespace::regnamespace::text IN ('public', '"Ward 1"')),
           (SELECT count(*) FROM pg_enum)"""


@pytest.fixture(scope="module")
def stage(postgres_cluster: PostgresCluster, clinic: str, clinic_catalog: Catalog) -> Stage:
    return build_stage(postgres_cluster.dsn("postgres"), clinic_policy(), clinic_catalog, clinic, DATABASE)


def ask(stage: Stage, query: str, analyst: str = "ana") -> list[tuple[Any, ...]]:
    with psycopg.connect(stage.dsn(analyst), autocommit=True) as connection:
        return connection.execute(query.encode()).fetchall()


def with_stage(stage: Stage, use: Callable[[Stage], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        # A pool belongs to one event loop.
        roles = ("ana", "Bo B", "dpproxy_enumerator")
        fresh = Stage(stage.dsn("ana"), stage.database, {role: stage.password(role) for role in roles})
        try:
            await use(fresh)
        finally:
            await fresh.close()

    asyncio.run(run())


@pytest.mark.parametrize("table", ["public.patients", '"Ward 1"."Visits"', "dp.budget", "dp.ledger"])
def test_private_tables_are_described_but_not_read(stage: Stage, table: str) -> None:
    with psycopg.connect(stage.dsn("ana"), autocommit=True) as connection:
        query = f"SELECT * FROM {table}".encode()
        connection.pgconn.prepare(b"statement", query)
        described = connection.pgconn.describe_prepared(b"statement")
        assert described.nfields > 0
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(query)


def test_public_rows_are_those_of_the_source(stage: Stage, clinic: str) -> None:
    query = "SELECT region_id, name, area, founded::text, octet_length(name) FROM public.regions ORDER BY region_id"
    with psycopg.connect(clinic) as source:
        expected = source.execute(query).fetchall()
    assert len(expected) == 3
    assert ask(stage, query) == expected


def test_only_visible_columns_exist(stage: Stage) -> None:
    query = """SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
               WHERE table_schema IN ('public', 'Ward 1') ORDER BY table_schema, table_name, ordinal_position"""
    assert ask(stage, query) == [
        ("Visits", "patient_id", "bigint", "NO"),
        ("Visits", "cost", "numeric", "YES"),
        ("Visits", "Kind of", "character varying", "YES"),
        ("patients", "patient_id", "bigint", "NO"),
        ("patients", "region_id", "integer", "YES"),
        ("patients", "birth_year", "smallint", "NO"),
        ("patients", "mood", "USER-DEFINED", "YES"),
        ("regions", "region_id", "integer", "NO"),
        ("regions", "name", "character", "NO"),
        ("regions", "area", "numeric", "YES"),
        ("regions", "founded", "date", "YES"),
    ]


def test_defaults_checks_comments_and_enum_labels_stay_on_the_source(stage: Stage, clinic: str) -> None:
    with psycopg.connect(clinic) as source:
        on_source = source.execute(VISIBLE_SECRETS.encode()).fetchall()
    assert on_source == [(1, 1, 1, 2)]
    assert ask(stage, VISIBLE_SECRETS) == [(0, 0, 0, 0)]


def test_keys_between_visible_columns_exist(stage: Stage) -> None:
    query = """SELECT conrelid::regclass::text, contype::text, pg_get_constraintdef(oid) FROM pg_constraint
               WHERE contype IN ('p', 'u', 'f') AND connamespace <> 'pg_catalog'::regnamespace ORDER BY 1, 2, 3"""
    assert ask(stage, query) == [
        ('"Ward 1"."Visits"', "f", "FOREIGN KEY (patient_id) REFERENCES patients(patient_id)"),
        ("patients", "f", "FOREIGN KEY (region_id) REFERENCES regions(region_id)"),
        ("patients", "p", "PRIMARY KEY (patient_id)"),
        ("regions", "p", "PRIMARY KEY (region_id)"),
        ("regions", "u", "UNIQUE (name)"),
    ]


def test_statistics_of_private_tables_are_zero(stage: Stage) -> None:
    query = """SELECT reltuples, relpages, pg_relation_size(oid),
                      (SELECT count(*) FROM pg_stats WHERE tablename IN ('patients', 'Visits'))
               FROM pg_class WHERE oid IN ('patients'::regclass, '"Ward 1"."Visits"'::regclass)"""
    assert ask(stage, query) == [(0, 0, 0, 0), (0, 0, 0, 0)]


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE public.mine ()",
        'CREATE TABLE "Ward 1".mine ()',
        "CREATE TABLE dp.mine ()",
        "CREATE SCHEMA mine",
        "CREATE TEMPORARY TABLE mine ()",
        "INSERT INTO public.regions VALUES (9, 'west')",
        "INSERT INTO public.patients VALUES (1)",
        "TRUNCATE public.patients",
        "SELECT lo_create(0)",
        "SELECT lo_from_bytea(0, 'x')",
        "SELECT pg_notify('channel', 'message')",
        "SELECT pg_logical_emit_message(false, 'a', 'b')",
        "DO $$ BEGIN END $$",
        "SET temp_file_limit = -1",
        "CREATE ROLE mine",
        "SET ROLE dpproxy_enumerator",
    ],
)
def test_analysts_can_create_and_change_nothing(stage: Stage, statement: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege) as refusal:
        ask(stage, statement)
    assert refusal.value.sqlstate == "42501"


def test_analysts_sessions_have_limits(stage: Stage) -> None:
    query = "SELECT current_user::text, current_setting('statement_timeout'), current_setting('temp_file_limit')"
    assert ask(stage, query, "Bo B") == [("Bo B", "1min", "256MB")]
    limits = ask(stage, "SELECT rolconnlimit, rolinherit, rolsuper FROM pg_roles WHERE rolname = current_user")
    assert [row[1:] for row in limits] == [(False, False)]
    assert limits[0][0] == 100 + FOR_QUESTIONS, "an analyst's sessions leave room for their questions"


def test_who_opens_all_the_sessions_there_are_holds_up_nobody_else(stage: Stage) -> None:
    async def one_more(stage: Stage) -> None:
        with pytest.raises(StageBusyError) as busy:
            await stage.rows_as("ana", "SELECT 1", {})
        assert (busy.value.sqlstate, busy.value.rule) == ("57P03", "stage-busy")
        assert await stage.rows_as("Bo B", "SELECT 1", {}) == [("1",)]
        assert await stage.rows("SELECT 1") == [("1",)]

    with ExitStack() as sessions:
        ((most,),) = ask(stage, "SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user")
        for _ in range(most):
            sessions.enter_context(psycopg.connect(stage.dsn("ana")))
        with_stage(stage, one_more)


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_can_be_shown_before_they_are_set(stage: Stage, name: str) -> None:
    expected = {"dp.notices": "on", "dp.empty_groups": "show", "dp.consistency": "on", "dp.digits": "off"}.get(name, "")
    assert ask(stage, f"SHOW {name}") == [(expected,)]


def test_the_policy_can_be_read_on_the_stage(stage: Stage) -> None:
    tables = ask(stage, "SELECT table_name, unit, public, epsilon::text, delta::text FROM dp.tables ORDER BY 1")
    assert tables == [
        ("Ward 1.Visits", "patient", False, "4", "0.000001"),
        ("public.patients", "patient", False, "4", "0.000001"),
        ("public.regions", None, True, None, None),
    ]
    columns = ask(stage, "SELECT column_name, bounds, step::text, declared_values, declared_from FROM dp.columns")
    assert ("cost", "[0, 5000]", "0.01", None, None) in columns
    assert ("birth_year", "[1900, 2026]", None, None, "range") in columns
    assert ("mood", None, None, ["calm"], None) in columns
    assert ("region_id", None, None, None, "public.regions.region_id") in columns


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (r"\d", "public | patients | table"),
        (r"\dt+", "patients | table"),
        (r"\d patients", "FOREIGN KEY (region_id) REFERENCES regions(region_id)"),
        (r'\d "Ward 1"."Visits"', "character varying"),
        (r"\dn", "Ward 1"),
        (r"\dp", "=rx/"),
    ],
)
def test_psql_describes_the_stage(stage: Stage, command: str, expected: str) -> None:
    result = subprocess.run(
        [find_program("psql"), "-X", "-v", "ON_ERROR_STOP=1", stage.dsn("ana"), "-c", command],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert expected in result.stdout


def test_the_proxys_own_queries_read_public_tables_only(stage: Stage) -> None:
    async def read(stage: Stage) -> None:
        assert await stage.rows("SELECT region_id, area FROM public.regions ORDER BY 1") == [
            ("1", "10.50"),
            ("2", None),
            ("3", "0.00"),
        ]
        german = {"DateStyle": "German"}
        assert await stage.rows_as("ana", "SELECT founded FROM public.regions WHERE region_id = 1", german) == [
            ("03.02.2001",)
        ]
        for query, sqlstate in {
            "SELECT count(*) FROM public.patients": "42501",
            "SELECT 1 / 0": "22012",
            "SELECT 1; SELECT 2": "42601",
            "SELECT * FROM regions": "42P01",
            "CREATE TEMPORARY TABLE mine ()": "25006",
        }.items():
            with pytest.raises(StageQueryError) as refusal:
                await stage.rows(query)
            assert refusal.value.sqlstate == sqlstate

    with_stage(stage, read)


def test_types_are_named_as_sql_writes_them(stage: Stage) -> None:
    async def name(stage: Stage) -> None:
        assert await stage.format_type(1700, ((10 << 16) | 2) + 4) == "numeric(10,2)"
        assert await stage.format_type(1042) == "bpchar"
        assert await stage.format_type(1042) == "bpchar"

    with_stage(stage, name)


def test_an_unchanged_stage_is_kept_and_a_changed_one_is_built_again(postgres_cluster: PostgresCluster) -> None:
    source, admin = make_clinic(postgres_cluster), postgres_cluster.dsn("postgres")

    def build(policy_analysts: tuple[str, ...] = ("cleo",)) -> tuple[int, int]:
        catalog = read_catalog(source, TABLES)
        stage = build_stage(admin, clinic_policy(policy_analysts), catalog, source, "rebuilt_stage")
        count = "(SELECT count(*) FROM public.regions)"
        query = f"SELECT oid::bigint, {count} FROM pg_database WHERE datname = current_database()"
        ((database_oid, regions),) = ask(stage, query, policy_analysts[0])
        return database_oid, regions

    first, _ = build()
    assert build() == (first, 3)
    assert build(("dora",)) == (first, 3)
    with psycopg.connect(source, autocommit=True) as connection:
        connection.execute("INSERT INTO regions VALUES (4, 'east')")
    second, regions = build()
    assert (second != first, regions) == (True, 4)


def test_a_database_that_is_not_ours_is_never_touched(
    postgres_cluster: PostgresCluster, clinic: str, clinic_catalog: Catalog
) -> None:
    theirs = postgres_cluster.create_database("theirs")
    name = psycopg.conninfo.conninfo_to_dict(theirs)["dbname"]
    with pytest.raises(StageBuildError, match="did not make"):
        build_stage(postgres_cluster.dsn("postgres"), clinic_policy(), clinic_catalog, clinic, str(name))
    with psycopg.connect(theirs) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_a_policy_that_the_source_does_not_bear_out_builds_nothing(
    postgres_cluster: PostgresCluster, clinic: str
) -> None:
    with pytest.raises(StageBuildError, match=r"public\.regions, which the source does not have"):
        build_stage(postgres_cluster.dsn("postgres"), clinic_policy(), Catalog(), clinic, "never_built")
