"""The keys of a join, from those of what it joins: an item that is joined by one of its own keys repeats no row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import prod

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.trees.walking import alias_of, items_of

Column = tuple[str, str]
"""The name of a FROM item and that of its column."""

_MOST_COMBINATIONS = 20


@dataclass(frozen=True)
class Item:
    """A FROM item.

    Attributes:
        alias: its name.
        keys: sets of its columns of which no two of its rows share the values.
        most: the most rows that it has; None where nobody knows.
    """

    alias: str
    keys: frozenset[frozenset[str]]
    most: int | None


@dataclass(frozen=True)
class Equalities:
    """Which columns of different items are equal in a combination of their rows.

    Attributes:
        pairs: of every combination.
        joining: for an item, the pairs by which its own JOIN finds its rows.
        merged: columns that USING made one, which need no item's name.
    """

    pairs: frozenset[frozenset[Column]]
    joining: Mapping[str, frozenset[frozenset[Column]]]
    merged: frozenset[str]

    def same(self, column: Column) -> list[Column]:
        """The column and those that are equal to it."""
        found = [column]
        for one in found:
            found += sorted(other for pair in self.pairs if one in pair for other in pair if other not in found)
        return found


def equalities_of(query: exp.Select, names: Mapping[str, Sequence[str]]) -> Equalities | None:
    """What FROM and WHERE say is equal; None of joins that keep the rows of their right side.

    Args:
        query: a SELECT.
        names: the columns of each of its items.
    """
    pairs: set[frozenset[Column]] = set()
    joining: dict[str, frozenset[frozenset[Column]]] = {}
    merged: set[str] = set()
    before: list[str] = []
    inner = True
    for holder in items_of(query):
        alias, side = alias_of(holder.this) or "", str(holder.args.get("side") or "").upper()
        if (
            side in ("RIGHT", "FULL")
            or holder.args.get("method")
            or str(holder.args.get("kind") or "").upper()
            in (
                "SEMI",
                "ANTI",
            )
        ):
            return None
        own = set()
        for name in map(folded, holder.args.get("using") or []):
            merged.add(name)
            own |= {frozenset([(alias, name), (other, name)]) for other in before if name in names[other]}
        own |= set(_equal(holder.args.get("on"), names, frozenset()))
        joining[alias] = frozenset(own)
        inner = inner and side != "LEFT"
        pairs |= own if side != "LEFT" else set()
        before.append(alias)
    where = query.args.get("where")
    stated = set(_equal(where.this, names, frozenset(merged))) if where is not None and inner else set()
    return Equalities(
        frozenset(pairs | stated), {alias: own | stated for alias, own in joining.items()}, frozenset(merged)
    )


def _equal(
    condition: exp.Expr | None, names: Mapping[str, Sequence[str]], merged: frozenset[str]
) -> Iterator[frozenset[Column]]:
    """The pairs of columns that a condition says are equal."""
    if condition is None:
        return
    condition = condition.unnest()
    if isinstance(condition, exp.And):
        yield from _equal(condition.this, names, merged)
        yield from _equal(condition.expression, names, merged)
    if isinstance(condition, exp.EQ):
        sides = (condition.this.unnest(), condition.expression.unnest())
        found = [resolved(side, names, merged) if isinstance(side, exp.Column) else None for side in sides]
        if found[0] is not None and found[1] is not None and found[0][0] != found[1][0]:
            yield frozenset(place for place in found if place is not None)


def resolved(column: exp.Column, names: Mapping[str, Sequence[str]], merged: frozenset[str]) -> Column | None:
    """Which item's column a name means; None where it is not known, or none of these."""
    qualifier, name = column.args.get("table"), folded(column.this)
    if qualifier is not None:
        alias = folded(qualifier)
        return (alias, name) if names.get(alias, ()) and list(names[alias]).count(name) == 1 else None
    holding = [alias for alias, found in names.items() for own in found if own == name]
    return (holding[0], name) if len(holding) == 1 or (holding and name in merged) else None


def combined_keys(items: Sequence[Item], equal: Equalities) -> tuple[frozenset[frozenset[Column]], int | None]:
    """The keys of the combinations of the items' rows, and the most combinations."""
    kept = [item for place, item in enumerate(items) if not _finds_one_row(item, items[:place], equal)]
    choices = [
        [frozenset((item.alias, name) for name in key) for key in sorted(item.keys, key=sorted)] for item in kept
    ]
    combinations = islice(product(*choices), _MOST_COMBINATIONS)
    keys = frozenset(frozenset[Column]().union(*parts) for parts in combinations)
    counts = [item.most for item in kept]
    return keys, prod(count for count in counts if count is not None) if None not in counts else None


def _finds_one_row(item: Item, before: Sequence[Item], equal: Equalities) -> bool:
    """Does the join find at most one row of an item for each combination of the items before it?"""
    earlier = {other.alias for other in before}
    found = {
        name
        for pair in equal.joining[item.alias]
        for alias, name in pair
        if alias == item.alias and any(other in earlier for other, _ in pair)
    }
    return bool(before) and any(key <= found for key in item.keys)
