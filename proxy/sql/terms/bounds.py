"""Interval arithmetic over exact rationals: bounds of an expression from the bounds of its parts (theorem 2)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

_BITS_OF_REAL = 24


@dataclass(frozen=True)
class Bounds:
    """A closed interval [low, high] of rationals, low <= high."""

    low: Fraction
    high: Fraction

    def __post_init__(self) -> None:
        if self.low is not self.high and self.low > self.high:
            raise ValueError(f"an interval needs low <= high, got [{self.low}, {self.high}]")

    @classmethod
    def point(cls, value: Fraction | int) -> Bounds:
        exact = Fraction(value)
        return cls(exact, exact)

    @property
    def width(self) -> Fraction:
        return self.high - self.low

    @property
    def magnitude(self) -> Fraction:
        return max(abs(self.low), abs(self.high))

    def contains(self, value: Fraction | int) -> bool:
        return self.low <= value <= self.high

    def hull(self, other: Bounds) -> Bounds:
        """The smallest interval that contains both (CASE, COALESCE)."""
        return Bounds(min(self.low, other.low), max(self.high, other.high))

    def __neg__(self) -> Bounds:
        return Bounds(-self.high, -self.low)

    def __add__(self, other: Bounds) -> Bounds:
        return Bounds(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Bounds) -> Bounds:
        return self + -other

    def __mul__(self, other: Bounds) -> Bounds:
        return _spanning(a * b for a in (self.low, self.high) for b in (other.low, other.high))

    def to_the_power(self, exponent: int) -> Bounds:
        """The interval of the powers, for a whole exponent >= 1."""
        powers = _spanning([self.low**exponent, self.high**exponent])
        return powers.hull(Bounds.point(0)) if self.contains(0) else powers

    def widened(self, by: Fraction) -> Bounds:
        """The interval with so much more on both sides."""
        return Bounds(self.low - by, self.high + by)

    def truncated(self, unit: Fraction) -> Bounds:
        """The interval of the whole numbers of units, rounded toward zero."""
        return Bounds(Fraction(math.trunc(self.low / unit)), Fraction(math.trunc(self.high / unit)))

    def onto_grid(self, step: Fraction) -> Bounds:
        """The smallest interval between multiples of `step` that contains this one (for any rounding)."""
        return Bounds((self.low // step) * step, -((-self.high) // step) * step)

    def inside(self, most: Fraction) -> Bounds:
        """The interval where numbers beyond `most` in size do not count."""
        return Bounds(min(max(self.low, -most), most), min(max(self.high, -most), most))

    def to_digits(self, digits: int) -> Bounds:
        """The smallest interval between numbers with so many significant digits that contains this one."""
        return Bounds(_to_digits(self.low, digits, ROUND_FLOOR), _to_digits(self.high, digits, ROUND_CEILING))

    def onto_reals(self) -> Bounds:
        """The smallest interval between single-precision floats that contains this one."""
        return Bounds(-_up_to_real(-self.low), _up_to_real(self.high))

    def absolute(self) -> Bounds:
        low = Fraction(0) if self.contains(0) else min(abs(self.low), abs(self.high))
        return Bounds(low, self.magnitude)


def _to_digits(value: Fraction, digits: int, rounding: str) -> Fraction:
    context = Context(prec=digits, rounding=rounding, Emin=MIN_EMIN, Emax=MAX_EMAX)
    return Fraction(context.divide(Decimal(value.numerator), Decimal(value.denominator)))


def nearest_real(value: Fraction) -> Fraction:
    """The single-precision float that is nearest to a number, as Postgres reads it."""
    cell = _cell_of_reals(value)
    return round(value / cell) * cell


def _up_to_real(value: Fraction) -> Fraction:
    cell = _cell_of_reals(value)
    return -(-value // cell) * cell


def _cell_of_reals(value: Fraction) -> Fraction:
    above, below = abs(value.numerator), value.denominator
    exponent = above.bit_length() - below.bit_length()
    if abs(value) >= Fraction(2) ** exponent:
        exponent += 1
    return Fraction(2) ** (exponent - _BITS_OF_REAL)


def _spanning(values: Iterable[Fraction]) -> Bounds:
    points = list(values)
    return Bounds(min(points), max(points))
