"""min, max, percentiles, mode and numbers of few values: without one unit, a choice's histograms move by no more than the sensitivity that its
mechanism is made for, over all groups and buckets together (theorem 6; attacks 3, 21)."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest
from hypothesis import assume, given, note, settings
from hypothesis import strategies as st
from psycopg import sql

from proxy.dp.accounting import Price
from proxy.dp.clipping import threshold
from proxy.dp.histogram import Histogram
from proxy.dp.quantiles import QuantileMechanism
from proxy.dp.weighted_choice import integers
from proxy.policy.model import Policy
from proxy.settings import QuerySettings
from proxy.sql.planning.aggregates.chosen_value import ChosenValue
from proxy.sql.planning.choices import CELLS, Choice, QuantileChoice, ValueCountChoice
from proxy.sql.planning.group_keys import canonical_key
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.schema import Schema
from proxy.sql.source_queries.exact_sums import ExactResults, read_results, source_statements
from proxy.sql.source_queries.histograms import ExactHistogram
from proxy.sql.source_queries.sending import only_declared
from tests.attacks import generated
from tests.attacks.test_sensitivity import (
    EXAMPLES,
    INSERT,
    POLICIES,
    ROWS,
    SETTINGS,
    Database,
    Row,
    assert_units_counted_once,
    at_every_threshold,
    database,
    planned,
    settle,
)
from tests.planned import plan_of

__all__ = ["database"]

_ORDERED = st.one_of(
    st.sampled_from(["small", "whole", "big", "money", "free", "wide", "narrow", "day", "moment"]),
    st.sampled_from(["day::timestamptz", "moment::date", "date_trunc('month', moment)", "date_trunc('week', day)"]),
    generated.NUMBERS,
)
_COUNTED = st.sampled_from(
    ["region", "fixed", "flag", "small > 3", "upper(region)", "date_trunc('month', day)", "extract(dow FROM moment)"]
)
_PERCENTILES = st.sampled_from(["percentile_disc(0.5)", "percentile_cont(0.9)", "percentile_disc(ARRAY[0, 0.25, 1])"])
_CHOICES = st.one_of(
    st.tuples(st.sampled_from(["min", "max"]), _ORDERED).map(lambda t: f"{t[0]}({t[1]})"),
    st.tuples(_PERCENTILES, _ORDERED, st.sampled_from(["", " DESC"])).map(
        lambda t: f"{t[0]} WITHIN GROUP (ORDER BY {t[1]}{t[2]})"
    ),
    _COUNTED.map(lambda value: f"mode() WITHIN GROUP (ORDER BY {value})"),
    st.just("count(DISTINCT flag)"),
)
_FILTERED = st.tuples(_CHOICES, st.none() | generated.CONDITIONS).map(
    lambda t: t[0] if t[1] is None else f"{t[0]} FILTER (WHERE {t[1]})"
)
_JOINS = st.sampled_from(["", "", " JOIN public.regions r ON r.name = t.region", " CROSS JOIN public.regions r"])


@st.composite
def blocks(draw: st.DrawFn) -> tuple[str, str]:
    """A table and a query with at least one choice from its rows, or from the rows of each unit together."""
    table = draw(st.sampled_from(["events", "events", "events", "people"]))
    keys = draw(st.lists(generated.KEYS, max_size=2))
    outputs = [*keys, *draw(st.lists(_FILTERED, min_size=1, max_size=2)), *draw(st.sampled_from([[], ["count(*)"]]))]
    where = draw(st.none() | generated.CONDITIONS)
    text = f"SELECT {', '.join(outputs)} FROM public.{table} t{draw(_JOINS)}"
    text += f" WHERE {where}" if where is not None else ""
    return table, text + (f" GROUP BY {', '.join(str(i + 1) for i in range(len(keys)))}" if keys else "")


Histograms = list[list[ExactHistogram]]
"""Of each choice, those of the groups that have rows for it."""


def measure(database: Database, plan: BlockPlan) -> ExactResults:
    """What the source computes for choices alone."""
    alone = replace(plan, statistics=(), mechanisms=(), clipping=None, selection=None)
    found = []
    for statement in source_statements(alone):
        result = database.connection.execute(statement.encode()).pgresult
        assert result is not None
        rows = [[result.get_value(row, column) for column in range(result.nfields)] for row in range(result.ntuples)]
        found.append([tuple(None if text is None else text.decode() for text in row) for row in rows])
    return read_results(alone, found)


def neighbours(
    database: Database, table: str, rows: list[Row], *plans: BlockPlan
) -> list[tuple[Histograms, Histograms]]:
    """Each plan's histograms with all rows, and without those of unit 1."""
    return [
        (whole.weighted(plan), smaller.weighted(plan))
        for plan, (whole, smaller) in zip(plans, measured(database, table, rows, *plans), strict=True)
    ]


def measured(
    database: Database, table: str, rows: list[Row], *plans: BlockPlan
) -> list[tuple[ExactResults, ExactResults]]:
    """What the source computes with all rows, and without those of unit 1."""
    target = sql.Identifier("public", table)
    try:
        insert = INSERT.format(target, sql.SQL(", ").join([sql.Placeholder()] * len(rows[0])))
        database.connection.cursor().executemany(insert, rows)
        whole = [measure(database, plan) for plan in plans]
        database.connection.execute(sql.SQL("DELETE FROM {} WHERE unit = 1").format(target))
        smaller = [measure(database, plan) for plan in plans]
    finally:
        database.connection.rollback()
    return list(zip(whole, smaller, strict=True))


Cell = tuple[object, object]


def cells_of(plan: BlockPlan, choice: Choice, measured: list[ExactHistogram]) -> dict[Cell, int]:
    """The weight of each bucket or value of each group."""
    types = [key.term.type for key in plan.keys]
    found: dict[Cell, int] = {}
    for histogram in measured:
        key = canonical_key(histogram.key, types)
        values = [canonical_key((value,), [choice.value.type]) for value in histogram.values]
        for item, weight in zip(histogram.buckets or values, histogram.weights, strict=True):
            assert (key, item) not in found
            found[key, item] = weight
    return found


def distance(plan: BlockPlan, index: int, whole: Histograms, smaller: Histograms) -> int:
    """By how many cells a choice's histograms differ in sum, or at most where each value has a weight of its own
    (theorem 27); a unit that comes only adds."""
    choice = plan.choices[index]
    more, fewer = (cells_of(plan, choice, measured[index]) for measured in (whole, smaller))
    moved = {cell: more.get(cell, 0) - fewer.get(cell, 0) for cell in more.keys() | fewer.keys()}
    assert min(moved.values(), default=0) >= 0
    if isinstance(choice, ValueCountChoice):
        return max(moved.values(), default=0)
    return sum(moved.values())


@settings(settle, max_examples=2 * EXAMPLES)
@given(block=blocks(), policy=POLICIES, query_settings=SETTINGS, rows=ROWS)
def test_one_unit_moves_histograms_by_at_most_the_sensitivity(
    database: Database, block: tuple[str, str], policy: Policy, query_settings: QuerySettings, rows: list[Row]
) -> None:
    table, text = block
    plan = planned(database, text, Schema(policy, database.catalog), query_settings)
    assume(plan.choices)
    rows = rows if table == "events" else list({row[0]: row for row in rows}.values())
    ((whole, smaller),) = measured(database, table, rows, plan)
    for statement in source_statements(plan):
        note(statement)
    assert_units_counted_once(whole, smaller)
    for known in at_every_threshold(replace(plan, clipping=None)):
        more, less = whole.weighted(known), smaller.weighted(known)
        for index, mechanism in enumerate(known.choosing):
            assert distance(known, index, more, less) <= mechanism.sensitivity
            if isinstance(mechanism, QuantileMechanism):
                for histogram in more[index]:
                    Histogram(mechanism.buckets, integers(histogram.buckets), integers(histogram.weights))


MOST_ROWS, MOST_PER_GROUP = 8, 4
COLUMNS = list(generated.VALUE_COLUMNS)


def row(unit: int, whole: int | None, region: str | None, *, flag: bool = True) -> Row:
    """A row with a number, a region and a flag."""
    values = {"whole": None if whole is None else str(whole), "region": region, "flag": str(flag).lower()}
    return (str(unit), *(values.get(name) for name in COLUMNS))


BUSY: list[Row] = [
    *(row(1, number, region) for number in range(10) for region in ("north", "south", "east")),
    *(row(unit, 100 + unit, "north") for unit in range(2, 12)),
]
"""Unit 1 has 30 rows in three groups; each of the others has one."""
TEXTS = {
    "minimum by region": ("SELECT region, min(whole) FROM public.events GROUP BY region", 2),
    "maximum by region and flag": ("SELECT region, flag, max(whole) FROM public.events GROUP BY region, flag", 2),
    "maximum by an undeclared key": (
        "SELECT whole, max(whole) FILTER (WHERE flag) FROM public.events GROUP BY whole",
        2,
    ),
    "median of all": ("SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY whole) FROM public.events", 8),
    "median by region": (
        "SELECT region, percentile_cont(0.5) WITHIN GROUP (ORDER BY whole) FROM public.events GROUP BY region",
        8,
    ),
    "filtered quartiles": (
        "SELECT percentile_disc(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY whole) FILTER (WHERE flag) FROM public.events",
        8,
    ),
    "mode of all": ("SELECT mode() WITHIN GROUP (ORDER BY region) FROM public.events", 8),
    "mode by flag": ("SELECT flag, mode() WITHIN GROUP (ORDER BY region) FROM public.events GROUP BY flag", 8),
}


def plan_on(
    database: Database, text: str, query_settings: QuerySettings | None = None, *, max_rows: int | None = MOST_ROWS
) -> BlockPlan:
    """The plan of a block under the bounds above, or without a bound of rows."""
    policy = generated.policy(
        max_rows=max_rows, max_rows_per_group=MOST_PER_GROUP, max_groups=3, bound="1000", step="1"
    )
    return plan_of(text, Schema(policy, database.catalog), query_settings)


@pytest.fixture(params=["laplace", "gaussian"])
def either_noise(request: pytest.FixtureRequest) -> QuerySettings:
    """Whatever the noise of the block, histograms are bounded in the norm of the exponential mechanism."""
    return QuerySettings(mechanism=request.param)


@pytest.mark.parametrize(("text", "rows"), TEXTS.values(), ids=TEXTS.keys())
def test_a_busy_unit_uses_up_its_bound_and_no_more(
    database: Database, text: str, rows: int, either_noise: QuerySettings
) -> None:
    plan = plan_on(database, text, either_noise)
    ((whole, smaller),) = neighbours(database, "events", BUSY, plan)
    (mechanism,) = plan.choosing
    assert mechanism.sensitivity == rows * CELLS
    # Truncation loses less than a cell for each of 30 rows, the slack a billionth.
    assert mechanism.sensitivity - 100 <= distance(plan, 0, whole, smaller) <= mechanism.sensitivity


@pytest.mark.parametrize("text", [text for text, _ in TEXTS.values()], ids=TEXTS.keys())
def test_a_busy_unit_uses_up_each_limit_that_could_be_chosen_and_no_more(
    database: Database, text: str, either_noise: QuerySettings
) -> None:
    plan = plan_on(database, text, either_noise, max_rows=None)
    ((whole, smaller),) = measured(database, "events", BUSY, plan)
    assert_units_counted_once(whole, smaller)
    (size,) = (bucket for bucket, more in enumerate(whole.units[0]) if more > smaller.units[0][bucket])
    for known in at_every_threshold(plan):
        (mechanism,), (index,) = known.choosing, known.limited or ()
        assert mechanism.sensitivity == threshold(index) * CELLS
        moved = distance(known, 0, whole.weighted(known), smaller.weighted(known))
        # Truncation loses less than two cells of 30 rows, times the limit, the slack a billionth.
        least = mechanism.sensitivity * (1 - 60 / CELLS) if index < size else 0
        assert least <= moved <= mechanism.sensitivity


def test_units_are_counted_by_size_whatever_is_sent_of_their_rows(database: Database) -> None:
    """An undeclared region is not sent, nor a group that no unit helps to select, but their units are there."""
    rows = [*BUSY, *(row(20 + number, 7, "void") for number in range(5))]
    for text in (TEXTS["minimum by region"][0], TEXTS["maximum by an undeclared key"][0]):
        plan = plan_on(database, text, max_rows=None)
        ((whole, _),) = measured(database, "events", rows, plan)
        assert sum(whole.units[0]) == 16
        statements = source_statements(plan)
        sent = only_declared(plan, statements, [("north",)], [()])
        assert sent[-1] == statements[-1]
        assert sent[:-1] != statements[:-1]


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_the_choice_of_a_limit_is_part_of_the_price(database: Database, noise: Literal["laplace", "gaussian"]) -> None:
    for text, _ in TEXTS.values():
        plan = plan_on(database, text, QuerySettings(mechanism=noise), max_rows=None)
        (choice,) = plan.threshold_choices
        assert choice.price.rho > 0
        together = plan.choosing[0].price + choice.price
        together += plan.selection.price if plan.selection is not None else Price.zero()
        assert together.rho <= plan.price.rho


@pytest.mark.parametrize("max_rows", [MOST_ROWS, None], ids=["with a bound", "without one"])
def test_a_busy_unit_counts_once_in_each_of_its_values(
    database: Database, max_rows: int | None, either_noise: QuerySettings
) -> None:
    plan = plan_on(database, "SELECT count(DISTINCT flag) FROM public.events", either_noise, max_rows=max_rows)
    rows = [*BUSY, *(row(1, number, "north", flag=False) for number in range(20))]
    ((whole, smaller),) = neighbours(database, "events", rows, plan)
    (mechanism,), ((more,),), ((fewer,),) = plan.choosing, whole, smaller
    assert mechanism.sensitivity == CELLS
    assert dict(zip(more.values, more.weights, strict=True)) == {"f": CELLS, "t": 11 * CELLS}
    assert dict(zip(fewer.values, fewer.weights, strict=True)) == {"t": 10 * CELLS}


@pytest.mark.parametrize("excess", [1, 1_000_000], ids=["limits one too high", "no limit"])
@pytest.mark.parametrize(("text", "rows"), TEXTS.values(), ids=TEXTS.keys())
def test_a_laxer_bound_would_show(database: Database, text: str, rows: int, excess: int) -> None:
    plan = plan_on(database, text)
    bounds = plan.contribution
    groups = bounds.max_rows_per_group if rows <= 2 else bounds.max_rows
    lax = replace(plan, contribution=replace(bounds, max_rows=bounds.max_rows + excess * groups))
    strict, laxer = neighbours(database, "events", BUSY, plan, lax)
    (mechanism,) = plan.choosing
    assert distance(plan, 0, *strict) <= mechanism.sensitivity
    assert distance(lax, 0, *laxer) > mechanism.sensitivity


@pytest.mark.parametrize(
    "text",
    [
        "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY whole) FILTER (WHERE flag) FROM public.events",
        "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY whole) FROM public.events WHERE flag",
        "SELECT mode() WITHIN GROUP (ORDER BY region) FILTER (WHERE flag) FROM public.events",
        "SELECT region, max(whole) FILTER (WHERE flag) FROM public.events GROUP BY region",
    ],
)
def test_rows_that_are_not_asked_for_scale_nothing_down(database: Database, text: str) -> None:
    """Of a unit's many rows only those count that the choice reads."""
    others = [row(1, number, region, flag=False) for number in range(20) for region in ("south", "east", "void")]
    asked = [row(1, number, "north") for number in range(3)]
    plan = plan_on(database, text)
    ((whole, smaller),) = neighbours(database, "events", [*others, *asked], plan)
    assert distance(plan, 0, whole, smaller) == (CELLS if "max(" in text else 3 * CELLS)


def test_rows_without_a_value_are_in_no_bucket_and_scale_nothing_down(database: Database) -> None:
    rows = [*(row(1, None, "north") for _ in range(50)), row(1, 7, "north"), row(1, 8, "north")]
    plan = plan_on(database, "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY whole) FROM public.events")
    ((whole, _),) = neighbours(database, "events", rows, plan)
    ((histogram,),) = whole
    assert histogram.weights == [CELLS, CELLS]
    assert histogram.buckets == [1007, 1008]


def test_values_beyond_the_bounds_are_in_the_outermost_buckets(database: Database) -> None:
    rows = [row(1, 2_000_000, "north"), row(1, -2_000_000, "north"), row(1, 1000, "north")]
    plan = plan_on(database, "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY whole) FROM public.events")
    ((whole, _),) = neighbours(database, "events", rows, plan)
    ((histogram,),) = whole
    assert (histogram.buckets, histogram.weights) == ([0, 2000], [CELLS, 2 * CELLS])


def test_rows_without_a_unit_are_in_no_histogram(database: Database) -> None:
    rows = [(None, *row(1, number, "north")[1:]) for number in range(5)]
    for text in (
        "SELECT max(whole) FROM public.events",
        "SELECT mode() WITHIN GROUP (ORDER BY region) FROM public.events",
    ):
        ((whole, _),) = neighbours(database, "events", rows, plan_on(database, text))
        assert whole == [[]]


def test_a_unit_counts_in_each_of_its_groups_with_its_own_extreme_once(database: Database) -> None:
    rows = [row(1, number, region) for number in (3, 9) for region in ("north", "south")] + [row(2, 5, "north")]
    for function, own in (("min", 1003), ("max", 1009)):
        plan = plan_on(database, f"SELECT region, {function}(whole) FROM public.events GROUP BY region")
        ((whole, _),) = neighbours(database, "events", rows, plan)
        (histograms,) = whole
        found = {
            histogram.key: dict(zip(histogram.buckets, histogram.weights, strict=True)) for histogram in histograms
        }
        assert found == {("north",): {own: CELLS, 1005: CELLS}, ("south",): {own: CELLS}}


def test_undeclared_values_of_any_length_do_not_make_a_mode_fail(database: Database) -> None:
    """All of one group's values in one text could exceed what a text holds; and one value alone may nearly do so."""
    plan = plan_on(database, "SELECT mode() WITHIN GROUP (ORDER BY region) FROM public.events")
    rows = [row(unit, unit, region) for unit in (1, 2) for region in ("north", "x" * 20_000, "x" * 20_000 + "y")]
    ((whole, _),) = neighbours(database, "events", rows, plan)
    ((histogram,),) = whole
    assert {len(value) for value in histogram.values} == {5, 2000}
    assert sum(histogram.weights) == 6 * CELLS


def test_percentiles_are_one_choice_beside_interpolated_ones_and_the_minimum(database: Database) -> None:
    within = "WITHIN GROUP (ORDER BY whole)"
    outputs = [
        "min(whole)",
        f"percentile_disc(0.5) {within}",
        f"percentile_disc(ARRAY[0.25, 0.5]) {within}",
        f"percentile_disc(0) {within}",
        f"percentile_cont(0.5) {within}",
        f"percentile_cont(ARRAY[0, 1]) {within}",
        f"percentile_cont(0.9) {within}",
    ]
    plan = plan_on(database, f"SELECT {', '.join(outputs)} FROM public.events")
    choices = [choice for choice in plan.choices if isinstance(choice, QuantileChoice)]
    assert [[str(fraction) for fraction in choice.fractions] for choice in choices] == [
        ["0"],
        ["0", "1/4", "1/2", "1"],
        ["1/2", "9/10"],
    ]
    positions = [(chosen.choice, chosen.positions) for chosen in plan.aggregates if isinstance(chosen, ChosenValue)]
    assert positions == [(0, (0,)), (1, (2,)), (1, (1, 2)), (0, (0,)), (2, (0,)), (1, (0, 3)), (2, (1,))]
    first, second, third = (mechanism.price for mechanism in plan.choosing)
    assert plan.price == first + second + third
