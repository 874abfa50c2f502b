"""What declared keys are enumerated from, how it is tied together, and how many combinations that gives."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from sqlglot import exp

from proxy.sql.nodes import find_all
from proxy.sql.planning.atoms import Atoms
from proxy.sql.terms.expressions import compile_term

_READ = re.compile(r"\bd(\d+)\.c\d")


@dataclass(frozen=True)
class Parts:
    """What keys are enumerated from.

    Attributes:
        keys: the keys over the sources.
        conditions: those that combinations of the sources' rows meet.
        told: the SQL of others.
        atoms: has the sources, by whose places their columns are named.
        spent: places of sources that nothing reads any more.
    """

    keys: tuple[exp.Expr, ...]
    conditions: tuple[exp.Expr, ...]
    told: tuple[str, ...]
    atoms: Atoms
    spent: frozenset[int] = frozenset()

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The SQL of the keys."""
        return tuple(compile_term(key, self.atoms).sql for key in self.keys)

    @cached_property
    def filters(self) -> tuple[str, ...]:
        """The SQL of all conditions."""
        return (*(compile_term(condition, self.atoms).sql for condition in self.conditions), *self.told)

    def filters_of(self, source: int) -> list[str]:
        """The conditions about this source alone."""
        return [sql for sql in self.filters if sources_read(sql) == {source}]

    @property
    def sources(self) -> list[int]:
        """The places of the sources that are not spent."""
        return [place for place in range(len(self.atoms.sources)) if place not in self.spent]

    @cached_property
    def tied(self) -> list[Part]:
        """The sources as far as they are tied together."""
        found = [Part({place}) for place in self.sources] or [Part(set())]
        return _tied(found, self.columns, self.filters)

    @cached_property
    def combinations(self) -> int:
        """At most how many combinations have to be looked at; sources of unknown size are taken for small ones."""
        return max((self._product(part) for part in self.tied if part.keys), default=1)

    def _product(self, part: Part) -> int:
        """Of sources that an equality ties together, each row of one meets few of another."""
        equal = [{place} for place in part.sources]
        for read in self._equated:
            if read & part.sources:
                meeting = [each for each in equal if each & read]
                equal = [each for each in equal if not each & read] + [set[int]().union(*meeting)]
        sizes = [source.size or 1 for source in self.atoms.sources]
        return math.prod(max(sizes[place] for place in each) for each in equal)

    @property
    def _equated(self) -> list[frozenset[int]]:
        equalities = [node for node in self.conditions if isinstance(node.unnest(), exp.EQ)]
        read = [*map(columns_of, equalities), *map(sources_read, self.told)]
        return [places for places in read if len(places) > 1]


@dataclass(eq=False)
class Part:
    """What is tied together.

    Attributes:
        sources: their places.
        keys: the places of the keys that are made of them.
        conditions: those about them.
    """

    sources: set[int]
    keys: list[int] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)


def sources_read(sql: str) -> frozenset[int]:
    """The places of the sources that SQL reads; a text that looks like a column of one counts, too."""
    return frozenset(map(int, _READ.findall(sql)))


def columns_of(tree: exp.Expr) -> frozenset[int]:
    """The places of the sources that an expression over them reads."""
    return frozenset(int(column.args["table"].name[1:]) for column in find_all(tree, exp.Column))


def where(conditions: Sequence[str]) -> str:
    """WHERE with all conditions; nothing without any."""
    return f" WHERE {' AND '.join(sorted({*conditions}))}" if conditions else ""


def _tied(parts: list[Part], columns: Sequence[str], conditions: Sequence[str]) -> list[Part]:
    """The parts, joined where a key or a condition reads several. What reads none belongs to the first."""
    found = parts

    def joined(sql: str) -> Part:
        nonlocal found
        read = sources_read(sql)
        together = [part for part in found if part.sources & read] or found[:1]
        whole = Part(set[int]().union(*(part.sources for part in together)))
        for part in together:
            whole.keys += part.keys
            whole.conditions += part.conditions
        found = [whole if part is together[0] else part for part in found if part not in together[1:]]
        return whole

    for place, sql in enumerate(columns):
        joined(sql).keys.append(place)
    for sql in conditions:
        joined(sql).conditions.append(sql)
    for part in found:
        part.keys.sort()
    return found
