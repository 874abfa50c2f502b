"""The query that lists all combinations of declared keys.

Keys that no source and no condition ties together are listed by themselves, and crossed then: DISTINCT over the product
of all that they are made of would take as long as that is large.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from proxy.sql.planning.atoms import Atoms
from proxy.sql.planning.differences import Parts, sources_read, where, with_differences
from proxy.sql.terms.expressions import compile_term

_FIRST_ROWS = 300_000
"""How many rows of a product are looked at before all of them: enough to find more keys than may be declared."""


@dataclass(frozen=True)
class Listing:
    """A query for keys.

    Attributes:
        sql: all combinations, each once.
        some: as quick a query for some of them, each once; None where that is no quicker.
    """

    sql: str
    some: str | None

    def up_to(self, most: int) -> Listing:
        """At most so many of them."""
        limit = f" LIMIT {most}"
        return Listing(self.sql + limit, self.some + limit if self.some is not None else None)


@dataclass(eq=False)
class _Part:
    """What is tied together.

    Attributes:
        sources: their places.
        keys: the places of the keys that are made of them.
        conditions: those about them.
    """

    sources: set[int]
    keys: list[int] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)


def all_combinations(
    keys: Sequence[exp.Expr], conditions: Sequence[exp.Expr], told: Sequence[str], atoms: Atoms, prefix: str
) -> Listing:
    """The query for all combinations of keys.

    Args:
        keys: over the sources.
        conditions: those that combinations meet, over the sources.
        told: the SQL of others.
        atoms: the sources.
        prefix: what the names of the keys begin with.
    """
    parts = with_differences(Parts(tuple(keys), tuple(conditions), tuple(told), atoms))
    columns = [compile_term(key, parts.atoms).sql for key in parts.keys]
    filters = [*(compile_term(condition, parts.atoms).sql for condition in parts.conditions), *parts.told]
    places = [place for place in range(len(parts.atoms.sources)) if place not in parts.spent]
    tied = _tied([_Part({place}) for place in places] or [_Part(set())], columns, filters)
    names = [f"{prefix}{place}" for place in range(len(columns))]

    def selected(part: _Part, *, first: bool) -> str:
        from_ = ", ".join(f"({parts.atoms.sources[place].sql}) AS d{place}" for place in sorted(part.sources))
        rows = (f" FROM {from_}" if from_ else "") + where(part.conditions)
        shown = ", ".join(f"{columns[place]} AS {names[place]}" for place in part.keys)
        if not part.keys:
            return f"SELECT{rows}"
        if first and len(part.sources) > 1:
            return f"SELECT DISTINCT * FROM (SELECT {shown}{rows} LIMIT {_FIRST_ROWS}) AS p"
        return f"SELECT DISTINCT {shown}{rows}"

    def crossed(*, first: bool) -> str:
        listed = [part for part in tied if part.keys]
        others = [f"EXISTS ({selected(part, first=False)})" for part in tied if not part.keys]
        if len(tied) == 1:
            return selected(tied[0], first=first)
        of = {place: number for number, part in enumerate(listed) for place in part.keys}
        shown = ", ".join(f"g{of[place]}.{name}" for place, name in enumerate(names))
        from_ = ", ".join(f"({selected(part, first=first)}) AS g{number}" for number, part in enumerate(listed))
        return f"SELECT {shown} FROM {from_}{where(others)}"

    quicker = any(part.keys and len(part.sources) > 1 for part in tied)
    return Listing(crossed(first=False), crossed(first=True) if quicker else None)


def _tied(parts: list[_Part], columns: Sequence[str], conditions: Sequence[str]) -> list[_Part]:
    """The parts, joined where a key or a condition reads several. What reads none belongs to the first."""
    found = parts

    def joined(sql: str) -> _Part:
        nonlocal found
        read = sources_read(sql)
        together = [part for part in found if part.sources & read] or found[:1]
        whole = _Part(set[int]().union(*(part.sources for part in together)))
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
