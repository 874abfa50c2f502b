"""How many rows of a public table are equal in some of its columns, where no unique key says that it is one.

A table that was loaded from a file, without keys, would count with all its rows wherever a join looks one up by name or
by hour. The stage has a copy of every public table, and counts when a plan first needs the number. Only estimates of a
join's time rest on it (`rows.multiplicity`), as on the number of the table's rows, never a proof of a row's unit, or
that there is one row.
"""

from __future__ import annotations

from typing import Final

from proxy.budget.cache import ImmutableCache
from proxy.sql.named_tables import NamedTable
from proxy.sql.terms.term import quote_identifier, quote_table

_KEPT: Final = 1_000
COUNTED_ROWS: Final = 500_000
"""Of larger tables nothing is counted: it would take seconds."""
_COUNTS: Final = 20
"""For one statement; what else it needs counts with all rows."""

Columns = frozenset[str]


class UncountedError(Exception):
    """A plan needs to know how many rows of `table` are equal in `columns`."""

    def __init__(self, table: NamedTable, columns: Columns) -> None:
        super().__init__(f"{table.name} ({', '.join(sorted(columns))})")
        self.table = table
        self.columns = columns


class Repeats:
    """What has been counted of public tables, for one catalog."""

    def __init__(self) -> None:
        self._counted: ImmutableCache[tuple[str, Columns], int] = ImmutableCache(_KEPT)
        self._left = _COUNTS

    def begin(self) -> None:
        """Another statement is planned."""
        self._left = _COUNTS

    @property
    def may_count(self) -> bool:
        """May more be counted for this statement?"""
        return self._left > 0

    def most(self, table: NamedTable, columns: Columns) -> int:
        """The most rows of a public table that are equal, and not NULL, in some of its columns.

        Raises:
            UncountedError: it was not counted yet, but may be.
        """
        rows = table.row_count
        if rows is None or not 1 < rows <= COUNTED_ROWS or not columns.isdisjoint(table.others):
            return rows or 1
        known = self._counted.get((table.name, columns))
        if known is None and self._left:
            raise UncountedError(table, columns)
        return rows if known is None else known

    def note(self, table: NamedTable, columns: Columns, counted: int | None) -> None:
        """Remember what `counting` has found; None where the stage has no rows of the table, as without a source."""
        most = counted if counted is not None else table.row_count
        assert most is not None
        self._left -= 1
        self._counted.put((table.name, columns), most, weight=1)


def counting(table: NamedTable, columns: Columns) -> str:
    """The stage's query for `Repeats.note`."""
    names = [quote_identifier(name) for name in sorted(columns)]
    present = " AND ".join(f"{name} IS NOT NULL" for name in names)
    groups = f"SELECT count(*) AS n FROM {quote_table(table.name)} WHERE {present} GROUP BY {', '.join(names)}"
    return f"SELECT max(n) FROM ({groups}) AS equal"
