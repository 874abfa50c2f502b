"""Mechanisms and their bounds are proven for some arguments only: all others are refused where they come in."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from proxy.dp.calibrated import calibrated_rho
from proxy.dp.consistency import consistent
from proxy.dp.exponential import ExponentialMechanism
from proxy.dp.histogram import Histogram
from proxy.dp.local.slots import LocalPrivacy
from proxy.dp.noise import discrete_gaussian, discrete_laplace
from proxy.dp.quantiles import QuantileMechanism
from proxy.dp.selection import KeySelection
from proxy.dp.tails import gaussian_reach, laplace_reach
from proxy.dp.weighted_choice import Runs
from tests.dp.discrete_gaussian import discrete_gaussian_delta

ONE, HALF = Fraction(1), Fraction(1, 2)
NONE = np.zeros(0, dtype=np.int64)

COUNTS: dict[str, Callable[[int], object]] = {
    "the sensitivity of scores": lambda count: ExponentialMechanism(count, ONE),
    "the sensitivity of ranks": lambda count: QuantileMechanism((HALF,), count, 8, ONE),
    "the buckets of a domain": lambda count: QuantileMechanism((HALF,), 1, count, ONE),
    "the buckets of a histogram": lambda count: Histogram(count, NONE, NONE),
    "the cells that noise is rounded to": lambda count: calibrated_rho("analytic", ONE, Fraction(1, 10**6), count),
    "the sensitivity that delta is for": lambda count: discrete_gaussian_delta(ONE, ONE, count),
    "the groups of a unit": lambda count: KeySelection(count, "laplace", ONE, Fraction(1, 10**6)),
    "the least number of units": lambda count: KeySelection(1, "laplace", ONE, Fraction(1, 10**6), min_units=count),
    "the cells of a weight": lambda count: KeySelection(1, "laplace", ONE, Fraction(1, 10**6), resolution=count),
    "the columns of a record": lambda count: LocalPrivacy(Fraction(4), count),
    "the records of a unit": lambda count: LocalPrivacy(Fraction(4), 1, count),
    "the quantum of totals": lambda count: consistent([], count, non_negative=True),
}


@pytest.mark.parametrize("use", COUNTS.values(), ids=COUNTS.keys())
@pytest.mark.parametrize(("count", "error"), [(0, ValueError), (-1, ValueError), (1.5, TypeError)])
def test_counts_are_positive_integers(use: Callable[[int], object], count: int, error: type[Exception]) -> None:
    with pytest.raises(error, match="must be"):
        use(count)


@pytest.mark.parametrize("draw", [discrete_laplace, discrete_gaussian])
def test_a_negative_number_of_cells_is_refused(draw: Callable[[Fraction, int], object]) -> None:
    with pytest.raises(ValueError, match="must not be negative"):
        draw(ONE, -1)


@pytest.mark.parametrize("reach", [laplace_reach, gaussian_reach])
def test_a_tail_of_more_than_half_is_refused(reach: Callable[[Fraction, Fraction], int]) -> None:
    assert reach(ONE, HALF) >= 0
    with pytest.raises(ValueError, match="at most one half"):
        reach(ONE, HALF + Fraction(1, 10**9))


@pytest.mark.parametrize(("step", "count"), [(-1, 1), (1, -1)])
def test_runs_of_negative_steps_or_counts_are_refused(step: int, count: int) -> None:
    with pytest.raises(ValueError, match="must not be negative"):
        Runs(np.array([0, 0]), np.array([step, 0]), np.array([count, 1]))
