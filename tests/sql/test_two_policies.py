"""Of two private tables whose policies differ the stricter limit counts, and the wider bound on a unit's rows."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proxy.errors import DpproxyError, InvalidSettingError
from proxy.policy.catalog import Catalog
from proxy.policy.model import Policy
from proxy.settings import QuerySettings
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.pricing import Contribution
from tests.end_to_end import clinic
from tests.sql.test_planning import catalog, plan

__all__ = ["catalog"]

BOTH = "SELECT count(*) FROM visits v JOIN patients p USING (patient_id)"
SELECTED = "SELECT v.diagnosis, count(*) FROM visits v JOIN patients p USING (patient_id) GROUP BY 1"

ORDERS = pytest.mark.parametrize("first", ["visits", "patients"])
"""Which of the two tables has the first of two settings."""


def _policies(first: str, one: dict[str, object], other: dict[str, object]) -> Policy:
    second = "patients" if first == "visits" else "visits"
    return clinic.policy(**{first: one, second: other})


def _both(policy: Policy, catalog: Catalog, text: str = BOTH, **settings: object) -> BlockPlan:
    return plan(text, catalog, policy, QuerySettings(**settings))  # type: ignore[arg-type]


def _refused(policy: Policy, catalog: Catalog, text: str = BOTH, **settings: object) -> DpproxyError:
    with pytest.raises(InvalidSettingError) as refusal:
        _both(policy, catalog, text, **settings)
    return refusal.value


@ORDERS
def test_the_wider_bounds_on_a_units_rows_count(first: str, catalog: Catalog) -> None:
    policy = _policies(
        first,
        {"contribution": {"max_rows": 30, "max_rows_per_group": 4, "max_groups": 9}},
        {"contribution": {"max_rows": 8, "max_rows_per_group": 6, "max_groups": 3}},
    )
    assert _both(policy, catalog, f"{BOTH} GROUP BY v.region").contribution == Contribution(30, 6, 9)


def test_a_group_has_no_more_rows_of_a_unit_than_the_query(catalog: Catalog) -> None:
    assert _both(clinic.policy(), catalog, max_rows=3).contribution.max_rows_per_group == 3


def test_a_unit_counts_in_one_group_at_least() -> None:
    assert Contribution(3, 10, 5).groups == 1
    assert Contribution(9, 2, 5).groups == Fraction(9, 2)
    assert Contribution(9, 2, 5, has_groups=False).groups == 1


@ORDERS
def test_the_lower_max_epsilon_counts(first: str, catalog: Catalog) -> None:
    policy = _policies(first, {"query": {"max_epsilon": "0.7"}}, {"query": {"max_epsilon": "2"}})
    assert _both(policy, catalog, epsilon=Fraction("0.7")).guarantee.epsilon == Fraction("0.7")
    refusal = _refused(policy, catalog, epsilon=Fraction("0.8"))
    assert (refusal.rule, refusal.sqlstate, refusal.hint) == ("setting-limit", "22023", "SET dp.epsilon = 0.7;")


@ORDERS
def test_the_higher_min_epsilon_counts(first: str, catalog: Catalog) -> None:
    policy = _policies(
        first,
        {"query": {"epsilon": "0.05", "min_epsilon": "0.01", "max_epsilon": "2"}},
        {"query": {"epsilon": "0.5", "min_epsilon": "0.2", "max_epsilon": "2"}},
    )
    refusal = _refused(policy, catalog, epsilon=Fraction("0.1"))
    assert (refusal.rule, refusal.sqlstate, refusal.hint) == ("least-epsilon", "22023", "SET dp.epsilon = 0.2;")
    # The default is the lower one, raised to what the other table requires.
    assert _both(policy, catalog).guarantee.epsilon == Fraction("0.2")


def test_a_block_has_the_lower_default_epsilon_and_costs_no_less_than_the_least(catalog: Catalog) -> None:
    policy = _policies("visits", {"query": {"epsilon": "0.3", "min_epsilon": "0.1"}}, {"query": {"epsilon": "0.4"}})
    assert _both(policy, catalog).guarantee.epsilon == Fraction("0.3")


@ORDERS
def test_limits_that_leave_no_price_are_said_so(first: str, catalog: Catalog) -> None:
    policy = _policies(
        first, {"query": {"epsilon": "0.1"}}, {"query": {"epsilon": "1", "min_epsilon": "0.5", "max_epsilon": "2"}}
    )
    refusal = _refused(policy, catalog)
    assert (refusal.rule, refusal.sqlstate) == ("no-price", "22023")


@ORDERS
def test_the_smaller_delta_of_the_accounts_limits_a_stated_one(first: str, catalog: Catalog) -> None:
    policy = _policies(
        first,
        {"budget": {"epsilon": "10", "delta": "1e-8"}, "per_analyst": None},
        {"budget": {"epsilon": "10", "delta": "1e-5"}, "per_analyst": None},
    )
    assert _both(policy, catalog, delta=Fraction("1e-8")).guarantee.delta == Fraction("1e-8")
    refusal = _refused(policy, catalog, delta=Fraction("1e-7"))
    assert (refusal.rule, refusal.sqlstate) == ("delta-limit", "22023")


@ORDERS
def test_the_smaller_stated_delta_counts(first: str, catalog: Catalog) -> None:
    price = {"epsilon": "0.5", "calibration": "zcdp"}
    policy = _policies(first, {"query": price | {"delta": "1e-7"}}, {"query": price | {"delta": "1e-9"}})
    assert _both(policy, catalog).guarantee.delta == Fraction("1e-9")


@ORDERS
def test_the_greater_number_of_units_makes_a_group_show(first: str, catalog: Catalog) -> None:
    bounds = {"max_rows": 20}
    policy = _policies(first, {"contribution": bounds | {"min_units": 40}}, {"contribution": bounds | {"min_units": 7}})
    selection = _both(policy, catalog, SELECTED).selection
    assert selection is not None
    assert selection.min_units == 40


def test_selected_keys_have_half_of_a_stated_delta_and_at_most_a_quarter(catalog: Catalog) -> None:
    budget: dict[str, object] = {"budget": {"epsilon": "10", "delta": "0.9"}, "per_analyst": None}
    policy = _policies("visits", budget, budget)
    small = _both(policy, catalog, SELECTED, delta=Fraction("1e-6"))
    assert small.selection is not None
    assert small.selection.delta == Fraction("5e-7")
    assert small.guarantee.noise_delta == Fraction("5e-7")
    large = _both(policy, catalog, SELECTED, delta=Fraction("0.8"))
    assert large.selection is not None
    assert large.selection.delta == Fraction("0.25")


def test_the_limits_themselves_are_allowed(catalog: Catalog) -> None:
    policy = _policies(
        "visits",
        {"query": {"epsilon": "0.5", "min_epsilon": "0.5", "max_epsilon": "2"}},
        {"query": {"epsilon": "0.5", "max_epsilon": "0.5"}},
    )
    assert _both(policy, catalog, epsilon=Fraction("0.5")).guarantee.epsilon == Fraction("0.5")


def test_many_small_parts_cost_no_less_rho_than_the_least_price(catalog: Catalog) -> None:
    price: dict[str, object] = {"query": {"epsilon": "0.5", "min_epsilon": "0.5"}}
    text = "SELECT count(*), sum(v.minutes), sum(v.cost), sum(v.score), sum(v.discount) FROM visits v JOIN patients p USING (patient_id)"
    block = _both(_policies("visits", price, price), catalog, text, mechanism="laplace")
    assert len(block.statistics) == 5
    assert sum(mechanism.price.rho for mechanism in block.mechanisms) < Fraction("0.125")
    assert block.price.rho == Fraction("0.125")


@ORDERS
def test_the_smaller_delta_selects_keys(first: str, catalog: Catalog) -> None:
    policy = _policies(
        first, {"query": {"epsilon": "0.5", "delta": "1e-7"}}, {"query": {"epsilon": "0.5", "delta": "1e-9"}}
    )
    selection = _both(policy, catalog, SELECTED).selection
    assert selection is not None
    assert selection.delta == Fraction("1e-9")
