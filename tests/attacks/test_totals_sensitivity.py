"""attack 3 with ROLLUP, CUBE and GROUPING SETS: without one unit, the numbers of every level move by no more than that
level's sensitivity (theorem 5, `planning.levels`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg import sql

from proxy.dp.mechanisms import GaussianMechanism, LaplaceMechanism, Mechanism
from proxy.policy.model import Policy
from proxy.release.totals import groups_of_levels
from proxy.settings import QuerySettings
from proxy.sql.planning.guarantees import Noise
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.pricing import REFINEMENT
from proxy.sql.schema import Schema
from proxy.sql.source_queries.exact_sums import ExactResults
from tests.attacks import generated
from tests.attacks.test_sensitivity import (
    INSERT,
    SETTINGS,
    Database,
    Row,
    assert_within,
    at_every_threshold,
    moved,
    planned,
    settle,
)
from tests.attacks.test_sensitivity import database as database
from tests.planned import plan_of

CELLS = [(region, flag, fixed) for region in ("north", "south", "east") for flag in "tf" for fixed in ("a", "abcd")]
"""Twelve groups, all declared."""

GROUPINGS = [
    "ROLLUP (region, flag, fixed)",
    "CUBE (region, flag, fixed)",
    "GROUPING SETS ((region), (flag, fixed), ())",
    "region, GROUPING SETS ((), (fixed), (flag))",
]


def row(unit: int, cell: tuple[str, str, str], number: str) -> Row:
    """A row in one group, with every number that is declared as high as it gets, or as low."""
    region, flag, fixed = cell
    known = {"region": region, "flag": flag, "fixed": fixed, "whole": number, "small": number}
    return (str(unit), *(known.get(name) for name in generated.VALUE_COLUMNS))


def policy(max_rows: int | None, max_rows_per_group: int) -> Policy:
    return generated.policy(
        max_rows=max_rows, max_rows_per_group=max_rows_per_group, max_groups=1, bound="10", step="1"
    )


def movements(database: Database, plan: BlockPlan, table: str, rows: Sequence[Row]) -> list[list[list[int]]]:
    """`level_movements` without unit 1."""
    return level_movements(plan, *neighbours(database, plan, table, rows))


def neighbours(
    database: Database, plan: BlockPlan, table: str, rows: Sequence[Row]
) -> tuple[ExactResults, ExactResults]:
    """What is measured with all rows, and without those of unit 1."""
    target = sql.Identifier("public", table)
    try:
        insert = INSERT.format(target, sql.SQL(", ").join([sql.Placeholder()] * len(rows[0])))
        database.connection.cursor().executemany(insert, rows)
        whole = database.measure(plan)
        database.connection.execute(sql.SQL("DELETE FROM {} WHERE unit = 1").format(target))
        smaller = database.measure(plan)
    finally:
        database.connection.rollback()
    return whole, smaller


def level_movements(plan: BlockPlan, whole: ExactResults, smaller: ExactResults) -> list[list[list[int]]]:
    """For each level and each statistic, by how much the exact number of each group differs."""
    assert plan.levels is not None
    found = moved(plan, whole, smaller)
    keys: list[tuple[str | None, ...]] = [key for key in found if isinstance(key, tuple)]
    levels = []
    for groups in groups_of_levels(plan.levels, keys, keys):
        totals = [[0] * len(groups.keys) for _ in plan.statistics]
        for member, (cells, _) in zip(groups.group_of_finest.tolist(), found.values(), strict=True):
            for index, number in enumerate(cells):
                totals[index][member] += number
        levels.append(totals)
    return levels


ROWS = st.lists(
    st.tuples(
        st.just(1) | st.integers(1, generated.UNITS), st.sampled_from(CELLS), st.sampled_from(["99", "-99", "7"])
    ),
    min_size=1,
    max_size=30,
).map(lambda rows: [row(*drawn) for drawn in rows])


@settle
@given(
    grouping=st.sampled_from(GROUPINGS),
    table=st.sampled_from(["events", "events", "people"]),
    bounds=st.tuples(st.integers(1, 6) | st.none(), st.integers(1, 6)),
    query_settings=SETTINGS,
    rows=ROWS,
)
def test_one_unit_moves_every_level_by_at_most_its_sensitivity(
    database: Database,
    grouping: str,
    table: str,
    bounds: tuple[int | None, int],
    query_settings: QuerySettings,
    rows: list[Row],
) -> None:
    """Fixed bounds, and every threshold that can be chosen: of an L1 norm, whichever noise there is."""
    text = (
        f"SELECT count(*), sum(whole), avg(small), count(*) FILTER (WHERE whole > 8) FROM {table} GROUP BY {grouping}"
    )
    plan = planned(database, text, Schema(policy(*bounds), database.catalog), query_settings)
    assert plan.levels is not None
    rows = rows if table == "events" else list({drawn[0]: drawn for drawn in rows}.values())
    measured = neighbours(database, plan, table, rows)
    for clipped in at_every_threshold(plan):
        whole, smaller = (replace(found, sums=found.clipped(clipped)) for found in measured)
        for level, totals in zip(plan.levels.measured, level_movements(plan, whole, smaller), strict=True):
            for mechanism, distances in zip(level.mechanisms, totals, strict=True):
                assert_within(mechanism, distances)


def plan_on(database: Database, text: str, policy: Policy, noise: Noise) -> BlockPlan:
    schema = Schema(policy, database.catalog)
    settings = QuerySettings(mechanism=noise)
    return plan_of(text, schema, settings)


def squared_sensitivity(mechanism: Mechanism) -> int:
    assert isinstance(mechanism, GaussianMechanism)
    return mechanism.squared_sensitivity


@pytest.mark.parametrize(("max_rows", "max_rows_per_group"), [(3, 3), (4, 1), (4, 2), (12, 12), (12, 1)])
def test_a_unit_with_a_row_in_every_group_moves_the_grand_total_by_max_rows_and_no_more(
    database: Database, max_rows: int, max_rows_per_group: int
) -> None:
    text = f"SELECT count(*) FROM events GROUP BY {GROUPINGS[0]}"
    plan = plan_on(database, text, policy(max_rows, max_rows_per_group), "gaussian")
    assert plan.levels is not None
    levels = movements(database, plan, "events", [row(unit, cell, "1") for cell in CELLS for unit in (1, 2)])
    finest, total = levels[0][0], levels[-1][0]
    cells = max_rows * REFINEMENT
    assert 0.99 * cells - len(CELLS) <= total[0] <= cells
    assert squared_sensitivity(plan.levels.measured[-1].mechanisms[0]) == cells**2
    assert sum(number**2 for number in finest) <= squared_sensitivity(plan.mechanisms[0])
    assert squared_sensitivity(plan.mechanisms[0]) == max_rows * max_rows_per_group * REFINEMENT**2


def test_where_a_unit_has_one_row_every_level_has_the_sensitivity_of_one_row(database: Database) -> None:
    noises: tuple[Noise, ...] = ("laplace", "gaussian")
    for noise in noises:
        text = f"SELECT count(*), sum(whole) FROM people GROUP BY {GROUPINGS[1]}"
        plan = plan_on(database, text, policy(5, 2), noise)
        assert plan.levels is not None
        for level in plan.levels.measured:
            count, total = level.mechanisms
            if isinstance(count, LaplaceMechanism) and isinstance(total, LaplaceMechanism):
                assert (count.sensitivity, total.sensitivity) == (1, 10)
            else:
                assert (squared_sensitivity(count), squared_sensitivity(total)) == (1, 100)
