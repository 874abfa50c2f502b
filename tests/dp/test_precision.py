"""One number at several precisions: what a reader sees is worth what was paid, and no more (theorem 23)."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from proxy.dp.mechanisms import GaussianMechanism
from proxy.dp.precision import (
    LEAST_VARIANCE,
    MOST_NUMBERS,
    SLACK,
    added_variance,
    can_coarsen,
    coarse_price,
    mean,
    weight_of_last,
)

REACH = 90
GRID = np.arange(-REACH, REACH + 1, dtype=np.float64)
ORDERS = (1.05, 1.5, 2.0, 4.0, 16.0)


def law(variance: float, centre: float = 0.0) -> NDArray[np.float64]:
    """The discrete Gaussian's probabilities on GRID."""
    weights = np.exp(-((GRID - centre) ** 2) / (2 * variance))
    total: NDArray[np.float64] = weights / weights.sum()
    return total


def loss(first: NDArray[np.float64], other: NDArray[np.float64], order: float) -> float:
    """The Rényi divergence of two laws, in both directions the larger."""
    kept = (first > 1e-250) & (other > 1e-250)
    p, q = first[kept], other[kept]
    terms = [float(np.sum(np.exp(order * np.log(a) + (1 - order) * np.log(b)))) for a, b in ((p, q), (q, p))]
    return max(math.log(term) / (order - 1) for term in terms)


def views(number: int, measured: GaussianMechanism, shares: tuple[Fraction, ...]) -> NDArray[np.float64]:
    """The joint law of a reader's views of a number, one axis for each share."""
    own = [added_variance(measured, before, share) for before, share in itertools.pairwise((Fraction(0), *shares))]
    joint = np.zeros((len(GRID),) * len(shares))
    for noisy, chance in zip(GRID, law(float(measured.variance), number), strict=True):
        term = np.array(chance)
        for variance in own:
            term = np.multiply.outer(term, law(float(variance), noisy))
        joint += term
    return joint


@pytest.mark.parametrize(
    ("rho", "shares"),
    [
        ("1/16", ("1/4",)),
        ("1/16", ("1/10", "1/2")),
        ("1/16", ("1/2", "3/4")),
        ("1/40", ("1/5", "4/5")),
    ],
)
def test_all_views_of_a_reader_together_are_worth_what_the_last_one_is_paid_for(
    rho: str, shares: tuple[str, ...]
) -> None:
    measured = GaussianMechanism(1, Fraction(rho))
    parts = tuple(map(Fraction, shares))
    assert can_coarsen(measured, parts[-1])
    here, there = (views(number, measured, parts) for number in (0, 1))
    paid = float(coarse_price(parts[-1] * measured.rho))
    for order in ORDERS:
        assert loss(here, there, order) <= order * paid * (1 + 1e-9) + 1e-12
    # The price is not too high either: less by a hundredth would not do.
    assert max(loss(here, there, order) / order for order in ORDERS) > paid * 0.99


@pytest.mark.parametrize("shares", [("1/10", "1/2"), ("1/2", "3/4")])
def test_a_last_view_after_a_coarse_one_adds_what_is_missing(shares: tuple[str, ...]) -> None:
    """Who has seen a part and then sees the measurement itself has seen no more than the measurement."""
    measured = GaussianMechanism(1, Fraction(1, 16))
    first = Fraction(shares[0])
    own = law(float(added_variance(measured, Fraction(0), first)))
    for view in (0, 3, -5, 11):
        given = [
            np.array(
                [
                    law(float(measured.variance), number)[i] * own[int(np.clip(view - z + REACH, 0, 2 * REACH))]
                    for i, z in enumerate(GRID)
                ]
            )
            for number in (0, 1)
        ]
        here, there = (each / each.sum() for each in given)
        for order in ORDERS:
            paid = float(coarse_price((1 - first) * measured.rho))
            assert loss(here, there, order) <= order * paid * (1 + 1e-9) + 1e-12


def test_without_the_noise_of_earlier_views_taken_into_account_a_reader_would_see_too_much() -> None:
    measured, shares = GaussianMechanism(1, Fraction(1, 16)), (Fraction(1, 4), Fraction(1, 2))
    own = [added_variance(measured, Fraction(0), share) for share in shares]
    joint = []
    for number in (0, 1):
        found = np.zeros((len(GRID), len(GRID)))
        for noisy, chance in zip(GRID, law(float(measured.variance), number), strict=True):
            found += chance * np.multiply.outer(law(float(own[0]), noisy), law(float(own[1]), noisy))
        joint.append(found)
    assert loss(joint[0], joint[1], 2.0) > 2.0 * float(coarse_price(shares[-1] * measured.rho)) * 1.1


@pytest.mark.parametrize("shares", [("1/3",), ("1/10", "1/2", "9/10")])
def test_the_mean_of_views_has_the_variance_of_asking_once(shares: tuple[str, ...]) -> None:
    measured = GaussianMechanism(7, Fraction(1, 50))
    weights: list[Fraction] = []
    variances = []
    before = Fraction(0)
    for share in map(Fraction, shares):
        weight = weight_of_last(measured, before, share)
        weights = [*(each * (1 - weight) for each in weights), weight]
        variances.append(added_variance(measured, before, share))
        own = sum((w**2 * variance for w, variance in zip(weights, variances, strict=True)), Fraction(0))
        assert sum(weights) == 1
        assert measured.variance + own == GaussianMechanism(7, share * measured.rho).variance
        before = share


def test_a_mean_is_weighted_by_what_was_paid() -> None:
    assert mean([(Fraction(1), [10, -3]), (Fraction(3), [20, -4])]) == [18, -4]
    assert mean([(Fraction(1, 7), [10**30])]) == [10**30]


def test_a_part_is_refused_where_sums_of_noise_are_not_smooth() -> None:
    assert can_coarsen(GaussianMechanism(8, Fraction(1)), Fraction(1, 2))
    assert not can_coarsen(GaussianMechanism(8, Fraction(1)), Fraction(3, 5))
    assert not can_coarsen(GaussianMechanism(10**6, Fraction(1)), Fraction(1))


def theta_slack(variance: float) -> float:
    """τ of theorem 23: the most by which log Θ moves, computed from its series."""
    q = 2 * math.pi**2 * variance
    eta = 2 * sum(math.exp(-q * k * k) for k in range(1, 20))
    return math.log1p(eta) - math.log1p(-eta)


@pytest.mark.parametrize("variance", [0.25, 0.5, 1.0])
def test_sums_of_discrete_noise_are_as_near_to_discrete_noise_as_the_proof_says(variance: float) -> None:
    centres = np.linspace(0, 1, 101)
    theta = [np.exp(-((GRID - centre) ** 2) / (2 * variance)).sum() for centre in centres]
    assert math.log(max(theta) / min(theta)) <= theta_slack(variance) * (1 + 1e-9) + 1e-15
    assert math.log(max(theta) / min(theta)) >= theta_slack(variance) * 0.99


def test_the_slack_is_enough_for_the_most_numbers() -> None:
    """(√(Δ(1 + ζ)) + √2·n·τ)² <= Δ + SLACK·max(1, Δ), with the bounds of τ and ζ at the least variance."""
    tau = theta_slack(LEAST_VARIANCE)
    decay = math.exp(-2 * math.pi**2 * LEAST_VARIANCE)
    zeta = 100 * LEAST_VARIANCE * decay
    spread = math.sqrt(2) * MOST_NUMBERS * (tau if tau else 5 * decay)
    for rho in (1e-12, 1e-6, 0.01, 1.0, 100.0):
        added = zeta * rho + 2 * math.sqrt(rho * (1 + zeta)) * spread + spread**2
        assert added <= float(SLACK) * max(1.0, rho)
    assert coarse_price(Fraction(2)) == 2 + 2 * SLACK
    assert coarse_price(Fraction(1, 100)) == Fraction(1, 100) + SLACK
