"""Writes searches of arrays for constants by their elements, which takes less time than to compare arrays.

`tags && ARRAY['a', 'b']`, as Django and SQLAlchemy write it, is `CASE WHEN tags IS NOT NULL THEN ('a' = ANY (tags) OR
'b' = ANY (tags)) IS TRUE END`, and `tags @> ARRAY['a', 'b']` the same with AND: elements that are NULL match nothing.
So is `tags @> '{a,b}'`: no text of an array that has elements is one of a document. Where a column equals an array of
constants, as in `tags = ARRAY['a', 'b']`, these are written as a text, `'{"a","b"}'`.
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
    for node in find_all(query, exp.EQ, exp.NEQ):
        for side, other in ((node.this, node.expression), (node.expression, node.this)):
            text = _text(side) if isinstance(other.unnest(), exp.Column) else None
            if text is not None:
                side.replace(exp.Literal.string(text))
    return query


def _text(array: exp.Expr) -> str | None:
    """An array of constants as Postgres reads it; None of everything else, and of a text itself."""
    array = array.unnest()
    if not _is_array(array):
        return None
    elements = constant_elements(array)
    bare = [_without_casts(element) for element in elements or []]
    if not bare or not all(isinstance(element, (exp.Literal, exp.Null)) for element in bare):
        return None
    texts = ["NULL" if isinstance(element, exp.Null) else _quoted(element.name) for element in bare]
    return f"{{{','.join(texts)}}}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _is_array(node: exp.Expr) -> bool:
    return isinstance(node, exp.Array) or (isinstance(node, exp.Cast) and node.to.this is exp.DType.ARRAY)


def _elements(array: exp.Expr) -> list[exp.Expr]:
    """The elements of an array of constants other than NULL; none of what may be a document."""
    if not _is_array(array) and not (isinstance(array, exp.Literal) and array.is_string):
        return []
    elements = constant_elements(array) or []
    return elements if len(elements) <= _MOST and all(map(_is_constant, elements)) else []


def _is_constant(element: exp.Expr) -> bool:
    return isinstance(_without_casts(element), exp.Literal)


def _without_casts(element: exp.Expr) -> exp.Expr:
    bare = element.unnest()
    while isinstance(bare, exp.Cast):
        bare = bare.this.unnest()
    return bare
