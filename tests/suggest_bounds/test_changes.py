"""What of the chosen bounds is written into a policy."""

from __future__ import annotations

from decimal import Decimal

from proxy.policy.model import ContributionPolicy
from proxy.suggest_bounds.changes import policy_changes
from proxy.suggest_bounds.choosing import SuggestedBounds, Suggestions


def test_bounds_that_may_come_from_too_few_units_are_not_written() -> None:
    """They would clip nearly every value without a word."""
    found = SuggestedBounds("minutes", Decimal(0), Decimal(240), at_low_end=False)
    doubtful = SuggestedBounds("cost", Decimal(0), Decimal("0.00002"), at_low_end=True)
    changes = policy_changes("public.visits", ContributionPolicy(), Suggestions(None, None, (found, doubtful)))
    assert changes == {("tables", "public.visits", "columns", "minutes", "bounds"): (Decimal(0), Decimal(240))}


def test_fewer_rows_of_a_unit_are_fewer_in_a_group() -> None:
    known = ContributionPolicy(max_rows=100, max_rows_per_group=50)
    changes = policy_changes("public.visits", known, Suggestions(20, None, ()))
    place = ("tables", "public.visits", "contribution")
    assert changes == {(*place, "max_rows"): 20, (*place, "max_rows_per_group"): 20}
