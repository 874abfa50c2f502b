"""Laws, prices and privacy curves against libraries that others wrote: OpenDP and dp_accounting."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import opendp.prelude as opendp
import pytest
from dp_accounting import dp_event, rdp
from dp_accounting.pld import privacy_loss_distribution as pld
from scipy import stats

from proxy.dp.exponential import ExponentialMechanism
from proxy.dp.mechanisms import GaussianMechanism, LaplaceMechanism, Mechanism
from proxy.dp.noise import IntegerArray
from tests.dp.conversion import conversion_delta
from tests.dp.goodness import accepts, edges, gaussian_distribution, laplace_distribution

pytestmark = pytest.mark.statistical

DRAWS = 20_000
FALSE_ALARM = 1e-7
VECTORS = opendp.vector_domain(opendp.atom_domain(T=int))

opendp.enable_features("contrib")


def opendp_laplace(scale: float) -> IntegerArray:
    return np.array(opendp.m.make_laplace(VECTORS, opendp.l1_distance(T=int), scale=scale)([0] * DRAWS))


def opendp_gaussian(sigma: float) -> IntegerArray:
    return np.array(opendp.m.make_gaussian(VECTORS, opendp.l2_distance(T=float), scale=sigma)([0] * DRAWS))


def price_by_opendp(measurement: Any, sensitivity: float) -> Any:
    """What its privacy map says: a number, or a curve of (ε, δ)."""
    return measurement.map(sensitivity)


def same_law(ours: IntegerArray, theirs: IntegerArray) -> bool:
    """Two samples of the same size: in each cell, half of the draws of both are expected to be ours."""
    counts, others = Counter(ours.tolist()), Counter(theirs.tolist())
    cells = counts.keys() | others.keys()
    for cell in cells:
        both = counts[cell] + others[cell]
        if 2 * stats.binom.cdf(min(counts[cell], others[cell]), both, 0.5) < FALSE_ALARM / len(cells):
            return False
    return True


def test_opendp_draws_the_laws_that_our_samplers_are_tested_against() -> None:
    assert accepts(opendp_laplace(2.5), laplace_distribution(Fraction(5, 2)), edges(2))
    assert accepts(opendp_gaussian(3.0), gaussian_distribution(Fraction(9)), edges(3))


@pytest.mark.parametrize("factor", [Fraction(1), Fraction(7, 10), Fraction(13, 10)], ids=float)
def test_our_noise_is_opendps_and_that_30_percent_off_is_not(factor: Fraction) -> None:
    laplace = np.array(LaplaceMechanism(5, 2 / factor).release([0] * DRAWS))
    assert same_law(laplace, opendp_laplace(2.5)) == (factor == 1)
    gaussian = np.array(GaussianMechanism(9, 1 / (2 * factor**2)).release([0] * DRAWS))
    assert same_law(gaussian, opendp_gaussian(3.0)) == (factor == 1)


def test_noise_with_a_shifted_centre_or_from_rounded_floats_is_not_opendps() -> None:
    exact = opendp_gaussian(0.5)
    assert same_law(np.array(GaussianMechanism(1, Fraction(2)).release([0] * DRAWS)), exact)
    assert not same_law(np.array(GaussianMechanism(1, Fraction(2)).release([1] * DRAWS)), exact)
    assert not same_law(np.rint(np.random.default_rng(5).normal(0, 0.5, DRAWS)).astype(np.int64), exact)


@pytest.mark.parametrize(
    "mechanism", [LaplaceMechanism(3, Fraction(6, 5)), LaplaceMechanism(7, Fraction(1, 9))], ids=str
)
def test_laplace_costs_what_opendp_says(mechanism: LaplaceMechanism) -> None:
    other = opendp.m.make_laplace(VECTORS, opendp.l1_distance(T=int), scale=float(mechanism.scale))
    assert float(mechanism.epsilon) == pytest.approx(price_by_opendp(other, mechanism.sensitivity), rel=1e-12)


@pytest.mark.parametrize(
    "mechanism", [GaussianMechanism(4, Fraction(2, 9)), GaussianMechanism(49, Fraction(3))], ids=str
)
def test_gaussian_noise_costs_what_opendp_says_and_converts_as_there(mechanism: GaussianMechanism) -> None:
    other = opendp.m.make_gaussian(VECTORS, opendp.l2_distance(T=float), scale=float(mechanism.variance) ** 0.5)
    sensitivity = mechanism.squared_sensitivity**0.5
    assert float(mechanism.rho) == pytest.approx(price_by_opendp(other, sensitivity), rel=1e-12)
    curve = price_by_opendp(opendp.c.make_zCDP_to_approxDP(other), sensitivity)
    for delta in (1e-3, 1e-6, 1e-9):
        epsilon = Fraction(curve.epsilon(delta))
        assert conversion_delta(mechanism.rho, epsilon) == pytest.approx(delta, rel=1e-4)


@pytest.mark.parametrize("factor", [Fraction(1), Fraction(7, 10), Fraction(13, 10)], ids=float)
def test_the_exponential_mechanism_is_opendps_at_its_price(factor: Fraction) -> None:
    # Gumbel noise of scale 2Δ/ε on each score, and the greatest one.
    other = opendp.m.make_noisy_max(
        VECTORS, opendp.linf_distance(T=int), opendp.zero_concentrated_divergence(), scale=2.0
    )
    scores = [0, 2, 6, 4]
    mechanism = ExponentialMechanism(1, factor)
    if factor == 1:
        assert float(mechanism.price.rho) == pytest.approx(price_by_opendp(other, 1), rel=1e-12)
    ours = np.array([mechanism.choose(scores) for _ in range(10_000)])
    theirs = np.array([other(scores) for _ in range(10_000)])
    assert same_law(ours, theirs) == (factor == 1)


@pytest.mark.parametrize("rho", [Fraction(1, 100), Fraction(1, 2), Fraction(5)], ids=float)
def test_zcdp_converts_as_in_dp_accounting(rho: Fraction) -> None:
    accountant = rdp.RdpAccountant(orders=np.concatenate([np.linspace(1.01, 10, 2000), np.linspace(10, 300, 3000)]))
    accountant.compose(dp_event.ZCDpEvent(float(rho)))
    for delta in (1e-3, 1e-6):
        epsilon = Fraction(accountant.get_epsilon(delta))
        # A grid of orders can only be worse than the best order.
        assert 0.999 * delta < conversion_delta(rho, epsilon) <= delta * (1 + 1e-9)


@pytest.mark.parametrize(
    ("mechanism", "loss"),
    [
        (LaplaceMechanism(3, Fraction(3, 4)), pld.from_discrete_laplace_mechanism(1 / 4, sensitivity=3)),
        (GaussianMechanism(9, Fraction(1, 32)), pld.from_discrete_gaussian_mechanism(12.0, sensitivity=3)),
    ],
    ids=["laplace", "gaussian"],
)
def test_what_an_account_is_charged_covers_the_composed_privacy_loss(
    mechanism: Mechanism, loss: pld.PrivacyLossDistribution
) -> None:
    count, epsilon = 20, 4.0
    exact = loss.self_compose(count).get_delta_for_epsilon(epsilon)
    charged = conversion_delta(count * mechanism.price.rho, Fraction(epsilon))
    assert exact <= charged
    # Not because the charge is vastly too large: two thirds of it would not cover the Gaussian's loss.
    if isinstance(mechanism, GaussianMechanism):
        assert exact > conversion_delta(count * mechanism.price.rho * 2 / 3, Fraction(epsilon))
