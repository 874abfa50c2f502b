"""Constants that WHERE compares declared columns with: one that is not declared is likely a slip."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Protocol

from sqlglot import exp

from proxy.sql.named_tables import NamedTable
from proxy.sql.planning.date_limits import Conditions
from proxy.sql.planning.domains import MOST_DECLARED
from proxy.sql.planning.value_sets import declared_values
from proxy.sql.rows.members import ColumnOrigin
from proxy.sql.terms.term import decimal_text
from proxy.sql.terms.types import Kind

_SIGNS: Final[Mapping[type[exp.Expr], str]] = {exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<="}
_HOLDS: Final[Mapping[str, Callable[[Fraction, Fraction], bool]]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}
MIRRORED: Final[Mapping[type[exp.Expr], type[exp.Expr]]] = {
    exp.GT: exp.LT,
    exp.GTE: exp.LTE,
    exp.LT: exp.GT,
    exp.LTE: exp.GTE,
}
"""Comparisons with their sides exchanged; others stay the same."""
_CASTS: Final = {exp.DType.SMALLINT, exp.DType.INT, exp.DType.BIGINT, exp.DType.DECIMAL}
_WHOLE: Final = re.compile(r"[+-]?[0-9]+", re.ASCII)
_MOST_TOLD: Final = 5
"""Numbers of one list, which may be long."""


class ComparedConstants(Protocol):
    """A condition that compares a declared column with constants.

    Attributes:
        sql: of the column's declared values, as a query for the stage with one column of texts.
    """

    @property
    def sql(self) -> str: ...

    def undeclared(self, declared: frozenset[str]) -> list[str]:
        """A sentence for each constant that is none of the declared values."""


@dataclass(frozen=True)
class ComparedTexts:
    """A condition `column = 'text'` or `column IN ('text', …)`.

    Attributes:
        column: as the client wrote it.
        constants: what it is compared with.
        sql: the column's declared values.
    """

    column: str
    constants: tuple[str, ...]
    sql: str

    def undeclared(self, declared: frozenset[str]) -> list[str]:
        alike = {value.casefold().strip(): value for value in sorted(declared)}
        sentences = []
        for constant in self.constants:
            if constant not in declared:
                other = alike.get(constant.casefold().strip())
                hint = f"; {other!r} is one" if other is not None else ""
                sentences.append(f"{self.column} has no declared value {constant!r}{hint}")
        return sentences


@dataclass(frozen=True)
class ComparedNumbers:
    """A condition `column = 7` or `column IN (7, …)`.

    Attributes:
        column: as the client wrote it.
        constants: what it is compared with, as decimals without zeros behind them.
        sql: the column's declared values, written alike.
    """

    column: str
    constants: tuple[str, ...]
    sql: str

    def undeclared(self, declared: frozenset[str]) -> list[str]:
        absent = [constant for constant in self.constants if constant not in declared]
        return [f"{self.column} has no declared value {constant}" for constant in absent[:_MOST_TOLD]]


@dataclass(frozen=True)
class ComparedByOrder:
    """A condition `column > 7`, or another by the order of whole numbers.

    Attributes:
        column: as the client wrote it.
        sign: of the comparison, with the column on the left.
        constant: what it is compared with.
        sql: the least and the greatest one of the column's declared values.
    """

    column: str
    sign: str
    constant: Fraction
    sql: str

    def undeclared(self, declared: frozenset[str]) -> list[str]:
        holds = _HOLDS[self.sign]
        if any(holds(Fraction(value), self.constant) for value in declared):
            return []
        return [f"{self.column} has no declared value {self.sign} {decimal_text(self.constant)}"]


def compared_constants(conditions: Conditions) -> tuple[ComparedConstants, ...]:
    """The comparisons of declared columns with texts and exact numbers among conditions that all rows meet.

    Args:
        conditions: each with the relation of its columns.
    """
    found = []
    for node, relation in conditions:
        for column, kind, constants in _comparisons(node.unnest()):
            if not isinstance(column, exp.Column):
                continue
            origin = relation.origin(column)
            if isinstance(origin.member.table, NamedTable):
                compared = _compared(column.name, origin, kind, constants)
                found += [compared] if compared is not None else []
    return tuple(found)


def _compared(
    name: str, origin: ColumnOrigin, kind: type[exp.Expr], constants: Sequence[exp.Expr]
) -> ComparedConstants | None:
    of_column = origin.term().kind
    if of_column is Kind.TEXT and kind is exp.EQ:
        texts = [constant.name for constant in constants if isinstance(constant, exp.Literal) and constant.is_string]
        sql = _declared(origin, "v.c0::text") if len(texts) == len(constants) else None
        return ComparedTexts(name, tuple(texts), sql) if sql is not None else None
    # Bounds alone say which values count as the nearest ones, and not which there are.
    policy = origin.policy
    if policy.range is None and policy.values is None and policy.values_from is None:
        return None
    numbers = [number for number in map(_number, constants) if number is not None]
    if of_column not in (Kind.INTEGER, Kind.NUMERIC) or len(numbers) != len(constants):
        return None
    if kind is exp.EQ:
        sql = _declared(origin, "v.c0::text" if of_column is Kind.INTEGER else "trim_scale(v.c0)::text")
        return ComparedNumbers(name, tuple(map(decimal_text, numbers)), sql) if sql is not None else None
    sql = _declared(origin, "unnest(ARRAY[min(v.c0), max(v.c0)])::text") if of_column is Kind.INTEGER else None
    return ComparedByOrder(name, _SIGNS[kind], numbers[0], sql) if sql is not None else None


def _declared(origin: ColumnOrigin, shown: str) -> str | None:
    """A query of what is `shown` of a column's declared values, v.c0; None if it has none."""
    values = declared_values(origin)
    return f"SELECT {shown} FROM ({values[0]}) AS v(c0) LIMIT {MOST_DECLARED + 1}" if values is not None else None


def _comparisons(node: exp.Expr) -> Iterator[tuple[exp.Expr, type[exp.Expr], list[exp.Expr]]]:
    """The comparisons that a condition is, with what is compared on the left; none for another condition."""
    if isinstance(node, (exp.EQ, *_SIGNS)):
        left, right, kind = node.this.unnest(), node.expression.unnest(), type(node)
        if isinstance(left, exp.Column):
            yield left, kind, [right]
        else:
            yield right, MIRRORED.get(kind, kind), [left]
    elif isinstance(node, exp.In) and node.expressions:
        yield node.this.unnest(), exp.EQ, [member.unnest() for member in node.expressions]
    elif isinstance(node, exp.Between) and not node.args.get("symmetric"):
        yield node.this.unnest(), exp.GTE, [node.args["low"].unnest()]
        yield node.this.unnest(), exp.LTE, [node.args["high"].unnest()]


def _number(node: exp.Expr) -> Fraction | None:
    """The number that a constant is, as it stands or, as drivers write parameters, behind the type of one."""
    if isinstance(node, exp.Neg):
        number = _number(node.this.unnest())
        return -number if number is not None else None
    if isinstance(node, exp.Cast):
        text = node.this.name if isinstance(node.this, exp.Literal) else ""
        return Fraction(text) if node.to.this in _CASTS and _WHOLE.fullmatch(text) is not None else None
    if isinstance(node, exp.Literal) and not node.is_string:
        return Fraction(node.name)
    return None
