"""The samplers have exactly the laws of theorem 9, on every path through the code."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from proxy.dp.noise import GaussianSampler, LaplaceSampler, discrete_gaussian, discrete_laplace
from tests.dp.goodness import accepts, edges, gaussian_distribution, laplace_distribution

pytestmark = pytest.mark.statistical

DRAWS = 60_000
SCALES = [Fraction(1, 3), Fraction(5, 2), Fraction(40), Fraction(10**6), Fraction(10**17), Fraction(10**30)]
VARIANCES = [Fraction(1, 5), Fraction(7, 3), Fraction(900), Fraction(10**12), Fraction(10**34), Fraction(10**60)]


def spread(parameter: Fraction) -> int:
    return max(1, int(parameter))


def draws_for(parameter: Fraction) -> int:
    return DRAWS if parameter < 10**18 else DRAWS // 6


@pytest.mark.parametrize("scale", SCALES, ids=float)
def test_discrete_laplace_has_its_law(scale: Fraction) -> None:
    draws = discrete_laplace(scale, draws_for(scale))
    assert accepts(draws, laplace_distribution(scale), edges(spread(scale)))


@pytest.mark.parametrize("variance", VARIANCES, ids=float)
def test_discrete_gaussian_has_its_law(variance: Fraction) -> None:
    deviation = Fraction(math.isqrt(int(variance)))
    draws = discrete_gaussian(variance, draws_for(deviation))
    assert accepts(draws, gaussian_distribution(variance), edges(spread(deviation)))


@pytest.mark.parametrize("factor", [Fraction(7, 10), Fraction(13, 10)], ids=float)
@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(40), Fraction(10**6)], ids=float)
def test_the_laplace_check_rejects_a_scale_that_is_30_percent_off(scale: Fraction, factor: Fraction) -> None:
    draws = discrete_laplace(scale * factor, DRAWS)
    assert not accepts(draws, laplace_distribution(scale), edges(spread(scale)))


@pytest.mark.parametrize("factor", [Fraction(7, 10), Fraction(13, 10)], ids=float)
@pytest.mark.parametrize("variance", [Fraction(7, 3), Fraction(900), Fraction(10**12)], ids=float)
def test_the_gaussian_check_rejects_a_deviation_that_is_30_percent_off(variance: Fraction, factor: Fraction) -> None:
    draws = discrete_gaussian(variance * factor**2, DRAWS)
    assert not accepts(draws, gaussian_distribution(variance), edges(math.isqrt(int(variance))))


def test_the_checks_reject_a_centre_that_is_one_cell_off() -> None:
    laplace, gaussian = Fraction(5, 2), Fraction(16)
    assert not accepts(discrete_laplace(laplace, DRAWS) + 1, laplace_distribution(laplace), edges(2))
    assert not accepts(discrete_gaussian(gaussian, DRAWS) - 1, gaussian_distribution(gaussian), edges(4))


def test_the_checks_reject_a_rounded_continuous_law() -> None:
    variance = Fraction(1, 5)
    rounded = np.rint(np.random.default_rng(1).normal(0, float(variance) ** 0.5, DRAWS)).astype(np.int64)
    assert not accepts(rounded, gaussian_distribution(variance), edges(1))


@pytest.mark.parametrize("word_bits", [1, 4])
@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(40), Fraction(10**30)], ids=float)
def test_ties_that_are_resolved_exactly_leave_the_laplace_law(scale: Fraction, word_bits: int) -> None:
    draws = LaplaceSampler(scale, word_bits=word_bits).sample(3_000)
    assert accepts(draws, laplace_distribution(scale), edges(spread(scale)))


@pytest.mark.parametrize("digits", [0, 1, 4])
def test_carries_above_the_digits_leave_the_laplace_law(digits: int) -> None:
    scale = Fraction(13, 2)
    draws = LaplaceSampler(scale, digits=digits).sample(6_000)
    assert accepts(draws, laplace_distribution(scale), edges(6))


def test_carries_that_leave_int64_continue_in_python_integers() -> None:
    scale = Fraction(2**62)
    draws = LaplaceSampler(scale, digits=61).sample(3_000)
    assert draws.dtype == object
    assert max(abs(draw) for draw in draws) >= 2**63
    assert accepts(draws, laplace_distribution(scale), edges(2**62))


@pytest.mark.parametrize("variance", [Fraction(1, 5), Fraction(900), Fraction(10**12)], ids=float)
def test_acceptances_that_are_decided_exactly_leave_the_gaussian_law(variance: Fraction) -> None:
    draws = GaussianSampler(variance, margin=1.0).sample(3_000)
    assert accepts(draws, gaussian_distribution(variance), edges(max(1, math.isqrt(int(variance)))))


def test_forced_exact_acceptance_is_really_exercised(monkeypatch: pytest.MonkeyPatch) -> None:
    decided = []
    exact = GaussianSampler._chance

    def counting(sampler: GaussianSampler, proposal: int) -> object:
        decided.append(proposal)
        return exact(sampler, proposal)

    monkeypatch.setattr(GaussianSampler, "_chance", counting)
    GaussianSampler(Fraction(900), margin=1.0).sample(100)
    forced = len(decided)
    GaussianSampler(Fraction(900)).sample(100)
    assert forced >= 100
    assert len(decided) - forced < 10


@pytest.mark.parametrize("tiny", [Fraction(1, 10**9), Fraction(1, 10**400)], ids=["1e-9", "1e-400"])
def test_vanishing_noise_is_zero(tiny: Fraction) -> None:
    assert not discrete_laplace(tiny, 1_000).any()
    assert not discrete_gaussian(tiny**2, 1_000).any()


@pytest.mark.parametrize("scale", [10**6, 10**17, 10**30])
def test_low_digits_of_wide_noise_are_uniform(scale: int) -> None:
    remainders = discrete_laplace(Fraction(scale), 10_000) % 8
    assert accepts(remainders, lambda x: (x + 1) / 8, list(range(7)))


@pytest.mark.parametrize("sampler", [discrete_laplace, discrete_gaussian])
def test_arrays_are_int64_where_values_fit_and_exact_integers_elsewhere(sampler: object) -> None:
    assert callable(sampler)
    assert sampler(Fraction(10**6), 5).dtype == np.int64
    wide = sampler(Fraction(10**60), 5)
    assert wide.dtype == object
    assert all(type(draw) is int for draw in wide)
    assert sampler(Fraction(1), 0).shape == (0,)


@pytest.mark.parametrize("bad", [0, -1, float("nan"), float("inf"), Decimal("NaN"), Decimal("-Infinity")])
@pytest.mark.parametrize("sampler", [discrete_laplace, discrete_gaussian])
def test_parameters_that_are_not_positive_and_finite_are_refused(sampler: object, bad: object) -> None:
    assert callable(sampler)
    with pytest.raises(ValueError, match=r"the (scale|variance) must be (a finite number|greater than zero), got"):
        sampler(bad, 1)


def test_a_negative_number_of_cells_is_refused() -> None:
    with pytest.raises(ValueError, match="number of draws must not be negative, got -1"):
        discrete_laplace(Fraction(1), -1)
