"""Exact draws with P[item] ∝ exp(-rate · loss) for integer losses (theorem 9).

Losses come in runs, arithmetic progressions of equal or growing losses: a histogram of a huge domain is a few runs for
each bucket that holds anything, and a bucket's width is the length of a run of equal losses. Floats decide where a
proven margin allows it; on a tie every mass is computed by integer interval arithmetic, as precisely as needed. So no
probability is rounded.
"""

from __future__ import annotations

import operator
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proxy.dp.lazy_probability import LazyProbability, exponential_bounds
from proxy.dp.noise import IntegerArray
from proxy.dp.randomness import uniform_bits

_INT64_LIMIT = 2**61
"""Sums and differences of two numbers up to this stay within int64."""

_FLOAT_LIMIT = 2.0**200
"""Up to here, products of two numbers neither overflow a float nor lose digits to underflow."""

_WORD_BITS = 64

_MARGIN = 2.0**-38

_LARGEST_EXPONENT = 700.0

_FIRST_PRECISION = 128


@dataclass(frozen=True, eq=False)
class Runs:
    """Run i holds the losses first[i] + j·step[i] for 0 <= j < count[i].

    Attributes:
        first: integers, of any sign; only differences matter.
        step: integers >= 0.
        count: integers >= 0, at least one of them positive.

    Raises:
        ValueError: arrays of different lengths, a negative step or count, or nothing to choose from.
        TypeError: numbers that are not integers.
    """

    first: IntegerArray
    step: IntegerArray
    count: IntegerArray

    def __post_init__(self) -> None:
        for field in ("first", "step", "count"):
            object.__setattr__(self, field, integers(getattr(self, field)))
        if not len(self.first) == len(self.step) == len(self.count):
            raise ValueError("runs need as many first losses as steps and counts")
        if (self.step < 0).any() or (self.count < 0).any():
            raise ValueError("the steps and counts of runs must not be negative")
        if not (self.count > 0).any():
            raise ValueError("there is nothing to choose from")


def integers(values: IntegerArray | Sequence[int]) -> IntegerArray:
    """A one-dimensional int64 array, or one of Python integers if two values might not be added in int64.

    Raises:
        TypeError: a value is not an integer.
        ValueError: not one-dimensional.
    """
    array = np.asarray(values) if len(values) else np.zeros(0, dtype=np.int64)
    if array.ndim != 1:
        raise ValueError(f"expected a one-dimensional array, got {array.ndim} dimensions")
    if array.dtype.kind not in "iu":
        if any(isinstance(value, bool | np.bool_) for value in values):
            raise TypeError("expected integers, got booleans")
        array = np.array([operator.index(value) for value in values], dtype=object)
    if len(array) and max(abs(int(array.min())), abs(int(array.max()))) > _INT64_LIMIT:
        return array.astype(object, copy=False)
    return array.astype(np.int64, copy=False)


def draw_run(runs: Runs, rate: Fraction, margin: float = _MARGIN) -> int:
    """The index of a run, drawn with the total mass of its items.

    A float mass has a relative error of at most 2**-40: the exponent is at most 700 or the mass vanishes, and its
    relative error is below 2**-51; a geometric sum changes by no greater part than its exponent does. Sums add an error
    of 2**-53 for each item. The slack is more than twice all of that.

    Args:
        runs: what to choose from.
        rate: > 0, exact.
        margin: a draw nearer than this part of the whole to a boundary is decided exactly. Every value of at least
            2**-39 gives the same law; 1 decides every draw exactly.
    """
    kept = np.flatnonzero(runs.count)
    loss, step, count = runs.first[kept], runs.step[kept], runs.count[kept]
    loss -= loss.min()
    word = uniform_bits(_WORD_BITS)
    if _floats_suffice(rate, loss, step, count):
        sums = np.cumsum(_float_masses(float(rate), loss, step, count))
        whole = float(sums[-1])
        slack = whole * (margin + len(sums) * 2.0**-51)
        nearest = int(np.searchsorted(sums, word * 2.0**-_WORD_BITS * whole - slack, side="right"))
        farthest = int(np.searchsorted(sums, (word + 1) * 2.0**-_WORD_BITS * whole + slack, side="left"))
        if nearest == farthest < len(sums):
            return int(kept[nearest])
    return int(kept[_draw_exactly(list(zip(loss, step, count, strict=True)), rate, word)])


def draw_offset(step: int, count: int, rate: Fraction) -> int:
    """An index below `count` with P[j] ∝ exp(-rate·step·j).

    Below a power of two the binary digits of j are independent, digit i being 1 with probability
    1 / (1 + exp(2**i·rate·step)). Of the draws below the next power of two at least half are below `count`.

    Args:
        step: >= 0.
        count: >= 1.
        rate: > 0, exact.
    """
    digits = (count - 1).bit_length()
    chances = [LazyProbability.logistic(rate * step * 2**i) for i in range(digits)] if step else []
    while True:
        offset = sum(chance.draw() << i for i, chance in enumerate(chances)) if step else uniform_bits(digits)
        if offset < count:
            return offset


def _floats_suffice(rate: Fraction, *parts: IntegerArray) -> bool:
    if not 1 / _FLOAT_LIMIT < rate < _FLOAT_LIMIT:
        return False
    return all(part.dtype != object or part.max() < _FLOAT_LIMIT for part in parts)


def _float_masses(rate: float, loss: IntegerArray, step: IntegerArray, count: IntegerArray) -> NDArray[np.float64]:
    # Products with numbers below the least normal float are slow, and exp(-700) vanishes beside the slack.
    masses: NDArray[np.float64] = np.exp(-np.minimum(loss.astype(np.float64) * rate, _LARGEST_EXPONENT))
    falling = np.flatnonzero(step)
    lengths = count.astype(np.float64)
    if len(falling):
        decay = step[falling].astype(np.float64) * -rate
        with np.errstate(under="ignore"):
            lengths[falling] = np.expm1(decay * lengths[falling]) / np.expm1(decay)
    masses *= lengths
    return masses


def _draw_exactly(runs: Sequence[tuple[Any, Any, Any]], rate: Fraction, word: int) -> int:
    """The run whose part of [0, 1) holds the uniform number that begins with `word`, decided by interval arithmetic.

    Ends with probability 1, since a uniform number is a boundary with probability 0.
    """
    bits, precision = _WORD_BITS, _FIRST_PRECISION
    while True:
        additional = precision - bits
        word, bits = (word << additional) | uniform_bits(additional), precision
        bounds = [_mass_bounds(int(loss), int(step), int(count), rate, precision) for loss, step, count in runs]
        low = list(accumulate(bound[0] for bound in bounds))
        high = list(accumulate(bound[1] for bound in bounds))
        # C <= U·W for certain where high <= word·W_low, and U·W < C where (word + 1)·W_high <= low, in 2**-bits.
        index = bisect_right(high, word * low[-1] >> bits)
        if index == bisect_left(low, -(-(word + 1) * high[-1] >> bits)) < len(bounds):
            return index
        precision *= 2


def _mass_bounds(loss: int, step: int, count: int, rate: Fraction, precision: int) -> tuple[int, int]:
    """Integers around 2**precision times the mass exp(-rate·loss)·Σ_{j < count} exp(-rate·step·j)."""
    low, high = exponential_bounds(rate * loss, precision)
    if step == 0 or count == 1:
        return low * count, high * count
    one = 1 << precision
    ratio_low, ratio_high = exponential_bounds(rate * step, precision)
    power_low, power_high = exponential_bounds(rate * step * count, precision)
    # (1 - x^n) / (1 - x); where the precision does not yet tell x from 1, n is the bound.
    sum_low = max(one, ((one - power_high) << precision) // (one - ratio_low))
    sum_high = count << precision
    if ratio_high < one:
        sum_high = min(sum_high, -(-((one - power_low) << precision) // (one - ratio_high)))
    return low * sum_low >> precision, -(-high * sum_high >> precision)
