"""Dates and timestamps mixed in lists, brought to one type by casts that cannot fail.

Postgres casts such constants for each row that reaches them, since a cast to timestamptz depends on the session's time
zone. A date like 5874897-12-31 would fail there, and so tell that there is a row (attack 5). Two operands alone need no
cast: `=`, `<` and the others compare dates and timestamps directly.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from proxy.sql.plain_postgres import excerpt
from proxy.sql.refusal import unsupported
from proxy.sql.terms.arithmetic import cast_hint
from proxy.sql.terms.datetimes import guarded, recast
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import TIMESTAMP, TIMESTAMPTZ, Kind


def of_one_kind(terms: Sequence[Term]) -> list[Term]:
    """The terms, with dates and timestamps in the type that Postgres gives them together."""
    kinds = _kinds(terms)
    if len(kinds) < 2:
        return list(terms)
    common = TIMESTAMPTZ if Kind.TIMESTAMPTZ in kinds else TIMESTAMP
    return [
        recast(guarded(term), common, common.name) if term.type.is_datetime and term.kind is not common.kind else term
        for term in terms
    ]


def require_one_kind(node: exp.Expr, terms: Sequence[Term]) -> None:
    """Refuse dates beside timestamps where no member may become NULL.

    Raises:
        UnsupportedError: they are mixed.
    """
    if len(_kinds(terms)) > 1:
        names = ", ".join(sorted({term.type.name for term in terms if term.type.is_datetime}))
        raise unsupported(
            node,
            f"the types {names} in {excerpt(node)} do not match",
            rule="mixed-types",
            hint=cast_hint([term for term in terms if term.type.is_datetime]),
        )


def _kinds(terms: Sequence[Term]) -> set[Kind]:
    return {term.kind for term in terms if term.type.is_datetime}
