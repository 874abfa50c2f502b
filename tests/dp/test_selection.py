"""Key selection: thresholds are sound for every number of own groups, tight, and applied (theorem 12)."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from proxy.dp.accounting import Price
from proxy.dp.calibration import analytic_gaussian_sigma
from proxy.dp.conversion import pure_rho
from proxy.dp.mechanisms import GaussianMechanism, LaplaceMechanism
from proxy.dp.selection import KeySelection
from proxy.dp.tails import continuous_reach, laplace_reach
from proxy.dp.truncated_geometric import TruncatedGeometricSelection
from tests.dp.goodness import Distribution, accepts, gaussian_distribution, laplace_distribution
from tests.dp.test_truncated_geometric import chances_to_show

pytestmark = pytest.mark.statistical

DELTA = Fraction(1, 10**4)
NOISES = ("gaussian", "laplace")


def noise_distribution(selection: KeySelection) -> Distribution:
    mechanism = selection.mechanism
    if isinstance(mechanism, GaussianMechanism):
        return gaussian_distribution(mechanism.variance)
    return laplace_distribution(mechanism.scale)


def own_weight(selection: KeySelection, groups: int) -> int:
    """What a unit with so many groups can give to each of them, in cells."""
    norm = math.sqrt(groups) if selection.weight_is_inverse_square_root else groups
    return int(selection.resolution / norm)


def chance_to_show(selection: KeySelection, threshold: int, groups: int) -> float:
    """Exact probability that any of a single unit's own groups reaches the threshold, P[noise >= T - w] in each."""
    single = noise_distribution(selection)(-(threshold - own_weight(selection, groups)))
    return 1.0 if single >= 1 else -math.expm1(groups * math.log1p(-single))


@pytest.mark.parametrize(
    ("max_groups", "threshold"), [(1, 18.2), (5, 18.9), (10, 19.3), (64, 20.5), (1000, 22.3), (10_000, 23.7)]
)
def test_gaussian_thresholds_match_the_reference(max_groups: int, threshold: float) -> None:
    sigma = Fraction(analytic_gaussian_sigma(1, 5e-6, 1))
    selection = KeySelection(max_groups, "gaussian", 1 / (2 * sigma**2), Fraction(1, 200_000))
    assert selection.threshold / selection.resolution == pytest.approx(threshold, abs=0.05)


@pytest.mark.parametrize("share", [Fraction(1, 50), Fraction(1), Fraction(200)], ids=float)
@pytest.mark.parametrize(
    ("noise", "max_groups"), [("gaussian", 1), *((noise, most) for noise in NOISES for most in (2, 9, 64))]
)
@pytest.mark.parametrize("delta", [DELTA, Fraction(1, 4)], ids=float)
def test_thresholds_hold_for_every_number_of_own_groups_and_are_tight(
    share: Fraction, noise: str, max_groups: int, delta: Fraction
) -> None:
    selection = KeySelection(max_groups, noise, share, delta, resolution=16)  # type: ignore[arg-type]
    worst = max(chance_to_show(selection, selection.threshold, count) for count in range(1, max_groups + 1))
    assert worst <= float(delta)
    # Three cells for rounding; at delta = 1/4 the union bound costs a visible part of the deviation as well.
    surplus = 4 + int(0.1 * selection.mechanism.standard_deviation * float(delta > DELTA))
    lower = selection.threshold - surplus
    assert max(chance_to_show(selection, lower, count) for count in range(1, max_groups + 1)) > float(delta)


def test_groups_are_shown_exactly_when_noise_carries_them_to_the_threshold() -> None:
    selection = KeySelection(1, "gaussian", Fraction(1, 2), Fraction(1, 4), resolution=2)
    shown = np.array(selection.select([own_weight(selection, 1)] * 200_000), dtype=np.int64)
    distribution, distance = noise_distribution(selection), selection.threshold - own_weight(selection, 1)
    assert 0 < shown.mean() <= 0.25

    def hidden_beyond(reach: int) -> Distribution:
        return lambda _: 1 - distribution(-reach)

    assert accepts(shown, hidden_beyond(distance), [0])
    assert not accepts(shown, hidden_beyond(distance - 1), [0])
    assert not accepts(shown, hidden_beyond(distance + 1), [0])


def test_large_groups_are_shown_and_empty_ones_are_not() -> None:
    selection = KeySelection(64, "gaussian", Fraction(1, 50), Fraction(1, 10**12))
    weights = [0, 1000 * selection.resolution] * 500
    assert selection.select(weights) == [False, True] * 500


@pytest.mark.parametrize(("max_groups", "noise"), [(3, "gaussian"), (3, "laplace"), (1, "laplace")])
def test_groups_without_weight_are_never_shown_however_many_there_are(max_groups: int, noise: str) -> None:
    """At such a delta noise alone carries one in ten of them to the threshold."""
    selection = KeySelection(max_groups, noise, Fraction(1, 2), Fraction(1, 5))  # type: ignore[arg-type]
    assert not any(selection.select([0] * 2000))


def test_with_one_group_for_each_unit_laplace_noise_gives_way_to_the_optimal_mechanism_at_its_price() -> None:
    selection = KeySelection(1, "laplace", Fraction(1, 2), DELTA, resolution=16)
    assert selection.optimal == TruncatedGeometricSelection(Fraction(1, 2), DELTA)
    assert selection.price == Price.laplace(Fraction(1, 2)) + Price.key_selection(DELTA)
    assert selection.threshold == 16 * TruncatedGeometricSelection(Fraction(1, 2), DELTA).likely
    assert KeySelection(2, "laplace", Fraction(1, 2), DELTA).optimal is None


@pytest.mark.parametrize("units", [15, 17, 19])
@pytest.mark.parametrize("missing", [0, 1])
def test_weights_of_whole_units_are_shown_as_the_optimal_mechanism_shows_their_number(units: int, missing: int) -> None:
    selection = KeySelection(1, "laplace", Fraction(1, 2), DELTA, min_units=2, resolution=1024)
    # Truncation may have taken a cell from each unit.
    found = np.array(selection.select([units * (1024 - missing)] * 5_000), dtype=np.int64)
    decide = TruncatedGeometricSelection(Fraction(1, 2), DELTA)

    def hidden_among(count: int) -> Distribution:
        return lambda _: 1 - chances_to_show(decide, count)[-1]

    assert accepts(found, hidden_among(units - 1), [0])
    assert not accepts(found, hidden_among(units), [0])
    assert not accepts(found, hidden_among(units - 2), [0])
    assert not any(selection.select([1024 - missing] * 100))


@pytest.mark.parametrize("rho", [Fraction(1, 1000), Fraction(1, 50), Fraction(1, 2), Fraction(8)], ids=float)
@pytest.mark.parametrize("delta", [Fraction(1, 10**9), DELTA], ids=float)
def test_at_the_same_rho_gaussian_noise_shows_smaller_groups_than_the_optimal_pure_mechanism(
    rho: Fraction, delta: Fraction
) -> None:
    # The epsilon costs a little more than rho: twice the bound that ε·tanh(ε/2) stays below, lowered in steps.
    epsilon = 2 * max(Fraction(math.sqrt(2 * rho)), rho)
    while pure_rho(epsilon * Fraction(99, 100)) > rho:
        epsilon *= Fraction(99, 100)
    assert pure_rho(epsilon) > rho
    gaussian, laplace = KeySelection(1, "gaussian", rho, delta), KeySelection(1, "laplace", epsilon, delta)
    assert gaussian.threshold < laplace.threshold


def test_min_units_raises_the_threshold_by_whole_units() -> None:
    plain = KeySelection(5, "gaussian", Fraction(1, 50), DELTA)
    raised = KeySelection(5, "gaussian", Fraction(1, 50), DELTA, min_units=11)
    assert raised.threshold == plain.threshold + 10 * plain.resolution


def test_the_price_is_that_of_the_noise_and_delta() -> None:
    gaussian = KeySelection(5, "gaussian", Fraction(1, 50), DELTA)
    laplace = KeySelection(5, "laplace", Fraction(1, 10), DELTA)
    assert gaussian.price == Price(None, Fraction(1, 50), DELTA)
    assert laplace.price == Price.laplace(Fraction(1, 10)) + Price.key_selection(DELTA)
    assert gaussian.weight_is_inverse_square_root
    assert not laplace.weight_is_inverse_square_root


@pytest.mark.parametrize("delta", [0, -1, Fraction(26, 100), float("nan")])
def test_a_delta_outside_the_proof_is_refused(delta: Fraction) -> None:
    with pytest.raises(ValueError, match="delta must be"):
        KeySelection(5, "gaussian", Fraction(1), delta)


@pytest.mark.parametrize("field", ["max_groups", "min_units", "resolution"])
def test_counts_below_one_are_refused(field: str) -> None:
    counts = {"max_groups": 5, "min_units": 1, "resolution": 16} | {field: 0}
    with pytest.raises(ValueError, match="must be at least one, got 0"):
        KeySelection(noise="gaussian", share=Fraction(1), delta=DELTA, **counts)


@pytest.mark.parametrize("max_groups", [2, 3, 64])
def test_the_threshold_is_a_cell_above_what_a_unit_reaches_with_one_group_and_with_all(max_groups: int) -> None:
    """At a resolution at which the weights of several groups are no whole cells, and are rounded up."""
    delta, resolution = Fraction(1, 10**6), 1001
    laplace = KeySelection(max_groups, "laplace", Fraction(1, 2), delta, resolution=resolution)
    gaussian = KeySelection(max_groups, "gaussian", Fraction(1, 10**4), delta, resolution=resolution)
    assert isinstance(laplace.mechanism, LaplaceMechanism)
    assert isinstance(gaussian.mechanism, GaussianMechanism)
    for groups in (1, max_groups):
        weight = -(-resolution // groups)
        assert laplace.threshold > weight + laplace_reach(laplace.mechanism.scale, delta / groups)
        weight = math.isqrt((resolution**2 - 1) // groups) + 1
        assert gaussian.threshold > weight + continuous_reach(gaussian.mechanism.variance, delta / groups)


def test_the_optimal_mechanism_is_for_laplace_noise_on_one_group_alone() -> None:
    price, delta = Fraction(1, 2), Fraction(1, 10**6)
    assert KeySelection(1, "laplace", price, delta).optimal is not None
    assert KeySelection(2, "laplace", price, delta).optimal is None
    assert KeySelection(1, "gaussian", price, delta).optimal is None
