"""Reports: exact probabilities of their bits, and what they say of a value at most (proxy.dp.local.unary, sketch)."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import opendp.prelude as opendp
import pytest
from numpy.typing import NDArray
from scipy import stats

from proxy.dp.local.flips import BitFlips
from proxy.dp.local.sketch import HashFunctions, report
from proxy.dp.local.unary import chunks, contrast, flip_probability, randomise, unpacked

pytestmark = pytest.mark.statistical

opendp.enable_features("contrib")

EPSILONS = [Fraction(1, 2), Fraction(1), Fraction(19, 10), Fraction(6)]
FALSE_ALARM = 1e-7
"""Of one call of `has_law`: exact binomial tails, shared among all positions."""


def has_law(bits: NDArray[np.uint8], chances: NDArray[np.float64]) -> bool:
    """Are the ones at each position as many as `chances` says?"""
    ones, level = bits.sum(axis=0), FALSE_ALARM / (2 * len(chances))
    tails = np.minimum(stats.binom.cdf(ones, len(bits), chances), stats.binom.sf(ones - 1, len(bits), chances))
    return bool((tails >= level).all())


def chances(place: int, positions: int, epsilon: float) -> NDArray[np.float64]:
    flipped = 1 / (1 + math.exp(epsilon / 2))
    result = np.full(positions, flipped)
    result[place] = 1 - flipped
    return result


@pytest.mark.parametrize("epsilon", EPSILONS, ids=str)
def test_bits_of_a_report_have_their_exact_probabilities(epsilon: Fraction) -> None:
    count, positions, place = 120_000, 11, 4
    bits = unpacked(randomise(np.full(count, place), positions, epsilon), positions)
    assert has_law(bits, chances(place, positions, float(epsilon)))
    # Power: another epsilon by 30 %, and the one at the next position, are told apart.
    assert not has_law(bits, chances(place, positions, float(epsilon) * 1.3))
    assert not has_law(bits, chances(place, positions, float(epsilon) * 0.7))
    assert not has_law(bits, chances(place + 1, positions, float(epsilon)))


def test_bits_of_a_report_are_independent() -> None:
    """Each pair of bits is equal as often as independent bits are: no word of randomness is used twice."""
    epsilon, count, positions = Fraction(1), 60_000, 9
    bits = unpacked(randomise(np.full(count, 0), positions, epsilon), positions)[:, 1:]
    flipped = flip_probability(epsilon)
    equal = np.stack([bits[:, i] == bits[:, j] for i, j in itertools.combinations(range(positions - 1), 2)], axis=1)
    assert has_law(equal.astype(np.uint8), np.full(equal.shape[1], flipped**2 + (1 - flipped) ** 2))


def test_a_tie_of_the_first_word_is_resolved_exactly() -> None:
    """Chances below one in 65536 occur at all only because ties draw further bits."""
    draws = BitFlips(Fraction(13)).draw(8_000, 2_000)
    chance = 1 / (1 + math.exp(13))
    low, high = stats.binom.ppf([FALSE_ALARM, 1 - FALSE_ALARM], draws.size, chance)
    assert 0 < low <= draws.sum() <= high


def probability(bits: tuple[int, ...], place: int, flipped: float) -> float:
    return math.prod((1 - flipped) if bit == (position == place) else flipped for position, bit in enumerate(bits))


@pytest.mark.parametrize("epsilon", EPSILONS, ids=str)
def test_any_report_is_at_most_e_to_the_epsilon_likelier_for_one_value_than_for_another(epsilon: Fraction) -> None:
    """The whole distribution over the 32 reports of 5 positions; the bound is reached."""
    flipped, positions = flip_probability(epsilon), 5
    ratios = [
        probability(bits, place, flipped) / probability(bits, other, flipped)
        for bits in itertools.product((0, 1), repeat=positions)
        for place, other in itertools.permutations(range(positions), 2)
    ]
    assert max(ratios) == pytest.approx(math.exp(epsilon), rel=1e-9)


@pytest.mark.parametrize("epsilon", EPSILONS, ids=str)
def test_opendp_gives_rappor_with_this_flip_probability_the_same_epsilon(epsilon: Fraction) -> None:
    rappor: Any = opendp.m.make_randomized_response_bitvec(
        opendp.bitvector_domain(max_weight=1), opendp.discrete_distance(), f=2 * flip_probability(epsilon)
    )
    assert rappor.map(1) == pytest.approx(float(epsilon), rel=1e-6)


def test_contrast_is_one_minus_twice_the_flip_probability() -> None:
    for epsilon in EPSILONS:
        assert contrast(epsilon) == pytest.approx(1 - 2 * flip_probability(epsilon), rel=1e-9)


FUNCTIONS = HashFunctions(bytes(range(32)), 16, 8)


def test_rows_of_a_sketch_are_uniform_whatever_the_value_and_vectors_have_the_one_in_the_values_bucket() -> None:
    epsilon, count = Fraction(2), 60_000
    for value in (b"=a", b"?"):
        reports = report([value] * count, FUNCTIONS, epsilon)
        rows = np.eye(FUNCTIONS.rows, dtype=np.uint8)[reports.rows]
        assert has_law(rows, np.full(FUNCTIONS.rows, 1 / FUNCTIONS.rows))
        assert not has_law(rows[rows[:, 0] == 0], np.full(FUNCTIONS.rows, 1 / FUNCTIONS.rows))
        bits, buckets = unpacked(reports.vectors, FUNCTIONS.buckets), FUNCTIONS.buckets_of(value)
        for row in (0, 7, 15):
            assert has_law(bits[reports.rows == row], chances(int(buckets[row]), FUNCTIONS.buckets, float(epsilon)))


def test_hash_functions_spread_values_evenly_and_independently_of_each_other() -> None:
    functions = HashFunctions(b"seed", 64, 8)
    buckets = np.stack([functions.buckets_of(f"={number}".encode()) for number in range(2_000)])
    for row in (0, 63):
        assert has_law(np.eye(8, dtype=np.uint8)[buckets[:, row]], np.full(8, 1 / 8))
    collisions = (buckets[:, 0] == buckets[:, 1]).astype(np.uint8)[:, np.newaxis]
    assert has_law(collisions, np.array([1 / 8]))


@pytest.mark.parametrize(("rows", "buckets"), [(3, 8), (8, 6), (0, 8), (8, 1), (8, 1 << 17)])
def test_numbers_of_rows_and_buckets_that_favour_some_buckets_are_refused(rows: int, buckets: int) -> None:
    with pytest.raises(ValueError, match="must be a power of two"):
        HashFunctions(b"", rows, buckets)


@pytest.mark.parametrize(("reports", "positions"), [(0, 8), (5, 1 << 24), (3, 1 << 22), (2_500_000, 5), (7, 1 << 20)])
def test_chunks_hold_every_report_once(reports: int, positions: int) -> None:
    found = list(chunks(reports, positions))
    ends = [0, *(chunk.stop for chunk in found)]
    assert [chunk.start for chunk in found] == ends[:-1]
    assert ends[-1] == reports
    assert all(chunk.stop > chunk.start for chunk in found)
    assert all(chunk.stop - chunk.start <= max(1, (1 << 22) // positions) for chunk in found)


def test_a_huge_epsilon_flips_nothing_and_is_no_error() -> None:
    assert 0 <= flip_probability(Fraction(10**6)) < 1e-300


def test_the_least_and_the_most_rows_and_buckets_are_possible() -> None:
    for rows, buckets in ((1, 2), (65536, 65536)):
        assert len(HashFunctions(b"seed", rows, buckets).buckets_of(b"value")) == rows
