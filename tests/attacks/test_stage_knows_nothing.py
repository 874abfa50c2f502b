"""What the client's server can tell of private rows: nothing, since it has never seen one (attacks 9, 10, 23 and 24)."""

from __future__ import annotations

import psycopg
import pytest
from psycopg import sql

from tests.conftest import skip_without_xml

EMPTY = {
    "statistics": "SELECT count(*) FROM pg_stats WHERE tablename = 'visits' OR tablename = 'patients'",
    "row estimates": "SELECT sum(reltuples) FROM pg_class WHERE oid IN ('visits'::regclass, 'patients'::regclass)",
    "sizes": "SELECT pg_relation_size('visits') + pg_relation_size('patients')",
    "activity": "SELECT coalesce(sum(n_live_tup + n_tup_ins), 0) FROM pg_stat_user_tables WHERE relname ~ 'visits|patients'",
    "defaults and checks": "SELECT (SELECT count(*) FROM pg_attrdef) + (SELECT count(*) FROM pg_constraint WHERE contype = 'c' AND conrelid > 0 AND connamespace = 'public'::regnamespace)",
}


@pytest.mark.parametrize("query", EMPTY.values(), ids=EMPTY.keys())
def test_catalog_tells_of_no_rows(query: str, client: psycopg.Connection) -> None:
    row = client.execute(query).fetchone()
    assert row is not None
    assert row[0] == 0


HIDDEN_NAMES = {
    "dynamic query": "SELECT query_to_xml('select * from ' || 'vis' || 'its', true, true, '')",
    "table as xml": "SELECT table_to_xml(('vis' || 'its')::regclass, true, true, '')",
    "server file": "SELECT pg_read_file('/etc/passwd')",
    "large object": "SELECT lo_import('/etc/passwd')",
    "new large object": "SELECT lo_create(0)",
    "message to others": "SELECT pg_notify('a', 'b')",
    "function": "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "schema that shadows": "CREATE SCHEMA ana",
    "passwords": "SELECT rolpassword FROM pg_authid",
    "other sessions": "SELECT count(*) FROM pg_stat_activity WHERE usename <> current_user",
    "terminate others": "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename <> current_user",
}


@pytest.mark.parametrize("query", HIDDEN_NAMES.values(), ids=HIDDEN_NAMES.keys())
def test_query_that_the_proxy_does_not_recognise_fails_on_the_stage(query: str, client: psycopg.Connection) -> None:
    if "_xml" in query:
        skip_without_xml(client)
    with pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.UndefinedFunction)):
        client.execute(sql.SQL(query))


@pytest.mark.parametrize(
    "text", ["U&'d\\0061ta'", "'a'\n'b'", r"'\'", "$$it's$$", "E'\\x41\\''", "'-- no comment'", "'Ünï\u00a0cödé'"]
)
def test_string_means_to_the_source_what_it_means_to_postgres(text: str, client: psycopg.Connection) -> None:
    counted = client.execute(f"SELECT count(*) FROM visits WHERE diagnosis = {text}".encode()).fetchone()
    assert counted == (0,)


def test_strings_are_refused_where_backslashes_escape(client: psycopg.Connection) -> None:
    client.execute("SET standard_conforming_strings = off")
    try:
        with pytest.raises(psycopg.errors.FeatureNotSupported, match="standard_conforming_strings"):
            client.execute(r"SELECT count(*) FROM visits WHERE diagnosis = 'a\' OR true --'")
    finally:
        client.execute("RESET standard_conforming_strings")


def test_search_path_decides_on_the_stage_what_a_name_means(client: psycopg.Connection) -> None:
    client.execute("SET search_path = pg_catalog")
    try:
        with pytest.raises(psycopg.errors.UndefinedTable):
            client.execute("SELECT count(*) FROM visits")
        assert client.execute("SELECT count(*) FROM public.visits").fetchone() == (12000,)
    finally:
        client.execute("RESET search_path")


def test_with_query_hides_a_private_table_only_where_postgres_says_so(client: psycopg.Connection) -> None:
    assert client.execute("WITH visits AS (SELECT 1) SELECT count(*) FROM visits").fetchone() == (1,)
    assert client.execute('WITH "Visits" AS (SELECT 1) SELECT count(*) FROM visits').fetchone() == (12000,)
    assert client.execute("WITH visits AS (SELECT count(*) AS n FROM visits) SELECT n FROM visits").fetchone() == (
        12000,
    )
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="would return rows"):
        client.execute("WITH v AS (SELECT 1) SELECT cost FROM visits, v")


@pytest.mark.parametrize("call", ["schema_to_xml('public', true, true, '')", "database_to_xml(true, true, '')"])
def test_dump_of_everything_fails_at_the_first_private_table(call: str, client: psycopg.Connection) -> None:
    skip_without_xml(client)
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="rows of private tables cannot be read"):
        client.execute(f"SELECT ({call})::text")


@pytest.mark.parametrize(
    "text",
    ["NOTIFY a, 'text'", "LISTEN a", "/* a */ notify a", "-- a\nListen a", "SELECT 1; NOTIFY a", "BEGIN; LISTEN a"],
)
def test_no_message_goes_from_one_session_to_another(text: str, client: psycopg.Connection) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="NOTIFY and LISTEN"):
        client.execute(text.encode())
    client.execute("ROLLBACK")
    assert client.execute("SELECT 'notify' AS listen").fetchone() == ("notify",)
    client.execute("UNLISTEN *")
