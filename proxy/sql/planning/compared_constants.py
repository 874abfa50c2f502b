"""Constants that WHERE compares declared columns with: one that is not declared is likely a slip."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
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
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,40}", re.ASCII)
_DECIMAL: Final = re.compile(r"(?=\.?[0-9])[0-9]{0,40}\.?[0-9]{0,40}", re.ASCII)
"""Numbers as people write them; of others, with exponents or hundreds of digits, nothing is told."""
_EXACT: Final = (Kind.INTEGER, Kind.NUMERIC)
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


def compared_constants(conditions: Conditions) -> tuple[ComparedConstants, ...]:
    """The comparisons of declared columns with texts, and of those that public rows declare with exact numbers, among
    conditions that all rows meet.

    Args:
        conditions: each with the relation of its columns.
    """
    found = [_compared(*comparison) for comparison in _compared_columns(conditions)]
    return tuple(compared for compared in found if compared is not None)


def undeclared_numbers(conditions: Conditions) -> tuple[str, ...]:
    """A sentence for each number, among conditions that all rows meet, that is none of those by which the policy itself
    declares a column, and for each order by which none of them is left.

    Args:
        conditions: each with the relation of its columns.
    """
    sentences = []
    for name, origin, kind, constants in _compared_columns(conditions):
        declared, numbers = _declared_numbers(origin), _numbers(constants)
        if declared is None or numbers is None:
            continue
        if kind is exp.EQ:
            absent = [number for number in numbers if not declared.has(number)]
            sentences += [f"{name} has no declared value {decimal_text(number)}" for number in absent[:_MOST_TOLD]]
            continue
        sign, (number,) = _SIGNS[kind], numbers
        if origin.term().kind is Kind.INTEGER and not any(_HOLDS[sign](end, number) for end in declared.ends):
            sentences.append(f"{name} has no declared value {sign} {decimal_text(number)}")
    return tuple(sentences)


_Comparison = tuple[str, ColumnOrigin, type[exp.Expr], list[exp.Expr]]
"""A column's name as the client wrote it, the column, the comparison, and what it is compared with."""


def _compared_columns(conditions: Conditions) -> Iterator[_Comparison]:
    for node, relation in conditions:
        for column, kind, constants in _comparisons(node.unnest()):
            if isinstance(column, exp.Column):
                origin = relation.origin(column)
                if isinstance(origin.member.table, NamedTable):
                    yield column.name, origin, kind, constants


def _compared(
    name: str, origin: ColumnOrigin, kind: type[exp.Expr], constants: Sequence[exp.Expr]
) -> ComparedConstants | None:
    of_column = origin.term().kind
    if kind is not exp.EQ:
        return None
    if of_column is Kind.TEXT:
        texts = [constant.name for constant in constants if isinstance(constant, exp.Literal) and constant.is_string]
        sql = _declared(origin, "v.c0::text") if len(texts) == len(constants) else None
        return ComparedTexts(name, tuple(texts), sql) if sql is not None else None
    numbers = _numbers(constants) if origin.policy.values_from is not None and of_column in _EXACT else None
    sql = _declared(origin, "v.c0::text" if of_column is Kind.INTEGER else "trim_scale(v.c0)::text")
    return ComparedNumbers(name, tuple(map(decimal_text, numbers)), sql) if numbers and sql is not None else None


@dataclass(frozen=True)
class _DeclaredNumbers:
    """What the policy itself says of a column's values: whole numbers between two ends, or a list, and its ends."""

    ends: tuple[Fraction, Fraction]
    listed: frozenset[Fraction] | None

    def has(self, number: Fraction) -> bool:
        if self.listed is not None:
            return number in self.listed
        return number.denominator == 1 and self.ends[0] <= number <= self.ends[1]


def _declared_numbers(origin: ColumnOrigin) -> _DeclaredNumbers | None:
    """None of other columns. Bounds alone say which values count as the nearest ones, and not which there are."""
    policy, kind = origin.policy, origin.term().kind
    listed = frozenset(Fraction(value) for value in policy.listed if isinstance(value, (int, Decimal)))
    if kind in _EXACT and listed:
        return _DeclaredNumbers((min(listed), max(listed)), listed)
    low, high = policy.range or (None, None)
    if kind is Kind.INTEGER and isinstance(low, (int, Decimal)) and isinstance(high, (int, Decimal)):
        return _DeclaredNumbers((Fraction(math.ceil(low)), Fraction(math.floor(high))), None)
    return None


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


def _numbers(constants: Sequence[exp.Expr]) -> list[Fraction] | None:
    """The numbers that constants are; None if one is no such number."""
    numbers = [number for number in map(_number, constants) if number is not None]
    return numbers if len(numbers) == len(constants) else None


def _number(node: exp.Expr) -> Fraction | None:
    """The number that a constant is, as it stands or, as drivers write parameters, behind the type of one."""
    if isinstance(node, exp.Neg):
        number = _number(node.this.unnest())
        return -number if number is not None else None
    if isinstance(node, exp.Cast):
        text = node.this.name if isinstance(node.this, exp.Literal) else ""
        return Fraction(text) if node.to.this in _CASTS and _WHOLE.fullmatch(text) is not None else None
    if isinstance(node, exp.Literal) and not node.is_string and _DECIMAL.fullmatch(node.name) is not None:
        return Fraction(node.name)
    return None
