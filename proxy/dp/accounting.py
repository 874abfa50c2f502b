"""Prices and accounts: what a release costs, and whether an account can pay it (theorem 15, decision 6).

An account is tracked in two ways at once: as pure ε and as zCDP. A charge is admitted if its δ fits and either
everything so far was pure and the epsilons add up to at most ε (basic composition), or the ρ add up to at most what
converts to (ε, δ) (zCDP). Both are sound when each query is chosen after seeing the last answer. Prices are exact and
rounded up, limits are rounded down.
"""

from __future__ import annotations

import decimal
import functools
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

from proxy.dp.conversion import QUANTUM, largest_rho, pure_rho
from proxy.dp.exact import ceil_to, non_negative, positive, probability, square_root_below

QUERIES_CAP = 10**9
"""The largest number that `Account.queries_left` counts to."""

_DECIMAL_CONTEXT = decimal.Context(prec=200, traps=[decimal.Inexact, decimal.InvalidOperation])


@dataclass(frozen=True)
class Price:
    """What a release costs, as pure ε and as zCDP. Each part is rounded up to a multiple of `QUANTUM`.

    Attributes:
        epsilon: pure epsilon, or None if the release is not pure.
        rho: zCDP.
        delta: failure probability of key selection.

    Raises:
        ValueError: a part is NaN, infinite or negative.
    """

    epsilon: Fraction | None
    rho: Fraction
    delta: Fraction

    def __post_init__(self) -> None:
        if self.epsilon is not None:
            object.__setattr__(self, "epsilon", ceil_to(non_negative("epsilon", self.epsilon), QUANTUM))
        object.__setattr__(self, "rho", ceil_to(non_negative("rho", self.rho), QUANTUM))
        object.__setattr__(self, "delta", ceil_to(non_negative("delta", self.delta), QUANTUM))

    @classmethod
    @functools.cache
    def zero(cls) -> Price:
        """The price of nothing; the neutral element of addition."""
        return cls(Fraction(0), Fraction(0), Fraction(0))

    @classmethod
    def laplace(cls, epsilon: Fraction) -> Price:
        """A pure release: ε, and ε·tanh(ε/2) zCDP (Bun and Steinke 2016, sharpened; theorem 7)."""
        epsilon = positive("epsilon", epsilon)
        return cls(epsilon, pure_rho(epsilon), Fraction(0))

    @classmethod
    def gaussian(cls, rho: Fraction) -> Price:
        """A ρ-zCDP release that is not pure (Canonne, Kamath, Steinke 2020)."""
        return cls(None, positive("rho", rho), Fraction(0))

    @classmethod
    def exponential(cls, epsilon: Fraction) -> Price:
        """A choice of ε-bounded range: ε, and ε²/8 zCDP (Cesar and Rogers 2021), or a pure release's ρ if that is
        less."""
        epsilon = positive("epsilon", epsilon)
        return cls(epsilon, min(epsilon**2 / 8, pure_rho(epsilon)), Fraction(0))

    @classmethod
    def key_selection(cls, delta: Fraction) -> Price:
        """The probability that key selection shows a group that only one unit has (theorem 12)."""
        return cls(Fraction(0), Fraction(0), probability("delta", delta))

    def __add__(self, other: Price) -> Price:
        """The price of both releases; pure only if both are."""
        pure = None if self.epsilon is None or other.epsilon is None else self.epsilon + other.epsilon
        return Price(pure, self.rho + other.rho, self.delta + other.delta)

    def of_group(self, size: int) -> Price:
        """The price for entities of which one unit has up to `size`: kε, and k²ρ (theorem 24).

        Raises:
            ValueError: the size is not positive, or the release can fail with a probability, for which that is no
                price.
        """
        if size < 1 or (size > 1 and self.delta):
            raise ValueError(f"no price for {size} of a release of delta {self.delta}")
        return Price(None if self.epsilon is None else size * self.epsilon, size**2 * self.rho, self.delta)

    def as_decimals(self) -> tuple[Decimal | None, Decimal, Decimal]:
        """(epsilon, rho, delta) as exact decimals, at most 30 digits after the point."""
        epsilon = None if self.epsilon is None else exact_decimal(self.epsilon)
        return (epsilon, exact_decimal(self.rho), exact_decimal(self.delta))

    @classmethod
    def from_decimals(cls, epsilon: Decimal | None, rho: Decimal, delta: Decimal) -> Price:
        """The inverse of `as_decimals`.

        Raises:
            ValueError: a part is NaN, infinite or negative.
        """
        return cls(
            None if epsilon is None else non_negative("epsilon", epsilon),
            non_negative("rho", rho),
            non_negative("delta", delta),
        )


@dataclass(frozen=True)
class Remaining:
    """What is left, for messages. `epsilon` is None once a charge was not pure."""

    epsilon: Fraction | None
    rho: Fraction
    delta: Fraction


@dataclass(frozen=True)
class Account:
    """An account that guarantees (ε, δ)-DP for everything that is charged to it.

    Half of δ pays for the conversion from zCDP, half for key selection. With δ = 0 only pure ε counts.

    Attributes:
        epsilon: > 0.
        delta: in [0, 1).
        available: how much of it may be spent by now, in [0, 1]: of ε, of ρ and of the δ for keys.

    Raises:
        ValueError: arguments outside of that, or not finite.
    """

    epsilon: Fraction
    delta: Fraction
    available: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive("epsilon", self.epsilon))
        delta = non_negative("delta", self.delta)
        object.__setattr__(self, "delta", probability("delta", delta) if delta else delta)
        if not 0 <= self.available <= 1:
            raise ValueError(f"the available part must be between 0 and 1, got {self.available}")

    def raised(self, epsilon: Fraction, delta: Fraction) -> Account:
        """With as much more; the guarantee is that of the sums."""
        return replace(self, epsilon=self.epsilon + epsilon, delta=self.delta + delta) if epsilon or delta else self

    @property
    def delta_conversion(self) -> Fraction:
        """The part of δ for the conversion from zCDP."""
        return self.delta / 2

    @property
    def delta_keys(self) -> Fraction:
        """The part of δ that key selection may spend."""
        return self.delta / 2

    @cached_property
    def rho_max(self) -> Fraction:
        """The most ρ that may be spent; 0 if δ = 0."""
        return largest_rho(self.epsilon, self.delta_conversion) if self.delta else Fraction(0)

    def admits(self, spent: Price, price: Price) -> bool:
        """May `price` be charged after `spent`? Depends on public history only.

        Args:
            spent: the sum of all earlier charges; its epsilon is None if one of them was not pure.
            price: of the release that is about to be made.
        """
        total = spent + price
        if total.delta > self.delta_keys * self.available:
            return False
        pure_rail = total.epsilon is not None and total.epsilon <= self.epsilon * self.available
        concentrated_rail = self.delta > 0 and total.rho <= self.rho_max * self.available
        return pure_rail or concentrated_rail

    def remaining(self, spent: Price) -> Remaining:
        """What is left after `spent`; never negative."""
        nothing = Fraction(0)
        return Remaining(
            epsilon=None if spent.epsilon is None else max(nothing, self.epsilon * self.available - spent.epsilon),
            rho=max(nothing, self.rho_max * self.available - spent.rho),
            delta=max(nothing, self.delta_keys * self.available - spent.delta),
        )

    def share_left(self, remaining: Remaining) -> Fraction:
        """`remaining` as a share of the limit, from 0 to 1, by pure ε or by ρ, whichever leaves more: for messages."""
        rho_max = self.rho_max
        shares = [remaining.rho / rho_max] if rho_max else []
        if remaining.epsilon is not None:
            shares.append(remaining.epsilon / self.epsilon)
        return max(shares, default=Fraction(0))

    def payable_share(self, spent: Price, price: Price) -> Fraction:
        """By how much the epsilon of a release can be multiplied at most, so that `price`, which is then less, is
        admitted after `spent`; rounded down. 0 if no epsilon is small enough.

        ρ is at most ε²/2 where a price is pure (theorem 7), and else in proportion to ε².
        """
        left = self.remaining(spent)
        if price.delta > left.delta:
            return Fraction(0)
        shares = [Fraction(0)]
        if left.epsilon is not None and price.epsilon:
            shares.append(left.epsilon / price.epsilon)
        if left.rho and price.epsilon:
            shares.append(square_root_below(2 * left.rho) / price.epsilon)
        elif left.rho and price.epsilon is None and price.rho:
            shares.append(square_root_below(left.rho / price.rho))
        return max(shares)

    def share_of(self, price: Price) -> Fraction:
        """How much of the limit a price is: by pure ε or by ρ, whichever is less, but at least what it is of the δ for
        keys. More than 1 if the account could never pay it."""
        rho_max, never = self.rho_max, Fraction(2)
        shares = [price.rho / rho_max] if rho_max else []
        if price.epsilon is not None:
            shares.append(price.epsilon / self.epsilon)
        of_keys = price.delta / self.delta_keys if self.delta else never if price.delta else Fraction(0)
        return max(min(shares, default=never), of_keys)

    def queries_left(self, spent: Price, price: Price) -> int:
        """How many charges of `price` in a row would be admitted after `spent`; at most `QUERIES_CAP`."""
        left = self.remaining(spent)
        by_delta = _times(left.delta, price.delta) if spent.delta <= self.delta_keys * self.available else 0
        by_epsilon = by_rho = 0
        if spent.epsilon is not None and price.epsilon is not None and spent.epsilon <= self.epsilon * self.available:
            by_epsilon = _times(self.epsilon * self.available - spent.epsilon, price.epsilon)
        if self.delta > 0 and spent.rho <= self.rho_max * self.available:
            by_rho = _times(left.rho, price.rho)
        return min(by_delta, max(by_epsilon, by_rho))


def _times(available: Fraction, price: Fraction) -> int:
    """How often `price` fits into `available`; at most `QUERIES_CAP`, and 0 if `available` is negative."""
    if available < 0:
        return 0
    return QUERIES_CAP if price == 0 else min(QUERIES_CAP, int(available / price))


def exact_decimal(value: Fraction) -> Decimal:
    """A multiple of `QUANTUM` as an exact decimal without trailing zeros.

    Raises:
        decimal.Inexact: it has more digits.
    """
    return _DECIMAL_CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))
