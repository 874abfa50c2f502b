"""How much of a unit counts where the data decide: norms, thresholds, and what choosing them costs (theorem 22).

A unit has a norm for each kind of number that a block measures. Its rows, and the sums of which variances and
correlations are made, are scaled together by the norm of its rows per group, so that these stay moments of weighted
rows; the sum of a SUM or of an average by the norm of the unit's own sums per group, so that an amount counts as what
it is, and not as what bounds allow; units by the number of their groups; distinct values by the unit's number of them
per group. The norm is the one that the noise needs, L2 for Gaussian and L1 for Laplace noise; L1 for both where totals
are measured, since totals of an L1 norm keep it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from proxy.dp.clipping import CELLS, TOLD_OF_UNIT, ThresholdChoice, cells_per_step, thresholds_up_to
from proxy.dp.exponential import exponential_epsilon
from proxy.dp.mechanisms import GaussianMechanism, LaplaceMechanism
from proxy.sql.planning.aggregates.aggregate import Aggregate
from proxy.sql.planning.guarantees import Guarantee, Noise
from proxy.sql.planning.statistic import Distinct, GridSum, Statistic, UnitCount
from proxy.sql.replacing import replace

Path = Literal["unique", "single group", "general"]
"""How a unit's contribution is bounded: `unique` has one row of each, `single group` needs no norm over groups."""

SHARE = Fraction(1, 10)
"""The part of its statistics' price that the choice of a threshold takes."""

MEDIAN, TOLD = Fraction(1, 5), Fraction(1, 4)
"""The parts of that for the order of magnitude, and for telling how much does not count."""

MOST_ROWS = 2**24
"""The last threshold of rows and of groups; units with more are scaled down to it."""

MOST_SUM = 2**62
"""The last threshold of sums, in steps of their grid."""

MOST_OWN_NORMS = 10
"""The most sums with a norm of their own. The source groups once for each, and adds up all numbers each time."""

_LEAST_BITS = 30


@dataclass(frozen=True)
class DistinctValues:
    """The distinct values of a unit in each of its groups, those of this statistic (by index, the first over them)."""

    statistic: int


Measured = Literal["rows", "groups"] | int | DistinctValues
"""What of a unit has a norm."""


@dataclass(frozen=True)
class Norm:
    """What a unit is measured by.

    Attributes:
        of: its rows per group, the groups that it is in, its sums of one statistic (by index) per group, or its
            distinct values per group.
        thresholds: how many there are, one at least.
        choice: how the threshold is chosen; None with a single one, which no unit exceeds, but with values that are not
            listed.
    """

    of: Measured
    thresholds: int
    choice: ThresholdChoice | None

    @property
    def bits(self) -> int:
        """A threshold has 3·2^bits cells, whichever it is."""
        return max(_LEAST_BITS, self.thresholds // 2)

    @property
    def cells(self) -> int:
        """The cells of a threshold: the sensitivity of numbers that reach 1."""
        return 3 << self.bits


@dataclass(frozen=True)
class Clipping:
    """The norms of a block.

    Attributes:
        norms: each once; those of distinct values last.
        norm_of: for each statistic, the index of its norm.
        power: of the norms, 1 or 2.
        chosen: for each norm the index of the threshold, once it is chosen; None before.
    """

    norms: tuple[Norm, ...]
    norm_of: tuple[int, ...]
    power: Literal[1, 2]
    chosen: tuple[int, ...] | None = None

    @property
    def choices(self) -> list[ThresholdChoice]:
        """How thresholds are chosen, where there is a choice."""
        return [norm.choice for norm in self.norms if norm.choice is not None]

    @property
    def of_sums(self) -> tuple[Norm, ...]:
        """The norms but those of distinct values."""
        return tuple(norm for norm in self.norms if not isinstance(norm.of, DistinctValues))

    def at(self, chosen: Sequence[int]) -> Clipping:
        """With thresholds that are chosen."""
        return replace(self, chosen=tuple(chosen))

    def cells_per_step(self, statistic: int) -> int:
        """The cells of one row, unit or grid step in a released number."""
        norm, index = self.norms[self.norm_of[statistic]], self.chosen_for(statistic)
        return cells_per_step(norm.bits, index)

    def is_chosen_for(self, statistic: int) -> bool:
        """Is the threshold of a statistic known, as there is only one or it is chosen?"""
        return self.chosen is not None or self.norms[self.norm_of[statistic]].choice is None

    def chosen_for(self, statistic: int) -> int:
        """The index of the threshold in force."""
        if not self.is_chosen_for(statistic):
            raise AssertionError("a threshold is known once the answer is")
        return self.chosen[self.norm_of[statistic]] if self.chosen is not None else 0

    def parts(self, statistic: int) -> Fraction:
        """What the noise of a statistic gets of its equal part of the price."""
        return 1 - SHARE if self.norms[self.norm_of[statistic]].choice is not None else Fraction(1)

    def sensitivity(self, statistic: int, reach: int) -> int:
        """The sensitivity of a statistic, in cells, in the norm of `power`: the same at every threshold."""
        norm = self.norms[self.norm_of[statistic]]
        return norm.cells * (1 if isinstance(norm.of, int) else reach)


def plan_clipping(
    statistics: Sequence[Statistic],
    aggregates: Sequence[Aggregate],
    noise: Noise,
    promise: Guarantee,
    parts: int,
    *,
    path: Path,
    has_totals: bool,
) -> Clipping:
    """The norms of a block, and the noise by which their thresholds are chosen.

    Args:
        statistics: what is measured.
        aggregates: what is made of it.
        noise: its kind.
        promise: of the block.
        parts: into how many equal parts its price is split.
        path: can a unit be in several groups, and have several rows?
        has_totals: are totals over several groups measured, too?
    """
    names = [_norm_of(index, statistics, aggregates, path) for index in range(len(statistics))]
    if sum(isinstance(of, int) for of in names) > MOST_OWN_NORMS:
        names = ["rows" if isinstance(of, int) and not _needs_own_norm(statistics[of]) else of for of in names]
    kinds = sorted(dict.fromkeys(names), key=lambda of: isinstance(of, DistinctValues))
    power: Literal[1, 2] = 1 if noise == "laplace" or has_totals else 2

    def norm(of: Measured) -> Norm:
        is_plain = not isinstance(of, int) and of != "groups"
        at_most_one = (path == "unique" and is_plain) or (path != "general" and of == "groups")
        count = 1 if at_most_one else thresholds_up_to(_most(of, statistics, path))
        share = promise.share(noise, parts) * SHARE * names.count(of)
        over_groups = power == 2 and path == "general" and not isinstance(of, DistinctValues)
        return Norm(of, count, _choice(of, statistics, noise, share, over_groups=over_groups) if count > 1 else None)

    return Clipping(tuple(norm(of) for of in kinds), tuple(kinds.index(name) for name in names), power)


def _norm_of(index: int, statistics: Sequence[Statistic], aggregates: Sequence[Aggregate], path: Path) -> Measured:
    statistic = statistics[index]
    if isinstance(statistic, UnitCount):
        return "groups"
    if isinstance(statistic, Distinct):
        return DistinctValues(next(place for place, other in enumerate(statistics) if _same_values(other, statistic)))
    if not isinstance(statistic, GridSum):
        return "rows"
    if statistic.needs_own_norm:
        return index
    users = [aggregate for aggregate in aggregates if index in aggregate.statistics]
    together = any(aggregate.keeps_weights or (path == "unique" and aggregate.is_ratio) for aggregate in users)
    return "rows" if together else index


def _same_values(statistic: Statistic, other: Distinct) -> bool:
    if not isinstance(statistic, Distinct):
        return False
    return (statistic.distinct.sql, statistic.filter_sql) == (other.distinct.sql, other.filter_sql)


def _needs_own_norm(statistic: Statistic) -> bool:
    return isinstance(statistic, GridSum) and statistic.needs_own_norm


def _most(of: Measured, statistics: Sequence[Statistic], path: Path) -> int:
    if isinstance(of, int):
        return min(statistics[of].reach * MOST_ROWS, MOST_SUM)
    if isinstance(of, DistinctValues) and path == "single group":
        listed = getattr(statistics[of.statistic], "listed", None)
        return MOST_ROWS if listed is None else min(listed.number, MOST_ROWS)
    return MOST_ROWS


def _choice(
    of: Measured, statistics: Sequence[Statistic], noise: Noise, share: Fraction, *, over_groups: bool
) -> ThresholdChoice:
    """The choice of a threshold. Expected are a few rows, groups or values of each unit, or one row at the bounds of
    its value; nothing is without bounds, or where they are very many of the value's own steps apart."""
    if not isinstance(of, int):
        return threshold_choice(0, noise, share, over_groups=over_groups)
    statistic = statistics[of]
    assert isinstance(statistic, GridSum)
    if statistic.unbounded or (statistic.grid.is_wide and statistic.grid.step == statistic.value.step):
        return threshold_choice(None, noise, share, over_groups=over_groups)
    expected = thresholds_up_to(statistic.reach) - 1
    return threshold_choice(expected, noise, share, thresholds_up_to(statistic.grid.least) - 1, over_groups=over_groups)


def threshold_choice(
    expected: int | None, noise: Noise, share: Fraction, least: int = 0, *, over_groups: bool = False
) -> ThresholdChoice:
    """The choice of a threshold for a share of the price.

    Args:
        expected: the index of the threshold that public facts make likely; None if there are none.
        noise: of the block.
        share: ε for Laplace noise, ρ for Gaussian noise.
        least: the index below which public facts make no threshold possible.
        over_groups: are norms L2 over several groups? Then noise is Gaussian.
    """
    median, threshold, told = share * MEDIAN, share * (1 - MEDIAN - TOLD), share * TOLD
    if noise == "laplace":
        return ThresholdChoice(expected, median, threshold, LaplaceMechanism(TOLD_OF_UNIT * CELLS, told), least)
    told_noise = GaussianMechanism((TOLD_OF_UNIT + over_groups) * CELLS**2, told)
    return ThresholdChoice(
        expected, exponential_epsilon(median), exponential_epsilon(threshold), told_noise, least, over_groups
    )
