"""Theorem 14 in the other direction than `proxy.dp.conversion`: the δ of a ρ at a given ε, with mpmath."""

from __future__ import annotations

from fractions import Fraction

import mpmath


def log_delta(rho: Fraction, epsilon: Fraction, excess: mpmath.mpf) -> mpmath.mpf:
    """The formula of theorem 14, at the order 1 + excess."""
    order, cost, target = 1 + excess, mpmath.mpf(rho.numerator) / rho.denominator, mpmath.mpf(epsilon.numerator)
    target /= epsilon.denominator
    return (order - 1) * (order * cost - target) + order * mpmath.log(1 - 1 / order) - mpmath.log(order - 1)


def conversion_delta(rho: Fraction, epsilon: Fraction) -> float:
    """The δ at the best order: by the formula ρ-zCDP implies (ε, δ)-DP. At most 1.

    Args:
        rho: >= 0.
        epsilon: >= 0.
    """
    if not rho:
        return 0.0
    with mpmath.workdps(100):
        cost, target = (mpmath.mpf(number.numerator) / number.denominator for number in (rho, epsilon))
        low, high = mpmath.mpf(-80), mpmath.mpf(80)
        for _ in range(100):
            middle = (low + high) / 2
            excess = mpmath.exp(middle)
            # The derivative's sign: the formula is convex in the order.
            if (2 * excess + 1) * cost - target > mpmath.log(1 + 1 / excess):
                high = middle
            else:
                low = middle
        return min(1.0, float(mpmath.exp(log_delta(rho, epsilon, mpmath.exp(high)))))
