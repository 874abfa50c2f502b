"""What releases cost, as far as some thousand of them show, is below what they claim."""

from __future__ import annotations

import pytest

from tests.audit.databases import Databases
from tests.audit.lower_bounds import CHECKS, Check, bounds, recorded
from tests.audit.recorder import Released

RELEASES = 1200
_QUICK = [check for check in CHECKS if "CUBE" not in check.statements[-1] and "percentile" not in check.statements[-1]]
Neighbours = dict[Check, tuple[Released, Released]]


@pytest.fixture(scope="module")
def neighbours(databases: Databases) -> Neighbours:
    """What each check's block measured without the unit, and with it."""
    return {check: (smaller, whole) for check, smaller, whole in recorded(databases, _QUICK)}


@pytest.mark.parametrize("check", _QUICK, ids=lambda check: " ".join(check.statements))
def test_a_release_costs_no_more_than_it_claims(check: Check, neighbours: Neighbours) -> None:
    for bound in bounds(check, *neighbours[check], RELEASES):
        assert bound.holds, str(bound)


def test_lower_bounds_are_near_the_claim_where_one_number_is_released(neighbours: Neighbours) -> None:
    """A bound of next to nothing would find nothing."""
    check = CHECKS[0]
    assert max(bound.lower for bound in bounds(check, *neighbours[check])) > 0.6
