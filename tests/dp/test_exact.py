"""Roundings have the direction that they state."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import example, given
from hypothesis import strategies as st

from proxy.dp.exact import ceil_to, floor_to, square_root_above, square_root_below

POSITIVE = st.fractions(Fraction(1, 10**40), 10**40)


@given(POSITIVE)
@example(Fraction(1, 3))
@example(Fraction(2))
@example(Fraction(1, 2**80 + 1))
@example(Fraction(4**40 + 1, 3))
def test_square_roots_are_rounded_in_their_direction_by_less_than_a_part_in_a_thousand_million(value: Fraction) -> None:
    above, below = square_root_above(value), square_root_below(value)
    assert below**2 <= value <= above**2
    assert above**2 < value * (1 + Fraction(1, 2**29))
    assert below**2 > value * (1 - Fraction(1, 2**29))


@given(st.integers(1, 2**200), st.integers(0, 64))
def test_the_root_above_a_number_just_beyond_a_square_is_beyond_the_squares_root(root: int, digits: int) -> None:
    # The next number that the result's digits can tell from a square.
    value = Fraction(root**2) + Fraction(1, 10**60)
    assert square_root_above(value / 4**digits) ** 2 >= value / 4**digits


@given(st.fractions(-(10**6), 10**6), POSITIVE)
def test_multiples_lie_on_their_side_and_no_quantum_away(value: Fraction, quantum: Fraction) -> None:
    assert value <= ceil_to(value, quantum) < value + quantum
    assert value - quantum < floor_to(value, quantum) <= value
