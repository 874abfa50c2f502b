"""An analyst finds no other analyst's name on a stage, and no other database's, in whatever catalog or by whatever
function: only a name that is known already can be asked for."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from proxy.postgres.stage_roles import ENUMERATOR_ROLE, MARKER_ROLE
from tests.postgres.conftest import Guarded

SECRETS = ("Bo B", MARKER_ROLE, ENUMERATOR_ROLE, "elsewhere")
_ARGUMENTS = {
    '"char"': "'r'",
    "boolean": "true",
    "integer": "0",
    "smallint": "0",
    "bigint": "0",
    "text": "'CONNECT'",
    "name": "'ana'",
    "oid[]": "ARRAY[{oid}::oid]",
    "anyarray": "ARRAY[{oid}::oid]",
    "anyelement": "{oid}::oid",
    '"any"': "{oid}::oid",
    "regrole": "{oid}",
    "cstring": "'{oid}'",
    "internal": None,
}


@pytest.fixture(scope="module")
def owner(guarded: Guarded) -> Iterator[psycopg.Connection]:
    with psycopg.connect(guarded.server.dsn(guarded.stage.database), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS elsewhere")
        connection.execute("CREATE DATABASE elsewhere TEMPLATE template0")
        yield connection


@pytest.fixture(scope="module")
def analyst(guarded: Guarded) -> Iterator[psycopg.Connection]:
    with psycopg.connect(guarded.stage.dsn("ana"), autocommit=True) as connection:
        connection.execute("SET statement_timeout = '10s'")
        yield connection


@pytest.fixture(scope="module")
def numbers(owner: psycopg.Connection) -> list[int]:
    """Of the roles and the database that have these names."""
    rows = owner.execute(
        "SELECT oid FROM pg_authid WHERE rolname = ANY (%(names)s)"
        " UNION ALL SELECT oid FROM pg_catalog.dpproxy_of_pg_database WHERE datname = ANY (%(names)s)",
        {"names": list(SECRETS)},
    ).fetchall()
    assert len(rows) == len(SECRETS)
    return [oid for (oid,) in rows]


def told(connection: psycopg.Connection, query: str) -> list[str]:
    """Which of the names are in a query's rows, or in what it says instead."""
    try:
        with connection.transaction():
            said = str(connection.execute(query.encode()).fetchall())
    except psycopg.Error as error:
        said = str(error).partition("\nLINE")[0]
    return [name for name in SECRETS if name in said]


def test_no_row_of_a_catalog_has_them(analyst: psycopg.Connection, owner: psycopg.Connection) -> None:
    relations = analyst.execute(
        "SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE c.relkind IN ('r', 'v', 'm', 'f') AND n.nspname NOT LIKE 'pg\\_toast%'"
    ).fetchall()
    assert len(relations) > 180
    names = "|".join(SECRETS)
    found = {}
    for (relation,) in relations:
        # Definitions of views and functions name the proxy's own roles.
        query = f"SELECT t::text FROM {relation} AS t WHERE t::text ~ '{names}'"
        names_found = set(told(analyst, query))
        if names_found:
            found[relation] = names_found
    own = {MARKER_ROLE, ENUMERATOR_ROLE}
    assert {relation: names - own for relation, names in found.items() if names - own} == {}
    # The definitions of these views and functions, and the mark of the asker's own role.
    definitions = {"pg_catalog.pg_proc", "pg_catalog.pg_rewrite", "pg_catalog.pg_views"}
    assert set(found) <= definitions | {"information_schema.applicable_roles"}
    assert "elsewhere" in told(owner, "SELECT * FROM pg_catalog.dpproxy_of_pg_database"), "the owner does see it"


def test_all_of_the_information_schema_can_be_read(analyst: psycopg.Connection) -> None:
    """Its functions read with the analyst's rights what stands in the places of the server's catalogs."""
    views = analyst.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'information_schema'::regnamespace AND relkind = 'v'"
        " AND has_table_privilege(oid, 'SELECT')"
    ).fetchall()
    assert len(views) > 50
    for (view,) in views:
        analyst.execute(f'SELECT * FROM information_schema."{view}"'.encode())
    row = analyst.execute(
        "SELECT character_octet_length FROM information_schema.columns WHERE data_type = 'character varying' LIMIT 1"
    ).fetchone()
    assert row is not None
    assert row[0] % 4 == 0


def test_no_function_of_a_number_tells_its_name(
    analyst: psycopg.Connection, owner: psycopg.Connection, numbers: list[int]
) -> None:
    """All functions with an argument that may be the number of a role or a database."""
    functions = analyst.execute(
        "SELECT format('%I.%I', n.nspname, p.proname),"
        " ARRAY(SELECT format_type(t, NULL) FROM unnest(p.proargtypes) AS t)"
        " FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
        " WHERE p.pronargs BETWEEN 1 AND 4 AND p.prokind = 'f' AND p.provolatile <> 'v'"
        " AND ARRAY['oid', 'regrole', 'oid[]', 'cstring'] && ARRAY(SELECT format_type(t, NULL) FROM unnest(p.proargtypes) AS t)"
    ).fetchall()
    assert len(functions) > 150
    calls = set()
    for name, types in functions:
        arguments = [_ARGUMENTS.get(kind, "{oid}::oid" if kind == "oid" else None) for kind in types]
        if None not in arguments:
            calls.add(f"SELECT {name}({', '.join(str(argument) for argument in arguments)})::text")
    calls |= {f"SELECT pg_describe_object({catalog}, {{oid}}, 0)" for catalog in (1260, 1261, 1262)}
    calls |= {f"SELECT pg_identify_object({catalog}, {{oid}}, 0)" for catalog in (1260, 1261, 1262)}
    calls |= {f"SELECT pg_identify_object_as_address({catalog}, {{oid}}, 0)" for catalog in (1260, 1261, 1262)}
    calls |= {f"SELECT pg_get_acl({catalog}, {{oid}}, 0)" for catalog in (1260, 1261, 1262)}
    calls |= {f"SELECT acldefault('{kind}', {{oid}})" for kind in "crtTFLlpsSndf"}
    calls |= {"SELECT makeaclitem({oid}, {oid}, 'SELECT', false)"}
    assert len(calls) > 100
    telling = {call for call in calls for oid in numbers if told(analyst, call.format(oid=oid))}
    assert telling == set()
    assert told(owner, f"SELECT pg_get_userbyid({numbers[0]})") == [], "the function is the same for everybody"
    assert any(told(owner, f"SELECT dpproxy_of_pg_get_userbyid({oid})") for oid in numbers)


def test_no_type_writes_a_number_as_its_name(analyst: psycopg.Connection, numbers: list[int]) -> None:
    types = analyst.execute(
        "SELECT oid, format_type(oid, NULL) FROM pg_type WHERE typtype IN ('b', 'd') AND typisdefined AND typcategory <> 'A'"
    ).fetchall()
    assert len(types) > 60
    for _, name in types:
        for oid in numbers:
            assert told(analyst, f"SELECT '{oid}'::{name}::text") == []
            assert told(analyst, f"SELECT {oid}::oid::{name}::text") == []
    assert 4096 not in dict(types)


def test_a_parameter_of_a_type_that_has_no_name_tells_nothing(guarded: Guarded, numbers: list[int]) -> None:
    regrole = 4096
    with psycopg.connect(guarded.stage.dsn("ana"), autocommit=True) as client:
        for oid in numbers:
            done = client.pgconn.exec_params(b"SELECT $1", [str(oid).encode()], [regrole])
            assert done.status == psycopg.pq.ExecStatus.FATAL_ERROR
            assert b"only a shell" in done.error_message


def test_own_entries_are_shown(guarded: Guarded, analyst: psycopg.Connection) -> None:
    assert analyst.execute("SELECT datname, pg_get_userbyid(datdba) FROM pg_database").fetchall() == [
        (guarded.stage.database, "postgres")
    ]
    assert (
        analyst.execute(
            "SELECT pg_get_userbyid(usesysid), acldefault('r', usesysid)::text FROM pg_user WHERE usename = 'ana'"
        ).fetchall()[0][0]
        == "ana"
    )
    assert analyst.execute("SELECT has_database_privilege(oid, 'CONNECT') FROM pg_database").fetchall() == [(True,)]
    assert analyst.execute("SELECT pg_get_userbyid(NULL), pg_get_userbyid(1::oid)").fetchone() == (
        None,
        "unknown (OID=1)",
    )
    assert analyst.execute("SELECT count(*) FROM information_schema.table_privileges").fetchone() != (0,)
