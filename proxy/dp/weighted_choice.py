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
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from typing import Any, NamedTuple

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
    """Run i holds the losses first[i] + j·step[i]/divisor[i] for 0 <= j < count[i], each `weight[i]` times.

    Attributes:
        first: integers, of any sign; only differences matter.
        step: integers >= 0.
        count: integers >= 0.
        divisor: integers >= 1; all 1 if empty.
        weight: integers >= 0, public; all 1 if empty. At least one run has both a count and a weight.

    Raises:
        ValueError: arrays of different lengths, a negative step, count or weight, a divisor that is not positive, or
            nothing to choose from.
        TypeError: numbers that are not integers.
    """

    first: IntegerArray
    step: IntegerArray
    count: IntegerArray
    divisor: IntegerArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    weight: IntegerArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def __post_init__(self) -> None:
        for name in ("first", "step", "count"):
            object.__setattr__(self, name, integers(getattr(self, name)))
        for name in ("divisor", "weight"):
            given = getattr(self, name)
            ones = np.ones(len(self.first), dtype=np.int64)
            object.__setattr__(self, name, integers(given) if len(given) else ones)
        if not len(self.first) == len(self.step) == len(self.count) == len(self.divisor) == len(self.weight):
            raise ValueError("runs need as many first losses as steps, counts, divisors and weights")
        if (self.step < 0).any() or (self.count < 0).any() or (self.weight < 0).any():
            raise ValueError("the steps, counts and weights of runs must not be negative")
        if (self.divisor <= 0).any():
            raise ValueError("the divisors of runs must be positive")
        if not ((self.count > 0) & (self.weight > 0)).any():
            raise ValueError("there is nothing to choose from")

    def kept(self) -> tuple[IntegerArray, _Arrays]:
        """The indices of runs that hold something, and these runs with a least loss of 0."""
        kept = np.flatnonzero((self.count > 0) & (self.weight > 0))
        loss = self.first[kept]
        loss -= loss.min()
        return kept, _Arrays(loss, self.step[kept], self.count[kept], self.divisor[kept], self.weight[kept])

    def and_one(self, loss: int, weight: int) -> Runs:
        """These runs and, as the last one, an item of its own.

        Args:
            loss: its loss.
            weight: how many times it counts, public.
        """
        ends = zip(("first", "step", "count", "divisor", "weight"), (loss, 0, 1, 1, weight), strict=True)
        return Runs(**{name: integers([*getattr(self, name).tolist(), end]) for name, end in ends})

    def step_of(self, run: int) -> Fraction:
        """How much more each item of this run loses than the one before it."""
        return Fraction(int(self.step[run]), int(self.divisor[run]))


class _Arrays(NamedTuple):
    """Runs with the least loss 0, none of them empty."""

    loss: IntegerArray
    step: IntegerArray
    number: IntegerArray
    divisor: IntegerArray
    weight: IntegerArray


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
    relative error is below 2**-50; a geometric sum changes by no greater part than its exponent does. Sums add an error
    of 2**-53 for each item. The slack is more than twice all of that.

    Args:
        runs: what to choose from.
        rate: > 0, exact.
        margin: a draw nearer than this part of the whole to a boundary is decided exactly. Every value of at least
            2**-39 gives the same law; 1 decides every draw exactly.
    """
    kept, arrays = runs.kept()
    word = uniform_bits(_WORD_BITS)
    if _floats_suffice(rate, *arrays):
        sums = np.cumsum(_float_masses(float(rate), arrays))
        whole = float(sums[-1])
        slack = whole * (margin + len(sums) * 2.0**-51)
        nearest = int(np.searchsorted(sums, word * 2.0**-_WORD_BITS * whole - slack, side="right"))
        farthest = int(np.searchsorted(sums, (word + 1) * 2.0**-_WORD_BITS * whole + slack, side="left"))
        if nearest == farthest < len(sums):
            return int(kept[nearest])
    return int(kept[_draw_exactly(list(zip(*arrays, strict=True)), rate, word)])


def draw_offset(step: int | Fraction, count: int, rate: Fraction) -> int:
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


def _float_masses(rate: float, arrays: _Arrays) -> NDArray[np.float64]:
    loss, step, count, divisor, weight = arrays
    # Products with numbers below the least normal float are slow, and exp(-700) vanishes beside the slack.
    masses: NDArray[np.float64] = np.exp(-np.minimum(loss.astype(np.float64) * rate, _LARGEST_EXPONENT))
    falling = np.flatnonzero(step)
    lengths = count.astype(np.float64)
    if len(falling):
        decay = step[falling].astype(np.float64) / divisor[falling].astype(np.float64) * -rate
        with np.errstate(under="ignore"):
            lengths[falling] = np.expm1(decay * lengths[falling]) / np.expm1(decay)
    masses *= lengths * weight.astype(np.float64)
    return masses


def _draw_exactly(runs: Sequence[tuple[Any, ...]], rate: Fraction, word: int) -> int:
    """The run whose part of [0, 1) holds the uniform number that begins with `word`, decided by interval arithmetic.

    Ends with probability 1, since a uniform number is a boundary with probability 0.
    """
    bits, precision = _WORD_BITS, _FIRST_PRECISION
    while True:
        additional = precision - bits
        word, bits = (word << additional) | uniform_bits(additional), precision
        bounds = [_mass_bounds([int(number) for number in run], rate, precision) for run in runs]
        low = list(accumulate(bound[0] for bound in bounds))
        high = list(accumulate(bound[1] for bound in bounds))
        # C <= U·W for certain where high <= word·W_low, and U·W < C where (word + 1)·W_high <= low, in 2**-bits.
        index = bisect_right(high, word * low[-1] >> bits)
        if index == bisect_left(low, -(-(word + 1) * high[-1] >> bits)) < len(bounds):
            return index
        precision *= 2


def _mass_bounds(run: Sequence[int], rate: Fraction, precision: int) -> tuple[int, int]:
    """Integers around 2**precision times the mass weight·exp(-rate·loss)·Σ_{j < count} exp(-rate·j·step/divisor)."""
    loss, step, count, divisor, weight = run
    low, high = exponential_bounds(rate * loss, precision)
    low, high = low * weight, high * weight
    if step == 0 or count == 1:
        return low * count, high * count
    one = 1 << precision
    ratio_low, ratio_high = exponential_bounds(rate * step / divisor, precision)
    power_low, power_high = exponential_bounds(rate * step * count / divisor, precision)
    # (1 - x^n) / (1 - x); where the precision does not yet tell x from 1, n is the bound.
    sum_low = max(one, ((one - power_high) << precision) // (one - ratio_low))
    sum_high = count << precision
    if ratio_high < one:
        sum_high = min(sum_high, -(-((one - power_low) << precision) // (one - ratio_high)))
    return low * sum_low >> precision, -(-high * sum_high >> precision)
