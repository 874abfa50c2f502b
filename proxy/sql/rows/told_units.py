"""Which columns tell the unit of a row: one of them, or the first of several that is not NULL, as in
`coalesce(a.unit, b.unit)` of a FULL JOIN."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from sqlglot import exp

from proxy.sql.named_tables import Identity
from proxy.sql.rows.relation import Relation


def shared_identities(columns: Sequence[exp.Column], relation: Relation) -> frozenset[Identity]:
    """What the first of some columns that is not NULL identifies, if there is one.

    Args:
        columns: of the relation; no column identifies nothing.
        relation: its rows belong to one unit each, so that two columns that identify a unit identify the same one.
    """
    found = [relation.origin(column).identities for column in columns]
    return reduce(frozenset.intersection, found) if found else frozenset()


def tell_the_unit(columns: Sequence[exp.Column], relation: Relation) -> bool:
    """Does the first of some columns that is not NULL identify the unit, in every row that has one?"""
    if not shared_identities(columns, relation):
        return False
    origins = [relation.origin(column) for column in columns]
    if any(origin.tells_the_unit for origin in origins):
        return True
    # A row of a FULL JOIN has one of its sides, or both.
    sides = {origin.member.alias for origin in origins if not origin.lacks_unit}
    private = [member for member in relation.members if member.table.private]
    return all(member.optional and member.alias in sides for member in private)
