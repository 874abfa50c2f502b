"""Every aggregate of PostgreSQL, and of a stage, is supported over private rows, or known and refused."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from psycopg import sql

from proxy.errors import DpproxyError
from proxy.postgres.stage_aggregates import aggregate_statements
from proxy.sql.planning.aggregates.registry import BY_CALL
from proxy.sql.postgres_aggregates import AGGREGATES, LISTING, NAMES_OF_TOOLS, ZERO_OVER_NOTHING
from tests.conftest import PostgresCluster
from tests.sql.events import plan

ONLY_WITHIN_GROUP = frozenset(["rank", "dense_rank", "percent_rank", "cume_dist"])
"""Elsewhere these are window functions."""

SYNTAX = frozenset(["json_arrayagg", "json_objectagg", "grouping"])
PARSED_APART = {
    "string_agg": "string_agg(note, ',')",
    "json_arrayagg": "json_arrayagg(many)",
}
SUPPORTED = frozenset(name for name, _ in BY_CALL)
QUOTE = '"'
NEWEST = 160000
"""From here on PostgreSQL has all of them."""

ARGUMENTS = {
    "any": "integer",
    "anyelement": "integer",
    "anynonarray": "integer",
    "anyarray": "integer[]",
    "anycompatible": "integer",
    "anycompatiblearray": "integer[]",
    "anyenum": "kind",
    "anyrange": "int4range",
    "anymultirange": "int4multirange",
}
"""A type for each polymorphic one."""


@pytest.fixture(scope="module")
def server(postgres_cluster: PostgresCluster) -> Iterator[psycopg.Connection]:
    with psycopg.connect(postgres_cluster.create_database("aggregates_of_postgres"), autocommit=True) as connection:
        connection.execute("CREATE TYPE kind AS ENUM ('a')")
        connection.execute("CREATE SCHEMA dp")
        for statement in aggregate_statements():
            connection.execute(statement)
        yield connection


def names_of(server: psycopg.Connection, *schemas: str) -> frozenset[str]:
    rows = server.execute(
        "SELECT proname FROM pg_proc WHERE prokind = 'a' AND pronamespace = ANY (%s::regnamespace[])",
        [list(schemas or ("pg_catalog", "public"))],
    )
    return frozenset(name for (name,) in rows.fetchall())


def test_each_aggregate_of_postgres_is_known(server: psycopg.Connection) -> None:
    assert names_of(server) - AGGREGATES == ONLY_WITHIN_GROUP
    assert AGGREGATES.isdisjoint(ONLY_WITHIN_GROUP)


def test_the_aggregates_of_a_stage_are_known_by_name(server: psycopg.Connection) -> None:
    assert names_of(server, "public") == NAMES_OF_TOOLS
    assert NAMES_OF_TOOLS.isdisjoint(names_of(server, "pg_catalog"))


def test_what_is_known_or_supported_is_an_aggregate(server: psycopg.Connection) -> None:
    assert names_of(server) >= SUPPORTED
    assert SUPPORTED <= AGGREGATES
    if server.info.server_version >= NEWEST:
        assert names_of(server) >= AGGREGATES - SYNTAX


def test_over_nothing_counts_are_zero_and_all_others_null(server: psycopg.Connection) -> None:
    rows = server.execute(
        "SELECT p.proname, array(SELECT format_type(t, NULL) FROM unnest(p.proargtypes) AS t) FROM pg_aggregate a "
        "JOIN pg_proc p ON p.oid = a.aggfnoid WHERE a.aggkind = 'n' "
        "AND p.pronamespace IN ('pg_catalog'::regnamespace, 'public'::regnamespace)"
    ).fetchall()
    assert len(rows) > 100
    for name, types in rows:
        nulls = [f"NULL::{ARGUMENTS.get(type_.strip(QUOTE), type_)}" for type_ in types]
        call = sql.SQL("SELECT {}({}) WHERE false").format(
            sql.Identifier(name), sql.SQL(", ".join(nulls) if nulls else "*")
        )
        assert server.execute(call).fetchone() == ((0 if name in ZERO_OVER_NOTHING else None),), (name, types)


@pytest.mark.parametrize("name", sorted(AGGREGATES - SUPPORTED - {"grouping", "json_objectagg"}))
def test_what_is_not_supported_is_refused_by_its_rule(name: str) -> None:
    rule, sqlstate = ("listing-aggregate", "42501") if name in LISTING else ("aggregate", "0A000")
    with pytest.raises(DpproxyError, match=rf"^{name}\(\) ") as refusal:
        plan(f"SELECT {PARSED_APART.get(name, f'{name}(many)')} FROM events")
    assert (refusal.value.rule, refusal.value.sqlstate) == (rule, sqlstate)


@pytest.mark.parametrize("name", sorted(ONLY_WITHIN_GROUP))
def test_a_hypothetical_place_is_refused(name: str) -> None:
    with pytest.raises(DpproxyError, match=rf"^{name}\(\) is not supported over private rows") as refusal:
        plan(f"SELECT {name}(3) WITHIN GROUP (ORDER BY many) FROM events")
    assert (refusal.value.rule, refusal.value.sqlstate) == ("aggregate", "0A000")


@pytest.mark.parametrize("name", sorted(AGGREGATES - PARSED_APART.keys() - {"json_objectagg"}))
def test_none_is_part_of_what_is_said_of_a_row(name: str) -> None:
    with pytest.raises(DpproxyError, match=rf"^aggregate {name}\(\) is not allowed inside another") as refusal:
        plan(f"SELECT count(*) FROM events WHERE {name}(many) = 1")
    assert (refusal.value.rule, refusal.value.sqlstate) == ("nested-aggregate", "42501")
