"""What a node of a plan reads, and what the proofs about it rest on; every node carries it as a value.

It decides who pays, what the source verifies in the source query's transaction and what EXPLAIN names, so it must not
depend on the order of compilation: a node's footprint is the union of those of its parts and its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from proxy.sql.named_tables import NamedTable
from proxy.sql.rows.multiplicity import MOST_ROWS
from proxy.sql.terms.term import Term

UniqueKey = tuple[str, tuple[str, ...]]
"""A table of the source, and columns that a proof takes for unique."""


@dataclass(frozen=True)
class Cut:
    """A FROM item of which no unit has more than so many rows (`cuts`).

    Attributes:
        alias: of the item, in generated SQL.
        name: for messages: the table's name, or the client's for a subquery.
        from_sql: the SQL in FROM that replaces it, before the alias.
        most: the rows that remain of a unit.
        meets: rows meet others; else each of them may take long by itself.
        units_name: name of the relation that `from_sql` reads: the units with more rows.
        units_sql: the query for them, for a WITH around the whole source query.
        footprint: what it reads and rests on besides the item's own rows.
    """

    alias: str
    name: str
    from_sql: str
    most: int
    meets: bool
    units_name: str
    units_sql: str
    footprint: Footprint


@dataclass(frozen=True)
class Footprint:
    """What a node of a plan reads and rests on, with all its parts.

    Attributes:
        tables: the policy's tables, in the order in which they are met, once each.
        columns: the columns that generated SQL reads: table and column.
        verified_keys: the keys of the source that its proofs rest on.
        cuts: the items of which a unit has a limited number of rows, each after those that it reads.
        seen: the number of characters of longer texts that regular expressions see.
        scans: how often private tables are scanned.
        uncounted: it reads rows that are counted only when they are evaluated.
        most_uncounted: the most rows that such an item may then turn out to have.
        feedback: the numbers of the evaluated queries that it reads.
    """

    tables: tuple[NamedTable, ...] = ()
    columns: frozenset[tuple[str, str]] = frozenset()
    verified_keys: tuple[UniqueKey, ...] = ()
    cuts: tuple[Cut, ...] = ()
    seen: frozenset[int] = frozenset()
    scans: int = 0
    uncounted: bool = False
    most_uncounted: int = MOST_ROWS
    feedback: frozenset[int] = frozenset()
    elements: bool = False

    @property
    def private_tables(self) -> tuple[NamedTable, ...]:
        """The private tables, which decide who pays."""
        return tuple(table for table in self.tables if table.private)

    @property
    def spread(self) -> bool:
        """Are private rows spread over the workers of a cluster?"""
        return any(table.catalog.distributed_by is not None for table in self.private_tables)

    @property
    def least_cuts(self) -> dict[tuple[bool, str], int]:
        """The fewest rows that `cuts` leave of a unit, by `Cut.meets` and `Cut.name`: what such rows may become in a
        subquery over them, which is cut too, follows from it."""
        found: dict[tuple[bool, str], int] = {}
        for cut in self.cuts:
            key = (cut.meets, cut.name)
            found[key] = min(cut.most, found.get(key, cut.most))
        return found


NOTHING: Final = Footprint()
"""The footprint of what reads nothing."""


def of_table(table: NamedTable) -> Footprint:
    """The footprint of a table in FROM."""
    return Footprint(tables=(table,), scans=int(table.private))


def of_terms(terms: Iterable[Term]) -> Footprint:
    """What terms read besides their relation's tables: which columns, and how much of long texts."""
    terms = list(terms)
    columns = frozenset((read.table, read.column) for term in terms for read in term.reads if read.table is not None)
    seen = frozenset(term.seen for term in terms if term.seen is not None)
    return Footprint(columns=columns, seen=seen) if columns or seen else NOTHING


def of_keys(keys: Iterable[UniqueKey]) -> Footprint:
    """The footprint of a proof that rests on keys alone."""
    keys = tuple(keys)
    return Footprint(verified_keys=keys) if keys else NOTHING


def union(parts: Iterable[Footprint]) -> Footprint:
    """The footprint of something that is made of these parts."""
    parts = [part for part in parts if part is not NOTHING]
    if len(parts) < 2:
        return parts[0] if parts else NOTHING
    return Footprint(
        tables=tuple({table.name: table for part in parts for table in part.tables}.values()),
        columns=frozenset[tuple[str, str]]().union(*(part.columns for part in parts)),
        verified_keys=tuple(dict.fromkeys(key for part in parts for key in part.verified_keys)),
        cuts=tuple({(cut.alias, cut.units_name): cut for part in parts for cut in part.cuts}.values()),
        seen=frozenset[int]().union(*(part.seen for part in parts)),
        scans=sum(part.scans for part in parts),
        uncounted=any(part.uncounted for part in parts),
        most_uncounted=min((part.most_uncounted for part in parts), default=MOST_ROWS),
        feedback=frozenset[int]().union(*(part.feedback for part in parts)),
        elements=any(part.elements for part in parts),
    )
