"""All facts of an expression, as they are seen before a server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import psycopg

from tests.expressions.cases import CONSTANTS, Case
from tests.expressions.compiling import Read, read
from tests.expressions.facts import counted, derived
from tests.expressions.observing import OWN_VALUES, Observed, on_extremes, on_items
from tests.expressions.table import EXTREME, WIDE, relation


class Expecting:
    """What is seen of expressions in the table's rows; each is tried once.

    Args:
        source: a database with the table.
    """

    def __init__(self, source: psycopg.Connection) -> None:
        source.execute("SET search_path = pg_catalog; SET TimeZone = 'Europe/Paris'; SET jit = off")
        source.execute(OWN_VALUES)
        self.source = source
        self.plain = relation()
        self.wide = relation(EXTREME, WIDE)
        self.members = cache(self._members)
        self.extremes = cache(self._extremes)
        self.items = cache(self._items)

    def facts(self, case: Case) -> Iterator[str]:
        """The facts that are true of a case."""
        members, of = self.members(case), len(case.members)
        yield from derived(members, self.plain)
        if says := case.said("says"):
            yield f"says: {says}"
        if null := len(self.extremes(case).null):
            yield counted("null on extremes", null, of)
        items = self.items(case)
        if null := len(items.null):
            yield counted("null on items", null, of)
        if items.differs:
            example = "{}: {}".format(*next(iter(items.differs.items())))
            yield counted("differs", len(items.differs), of, case.said("differs") or f"? {example}")

    def _members(self, case: Case) -> Sequence[Read]:
        return read(case.members, self.source)

    def _extremes(self, case: Case) -> Observed:
        return on_extremes(self.members(case), self.wide, self.source)

    def _items(self, case: Case) -> Observed:
        # What the clock says is computed anew, and stands still in a transaction.
        with self.source.transaction():
            members = self._members(case) if case.theme == CONSTANTS else self.members(case)
            return on_items(members, self.plain, self.source)
