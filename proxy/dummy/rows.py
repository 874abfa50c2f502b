"""Made-up rows of all tables: keys are unique, foreign keys and `via` lead to rows, and a few units have many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from proxy.dummy.values import Random, distinct_values, random_values, skewed
from proxy.policy.catalog import Catalog, Table
from proxy.policy.model import Policy, TablePolicy, unlisted_column
from proxy.policy.unit_paths import parse_via

_MOST_ROWS: Final = 50_000
_ROWS_OF_PARENT: Final = 5
_PUBLIC_ROWS: Final = 1_000
_NULLS: Final = 0.03


class CannotMakeUpError(Exception):
    """No row can be made up for a table; the text is for the user."""


@dataclass(frozen=True)
class MadeUp:
    """The rows of one table: the names of its columns, and for each row a text or None for each."""

    columns: tuple[str, ...]
    rows: list[tuple[str | None, ...]]

    def values(self, column: str) -> list[str]:
        """The values of a column, without NULL."""
        place = self.columns.index(column)
        return [text for row in self.rows if (text := row[place]) is not None]


@dataclass(frozen=True)
class _Link:
    """Columns of a row that refer to columns of a row of another table."""

    columns: tuple[str, ...]
    target: str
    target_columns: tuple[str, ...]


def made_up_rows(policy: Policy, catalog: Catalog, units: int, seed: int) -> dict[str, MadeUp]:
    """Rows of every table that is no view, those that others refer to first.

    Args:
        policy: the policy.
        catalog: of its tables.
        units: how many units of each kind.
        seed: other rows for another number.

    Raises:
        CannotMakeUpError: a column that must hold a value has a type of which none is known.
    """
    made: dict[str, MadeUp] = {}
    links = {name: _links(policy, catalog, name) for name in policy.tables}
    for name in _ordered(policy, links):
        table = catalog.tables[name]
        if table.view_definition is None:
            maker = _Maker(policy, name, table, links[name], made, units, Random(seed))
            made[name] = maker.made_up()
    return made


def _links(policy: Policy, catalog: Catalog, name: str) -> list[_Link]:
    """Foreign keys, and the first hop of `via`, those of many columns first."""
    keys = catalog.tables[name].foreign_keys
    found = [_Link(key.columns, key.target, key.target_columns) for key in keys if key.target in catalog.tables]
    unit = policy.tables[name].unit
    if unit is not None and unit.via is not None:
        hop = parse_via(unit.via)[0]
        found.append(_Link((hop.column,), hop.target, (hop.target_column,)))
    return sorted(found, key=lambda link: -len(link.columns))


def _ordered(policy: Policy, links: Mapping[str, Sequence[_Link]]) -> Iterator[str]:
    """The tables, each after those that its rows refer to, as far as they do not refer to each other in a circle."""
    done: dict[str, None] = {}

    def visit(name: str, above: tuple[str, ...]) -> Iterator[str]:
        if name in done or name in above or name not in policy.tables:
            return
        declared = (column.values_from or "" for column in (policy.tables[name].columns or {}).values())
        for target in (*(link.target for link in links[name]), *(text.rpartition(".")[0] for text in declared)):
            yield from visit(target, (*above, name))
        done[name] = None
        yield name

    for name in policy.tables:
        yield from visit(name, ())


class _Maker:
    """Makes up the rows of one table.

    Args:
        policy: the policy.
        name: "schema.table".
        table: what the catalog says of it.
        links: what its rows refer to.
        made: the tables that are made up already.
        units: how many units of each kind.
        random: where values are drawn from.
    """

    def __init__(
        self,
        policy: Policy,
        name: str,
        table: Table,
        links: Sequence[_Link],
        made: Mapping[str, MadeUp],
        units: int,
        random: Random,
    ) -> None:
        self._policy = policy
        self._own: TablePolicy = policy.tables[name]
        self._table = table
        self._links = [link for link in links if link.target in made]
        self._made = made
        self._units = units
        self._random = random
        self._unique = {next(iter(key)) for key in table.unique_keys if len(key) == 1}

    def made_up(self) -> MadeUp:
        columns = self._columns()
        count = self._count()
        found: dict[str, Sequence[str | None]] = {}
        for link in self._links:
            if not found.keys() & set(link.columns):
                found |= self._referring(link, count)
                count = min(count, *(len(found[column]) for column in link.columns))
        for column in columns:
            if column not in found:
                found[column] = self._values(column, count)
                if column in self._unique or column == self._unit_column:
                    count = min(count, len(found[column]))
        rows = list(zip(*(found[column][:count] for column in columns), strict=True))
        return MadeUp(columns, self._without_repeated_keys(columns, rows))

    @property
    def _unit_column(self) -> str | None:
        return self._own.unit.column if self._own.unit is not None else None

    def _columns(self) -> tuple[str, ...]:
        """What clients see, and what keys are made of; other columns only if they must hold a value."""
        keys = {name for key in self._table.unique_keys for name in key}
        keys |= {name for link in self._links for name in link.columns}
        keys |= {self._unit_column} if self._unit_column is not None else set()
        visible = self._own.columns
        return tuple(
            name
            for name, column in self._table.columns.items()
            if visible is None or name in visible or name in keys or not column.nullable
        )

    def _count(self) -> int:
        if self._own.public:
            declared = [len(values) for values in self._table.declared.values()]
            return max(declared, default=min(self._table.row_count or 1, _PUBLIC_ROWS)) or 1
        parents = [len(self._made[link.target].rows) for link in self._links if self._leads(link)]
        base = max(parents, default=self._units)
        leading = [column for link in self._links if self._leads(link) for column in link.columns]
        is_unique = not self._unique.isdisjoint(leading or [self._unit_column or ""])
        return base if is_unique else min(base * _ROWS_OF_PARENT, _MOST_ROWS)

    def _leads(self, link: _Link) -> bool:
        """Does it lead to the unit, so that the number of rows follows from it?"""
        unit = self._own.unit
        if unit is None:
            return False
        return link.columns == ((unit.column or parse_via(unit.via or "")[0].column),)

    def _referring(self, link: _Link, count: int) -> dict[str, Sequence[str | None]]:
        """The columns of a link, from rows of its target."""
        target = self._made[link.target]
        places = [target.columns.index(name) for name in link.target_columns]
        rows = [row for row in target.rows if all(row[place] is not None for place in places)]
        if set(link.columns) & self._unique:
            chosen = rows[:count]
        else:
            chosen = [rows[place] for place in skewed(len(rows), count, self._random)] if rows else []
        return {name: [row[place] for row in chosen] for name, place in zip(link.columns, places, strict=True)}

    def _values(self, name: str, count: int) -> Sequence[str | None]:
        column, policy = self._table.columns[name], (self._own.columns or {}).get(name, unlisted_column())
        pool = list(self._table.declared.get(name, ()))
        if name in self._unique or name == self._unit_column:
            called = self._own.unit.name if name == self._unit_column and self._own.unit is not None else name
            wanted = count if name in self._unique else self._units
            different = pool or distinct_values(column, policy, called, wanted)
            if name in self._unique or not different:
                return self._required(name, different)
            return [different[place] for place in skewed(len(different), count, self._random)]
        if policy.values_from is not None:
            target, _, declaring = policy.values_from.rpartition(".")
            pool = self._made[target].values(declaring) if target in self._made else []
        values: list[str | None] = [*random_values(column, policy, pool, count, self._random)]
        if not values:
            return [None] * count if column.nullable else self._required(name, ())
        missing = self._random.random_sample(count) < _NULLS if column.nullable else [False] * count
        return [None if absent else value for value, absent in zip(values, missing, strict=True)]

    def _required(self, name: str, values: Sequence[str]) -> Sequence[str]:
        if not values:
            type_name = self._table.columns[name].type_name
            raise CannotMakeUpError(f"{self._table.name}.{name}: nobody can make up values of type {type_name}")
        return values

    def _without_repeated_keys(
        self, columns: Sequence[str], rows: Sequence[tuple[str | None, ...]]
    ) -> list[tuple[str | None, ...]]:
        places = [[columns.index(name) for name in key] for key in self._table.unique_keys if len(key) > 1]
        seen: list[set[tuple[str | None, ...]]] = [set() for _ in places]
        kept = []
        for row in rows:
            keys = [tuple(row[place] for place in key) for key in places]
            if not any(key in known for key, known in zip(keys, seen, strict=True)):
                kept.append(row)
                for key, known in zip(keys, seen, strict=True):
                    known.add(key)
        return kept
