"""From the groups of a released block to those of another one: which cells make up each number (theorem 25)."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Final

from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.conversion import QUANTUM
from proxy.dp.mechanisms import GaussianMechanism, gaussian_rho
from proxy.query.holding import Held, HeldLevel, Holding, Wanted
from proxy.release.noisy_answers import answered_keys
from proxy.sql.planning.group_keys import KeyRow, canonical_key
from proxy.sql.planning.narrowed import OneOf, Parts
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.pricing import least_epsilon
from proxy.sql.terms.types import SqlType

_MIDNIGHT = re.compile(r"(\d{4}-\d\d-\d\d)( 00:00:00([+-]\d\d(:\d\d)?)?)?")


@dataclass(frozen=True)
class _Column:
    """Where a key of a block is found among those that are held.

    Attributes:
        place: the held key.
        parts: how the key consists of it; None if it is the same.
    """

    place: int
    parts: Parts | None


@dataclass(frozen=True)
class Way:
    """How a block's numbers may be made of those of another one.

    Attributes:
        level: whose groups are added up.
        columns: of the block's keys.
        left: which of the groups are left in all of the block.
        statistics: for each of the block's, its place among those that are held, and which groups count for it; None
            for one that cannot be made.
    """

    level: HeldLevel
    columns: tuple[_Column, ...]
    left: tuple[OneOf, ...]
    statistics: tuple[tuple[int, tuple[OneOf, ...]] | None, ...]


@dataclass(frozen=True)
class Sums:
    """Which numbers of a released block are added up.

    Attributes:
        keys: the groups of the block.
        cells: for each group and statistic, the places of rows and of the number in them; no places where it is none.
        worths: for each statistic, what each ρ of the other block is worth to this one: its greatest sum is as exact as
            one number asked for at that. 0 where it is none.
    """

    keys: tuple[KeyRow, ...]
    cells: tuple[tuple[tuple[tuple[int, ...], int], ...], ...]
    worths: tuple[Fraction, ...]

    @property
    def most(self) -> int:
        """The most cells of one number."""
        return max(len(places) for row in self.cells for places, _ in row)

    @property
    def rank(self) -> tuple[int, Fraction]:
        """How many of the block's statistics these are, and how exact: the more, the better."""
        known = [worth for worth in self.worths if worth]
        return len(known), min(known)

    def answer(self, released: StoredAnswer) -> StoredAnswer:
        """The block's numbers; 0 where it is none."""
        values = released.values
        rows = tuple(
            tuple(sum(values[place][number] for place in places) for places, number in row) for row in self.cells
        )
        return StoredAnswer(self.keys, rows)


@dataclass(frozen=True)
class Part:
    """Numbers of another question that make up those of a block, and are worth something for it.

    Attributes:
        family: the other question at any ρ, of one edition.
        label: what it asked for.
        at: when.
        sums: which of its numbers are added up.
        rho: what is seen of it.
        whole: of how many measurements that is the mean; None if the reader has it already.
    """

    family: str
    label: str
    at: dt.datetime
    sums: Sums
    rho: Fraction
    whole: int | None

    @property
    def worths(self) -> tuple[Fraction, ...]:
        """For each statistic of the block, the ρ at which the block by itself would be as exact; 0 where it is none."""
        return tuple(worth * self.rho for worth in self.sums.worths)

    @property
    def worth(self) -> Fraction:
        """The ρ at which the block by itself would be as exact in all its numbers."""
        return min(self.worths)


def worths(parts: Sequence[Part]) -> tuple[Fraction, ...]:
    """What the mean of parts is worth, for each statistic; empty without any."""
    return tuple(sum(each, Fraction(0)) for each in zip(*(part.worths for part in parts), strict=True))


def own_rho(plan: BlockPlan, parts: Sequence[Part]) -> Fraction:
    """What a refinable block has to measure, or have measured, beside its parts; 0 if these are enough."""
    missing = plan.rho - min(worths(parts), default=Fraction(0))
    if missing <= 0:
        return Fraction(0)
    # What asks the source costs at least the least price, so it may be as exact.
    least = gaussian_rho(least_epsilon(plan.footprint.private_tables))
    return min(max(-(-missing // QUANTUM) * QUANTUM, least), plan.rho)


def ways(
    plan: BlockPlan, holding: Holding, held: Held, left: tuple[OneOf, ...], shared: Mapping[str, str]
) -> list[Way]:
    """How a block's numbers may be made of what another one holds, as far as that is known without its groups.

    Args:
        plan: the block's plan.
        holding: what it looks for.
        held: what the other one holds, over the same rows or more.
        left: the groups of the other one that are the block's rows.
        shared: the session's settings.
    """
    if plan.levels is not None or any(shared.get(name) != value for name, value in held.settings):
        return []
    # Where units are scaled down, totals are kept in another norm, in which some of a unit may count for less.
    if plan.path != "unique" and held.has_totals and plan.keys:
        return []
    return [way for level in held.levels if (way := _way(plan, holding, held, level, left)) is not None]


def _way(plan: BlockPlan, holding: Holding, held: Held, level: HeldLevel, left: tuple[OneOf, ...]) -> Way | None:
    columns = [_column(key.term.sql, parts, held, level) for key, parts in zip(plan.keys, plan.parts, strict=True)]
    known = [column for column in columns if column is not None]
    present = {held.keys[place] for place in level.keys}
    if len(known) < len(columns) or any(one_of.key not in present for one_of in left):
        return None
    same = len(known) == len(level.keys) and not left and not held.has_totals
    same &= all(column.parts is None for column in known)
    statistics = []
    for wanted, statistic in zip(holding.wanted, plan.statistics, strict=True):
        found = _statistic(wanted, held)
        if found is not None and found[1]:
            found = found if all(one_of.key in present for one_of in found[1]) else None
        elif found is not None and not same:
            found = found if statistic.adds_up else None
        statistics.append(found)
    return Way(level, tuple(known), left, tuple(statistics)) if any(statistics) else None


def _column(key: str, parts: Sequence[Parts], held: Held, level: HeldLevel) -> _Column | None:
    for place in level.keys:
        if held.keys[place] == key:
            return _Column(place, None)
    for part in parts:
        for place in level.keys:
            if held.keys[place] == part.key:
                return _Column(place, part)
    return None


def _statistic(wanted: Sequence[Wanted], held: Held) -> tuple[int, tuple[OneOf, ...]] | None:
    for way in wanted:
        if (way.of, way.cells) in held.statistics:
            return held.statistics.index((way.of, way.cells)), way.groups
    return None


def _worth(plan: BlockPlan, index: int, level: HeldLevel, place: int) -> Fraction:
    """What a ρ of the other block is worth: at how much of a ρ of this one its number has the same variance."""
    mechanism = plan.mechanisms[index]
    if not isinstance(mechanism, GaussianMechanism):
        raise AssertionError("what is added up has Gaussian noise")
    squared, share = level.noise[place]
    return Fraction(mechanism.squared_sensitivity, squared) * share / (mechanism.rho / plan.rho)


def sums(plan: BlockPlan, domain: Sequence[KeyRow], held: Held, way: Way, released: StoredAnswer) -> Sums | None:
    """Which cells make up each number; None if that is known of no statistic.

    Args:
        plan: the block's plan.
        domain: its declared keys.
        held: what the other one holds.
        way: one of `ways`.
        released: the other one's answer.
    """
    rows = _rows(way.level, released)
    values = {place: {key[place] for _, key in rows} for place in way.level.keys}
    statistics = [
        found if found is not None and _is_all(held, way, found[1], values) else None for found in way.statistics
    ]
    types = [key.term.type for key in plan.keys]
    groups_of = _groups(types, way, held, rows)
    keys = answered_keys(plan, domain)
    made = []
    for key in keys:
        group = _group(key, types, way)
        cells = groups_of.get(group) if group is not None else None
        if cells is None or not _has_all_parts(group, way, cells):
            return None
        made.append([_cells_of(found, held, cells) for found in statistics])
    exact = []
    for index, found in enumerate(statistics):
        counts = [len(row[index][0]) for row in made]
        # A statistic for which some group has no cells is none.
        is_made = found is not None and counts and all(counts)
        exact.append(_worth(plan, index, way.level, found[0]) / max(counts) if found and is_made else Fraction(0))
    if not any(exact):
        return None
    kept = tuple(tuple(each if worth else _NONE for each, worth in zip(row, exact, strict=True)) for row in made)
    return Sums(keys, kept, tuple(exact))


_NONE: Final[tuple[tuple[int, ...], int]] = ((), 0)


def _cells_of(found: tuple[int, tuple[OneOf, ...]] | None, held: Held, cells: _Cells) -> tuple[tuple[int, ...], int]:
    """The cells of one number of a group."""
    if found is None:
        return _NONE
    number, limits = found
    return tuple(place for place, row in cells if _is_in(row, held, limits)), number


def _rows(level: HeldLevel, released: StoredAnswer) -> list[tuple[int, KeyRow]]:
    """The places and keys of a level's groups."""
    if not level.grouping:
        return list(enumerate(released.keys))
    return [(place, key[1:]) for place, key in enumerate(released.keys) if key[0] == level.grouping]


def _is_all(held: Held, way: Way, groups: Sequence[OneOf], values: Mapping[int, set[str | None]]) -> bool:
    """Is every row that counts for a statistic in one of the held groups? A key that is added up must have a value in
    every row; of one that is limited, all values that count must be there."""
    limits = {held.keys.index(one_of.key): one_of for one_of in (*way.left, *groups)}
    kept = {column.place for column in way.columns}
    for place in way.level.keys:
        if held.whole[place] or place in kept:
            continue
        if place not in limits or not {*limits[place].values} <= values[place]:
            return False
    return True


def _is_in(row: KeyRow, held: Held, limits: Sequence[OneOf]) -> bool:
    return all(row[held.keys.index(one_of.key)] in one_of.values for one_of in limits)


_Group = tuple[Hashable, ...]
_Cells = list[tuple[int, KeyRow]]


def _groups(types: Sequence[SqlType], way: Way, held: Held, rows: _Cells) -> dict[_Group, _Cells]:
    """The cells of each of the block's groups."""
    found: dict[_Group, _Cells] = {}
    for place, row in rows:
        if not _is_in(row, held, way.left):
            continue
        group = list[Hashable]()
        for column, type_ in zip(way.columns, types, strict=True):
            text = row[column.place]
            if column.parts is None:
                group.append(canonical_key((text,), (type_,))[0])
            else:
                group.append(_cut(_date(text), column.parts.field) if text is not None else None)
        found.setdefault(tuple(group), []).append((place, row))
    return found


def _group(key: KeyRow, types: Sequence[SqlType], way: Way) -> _Group | None:
    """A group of the block, as `_groups` has it; None for one that is not plain to see."""
    found = list[Hashable]()
    for column, type_, text in zip(way.columns, types, key, strict=True):
        if column.parts is None:
            found.append(canonical_key((text,), (type_,))[0])
        elif text is None:
            found.append(None)
        elif (date := _date(text)) is not None:
            found.append(date)
        else:
            return None
    return tuple(found)


def _date(text: str) -> dt.date | None:
    """The date of a key that is cut to a day or more; None for one that is no midnight of a usual year."""
    match = _MIDNIGHT.fullmatch(text)
    return dt.date.fromisoformat(match[1]) if match is not None else None


def _cut(date: dt.date | None, field: str) -> dt.date | None:
    if date is None:
        return None
    match field:
        case "week":
            return date - dt.timedelta(days=date.weekday())
        case "month":
            return date.replace(day=1)
        case "quarter":
            return date.replace(month=(date.month - 1) // 3 * 3 + 1, day=1)
    return date.replace(month=1, day=1)


def _has_all_parts(group: _Group | None, way: Way, cells: _Cells) -> bool:
    """Does a group have cells for all days or months of its own? Those beyond the policy's limits have none."""
    for column, start in zip(way.columns, group or (), strict=True):
        if column.parts is not None and isinstance(start, dt.date):
            dates = {_date(text) for _, row in cells if (text := row[column.place]) is not None}
            if len(dates) < _parts_in(start, column.parts):
                return False
    return True


def _parts_in(start: dt.date, parts: Parts) -> float:
    """Of how many parts a date that is cut consists."""
    days = {"week": 7, "month": 31, "quarter": 92, "year": 366}[parts.field]
    field = parts.field
    span = [day for count in range(days) if _cut(day := start + dt.timedelta(days=count), field) == start]
    return len({_cut(day, parts.part) if parts.part != "day" else day for day in span}) or inf
