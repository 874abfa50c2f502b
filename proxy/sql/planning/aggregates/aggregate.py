"""What every aggregate of a plan can tell, in all steps from the client's call to the stage's SQL.

An `Estimate` is a number with noise added: it has intervals, and totals of it are the sums of their parts. A `Decision`
is one of several possible answers, which noise decided.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

from proxy.dp.mechanisms import Mechanism
from proxy.sql.planning.cells import cannot_be_outside
from proxy.sql.planning.choices import Choice
from proxy.sql.planning.statistic import GridSum, Statistic
from proxy.sql.planning.wording import listed, short

if TYPE_CHECKING:
    from proxy.sql.planning.aggregates.calls import Asked, Call

CONFIDENCE = Fraction(95, 100)
"""That of intervals whose confidence is not given, and of decisions."""

End = Literal["low", "high", "stddev"]
"""An end of the interval around a number, or the standard deviation of its noise."""

ReleasedColumn = Sequence[Fraction | None]
"""One statistic of every group, in its own unit; None where it is shown as NULL."""

Ends = tuple[str, ...] | str
"""An end of every group's interval, as the texts of numbers, or as SQL over the released statistics r.s0, r.s1, …"""


class Planned(Protocol):
    """What a plan says of its noisy numbers and choices."""

    @property
    def statistics(self) -> tuple[Statistic, ...]: ...
    @property
    def mechanisms(self) -> tuple[Mechanism, ...]: ...
    @property
    def choices(self) -> tuple[Choice, ...]: ...
    @property
    def cells_per_contribution(self) -> int: ...


@dataclass(frozen=True)
class Shown:
    """What an aggregate is shown for: the plan of its block, and the type that the stage says it has."""

    plan: Planned
    type_name: str


@dataclass(frozen=True)
class ShownInterval(Shown):
    """What an end of its interval is shown for.

    Attributes:
        end: which.
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
        text: canonical text, equal for equal aggregates.
        function: its name.
        label: for EXPLAIN.
        rows: index of the statistic that counts its rows, if there is one. Where these look like none, its sums are
            NULL.
        sums: indexes of its other statistics.
    """

    names: ClassVar[tuple[str, ...]]
    """The functions of Postgres that it is."""
    spelled: ClassVar[tuple[str, ...]]
    """The same for hints, in short."""
    within_group: ClassVar[bool] = False
    """Is it called with WITHIN GROUP?"""

    text: str
    function: str
    label: str
    rows: int | None
    sums: tuple[int, ...]

    @classmethod
    @abstractmethod
    def ask(cls, call: Call) -> Asked:
        """What a call of one of its names needs.

        Raises:
            UnsupportedError: arguments without a mechanism.
            RefusedError: arguments without bounds or declared values.
        """

    @abstractmethod
    def sql(self, shown: Shown) -> str:
        """The aggregate as an expression over the literal relation `r` of the stage: s0, s1, … for the released
        statistics, c0, c1, … for the chosen values (post-processing)."""

    @property
    def statistics(self) -> tuple[int, ...]:
        """Indexes of all statistics that it uses."""
        return (*([self.rows] if self.rows is not None else []), *self.sums)

    @property
    def clipped(self) -> tuple[int, ...]:
        """Indexes of the sums of values, which are moved to the nearest bound. Not those of squares and products, whose
        bounds follow from those of the values."""
        return self.sums

    def clipped_values(self, plan: Planned) -> tuple[tuple[Fraction, Fraction], ...]:
        """The bounds that its values are moved to where they are outside of them, each once."""
        found: dict[tuple[Fraction, Fraction], None] = {}
        for statistic in (plan.statistics[index] for index in self.clipped):
            if isinstance(statistic, GridSum) and not cannot_be_outside(statistic.value, statistic.grid):
                grid = statistic.grid
                found[grid.low * grid.step, grid.high * grid.step] = None
        return tuple(found)

    @property
    def sources(self) -> str:
        """What it is made of, by the numbers that EXPLAIN gives."""
        used = [str(index + 1) for index in sorted(self.statistics)]
        return f"noisy number{'s' * (len(used) > 1)} {listed(used)}"

    def explained(self, plan: Planned) -> str:
        """What EXPLAIN says of it."""
        bounds = " or ".join(f"[{short(low)}, {short(high)}]" for low, high in self.clipped_values(plan))
        return f"from {self.sources}" + (f"; values outside {bounds} count as the nearest bound" if bounds else "")


class Estimate(_Aggregate):
    """A number with noise added."""

    @abstractmethod
    def interval(self, shown: ShownInterval) -> Ends:
        """An end of the interval that holds the aggregate without noise, but clipped and scaled down as the plan says,
        or the standard deviation of its noise."""


class Decision(_Aggregate):
    """One of several possible answers: noise decides which, so there is no width that would hold for all data, and
    those of the groups do not add up."""


Aggregate = Estimate | Decision
