"""Interval arithmetic contains every result of the operation on members (theorem 2)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from proxy.sql.terms.bounds import Bounds

numbers = st.fractions(min_value=-1000, max_value=1000, max_denominator=50)


@st.composite
def intervals_with_member(draw: st.DrawFn) -> tuple[Bounds, Fraction]:
    low, member, high = sorted(draw(st.tuples(numbers, numbers, numbers)))
    return Bounds(low, high), member


@given(intervals_with_member(), intervals_with_member())
def test_operations_contain_the_results_of_members(
    first: tuple[Bounds, Fraction], second: tuple[Bounds, Fraction]
) -> None:
    (left, a), (right, b) = first, second
    assert (left + right).contains(a + b)
    assert (left - right).contains(a - b)
    assert (left * right).contains(a * b)
    assert (-left).contains(-a)
    assert left.absolute().contains(abs(a))
    assert left.hull(right).contains(a)
    assert left.hull(right).contains(b)
    assert abs(a) <= left.magnitude


@given(intervals_with_member(), intervals_with_member())
def test_quotient_contains_members_and_is_unbounded_across_zero(
    first: tuple[Bounds, Fraction], second: tuple[Bounds, Fraction]
) -> None:
    (left, a), (right, b) = first, second
    quotient = left.divided_by(right)
    if right.contains(0):
        assert quotient is None
        return
    assert quotient is not None
    assert quotient.contains(a / b)


@given(numbers, numbers)
def test_an_interval_needs_its_ends_in_order(low: Fraction, high: Fraction) -> None:
    assume(low > high)
    with pytest.raises(ValueError, match="low <= high"):
        Bounds(low, high)
