"""From zero-concentrated to approximate differential privacy (theorem 14).

By Canonne, Kamath and Steinke 2020 ("CKS"), a ρ-zCDP interaction is (ε, δ)-DP with

    ln δ(α) = (α - 1)(αρ - ε) + (α - 1) ln(α - 1) - α ln α      for every α > 1.

This is convex in α for each ρ, so the best α is where its derivative (2α - 1)ρ - ε - ln(α / (α - 1)) vanishes. Every α
gives a valid bound, so an imprecise α costs a little of the budget but never soundness; only the last evaluation has to
be rounded in the safe direction.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from proxy.dp.exact import ceil_to, floor_to, positive, precise, probability, to_decimal

QUANTUM = Fraction(1, 10**30)
"""Prices are multiples of this, rounded up, and limits are multiples of it, rounded down."""

_SLACK = Fraction(1, 10**40)
"""Far more than the relative error of an evaluation with 120 digits, of which orders up to 1e35 cancel at most 35."""

_BISECTIONS = 80
_LOG_ORDER_RANGE = (-80, 80)
"""Where ln(α - 1) is sought: for ε from 1e-20 to 1e30 the best order lies inside, and any order is a valid one."""


@lru_cache(maxsize=1024)
def largest_rho(epsilon: Fraction, delta: Fraction) -> Fraction:
    """The largest ρ, rounded down to a multiple of `QUANTUM`, for which ρ-zCDP implies (ε, δ)-DP.

    For a given order α the equation is linear in ρ; ρ(α) has a single maximum because ln δ is convex in α.

    Args:
        epsilon: > 0.
        delta: in (0, 1).

    Raises:
        ValueError: arguments outside of that, or not finite.
    """
    epsilon, delta = positive("epsilon", epsilon), probability("delta", delta)
    with precise():
        target, log_delta = to_decimal(epsilon), to_decimal(delta).ln()

        def rho_at(excess: Decimal) -> Decimal:
            return (target + (log_delta + _log_penalty(excess)) / excess) / (1 + excess)

        def past_maximum(excess: Decimal) -> bool:
            return (2 * excess + 1) * rho_at(excess) - target > (1 + 1 / excess).ln()

        rho = Fraction(rho_at(_bisect_order(past_maximum)))
    return max(Fraction(0), floor_to(rho * (1 - _SLACK), QUANTUM))


@lru_cache(maxsize=1024)
def smallest_epsilon(rho: Fraction, delta: Fraction) -> Fraction:
    """About the smallest ε for which ρ-zCDP implies (ε, δ)-DP, for people to read; decisions use `largest_rho`.

    Args:
        rho: > 0.
        delta: in (0, 1).

    Raises:
        ValueError: arguments outside of that, or not finite.
    """
    rho, delta = positive("rho", rho), probability("delta", delta)
    with precise():
        price, log_delta = to_decimal(rho), to_decimal(delta).ln()

        def epsilon_at(excess: Decimal) -> Decimal:
            return (1 + excess) * price - (log_delta + _log_penalty(excess)) / excess

        def past_minimum(excess: Decimal) -> bool:
            return (2 * excess + 1) * price - epsilon_at(excess) > (1 + 1 / excess).ln()

        return max(Fraction(0), Fraction(epsilon_at(_bisect_order(past_minimum))))


@lru_cache(maxsize=1024)
def pure_rho(epsilon: Fraction) -> Fraction:
    """ρ of a pure ε-DP release, ε·tanh(ε/2) <= min(ε, ε²/2), rounded up to a multiple of `QUANTUM`.

    Args:
        epsilon: > 0.

    Raises:
        ValueError: NaN, infinite, zero or negative.
    """
    epsilon = positive("epsilon", epsilon)
    with precise():
        vanishing = (-to_decimal(epsilon)).exp()
        rho = Fraction(to_decimal(epsilon) * (1 - vanishing) / (1 + vanishing))
    return ceil_to(min(rho * (1 + _SLACK), epsilon), QUANTUM)


def _log_penalty(excess: Decimal) -> Decimal:
    """α ln α - (α - 1) ln(α - 1) for α - 1 = `excess`."""
    return (1 + excess).ln() + excess * (1 + 1 / excess).ln()


def _bisect_order(past: Callable[[Decimal], bool]) -> Decimal:
    """The α - 1 at which `past` turns true, to about twenty digits."""
    low, high = (Decimal(end) for end in _LOG_ORDER_RANGE)
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if past(middle.exp()):
            high = middle
        else:
            low = middle
    return high.exp()
