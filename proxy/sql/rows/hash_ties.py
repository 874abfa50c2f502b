"""Which equalities between private rows need a tie beside them (`terms.ties`)."""

from __future__ import annotations

from collections.abc import Iterable

from proxy.sql.named_tables import NamedTable
from proxy.sql.rows.members import ColumnOrigin
from proxy.sql.rows.ownership import Equality
from proxy.sql.terms.ties import hash_tie


def hash_ties(equalities: Iterable[Equality]) -> list[str]:
    """The ties of equalities between private rows, except where a row is found by its own unique key: the source has an
    index for that."""
    return [
        hash_tie(left.term(), right.term())
        for left, right in ((equality.left, equality.right) for equality in equalities)
        if all(side.member.table.private and not _is_key(side) for side in (left, right))
    ]


def _is_key(side: ColumnOrigin) -> bool:
    table = side.member.table
    return isinstance(table, NamedTable) and frozenset({side.column}) in table.unique_keys
