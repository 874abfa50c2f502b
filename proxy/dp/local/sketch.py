"""The count-mean sketch: values of a large or unknown domain (Apple, "Learning with Privacy at Scale", 2017).

There are k public hash functions into m buckets. A report is a row j, uniform and independent of the value, and the
one-hot vector of the bucket h_j(value), randomised as in `unary`. Given the row, two values differ in at most two bits:
ε-local differential privacy.

For a candidate d let b be the report's bit at h_j(d), and e = m/(m - 1)·((b - q)/(1 - 2q) - 1/m). Over the noise, the
rows and the hash functions, e has expectation 1 for reports of d and 0 for all others, so the sum of all e estimates
the number t_d of reports of d. Its variance is

    (m/(m-1))²·( n·q(1-q)/(1-2q)²  +  (n - t_d)·(1/m)(1-1/m)  +  (1/m)(1-1/m)·Σ_{c≠d} t_c(t_c - 1)/k ):

noise; single collisions; and pairs of reports with the same other value and the same row, which collide with d together
or not at all. The last sum is itself estimated from the sketch: pairs of reports of one row that share a bucket.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from proxy.dp.local.unary import Octets, chunks, contrast, flip_probability, randomise, unpacked
from proxy.dp.randomness import uniform_words

ROWS: Final = 4096
"""k: enough that reports of one frequent value hardly ever share a row."""

BUCKETS: Final = 256
"""m: a report takes m bits, and more of them would not reduce the noise."""

_HASHES_KEPT: Final = 2048


@dataclass(frozen=True)
class HashFunctions:
    """k independent public hash functions: SHAKE-128 of the seed and the value, two octets for each.

    Attributes:
        seed: drawn without looking at the data.
        rows: k, from 1 to 65536, a power of two.
        buckets: m, from 2 to 65536, a power of two, so that no bucket is likelier than another.

    Raises:
        ValueError: numbers outside of that.
    """

    seed: bytes
    rows: int = ROWS
    buckets: int = BUCKETS

    def __post_init__(self) -> None:
        for name, number, least in (("rows", self.rows, 1), ("buckets", self.buckets, 2)):
            if not least <= number <= 65536 or number & (number - 1):
                raise ValueError(f"{name} must be a power of two from {least} to 65536, got {number}")

    def buckets_of(self, value: bytes) -> NDArray[np.int64]:
        """h_j(value) for every row j."""
        words = hashlib.shake_128(self.seed + value).digest(2 * self.rows)
        return np.frombuffer(words, dtype=">u2").astype(np.int64) & (self.buckets - 1)


@dataclass(frozen=True)
class SketchReports:
    """Reports of one column.

    Attributes:
        rows: j of each report.
        vectors: the randomised one-hot vectors.
    """

    rows: NDArray[np.int64]
    vectors: Octets


def report(values: Sequence[bytes], functions: HashFunctions, epsilon: Fraction) -> SketchReports:
    """One ε-locally private report for each value.

    Args:
        values: what is hashed.
        functions: the hash functions.
        epsilon: ε > 0 of one report, exact.
    """
    rows = uniform_words(len(values)).astype(np.int64) & (functions.rows - 1)
    buckets_of = lru_cache(maxsize=_HASHES_KEPT)(functions.buckets_of)
    ones = np.array([buckets_of(value)[row] for value, row in zip(values, rows, strict=True)], dtype=np.int64)
    return SketchReports(rows, randomise(ones, functions.buckets, epsilon))


class CountMeanSketch:
    """The sum of reports, from which candidates are estimated.

    Args:
        reports: of one column.
        functions: the hash functions that the reports were made with.
        epsilon: ε of one report.
    """

    def __init__(self, reports: SketchReports, functions: HashFunctions, epsilon: Fraction) -> None:
        self._functions = functions
        self._flipped, self._contrast = flip_probability(epsilon), contrast(epsilon)
        self._in_row = np.bincount(reports.rows, minlength=functions.rows)
        self._ones = _ones(reports, functions)
        self.count = len(reports.rows)

    def estimate(self, value: bytes) -> tuple[float, float]:
        """The estimated number of reports of `value`, and its variance."""
        buckets = self._functions.buckets
        inflation = buckets / (buckets - 1)
        ones = int(self._ones[np.arange(self._functions.rows), self._functions.buckets_of(value)].sum())
        hits = (ones - self.count * self._flipped) / self._contrast
        estimate = inflation * (hits - self.count / buckets)
        own = min(max(estimate, 0.0), float(self.count))
        collision = (1 / buckets) * (1 - 1 / buckets)
        noise = self.count * self._flipped * (1 - self._flipped) / self._contrast**2
        others = max(0.0, self._equal_pairs_in_a_row - own * max(0.0, own - 1) / self._functions.rows)
        return estimate, inflation**2 * (noise + (self.count - own) * collision + collision * others)

    @cached_property
    def _equal_pairs_in_a_row(self) -> float:
        """Estimate of Σ_c t_c(t_c - 1)/k, the ordered pairs of reports with the same value and the same row.

        With the debiased bits D of one row's n_j reports, Σ_b D² less its noise counts pairs in one bucket: each report
        with itself, those of the same value, and one in m of the others.
        """
        buckets = self._functions.buckets
        debiased = (self._ones - self._in_row[:, np.newaxis] * self._flipped) / self._contrast
        noise = self._in_row * buckets * self._flipped * (1 - self._flipped) / self._contrast**2
        pairs = (debiased**2).sum(axis=1) - noise - self._in_row
        different = self._in_row * (self._in_row - 1) / buckets
        return max(0.0, float(((pairs - different) / (1 - 1 / buckets)).sum()))


def _ones(reports: SketchReports, functions: HashFunctions) -> NDArray[np.int64]:
    """For each row and bucket, the number of the row's reports with a one there."""
    ones = np.zeros((functions.rows, functions.buckets), dtype=np.int64)
    order = np.argsort(reports.rows, kind="stable")
    for chunk in chunks(len(order), functions.buckets):
        chosen = order[chunk]
        rows, starts = np.unique(reports.rows[chosen], return_index=True)
        bits = unpacked(reports.vectors[chosen], functions.buckets)
        ones[rows] += np.add.reduceat(bits, starts, axis=0, dtype=np.int64)
    return ones
