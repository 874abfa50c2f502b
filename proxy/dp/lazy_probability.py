"""Probabilities computed to as many bits as a comparison needs, so that none is ever rounded.

A Bernoulli(p) draw asks whether a uniform U in [0, 1) is below p. The leading bits of U almost always decide; on a tie
more bits of both are produced, those of p by integer interval arithmetic. The law is exactly Bernoulli(p).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from proxy.dp.randomness import uniform_bits

_STEP = 64
"""Bits of the uniform number drawn at a time after a tie of its first word."""

_LADDER_GUARD = 32
"""Extra bits, so that the bounds of `geometric_digits` rarely disagree on the requested ones."""

_Bounds = Callable[[int], tuple[int, int]]


def exponential_bounds(exponent: Fraction, precision: int) -> tuple[int, int]:
    """Integers (low, high) with low <= 2**precision * exp(-exponent) <= high, for exponent >= 0.

    exp(-x) = (1 / exp(x / 2**k)) ** (2**k) with x / 2**k <= 1/2. Every division rounds outwards.
    """
    if exponent == 0:
        return 1 << precision, 1 << precision
    if exponent > precision:
        return 0, 1  # exp(-x) < 2**-x
    halvings = int(exponent).bit_length() + 1
    working = precision + halvings + 32
    low, high = _small_exponential_bounds(exponent / 2**halvings, working)
    one_squared = 1 << (2 * working)
    low, high = one_squared // high, _ceil_division(one_squared, low)
    for _ in range(halvings):
        low = (low * low) >> working
        high = _ceil_shift(high * high, working)
    surplus = working - precision
    return low >> surplus, _ceil_shift(high, surplus)


def _small_exponential_bounds(exponent: Fraction, precision: int) -> tuple[int, int]:
    """Bounds of 2**precision * exp(exponent) for 0 < exponent <= 1/2, by the Taylor series of positive terms.

    Each term is its predecessor times exponent / n <= 1/2, rounded down, so it is short by less than 2 units. The terms
    after the first that rounds to zero add less than 2 + 1 + 1/2 + … = 4 units.
    """
    numerator, denominator = exponent.numerator, exponent.denominator
    term = total = 1 << precision
    count = 0
    while term:
        count += 1
        term = term * numerator // (denominator * count)
        total += term
    return total, total + 2 * count + 4


def _logistic_bounds(exponential: tuple[int, int], precision: int) -> tuple[int, int]:
    """Bounds of 1 / (1 + exp(x)) from those of exp(-x)."""
    low, high = exponential
    one = 1 << precision
    return (low << precision) // (one + low), _ceil_division(high << precision, one + high)


def _ceil_division(numerator: int, denominator: int) -> int:
    return -(-numerator // denominator)


def _ceil_shift(value: int, bits: int) -> int:
    return -(-value >> bits)


def doubled_exponential_bounds(exponent: Fraction, count: int, precision: int) -> list[tuple[int, int]]:
    """Integers (low, high) with low <= 2**precision * exp(-exponent * 2**i) <= high for each i < count.

    Each pair is the square of the one before, rounded outwards. Squaring a number below 1 at most doubles the distance
    of its bounds and adds two units, so that `count` more bits on the way leave a few units.
    """
    surplus = count + 16
    working = precision + surplus
    low, high = exponential_bounds(exponent, working)
    bounds = []
    for _ in range(count):
        bounds.append((low >> surplus, _ceil_shift(high, surplus)))
        low, high = (low * low) >> working, _ceil_shift(high * high, working)
    return bounds


class LazyProbability:
    """A number p in [0, 1], given by bounds that narrow as the precision grows.

    Args:
        bounds: maps a precision b to integers (low, high) with low <= 2**b * p <= high. If p is a binary fraction, its
            bounds must be equal where the precision holds all its digits: otherwise its leading bits are never certain.
    """

    def __init__(self, bounds: _Bounds) -> None:
        self._bounds = bounds
        self._known = (0, 0)  # (bits, leading bits); replaced whole, so threads may share the object

    @classmethod
    def exponential(cls, exponent: Fraction) -> LazyProbability:
        """p = exp(-exponent) for a rational exponent >= 0 (irrational unless the exponent is 0: Lindemann)."""
        return cls(lambda precision: exponential_bounds(exponent, precision))

    @classmethod
    def logistic(cls, exponent: Fraction, doublings: int = 0) -> LazyProbability:
        """p = 1 / (1 + exp(exponent * 2**doublings)) for a rational exponent > 0."""
        return cls(lambda bits: _logistic_bounds(exponential_bounds(exponent * 2**doublings, bits), bits))

    @classmethod
    def geometric_digits(cls, rate: Fraction, digits: int, bits: int) -> list[LazyProbability]:
        """The laws of the parts of a geometric G with P[G = g] ∝ exp(-rate * g).

        First its binary digits, `logistic(rate, i)` for i < digits, then the chance that G is at least 2**digits,
        `exponential(rate * 2**digits)`. A single exponential gives the first `bits` bits of all of them beforehand.
        """
        precision = bits + _LADDER_GUARD
        bounds = doubled_exponential_bounds(rate, digits + 1, precision)
        lazy = [*(cls.logistic(rate, i) for i in range(digits)), cls.exponential(rate * 2**digits)]
        bounds = [_logistic_bounds(pair, precision) for pair in bounds[:-1]] + bounds[-1:]
        for probability, (low, high) in zip(lazy, bounds, strict=True):
            if low >> _LADDER_GUARD == high >> _LADDER_GUARD:
                probability._known = (bits, low >> _LADDER_GUARD)
            else:
                probability.leading_bits(bits)  # the bounds lie on both sides of a change of these bits
        return lazy

    def leading_bits(self, count: int) -> int:
        """floor(2**count * p), exactly."""
        known, bits = self._known
        if known >= count:
            return bits >> (known - count)
        guard = 16
        while True:
            low, high = self._bounds(count + guard)
            if low >> guard == high >> guard:
                self._known = (count, low >> guard)
                return low >> guard
            guard *= 2

    def exceeds(self, word: int, bits: int) -> bool:
        """Is p greater than a uniform number whose leading `bits` bits are `word`? Ties draw further bits."""
        while True:
            leading = self.leading_bits(bits)
            if word != leading:
                return word < leading
            word = (word << _STEP) | uniform_bits(_STEP)
            bits += _STEP

    def draw(self) -> bool:
        """One Bernoulli(p) draw."""
        return self.exceeds(uniform_bits(_STEP), _STEP)
