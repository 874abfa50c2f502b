"""The query that lists all combinations of declared keys.

Keys that no source and no condition ties together are listed by themselves, and crossed then: DISTINCT over the product
of all that they are made of would take as long as that is large. Where several sources make up one key, the values of
its parts are listed first (`inner_values`), and those of sums and differences without a product (`differences`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from proxy.sql.planning.atoms import MOST_COMBINATIONS, Atoms
from proxy.sql.planning.bounded_keys import with_bounded_keys
from proxy.sql.planning.differences import with_differences
from proxy.sql.planning.inner_values import with_inner_values
from proxy.sql.planning.parts import Part, Parts, columns_of, sources_read, where
from proxy.sql.replacing import replace

_FIRST_ROWS = 300_000
"""How many rows of a product are looked at before all of them: enough to find more keys than may be declared."""
_FEW_COMBINATIONS = 10_000
"""So few are looked at one by one."""


@dataclass(frozen=True)
class Listing:
    """A query for keys.

    Attributes:
        sql: all combinations, each once.
        some: as quick a query for some of them, each once; None where that is no quicker.
        is_quick: are the combinations few enough to look at all of them?
    """

    sql: str
    some: str | None
    is_quick: bool = True

    def up_to(self, most: int) -> Listing:
        """At most so many of them."""
        limit = f" LIMIT {most}"
        some = self.some + limit if self.some is not None else None
        return Listing(self.sql + limit, some, self.is_quick)


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
    parts = _with_few_combinations(Parts(tuple(keys), tuple(conditions), tuple(told), atoms))
    columns, tied = parts.columns, parts.tied
    names = [f"{prefix}{place}" for place in range(len(columns))]

    def selected(part: Part, *, first: bool) -> str:
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
    is_quick = parts.combinations <= MOST_COMBINATIONS
    return Listing(crossed(first=False), crossed(first=True) if quicker else None, is_quick)


def _with_few_combinations(parts: Parts) -> Parts:
    """The same keys, from sources of which fewer combinations have to be looked at, as far as that is possible.

    A condition that ties sources together leaves combinations out, but all of them have to be looked at: where they are
    too many, those keys are listed too that it leaves out.
    """
    parts = with_differences(parts)
    if parts.combinations <= _FEW_COMBINATIONS:
        return parts
    found = with_inner_values(parts)
    if found.combinations <= MOST_COMBINATIONS:
        return found
    conditions = tuple(condition for condition in parts.conditions if len(columns_of(condition)) < 2)
    told = tuple(sql for sql in parts.told if len(sources_read(sql)) < 2)
    found = with_inner_values(with_differences(replace(parts, conditions=conditions, told=told)))
    return found if found.combinations <= MOST_COMBINATIONS else with_bounded_keys(found)
