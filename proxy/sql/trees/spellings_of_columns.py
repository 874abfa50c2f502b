"""What an expression tells of the columns in it, as id::text, 'C-' || id, md5(id::text), coalesce(a.id, b.id) do.

Grouping by one of them is grouping by the column. Surrogate keys of models and casts of identifiers are written so.
What many values of a column share, as left(code, 2) or id / 100, tells it not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import Final, TypeVar

from sqlglot import exp

_Known = TypeVar("_Known")

_OF_FIRST = frozenset({"abs", "btrim", "lower", "ltrim", "md5", "nullif", "rtrim", "upper"})
"""Functions whose first argument they spell otherwise, so that hardly any two values of it have one spelling."""

_SHORT: Final = 6
"""Texts cut to fewer characters can be shared by many."""
_DIGITS = re.compile(r"(?:FM)?[09,.]+", re.IGNORECASE)
_TEXTS = frozenset({exp.DType.TEXT, exp.DType.VARCHAR, exp.DType.CHAR, exp.DType.BPCHAR})
_EXACT = frozenset(
    {exp.DType.SMALLINT, exp.DType.INT, exp.DType.BIGINT, exp.DType.DECIMAL, exp.DType.TEXT, exp.DType.VARCHAR}
)
_NUMBERS = frozenset({exp.DType.SMALLINT, exp.DType.INT, exp.DType.BIGINT, exp.DType.DECIMAL, exp.DType.UUID})


def told(node: exp.Expr, known: Callable[[exp.Column], frozenset[_Known]]) -> frozenset[_Known]:
    """What is known of the columns whose values an expression tells, or nearly so.

    Args:
        node: of any kind.
        known: what a column tells.
    """
    node = node.unnest()
    if isinstance(node, exp.Column):
        return known(node)
    if isinstance(node, exp.Cast):
        return told(node.this, known) if _is_spelled_by(node.to) else frozenset()
    if isinstance(node, (exp.Add, exp.Sub, exp.Mul)):
        return _of_any(node.this, node.expression, known=known) if _has_constant(node) else frozenset()
    if isinstance(node, exp.DPipe):
        return _of_any(node.this, node.expression, known=known)
    if isinstance(node, exp.Case):
        results = [branch.args["true"] for branch in node.args["ifs"]] + [node.args.get("default") or exp.Null()]
        return _of_all(*(result for result in results if not isinstance(result.unnest(), exp.Null)), known=known)
    if isinstance(node, exp.Trim):
        return told(node.this, known)
    if not isinstance(node, exp.Anonymous):
        return frozenset()
    name, arguments = node.name.lower(), node.expressions
    if name in ("concat", "concat_ws"):
        return _of_any(*arguments, known=known)
    if name in ("coalesce", "greatest", "least"):
        return _of_all(*(argument for argument in arguments if not is_constant(argument)), known=known)
    spells = name in _OF_FIRST or (name in ("lpad", "rpad", "to_char") and _shows_all(arguments[1:]))
    return told(arguments[0], known) if spells and arguments else frozenset()


def merged_columns(node: exp.Expr) -> tuple[exp.Column, ...]:
    """The arguments of coalesce(), if all are columns; none for all else."""
    if not isinstance(node, exp.Anonymous) or node.name.lower() != "coalesce":
        return ()
    columns = [argument.unnest() for argument in node.expressions]
    found = tuple(column for column in columns if isinstance(column, exp.Column))
    return found if len(found) == len(columns) else ()


def is_exact_constant(node: exp.Expr) -> bool:
    """Is it a literal, as it stands or of a type that is exact? With such ones, columns are compared without a loss."""
    node = node.unnest()
    if isinstance(node, exp.Neg):
        return is_exact_constant(node.this)
    if isinstance(node, exp.Cast):
        return node.to.this in _EXACT and not node.to.expressions and is_exact_constant(node.this)
    return isinstance(node, exp.Literal)


def is_constant(node: exp.Expr) -> bool:
    """Is it a constant as it stands, perhaps negative or with its type?"""
    node = node.unnest()
    if isinstance(node, (exp.Neg, exp.Cast)):
        return is_constant(node.this)
    return isinstance(node, (exp.Literal, exp.Null))


def concatenated(node: exp.Expr) -> Iterator[exp.Expr]:
    """The operands of || and concat(), from left to right; of another expression itself."""
    node = node.unnest()
    if isinstance(node, exp.DPipe):
        yield from concatenated(node.this)
        yield from concatenated(node.expression)
    elif isinstance(node, exp.Anonymous) and node.name.lower() == "concat":
        for argument in node.expressions:
            yield from concatenated(argument)
    else:
        yield node


def length_of(to: exp.DataType) -> int | None:
    """The n of varchar(n) and its like; None if there is none."""
    if not to.expressions:
        return None
    given = to.expressions[0].this if isinstance(to.expressions[0], exp.DataTypeParam) else to.expressions[0]
    return int(given.name) if given.name.isdigit() else 0


def _is_spelled_by(to: exp.DataType) -> bool:
    """Does a cast to the type show all, or nearly all, of a value?"""
    length = length_of(to)
    return to.this in _NUMBERS or (to.this in _TEXTS and (length is None or length >= _SHORT))


def _shows_all(arguments: Sequence[exp.Expr]) -> bool:
    """Is a length, or a format of numbers, wide enough for the whole value?"""
    given = arguments[0].unnest() if arguments else None
    if not isinstance(given, exp.Literal):
        return False
    return (
        bool(_DIGITS.fullmatch(given.name)) if given.is_string else given.name.isdigit() and int(given.name) >= _SHORT
    )


def _has_constant(node: exp.Binary) -> bool:
    return is_constant(node.this) != is_constant(node.expression)


def _of_any(*nodes: exp.Expr, known: Callable[[exp.Column], frozenset[_Known]]) -> frozenset[_Known]:
    return frozenset[_Known]().union(*(told(node, known) for node in nodes))


def _of_all(*nodes: exp.Expr, known: Callable[[exp.Column], frozenset[_Known]]) -> frozenset[_Known]:
    found = [told(node, known) for node in nodes]
    return reduce(frozenset.intersection, found) if found else frozenset()
