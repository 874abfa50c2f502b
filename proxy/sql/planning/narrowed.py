"""What is needed to find a block's numbers in the groups of another one (theorem 25): which conditions only leave some
values of one column, and of which dates a date is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.sql.nodes import find
from proxy.sql.rows.grouping import grouping_term
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.expressions import compile_term, condition
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import Kind

COARSER: Final = {"week": ("day",), "month": ("day",), "quarter": ("day", "month"), "year": ("day", "month", "quarter")}
"""The fields to which dates are cut, each with those that it consists of."""


@dataclass(frozen=True)
class OneOf:
    """The rows in which a column has one of these values.

    Attributes:
        key: the SQL of the column as a group key.
        values: as they are printed.
    """

    key: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Condition:
    """A condition that all rows meet.

    Attributes:
        sql: for the source.
        one_of: what it says, if it only leaves some values of one column; else None.
    """

    sql: str
    one_of: OneOf | None


@dataclass(frozen=True)
class Parts:
    """A group key that is a date cut to a field, seen as one made of shorter parts.

    Attributes:
        key: the SQL of the same date, cut to the shorter field.
        field: to which the key itself is cut.
        part: the shorter one.
    """

    key: str
    field: str
    part: str


def conditions_of(node: exp.Expr, relation: Relation, known: Term | None = None) -> tuple[Condition, ...]:
    """The operands of a conjunction; none if there are subqueries in them.

    Args:
        node: the condition.
        relation: what columns mean.
        known: its term, if it is compiled already.
    """
    if find(node, exp.Query) is not None:
        return ()
    bare = node.unnest()
    operands = list(bare.flatten()) if isinstance(bare, exp.And) else [bare]
    if len(operands) > 1:
        return tuple(found for operand in operands for found in conditions_of(operand, relation))
    if known is None or bare is not node:
        known = condition(bare, lambda part: compile_term(part, relation))
    return (Condition(known.sql, _one_of(bare, relation)),)


def _one_of(node: exp.Expr, relation: Relation) -> OneOf | None:
    """Of column = constant and column IN (constant, …)."""
    column, values = node.this, list[exp.Expr]()
    if isinstance(node, exp.EQ):
        column, values = node.this, [node.expression]
        if not isinstance(column, exp.Column):
            column, values = node.expression, [node.this]
    elif isinstance(node, exp.In) and not any(node.args.get(other) for other in ("query", "unnest", "field")):
        values = list(node.expressions)
    key = _key(column, relation) if isinstance(column, exp.Column) and values else None
    if key is None:
        return None
    term = compile_term(column, relation)
    printed = dict.fromkeys(_printed(value, term) for value in values)
    return None if None in printed else OneOf(key, tuple(value for value in printed if value is not None))


def _printed(value: exp.Expr, column: Term) -> str | None:
    """How a constant is printed that a column is compared with; None where that is not plain to see."""
    bare = value.unnest()
    if not isinstance(bare, exp.Literal) or column.type.foreign or column.type.name == "bpchar":
        return None
    if column.kind is Kind.TEXT:
        return bare.name if bare.is_string else None
    is_whole = column.kind is Kind.INTEGER and not bare.is_string and bare.name.isdigit()
    return bare.name if is_whole else None


def parts_of(node: exp.Expr, relation: Relation) -> tuple[Parts, ...]:
    """Of date_trunc('month', x) and its kin: the shorter fields of which groups of it consist."""
    bare = node.unnest()
    if not isinstance(bare, exp.Anonymous) or bare.name.lower() != "date_trunc" or len(bare.expressions) != 2:
        return ()
    field, moment = bare.expressions[0].name.lower(), bare.expressions[1]
    found = list[Parts]()
    for part in COARSER.get(field, ()):
        shorter: Sequence[exp.Expr] = [_cut(part, moment)]
        if part == "day":
            shorter = [*shorter, exp.Cast(this=moment.copy(), to=exp.DataType(this=exp.DType.DATE, nested=False))]
        keys = [_key(each, relation) for each in shorter]
        found += [Parts(key, field, part) for key in keys if key is not None]
    return tuple(found)


def _cut(field: str, moment: exp.Expr) -> exp.Expr:
    return exp.Anonymous(this="date_trunc", expressions=[exp.Literal.string(field), moment.copy()])


def _key(node: exp.Expr, relation: Relation) -> str | None:
    """The SQL of an expression as a group key; None if it cannot be one."""
    try:
        return grouping_term(node, compile_term(node, relation)).sql
    except DpproxyError:
        return None
