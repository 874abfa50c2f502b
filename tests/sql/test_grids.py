"""Grids of sums: no value is farther from 0 than sums can hold, and values are told apart or the sum is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.sql.planning.grids import grid_of, rounding_of
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import DOUBLE, NUMERIC

MOST = 2**45
LIMITS = st.builds(
    lambda digits, exponent, sign: Fraction(digits) * Fraction(10) ** exponent * sign,
    st.integers(0, 10**9),
    st.integers(-20, 60),
    st.sampled_from([-1, 1]),
)
WIDTHS = st.one_of(st.just(Fraction(0)), LIMITS.map(abs))
STEPS = st.none() | st.integers(-9, 30).map(lambda exponent: Fraction(10) ** exponent)


@given(low=LIMITS, width=WIDTHS, step=STEPS, centred=st.booleans(), is_float=st.booleans())
def test_a_grid_tells_values_apart_or_the_sum_is_refused(
    low: Fraction, width: Fraction, step: Fraction | None, centred: bool, is_float: bool
) -> None:
    bounds = Bounds(low, low + width)
    value = Term("x", DOUBLE if is_float else NUMERIC, bounds=bounds, step=step)
    grid = grid_of(value, centred=centred)
    assert max(abs(grid.low), abs(grid.high)) <= MOST * (1 + Fraction(1, 10**12)) + 1
    # Clamping and truncating move a value by less than a cell.
    assert grid.low * grid.step <= bounds.low + grid.step
    assert grid.high * grid.step >= bounds.high - grid.step
    rounding = rounding_of(value)
    if rounding is not None:
        assert grid.step == rounding > width / 1000
        assert grid.step > bounds.magnitude / MOST / 10 - Fraction(1, 10**40)
    elif width and grid.step != step:
        assert grid.step <= width / 1000


@pytest.mark.parametrize(
    ("low", "high", "step", "rounding"),
    [
        ("9e17", "900000000000000240", "1", Fraction(10**5)),
        ("-9e17", "-899999999999999760", "1", Fraction(10**5)),
        ("1e12", "1000000000240", "1", None),
        ("9e17", "9e17", None, None),
        ("1704103200", "1704103260", "0.000001", None),
        ("0", "1e30", None, None),
    ],
)
def test_what_is_far_from_0_is_rounded(low: str, high: str, step: str | None, rounding: Fraction | None) -> None:
    bounds = Bounds(Fraction(low), Fraction(high))
    value = Term("x", NUMERIC, bounds=bounds, step=Fraction(step) if step is not None else None)
    assert rounding_of(value) == rounding


@pytest.mark.parametrize(("low", "high"), [("0", "200000"), ("-5", "6"), ("0.25", "0.75"), ("7", "7")])
def test_floats_have_the_bounds_of_the_policy_as_other_numbers_have(low: str, high: str) -> None:
    bounds = Bounds(Fraction(low), Fraction(high))
    of_floats, of_others = (grid_of(Term("x", type_, bounds=bounds), centred=True) for type_ in (DOUBLE, NUMERIC))
    assert of_floats == of_others
    assert of_floats.shown[:2] == (bounds.low, bounds.high)


def test_seconds_of_a_minute_in_this_century_keep_four_places() -> None:
    bounds = Bounds(Fraction(1_704_103_200), Fraction(1_704_103_260))
    value = Term("x", NUMERIC, bounds=bounds, step=Fraction(1, 10**6))
    grid = grid_of(value, centred=True)
    assert (grid.step, grid.reach) == (Fraction(1, 10**4), 300_000)
