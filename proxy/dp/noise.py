"""Exact samplers of the discrete Laplace and the discrete Gaussian on the integers (theorem 9).

No probability is rounded: a draw compares random words with the first bits of a probability, and on a tie (or where a
float cannot decide with a proven margin) more bits of both are computed by integer interval arithmetic. Randomness
comes from the operating system only. Results are int64 arrays where every value fits, else object arrays of Python
integers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proxy.dp.exact import positive
from proxy.dp.lazy_probability import LazyProbability
from proxy.dp.randomness import uniform_long_words, uniform_words

IntegerArray = NDArray[Any]
"""An array of int64, or of objects that are Python integers."""

_WORD_BITS = 16
_CHUNK = 1 << 14
"""Numbers drawn at a time: random words of one chunk stay in the processor's cache."""

_TOP = 12
"""How many scales the digits of a geometric cover at least; exp(-12) of the mass lies beyond."""

_WIDEST_INT64 = 62
"""Bits of a value whose sum or difference with another such value still fits int64."""

_MARGIN = 2.0**-20


def discrete_laplace(scale: Fraction, size: int) -> IntegerArray:
    """`size` independent draws of P[x] ∝ exp(-|x| / scale), in grid cells.

    Args:
        scale: > 0, in cells; any magnitude.
        size: number of draws, >= 0.

    Raises:
        ValueError: scale is NaN, infinite, zero or negative; size is negative.
    """
    _check_size(size)
    return _laplace_sampler(positive("the scale", scale)).sample(size)


def discrete_gaussian(variance: Fraction, size: int) -> IntegerArray:
    """`size` independent draws of P[x] ∝ exp(-x² / (2 variance)), in grid cells.

    Args:
        variance: > 0, in cells squared; any magnitude. It is the law's parameter σ², and at least its variance.
        size: number of draws, >= 0.

    Raises:
        ValueError: variance is NaN, infinite, zero or negative; size is negative.
    """
    _check_size(size)
    return _gaussian_sampler(positive("the variance", variance)).sample(size)


def _check_size(size: int) -> None:
    if size < 0:
        raise ValueError(f"the number of draws must not be negative, got {size}")


@lru_cache(maxsize=512)
def _laplace_sampler(scale: Fraction) -> LaplaceSampler:
    return LaplaceSampler(scale)


@lru_cache(maxsize=512)
def _gaussian_sampler(variance: Fraction) -> GaussianSampler:
    return GaussianSampler(variance)


class LaplaceSampler:
    """Difference of two geometrics G with P[G = g] ∝ exp(-g / scale), drawn digit by digit.

    The binary digits of G are independent, digit i being 1 with probability 1 / (1 + exp(2**i / scale)). What lies
    above the lowest n digits is itself geometric with ratio exp(-2**n / scale), and almost always zero.

    Args:
        scale: > 0, in cells.
        word_bits: bits of a random word that are compared before a tie is resolved exactly, 1 to 16. Every value gives
            the same law; fewer bits mean more ties.
        digits: n, by default such that 2**n is at least 12 scales. Every value gives the same law; fewer digits leave
            more to what lies above them.
    """

    def __init__(self, scale: Fraction, word_bits: int = _WORD_BITS, digits: int | None = None) -> None:
        self._word_bits = word_bits
        self._digits = (math.ceil(_TOP * scale) - 1).bit_length() if digits is None else digits
        # So many bits are known beforehand that a first tie costs no computation.
        self._probabilities = LazyProbability.geometric_digits(1 / scale, self._digits, word_bits + 64)
        self._carry = self._probabilities[-1]
        leading = [probability.leading_bits(word_bits) for probability in self._probabilities]
        self._thresholds = np.array(leading, dtype=np.uint16)[:, np.newaxis]

    def sample(self, size: int) -> IntegerArray:
        """`size` independent draws."""
        return _concatenate(
            self._geometric(count) - self._geometric(count)
            for count in (min(_CHUNK, size - start) for start in range(0, size, _CHUNK))
        )

    def _geometric(self, size: int) -> IntegerArray:
        digits = self._digit_rows(size)
        low = _pack(digits[:-1])
        return self._add_carries(low, np.flatnonzero(digits[-1]))

    def _digit_rows(self, size: int) -> NDArray[np.bool_]:
        """One row of Bernoulli draws for each digit, lowest first, and one for the carry."""
        words = uniform_words(len(self._probabilities) * size).reshape(-1, size) >> (_WORD_BITS - self._word_bits)
        digits: NDArray[np.bool_] = words < self._thresholds
        for row, column in np.argwhere(words == self._thresholds):
            digits[row, column] = self._probabilities[row].exceeds(int(words[row, column]), self._word_bits)
        return digits

    def _add_carries(self, low: IntegerArray, places: NDArray[np.intp]) -> IntegerArray:
        """Add the part above the digits where it is not zero: 1 plus another geometric."""
        for place in places:
            high = 1
            while self._carry.draw():
                high += 1
            if high.bit_length() + self._digits > _WIDEST_INT64:
                low = low.astype(object)
            low[place] += high << self._digits
        return low


class GaussianSampler:
    """Rejection from the discrete Laplace of scale t = ⌊σ⌋ + 1: y is kept with probability exp(-(|y| - σ²/t)² / 2σ²).

    This is Algorithm 3 of Canonne, Kamath and Steinke 2020. A float decides where it can. With γ the exponent,
    d = |y| - σ²/t and t > σ, the float γ is off by less than 2**-48 (γ + √(2γ)) + 2**-48 γ: below 2**-26 for γ < 2**20,
    while beyond that both the true and the float probability are below 2**-1000. So `margin` = 2**-20 is generous.

    Args:
        variance: σ² > 0, in cells squared.
        margin: a uniform number nearer than this to the float probability is decided exactly. Every value of at least
            2**-24 gives the same law; 1 decides every draw exactly.
    """

    def __init__(self, variance: Fraction, margin: float = _MARGIN) -> None:
        self._variance = variance
        self._margin = margin
        scale = math.isqrt(int(variance)) + 1
        self._proposals = _laplace_sampler(Fraction(scale))
        self._centre = variance / scale
        self._floats_suffice = 2.0**-200 < variance < 2.0**200

    def sample(self, size: int) -> IntegerArray:
        """`size` independent draws."""
        accepted: list[IntegerArray] = []
        missing = size
        while missing > 0:
            # Acceptance is at least about 1/2 at every σ. A surplus is cut off, whatever its values.
            proposals = self._proposals.sample(min(missing + missing // 2 + 16, _CHUNK))
            kept = proposals[self._accept(proposals)][:missing]
            accepted.append(kept)
            missing -= kept.size
        return _concatenate(accepted)

    def _accept(self, proposals: IntegerArray) -> NDArray[np.bool_]:
        words = uniform_long_words(proposals.size)
        if not self._floats_suffice:
            accept = np.zeros(proposals.size, dtype=np.bool_)
            undecided = np.arange(proposals.size)
        else:
            chance = np.exp(self._float_exponents(proposals))
            uniform = (words >> np.uint64(11)).astype(np.float64) * 2.0**-53
            accept = uniform < chance - self._margin
            undecided = np.flatnonzero(~accept & (uniform <= chance + self._margin))
        for index in undecided:
            accept[index] = self._chance(int(proposals[index])).exceeds(int(words[index]), 64)
        return accept

    def _float_exponents(self, proposals: IntegerArray) -> NDArray[np.float64]:
        # Python integers too are rounded to the nearest float, an error that the class allows for.
        distance = np.abs(proposals).astype(np.float64) - float(self._centre)
        exponents: NDArray[np.float64] = distance * distance * (-0.5 / float(self._variance))
        return exponents

    def _chance(self, proposal: int) -> LazyProbability:
        return LazyProbability.exponential((abs(proposal) - self._centre) ** 2 / (2 * self._variance))


def _pack(digits: NDArray[np.bool_]) -> IntegerArray:
    """The integers whose binary digits, lowest first, are the columns of `digits`."""
    octets = np.packbits(digits, axis=0, bitorder="little")
    if len(digits) >= _WIDEST_INT64:
        columns = np.ascontiguousarray(octets.T)
        packed = np.empty(len(columns), dtype=object)
        packed[:] = [int.from_bytes(column.tobytes(), "little") for column in columns]
        return packed
    numbers = np.zeros(digits.shape[1], dtype=np.int64)
    for index, row in enumerate(octets):
        numbers |= row.astype(np.int64) << (8 * index)
    return numbers


def _concatenate(parts: Iterable[IntegerArray]) -> IntegerArray:
    """One array of all parts; int64 if there is none."""
    return np.concatenate([np.empty(0, dtype=np.int64), *parts])
