"""Writes searches of arrays for constants by their elements, which takes less time than to compare arrays.

`tags && ARRAY['a', 'b']`, as Django and SQLAlchemy write it, is `CASE WHEN tags IS NOT NULL THEN ('a' = ANY (tags) OR
'b' = ANY (tags)) IS TRUE END`, and `tags @> ARRAY['a', 'b']` the same with AND: elements that are NULL match nothing.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema
from proxy.sql.terms.arrays import constant_elements

_MOST = 20
"""Constants that are searched for one by one."""


def write_array_searches_by_elements(query: exp.Query, _schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Write searches of columns in place, in every query.

    Args:
        query: a tree with parameters as literals.
    """
    for node in find_all(query, exp.ArrayContainsAll, exp.ArrayContainedBy, exp.ArrayOverlaps):
        column, constant = node.this.unnest(), node.expression.unnest()
        if isinstance(constant, exp.Column) and not isinstance(node, exp.ArrayContainsAll):
            column, constant = constant, column
        elif isinstance(node, exp.ArrayContainedBy):
            continue
        elements = _elements(constant) if isinstance(column, exp.Column) else []
        if elements:
            tests = [
                exp.EQ(this=element.copy(), expression=exp.Any(this=exp.paren(column.copy()))) for element in elements
            ]
            found = exp.paren(exp.or_(*tests) if isinstance(node, exp.ArrayOverlaps) else exp.and_(*tests))
            present = exp.Is(this=column.copy(), expression=exp.Null(), negate=True)
            is_found = exp.Is(this=found, expression=exp.Boolean(this=True))
            node.replace(exp.Case(ifs=[exp.If(this=present, true=is_found)]))
    return query


def _elements(array: exp.Expr) -> list[exp.Expr]:
    """The elements of an array of constants other than NULL; none of what may be a document."""
    if not isinstance(array, exp.Array) and not (isinstance(array, exp.Cast) and array.to.this is exp.DType.ARRAY):
        return []
    elements = constant_elements(array) or []
    return elements if len(elements) <= _MOST and all(map(_is_constant, elements)) else []


def _is_constant(element: exp.Expr) -> bool:
    bare = element.unnest()
    while isinstance(bare, exp.Cast):
        bare = bare.this.unnest()
    return isinstance(bare, exp.Literal)
