"""Whose privacy is meant: candidates for the unit, and the tables that lead to it (decision 3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from proxy.policy.catalog import Column, ForeignKey, Table
from proxy.policy.column_types import IDENTITIES, family_of
from proxy.policy.identifying import words_of
from proxy.policy.named_keys import GENERAL_NAMES, named_key, same_name, singular
from proxy.policy.people import SERVED, WORKING

_THINGS: Final = frozenset("account car device machine meter phone plane sensor vehicle".split())
_KINDS: Final = (SERVED, WORKING, _THINGS)


@dataclass(frozen=True)
class Candidate:
    """Something whose privacy could be meant.

    Attributes:
        unit: a name for it, such as "patient".
        table: the table with one row of each, or None if only columns tell them apart.
        column: the column that identifies it, of `table` or of all tables that have one of this name.
        family: of the column's type.
        others: how many further tables lead to it.
    """

    unit: str
    table: str | None
    column: str
    family: str | None
    others: int = 0

    @property
    def place(self) -> str:
        """Where it is found, for people."""
        return f"{self.table}.{self.column}" if self.table is not None else f"the columns {self.column}"


@dataclass(frozen=True)
class Owner:
    """How the rows of a table lead to their unit.

    Attributes:
        unit: the unit's name.
        column: the column of the table by which it does.
        target: "schema.table.column" to follow from there; None if the column is the unit itself.
        doubts: why the owner of the data has to look at it.
        disputed: its rows could as well belong to other units, or to those of a table for which that is so.
    """

    unit: str
    column: str
    target: str | None = None
    doubts: tuple[str, ...] = ()
    disputed: bool = False


def candidates(tables: Mapping[str, Table], sizes: Mapping[str, int]) -> list[Candidate]:
    """All that could be the unit, best first: what is called like a person, and what many tables lead to; tables of few
    rows, such as countries, are lists that others refer to.

    Args:
        tables: by name.
        sizes: about how many rows they have, as far as the database knows.
    """
    found = []
    for table in tables.values():
        column = _identity(table)
        if column is not None:
            unit = singular(table.relation_name)
            found.append(Candidate(unit, table.name, column.name, family_of(column)))
    named = {candidate.unit for candidate in found}
    found += [candidate for candidate in _from_columns(tables) if candidate.unit not in named]
    counted = [replace(candidate, others=_leading(tables, candidate)) for candidate in found]
    likely = [candidate for candidate in counted if _kind(candidate.unit) < len(_KINDS) or candidate.others > 0]
    return sorted(likely, key=lambda candidate: _rank(candidate, sizes))


def led_elsewhere(
    tables: Mapping[str, Table], sizes: Mapping[str, int], owned: Mapping[str, Owner]
) -> dict[str, Candidate]:
    """Of the tables that lead to no unit of a policy, those that lead to another candidate, which is called like a
    person or a device, and to which.

    Args:
        tables: by name.
        sizes: as of `candidates`.
        owned: tables that lead to a unit.
    """
    found: dict[str, Candidate] = {}
    for candidate in candidates(tables, sizes):
        if _kind(candidate.unit) < len(_KINDS):
            led = all_owners(tables, seeds(tables, candidate))
            found = {name: candidate for name in led if name not in owned} | found
    return found


_FEW: Final = 150
"""Rows of a list, such as countries or states, rather than of somebody whose privacy is meant."""


def _rank(candidate: Candidate, sizes: Mapping[str, int]) -> tuple[int, bool, bool, int, str]:
    is_list = 0 < sizes.get(candidate.table or "", 0) < _FEW
    return _kind(candidate.unit), is_list, candidate.others == 0, -candidate.others, candidate.place


def _kind(unit: str) -> int:
    last = unit.rpartition("_")[2]
    return next((kind for kind, words in enumerate(_KINDS) if last in words), len(_KINDS))


def _identity(table: Table) -> Column | None:
    """The column by which each row of the table is somebody else; not where it refers to another table."""
    referring = {name for key in table.foreign_keys for name in key.columns}
    keys = [table.primary_key, *(tuple(key) for key in sorted(table.unique_keys, key=sorted))]
    for key in keys:
        if len(key) == 1 and key[0] not in referring and _can_identify(table.columns[key[0]]):
            return table.columns[key[0]]
    return None


def _can_identify(column: Column) -> bool:
    return family_of(column) in IDENTITIES and not column.own_equality


def _from_columns(tables: Mapping[str, Table]) -> Iterable[Candidate]:
    """Columns such as user_id, where no table has one row of each user."""
    found: dict[tuple[str, str | None], Candidate] = {}
    for table in tables.values():
        for column in table.columns.values():
            words = words_of(column.name)
            unit = "_".join(words[:-1]) if len(words) > 1 and words[-1] == "id" else "_".join(words).removesuffix("id")
            if unit and _kind(singular(unit)) < len(_KINDS) and column.name != unit and _can_identify(column):
                family = family_of(column)
                found.setdefault((column.name, family), Candidate(singular(unit), None, column.name, family))
    return found.values()


def _leading(tables: Mapping[str, Table], candidate: Candidate) -> int:
    owned = owners(tables, seeds(tables, candidate))
    return len(owned) - (candidate.table is not None)


def seeds(tables: Mapping[str, Table], candidate: Candidate) -> dict[str, Owner]:
    """The tables that have the unit's own column: the candidate's, and those with a column called like it."""
    found = {}
    name = candidate.column
    if candidate.table is not None:
        found[candidate.table] = Owner(candidate.unit, name)
    said = name if name.lower() not in GENERAL_NAMES or candidate.table is None else f"{candidate.unit}_id"
    for table in tables.values():
        named = (column for column in _undeclared(table) if same_name(column.name, said))
        column = next((column for column in named if family_of(column) == candidate.family), None)
        if table.name in found or column is None:
            continue
        doubts = () if candidate.table is None else (f"only its name says that {column.name} is a {candidate.unit}",)
        found[table.name] = Owner(candidate.unit, column.name, doubts=doubts)
    return found


def _undeclared(table: Table) -> Iterator[Column]:
    """The columns of which no foreign key says where they lead."""
    declared = {name for key in table.foreign_keys for name in key.columns}
    return (column for name, column in table.columns.items() if name not in declared)


def all_owners(tables: Mapping[str, Table], known: Mapping[str, Owner]) -> dict[str, Owner]:
    """As `owners`, also of tables that lead to a unit by the names of columns alone, where no foreign key does."""
    found = owners(tables, known)
    while named := _by_name(tables, found):
        found = owners(tables, found | named)
    return found


def _by_name(tables: Mapping[str, Table], found: Mapping[str, Owner]) -> dict[str, Owner]:
    named = {}
    for name, table in tables.items():
        ways = {
            (column.name, target, key): owner
            for column in _undeclared(table)
            for target, owner in found.items()
            if name not in found and (key := named_key(column, tables[target])) is not None
        }
        doubts = tuple(f"only its name says that {column} leads to {target}" for column, target, _ in ways)
        for (column, target, key), owner in ways.items():
            disputed = owner.disputed or len(ways) > 1
            named[name] = Owner(owner.unit, column, f"{target}.{key}", doubts, disputed)
            break
    return named


def owners(tables: Mapping[str, Table], known: Mapping[str, Owner]) -> dict[str, Owner]:
    """How each table leads to a unit, by the fewest foreign keys; tables that do not are absent.

    Args:
        tables: by name.
        known: those of which it is known; they stay as they are.
    """
    found = dict(known)
    newly = sorted(found)
    while newly:
        reached = set(newly)
        newly = []
        for name, table in sorted(tables.items()):
            if name not in found:
                ways = [way for key in table.foreign_keys if (way := _way(tables, key, found, reached)) is not None]
                if ways:
                    newly.append(name)
                    found[name] = ways[0]
        for name in newly:
            found[name] = _with_other_ways(tables, name, found)
    return {name: found[name] for name in sorted(found)}


def _way(tables: Mapping[str, Table], key: ForeignKey, found: Mapping[str, Owner], reached: set[str]) -> Owner | None:
    if key.target not in reached or key.target not in tables:
        return None
    target = found[key.target]
    if len(key.columns) > 1:
        # A key of several columns has the unit's own among them, or leads to rows that no `via` can name.
        paired = dict(zip(key.target_columns, key.columns, strict=True))
        own = paired.get(target.column) if target.target is None else None
        return Owner(target.unit, own) if own is not None else None
    if frozenset(key.target_columns) not in tables[key.target].unique_keys:
        return None
    if target.target is None and target.column == key.target_columns[0]:
        return Owner(target.unit, key.columns[0])
    return Owner(target.unit, key.columns[0], f"{key.target}.{key.target_columns[0]}")


def _with_other_ways(tables: Mapping[str, Table], name: str, found: Mapping[str, Owner]) -> Owner:
    """The table's owner, with a doubt for each further key that leads to somebody: a row belongs to one unit only."""
    owner = found[name]
    doubts = tuple(
        f"{key.columns[0]} leads to a {found[key.target].unit}, too, who would not be protected here"
        for key in tables[name].foreign_keys
        if len(key.columns) == 1 and key.columns[0] != owner.column and key.target in found and key.target != name
    )
    disputed = bool(doubts) or (owner.target is not None and found[owner.target.rpartition(".")[0]].disputed)
    return replace(owner, doubts=(*owner.doubts, *doubts), disputed=disputed)
