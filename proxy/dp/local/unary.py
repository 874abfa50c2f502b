"""One-hot vectors under randomised response, which RAPPOR and the count-mean sketch share.

A report of a value is a vector of bits with a one at the value's position and zeros elsewhere, of which every bit is
flipped with probability q = 1 / (1 + e^(ε/2)), independently. Two values differ in two bits, so the probability of any
report differs between them by a factor of at most (e^(ε/2))² = e^ε, and by exactly that where both bits distinguish the
values: ε-local differential privacy of the value (Erlingsson, Pihur and Korolova 2014, Theorem 1, with f = 2q and h =
1).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from proxy.dp.local.flips import BitFlips

Octets: TypeAlias = NDArray[np.uint8]
"""Packed bits, one row for each report; the first position is the highest bit of the first octet."""

_CHUNK_BITS = 1 << 22


def octets_for(positions: int) -> int:
    """The number of octets that hold that many bits."""
    return -(-positions // 8)


def flip_probability(epsilon: Fraction) -> float:
    """q = 1 / (1 + e^(ε/2)), for estimates; noise never uses this float."""
    return 1 / (1 + math.exp(min(float(epsilon) / 2, 700.0)))


def contrast(epsilon: Fraction) -> float:
    """1 - 2q = tanh(ε/4): by how much a bit is likelier to be kept than flipped."""
    return math.tanh(float(epsilon) / 4)


def randomise(ones: NDArray[np.int64], positions: int, epsilon: Fraction) -> Octets:
    """A report for each element of `ones`, which is the position of the one in its vector.

    Args:
        ones: from 0 to positions - 1.
        positions: bits of a vector, >= 1.
        epsilon: ε > 0 of one report, exact.
    """
    flips = BitFlips(epsilon / 2)
    reports = np.empty((len(ones), octets_for(positions)), dtype=np.uint8)
    for chunk in chunks(len(ones), positions):
        bits = flips.draw(chunk.stop - chunk.start, positions)
        # Flipping a drawn bit is flipping the one itself.
        bits[np.arange(len(bits)), ones[chunk]] ^= True
        reports[chunk] = np.packbits(bits, axis=1)
    return reports


def chunks(reports: int, positions: int) -> Iterator[slice]:
    """Slices of reports whose unpacked bits fit the processor's cache, or nearly so."""
    size = max(1, _CHUNK_BITS // positions)
    for start in range(0, reports, size):
        yield slice(start, min(reports, start + size))


def unpacked(reports: Octets, positions: int) -> NDArray[np.uint8]:
    """One row of zeros and ones for each report."""
    return np.unpackbits(reports, axis=1, count=positions)
