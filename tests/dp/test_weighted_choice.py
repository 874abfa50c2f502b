"""Draws beside a boundary are decided by exact arithmetic, whatever floats would say (theorem 9)."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from proxy.dp import weighted_choice
from proxy.dp.weighted_choice import Runs, draw_offset, draw_run, integers

BITS = 600
"""Of a boundary, or of a uniform number that is read word by word."""


def share_of_the_first(loss: int, count: int, rate: Fraction) -> mpmath.mpf:
    """What part of the whole one item of loss 0 has beside `count` items of another loss."""
    with mpmath.workprec(2 * BITS):
        return 1 / (1 + count * mpmath.exp(-mpmath.mpf(rate.numerator) * loss / rate.denominator))


def serve(monkeypatch: pytest.MonkeyPatch, uniform: int) -> None:
    """Let the next draw see the bits of `uniform`, an integer of `BITS` bits."""
    left = BITS

    def bits(count: int) -> int:
        nonlocal left
        left -= count
        return uniform >> left & ((1 << count) - 1)

    monkeypatch.setattr(weighted_choice, "uniform_bits", bits)


def beside(loss: int, count: int) -> Runs:
    return Runs(np.array([0, loss]), np.array([0, 0]), integers([1, count]))


def test_a_draw_that_floats_would_place_on_the_wrong_side_is_decided_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    # An exponent of 130 is off by up to 2**-46 as a float, and so is the mass; the draws are within 2**-49.
    rate = Fraction(1, 7)
    for loss in range(880, 940):
        count = int(mpmath.exp(loss / mpmath.mpf(7)))
        share = share_of_the_first(loss, count, rate)
        for distance, index in ((-(2**-49), 0), (2**-49, 1)):
            with mpmath.workprec(2 * BITS):
                uniform = int((share + distance) * 2**BITS)
            serve(monkeypatch, uniform)
            assert draw_run(beside(loss, count), rate) == index


def test_a_sum_that_loses_many_small_masses_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    # 2**17 masses below half of the last digit vanish in a float sum, and are 2**-36 of the whole together.
    number = 2**17
    losses = np.full(number + 1, 37)
    losses[0] = 0
    runs = Runs(losses, np.zeros(number + 1, dtype=np.int64), np.ones(number + 1, dtype=np.int64))
    asked: list[int] = []

    def exactly(_runs: object, _rate: object, word: int) -> int:
        asked.append(word)
        return number

    monkeypatch.setattr(weighted_choice, "_draw_exactly", exactly)
    word = 2**64 - 2**27
    monkeypatch.setattr(weighted_choice, "uniform_bits", lambda _count: word)
    assert share_of_the_first(37, number, Fraction(1)) < word / mpmath.mpf(2) ** 64
    assert draw_run(runs, Fraction(1)) == number
    assert asked == [word]


@pytest.mark.parametrize("loss", [20, 30, 33, 41])
@pytest.mark.parametrize(("last", "index"), [(-1, 0), (1, 1)])
def test_a_uniform_number_that_leaves_the_boundary_after_300_bits_is_placed_by_these(
    monkeypatch: pytest.MonkeyPatch, loss: int, last: int, index: int
) -> None:
    share = share_of_the_first(loss, 1, Fraction(1))
    with mpmath.workprec(2 * BITS):
        serve(monkeypatch, int(mpmath.floor(share * 2**BITS)) + last * 2 ** (BITS - 300))
    assert draw_run(beside(loss, 1), Fraction(1)) == index


def test_masses_are_enclosed_at_every_precision_whatever_the_number_of_items() -> None:
    for precision in (6, 10, 17):
        for count in (1, 2, 3, 10):
            for step in (1, 2, 7):
                for loss in (0, 1, 5, 11):
                    rate = Fraction(3, 10)
                    run = (loss, step, count, 1 + step % 2, 1 + loss % 3)
                    low, high = weighted_choice._mass_bounds(run, rate, precision)
                    with mpmath.workdps(40):
                        unit, slope = mpmath.mpf(3) / 10, mpmath.mpf(step) / run[3]
                        mass = run[4] * mpmath.fsum(mpmath.exp(-unit * (loss + slope * j)) for j in range(count))
                        assert low <= mass * 2**precision <= high, (precision, count, step, loss)


def test_a_rate_that_no_precision_tells_from_zero_yet_is_no_error() -> None:
    runs = Runs(np.array([0, 5]), np.array([1, 1]), np.array([10, 30]))
    assert {draw_run(runs, Fraction(1, 2**300)) for _ in range(200)} == {0, 1}


def test_losses_beyond_every_float_are_no_error_and_never_chosen() -> None:
    runs = Runs(integers([0, 10**400]), np.array([0, 0]), np.array([1, 1]))
    assert {draw_run(runs, Fraction(1)) for _ in range(20)} == {0}


def test_losses_far_apart_keep_their_order_beyond_int64() -> None:
    for losses in ([-(2**63), 2**60], [-(2**62), 2**62], [-(2**60), 2**63 - 1]):
        runs = Runs(np.array(losses), np.array([0, 0]), np.array([1, 1]))
        assert {draw_run(runs, Fraction(1, 2**50)) for _ in range(20)} == {0}
    assert integers([-(2**62), 0]).dtype == object


@pytest.mark.parametrize("count", [2, 3, 5, 9])
def test_every_offset_of_a_run_can_be_drawn(count: int) -> None:
    for step in (0, 1):
        assert {draw_offset(step, count, Fraction(1, 100)) for _ in range(400)} == set(range(count))
