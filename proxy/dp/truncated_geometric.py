"""Key selection where each unit is in one group: the optimal mechanism (theorem 13).

Desfontaines, Voss, Gipson and Mandayam 2020: among all (ε, δ)-DP ways to decide from a number n of units whether to
show a group, never showing an empty one, the one most likely to show it is

    π(0) = 0,   π(n) = min(e^ε·π(n - 1) + δ, 1 - e^-ε·(1 - π(n - 1) - δ), 1).

That is (but for the rounding of its threshold) a threshold on the number of units with truncated geometric noise. While
π is small the first term is the least, and from n₁ on the second one, so that with s = 1 / (e^ε - 1)

    π(n) = δ·s·(e^(nε) - 1)                               for n <= n₁,
    1 - π(n₁ + m) = e^-mε·(1 - π(n₁)) - δ·s·(1 - e^-mε)   for m >= 0, as far as that is positive.

Any such decision is an ε-DP one except with probability δ (Kairouz, Oh and Viswanath 2015), so that its
price is that of a pure release and δ. The numbers are drawn exactly, by lazy comparison with these closed forms.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from proxy.dp.accounting import Price
from proxy.dp.exact import positive, precise, to_decimal
from proxy.dp.lazy_probability import LazyProbability, exponential_bounds
from proxy.dp.noise import IntegerArray
from proxy.dp.randomness import uniform_long_words
from proxy.dp.weighted_choice import integers

_MARGIN = 2.0**-20
"""Far more than the error of a float probability."""

_MANY = 10**15
"""The number of units beyond n₁ at which e^-mε vanishes for every ε that floats serve."""


@dataclass(frozen=True)
class TruncatedGeometricSelection:
    """Decides which groups to show from their numbers of units, each unit being in one group.

    Attributes:
        epsilon: > 0.
        delta: in (0, 1/4].
        margin: a uniform number that is nearer than this to the float probability is decided exactly. Every value of at
            least 2**-30 gives the same law; 1 decides every draw exactly.

    Raises:
        ValueError: arguments outside of that, or not finite.
    """

    epsilon: Fraction
    delta: Fraction
    margin: float = _MARGIN

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive("epsilon", self.epsilon))
        object.__setattr__(self, "delta", positive("delta", self.delta))
        if self.delta > Fraction(1, 4):
            raise ValueError(f"delta must be at most 1/4, got {self.delta}")

    @property
    def price(self) -> Price:
        return Price.laplace(self.epsilon) + Price.key_selection(self.delta)

    @cached_property
    def turn(self) -> int:
        """n₁ >= 1, the last number of units for which e^ε·π(n - 1) + δ is the least term.

        That is so while π(n - 1) <= (1 - δ) / (e^ε + 1), or e^((n - 1)ε) <= (e^ε - 1 + 2δ) / (δ·(e^ε + 1)). The two
        sides are never equal (Lindemann); should they agree in a hundred digits, so do the two terms.
        """
        with precise():
            epsilon, delta = to_decimal(self.epsilon), to_decimal(self.delta)
            growth = epsilon.exp()
            return 1 + int(((growth - 1 + 2 * delta) / (delta * (growth + 1))).ln() / epsilon)

    @cached_property
    def likely(self) -> int:
        """The least number of units with which a group is shown with even odds or better: n₁ or n₁ + 1."""
        return self.turn if self.shown(self.turn).leading_bits(1) else self.turn + 1

    def shown(self, units: int) -> LazyProbability:
        """π(n) for 1 <= n <= n₁."""
        return LazyProbability(lambda precision: self._shown_bounds(units, precision))

    def hidden(self, units: int) -> LazyProbability:
        """1 - π(n) for n > n₁."""
        return LazyProbability(lambda precision: self._hidden_bounds(units, precision))

    def draw(self, size: int) -> NDArray[np.uint64]:
        """The words that decide on `size` groups."""
        return uniform_long_words(size)

    def select(self, units: IntegerArray | Sequence[int], drawn: NDArray[np.uint64] | None = None) -> list[bool]:
        """Which groups to show, given their exact numbers of units; never empty ones.

        Args:
            units: of the groups.
            drawn: as many words from `draw`, used nowhere else; drawn now if None.

        Raises:
            TypeError: a number that is not an integer.
        """
        counts = integers(units)
        # A draw decides on the outcome that becomes rare: showing up to n₁ units, hiding beyond.
        beyond = counts > self.turn
        chance, margin = self._float_chances(counts), self.margin
        if chance is None:
            chance, margin = np.zeros(len(counts)), 1.0
        words = self.draw(len(counts)) if drawn is None else drawn
        uniform = (words >> np.uint64(11)).astype(np.float64) * 2.0**-53
        happens = uniform < chance - margin
        for group in np.flatnonzero(~happens & (uniform <= chance + margin) & (counts > 0)):
            count = int(counts[group])
            exact = self.hidden(count) if beyond[group] else self.shown(count)
            happens[group] = exact.exceeds(int(words[group]), 64)
        return [bool(shown) for shown in happens != beyond]

    def _float_chances(self, counts: IntegerArray) -> NDArray[np.float64] | None:
        """π(n) up to n₁ and 1 - π(n) beyond, or None where floats do not suffice.

        The exponents stay below 430, so that the floats' relative errors are below 2**-40.
        """
        if not (1e-9 < self.epsilon < 200 and self.delta > 1e-100):
            return None
        epsilon = float(self.epsilon)
        odds = float(self.delta) / math.expm1(epsilon)
        few = np.clip(counts, 0, self.turn).astype(np.float64)
        more = np.clip(counts - self.turn, 0, _MANY).astype(np.float64)
        with np.errstate(under="ignore"):
            shown = odds * np.expm1(few * epsilon)
            rest = np.exp(-more * epsilon)
            hidden = np.maximum(0.0, rest * (1 - shown) - odds * (1 - rest))
        return np.where(more > 0, hidden, shown)

    def _shown_bounds(self, units: int, precision: int) -> tuple[int, int]:
        """Integers around 2**precision·δ·(1 - x^n) / (x^(n - 1)·(1 - x)), x = e^-ε."""
        if units == 1:
            exact = self.delta * 2**precision
            return math.floor(exact), math.ceil(exact)
        working = self._working(precision)
        one = 1 << working
        ratio = exponential_bounds(self.epsilon, working)
        before = exponential_bounds(self.epsilon * (units - 1), working)
        power = exponential_bounds(self.epsilon * units, working)
        low = Fraction(one - power[1], before[1] * (one - ratio[0]))
        high = Fraction(one - power[0], before[0] * (one - ratio[1]))
        scale = self.delta * 2 ** (working + precision)
        return math.floor(low * scale), math.ceil(high * scale)

    def _hidden_bounds(self, units: int, precision: int) -> tuple[int, int]:
        """Integers around 2**precision times the larger of 0 and x^m·(1 - π(n₁)) - δ·(1 - x^m)·x / (1 - x)."""
        working = self._working(precision)
        one = 1 << working
        ratio = exponential_bounds(self.epsilon, working)
        rest = exponential_bounds(self.epsilon * (units - self.turn), working)
        shown = self._shown_bounds(self.turn, working)
        least = self.delta * Fraction((one - rest[1]) * ratio[0], one - ratio[0])
        most = self.delta * Fraction((one - rest[0]) * ratio[1], one - ratio[1])
        low = Fraction(rest[0] * max(0, one - shown[1]), one) - most
        high = Fraction(rest[1] * (one - shown[0]), one) - least
        surplus = working - precision
        return max(0, math.floor(low / 2**surplus)), max(0, math.ceil(high / 2**surplus))

    def _working(self, precision: int) -> int:
        """Extra bits for the small numbers x^n₁, which is about δ, and 1 - x, which is about ε."""
        return precision + 64 + 2 * _bits_below_one(self.delta) + 2 * _bits_below_one(self.epsilon)


def _bits_below_one(value: Fraction) -> int:
    return max(0, value.denominator.bit_length() - value.numerator.bit_length() + 1)
