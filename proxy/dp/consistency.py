"""Noisy totals and parts that add up: a fit, then rounding that keeps sums (post-processing, free).

A query with ROLLUP, CUBE or GROUPING SETS shows parts and totals, each with its own noise. Here they become sums over
the finest groups: first a non-negative least squares fit weighted by variance (`fitting`), in which parts and totals
improve each other, then controlled rounding (Cox 1987). The order of these two steps, and totals before parts in the
second, is that of the TopDown algorithm of the US Census (Abowd et al. 2022).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from proxy.dp.exact import positive, positive_count
from proxy.dp.fitting import Indices, Totals, fit_corrections
from proxy.dp.noise import IntegerArray
from proxy.dp.weighted_choice import integers

_FINENESS = 2**16
"""The fraction of a step in which fitted numbers are kept, so that their sums are exact."""


@dataclass(frozen=True, eq=False)
class Level:
    """One grouping set.

    Attributes:
        estimates: the noisy number of each group, in steps of the noise's grid.
        variance: of each, > 0, in steps squared.
        group_of_finest: for each finest group, the index of the group of this level that it belongs to.

    Raises:
        ValueError: a group without finest groups, an index out of range, or a variance that is not positive and finite.
        TypeError: estimates or indices that are not integers.
    """

    estimates: IntegerArray
    variance: float
    group_of_finest: Indices

    def __post_init__(self) -> None:
        object.__setattr__(self, "estimates", integers(self.estimates))
        object.__setattr__(self, "variance", float(positive("the variance", self.variance)))
        groups = integers(self.group_of_finest).astype(np.intp)
        object.__setattr__(self, "group_of_finest", groups)
        if not np.array_equal(np.unique(groups), np.arange(len(self.estimates))):
            raise ValueError("every group of a level needs a finest group, and every finest group a group")


def consistent(levels: Sequence[Level], quantum: int = 1, *, non_negative: bool = True) -> list[IntegerArray]:
    """Numbers near the estimates that add up: each is the sum over its finest groups.

    On the longest chain of nested levels from the finest one, which for ROLLUP is all of them, rounding changes no
    fitted number by a whole quantum. Levels off the chain are sums of rounded numbers.

    Args:
        levels: the finest is the last.
        quantum: the results are multiples of this many steps, >= 1.
        non_negative: are the true numbers counts, or sums of such values?

    Returns:
        One array for each level.

    Raises:
        ValueError: no level, the last one is not the finest, or levels over different finest groups.
        TypeError: a quantum that is not an integer.
    """
    positive_count("the quantum", quantum)
    if not levels:
        raise ValueError("there are no levels to make consistent")
    finest = levels[-1]
    if not np.array_equal(finest.group_of_finest, np.arange(len(finest.estimates))):
        raise ValueError("the last level must be the finest, with its own groups in order")
    if any(len(level.group_of_finest) != len(finest.estimates) for level in levels):
        raise ValueError("all levels must have the same finest groups")
    if not len(finest.estimates):
        return [level.estimates for level in levels]
    fitted = _fitted_numbers(levels, non_negative)
    rounded = _rounded(fitted, _chain(levels), quantum * _FINENESS) * quantum
    return [integers(_sums(rounded, level.group_of_finest, len(level.estimates))) for level in levels]


def _fitted_numbers(levels: Sequence[Level], non_negative: bool) -> IntegerArray:
    """The finest groups' fitted numbers in units of 1/2**16 of a step, as Python integers.

    Only differences of estimates enter the floats, so that large numbers lose no digits.
    """
    finest = levels[-1]
    noisy = finest.estimates.astype(object)
    corrections = np.zeros(len(noisy))
    totals = []
    for level in levels[:-1]:
        residuals = level.estimates.astype(object) - _sums(noisy, level.group_of_finest, len(level.estimates))
        totals.append(Totals(residuals.astype(np.float64), level.variance, level.group_of_finest))
    if totals:
        bounded = noisy.astype(np.float64) if non_negative else None
        corrections = fit_corrections(bounded, finest.variance, totals)
    steps = np.array([int(step) for step in np.rint(corrections * _FINENESS)], dtype=object)
    fitted = noisy * _FINENESS + steps
    least: IntegerArray = np.maximum(fitted, 0) if non_negative else fitted
    return least


def _chain(levels: Sequence[Level]) -> list[Indices]:
    """`group_of_finest` of nested levels, from the coarsest to the finest."""
    chain = [levels[-1].group_of_finest]
    for level in sorted(levels[:-1], key=lambda level: -len(level.estimates)):
        parent = np.zeros(chain[-1].max() + 1, dtype=np.intp)
        parent[chain[-1]] = level.group_of_finest
        if np.array_equal(parent[chain[-1]], level.group_of_finest):
            chain.append(level.group_of_finest)
    return chain[::-1]


def _rounded(fitted: IntegerArray, chain: Sequence[Indices], unit: int) -> IntegerArray:
    """The fitted numbers in units, rounded so that at each level of the chain sums are rounded up or down.

    A total that was rounded up or down lies between the sums of its parts' floors and of their ceilings, since its
    exact value does. So as many parts as are missing can always be rounded up: those with the largest remainders.
    """
    rounded: IntegerArray | None = None
    parents: Indices | None = None
    for groups in chain:
        count = int(groups.max()) + 1
        exact = _sums(fitted, groups, count)
        floors = exact // unit
        if rounded is None or parents is None:
            rounded = (2 * exact + unit) // (2 * unit)
        else:
            parent = np.zeros(count, dtype=np.intp)
            parent[groups] = parents
            missing = rounded - _sums(floors, parent, len(rounded))
            rounded = floors + _largest_first(exact - floors * unit, parent, missing)
        parents = groups
    if rounded is None:
        raise AssertionError("a chain has at least the finest level")
    return rounded


def _largest_first(remainders: IntegerArray, parent: Indices, missing: IntegerArray) -> IntegerArray:
    """1 for the parts with the largest remainders of each parent, as many as it misses; 0 for the others."""
    order = np.lexsort((-remainders.astype(np.float64), parent))
    sizes = np.bincount(parent)
    rank = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    chosen = np.zeros(len(order), dtype=object)
    chosen[order] = (rank < missing[parent[order]]).astype(int)
    return chosen


def _sums(values: IntegerArray, groups: Indices, count: int) -> IntegerArray:
    sums = np.zeros(count, dtype=object)
    np.add.at(sums, groups, values.astype(object))
    return sums
