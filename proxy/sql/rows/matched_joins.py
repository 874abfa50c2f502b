"""Outer joins that have found a match in every row that is left, since a later condition requires it: as inner joins,
they say the same of these rows.

`language LEFT JOIN film ON … LEFT JOIN inventory ON … JOIN rental USING (inventory_id)` keeps no language without a
rental: each row has an inventory, so its join found one, by an equality with a film, so that one was found, too. The
planner of PostgreSQL finds the same. So a chain that begins at a public table leads from each private row to one row
of each table, as the same joins do that begin at the private one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeVar

from proxy.sql.replacing import replace
from proxy.sql.rows.fixed_columns import Fixed
from proxy.sql.rows.lookups import Lookup
from proxy.sql.rows.members import Member
from proxy.sql.rows.ownership import Equality

_Noted = TypeVar("_Noted", Equality, Lookup, Fixed)


def matched_joins(
    members: Sequence[Member],
    extended: Mapping[str, tuple[frozenset[str], ...]],
    stated: Iterable[Equality],
    known: Iterable[Equality],
) -> set[str]:
    """The outer joins, as keys of `extended`, that have found a match in every row which meets some equalities.

    Args:
        members: the items of FROM so far. What is equal to a row around a subquery does not count: the source may
            compute the rows of the subquery before.
        extended: the outer joins that these rows come from, as of `reach.Paths`.
        stated: equalities that all of these rows meet.
        known: the equalities of the outer joins.
    """
    own = {member.alias for member in members}
    present = {alias for equality in stated for alias in _sides(equality) if _sides(equality) <= own}
    found: set[str] = set()
    while matched := {join for join, sides in extended.items() if join not in found and _has_all(sides, present)}:
        found |= matched
        present |= {alias for equality in known if equality.only in matched for alias in _sides(equality)}
    return found


def as_inner(noted: Iterable[_Noted], matched: AbstractSet[str]) -> list[_Noted]:
    """What conditions say, with that of outer joins that have found a match for every row."""
    return [replace(each, only=None) if each.only in matched else each for each in noted]


def _sides(equality: Equality) -> frozenset[str]:
    """The members whose columns are equal, and so not NULL."""
    return frozenset({equality.left.member.alias, equality.right.member.alias})


def _has_all(sides: Iterable[frozenset[str]], present: AbstractSet[str]) -> bool:
    """Is there a row on each side that the join would have filled with NULLs without a match?"""
    return all(side & present for side in sides)
