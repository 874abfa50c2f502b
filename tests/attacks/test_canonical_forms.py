"""Equal is not identical: what stands for a class of equal values has one text and one hash, for every type of pg_type
that can be a group key or a unit; all other types are refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from psycopg import sql

from proxy.errors import DpproxyError, UnsupportedError
from proxy.policy.catalog import Catalog
from proxy.policy.lint import check_against_catalog
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.sql.schema import Schema
from proxy.sql.source_queries.hashes import keyed_hash
from tests.conftest import PostgresCluster
from tests.planned import plan_of

OWN_TYPES = """
CREATE TYPE public.mood AS ENUM ('good', 'bad');
CREATE TYPE public.pair AS (number numeric, word bpchar);
CREATE DOMAIN public.whole_money AS numeric CHECK (VALUE >= 0);
CREATE DOMAIN public.padded AS bpchar;
CREATE DOMAIN public.code AS character(3);
CREATE DOMAIN public.lists AS numeric[];
CREATE DOMAIN public.spans AS interval;
CREATE TYPE public.price_range AS RANGE (subtype = numeric);
"""
LOOSE = "CREATE COLLATION public.any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)"
# What a column can be of: base types, domains, enums, a row, ranges, and arrays of all of these.
COLUMN_TYPES = """
SELECT format_type(t.oid, NULL) FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
WHERE n.nspname IN ('pg_catalog', 'public') AND (coalesce(e.typtype, t.typtype) IN ('b', 'd', 'e', 'r', 'm')
   OR t.oid IN ('public.pair'::regtype, 'public.pair[]'::regtype))
ORDER BY t.oid
"""

Examples = Sequence[str]

_NUMBERS = ["0", "-0", "0.00", "7", "7.0", "7.00", "-1.50", "-1.5", "1e3", "1000.000"]
_TEXTS = ["", " ", "a", "a ", "a  ", "A", "b", "bö", "a\t", "\u00e9", "e\u0301"]
_MOMENTS = ["2024-01-31", "2024-01-31 00:00", "2024-01-30 24:00", "infinity", "0044-03-15 BC", "2024-03-31 02:30"]
EXAMPLES: dict[str, Examples] = {
    "boolean": ["true", "t", "false", "0"],
    "smallint": ["0", "-0", "7", "007"],
    "integer": ["0", "-0", "7", "007"],
    "bigint": ["0", "-0", "7", "007"],
    "numeric": [*_NUMBERS, "NaN", "1e-20", "0.00000000000000000001"],
    "real": [*_NUMBERS, "NaN", "-NaN", "1e-45", "0.1", "0.10000000149"],
    "double precision": [*_NUMBERS, "NaN", "-NaN", "5e-324", "0.1", "0.1000000000000000055"],
    "text": _TEXTS,
    "character varying": _TEXTS,
    "character": _TEXTS,
    "bpchar": _TEXTS,
    "name": _TEXTS,
    "date": ["2024-01-31", "Jan 31 2024", "infinity", "0044-03-15 BC"],
    "timestamp without time zone": _MOMENTS,
    "timestamp with time zone": [*_MOMENTS, "2024-01-31 00:00+00", "2024-01-31 02:00+02", "2024-10-27 01:30+00"],
    "time without time zone": ["00:00", "24:00", "00:00:00.000", "12:00 PM", "12:00"],
    "uuid": ["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "{A0EEBC999C0B4EF8BB6D6BB9BD380A11}"],
    "mood": ["good", "bad"],
    "mood[]": ["{good}", "[0:0]={good}", "{}"],
    "pair": ["(1.0,a)", '(1.00,"a ")', "(,)"],
    "pair[]": ['{"(1.0,a)"}', '{"(1.00,a)"}'],
    "whole_money": ["7", "7.0", "7.00"],
    "whole_money[]": ["{7}", "{7.0}"],
    "padded": _TEXTS,
    "padded[]": ["{a}", '{"a "}'],
    "code": ["a", "a ", "a  ", "b"],
    "code[]": ["{a}", '{"a "}'],
    "lists[]": ["{}"],
    "spans[]": ["{1 mon}", "{30 days}"],
    "price_range": ["[1,2)", "[1.0,2.00)", "empty"],
    "price_range[]": ['{"[1,2)"}', '{"[1.0,2)"}'],
    "price_multirange": ["{[1,2)}", "{[1.0,2.0)}"],
    "price_multirange[]": ['{"{[1,2)}"}', '{"{[1.0,2)}"}'],
    "citext": ["a", "A", "a "],
    "citext[]": ["{a}", "{A}"],
    "loose": _TEXTS,
}
"""Texts of values, by type; among them values that are equal and do not look alike."""

TWO_LOOKS = {
    "interval": ["1 mon", "30 days", "720:00:00"],
    "jsonb": ['{"a": 1.0}', '{"a": 1}'],
    "numeric[]": ["{1.0}", "{1.00}"],
    "double precision[]": ["{0}", "{-0}"],
    "bpchar[]": ["{a}", '{"a "}'],
    "interval[]": ["{1 mon}", "{30 days}"],
    "numrange": ["[1,2)", "[1.0,2.0)"],
    "nummultirange": ["{[1,2)}", "{[1.0,2)}"],
}
"""Types that Postgres groups by, though a group has several looks; they are no keys here."""


@dataclass(frozen=True)
class Stored:
    """A column of the table of all types.

    Attributes:
        name: the column's.
        type_name: its type, or "loose" for a text of which different spellings are equal.
    """

    name: str
    type_name: str


@dataclass
class AllTypes:
    """A table with a column of every type that can be one, and what the source's catalog says of it."""

    connection: psycopg.Connection
    catalog: Catalog
    columns: list[Stored]

    def schema(self) -> Schema:
        return Schema(policy({"public.everything": ["unit", *(column.name for column in self.columns)]}), self.catalog)

    def fill(self, column: Stored, texts: Examples) -> None:
        """One row for each text, in a transaction that the caller rolls back."""
        target = "text" if column.type_name == "loose" else self.declared(column)
        insert = sql.SQL("INSERT INTO public.everything (unit, {}) SELECT 1, t::{} FROM unnest(%s::text[]) AS t")
        self.connection.execute(insert.format(sql.Identifier(column.name), sql.SQL(target)), [list(texts)])

    def declared(self, column: Stored) -> str:
        """The type as a cast names it."""
        return _qualified(column.type_name)

    def pairs(self, value: str, form: str) -> tuple[int, int, int]:
        """Of all pairs of rows with equal values: how many look different, how many forms do, how many hashes differ.

        Args:
            value: SQL of the value as it is stored, over t0.
            form: SQL of what stands for it, whose own equality makes the classes.
        """
        hashed = keyed_hash(["f"], 7), keyed_hash([], 7, unit="f")
        row = self.connection.execute(
            f"""WITH forms AS (SELECT v, f, {hashed[0]} AS h, {hashed[1]} AS u
                    FROM (SELECT {value} AS v, {form} AS f FROM public.everything AS t0) AS t)
                SELECT count(*) FILTER (WHERE format('%s', a.v) COLLATE "C" <> format('%s', b.v)), count(*) FILTER (WHERE
                    format('%s', a.f) COLLATE "C" <> format('%s', b.f)), count(*) FILTER (WHERE a.h <> b.h OR a.u <> b.u)
                FROM forms AS a JOIN forms AS b ON a.f = b.f""".encode()
        ).fetchone()
        assert row is not None
        return row[0], row[1], row[2]

    def one_class(self, value: str, form: str) -> int:
        """The number of pairs of rows whose values are equal, and that are in two classes all the same."""
        row = self.connection.execute(
            f"WITH forms AS (SELECT {value} AS v, {form} AS f FROM public.everything AS t0) "
            "SELECT count(*) FROM forms AS a JOIN forms AS b ON a.v = b.v AND a.f <> b.f".encode()
        ).fetchone()
        assert row is not None
        return int(row[0])


def _qualified(type_name: str) -> str:
    base = type_name.removesuffix("[]")
    own = (base in EXAMPLES and base not in BUILT_IN) or base in ("lists", "spans")
    return f"public.{type_name}" if own else _declaration(type_name)


BUILT_IN = frozenset(list(EXAMPLES)[: list(EXAMPLES).index("mood")])


def policy(tables: dict[str, list[str]], unit: str = "unit") -> Policy:
    private: dict[str, Any] = {
        "unit": {"name": "person", "column": unit},
        "budget": {"epsilon": "100", "delta": "1e-3"},
        "contribution": {"max_rows": 3, "max_groups": 2},
    }
    listed = {name: private | {"columns": {column: {} for column in columns}} for name, columns in tables.items()}
    return Policy.model_validate({"version": 1, "units": {"person": {}}, "tables": listed})


@pytest.fixture(scope="module")
def types(postgres_cluster: PostgresCluster) -> Iterator[AllTypes]:
    dsn = postgres_cluster.create_database("all_types")
    with psycopg.connect(dsn, autocommit=True) as owner:
        owner.execute(OWN_TYPES)
        for optional in (LOOSE, "CREATE EXTENSION citext SCHEMA public"):
            try:
                owner.execute(optional.encode())
            except psycopg.errors.FeatureNotSupported:
                continue  # A server without ICU or citext cannot have such columns.
        names = [str(name) for (name,) in owner.execute(COLUMN_TYPES).fetchall()]
        columns = [Stored(f"c{index}", name) for index, name in enumerate(names)]
        written = [f"{column.name} {_declaration(column.type_name)}" for column in columns]
        if owner.execute("SELECT FROM pg_collation WHERE collname = 'any_case'").fetchall():
            columns.append(Stored("loose", "loose"))
            written.append("loose text COLLATE public.any_case")
        owner.execute(f"CREATE TABLE public.everything (unit integer, {', '.join(written)})".encode())
    with psycopg.connect(dsn) as connection:
        connection.execute("SET search_path = pg_catalog, pg_temp")
        connection.commit()
        yield AllTypes(connection, read_catalog(dsn, ["public.everything"]), columns)


def _declaration(name: str) -> str:
    # A character without a length is a character(1).
    return f"bpchar{name.removeprefix('character')}" if name in ("character", "character[]") else name


def key_of(column: Stored, types: AllTypes) -> str | None:
    """SQL of the group key that the column is, None if it is refused as one."""
    try:
        plan = plan_of(f"SELECT {column.name}, count(*) FROM everything GROUP BY 1", types.schema())
    except DpproxyError as error:
        # What is read by a function of the database's owner is no column at all.
        if error.rule not in ("key-type", "unknown-column"):
            raise
        return None
    return plan.keys[0].term.sql


def test_equal_keys_have_one_text_and_one_hash_whatever_their_type(types: AllTypes) -> None:
    keys = {column: key_of(column, types) for column in types.columns}
    admitted = {column: key for column, key in keys.items() if key is not None}
    assert len(keys) > 150
    assert {"numeric", "double precision", "character", "text", "uuid", "whole_money"} <= {
        c.type_name for c in admitted
    }
    assert not {column.type_name for column in admitted} & TWO_LOOKS.keys()
    several_looks = set()
    for column, key in admitted.items():
        assert column.type_name in EXAMPLES, f"{column.type_name} is a key now: write examples of it"
        try:
            types.fill(column, EXAMPLES[column.type_name])
            looks, *different = types.pairs(f"t0.{column.name}", key)
        finally:
            types.connection.rollback()
        assert different == [0, 0], column
        several_looks |= {column.type_name} if looks else set()
    # The examples do hold what the test is about.
    assert several_looks == {"numeric", "real", "double precision", "character", "whole_money", "padded"}


@pytest.mark.parametrize("type_name", sorted(TWO_LOOKS))
def test_types_whose_groups_have_several_looks_are_no_keys(type_name: str, types: AllTypes) -> None:
    found = [column for column in types.columns if _declaration(column.type_name) == type_name]
    assert len(found) == 1
    assert key_of(found[0], types) is None
    for text in (
        f"SELECT count(*) FROM (SELECT DISTINCT unit, {found[0].name} FROM everything) AS x",
        f"SELECT count(*) FROM (SELECT unit, {found[0].name} FROM everything GROUP BY 1, 2) AS x",
        f"SELECT count(*) FROM (SELECT unit, {found[0].name} FROM everything UNION SELECT 1, NULL FROM everything) AS x",
        f"SELECT count(DISTINCT {found[0].name}) FROM everything",
        f"SELECT count(*) FROM (SELECT unit, min({found[0].name}) FROM everything GROUP BY 1) AS x",
    ):
        with pytest.raises(UnsupportedError):
            plan_of(text, types.schema())
    try:
        types.fill(found[0], TWO_LOOKS[type_name])
        assert types.pairs(f"t0.{found[0].name}", f"t0.{found[0].name}")[0] > 0
    finally:
        types.connection.rollback()


@pytest.mark.parametrize("type_name", ["numeric", "real", "double precision", "character", "uuid", "text"])
def test_equal_values_are_one_group(type_name: str, types: AllTypes) -> None:
    (column,) = [column for column in types.columns if column.type_name == type_name]
    key = key_of(column, types)
    assert key is not None
    try:
        types.fill(column, EXAMPLES[type_name])
        assert types.one_class(f"t0.{column.name}", key) == 0
    finally:
        types.connection.rollback()


_ZEROS = st.integers(0, 40).map("0".__mul__)
NUMBERS = st.tuples(st.sampled_from(["", "-"]), _ZEROS, st.integers(0, 10**6), _ZEROS, st.integers(-30, 30)).map(
    lambda parts: f"{parts[0]}{parts[1]}{parts[2]}.{parts[3]}e{parts[4]}"
)
TEXTS = st.text(alphabet=" \t\nab\u00a0é", max_size=4)


@settings(max_examples=30, deadline=None, database=None)
@given(numbers=st.lists(NUMBERS, min_size=2, max_size=12), texts=st.lists(TEXTS, min_size=2, max_size=12))
def test_generated_equal_keys_have_one_text_and_one_hash(types: AllTypes, numbers: list[str], texts: list[str]) -> None:
    # Each also times one, with other zeros.
    numbers = [*numbers, *(number.replace("e", "0e") for number in numbers)]
    texts = [*texts, *(f"{text} " for text in texts)]
    for type_name, examples in (("numeric", numbers), ("double precision", numbers), ("character", texts)):
        (column,) = [column for column in types.columns if column.type_name == type_name]
        key = key_of(column, types)
        assert key is not None
        try:
            types.fill(column, examples)
            _, *different = types.pairs(f"t0.{column.name}", key)
            assert different == [0, 0]
            assert types.one_class(f"t0.{column.name}", key) == 0
        finally:
            types.connection.rollback()


def test_equal_units_have_one_text_and_one_hash_whatever_their_type(types: AllTypes) -> None:
    accepted = set()
    for column in types.columns:
        listed = policy({"public.everything": ["unit", column.name]}, unit=column.name)
        if any(finding.severity == "error" for finding in check_against_catalog(listed, types.catalog)):
            continue
        accepted.add(column.type_name)
        unit = plan_of("SELECT count(*) FROM everything", Schema(listed, types.catalog)).relation.unit_sql
        try:
            types.fill(column, EXAMPLES[column.type_name])
            _, texts, hashes = types.pairs(f"t0.{column.name}", unit)
            if column.type_name not in ("citext", "pair", "price_range", "price_multirange") and not (
                column.type_name.endswith("[]")
            ):
                assert types.one_class(f"t0.{column.name}", unit) == 0, column
        finally:
            types.connection.rollback()
        # Spellings that a collation takes for equal stay several texts, of one hash.
        assert (texts == 0 or column.type_name == "loose", hashes) == (True, 0), column
    assert {"integer", "bigint", "numeric", "text", "character", "uuid", "name", "mood"} <= accepted
    assert not accepted & {"double precision", "interval", "jsonb", "date", "numeric[]"}
