"""The non-negative least squares fit of noisy parts and noisy totals of them.

Given parts y with variance v and totals Y_g with variances V_g over sets of parts, the corrections d of the parts
minimise

    Σ d_i² / v + Σ_g (Σ_{i in g} d_i - r_g)² / V_g     subject to y_i + d_i >= 0,     r_g = Y_g - Σ_{i in g} y_i.

A price λ_g on each total gives d_i = max(-y_i, v·Σ_{g with i} λ_g), and the prices are right where the gradient of the
dual, h_g = r_g - Σ_{i in g} d_i - V_g·λ_g, vanishes. The dual is strongly concave (V_g > 0) and quadratic in
each of finitely many regions, those in which the same parts are free (not at their bound).

**Convergence.** Newton's direction s solves (V + v·A P Aᵀ) s = h, with P the free parts, up to a small residual. It
ascends, since conjugate gradients keep s·h > 0. Along it the slope of the dual is continuous and falls; the step is 1
if the slope there is still not negative, else one at which the slope has fallen to between 0 and one half. Each step
gains at least a constant times |h|², so the prices converge to the one maximum. Near it, every region around the prices
has the maximum in its closure, where that region's own gradient vanishes too; so the full step misses it only by as
much as the direction was inexact, and each further step makes the error about a thousand times smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

_STEPS = 200
_HALVINGS = 60
_PRECISION = 1e-10
_DIRECTION_PRECISION = 1e-3


@dataclass(frozen=True, eq=False)
class Totals:
    """Noisy totals of sets of parts; each part is in one set.

    Attributes:
        residuals: r_g, by how much each total exceeds the sum of its parts.
        variance: of each total, > 0.
        total_of_part: the index of each part's total.
    """

    residuals: Floats
    variance: float
    total_of_part: Indices


def fit_corrections(parts: Floats | None, variance: float, totals: Sequence[Totals]) -> Floats:
    """The corrections d of the parts, up to the precision of floats.

    If rounding errors keep the steps from ending, the best prices so far give corrections that fit worse but are still
    feasible.

    Args:
        parts: y, if what is fitted must not be negative; else None.
        variance: v of each part, > 0.
        totals: at least one set of totals.
    """
    problem = _Dual(parts, variance, totals)
    prices = np.zeros(len(problem.residuals))
    for _ in range(_STEPS):
        gradient = problem.gradient(prices)
        if np.max(np.abs(gradient)) <= _PRECISION * problem.magnitude:
            break
        prices = _newton_step(problem, prices, gradient)
    return problem.corrections(prices)


class _Dual:
    """The dual problem; the totals of all sets are numbered consecutively."""

    def __init__(self, parts: Floats | None, variance: float, totals: Sequence[Totals]) -> None:
        self._variance = variance
        self._bound = None if parts is None else -parts
        starts = np.cumsum([0, *(len(partition.residuals) for partition in totals)])
        self._sets = [
            (slice(start, end), partition.total_of_part)
            for start, end, partition in zip(starts, starts[1:], totals, strict=False)
        ]
        self.residuals = np.concatenate([partition.residuals for partition in totals])
        self._variances = np.concatenate(
            [np.full(len(partition.residuals), partition.variance) for partition in totals]
        )
        deviation = float(np.sqrt(self._variances.max()))
        self.magnitude = max(deviation, float(np.max(np.abs(self.residuals))))

    def _to_parts(self, prices: Floats) -> Floats:
        sums = np.zeros(len(self._sets[0][1]))
        for numbers, members in self._sets:
            sums += prices[numbers][members]
        return sums * self._variance

    def _to_totals(self, parts: Floats) -> Floats:
        return np.concatenate([np.bincount(members, weights=parts) for _, members in self._sets])

    def free(self, prices: Floats) -> NDArray[np.bool_]:
        """Which parts are not at their bound."""
        raw = self._to_parts(prices)
        return np.ones(len(raw), dtype=np.bool_) if self._bound is None else raw > self._bound

    def corrections(self, prices: Floats) -> Floats:
        raw = self._to_parts(prices)
        return raw if self._bound is None else np.maximum(raw, self._bound)

    def gradient(self, prices: Floats) -> Floats:
        return self.residuals - self._to_totals(self.corrections(prices)) - self._variances * prices

    def curvature(self, direction: Floats, free: NDArray[np.bool_]) -> Floats:
        return self._variances * direction + self._to_totals(self._to_parts(direction) * free)

    def diagonal(self, free: NDArray[np.bool_]) -> Floats:
        return self._variances + self._variance * self._to_totals(free.astype(np.float64))


def _newton_step(problem: _Dual, prices: Floats, gradient: Floats) -> Floats:
    free = problem.free(prices)
    direction = _conjugate_gradients(lambda vector: problem.curvature(vector, free), gradient, problem.diagonal(free))

    def slope_at(step: float) -> float:
        return float(problem.gradient(prices + step * direction) @ direction)

    return prices + _step_length(slope_at, float(gradient @ direction)) * direction


def _step_length(slope_at: Callable[[float], float], slope: float) -> float:
    """1 if the slope is not negative there (but for rounding), else a step with 0 <= slope <= slope at zero / 2."""
    if slope_at(1.0) >= -1e-9 * slope:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        found = slope_at(middle)
        if 0 <= found <= slope / 2:
            return middle
        low, high = (middle, high) if found > 0 else (low, middle)
    return low


def _conjugate_gradients(curvature: Callable[[Floats], Floats], target: Floats, diagonal: Floats) -> Floats:
    """The x with curvature(x) = target (Hestenes and Stiefel 1952), preconditioned by the diagonal."""
    solution = np.zeros(len(target))
    rest = target.copy()
    direction = scaled = rest / diagonal
    size = float(rest @ scaled)
    goal = size * _DIRECTION_PRECISION**2
    for _ in range(10 * len(target) + 50):
        if size <= goal:
            break
        image = curvature(direction)
        length = size / float(direction @ image)
        solution = solution + length * direction
        rest = rest - length * image
        scaled = rest / diagonal
        size, before = float(rest @ scaled), size
        direction = scaled + (size / before) * direction
    return solution
