"""Rows without a unit that are units of their own: none is taken for another, nor for a unit that is spelled like one,
and each moves the sums by no more than the sensitivity (theorems 1, 21 and 22; attacks 38 and 52)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.settings import QuerySettings
from proxy.sql.schema import Schema
from proxy.sql.source_queries.exact_sums import ExactResults
from proxy.sql.source_queries.unit_rows import unit_rows
from proxy.sql.suggesting.exceedances import caps_sql
from proxy.sql.suggesting.questions import plan_questions
from proxy.sql.suggesting.requests import Request, table_relation
from tests.attacks.test_sensitivity import SEED, Database, assert_within_sensitivity, settle
from tests.conftest import PostgresCluster
from tests.planned import plan_of

SCHEMA = """
CREATE TABLE events (id integer PRIMARY KEY, unit text, region text, word text, amount integer);
CREATE TABLE others (id integer PRIMARY KEY, unit text, amount integer);
CREATE TABLE kids (event_id integer NOT NULL REFERENCES events, amount integer);
CREATE TABLE pairs (a text NOT NULL, b text NOT NULL, unit text, amount integer, UNIQUE (a, b));
CREATE TABLE days (day date, at timestamp, unit uuid, amount integer, PRIMARY KEY (day, at));
CREATE TABLE moments (at timestamptz PRIMARY KEY, unit numeric, amount integer);
"""
TABLES = ["public.events", "public.others", "public.kids", "public.pairs", "public.moments", "public.days"]
Rows = Mapping[str, Sequence[tuple[object, ...]]]


def policy(max_rows: int | None = 1, max_rows_per_group: int = 1) -> Policy:
    private: dict[str, Any] = {
        "unit": {"name": "person", "column": "unit", "when_null": "each_row"},
        "budget": {"epsilon": "100", "delta": "1e-3"},
        "contribution": {"max_groups": 2}
        | ({"max_rows": max_rows, "max_rows_per_group": max_rows_per_group} if max_rows is not None else {}),
    }
    amount = {"bounds": ["-3", "9"]}
    columns: dict[str, Any] = {
        "events": {"id": {}, "unit": {}, "region": {"values": ["north", "south"]}, "word": {}, "amount": amount},
        "others": {"unit": {}, "amount": amount},
        "kids": {"event_id": {}, "amount": amount},
        "pairs": {"a": {"values": ["x"], "others": "something else"}, "unit": {}, "amount": amount},
        "moments": {"unit": {}, "amount": amount},
        "days": {"unit": {}, "amount": amount},
    }
    tables = {f"public.{name}": private | {"columns": listed} for name, listed in columns.items()}
    tables["public.kids"] |= {"unit": {"name": "person", "via": "event_id -> public.events.id"}}
    for name in ("moments", "days"):
        tables[f"public.{name}"] |= {"unit": {"name": name, "column": "unit", "when_null": "each_row"}}
    units: dict[str, Any] = {"person": {}, "moments": {}, "days": {}}
    return Policy.model_validate({"version": 1, "units": units, "tables": tables})


@pytest.fixture(scope="module")
def database(postgres_cluster: PostgresCluster) -> Iterator[Database]:
    dsn = postgres_cluster.create_database("lone_rows")
    with psycopg.connect(dsn) as connection, psycopg.connect(dsn, autocommit=True) as checker:
        checker.execute(SCHEMA)
        connection.execute("SET search_path = pg_catalog, pg_temp")
        connection.commit()
        yield Database(connection, checker, read_catalog(dsn, TABLES))


def fill(database: Database, rows: Rows) -> None:
    for table, values in rows.items():
        for row in values:
            places = ", ".join(["%s"] * len(row))
            database.connection.execute(f"INSERT INTO public.{table} VALUES ({places})".encode(), row)


def measured(database: Database, text: str, rows: Rows) -> ExactResults:
    """The exact sums over these rows, with one row of a unit in an answer."""
    plan = plan_of(text, Schema(policy(), database.catalog))
    try:
        fill(database, rows)
        return database.measure(plan)
    finally:
        database.connection.rollback()


BOTH = "SELECT sum(amount) FROM (SELECT unit, amount FROM events UNION ALL SELECT unit, amount FROM others) AS u"


@pytest.mark.parametrize(
    "value",
    [
        "r13:public.events1:1",
        "ur13:public.events1:1",
        "13:public.events1:1",
        "public.events1:1",
        "1:1",
        "1",
        "r",
        "u",
        "",
    ],
)
def test_a_unit_that_is_spelled_like_a_row_is_not_taken_for_it(database: Database, value: str) -> None:
    text = "SELECT count(*), sum(amount), count(DISTINCT unit) FROM events"
    row = (1, None, "north", "a", 9)
    found = [measured(database, text, {"events": [row, (2, unit, "north", "a", 9)]}) for unit in (value, "a stranger")]
    assert found[0] == found[1]


def test_rows_of_two_tables_with_one_key_are_two_units(database: Database) -> None:
    alone = [
        measured(database, BOTH, {"events": [(1, None, None, None, 9)], "others": [(key, None, 9)]}) for key in (1, 2)
    ]
    assert alone[0] == alone[1]


def test_a_unit_is_one_in_two_tables(database: Database) -> None:
    """One row of each unit counts: two rows of one unit are scaled, in one table as in two."""
    two = measured(database, BOTH, {"events": [(1, "a", None, None, 9)], "others": [(1, "a", 9)]})
    one = measured(database, BOTH, {"events": [(1, "a", None, None, 9), (2, "a", None, None, 9)]})
    strangers = measured(database, BOTH, {"events": [(1, "a", None, None, 9)], "others": [(1, "b", 9)]})
    assert two == one != strangers


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("ab", "c"), ("a", "bc")),
        (("", "a"), ("a", "")),
        (("a1:b", "c"), ("a", "b1:c")),
        (("1:", "1"), ("1", ":1")),
        (("x" * 5000 + "1", ""), ("x" * 5000 + "2", "")),
    ],
)
def test_keys_of_several_columns_are_not_run_together(
    database: Database, one: Sequence[str], other: Sequence[str]
) -> None:
    text = "SELECT count(*), sum(amount) FROM pairs"
    found = [measured(database, text, {"pairs": [(*one, None, 9), (*last, None, 9)]}) for last in (other, ("x", "y"))]
    assert found[0] == found[1]


def test_rows_are_told_apart_by_their_moment_however_the_session_shows_it(database: Database) -> None:
    """In Moscow 01:30 came twice on this day, and both were called MSK."""
    text = "SELECT count(*), sum(amount) FROM moments"
    moments = ["2014-10-25 21:30:00+00", "2014-10-25 22:30:00+00", "2014-10-25 22:30:00.000001+00", "infinity"]
    try:
        database.connection.execute("SET DateStyle = 'German'")
        database.connection.execute("SET TimeZone = 'Europe/Moscow'")
        database.connection.commit()
        shown = database.connection.execute("SELECT %s::timestamptz::text, %s::timestamptz::text", moments[:2])
        assert len({*(shown.fetchone() or ())}) == 1
        one, *two = (
            measured(database, text, {"moments": [(moment, None, 9) for moment in {moments[0], other}]})
            for other in moments
        )
    finally:
        database.connection.rollback()
        database.connection.execute("RESET DateStyle")
        database.connection.execute("RESET TimeZone")
        database.connection.commit()
    assert two[0] == two[1] == two[2] != one


@pytest.mark.parametrize("style", ["ISO, MDY", "SQL, DMY", "German", "Postgres, MDY"])
@pytest.mark.parametrize(
    "other", ["2024-02-01", "0001-02-01 BC", "infinity", "-infinity", "4713-01-01 BC", "294276-12-31"]
)
def test_no_date_fails_or_is_another(database: Database, style: str, other: str) -> None:
    text = "SELECT count(*), sum(amount) FROM days"
    first = "2024-01-02"
    database.connection.execute(f"SET DateStyle = '{style}'".encode())
    database.connection.commit()
    try:
        days, moments, both = (
            measured(database, text, {"days": [(first, first, None, 9), (*key, None, 9)]})
            for key in ((other, first), (first, other), (other, other))
        )
    finally:
        database.connection.execute("RESET DateStyle")
        database.connection.commit()
    assert days == moments == both != measured(database, text, {"days": [(first, first, None, 9)]})


@pytest.mark.parametrize("table", ["events", "moments"])
def test_a_unit_that_is_too_long_to_be_read_is_not_as_many_units_as_it_has_rows(database: Database, table: str) -> None:
    long: Rows = {
        "events": [(number, "x" * 5000, "north", "a", 9) for number in range(20)],
        "moments": [(f"2024-01-{number + 1:02}", "1." + "5" * 300, 9) for number in range(20)],
    }
    text = f"SELECT count(*), sum(amount) FROM {table}"
    assert measured(database, text, {table: long[table]}) == measured(database, text, {})


STATEMENTS = [
    "SELECT count(*), sum(amount), avg(amount), count(DISTINCT unit) FROM events",
    "SELECT region, count(*), sum(amount), count(DISTINCT unit) FROM events GROUP BY region",
    "SELECT word, count(*), sum(amount) FROM events GROUP BY word",
    "SELECT region, word, count(*), count(DISTINCT unit) FILTER (WHERE amount > 2) FROM events GROUP BY 1, 2",
    "SELECT region, count(*), sum(amount) FROM events GROUP BY ROLLUP (region)",
    "SELECT count(*), sum(amount) FROM kids",
    "SELECT e.region, count(*), sum(k.amount), sum(e.amount) FROM kids k JOIN events e ON e.id = k.event_id GROUP BY 1",
    "SELECT word, count(*), sum(k.amount) FROM events e LEFT JOIN kids k ON k.event_id = e.id GROUP BY 1",
    "SELECT count(*), sum(n) FROM (SELECT event_id, sum(amount) AS n FROM kids GROUP BY event_id) AS each",
    "SELECT count(*), sum(e.amount), sum(o.amount) FROM events e FULL JOIN others o ON o.unit = e.unit",
    "SELECT count(*), sum(e.amount), count(o.amount) FROM events e LEFT JOIN others o ON o.unit = e.unit",
    "SELECT count(*), sum(e.amount), sum(o.amount) FROM events e LEFT JOIN events o ON o.unit = e.unit AND o.id <> e.id",
    "SELECT region, count(*), sum(n) FROM (SELECT unit, region, amount AS n FROM events UNION ALL "
    "SELECT unit, 'north', amount FROM others) AS u GROUP BY 1",
    "SELECT count(*), sum(n), count(DISTINCT unit) FROM (SELECT unit, amount AS n FROM events UNION ALL "
    "SELECT unit, amount FROM pairs) AS u",
    "SELECT count(*), sum(amount) FROM events e WHERE amount > (SELECT avg(f.amount) FROM events f WHERE f.unit = e.unit)",
    "SELECT count(*), sum(amount) FROM events e WHERE EXISTS (SELECT FROM kids k WHERE k.event_id = e.id AND k.amount > 0)",
    "SELECT count(*), sum(n) FROM (SELECT unit, count(*) AS n FROM events WHERE unit IS NOT NULL GROUP BY unit) AS each",
]
AMOUNTS = st.sampled_from([None, -50, -3, 0, 1, 4, 9, 50])
UNITS = st.sampled_from([None, None, "a", "b", "r13:public.events1:1", "r13:public.others1:2", ""])
DETAILS = st.tuples(UNITS, st.sampled_from(["north", "south", None]), st.sampled_from(["x", "y", "z", None]), AMOUNTS)


@st.composite
def databases(draw: st.DrawFn) -> Rows:
    events = [(number, *row) for number, row in enumerate(draw(st.lists(DETAILS, min_size=1, max_size=8)))]
    others = [(number, *row) for number, row in enumerate(draw(st.lists(st.tuples(UNITS, AMOUNTS), max_size=6)))]
    kids = draw(st.lists(st.tuples(st.integers(0, len(events) - 1), AMOUNTS), max_size=12))
    pairs = {key: (*key, *row) for *key_row, row in draw(st.lists(PAIRS, max_size=5)) for key in [tuple(key_row)]}
    return {"events": events, "others": others, "kids": list(kids), "pairs": list(pairs.values())}


PAIRS = st.tuples(st.sampled_from(["1", "1:1", ""]), st.sampled_from(["1", "2:2", ""]), st.tuples(UNITS, AMOUNTS))


def without(rows: Rows, table: str, gone: tuple[object, ...]) -> Rows:
    """The neighbour: without a row that is a unit of its own, or without all rows of its unit, and what refers to them."""
    places = {"events": 1, "others": 1, "pairs": 2}
    unit = gone[places[table]]
    kept = {
        name: [row for row in rows[name] if (name, row) != (table, gone) and (unit is None or row[at] != unit)]
        for name, at in places.items()
    }
    events = {row[0] for row in kept["events"]}
    return kept | {"kids": [kid for kid in rows["kids"] if kid[0] in events]}


@settle
@given(
    text=st.sampled_from(STATEMENTS),
    policy=st.sampled_from([policy(None), policy(1), policy(3, 2)]),
    query_settings=st.sampled_from([QuerySettings(mechanism="gaussian"), QuerySettings(mechanism="laplace")]),
    rows=databases(),
    data=st.data(),
)
def test_a_row_without_a_unit_moves_the_sums_by_at_most_the_sensitivity(
    database: Database, text: str, policy: Policy, query_settings: QuerySettings, rows: Rows, data: st.DataObject
) -> None:
    plan = plan_of(text, Schema(policy, database.catalog), query_settings)
    candidates = [(table, row) for table in ("events", "others", "pairs") for row in rows[table]]
    table, gone = data.draw(st.sampled_from(candidates))
    results = []
    for found in (rows, without(rows, table, gone)):
        try:
            fill(database, found)
            results.append(database.measure(plan))
        finally:
            database.connection.rollback()
    assert_within_sensitivity(plan, *results)


@pytest.mark.parametrize("text", STATEMENTS)
def test_every_statement_of_the_generator_is_planned(database: Database, text: str) -> None:
    for bounds in (policy(None), policy(3, 2)):
        assert plan_of(text, Schema(bounds, database.catalog)).statistics


ROWS: Rows = {
    "events": [(number, unit, "north", "a", 5) for number, unit in enumerate([None, None, None, "a", "a", "b"])],
    "kids": [(number, 2) for number in (0, 0, 1, 3, 4)],
}
"""Three rows that are units of their own, and two units; three of these five have kids."""


def test_a_local_release_takes_some_rows_of_each_such_unit(database: Database) -> None:
    schema = Schema(policy(), database.catalog)
    found = {}
    try:
        fill(database, ROWS)
        for name in ("events", "kids"):
            query = unit_rows(schema, schema.table(f"public.{name}"), ["amount"]).sql(1, SEED)
            found[name] = len(database.connection.execute(query.encode()).fetchall())
    finally:
        database.connection.rollback()
    assert found == {"events": 5, "kids": 3}


def test_suggested_bounds_count_each_such_unit_once(database: Database) -> None:
    schema = Schema(policy(), database.catalog)
    found = {}
    try:
        fill(database, ROWS)
        for name in ("events", "kids"):
            request = Request(table_relation(schema, f"public.{name}"), ("amount",), True)
            query = caps_sql(plan_questions(request, schema.policy, Fraction(1)))
            counts: Counter[str] = Counter()
            for question, *_, units in database.connection.execute(query.encode()).fetchall():
                counts[question] += units
            found[name] = {*counts.values()}
    finally:
        database.connection.rollback()
    assert found == {"events": {5}, "kids": {3}}
