"""Private tables of a stage have every right that tools ask for, and no statement reads them (on each server there is)."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from psycopg import sql

from proxy.policy.catalog import Catalog
from proxy.postgres.catalog_reader import read_catalog
from proxy.postgres.stage_building import build_stage
from tests.conftest import PostgresCluster, skip_without_xml
from tests.postgres.conftest import Guarded, clinic_policy, make_clinic

RELATIONS = ["public.patients", '"Ward 1"."Visits"', "dp.budget", "dp.ledger"]


@pytest.fixture(scope="module")
def analyst(guarded: Guarded) -> Iterator[psycopg.Connection]:
    # DISCARD ALL would take what psycopg had prepared.
    with psycopg.connect(guarded.stage.dsn("ana"), autocommit=True, prepare_threshold=None) as connection:
        yield connection


READS = {
    "rows": "SELECT * FROM {}",
    "count": "SELECT count(*) FROM {}",
    "whole row": "SELECT t FROM {} AS t",
    "no column": "SELECT FROM {}",
    "system column": "SELECT max(t.tableoid) FROM {} AS t",
    "by place": "SELECT 1 FROM {} AS t WHERE ctid = '(0,1)'",
    "table command": "TABLE {}",
    "only": "SELECT count(*) FROM ONLY {}",
    "sample": "SELECT * FROM {} TABLESAMPLE SYSTEM (100)",
    "no row wanted": "SELECT * FROM {} LIMIT 0",
    "no row possible": "SELECT count(*) FROM {} WHERE false",
    "contradiction": "SELECT * FROM {} AS t WHERE 1 = 0 AND t IS NULL",
    "exists": "SELECT EXISTS (SELECT FROM {})",
    "scalar": "SELECT (SELECT count(*) FROM {})",
    "array": "SELECT ARRAY(SELECT 1 FROM {})",
    "in": "SELECT 1 WHERE 1 IN (SELECT count(*) FROM {})",
    "lateral": "SELECT 1 FROM regions, LATERAL (SELECT FROM {} LIMIT 0) AS t",
    "left join": "SELECT count(*) FROM regions LEFT JOIN {} AS t ON false",
    "union": "SELECT 1 UNION ALL SELECT count(*) FROM {}",
    "with": "WITH t AS MATERIALIZED (SELECT count(*) FROM {}) SELECT * FROM t LIMIT 0",
    "for update": "SELECT * FROM {} FOR UPDATE",
    "for key share": "SELECT * FROM {} FOR KEY SHARE",
    "explain": "EXPLAIN SELECT count(*) FROM {}",
    "explain analyze": "EXPLAIN (ANALYZE, FORMAT JSON) SELECT * FROM {} LIMIT 0",
    "prepared": "PREPARE reading AS SELECT count(*) FROM {}; EXECUTE reading",
    "prepared, with a plan for all parameters": "SET plan_cache_mode = force_generic_plan; PREPARE generic AS SELECT $1::int FROM {}; EXECUTE generic (1)",
    "cursor": "BEGIN; DECLARE c SCROLL CURSOR FOR SELECT * FROM {}",
    "cursor that is held": "BEGIN; DECLARE c CURSOR WITH HOLD FOR SELECT * FROM {}",
    "copy": "COPY {} TO STDOUT",
    "copy of a query": "COPY (SELECT count(*) FROM {}) TO STDOUT (FORMAT binary)",
    "query inside a text": "SELECT ts_stat('SELECT to_tsvector(''a'') FROM {}')",
    "row-level security off": "SET row_security = off; SELECT count(*) FROM {}",
    "insert of rows": "INSERT INTO regions SELECT 1 FROM {}",
    "insert": "INSERT INTO {} DEFAULT VALUES RETURNING *",
    "delete": "DELETE FROM {}",
    "truncate": "TRUNCATE {}",
    "lock": "BEGIN; LOCK TABLE {} IN ROW SHARE MODE",
    "policy dropped": 'DROP POLICY "aggregates with noise only" ON {}',
    "policies disabled": "ALTER TABLE {} DISABLE ROW LEVEL SECURITY",
    "index": "CREATE INDEX ON {} ((1))",
    "temporary copy": "CREATE TEMP TABLE t AS SELECT * FROM {}",
    "temporary view": "CREATE TEMP VIEW v AS SELECT * FROM {}",
}
XML = {
    "query": "SELECT query_to_xml('SELECT count(*) FROM {}', true, true, '')",
    "table": "SELECT table_to_xml('{}', true, true, '')",
}


def refused(connection: psycopg.Connection, text: str) -> None:
    """Both protocols refuse a text for lack of rights."""
    results = [connection.pgconn.exec_(text.encode())]
    connection.pgconn.exec_(b"ROLLBACK")
    if ";" not in text:
        results.append(connection.pgconn.exec_params(text.encode(), []))
    connection.pgconn.exec_(b"DISCARD ALL")
    for result in results:
        state = result.error_field(psycopg.pq.DiagnosticField.SQLSTATE)
        assert state == b"42501", result.get_error_message()


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("text", READS.values(), ids=READS.keys())
def test_no_statement_reads_a_private_table(analyst: psycopg.Connection, relation: str, text: str) -> None:
    refused(analyst, text.replace("{}", relation))


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("text", XML.values(), ids=XML.keys())
def test_no_xml_function_reads_a_private_table(analyst: psycopg.Connection, relation: str, text: str) -> None:
    skip_without_xml(analyst)
    refused(analyst, text.replace("{}", relation))


@pytest.mark.parametrize("condition", ["regions.region_id = patient_id", "false"])
def test_merge_does_not_read_a_private_table(analyst: psycopg.Connection, condition: str) -> None:
    if analyst.info.server_version < 150000:
        pytest.skip("PostgreSQL 15 brought MERGE")
    refused(analyst, f"MERGE INTO patients USING regions ON {condition} WHEN NOT MATCHED THEN DO NOTHING")


@pytest.mark.parametrize("relation", RELATIONS)
def test_no_counter_or_statistic_of_a_private_table_tells_anything(analyst: psycopg.Connection, relation: str) -> None:
    found = analyst.execute(
        "SELECT pg_relation_size(oid), reltuples, relpages, (SELECT count(*) FROM pg_stats WHERE tablename = relname),"
        " pg_stat_get_live_tuples(oid) FROM pg_class WHERE oid = %s::regclass",
        [relation],
    ).fetchone()
    assert found is not None
    assert {value for value in found if value != -1} == {0}


@pytest.mark.parametrize("relation", [*RELATIONS, "public.regions", "dp.tables"])
def test_tools_are_told_that_tables_can_be_read(analyst: psycopg.Connection, relation: str) -> None:
    schema, name = relation.replace('"', "").split(".")
    asked = analyst.execute(
        "SELECT has_table_privilege(%(relation)s, 'SELECT'), has_any_column_privilege(%(relation)s, 'SELECT'),"
        " (SELECT bool_and(has_column_privilege(attrelid, attnum, 'SELECT')) FROM pg_attribute"
        "  WHERE attrelid = %(relation)s::regclass AND attnum > 0),"
        " has_table_privilege(%(relation)s, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER')",
        {"relation": relation},
    ).fetchone()
    assert asked == (True, True, True, False)
    listed = {
        view: analyst.execute(
            sql.SQL(
                "SELECT DISTINCT privilege_type FROM information_schema.{}"
                " WHERE table_schema = %s AND table_name = %s AND grantee = 'PUBLIC'"
            ).format(sql.Identifier(view)),
            [schema, name],
        ).fetchall()
        for view in ("table_privileges", "column_privileges", "role_table_grants")
    }
    assert sorted(listed["table_privileges"]) == sorted(listed["column_privileges"]) == [("REFERENCES",), ("SELECT",)]


def test_what_keeps_a_table_from_being_read_is_its_policy_alone(guarded: Guarded) -> None:
    with (
        psycopg.connect(guarded.server.dsn("guarded"), autocommit=True) as owner,
        psycopg.connect(guarded.stage.dsn("ana"), autocommit=True) as analyst,
    ):
        owner.execute("ALTER TABLE patients DISABLE ROW LEVEL SECURITY")
        assert analyst.execute("SELECT count(*) FROM patients").fetchone() == (0,)
        owner.execute("ALTER TABLE patients ENABLE ROW LEVEL SECURITY")
        refused(analyst, "SELECT count(*) FROM patients")


ONLY_OF_TABLES = {"sample", "system column", "by place", "copy", "truncate", "insert", "delete", "index"} | {
    name for name in READS if name.startswith("polic")
}
"""What Postgres refuses of a view for other reasons."""


def test_no_statement_reads_a_private_view(
    guarded: Guarded, postgres_cluster: PostgresCluster, clinic_catalog: Catalog
) -> None:
    source = make_clinic(postgres_cluster)
    with psycopg.connect(source, autocommit=True) as owner:
        owner.execute("CREATE VIEW adults AS SELECT patient_id, birth_year FROM patients WHERE birth_year < 2000")
    patients = clinic_policy().tables["public.patients"]
    columns = {
        name: column for name, column in (patients.columns or {}).items() if name in ("patient_id", "birth_year")
    }
    tables = {**clinic_policy().tables, "public.adults": patients.model_copy(update={"columns": columns})}
    policy = clinic_policy().model_copy(update={"tables": tables})
    catalog = read_catalog(source, [*clinic_catalog.tables, "public.adults"])
    stage = build_stage(guarded.server.dsn(), policy, catalog, source, "guarded_view")
    with psycopg.connect(stage.dsn("ana"), autocommit=True, prepare_threshold=None) as analyst:
        seen = analyst.execute(
            "SELECT relkind, has_table_privilege(oid, 'SELECT') FROM pg_class WHERE oid = 'adults'::regclass"
        ).fetchone()
        assert seen == ("v", True)
        for name in READS.keys() - ONLY_OF_TABLES:
            refused(analyst, READS[name].replace("{}", "adults"))
