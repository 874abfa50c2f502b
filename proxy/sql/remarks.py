"""What EXPLAIN and the NOTICE say of a block, in a sentence each: which rows and values count, and at what price."""

from __future__ import annotations

from proxy.policy.durations import spoken
from proxy.sql.planning.aggregates.chosen_value import ChosenValue
from proxy.sql.planning.aggregates.counts import ValueCount
from proxy.sql.planning.capped import capped
from proxy.sql.planning.choices import Choice, QuantileChoice, ValueCountChoice
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.pricing import usual_epsilon
from proxy.sql.planning.statistic import UnitCount
from proxy.sql.planning.wording import listed, short
from proxy.sql.rows.elements import MOST_CHARACTERS, MOST_ELEMENTS
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.term import Read, decimal_text
from proxy.sql.terms.types import Kind

_FLOATS = frozenset({"real", "double precision"})
"""Types of which columns often hold NaN; a numeric hardly ever does."""


def rows_without_unit(plan: BlockPlan) -> list[str]:
    """Which rows count for nobody because they have no unit, and which are units of their own; nothing if NOT NULL
    rules such rows out."""
    tables = plan.footprint.private_tables
    lacking = dict.fromkeys(table.can_lack_unit for table in tables if table.can_lack_unit is not None)
    lone = dict.fromkeys(table.lone_column for table in tables if table.lone_column is not None)
    found = [f"Rows without a unit, where {' or '.join(lacking)} is NULL, are not counted"] if lacking else []
    return found + ([f"Each row where {' or '.join(lone)} is NULL is a unit of its own"] if lone else [])


def slow_clock(plan: BlockPlan) -> list[str]:
    """How now() moves, if the block asks for it, and timestamps of WHERE are moved, if any is."""
    told = [f"the time of now() and its like moves in steps of {spoken(plan.clock)}"] if plan.clock else []
    return told + ([f"WHERE is widened to whole steps of {spoken(plan.snap)}"] if plan.snap else [])


def rows_that_take_part(plan: BlockPlan) -> list[str]:
    """A sentence for each table of which a limited number of a unit's rows take part."""
    return [
        f"Of {name} at most {most} rows of a unit take part, as they {'meet others' if meets else 'may take long'}"
        for (meets, name), most in plan.footprint.least_cuts.items()
    ]


def elements_that_count(plan: BlockPlan) -> list[str]:
    """A sentence about elements that FROM lists of a value in each row."""
    if not plan.footprint.elements:
        return []
    of_each = f"{MOST_CHARACTERS} characters of each"
    return [f"Of each array or text in FROM the first {MOST_ELEMENTS} elements take part, {of_each}"]


def rows_counted_again(plan: BlockPlan) -> list[str]:
    """A sentence about rows that FROM repeats for those of public tables, where a stated limit counts each of them."""
    times = plan.relation.here.rows
    # Each row of an outer join's other side is one more row, not another time the same.
    adds = any(member.optional and member.table.private for member in plan.relation.members)
    counts_rows = any(not isinstance(statistic, UnitCount) for statistic in plan.statistics)
    if times == 1 or adds or not counts_rows or plan.clipping is not None:
        return []
    most = plan.contribution.max_rows
    return [f"each row counts up to {times} times, as FROM repeats it, and max_rows = {most} limits them all"]


def units_scaled_down(plan: BlockPlan) -> list[str]:
    """A sentence about counts and sums of rows under stated limits, of which nobody measures what they leave out."""
    of_rows = any(not isinstance(statistic, UnitCount) for statistic in plan.statistics)
    if plan.path == "unique" or plan.clipping is not None or not of_rows:
        return []
    most, in_group = plan.contribution.max_rows, plan.contribution.max_rows_per_group
    limits = f"max_rows = {most}" + (f" and max_rows_per_group = {in_group}" if plan.keys and in_group < most else "")
    verb = "allow" if " and " in limits else "allows"
    return [f"units with more rows than {limits} {verb} are scaled down; how much that leaves out is not told"]


def nan_as_null(plan: BlockPlan) -> list[str]:
    """A sentence about aggregates of columns that can hold NaN."""
    tables = {table.name: table for table in plan.footprint.tables}

    def is_float(read: Read) -> bool:
        return read.table in tables and tables[read.table].catalog.columns[read.column].type_name in _FLOATS

    labels = []
    for aggregate in plan.aggregates:
        statistics = [plan.statistics[index] for index in aggregate.statistics]
        values = [value for each in statistics if (value := getattr(each, "value", getattr(each, "present", None)))]
        if any(value.kind is Kind.FLOAT and any(map(is_float, value.reads)) for value in values):
            labels.append(aggregate.label)
    return [f"NaN counts as NULL in {listed(labels)}"] if labels else []


def values_left_out(plan: BlockPlan) -> list[str]:
    """A sentence about numbers of declared values, where rows may have others."""
    chosen = [aggregate for aggregate in plan.aggregates if isinstance(aggregate, ValueCount)]
    open_ = [aggregate.label for aggregate in chosen if not _is_complete(plan.choices[aggregate.choice])]
    return [f"values that the policy does not list do not count in {listed(open_)}"] if open_ else []


def values_assumed(plan: BlockPlan) -> list[str]:
    """A sentence about extremes and percentiles of counts and sums for which nobody states bounds."""
    found: dict[Bounds, list[str]] = {}
    for aggregate in plan.aggregates:
        choice = plan.choices[aggregate.choice] if isinstance(aggregate, ChosenValue) else None
        if isinstance(choice, QuantileChoice) and choice.assumed is not None:
            found.setdefault(choice.assumed, []).append(aggregate.label)
    return [
        f"values outside {decimal_text(ends.low)} to {decimal_text(ends.high)} count as its ends in {listed(labels)}"
        for ends, labels in found.items()
    ]


def values_capped(plan: BlockPlan) -> list[str]:
    """A sentence about counts and sums of a unit's rows, where the stated most rows of a unit bound them."""
    found: dict[tuple[Bounds, int], list[str]] = {}
    for aggregate in plan.aggregates:
        for cap in capped(plan, aggregate):
            found.setdefault(cap, []).append(aggregate.label)
    return [
        f"values outside {decimal_text(ends.low)} to {decimal_text(ends.high)} count as its ends in {listed(labels)}, "
        f"since max_rows is {rows} and a unit may have more rows"
        for (ends, rows), labels in found.items()
    ]


def _is_complete(choice: Choice) -> bool:
    return not isinstance(choice, ValueCountChoice) or choice.candidates.complete


def profile_price(plan: BlockPlan) -> list[str]:
    """A sentence about the price of blocks that only describe columns."""
    usual = usual_epsilon(plan.footprint.private_tables)
    if not plan.is_profile or plan.guarantee.epsilon == usual:
        return []
    return [f"what only describes columns has a price of its own, and SET dp.epsilon = {short(usual)} asks as usual"]


def rows_in_no_group(plan: BlockPlan) -> list[str]:
    """A sentence about keys with declared values, where rows may have others."""
    domain = plan.domain
    if domain is None or domain.complete:
        return []
    keys = [key.label for key, every in zip(plan.keys, domain.whole, strict=False) if not every]
    return [f"rows with other values of {listed(keys or [key.label for key in plan.keys])} are in no group"]


def units_in_full(plan: BlockPlan) -> list[str]:
    """A sentence about counts of units, where a unit may be in more groups than it counts in as one (theorem 3)."""
    if not any(isinstance(statistic, UnitCount) for statistic in plan.statistics):
        return []
    counted = in_more_groups(plan).removeprefix(", ")
    return [f"each unit is {counted}, by max_rows / max_rows_per_group"] if counted else []


def counts_units_once(plan: BlockPlan) -> bool:
    """Does a unit count as one in a single group only, though it may be in more, since `max_rows` stands alone?"""
    return bool(units_in_full(plan)) and plan.contribution.groups == 1


def in_more_groups(plan: BlockPlan) -> str:
    """In how many groups a unit counts as one, where that is stated and units may be in more."""
    if plan.path == "unique" or plan.clipping is not None or not plan.keys:
        return ""
    groups = plan.contribution.groups
    return f", counted in full in up to {short(float(groups))} {'group' if groups == 1 else 'groups'}, as less in more"


def remarks(plan: BlockPlan) -> list[str]:
    """All of these sentences."""
    return [*remarks_about_rows(plan), *profile_price(plan)]


def remarks_about_rows(plan: BlockPlan) -> list[str]:
    """Those that hold of an answer whatever was paid for it."""
    return [
        *rows_without_unit(plan),
        *units_in_full(plan),
        *units_scaled_down(plan),
        *rows_that_take_part(plan),
        *elements_that_count(plan),
        *rows_counted_again(plan),
        *rows_in_no_group(plan),
        *plan.large,
        *slow_clock(plan),
        *values_left_out(plan),
        *values_assumed(plan),
        *values_capped(plan),
    ]
