"""What releases cost, as far as some thousand of them show, is below what they claim."""

from __future__ import annotations

import pytest

from tests.audit.databases import Databases
from tests.audit.lower_bounds import CHECKS, Check, bounds, recorded

RELEASES = 1500
_QUICK = [check for check in CHECKS if "CUBE" not in check.statements[-1] and "percentile" not in check.statements[-1]]


@pytest.mark.parametrize("check", _QUICK, ids=lambda check: " ".join(check.statements))
def test_a_release_costs_no_more_than_it_claims(check: Check, databases: Databases) -> None:
    ((_, smaller, whole),) = recorded(databases, [check])
    for bound in bounds(check, smaller, whole, RELEASES):
        assert bound.holds, str(bound)


def test_lower_bounds_are_near_the_claim_where_one_number_is_released(databases: Databases) -> None:
    """A bound of next to nothing would find nothing."""
    ((check, smaller, whole),) = recorded(databases, CHECKS[:1])
    assert max(bound.lower for bound in bounds(check, smaller, whole)) > 0.6
