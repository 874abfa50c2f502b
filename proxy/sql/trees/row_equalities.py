"""Rewrites `(a, b) = (c, d)` as `(a = c AND b = d)`, as Postgres itself expands it, NULLs included.

So each equality can tie tables to each other, or narrow the declared group keys, like a separate one.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema
from proxy.sql.terms.expressions import members_of_row


def write_row_equalities_as_conjunctions(query: exp.Query, _schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Rewrite them in place, wherever they are; rows of different lengths stay for Postgres to refuse."""
    for node in find_all(query, exp.EQ):
        left, right = members_of_row(node.this), members_of_row(node.expression)
        if left and right and len(left) == len(right):
            equalities = [
                exp.EQ(this=first.copy(), expression=second.copy()) for first, second in zip(left, right, strict=True)
            ]
            node.replace(exp.Paren(this=exp.and_(*equalities, copy=False)))
    return query
