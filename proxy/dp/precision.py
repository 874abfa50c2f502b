"""One number at several precisions: sharpened by measuring what is missing, coarsened by more noise (theorem 23).

Everybody together learns of a number what its measurements tell, z_1, …, z_k, with independent discrete Gaussian noise
of ρ_1, …, ρ_k. Who has paid for all of the first j sees their weighted mean. Who has paid for less sees a part of
z_j: itself plus noise of the reader's own, so much that what is seen is worth what was paid.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from proxy.dp.mechanisms import GaussianMechanism

LEAST_VARIANCE: Final = 2
"""s² of theorem 23, in cells squared, from which on sums of discrete Gaussian noise may pass for discrete Gaussian."""
MOST_NUMBERS: Final = 10**6
"""Numbers of one answer for which `SLACK` is proven."""
SLACK: Final = Fraction(1, 10**10)
"""What that adds to a reader's price, as ρ and as a part of it, whichever is more."""


def mean(measured: Sequence[tuple[Fraction, Sequence[int]]]) -> list[int]:
    """The means of measurements, each weighted by its ρ, rounded to whole cells.

    Args:
        measured: for each measurement its ρ and its numbers, as many in each.
    """
    total = sum((rho for rho, _ in measured), Fraction(0))
    weights = [rho / total for rho, _ in measured]
    rows = zip(*(numbers for _, numbers in measured), strict=True)
    return [round(sum(weight * number for weight, number in zip(weights, row, strict=True))) for row in rows]


def can_coarsen(measured: GaussianMechanism, share: Fraction) -> bool:
    """May a reader see a number as if it had been measured for `share` of its ρ, as far as the proof goes?"""
    return share < 1 and measured.variance * (1 - share) >= LEAST_VARIANCE


def added_variance(measured: GaussianMechanism, seen: Fraction, share: Fraction) -> Fraction:
    """The variance of the noise that a reader's next view of a number gets.

    Args:
        measured: the number's noise.
        seen: the share of its ρ that the reader's views so far are worth; 0 for the first.
        share: what they are worth together with the next one; seen < share < 1.
    """
    return 1 / (_precision(measured, share) - (_precision(measured, seen) if seen else Fraction(0)))


def weight_of_last(measured: GaussianMechanism, seen: Fraction, share: Fraction) -> Fraction:
    """The weight of the next view in the mean of all, of which the earlier ones' mean has the rest."""
    return 1 - (_precision(measured, seen) / _precision(measured, share) if seen else Fraction(0))


def coarse_price(rho: Fraction) -> Fraction:
    """What a reader pays for `rho` more where views have noise of their own: with the slack of theorem 23."""
    return rho + SLACK * max(Fraction(1), rho)


def _precision(measured: GaussianMechanism, share: Fraction) -> Fraction:
    """1/variance of the reader's own noise by which a number is worth `share` of its ρ."""
    return 1 / (measured.variance * (1 / share - 1))
