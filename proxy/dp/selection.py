"""Group keys that the policy does not declare: which groups may be shown (theorem 12).

Each unit spreads a weight over its groups, and a group is shown if and only if its noisy total reaches a threshold that
a group of a single unit reaches with probability at most δ. A unit's K groups get 1/√K each with Gaussian noise, so
that the squares sum to 1, and 1/K each with Laplace noise. Weights are integers on a grid, truncated toward zero.
Where a unit has one group at most, the truncated geometric mechanism decides from the number of units.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, Literal

from numpy.typing import NDArray

from proxy.dp.accounting import Price
from proxy.dp.exact import positive, positive_count, square_root_above
from proxy.dp.mechanisms import Cells, GaussianMechanism, LaplaceMechanism, Mechanism
from proxy.dp.tails import continuous_reach, laplace_reach
from proxy.dp.truncated_geometric import TruncatedGeometricSelection
from proxy.dp.weighted_choice import integers

RESOLUTION = 2**20
"""The cells of weight 1. Rounding puts the threshold two or three cells too high."""

_LARGEST_OPTIMAL = 500
"""Beyond this epsilon, e^epsilon leaves every useful range, and so does the threshold."""

_LARGEST_DELTA = Fraction(1, 4)


@dataclass(frozen=True)
class KeySelection:
    """A noisy threshold on the weighted number of units of a group (Gopi et al. 2020; Wilson et al. 2019).

    With max_groups = 1 and Laplace noise it uses the optimal mechanism of the same price instead. That one is optimal
    among pure releases: at the same ρ and δ, the threshold with Gaussian noise shows smaller groups.

    Attributes:
        max_groups: l₀ >= 1, the groups that one unit gives weight to.
        noise: law of the noise on the weights.
        share: price of that noise: epsilon with "laplace", rho with "gaussian"; > 0.
        delta: in (0, 1/4], the probability that any of one unit's own groups is shown.
        min_units: >= 1; raises the threshold by the weight of min_units - 1 more units.
        resolution: cells of weight 1.

    Raises:
        ValueError: arguments outside of that, or not finite.
        TypeError: a count that is not an integer.
    """

    max_groups: int
    noise: Literal["laplace", "gaussian"]
    share: Fraction
    delta: Fraction
    min_units: int = 1
    resolution: int = RESOLUTION

    def __post_init__(self) -> None:
        positive_count("max_groups", self.max_groups)
        positive_count("min_units", self.min_units)
        positive_count("the resolution", self.resolution)
        object.__setattr__(self, "share", positive("the price of the noise", self.share))
        object.__setattr__(self, "delta", positive("delta", self.delta))
        if self.delta > _LARGEST_DELTA:
            raise ValueError(f"delta must be at most {_LARGEST_DELTA}, got {self.delta}")

    @property
    def weight_is_inverse_square_root(self) -> bool:
        """Does each of a unit's K groups get 1/√K (else 1/K)?"""
        return self.noise == "gaussian"

    @cached_property
    def optimal(self) -> TruncatedGeometricSelection | None:
        """The mechanism that decides instead of the threshold, if any."""
        if self.max_groups > 1 or self.noise == "gaussian" or self.share > _LARGEST_OPTIMAL:
            return None
        return TruncatedGeometricSelection(self.share, self.delta)

    @property
    def mechanism(self) -> Mechanism:
        """The noise of the threshold on the weights, whose norm over one unit's groups is at most `resolution`."""
        if self.noise == "gaussian":
            return GaussianMechanism(self.resolution**2, self.share)
        return LaplaceMechanism(self.resolution, self.share)

    @property
    def price(self) -> Price:
        if self.optimal is not None:
            return self.optimal.price
        return self.mechanism.price + Price.key_selection(self.delta)

    @property
    def threshold(self) -> int:
        """What the noisy total weight of a group must reach, in cells; a group of exactly this weight shows with even
        odds."""
        raised = (self.min_units - 1) * self.resolution
        if self.optimal is not None:
            return self.optimal.likely * self.resolution + raised
        return _threshold(self.mechanism, self.resolution, self.max_groups, self.delta) + raised

    @property
    def units_needed(self) -> float:
        """How many units a group needs to show with even odds if each of them is in `max_groups` groups."""
        groups = self.max_groups
        weight = 1 / math.sqrt(groups) if self.weight_is_inverse_square_root else 1 / groups
        return self.threshold / self.resolution / weight

    def draw(self, size: int) -> NDArray[Any]:
        """The noise, or random words, that decide on `size` groups."""
        return self.mechanism.draw(size) if self.optimal is None else self.optimal.draw(size)

    def select(self, weights: Cells, drawn: NDArray[Any] | None = None) -> list[bool]:
        """Which groups to show, given their exact total weights in cells.

        A group without weight never shows, like a group without units: delta covers the at most max_groups groups to
        which a unit gives weight, and noise alone would show one of many others.

        Args:
            weights: of the groups.
            drawn: as many values from `draw`, used nowhere else; drawn now if None, so that the duration depends on
                them.

        Raises:
            TypeError: a weight is not an integer.
        """
        if self.optimal is not None:
            # Rounded up: a unit that comes adds one unit or none, even if its weight was truncated below 1.
            units = -(-integers(weights) // self.resolution)
            return self.optimal.select(units - (self.min_units - 1), drawn)
        threshold = self.threshold
        noisy = self.mechanism.release(weights, drawn)
        return [weight > 0 and noisy_weight >= threshold for weight, noisy_weight in zip(weights, noisy, strict=True)]


@lru_cache(maxsize=512)
def _threshold(mechanism: Mechanism, resolution: int, max_groups: int, delta: Fraction) -> int:
    """max over 1 <= t <= l₀ of w(t) + r(t), from the two ends of the range alone.

    A unit with t groups of its own gives each at most w(t) cells, and noise reaches r(t) with probability at most
    δ/t, so that by the union bound none of the t reaches w(t) + r(t) but with probability δ ((1 - δ)^(1/t) <= 1 - δ/t).

    Why the ends suffice, with s = ln t:
    Laplace: w = e^-s and r = scale·(s + constant), so the slope -e^-s + scale changes sign at most once, from - to +.
    Gaussian: w = e^(-s/2) and r = σ·z, z = Φ⁻¹(1 - δ/t), dz/ds = R(z), R the Mills ratio, dR/dz = zR - 1. The slope
    -e^(-s/2)/2 + σR has the sign of 2σR·e^(s/2) - 1, and the logarithm of that product grows at the rate 1/2 + R'(z),
    which is positive for z >= 0.63, hence for δ/t <= 1/4. So again the sign changes at most once, from - to +.
    Rounding up to whole cells can put an inner t one cell above the ends: hence one cell is added.
    """
    if isinstance(mechanism, GaussianMechanism):
        variance = mechanism.variance
        return _larger_end(
            lambda count: math.ceil(resolution * square_root_above(Fraction(1, count))),
            lambda chance: continuous_reach(variance, chance),
            max_groups,
            delta,
        )
    scale = mechanism.scale
    return _larger_end(
        lambda count: -(-resolution // count),
        lambda chance: laplace_reach(scale, chance),
        max_groups,
        delta,
    )


def _larger_end(
    weight: Callable[[int], int], reach: Callable[[Fraction], int], max_groups: int, delta: Fraction
) -> int:
    return max(weight(count) + reach(delta / count) for count in (1, max_groups)) + 1
