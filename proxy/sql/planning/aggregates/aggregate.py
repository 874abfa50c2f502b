"""What every aggregate of a plan can do, in all steps from the client's call to the stage's SQL.

An `Estimate` is a number with noise added: it has intervals, and its totals are sums of their parts. A `Decision` is
one of several possible answers, between which noise decides.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from proxy.dp.mechanisms import Mechanism
from proxy.dp.noise_widths import Numbers
from proxy.sql.planning.cells import cannot_be_outside
from proxy.sql.planning.choices import Choice
from proxy.sql.planning.statistic import GridSum, Statistic
from proxy.sql.planning.wording import listed, short

if TYPE_CHECKING:
    from proxy.sql.planning.aggregates.calls import Asked, Call

End = Literal["low", "high", "stddev"]
"""An end of the interval around a number, or the standard deviation of its noise."""

ReleasedColumn = Sequence[Fraction | None]
"""One statistic of every group, in its own unit; None where it is shown as NULL."""

Ends = tuple[str, ...] | str
"""An end of every group's interval: numbers in decimal notation, or SQL over the released statistics r.s0, r.s1, …"""


def decimal(width: float) -> Fraction:
    """A width with at most fifteen digits, as a decimal for SQL."""
    return Fraction(f"{width:.15g}")


class Planned(Protocol):
    """What aggregates use of a plan: its noisy numbers and choices."""

    @property
    def statistics(self) -> tuple[Statistic, ...]: ...
    @property
    def mechanisms(self) -> tuple[Mechanism, ...]: ...
    @property
    def choices(self) -> tuple[Choice, ...]: ...
    def cells_per_step(self, statistic: int) -> int: ...
    def has_known_noise(self, statistic: int) -> bool: ...


@dataclass(frozen=True)
class Shown:
    """The plan of an aggregate's block, and the type that the stage gives the aggregate.

    Attributes:
        farthest: the greatest bigint, on either side of 0, as which a number is shown that noise takes beyond.
    """

    plan: Planned
    type_name: str
    farthest: int = field(default=2**63 - 1, kw_only=True)


@dataclass(frozen=True)
class ShownInterval(Shown):
    """A requested end of an aggregate's interval.

    Attributes:
        end: which end.
        confidence: the probability with which the interval holds the number without noise.
        columns: the released statistics. Where the aggregate is NULL, so are both ends.
    """

    end: End
    confidence: Fraction
    columns: Sequence[ReleasedColumn]


@dataclass(frozen=True)
class _Aggregate(ABC):
    """One aggregate of the client, over the statistics and choices of its block.

    Attributes:
        text: canonical SQL, equal for equal aggregates.
        function: its name.
        label: for EXPLAIN.
        rows: index of the statistic that counts its rows, if there is one. Where this count looks like zero, its sums
            are NULL.
        sums: indexes of its other statistics.
    """

    names: ClassVar[tuple[str, ...]]
    """The Postgres functions that it implements."""
    spelled: ClassVar[tuple[str, ...]]
    """The same names for hints, in short."""
    within_group: ClassVar[bool] = False
    """Is it called with WITHIN GROUP?"""
    is_ratio: ClassVar[bool] = False
    """Is it made of quotients, in which most of what clipping takes from both numbers cancels?"""

    keeps_weights: ClassVar[bool] = False
    """Do its numbers have to be of the same weighted rows? Else each may be scaled down by what it is itself."""

    rests_on_few: ClassVar[bool] = False
    """Can few large values decide it, since they are squared?"""

    text: str
    function: str
    label: str
    rows: int | None
    sums: tuple[int, ...]

    @classmethod
    @abstractmethod
    def ask(cls, call: Call) -> Asked:
        """What a call of one of its names asks for.

        Raises:
            UnsupportedError: arguments without a mechanism.
            RefusedError: arguments without bounds or declared values.
        """

    @abstractmethod
    def sql(self, shown: Shown) -> str:
        """The aggregate as an expression over the stage's literal relation `r`: s0, s1, … are the released statistics,
        c0, c1, … the chosen values (post-processing)."""

    @property
    def statistics(self) -> tuple[int, ...]:
        """Indexes of all statistics that it uses."""
        return (*([self.rows] if self.rows is not None else []), *self.sums)

    def label_of(self, _statistic: int) -> str:
        """What messages call one of its statistics, of which a unit's own sums say how much counts."""
        return self.label

    @property
    def zeros(self) -> tuple[int, ...]:
        """Indexes of the sums that are 0 over nothing, and not NULL."""
        return ()

    @property
    def clipped(self) -> tuple[int, ...]:
        """Indexes of the sums of values, which are clamped to the bounds. Sums of squares and products are not among
        them: their bounds follow from those of the values."""
        return self.sums

    def clipped_values(self, plan: Planned) -> tuple[tuple[Fraction, Fraction], ...]:
        """The bounds that its values are clamped to, each once."""
        found: dict[tuple[Fraction, Fraction], None] = {}
        for statistic in (plan.statistics[index] for index in self.clipped):
            if not isinstance(statistic, GridSum) or statistic.unbounded:
                continue
            if not cannot_be_outside(statistic.value, statistic.grid):
                low, high, _ = statistic.grid.shown
                found[low, high] = None
        return tuple(found)

    @property
    def sources(self) -> str:
        """The numbers that EXPLAIN gives to its parts."""
        used = [str(index + 1) for index in sorted(self.statistics)]
        return f"noisy number{'s' * (len(used) > 1)} {listed(used)}"

    def explained(self, plan: Planned) -> str:
        """What EXPLAIN says about it."""
        bounds = " or ".join(f"[{short(low)}, {short(high)}]" for low, high in self.clipped_values(plan))
        return f"from {self.sources}" + (f"; values outside {bounds} count as the nearest bound" if bounds else "")


class Estimate(_Aggregate):
    """A number with noise added."""

    @abstractmethod
    def interval(self, shown: ShownInterval) -> Ends:
        """An end of the interval that holds the aggregate without noise, but clipped and scaled down as the plan says;
        or the standard deviation of its noise."""

    @abstractmethod
    def drowned(self, plan: Planned, columns: Sequence[Numbers]) -> list[bool | None]:
        """In which groups 95 % of its noise goes farther than the number itself, or over much of what it could be; None
        where it is NULL.

        Args:
            plan: of its block, once it is known how much of a unit counts.
            columns: the released statistics, each of every group.
        """


def known_where(known: NDArray[np.bool_], flags: NDArray[np.bool_]) -> list[bool | None]:
    """One flag for each group; None where it is not known."""
    return [flag if is_known else None for flag, is_known in zip(flags.tolist(), known.tolist(), strict=True)]


class OfKnownWidth(Estimate):
    """A number whose noise is as wide in all groups, or is so once it is multiplied by the group's rows."""

    @abstractmethod
    def within(self, plan: Planned) -> str:
        """How far 95 % of its noise goes, in words; empty where no limit is known."""

    @abstractmethod
    def reach(self, plan: Planned) -> Fraction | None:
        """How far 95 % of its noise goes in all groups, in its own unit; None where that depends on the group."""

    @abstractmethod
    def number(self, released: Sequence[Fraction]) -> Fraction | None:
        """Its value in a group, from the group's statistics; None where `reach` is."""


class Decision(_Aggregate):
    """One of several possible answers: noise decides which. So no interval width holds for all data, and groups do not
    add up."""


Aggregate = Estimate | Decision
