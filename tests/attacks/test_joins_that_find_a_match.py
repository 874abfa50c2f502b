"""Chains of joins over public tables, in any order and of any kind: a private row meets no more rows than is reckoned,
and no two rows of a join are equal in what is taken for a key."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import psycopg
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.sql import dialect
from proxy.sql.rows.compiler import RowCompiler
from proxy.sql.rows.matched_joins import matched_joins
from proxy.sql.rows.members import ColumnOrigin
from proxy.sql.rows.multiplicity import Multiplicity
from proxy.sql.rows.ownership import Equality
from proxy.sql.rows.relation import Relation
from proxy.sql.schema import Schema
from tests.attacks.test_sensitivity import EXAMPLES
from tests.conftest import PostgresCluster

TABLES = """
CREATE TABLE language (language integer PRIMARY KEY, size integer NOT NULL);
CREATE TABLE film (film integer PRIMARY KEY, language integer, size integer NOT NULL);
CREATE TABLE inventory (inventory integer PRIMARY KEY, film integer, size integer NOT NULL);
CREATE TABLE rental (rental integer PRIMARY KEY, customer integer, inventory integer, size integer NOT NULL);
INSERT INTO language VALUES (1, 1), (2, 2), (3, 3);
INSERT INTO film SELECT i, CASE WHEN i % 5 > 0 THEN 1 + i % 4 END, i % 4 FROM generate_series(1, 9) AS i;
INSERT INTO inventory SELECT i, CASE WHEN i % 7 > 0 THEN 1 + i % 8 END, i % 4 FROM generate_series(1, 14) AS i;
INSERT INTO rental SELECT i, 1 + i % 5, CASE WHEN i % 6 > 0 THEN 1 + i % 13 END, i % 4 FROM generate_series(1, 40) AS i;
"""
PUBLIC = ("language", "film", "inventory")
TIES = (
    "f.language = l.language",
    "i.film = f.film",
    "r.inventory = i.inventory",
    "r.size = l.size",
    "i.size > f.size",
    "f.size >= r.size",
    "(r.inventory = i.inventory OR i.inventory IS NULL)",
)
FROM_PUBLIC = (
    "language l LEFT JOIN film f ON f.language = l.language LEFT JOIN inventory i ON i.film = f.film "
    "LEFT JOIN rental r ON r.inventory = i.inventory"
)
ALONG_KEYS = {
    "from the public side": FROM_PUBLIC,
    "from the private side": (
        "rental r JOIN inventory i ON r.inventory = i.inventory JOIN film f ON i.film = f.film "
        "RIGHT JOIN language l ON f.language = l.language"
    ),
    "an inner join last": FROM_PUBLIC.replace("LEFT JOIN rental", "JOIN rental"),
    "WHERE": FROM_PUBLIC.replace(" LEFT JOIN rental r ON", ", rental r WHERE"),
    "USING": "film LEFT JOIN inventory USING (film) LEFT JOIN rental USING (inventory)",
    "parentheses": (
        "language l LEFT JOIN (film f LEFT JOIN inventory i ON i.film = f.film JOIN rental r "
        "ON r.inventory = i.inventory) ON f.language = l.language"
    ),
}
FEW_MATCHES = (
    "rental r JOIN film f ON f.size >= r.size LEFT JOIN inventory i ON i.film = f.film AND r.inventory = i.inventory"
)
"""Whatever the condition says of rows with an inventory, a rental meets every film that is long enough."""

MATCHED_BEFORE = (
    "rental r JOIN film f ON f.size >= r.size LEFT JOIN (inventory i JOIN language l ON i.size = l.language) "
    "ON i.film = f.film AND r.inventory = i.inventory"
)
"""That an inventory has a language does not mean that there is one."""

MATCHED_ELSEWHERE = f"{FEW_MATCHES} JOIN language l ON l.language = r.size"
"""Nor does the language of a rental."""


@pytest.fixture(scope="module")
def found(postgres_cluster: PostgresCluster) -> Iterator[tuple[psycopg.Connection, Schema]]:
    dsn = postgres_cluster.create_database("matched_joins")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(TABLES)
        public = [f"public.{name}" for name in PUBLIC]
        catalog = read_catalog(dsn, ["public.rental", *public], public)
        rental = {"unit": {"name": "customer", "column": "customer"}, "budget": {"epsilon": "10", "delta": "1e-6"}}
        tables = {"public.rental": rental, **{name: {"public": True} for name in public}}
        policy = Policy.model_validate({"version": 1, "units": {"customer": {}}, "tables": tables})
        yield connection, Schema(policy, catalog)


def relation_of(joins: str, schema: Schema) -> Relation:
    select = dialect.parse(f"SELECT 1 FROM {joins}")
    assert isinstance(select, exp.Select)
    return replace(RowCompiler(schema, ("public",), lambda _: 1).relation(select), own_cuts=())


def assert_reckoned(joins: str, found: tuple[psycopg.Connection, Schema]) -> None:
    connection, schema = found
    relation = relation_of(joins, schema)
    alias = next(member.alias for member in relation.members if member.table.name == "public.rental")
    where = f" WHERE {joins.split(' WHERE ')[1]}" if " WHERE " in joins else ""
    for member in relation.members:
        where = where.replace(f"{member.exposed}.", f"{member.alias}.")
    rows = f"FROM {relation.sql}{where}{' AND' if where else ' WHERE'} {alias}.rental IS NOT NULL"
    met = connection.execute(
        f"SELECT max(n) FROM (SELECT count(*) AS n {rows} GROUP BY {alias}.rental) AS x"
    ).fetchone()
    assert met is not None
    assert relation.joined.private == 0
    assert (met[0] or 0) <= relation.joined.rows, relation.joined
    for key in relation.keys:
        columns = ", ".join(column or f"{alias}.customer" for column in sorted(key)) or "1"
        assert connection.execute(f"SELECT {rows} GROUP BY {columns} HAVING count(*) > 1").fetchall() == []


@pytest.mark.parametrize("joins", ALONG_KEYS.values(), ids=ALONG_KEYS)
def test_a_chain_along_keys_multiplies_nothing_wherever_it_begins(
    joins: str, found: tuple[psycopg.Connection, Schema]
) -> None:
    relation = relation_of(joins, found[1])
    assert relation.joined == Multiplicity()
    assert any("rental" in column for key in relation.keys for column in key)
    assert_reckoned(joins, found)


@pytest.mark.parametrize("joins", [FEW_MATCHES, MATCHED_BEFORE, MATCHED_ELSEWHERE])
def test_a_join_that_may_find_no_match_leads_nowhere(joins: str, found: tuple[psycopg.Connection, Schema]) -> None:
    assert relation_of(joins, found[1]).joined.rows > 1
    assert_reckoned(joins, found)


def test_what_is_equal_to_a_row_around_a_subquery_finds_no_match(found: tuple[psycopg.Connection, Schema]) -> None:
    """The source may compute the rows of the subquery before."""
    film, inventory = relation_of("film JOIN inventory USING (film) JOIN rental USING (inventory)", found[1]).members[
        :2
    ]
    equal = Equality(ColumnOrigin(film, "film"), ColumnOrigin(inventory, "film"))
    extended = {inventory.alias: (frozenset({inventory.alias}),)}
    assert matched_joins([film, inventory], extended, [equal], []) == {inventory.alias}
    assert matched_joins([inventory], extended, [equal], []) == set()


@st.composite
def chains(draw: st.DrawFn) -> str:
    """The tables in any order, or some of them, joined in all ways."""
    tables = dict(zip("lfir", (*PUBLIC, "rental"), strict=True))
    order = draw(st.permutations(sorted(tables)).filter(lambda names: "r" in names[:4]))
    order = [name for name in order if name == "r" or draw(st.integers(0, 5))]
    text = f"{tables[order[0]]} {order[0]}"
    for number, name in enumerate(order[1:], 1):
        seen = {*order[: number + 1]}
        usable = [tie for tie in TIES if all(f"{other}." not in tie or other in seen for other in tables)]
        usable = [tie for tie in usable if f"{name}." in tie] or ["true"]
        condition = " AND ".join(draw(st.lists(st.sampled_from(usable), min_size=1, max_size=2, unique=True)))
        kind = draw(st.sampled_from(["JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN"]))
        text = f"{text} {kind} {tables[name]} {name} ON {condition}"
        text = f"({text})" if draw(st.integers(0, 4)) == 0 else text
    return text


@given(joins=chains())
@example(joins=FROM_PUBLIC)
@settings(max_examples=EXAMPLES, deadline=None)
def test_no_private_row_meets_more_rows_than_is_reckoned(joins: str, found: tuple[psycopg.Connection, Schema]) -> None:
    try:
        relation_of(joins, found[1])
    except DpproxyError:
        return
    assert_reckoned(joins, found)
