"""Group keys in a form whose text depends on their value alone.

Postgres shows a group by one of its rows, and equal values can look different: 1.0 and 1.00, 0 and -0, 1 month and
30 days, or texts under a case-insensitive collation. Which one is shown, and under a collation even which declared key
the group answers for, would be one person's doing.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from proxy.sql.refusal import unsupported
from proxy.sql.term import Term, decimal_places
from proxy.sql.types import Kind

_MOST_PLACES = 100


def grouping_term(node: exp.Expr, term: Term) -> Term:
    """The term of a group key with one text for each value.

    Args:
        node: the key's expression, for the position of a refusal.
        term: its term.

    Raises:
        UnsupportedError: a type whose equal values have several texts.
    """
    if term.kind in (Kind.OTHER, Kind.INTERVAL):
        raise unsupported(
            node,
            f"GROUP BY a {term.type.name} is not supported",
            rule="key-type",
            hint="Group by numbers, texts, dates or timestamps made of it.",
        )
    if term.kind is Kind.NUMERIC:
        return replace(term, sql=_uniform_scale(term), literal=None)
    if term.kind is Kind.FLOAT:
        return replace(term, sql=f"({term.sql} + 0::{term.type.name})", literal=None)
    if term.kind is Kind.TEXT:
        return replace(term, sql=f'({term.sql} COLLATE "C")', literal=None)
    return term


def _uniform_scale(term: Term) -> str:
    """Every value of a known grid with the grid's digits after the point, as Postgres prints most of them anyway."""
    places = decimal_places(term.grid) if term.grid is not None else _MOST_PLACES + 1
    return f"round({term.sql}, {places})" if places <= _MOST_PLACES else f"trim_scale({term.sql})"
