"""COUNT, SUM, AVG and STDDEV(DISTINCT x): without one unit, their numbers move by no more than the sensitivity (theorem 4; attack 3).

A unit does most where nobody else has its values, so here units have many values of their own; and it does most by
way of others where what they keep changes with it, so values are shared as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from psycopg import sql

from proxy.dp.clipping import threshold
from proxy.dp.mechanisms import LaplaceMechanism
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.settings import QuerySettings
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import Distinct
from proxy.sql.rows.footprint import Footprint
from proxy.sql.schema import Schema
from proxy.sql.source_queries.exact_sums import ExactResults
from tests.attacks.test_sensitivity import (
    EXAMPLES,
    SETTINGS,
    Database,
    assert_within,
    assert_within_sensitivity,
    at_every_threshold,
    moved,
    planned,
    settle,
)
from tests.conftest import PostgresCluster
from tests.planned import plan_of

SCHEMA = """
CREATE TABLE regions (name text PRIMARY KEY, zone text);
INSERT INTO regions VALUES ('north', 'cold'), ('south', 'warm'), ('east', 'cold');
CREATE TABLE events (unit integer, number numeric, word text, region text, flag boolean);
CREATE TABLE people (unit integer PRIMARY KEY, number numeric, word text, region text, flag boolean);
"""
COLUMNS = ("unit", "number", "word", "region", "flag")
Row = tuple[int, str | None, str | None, str | None, bool | None]


def policy(
    max_rows: int | None, max_rows_per_group: int, max_groups: int, listed: dict[str, list[str] | str] | None = None
) -> Policy:
    """A policy with the given contribution bounds; without max_rows the data choose. Of some columns values are listed,
    or a public table's, which need not be all that there are."""
    bounds = {} if max_rows is None else {"max_rows": max_rows, "max_rows_per_group": max_rows_per_group}
    columns: dict[str, Any] = {name: {} for name in COLUMNS} | {
        "number": {"bounds": ["0", "20"]},
        "region": {"values_from": "public.regions.name"},
    }
    for name, values in (listed or {}).items():
        columns[name] |= {"values_from" if isinstance(values, str) else "values": values}
    private = {
        "unit": {"name": "person", "column": "unit"},
        "budget": {"epsilon": "100", "delta": "1e-3"},
        "contribution": {"max_groups": max_groups, **bounds},
        "columns": columns,
    }
    tables: dict[str, Any] = {"public.events": private, "public.people": private, "public.regions": {"public": True}}
    return Policy.model_validate({"version": 1, "units": {"person": {}}, "tables": tables})


@pytest.fixture(scope="module", autouse=True, params=[False, True], ids=["split", "in one reading"])
def form(request: pytest.FixtureRequest) -> Iterator[None]:
    """The form for an ordinary source, and that for a cluster, which an ordinary one computes as well."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Footprint, "spread", property(lambda _: request.param))
        yield


@pytest.fixture(scope="module")
def database(postgres_cluster: PostgresCluster) -> Iterator[Database]:
    dsn = postgres_cluster.create_database("distinct_values")
    with psycopg.connect(dsn) as connection, psycopg.connect(dsn, autocommit=True) as checker:
        checker.execute(SCHEMA)
        # As the source is asked: every statement with the search path pinned.
        connection.execute("SET search_path = pg_catalog, pg_temp")
        connection.commit()
        yield Database(
            connection,
            checker,
            read_catalog(dsn, [f"public.{t}" for t in ("events", "people", "regions")], ["public.regions"]),
        )


def neighbours(
    database: Database, table: str, rows: list[Row], *plans: BlockPlan
) -> list[tuple[ExactResults, ExactResults]]:
    """Each plan's source query with all rows, and without those of unit 1."""
    target = sql.Identifier("public", table)
    try:
        insert = sql.SQL("INSERT INTO {} VALUES (%s, %s, %s, %s, %s)").format(target)
        database.connection.cursor().executemany(insert, rows)
        whole = [database.measure(plan) for plan in plans]
        database.connection.execute(sql.SQL("DELETE FROM {} WHERE unit = 1").format(target))
        smaller = [database.measure(plan) for plan in plans]
    finally:
        database.connection.rollback()
    return list(zip(whole, smaller, strict=True))


_VALUES = st.sampled_from(
    ["number", "word", "number * 2", "upper(word)", "region", "number + unit", "unit / 2", "flag"]
)
_SUMMED = st.tuples(
    st.sampled_from(["sum", "avg", "var_pop", "stddev"]),
    st.sampled_from(["number", "number * 2 - 7", "number / 3", "least(greatest(unit, 0), 2)", "(number::float8) / 2"]),
)
_DISTINCT = st.tuples(
    st.tuples(st.just("count"), _VALUES) | _SUMMED,
    st.sampled_from(["", "", " FILTER (WHERE flag)", " FILTER (WHERE number < 9)"]),
).map(lambda parts: f"{parts[0][0]}(DISTINCT {parts[0][1]}){parts[1]}")
_OTHERS = st.sampled_from(["count(*)", "sum(number)", "avg(number)", "count(word)", "count(DISTINCT unit)"])
_KEYS = st.lists(st.sampled_from(["region", "flag", "word", "round(number / 5)", "number > 3"]), max_size=2)


@st.composite
def blocks(draw: st.DrawFn) -> tuple[str, str]:
    """A table and a query with at least one aggregate of distinct values over it."""
    table = draw(st.sampled_from(["events", "events", "events", "people"]))
    keys = draw(_KEYS)
    aggregates = draw(st.permutations([draw(_DISTINCT), *draw(st.lists(_DISTINCT | _OTHERS, max_size=2))]))
    # The public table's column of that name would make `region` ambiguous, so it is joined under another.
    join = draw(st.sampled_from(["", "", " CROSS JOIN (SELECT name, zone FROM public.regions) AS r"]))
    text = f"SELECT {', '.join([*keys, *aggregates])} FROM public.{table}{join}"
    return table, text + (f" GROUP BY {', '.join(str(i + 1) for i in range(len(keys)))}" if keys else "")


_ROWS = st.lists(
    st.tuples(
        st.integers(1, 3),
        # Twice as many spellings as values: 1 and 1.00 are one.
        st.sampled_from([*map(str, range(12)), *(f"{n}.00" for n in range(12)), "NaN", None]),
        st.sampled_from(["a", "A", "a ", "", "b", None]),
        st.sampled_from(["north", "south", "east", "elsewhere", None]),
        st.sampled_from([True, False, None]),
    ),
    min_size=5,
    max_size=40,
)
_LISTED = st.sampled_from([{}, {"word": ["a"]}, {"word": ["a", "b"]}, {"word": ["", "a", "b", "c"]}])
_POLICIES = st.builds(policy, st.none() | st.integers(1, 6), st.integers(1, 4), st.integers(1, 3), _LISTED)


@settings(settle, max_examples=2 * EXAMPLES)
@given(block=blocks(), policy=_POLICIES, query_settings=SETTINGS, rows=_ROWS)
def test_one_unit_moves_numbers_of_distinct_values_by_at_most_the_sensitivity(
    database: Database, block: tuple[str, str], policy: Policy, query_settings: QuerySettings, rows: list[Row]
) -> None:
    table, text = block
    plan = planned(database, text, Schema(policy, database.catalog), query_settings)
    assume(any(isinstance(statistic, Distinct) for statistic in plan.statistics))
    rows = rows if table == "events" else list({row[0]: row for row in rows}.values())
    ((whole, smaller),) = neighbours(database, table, rows, plan)
    assert_within_sensitivity(plan, whole, smaller)


MOST_ROWS, MOST_PER_GROUP = 8, 4
LAPLACE, GAUSSIAN = QuerySettings(mechanism="laplace"), QuerySettings(mechanism="gaussian")
OWN_VALUES: list[Row] = [
    *((1, str(number), f"in the {region}", region, True) for number in range(30) for region in ("north", "south")),
    *((unit, str(number), "in the north", "north", True) for unit in (2, 3) for number in range(100, 103)),
]
"""Unit 1 has many values that nobody else has, in as many groups as have room for all that it may keep."""
TEXTS = {
    "one group": "SELECT count(DISTINCT number) FROM public.events",
    "declared keys": "SELECT region, count(DISTINCT number) FROM public.events GROUP BY region",
    "selected keys": "SELECT word, count(DISTINCT number) FROM public.events GROUP BY word",
    "filter, beside others": "SELECT count(*), count(DISTINCT number) FILTER (WHERE number < 25) FROM public.events",
    # Clamped to 20, so that each of them moves the sum by as much as one can.
    "a sum": "SELECT sum(DISTINCT number) FILTER (WHERE number >= 20) FROM public.events",
    "a sum by a declared key": "SELECT region, sum(DISTINCT number) FROM public.events WHERE number >= 20 GROUP BY region",
    "a sum by a selected key": "SELECT word, sum(DISTINCT number) FROM public.events WHERE number >= 20 GROUP BY word",
}


def plan_on(
    database: Database,
    text: str,
    query_settings: QuerySettings,
    most_rows: int | None = MOST_ROWS,
    listed: dict[str, list[str] | str] | None = None,
) -> BlockPlan:
    """The plan of the only block of `text` under the bounds above, or bounds that the data choose."""
    schema = Schema(policy(most_rows, MOST_PER_GROUP, 3, listed), database.catalog)
    return plan_of(text, schema, query_settings)


def index_of_distinct(plan: BlockPlan) -> int:
    """Where among its statistics the block's only one of distinct values is."""
    (index,) = [index for index, statistic in enumerate(plan.statistics) if isinstance(statistic, Distinct)]
    return index


def distances(plan: BlockPlan, whole: ExactResults, smaller: ExactResults) -> list[int]:
    """By how much each group's number of distinct values differs."""
    return [cells[index_of_distinct(plan)] for cells, _ in moved(plan, whole, smaller).values()]


@pytest.mark.parametrize("query_settings", [LAPLACE, GAUSSIAN], ids=["laplace", "gaussian"])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
@pytest.mark.parametrize("excess", [1, 1_000_000], ids=["limits one too high", "no limit"])
def test_a_unit_with_many_values_is_cut_and_a_laxer_cut_would_show(
    database: Database, text: str, query_settings: QuerySettings, excess: int
) -> None:
    plan = plan_on(database, text, query_settings)
    bounds = plan.contribution
    lax = replace(
        plan,
        contribution=replace(
            bounds, max_rows=bounds.max_rows + excess, max_rows_per_group=bounds.max_rows_per_group + excess
        ),
    )
    strict, laxer = neighbours(database, "events", OWN_VALUES, plan, lax)
    mechanism = plan.mechanisms[index_of_distinct(plan)]
    assert_within(mechanism, distances(plan, *strict))
    with pytest.raises(AssertionError):
        assert_within(mechanism, distances(plan, *laxer))


@pytest.mark.parametrize("query_settings", [LAPLACE, GAUSSIAN], ids=["laplace", "gaussian"])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_at_each_threshold_a_unit_keeps_nearly_what_the_noise_allows_and_no_more(
    database: Database, text: str, query_settings: QuerySettings
) -> None:
    plan = plan_on(database, text, query_settings, None)
    ((whole, smaller),) = neighbours(database, "events", OWN_VALUES, plan)
    assert_within_sensitivity(plan, whole, smaller)
    index = index_of_distinct(plan)
    for known in at_every_threshold(plan):
        assert known.clipping is not None
        limit = threshold(known.clipping.chosen_for(index))
        if limit > 8:
            break
        change = distances(known, *(replace(found, sums=found.clipped(known)) for found in (whole, smaller)))
        cells = known.cells_per_step(index) * known.statistics[index].reach
        norm = sum(change) / cells if query_settings is LAPLACE else math.hypot(*change) / cells
        # The next pair would cost more: one step in L1, and in L2 at most the root of two places more.
        assert norm <= limit < (norm + 1 if query_settings is LAPLACE else math.sqrt(norm**2 + 2 * norm + 3))


MANY_WORDS: list[Row] = [
    (1, "5", f"word {number}", region, True) for number in range(30) for region in ("north", "south")
]
# Beside an interval a number has noise, however few values there are.
LISTED_TEXTS = {
    "one group": "SELECT count(DISTINCT word), dp.low(count(DISTINCT word)) FROM public.events",
    "few rows": "SELECT count(DISTINCT word), dp.low(count(DISTINCT word)) FROM public.events "
    "WHERE region = 'north' AND word < 'word 12'",
    "declared keys": "SELECT region, count(DISTINCT word) FROM public.events GROUP BY region",
}


@pytest.mark.parametrize("most_rows", [MOST_ROWS, None], ids=["stated bounds", "chosen bounds"])
@pytest.mark.parametrize("query_settings", [LAPLACE, GAUSSIAN], ids=["laplace", "gaussian"])
@pytest.mark.parametrize("text", LISTED_TEXTS.values(), ids=LISTED_TEXTS.keys())
@pytest.mark.parametrize(
    "listed", [["word 1", "word 2", "x"], "public.regions.name", ["word 1"]], ids=["values", "values_from", "one value"]
)
def test_of_listed_values_a_unit_counts_with_no_more_than_are_listed(
    database: Database, listed: list[str] | str, text: str, query_settings: QuerySettings, most_rows: int | None
) -> None:
    """Whatever else the source holds: the noise is made for so many."""
    plan = plan_on(database, text, query_settings, most_rows, {"word": listed})
    ((whole, smaller),) = neighbours(database, "events", MANY_WORDS, plan)
    assert_within_sensitivity(plan, whole, smaller)
    usual = plan_on(database, text, query_settings, most_rows)
    (mechanism, *_), (wider, *_) = plan.mechanisms, usual.mechanisms
    if plan.path == "single group" and most_rows is not None:
        assert 1.8 * mechanism.standard_deviation < wider.standard_deviation
    with_more = neighbours(database, "events", MANY_WORDS, replace(plan, statistics=usual.statistics))
    if plan.clipping is None and (plan.path == "single group" or query_settings is GAUSSIAN):
        with pytest.raises(AssertionError):
            assert_within_sensitivity(plan, *with_more[0])


@pytest.mark.parametrize("most_rows", [MOST_ROWS, None], ids=["stated bounds", "chosen bounds"])
def test_of_values_from_a_table_without_rows_noise_is_made_for_one(database: Database, most_rows: int | None) -> None:
    tables = database.catalog.tables
    empty = replace(
        database.catalog, tables={**tables, "public.regions": replace(tables["public.regions"], row_count=0)}
    )
    without = replace(database, catalog=empty)
    plan = plan_on(without, LISTED_TEXTS["one group"], GAUSSIAN, most_rows, {"word": "public.regions.name"})
    ((whole, smaller),) = neighbours(without, "events", MANY_WORDS, plan)
    assert_within_sensitivity(plan, whole, smaller)


def test_with_bounds_that_the_data_choose_all_values_count_at_the_last_threshold(database: Database) -> None:
    plan = plan_on(database, TEXTS["declared keys"], GAUSSIAN, None)
    ((whole, _),) = neighbours(database, "events", OWN_VALUES, plan)
    last = plan.clipped_at([norm.thresholds - 1 for norm in plan.norms])
    found = dict(zip([key for (key,) in whole.keys], whole.clipped(last), strict=True))
    step = last.cells_per_step(0)
    assert {key: cells // step for key, (cells,) in found.items()} == {"north": 33, "south": 30}


def test_a_unit_counts_for_as_many_values_as_the_noise_allows(database: Database) -> None:
    plan = plan_on(database, TEXTS["one group"], LAPLACE)
    ((whole, smaller),) = neighbours(database, "events", OWN_VALUES, plan)
    (mechanism,) = plan.mechanisms
    assert isinstance(mechanism, LaplaceMechanism)
    assert distances(plan, whole, smaller) == [mechanism.sensitivity]


def test_values_that_others_have_too_count_once(database: Database) -> None:
    rows: list[Row] = [(unit, "1.0" if unit % 2 else "1", "w", "north", True) for unit in range(1, 6)]
    plan = plan_on(database, TEXTS["one group"], QuerySettings())
    ((whole, smaller),) = neighbours(database, "events", rows, plan)
    assert whole.sums == smaller.sums == [(plan.cells_per_step(0),)]


def test_what_other_units_keep_does_not_change_with_one(database: Database) -> None:
    """Each unit has a value of its own in many groups, so a group's count tells how many units keep their pair there."""
    own_values: list[Row] = [
        (unit, str(unit), f"in group {group}", "north", True)
        for unit in range(1, 6)
        for group in (range(15) if unit == 1 else range(30))
    ]
    plan = plan_on(database, "SELECT word, count(DISTINCT number) FROM public.events GROUP BY word", LAPLACE)
    ((whole, smaller),) = neighbours(database, "events", own_values, plan)
    assert plan.cells_per_step(0) * 5 * MOST_ROWS == sum(total for (total,) in whole.sums)
    changes = distances(plan, whole, smaller)
    assert {change // plan.cells_per_step(0) for change in changes} == {0, 1}
    assert sum(changes) == plan.cells_per_step(0) * MOST_ROWS


_HASHED = (
    "('x' || md5(p.unit::text))::bit(64)::bigint::numeric * 18446744073709551616 "
    "+ ('x' || substr(md5(p.unit::text), 17))::bit(64)::bigint::numeric"
)
BY_UNIT = (
    f"SELECT {{}} sum(DISTINCT coalesce(p.number, 0) + {_HASHED}) - sum(DISTINCT {_HASHED}) "
    "FROM public.events e JOIN public.people p USING (unit) {}"
)
"""As Looker adds up a number of each unit once, however many rows a join makes of it."""


@pytest.mark.parametrize("query_settings", [LAPLACE, GAUSSIAN], ids=["laplace", "gaussian"])
@pytest.mark.parametrize(
    "text", [BY_UNIT.format("", ""), BY_UNIT.format("e.word,", "GROUP BY 1")], ids=["one group", "selected keys"]
)
@pytest.mark.parametrize("is_key", [True, False], ids=["a key", "a key no more"])
@pytest.mark.parametrize("events", [1, 18], ids=["one event", "many events"])
def test_a_number_of_each_unit_counts_once_in_a_few_groups(
    database: Database, text: str, query_settings: QuerySettings, is_key: bool, events: int
) -> None:
    plan = plan_on(database, text, query_settings)
    lax = replace(plan, contribution=replace(plan.contribution, max_rows=MOST_ROWS * MOST_PER_GROUP))
    people: list[Row] = [(unit, "20", "w", "north", True) for unit in (1, 2, 3)]
    try:
        if not is_key:
            database.connection.execute("ALTER TABLE public.people DROP CONSTRAINT people_pkey")
            people.append((1, "19", "w", "north", True))
        insert = "INSERT INTO public.people VALUES (%s, %s, %s, %s, %s)"
        database.connection.cursor().executemany(insert, people)
        insert = "INSERT INTO public.events VALUES (1, 5, 'word ' || %s %% 9, 'north', true)"
        database.connection.cursor().executemany(insert, [(number,) for number in range(events)])
        whole = [database.measure(measured) for measured in (plan, lax)]
        database.connection.execute("DELETE FROM public.events WHERE unit = 1")
        smaller = [database.measure(measured) for measured in (plan, lax)]
    finally:
        database.connection.rollback()
    mechanism = plan.mechanisms[index_of_distinct(plan)]
    strict, laxer = (distances(plan, *pair) for pair in zip(whole, smaller, strict=True))
    assert_within(mechanism, strict)
    assert any(strict)
    if plan.keys and events > 1:
        with pytest.raises(AssertionError):
            assert_within(mechanism, laxer)
