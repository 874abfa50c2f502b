"""Constant arrays as Postgres writes them, such as '{north,"a, b",NULL}', which drivers bind for `x = ANY ($1)`."""

from __future__ import annotations

import re

from sqlglot import exp

_ELEMENT = re.compile(
    r'\s*(?:"((?:[^"\\]|\\.)*)"|([^\s{}",\\](?:[^{}",\\]*[^\s{}",\\])?))\s*(,|\}\s*\Z)', re.ASCII | re.DOTALL
)
_EMPTY = re.compile(r"\s*\{\s*\}\s*", re.ASCII)


def constant_elements(array: exp.Expr) -> list[exp.Expr] | None:
    """The elements of an array constant as literals of its element type; None for every other expression.

    Args:
        array: ARRAY[…] or a string constant, or either cast to an array type. The stage has accepted the string as an
            array before, so it is well-formed.
    """
    if isinstance(array, exp.Array):
        return list(array.expressions)
    text, element_type = array, None
    if isinstance(array, exp.Cast):
        to = array.args["to"]
        if not isinstance(to, exp.DataType) or to.this != exp.DataType.Type.ARRAY or len(to.expressions) != 1:
            return None
        text, element_type = array.this.unnest(), to.expressions[0]
    if isinstance(text, exp.Array):
        return [element if element_type is None else _typed(element, element_type) for element in text.expressions]
    if not isinstance(text, exp.Literal) or not text.is_string:
        return None
    values = element_texts(text.name)
    return None if values is None else [_element(value, element_type) for value in values]


def element_texts(text: str) -> list[str | None] | None:
    """The elements of a one-dimensional array in text form; None for nested arrays and explicit bounds."""
    if _EMPTY.fullmatch(text):
        return []
    opening = re.match(r"\s*\{", text, re.ASCII)
    if opening is None:
        return None
    values: list[str | None] = []
    position, separator = opening.end(), ","
    while separator == ",":
        match = _ELEMENT.match(text, position)
        if match is None:
            return None
        quoted, bare = match[1], match[2]
        if quoted is not None:
            values.append(re.sub(r"\\(.)", r"\1", quoted, flags=re.DOTALL))
        else:
            values.append(None if bare.lower() == "null" else bare)
        position, separator = match.end(), match[3]
    return values


def _element(value: str | None, element_type: exp.Expr | None) -> exp.Expr:
    literal: exp.Expr = exp.Null() if value is None else exp.Literal.string(value)
    return literal if element_type is None else _typed(literal, element_type)


def _typed(element: exp.Expr, element_type: exp.Expr) -> exp.Expr:
    return exp.Cast(this=element.copy(), to=element_type.copy())
