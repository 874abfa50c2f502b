"""Equalities between private rows that keep a hash join possible for the source, whatever else the query says.

Where rows of a unit meet others of the same unit, the time is linear in their number only if the source looks them up
by the equality that ties them. A condition like `patient_id = 42` takes the equality away: the planner filters both
sides by the constant, has nothing left to join by, and scans the inner side anew for each row of the outer one. So an
equality of hashes stands beside the client's own, with functions that no client can write: the planner draws no
conclusions about them, and nested loops are switched off wherever there is another way (`postgres.source_connection`).
"""

from __future__ import annotations

from proxy.sql.terms.term import Term
from proxy.sql.terms.types import BPCHAR, Kind


def hash_tie(left: Term, right: Term) -> str:
    """A condition that is true wherever the two are equal, and that a hash join can use.

    Args:
        left: a value.
        right: another of the same type.
    """
    form = _form({left.kind, right.kind}, wide=left.wide or right.wide)
    return " = ".join(form.format(term.sql) for term in (left, right))


def is_tied(left: Term, right: Term) -> bool:
    """Can an equality of the two have a tie beside it?

    A constant of another type, such as a text that is read as a date, has no hash in common with a column. It needs
    none either: an equality with it leads from no row to others.
    """
    form = _form({left.kind, right.kind}, wide=left.wide or right.wide)
    names = {left.type.name, right.type.name}
    return form != _SAME_TYPE or len(names) == 1 or names == _READ_AS_TEXT or not (left.constant or right.constant)


_SAME_TYPE = "ARRAY[{}]"
_READ_AS_TEXT = {"text", "unknown"}


def _form(kinds: set[Kind], *, wide: bool) -> str:
    if kinds == {Kind.INTEGER} and not wide:
        return "hashint8(({})::bigint)"
    if Kind.FLOAT in kinds:
        return "hashfloat8(({})::double precision)"
    if Kind.NUMERIC in kinds or wide:
        return "hash_numeric(({})::numeric)"
    if kinds == {Kind.TEXT}:
        return 'hashtext(({})::text COLLATE pg_catalog."C")'
    if kinds == {Kind.UUID}:
        return "uuid_hash({})"
    return _SAME_TYPE


def is_hashable(left: Term, right: Term) -> bool:
    """Can the source look up values of one by those of the other? It has no hash across dates and timestamps, and a
    hash elsewhere distinguishes texts by blanks that a comparison ignores."""
    if left.type.is_number and right.type.is_number:
        return True
    if left.kind is Kind.TEXT and right.kind is Kind.TEXT:
        return (left.type == BPCHAR) == (right.type == BPCHAR)
    return left.type.name == right.type.name
