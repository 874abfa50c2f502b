"""Which released numbers make up those of another question, and what they are worth (theorem 25)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from proxy.budget.stored_answer import StoredAnswer
from proxy.query.adding_up import Sums, sums, ways
from proxy.query.dialog import Known, unpacked, written
from proxy.query.holding import Held, Holding, holding_of
from proxy.query.same_question import block_hashes
from proxy.release.noisy_answers import answered_keys
from proxy.settings import QuerySettings
from proxy.sql.planning.group_keys import KeyRow
from proxy.sql.planning.plan import BlockPlan
from tests.planned import plan_of
from tests.plans.schema import SCHEMA

STATED = QuerySettings(max_rows=20, max_rows_per_group=10)
SHARED = (("TimeZone", "UTC"), ("DateStyle", "ISO, MDY"), ("IntervalStyle", "postgres"))

REGIONS = [("north",), ("south",), ("east",), ("west",), ("nowhere",), (None,)]
DIAGNOSES = [("flu",), ("cold",), ("other",), (None,)]
DAYS = [(f"2024-{month:02d}-{day:02d} 00:00:00",) for month in (1, 2) for day in range(1, 30 if month == 2 else 32)]


def planned(query: str, settings: QuerySettings = STATED) -> BlockPlan:
    plan: BlockPlan = unpacked(written(plan_of(query, SCHEMA, settings)), SCHEMA, Known(0))
    return plan


def holding(plan: BlockPlan, shared: Sequence[tuple[str, str]] = SHARED) -> Holding:
    found = holding_of(plan, block_hashes(plan, shared, SCHEMA)[2], SCHEMA.catalog.database)
    assert found is not None
    return found


def found(
    query: str,
    of: str,
    domain: Sequence[KeyRow],
    held_domain: Sequence[KeyRow],
    *,
    settings: QuerySettings = STATED,
    held_settings: QuerySettings = STATED,
    held_shared: Sequence[tuple[str, str]] = SHARED,
) -> tuple[Sums, StoredAnswer] | None:
    """The sums of a question's numbers in those of another one, whose cell i has the number 2^i; None without any."""
    plan, other = planned(query, settings), planned(of, held_settings)
    wanted, has = holding(plan), holding(other, held_shared)
    left = dict(wanted.wider).get(has.scope)
    if left is None:
        return None
    held = Held.decode(has.held.encode())
    assert held == has.held
    keys = answered_keys(other, held_domain)
    width = len(other.statistics)
    values = tuple(tuple(2 ** (place * width + number) for number in range(width)) for place in range(len(keys)))
    released = StoredAnswer(keys, values)
    made = [sums(plan, domain, held, way, released) for way in ways(plan, wanted, held, left, dict(SHARED))]
    known = [each for each in made if each is not None]
    return (max(known, key=lambda each: each.rank), released) if known else None


def cells(number: int) -> list[int]:
    """Which cells were added up, each once."""
    return [place for place, digit in enumerate(bin(number)[:1:-1]) if digit == "1"]


def test_some_of_the_statistics_are_the_same_cells() -> None:
    both = "SELECT region, count(*), sum(cost) FROM visits GROUP BY 1"
    made = found("SELECT region, count(*) FROM visits GROUP BY 1", both, REGIONS, REGIONS)
    assert made is not None
    answer = made[0].answer(made[1])
    assert answer.keys == tuple(REGIONS)
    assert [cells(row[0]) for row in answer.values] == [[2 * place] for place in range(len(REGIONS))]
    assert min(made[0].worths) == Fraction(1, 2), "two numbers share the price"


def test_groups_of_complete_keys_add_up() -> None:
    pairs = [(region, smoker) for (region,) in REGIONS for smoker in ("t", "f", None)]
    parts = "SELECT region, smoker, count(*) FROM patients GROUP BY 1, 2"
    made = found("SELECT region, count(*) FROM patients GROUP BY 1", parts, REGIONS, pairs)
    assert made is not None
    assert [cells(row[0]) for row in made[0].answer(made[1]).values] == [
        [3 * place, 3 * place + 1, 3 * place + 2] for place in range(len(REGIONS))
    ]
    assert min(made[0].worths) == Fraction(1, 3)


def test_a_key_with_undeclared_values_is_not_left_out() -> None:
    """Rows of diagnoses that the policy does not name are in no group, but count in the total."""
    parts = "SELECT diagnosis, urgent, count(*) FROM visits GROUP BY 1, 2"
    pairs = [(*each, urgent) for each in DIAGNOSES for urgent in ("t", "f", None)]
    assert found("SELECT urgent, count(*) FROM visits GROUP BY 1", parts, [("t",), ("f",), (None,)], pairs) is None
    assert found("SELECT diagnosis, count(*) FROM visits GROUP BY 1", parts, DIAGNOSES, pairs) is not None


def test_days_make_up_a_month_if_all_are_there() -> None:
    days = "SELECT date_trunc('day', visited_at), count(*) FROM visits GROUP BY 1"
    months = "SELECT date_trunc('month', visited_at), count(*) FROM visits GROUP BY 1"
    domain = [("2024-01-01 00:00:00",), ("2024-02-01 00:00:00",)]
    made = found(months, days, domain, DAYS)
    assert made is not None
    answer = made[0].answer(made[1])
    assert [cells(row[0]) for row in answer.values] == [list(range(31)), list(range(31, 60))]
    assert min(made[0].worths) == Fraction(1, 31), "the longest month decides"
    assert found(months, days, domain, DAYS[:10] + DAYS[11:]) is None
    weeks = "SELECT date_trunc('week', visited_at), count(*) FROM visits GROUP BY 1"
    made = found(weeks, days, [("2024-01-01 00:00:00",), ("2024-01-08 00:00:00",)], DAYS)
    assert made is not None
    assert [cells(row[0]) for row in made[0].answer(made[1]).values] == [list(range(7)), list(range(7, 14))]


@pytest.mark.parametrize(
    ("condition", "complete"),
    [
        ("visited_at >= '2024-01-01' AND visited_at < '2026-01-01'", True),
        ("visited_at BETWEEN '2024-01-01 10:00' AND '2025-12-31 23:00'", True),
        ("visited_at >= '2024-01-01' AND visited_at <= '2026-01-01'", False),
        ("visited_at >= '2023-12-31' AND visited_at < '2025-01-01'", False),
        ("visited_at >= '2024-01-01'", False),
        ("visited_at < '2025-01-01' OR urgent AND visited_at >= '2024-01-01'", False),
        ("visited_at >= timestamptz '2024-01-05 00:00:00+00' AND visited_at < '2025-01-01'", False),
        ("visited_at >= timestamptz '2024-02-01 00:00:00+00' AND visited_at < '2025-01-01'", True),
    ],
)
def test_days_make_up_a_total_if_the_condition_leaves_no_others(condition: str, complete: bool) -> None:
    days = f"SELECT date_trunc('day', visited_at), count(*) FROM visits WHERE {condition} GROUP BY 1"
    made = found(f"SELECT count(*) FROM visits WHERE {condition}", days, [], DAYS)
    assert (made is not None) == complete


def test_dates_are_those_of_one_time_zone() -> None:
    days = "SELECT date_trunc('day', paid_at), count(*) FROM visits GROUP BY 1"
    domain = [(f"{day}+00",) for (day,) in DAYS]
    assert found(days, days, domain, domain) is not None
    berlin = (("TimeZone", "Europe/Berlin"), *SHARED[1:])
    assert found(days, days, domain, domain, held_shared=berlin) is None


def test_a_condition_on_a_key_takes_its_groups_where_each_unit_has_one_row() -> None:
    parts = "SELECT region, count(*) FROM patients WHERE smoker GROUP BY 1"
    made = found("SELECT count(*) FROM patients WHERE smoker AND region IN ('north', 'east')", parts, [], REGIONS)
    assert made is not None
    assert cells(made[0].answer(made[1]).values[0][0]) == [0, 2]
    for undeclared in ("= 'atlantis'", "IN ('north', 'atlantis')"):
        query = f"SELECT count(*) FROM patients WHERE smoker AND region {undeclared}"
        assert found(query, parts, [], REGIONS) is None, "rows of undeclared values are in no group"


def test_a_value_that_is_declared_later_is_in_none_of_the_older_groups() -> None:
    parts = "SELECT region, count(*) FROM patients WHERE smoker GROUP BY 1"
    assert found(parts, parts, REGIONS, REGIONS[:3]) is None
    later = "SELECT count(*) FROM patients WHERE smoker AND region = 'west'"
    assert found(later, parts, [], REGIONS) is not None
    assert found(later, parts, [], REGIONS[:3]) is None


def test_a_condition_changes_how_much_of_a_unit_with_several_rows_counts() -> None:
    parts = "SELECT region, count(*) FROM visits GROUP BY 1"
    assert found("SELECT count(*) FROM visits WHERE region = 'north'", parts, [], REGIONS) is None
    made = found("SELECT count(*) FILTER (WHERE region = 'north') FROM visits", parts, [], REGIONS)
    assert made is not None
    assert cells(made[0].answer(made[1]).values[0][0]) == [0]


def test_cells_of_a_block_with_totals_are_scaled_by_another_norm() -> None:
    cube = "SELECT region, urgent, count(*) FROM visits GROUP BY ROLLUP (region, urgent)"
    pairs = [(*each, urgent) for each in REGIONS for urgent in ("t", "f", None)]
    assert found("SELECT region, count(*) FROM visits GROUP BY 1", cube, REGIONS, pairs) is None
    made = found("SELECT count(*) FROM visits", cube, [], pairs)
    assert made is not None
    assert made[0].most == 1, "the total itself is the most exact"


@pytest.mark.parametrize("counted", ["count(DISTINCT patient_id)", "count(DISTINCT minutes)"])
def test_numbers_of_units_and_of_distinct_values_do_not_add_up(counted: str) -> None:
    pairs = [(region, urgent) for (region,) in REGIONS for urgent in ("t", "f", None)]
    parts = f"SELECT region, urgent, {counted} FROM visits GROUP BY 1, 2"
    assert found(f"SELECT region, {counted} FROM visits GROUP BY 1", parts, REGIONS, pairs) is None
    assert found(parts, parts, pairs, pairs) is not None


@pytest.mark.parametrize(
    ("query", "settings"),
    [
        ("SELECT region, count(*) FROM visits WHERE urgent GROUP BY 1", STATED),
        ("SELECT region, count(cost) FROM visits GROUP BY 1", STATED),
        ("SELECT region, sum(least(cost, 10)) FROM visits GROUP BY 1", STATED),
        ("SELECT region, count(*) FROM visits JOIN patients USING (patient_id, region) GROUP BY 1", STATED),
        ("SELECT region, count(*) FROM visits GROUP BY 1", QuerySettings(max_rows=30, max_rows_per_group=10)),
    ],
)
def test_other_rows_values_or_bounds_are_another_question(query: str, settings: QuerySettings) -> None:
    parts = "SELECT region, count(*), sum(cost) FROM visits GROUP BY 1"
    assert found(query, parts, REGIONS, REGIONS, settings=settings) is None


@pytest.mark.parametrize(
    "query",
    [
        "SELECT note, count(*) FROM visits GROUP BY 1",
        "SELECT max(minutes) FROM visits",
        "SELECT count(*) FROM visits v JOIN visits w ON v.patient_id = w.patient_id AND v.minutes < w.minutes",
    ],
)
def test_selected_keys_choices_and_cut_rows_have_no_part(query: str) -> None:
    assert holding_of(planned(query), {}, SCHEMA.catalog.database) is None


def test_thresholds_that_the_data_choose_have_no_part() -> None:
    plan = planned("SELECT count(*) FROM drugs", QuerySettings())
    assert plan.clipping is not None
    assert holding_of(plan, {}, SCHEMA.catalog.database) is None
    plan = planned("SELECT count(DISTINCT patient_id) FROM stays", QuerySettings())
    assert plan.clipping is not None
    assert plan.is_refinable, "with a single threshold"
    assert holding_of(plan, {}, SCHEMA.catalog.database) is None


def test_what_a_part_is_worth_is_what_its_noise_is() -> None:
    """The interval of a question at the worth of its part holds 95 % of what is added up."""
    pairs = [(region, smoker) for (region,) in REGIONS for smoker in ("t", "f", None)]
    parts = "SELECT region, smoker, count(*), avg(height) FROM patients GROUP BY 1, 2"
    made = found("SELECT region, count(*) FROM patients GROUP BY 1", parts, REGIONS, pairs)
    assert made is not None
    other, plan = planned(parts), planned("SELECT region, count(*) FROM patients GROUP BY 1")
    told = plan.at_rho(min(made[0].worths) * other.rho).mechanisms[0]
    noise = other.mechanisms[0].draw(3 * 100_000).reshape(3, -1).sum(axis=0)
    assert abs(np.std(noise) / told.standard_deviation - 1) < 0.01
    covered = float(np.mean(np.abs(noise) <= told.half_width(0.95)))
    assert 0.945 < covered < 0.96


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("SELECT count(*) FILTER (WHERE region = 'Jane Q Doe') FROM patients", "an answer over public.patients"),
        (
            "SELECT region, region = 'Jane Q Doe', count(*) FROM patients GROUP BY 1, 2",
            "an answer over public.patients by region and an expression",
        ),
    ],
)
def test_what_others_are_told_of_a_question_has_none_of_its_constants(query: str, label: str) -> None:
    assert holding(planned(query)).held.label == label
