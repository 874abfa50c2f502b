"""Of how few rows or units a chosen value may be any value is told, in the policy's own word and with the ends."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proxy.sql.explain import explain_block
from proxy.sql.planning.accuracy import choice_error, scarcity_text
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.wording import plural
from proxy.sql.replacing import replace
from tests.planned import plan_of
from tests.plans.schema import SCHEMA

PER_PATIENT = "(SELECT patient_id, count(*) AS n FROM stays GROUP BY 1) AS t"


def told(query: str) -> str:
    return scarcity_text(plan_of(query, SCHEMA))


def reach(plan: BlockPlan) -> float:
    return float(choice_error(plan, 0).split()[2])


@pytest.mark.parametrize("call", ["max(n)", "min(n)", "percentile_disc(0.5) WITHIN GROUP (ORDER BY n)"])
def test_twice_the_rank_error_is_the_least_number_of_units(call: str) -> None:
    plan = plan_of(f"SELECT {call} FROM {PER_PATIENT}", SCHEMA)
    text = scarcity_text(plan)
    assert text.startswith("Of fewer than about ")
    assert text.endswith(f" patients {plan.aggregates[0].label} may be any value from 0 to 1000000")
    assert int(text.split()[4]) == pytest.approx(2 * reach(plan), abs=1)


@pytest.mark.parametrize(
    ("select", "expected"),
    [
        ("max(cost) FROM visits", " patients, as they count, max(cost) may be any value from 0 to 1000"),
        ("min(cost), max(cost) FROM visits", " min(cost) and max(cost) may be any value from 0 to 1000"),
        ("percentile_disc(0.9) WITHIN GROUP (ORDER BY cost) FROM visits", " may be any value up to 1000"),
        ("percentile_disc(0.1) WITHIN GROUP (ORDER BY cost) FROM visits", " may be any value down to 0"),
        ("max(visited_at::date) FROM visits", " may be any value from 2024-01-01 to 2025-12-31"),
        ("min(visited_at::date) FROM visits WHERE visited_at > '2024-05-01'", " may be any value within the bounds"),
        ("min(diagnosis) FROM visits", " may be any of the values"),
    ],
)
def test_the_values_that_it_may_be_are_told(select: str, expected: str) -> None:
    assert told(f"SELECT {select}").endswith(expected)


def test_of_a_quantile_nearer_to_an_end_more_rows_are_needed() -> None:
    half, tenth = (
        plan_of(f"SELECT percentile_disc({fraction}) WITHIN GROUP (ORDER BY cost) FROM visits", SCHEMA)
        for fraction in ("0.5", "0.9")
    )
    numbers = [int(scarcity_text(plan).split()[4]) for plan in (half, tenth)]
    assert numbers == [pytest.approx(2 * reach(half), abs=1), pytest.approx(10 * reach(tenth), abs=1)]


def test_several_fractions_and_groups_are_told() -> None:
    text = told("SELECT region, percentile_disc(ARRAY[0.1, 0.5]) WITHIN GROUP (ORDER BY cost) FROM visits GROUP BY 1")
    assert text.startswith("In groups of fewer than about ")
    assert " rows, as they count, some of percentile_disc(" in text


def test_a_limit_that_the_query_chooses_is_named() -> None:
    text = told("SELECT nights > 3, percentile_disc(0.5) WITHIN GROUP (ORDER BY nights) FROM stays GROUP BY 1")
    assert " rows, as they count, times the limit, percentile_disc(" in text


def test_nothing_is_told_where_one_unit_is_enough_or_nothing_is_chosen_by_rank() -> None:
    assert told("SELECT count(*) FROM visits") == ""
    assert told("SELECT mode() WITHIN GROUP (ORDER BY urgent) FROM visits") == ""
    plan = plan_of("SELECT max(height) FROM patients", SCHEMA)
    much = [replace(mechanism, epsilon=Fraction(10**4)) for mechanism in plan.choosing]
    assert scarcity_text(plan)
    assert scarcity_text(replace(plan, choosing=tuple(much))) == ""


def test_explain_says_it_after_the_rank_error() -> None:
    plan = plan_of(f"SELECT max(n) FROM {PER_PATIENT}", SCHEMA)
    (line,) = (line for line in explain_block(plan) if "Choice 1" in line)
    few = scarcity_text(plan).partition(" patients")[0].removeprefix("Of ")
    assert line.endswith(f" from the rank that is sought; of {few} patients it may be any value from 0 to 1000000")


@pytest.mark.parametrize(
    ("unit", "several"),
    [("customer", "customers"), ("company", "companies"), ("key", "keys"), ("box", "boxes"), ("users", "users")],
)
def test_units_are_told_in_the_plural(unit: str, several: str) -> None:
    assert plural(unit) == several
