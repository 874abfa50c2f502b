"""Interval arithmetic contains every result of the operation on members (theorem 2)."""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from proxy.sql.terms.arithmetic import quotients, reciprocals
from proxy.sql.terms.bounds import Bounds, nearest_real
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import NUMERIC

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


def _number(bounds: Bounds | None, *, step: Fraction | None = None, high: Fraction | None = None) -> Term:
    return Term("x", NUMERIC, bounds=bounds, step=step, high=high)


@given(intervals_with_member(), intervals_with_member())
def test_a_quotient_contains_those_of_members_and_is_unbounded_next_to_zero(
    first: tuple[Bounds, Fraction], second: tuple[Bounds, Fraction]
) -> None:
    (left, a), (right, b) = first, second
    quotient = quotients(_number(left), _number(right))
    if right.contains(0):
        assert quotient is None or b == 0 or not right.low < 0 < right.high
    else:
        assert quotient is not None
    if quotient is not None and b:
        assert quotient.contains(a / b)


@given(intervals_with_member(), st.integers(-300, 300), st.integers(-300, 300), st.integers(1, 100))
def test_a_quotient_is_bounded_if_the_divisor_is_0_or_a_step_away_from_it(
    first: tuple[Bounds, Fraction], one: int, other: int, cells: int
) -> None:
    (left, a), step = first, Fraction(cells, 100)
    divisors = Bounds(min(one, other) * step, max(one, other) * step)
    for divisor in (one * step, other * step):
        found = [
            quotients(_number(left), _number(divisors, step=step)),
            quotients(_number(left), _number(None, step=step)),
            quotients(_number(left), _number(None, step=step, high=divisors.high)),
        ]
        if divisor:
            assert all(quotient is not None and quotient.contains(a / divisor) for quotient in found)


@pytest.mark.parametrize(
    ("low", "high", "step", "reciprocal"),
    [
        (0, 10, "1", ("0.1", "1")),
        (0, 10, "0.5", ("0.1", "2")),
        (-4, 10, "1", ("-1", "1")),
        (-4, 0, "1", ("-1", "-0.25")),
        (2, 10, "1", ("0.1", "0.5")),
    ],
)
def test_a_divisor_is_as_near_to_0_as_its_bounds_and_step_allow(
    low: int, high: int, step: str, reciprocal: tuple[str, str]
) -> None:
    bounds = Bounds(Fraction(low), Fraction(high))
    expected = Bounds(*map(Fraction, reciprocal))
    assert reciprocals(_number(bounds), Fraction(step)) == expected
    assert quotients(_number(Bounds.point(1)), _number(bounds, step=Fraction(step))) == expected


def test_a_divisor_on_no_grid_or_a_very_fine_one_gives_no_bounds() -> None:
    ones, across = _number(Bounds.point(1)), Bounds(Fraction(0), Fraction(10))
    assert quotients(ones, _number(across)) is None
    assert quotients(ones, _number(across, step=Fraction(1, 1000))) is not None
    assert quotients(ones, _number(across, step=Fraction(1, 10**6))) is None


@given(numbers, numbers)
def test_an_interval_needs_its_ends_in_order(low: Fraction, high: Fraction) -> None:
    assume(low > high)
    with pytest.raises(ValueError, match="low <= high"):
        Bounds(low, high)


FLOATS = st.floats(-1e30, 1e30, allow_subnormal=False).filter(lambda number: number == 0 or abs(number) > 1e-30)


@given(FLOATS)
def test_the_nearest_real_is_that_of_single_precision(number: float) -> None:
    assert nearest_real(Fraction(number)) == Fraction(float(np.float32(number)))


@given(st.tuples(FLOATS, FLOATS, FLOATS).map(sorted))
def test_bounds_of_reals_and_of_rounded_digits_contain_what_becomes_of_members(numbers: list[float]) -> None:
    low, member, high = numbers
    bounds = Bounds(Fraction(low), Fraction(high))
    real = nearest_real(Fraction(member))
    assert bounds.onto_reals().contains(real)
    assert bounds.to_digits(15).contains(Fraction(Context(prec=15).create_decimal(Decimal(member))))
    assert bounds.onto_reals().to_digits(6).contains(Fraction(Context(prec=6).create_decimal(Decimal(float(real)))))


@pytest.mark.parametrize("number", [0, 1, -2.5, 1048.375, 2**24])
def test_bounds_that_are_reals_or_have_few_digits_stay_as_they_are(number: float) -> None:
    point = Bounds.point(Fraction(number))
    assert point.onto_reals() == point.to_digits(15) == point


@pytest.mark.parametrize("number", [Fraction(10) ** 400, -(Fraction(10) ** 400) / 3, Fraction(1, 10**400)])
def test_bounds_of_reals_are_found_beyond_the_range_of_doubles(number: Fraction) -> None:
    bounds = Bounds.point(number).onto_reals()
    assert bounds.contains(number)
    assert bounds.width <= abs(number) / 2**22


@given(intervals_with_member(), st.integers(0, 500))
def test_bounds_inside_a_limit_contain_the_members_inside_it(interval: tuple[Bounds, Fraction], most: int) -> None:
    bounds, member = interval
    assert bounds.inside(Fraction(most)).contains(max(min(member, Fraction(most)), Fraction(-most)))
