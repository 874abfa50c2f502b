"""Bounds of probabilities hold and narrow; comparisons are decided by the exact value."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.dp.lazy_probability import (
    LazyProbability,
    _small_exponential_bounds,
    doubled_exponential_bounds,
    exponential_bounds,
)

pytestmark = pytest.mark.statistical

EXPONENTS = st.fractions(min_value=0, max_value=400, max_denominator=10**12)


@given(EXPONENTS, st.integers(min_value=1, max_value=400))
def test_exponential_bounds_enclose_the_value_within_three_units(exponent: Fraction, precision: int) -> None:
    low, high = exponential_bounds(exponent, precision)
    with mpmath.workdps(400):
        value = mpmath.exp(-mpmath.mpf(exponent.numerator) / exponent.denominator) * 2**precision
        assert low <= value <= high
    assert high - low <= 3


@given(st.fractions(Fraction(1, 10**30), Fraction(1, 2)), st.integers(min_value=1, max_value=400))
def test_the_series_encloses_the_exponential(exponent: Fraction, precision: int) -> None:
    low, high = _small_exponential_bounds(exponent, precision)
    with mpmath.workdps(400):
        assert low <= mpmath.exp(mpmath.mpf(exponent.numerator) / exponent.denominator) * 2**precision <= high


@given(st.fractions(min_value=Fraction(1, 10**6), max_value=300, max_denominator=10**9))
def test_leading_bits_are_the_exact_ones(exponent: Fraction) -> None:
    with mpmath.workdps(200):
        growth = mpmath.exp(mpmath.mpf(exponent.numerator) / exponent.denominator)
        for probability, value in (
            (LazyProbability.exponential(exponent), 1 / growth),
            (LazyProbability.logistic(exponent), 1 / (1 + growth)),
        ):
            for count in (200, 16, 80, 1):
                assert probability.leading_bits(count) == int(mpmath.floor(value * 2**count))


def test_a_uniform_word_beside_the_probability_is_decided_without_more_bits() -> None:
    probability = LazyProbability.exponential(Fraction(1))
    leading = probability.leading_bits(64)
    assert probability.exceeds(leading - 1, 64)
    assert not probability.exceeds(leading + 1, 64)


@pytest.mark.parametrize("following", [0, 2**64 - 1])
def test_a_tie_is_decided_by_the_bits_that_follow(monkeypatch: pytest.MonkeyPatch, following: int) -> None:
    monkeypatch.setattr("proxy.dp.lazy_probability.uniform_bits", lambda _count: following)
    probability = LazyProbability.exponential(Fraction(1))
    assert probability.exceeds(probability.leading_bits(16), 16) is (following == 0)


def test_a_certain_event_always_happens() -> None:
    assert LazyProbability.exponential(Fraction(0)).exceeds(2**64 - 1, 64)


@given(st.fractions(Fraction(1, 10**30), 40, max_denominator=10**40), st.integers(0, 130), st.integers(1, 120))
def test_the_digits_of_a_geometric_know_the_bits_of_the_exact_probabilities(
    rate: Fraction, digits: int, bits: int
) -> None:
    *logistic, carry = LazyProbability.geometric_digits(rate, digits, bits)
    assert [probability._known for probability in logistic] == [
        (bits, LazyProbability.logistic(rate * 2**i).leading_bits(bits)) for i in range(digits)
    ]
    assert carry._known == (bits, LazyProbability.exponential(rate * 2**digits).leading_bits(bits))
    assert [probability.leading_bits(bits + 90) for probability in logistic] == [
        LazyProbability.logistic(rate * 2**i).leading_bits(bits + 90) for i in range(digits)
    ]


@given(st.fractions(Fraction(1, 10**30), 40), st.integers(1, 130), st.integers(1, 120))
def test_doubled_exponents_have_bounds_that_enclose_the_value(exponent: Fraction, count: int, precision: int) -> None:
    with mpmath.workdps(400):
        rate = mpmath.mpf(exponent.numerator) / exponent.denominator
        for i, (low, high) in enumerate(doubled_exponential_bounds(exponent, count, precision)):
            assert low <= mpmath.exp(-rate * 2**i) * 2**precision <= high
            assert high - low <= 2


@given(st.fractions(Fraction(1, 10**6), 12, max_denominator=10**6), st.integers(1, 12), st.integers(0, 2))
def test_bounds_of_a_logistic_enclose_it_though_they_have_few_bits(
    exponent: Fraction, precision: int, doublings: int
) -> None:
    low, high = LazyProbability.logistic(exponent, doublings)._bounds(precision)
    with mpmath.workdps(60):
        growth = mpmath.exp(mpmath.mpf(exponent.numerator) / exponent.denominator * 2**doublings)
        assert low <= mpmath.mpf(2) ** precision / (1 + growth) <= high


@pytest.mark.parametrize("digits", [2, 3, 5])
def test_what_lies_above_the_digits_of_a_geometric_has_its_exact_chance_beyond_the_known_bits(digits: int) -> None:
    rate = Fraction(1, 7)
    *logistic, carry = LazyProbability.geometric_digits(rate, digits, 16)
    assert carry.leading_bits(300) == LazyProbability.exponential(rate * 2**digits).leading_bits(300)
    for i, probability in enumerate(logistic):
        with mpmath.workdps(150):
            value = mpmath.mpf(2) ** 300 / (1 + mpmath.exp(mpmath.mpf(2**i) / 7))
            assert probability.leading_bits(300) == int(mpmath.floor(value))
