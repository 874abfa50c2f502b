"""The plan of one block: keys, statistics, bounds, mechanism, noise and exact price (decision 2)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from proxy.dp.accounting import Price
from proxy.dp.clipping import ThresholdChoice
from proxy.dp.conversion import QUANTUM
from proxy.dp.exact import ceil_to
from proxy.dp.mechanisms import GaussianMechanism, Mechanism
from proxy.dp.selection import KeySelection
from proxy.dp.timing import ResponseDelay
from proxy.sql.planning.accounts import AccountPrice
from proxy.sql.planning.aggregates.aggregate import Aggregate
from proxy.sql.planning.choices import Choice
from proxy.sql.planning.clipping import Clipping, Norm, Path
from proxy.sql.planning.compared_constants import ComparedConstants
from proxy.sql.planning.domains import Domain
from proxy.sql.planning.guarantees import Guarantee
from proxy.sql.planning.keys import (
    Key,
)
from proxy.sql.planning.levels import Levels
from proxy.sql.planning.limits import limited_at
from proxy.sql.planning.narrowed import Condition, Parts
from proxy.sql.planning.noise_intervals import NoiseInterval
from proxy.sql.planning.pricing import ChoosingMechanism, Contribution
from proxy.sql.planning.statistic import Statistic
from proxy.sql.replacing import replace
from proxy.sql.rows.footprint import Footprint
from proxy.sql.rows.relation import Relation
from proxy.sql.rows.time_windows import NO_WINDOWS, TimeWindows
from proxy.sql.terms.term import Term


@dataclass(frozen=True, kw_only=True, eq=False)
class BlockPlan:
    """Everything that is decided about a block before any database is asked. It is equal to itself alone.

    Attributes:
        relation: the rows, with all that is computed of them.
        footprint: what the block reads and rests on.
        where: condition of the rows, if any.
        keys: the group keys.
        domain: the declared keys; None if there are no keys or they are selected.
        selection: how undeclared keys are selected; None if they are not.
        aggregates: the client's aggregates as formulas over `statistics`.
        statistics: what is measured.
        mechanisms: the noise of each statistic, in cells.
        choices: aggregates that choose a value: minimum, maximum, percentiles, modes.
        choosing: the mechanism of each choice; for a limit of 1 where that is not chosen yet.
        path: how a unit's contribution is bounded.
        contribution: the bounds in force.
        guarantee: what the block promises, and how its parts share the price.
        price: exact price.
        accounts: who pays.
        levels: the grouping sets, if there are several; `mechanisms` is the noise of their finest level.
        clipping: how the data choose how much of a unit counts; None if `contribution` says it.
        limits: likewise for each choice.
        limited: the index of the threshold of each of these limits that there is, once they are chosen.
        keeps_empty: an outer join keeps groups without any row, so none is hidden as empty.
        intervals: the requests of dp.low, dp.high, dp.stddev and dp.clipped.
        delay: how long the answer waits once it is measured; None if response times are not protected.
        clock: for how long its now() stands still; 0 if it does not, or is not asked.
        snap: the step to whose multiples constants of WHERE were moved; 0 if none was.
        compared: what declared columns are compared with.
        beyond: sentences about conditions that ask for values beyond bounds, or for numbers that are not declared.
        large: sentences about values that count as NULL where they are too large.
        windows: the windows of time that it reads of tables that have some.
        conditions: the operands of WHERE.
        filters: the conditions of FILTER, each with its operands.
        parts: for each key, the shorter dates that it is made of.
        share: of the guarantee's ρ that its numbers have; all of it, but for `of_numbers`.
        is_profile: does it have the price of blocks that only describe columns?
        is_filtered: do conditions on more than the keys leave out rows, but no key that is declared?
    """

    relation: Relation
    footprint: Footprint
    where: Term | None
    keys: tuple[Key, ...]
    domain: Domain | None
    selection: KeySelection | None
    aggregates: tuple[Aggregate, ...]
    statistics: tuple[Statistic, ...]
    mechanisms: tuple[Mechanism, ...]
    choices: tuple[Choice, ...]
    choosing: tuple[ChoosingMechanism, ...]
    path: Path
    contribution: Contribution
    guarantee: Guarantee
    price: Price
    accounts: tuple[AccountPrice, ...]
    levels: Levels | None = None
    clipping: Clipping | None = None
    limits: tuple[Norm | None, ...] = ()
    limited: tuple[int, ...] | None = None
    keeps_empty: bool = False
    intervals: tuple[NoiseInterval, ...] = ()
    delay: ResponseDelay | None = None
    clock: dt.timedelta = dt.timedelta()
    snap: dt.timedelta = dt.timedelta()
    compared: tuple[ComparedConstants, ...] = ()
    beyond: tuple[str, ...] = ()
    large: tuple[str, ...] = ()
    windows: TimeWindows = NO_WINDOWS
    conditions: tuple[Condition, ...] = ()
    filters: tuple[tuple[str, tuple[Condition, ...]], ...] = ()
    parts: tuple[tuple[Parts, ...], ...] = ()
    share: Fraction = Fraction(1)
    is_profile: bool = False
    is_filtered: bool = False

    def cells_per_step(self, statistic: int) -> int:
        """Cells of one row, or of one grid step, in the measured sums of a statistic."""
        if self.clipping is not None:
            return self.clipping.cells_per_step(statistic)
        return self.guarantee.cells_per_contribution(scaled=self.path != "unique")

    def has_known_noise(self, statistic: int) -> bool:
        """Is it known how large the noise of a statistic is? It follows from the threshold that the data choose."""
        return self.clipping is None or self.clipping.is_chosen_for(statistic)

    def clipped_at(self, thresholds: Sequence[int]) -> BlockPlan:
        """The plan once it is known how much of a unit counts; itself if that is fixed.

        Args:
            thresholds: for each norm, and for each limit of a choice, the index of the chosen one.
        """
        plan, norms = self, 0
        if self.clipping is not None:
            norms = len(self.clipping.norms)
            plan = replace(plan, clipping=self.clipping.at(thresholds[:norms]))
        if any(limit is not None for limit in self.limits):
            chosen = tuple(thresholds[norms:])
            plan = replace(plan, limited=chosen, choosing=limited_at(self.choosing, self.limits, chosen))
        return plan

    @property
    def clipped_least(self) -> BlockPlan:
        """The plan as if each norm had its first threshold: for statements that are tried over no rows."""
        norms = len(self.clipping.norms) if self.clipping is not None else 0
        return self.clipped_at([0] * (norms + sum(limit is not None for limit in self.limits)))

    @property
    def norms(self) -> list[Norm]:
        """The norms of sums and the limits of choices, in the order in which an answer has their thresholds."""
        of_sums = self.clipping.norms if self.clipping is not None else ()
        return [*of_sums, *(limit for limit in self.limits if limit is not None)]

    def is_limit(self, place: int) -> bool:
        """Is the one at this place of `norms` the limit of a choice?"""
        return place >= (len(self.clipping.norms) if self.clipping is not None else 0)

    @property
    def threshold_choices(self) -> list[ThresholdChoice]:
        """How the thresholds of `norms` are chosen, where there is a choice."""
        return [norm.choice for norm in self.norms if norm.choice is not None]

    @property
    def thresholds(self) -> tuple[int, ...] | None:
        """The index of the threshold of each of `norms`; None before they are chosen."""
        of_sums = self.clipping.chosen if self.clipping is not None else ()
        of_choices = self.limited if any(limit is not None for limit in self.limits) else ()
        return None if of_sums is None or of_choices is None else (*of_sums, *of_choices)

    @property
    def is_refinable(self) -> bool:
        """Is all that is released of the block numbers with Gaussian noise, priced by their ρ alone (theorem 23)?"""
        levels = self.levels.measured if self.levels is not None else ()
        mechanisms = [*self.mechanisms, *(mechanism for level in levels for mechanism in level.mechanisms)]
        others = self.choices or self.selection is not None or self.delay is not None
        chooses = self.clipping is not None and self.clipping.choices
        gaussian = bool(mechanisms) and all(isinstance(mechanism, GaussianMechanism) for mechanism in mechanisms)
        if not gaussian or others or chooses or self.guarantee.delta is not None:
            return False
        return ceil_to(self.rho, QUANTUM) == self.rho

    @property
    def rho(self) -> Fraction:
        """What the block's Gaussian noise costs."""
        return self.guarantee.rho if self.share == 1 else ceil_to(self.guarantee.rho * self.share, QUANTUM)

    def at_rho(self, rho: Fraction) -> BlockPlan:
        """A refinable plan as if the block were asked for at `rho` > 0: each number keeps its share."""
        if rho == self.rho:
            return self
        factor = rho / self.rho

        def scaled(mechanisms: Sequence[Mechanism]) -> tuple[Mechanism, ...]:
            return tuple(
                replace(mechanism, rho=mechanism.rho * factor)
                for mechanism in mechanisms
                if isinstance(mechanism, GaussianMechanism)
            )

        levels = self.levels
        if levels is not None:
            measured = tuple(replace(level, mechanisms=scaled(level.mechanisms)) for level in levels.measured)
            levels = replace(levels, measured=measured)
        return replace(self, mechanisms=scaled(self.mechanisms), levels=levels)

    def at_rhos(self, rhos: Sequence[Fraction]) -> BlockPlan:
        """`at_rho` of a plan without grouping sets, with a ρ for each of its statistics."""
        each = [self.at_rho(rho).mechanisms[place] for place, rho in enumerate(rhos)]
        return replace(self, mechanisms=tuple(each))

    def of_numbers(self, rhos: Mapping[int, Fraction]) -> BlockPlan:
        """A refinable plan without grouping sets, for some of its statistics alone. Nothing is shown of it but what is
        measured, so it has no aggregates (theorem 25).

        Args:
            rhos: by the place of each statistic, the ρ > 0 of its noise, up to that of its own.
        """
        mechanisms = [
            replace(mechanism, rho=rhos[place])
            for place, mechanism in enumerate(self.mechanisms)
            if place in rhos and isinstance(mechanism, GaussianMechanism)
        ]
        found = replace(
            self,
            aggregates=(),
            intervals=(),
            statistics=tuple(statistic for place, statistic in enumerate(self.statistics) if place in rhos),
            mechanisms=tuple(mechanisms),
            share=sum(rhos.values(), Fraction(0)) / self.guarantee.rho,
        )
        return replace(found, price=sum((mechanism.price for mechanism in mechanisms), Price.zero()))

    @property
    def asks_source(self) -> bool:
        """Does the block ask the source at all? SELECT DISTINCT over declared keys does not."""
        return self.adds_noise or bool(self.choices)

    @property
    def adds_noise(self) -> bool:
        """Does the block have numbers, or weights of keys, that get noise?"""
        return bool(self.statistics) or self.selection is not None

    @property
    def hides_by(self) -> int | None:
        """The index of a number of rows that is measured only to tell which groups are empty; None without one."""
        used = {index for aggregate in self.aggregates for index in aggregate.statistics}
        alone = [index for index in range(len(self.statistics)) if index not in used]
        return alone[0] if alone else None

    @property
    def noise_name(self) -> str:
        if self.mechanisms:
            return self.mechanisms[0].name
        if self.selection is not None:
            return self.selection.noise
        return self.choosing[0].name if self.choosing else "none"
