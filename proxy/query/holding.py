"""What a measured block holds for other blocks: sums over the same rows, by the same or coarser groups (theorem 25).

Blocks over the same rows, under the same bounds and about the same data have one *scope*. What a block asks for is
compared with what another one of its scope holds term by term, in the SQL that the source would run: two blocks with
equal terms over equal rows measure the same.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Final

from proxy.dp.mechanisms import GaussianMechanism, Mechanism
from proxy.sql.planning.narrowed import Condition, OneOf
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import Distinct, DistinctSum, GridSum, RowCount, Statistic
from proxy.sql.planning.wording import listed

_COLUMN: Final = re.compile(r"([a-z_][a-z_0-9$]*\.)?[a-z_][a-z_0-9$]*", re.IGNORECASE)
_SORTED: Final = json.JSONEncoder(sort_keys=True)
_MOST_LEFT_OUT: Final = 4
"""Conditions on keys that are looked for in groups of blocks without them."""


@dataclass(frozen=True)
class HeldLevel:
    """One grouping set of what was measured.

    Attributes:
        grouping: as of `GroupingLevel`; empty for plain keys.
        keys: the places of its keys among all.
        noise: for each statistic the squared sensitivity in cells, and the share of ρ that it has.
    """

    grouping: str
    keys: tuple[int, ...]
    noise: tuple[tuple[int, Fraction], ...]


@dataclass(frozen=True)
class Held:
    """What a block measures.

    Attributes:
        label: for people, who may be others than asked for it.
        keys: the SQL of each key.
        whole: for each key, whether every row has one of its values.
        statistics: what is measured, each with the cells of one contribution.
        levels: its grouping sets.
        settings: the settings of the session that it read.
        beside: what tells what was missing of a question from what was missing of it at other times; else empty.
    """

    label: str
    keys: tuple[str, ...]
    whole: tuple[bool, ...]
    statistics: tuple[tuple[str, int], ...]
    levels: tuple[HeldLevel, ...]
    settings: tuple[tuple[str, str], ...]
    beside: str = ""

    @property
    def has_totals(self) -> bool:
        return len(self.levels) > 1

    @property
    def unlabelled(self) -> Held:
        """Itself as everybody calls it: names depend on who asks."""
        return replace(self, label="")

    def is_same(self, other: Held) -> bool:
        """Do two measure the same, whatever they are called?"""
        return self.unlabelled == other.unlabelled

    def encode(self) -> str:
        """As JSON."""
        levels = [
            (level.grouping, level.keys, [(squared, str(share)) for squared, share in level.noise])
            for level in self.levels
        ]
        rest = [self.beside] if self.beside else []
        return json.dumps([self.label, self.keys, self.whole, self.statistics, levels, self.settings, *rest])

    @classmethod
    def decode(cls, content: str) -> Held:
        """The inverse of `encode`."""
        label, keys, whole, statistics, levels, settings, *rest = json.loads(content)
        return cls(
            label,
            tuple(keys),
            tuple(whole),
            tuple((of, cells) for of, cells in statistics),
            tuple(
                HeldLevel(grouping, tuple(places), tuple((squared, Fraction(share)) for squared, share in noise))
                for grouping, places, noise in levels
            ),
            tuple((name, value) for name, value in settings),
            *rest,
        )


@dataclass(frozen=True)
class Wanted:
    """A statistic as it may be found: under its own condition of FILTER, or in groups that have it.

    Attributes:
        of: what is measured.
        cells: of one contribution.
        groups: which groups of that count.
    """

    of: str
    cells: int
    groups: tuple[OneOf, ...]


@dataclass(frozen=True)
class Holding:
    """A block as one that holds numbers for others, and as one that looks for them.

    Attributes:
        scope: its rows, bounds and data.
        held: what it measures.
        wider: scopes of which its rows are a part, with the groups that are left of them; its own first.
        wanted: for each statistic, how it may be found.
    """

    scope: str
    held: Held
    wider: tuple[tuple[str, tuple[OneOf, ...]], ...]
    wanted: tuple[tuple[Wanted, ...], ...]

    def of_numbers(self, places: Sequence[int], plan: BlockPlan, beside: str) -> Holding:
        """What some of the block's numbers hold when they are measured alone. They look for nothing.

        Args:
            places: of these among its statistics.
            plan: the block's without grouping sets, for them alone (`BlockPlan.of_numbers`).
            beside: of `Held`.
        """
        (level,) = self.held.levels
        held = replace(
            self.held,
            statistics=tuple(self.held.statistics[place] for place in places),
            levels=(replace(level, noise=_noise_of(plan.mechanisms, plan)),),
            beside=beside,
        )
        return Holding(self.scope, held, (), ())


def holding_of(plan: BlockPlan, settings: Mapping[str, str], database: str) -> Holding | None:
    """What a block holds and looks for; None if it has nothing to do with others.

    Args:
        plan: the block's plan.
        settings: of the session that it reads, as of `block_hashes`.
        database: the name of the private one.
    """
    footprint, relation = plan.footprint, plan.relation
    plain = plan.is_refinable and plan.clipping is None and not plan.keeps_empty
    if not plain or footprint.cuts or footprint.feedback or relation.subqueries:
        return None
    if plan.where is not None and not plan.conditions:
        return None
    rows = {
        # Ledgers hold `Held` under these hashes: another form needs another number.
        "form": 1,
        "database": database,
        "rows": [relation.sql, relation.unit_sql, relation.unit_home, relation.unit_nullable],
        "bounds": [plan.path == "unique", plan.contribution.max_rows, plan.contribution.max_rows_per_group],
        "versions": {table.name: str(table.policy.data_version) for table in footprint.tables},
        "windows": repr(plan.windows),
    }

    def scope(conditions: Sequence[Condition]) -> str:
        content = rows | {"where": sorted({condition.sql for condition in conditions})}
        return hashlib.sha256(_SORTED.encode(content).encode()).hexdigest()

    own = scope(plan.conditions)
    wider = [(own, tuple[OneOf, ...]())]
    if plan.path == "unique":
        # Elsewhere a unit is scaled down by its rows: with fewer of them it may count for more.
        wider += [(scope(rest), left) for rest, left in _without_some(plan.conditions)]
    return Holding(own, _held(plan, settings), tuple(wider), _wanted(plan))


def _label(plan: BlockPlan) -> str:
    """The tables and the columns of the keys. Other readers are told it, so it has no aggregates, conditions and
    constants: what somebody asks about may be a name."""
    tables = ", ".join(table.name for table in plan.footprint.private_tables)
    keys = [key.label if _COLUMN.fullmatch(key.label) else "an expression" for key in plan.keys]
    return f"an answer over {tables}{f' by {listed(keys)}' if keys else ''}"


def _without_some(conditions: Sequence[Condition]) -> list[tuple[list[Condition], tuple[OneOf, ...]]]:
    """The conditions without some of those that only leave values of one column, and these."""
    known = [(place, condition.one_of) for place, condition in enumerate(conditions) if condition.one_of is not None]
    known = known[:_MOST_LEFT_OUT]
    found = []
    for count in range(1, len(known) + 1):
        for some in combinations(known, count):
            places = {place for place, _ in some}
            rest = [condition for place, condition in enumerate(conditions) if place not in places]
            found.append((rest, tuple(one_of for _, one_of in some)))
    return found


def _held(plan: BlockPlan, settings: Mapping[str, str]) -> Held:
    every = tuple(range(len(plan.keys)))
    levels = [("", every, plan.mechanisms)]
    if plan.levels is not None:
        levels = [
            (
                level.grouping,
                tuple(place for place in every if level.grouping[place] == "0"),
                level.mechanisms,
            )
            for level in plan.levels.measured
        ]
    whole = plan.domain.whole if plan.domain is not None else ()
    return Held(
        _label(plan),
        tuple(key.term.sql for key in plan.keys),
        whole if len(whole) == len(every) else tuple(False for _ in every),
        tuple(
            (_name(statistic, statistic.filter_sql), plan.cells_per_step(index))
            for index, statistic in enumerate(plan.statistics)
        ),
        tuple(HeldLevel(grouping, places, _noise_of(mechanisms, plan)) for grouping, places, mechanisms in levels),
        tuple(sorted(settings.items())),
    )


def _noise_of(mechanisms: Sequence[Mechanism], plan: BlockPlan) -> tuple[tuple[int, Fraction], ...]:
    return tuple(
        (mechanism.squared_sensitivity, mechanism.rho / plan.rho)
        for mechanism in mechanisms
        if isinstance(mechanism, GaussianMechanism)
    )


def _wanted(plan: BlockPlan) -> tuple[tuple[Wanted, ...], ...]:
    groups = {
        sql: tuple(condition.one_of for condition in conditions if condition.one_of is not None)
        for sql, conditions in plan.filters
        if conditions and all(condition.one_of is not None for condition in conditions)
    }
    found = []
    for index, statistic in enumerate(plan.statistics):
        cells, kept = plan.cells_per_step(index), statistic.filter_sql
        ways = [Wanted(_name(statistic, kept), cells, ())]
        if kept in groups and statistic.adds_up:
            ways.append(Wanted(_name(statistic, None), cells, groups[kept]))
        found.append(tuple(ways))
    return tuple(found)


def _name(statistic: Statistic, filter_sql: str | None) -> str:
    """What a statistic measures, under another condition of FILTER."""
    parts: list[object] = [type(statistic).__name__, filter_sql]
    if isinstance(statistic, RowCount):
        parts.append(statistic.present.sql if statistic.present is not None else None)
    if isinstance(statistic, Distinct):
        parts.append(statistic.distinct.sql)
    if isinstance(statistic, DistinctSum):
        parts += [_name(statistic.summed, filter_sql), statistic.of_units]
    if isinstance(statistic, GridSum):
        parts += [statistic.value.sql, repr(statistic.grid)]
    return json.dumps(parts)
