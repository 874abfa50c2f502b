"""The operators + - * / %: between numbers, and between dates, times and intervals."""

from __future__ import annotations

from fractions import Fraction

from sqlglot import exp

from proxy.sql.plain_postgres import Plus
from proxy.sql.refusal import unsupported
from proxy.sql.terms import arithmetic, clocks, costs, intervals
from proxy.sql.terms.arithmetic import Compile
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.datetimes import LONGEST_SPAN, guarded
from proxy.sql.terms.intervals import MOST_DAYS
from proxy.sql.terms.operation import Operation
from proxy.sql.terms.spans import DAY, Span
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import DATE, INTEGER, INTERVAL, TIMESTAMP, Kind


def _negate(node: exp.Expr, compile_: Compile) -> Term:
    term = compile_(node.this)
    if term.kind is Kind.INTERVAL:
        return intervals.negate(term)
    return arithmetic.negate(arithmetic.require_number(node, term))


def _plus(node: exp.Expr, compile_: Compile) -> Term:
    """+x is x, where x is a number."""
    return arithmetic.require_number(node, compile_(node.this))


def _arithmetic(node: exp.Expr, compile_: Compile) -> Term:
    left, right = compile_(node.this), compile_(node.expression)
    if left.type.is_datetime or right.type.is_datetime or {left.kind, right.kind} & {Kind.INTERVAL, Kind.TIME}:
        return _on_dates(node, left, right)
    return arithmetic.binary(node, left, right)


def _on_dates(node: exp.Expr, left: Term, right: Term) -> Term:
    """date ± days, timestamp ± interval, date - date, timestamp - timestamp, and interval arithmetic."""
    symbol = "+" if isinstance(node, exp.Add) else "-" if isinstance(node, exp.Sub) else None
    left, right = _typed(node, symbol, left, right), _typed(node, symbol, right, left)
    if symbol == "+" and right.type.is_datetime:
        left, right = right, left
    constant = left.constant and right.constant
    if symbol and left.type.is_datetime:
        value = guarded(left)
        if right.kind is Kind.TIME:
            right = intervals.of_time(right)
        if right.kind is Kind.INTERVAL:
            type_ = TIMESTAMP if left.kind is Kind.DATE else left.type
            moved = intervals.limited(right, MOST_DAYS)
            span = moved.span if symbol == "+" or moved.span is None else -moved.span
            bounds = clocks.moved(left.bounds, left.kind, span)
            return Term(f"({value.sql} {symbol} {moved.sql})", type_, True, bounds, constant=constant)
        if left.kind is Kind.DATE and right.kind is Kind.INTEGER:
            bounds = None
            if left.bounds is not None and right.bounds is not None:
                seconds = right.bounds * Bounds.point(DAY)
                bounds = left.bounds + (seconds if symbol == "+" else -seconds)
            return Term(f"({value.sql} {symbol} {days_of(right)})", DATE, True, bounds, constant=constant)
        if symbol == "-" and right.type.is_datetime:
            sql = f"({value.sql} - {guarded(right).sql})"
            apart = clocks.difference(left.bounds, left.kind, right.bounds, right.kind)
            if left.kind is right.kind is Kind.DATE:
                one = Fraction(1)
                days = apart.truncated(DAY) if apart is not None else Bounds(-LONGEST_SPAN, LONGEST_SPAN)
                return Term(sql, INTEGER, True, days, one, one, LONGEST_SPAN, constant=constant)
            return Term(sql, INTERVAL, True, magnitude=LONGEST_SPAN, constant=constant, span=Span.apart(apart))
    if symbol and left.kind is Kind.TIME and right.kind in (Kind.TIME, Kind.INTERVAL):
        if right.kind is Kind.INTERVAL:
            return Term(f"({left.sql} {symbol} {intervals.limited(right).sql})", left.type, True, constant=constant)
        if symbol == "-":
            sql, span = f"({left.sql} - {right.sql})", Span.of_time(Bounds(-DAY, DAY))
            return Term(sql, INTERVAL, True, magnitude=Fraction(1), constant=constant, span=span)
    kinds = {left.kind, right.kind}
    if symbol and kinds == {Kind.INTERVAL}:
        return intervals.add_or_subtract(symbol, left, right)
    scaled = isinstance(node, exp.Mul) or (isinstance(node, exp.Div) and not left.type.is_number)
    scalable = kinds & {Kind.INTERVAL, Kind.TIME}
    if scaled and scalable and (left.type.is_number or right.type.is_number):
        return intervals.scale(node, left, right)
    raise unsupported(
        node,
        f"arithmetic between {left.type.name} and {right.type.name} is not supported over private rows",
        rule="date-arithmetic",
        hint="Supported: date ± days, timestamp ± interval, date - date, timestamp - timestamp, interval * number.",
    )


def _typed(node: exp.Expr, symbol: str | None, term: Term, other: Term) -> Term:
    """An operand: a text without a type as the interval that Postgres takes it for beside the other one."""
    of_intervals = symbol and other.kind is Kind.INTERVAL
    moves = symbol == "+" and other.kind in (Kind.TIMESTAMP, Kind.TIMESTAMPTZ)
    if term.kind is Kind.UNKNOWN and term.literal is not None and (of_intervals or moves):
        return intervals.interval_constant(node, term.literal)
    return term


def days_of(term: Term) -> str:
    """A number of days by which a date stays a date; NULL beyond."""
    if term.constant and term.bounds is not None and term.bounds.magnitude <= MOST_DAYS:
        return term.sql
    return f"(CASE WHEN abs({term.sql}::numeric) <= {MOST_DAYS} THEN {term.sql} END)::integer"


OPERATIONS = (
    Operation(exp.Neg, _negate, costs.arithmetic(0), tried=None, strict=True, folded=True),
    Operation(Plus, _plus, costs.arithmetic(0), tried=None, strict=True, folded=True),
    Operation((exp.Add, exp.Sub), _arithmetic, costs.arithmetic(0), tried=None, strict=True, folded=True),
    Operation(exp.Mul, _arithmetic, costs.product, tried=None, strict=True, folded=True),
    Operation(
        exp.Div, _arithmetic, costs.arithmetic(0.2), arguments="typed safe", tried=None, strict=True, folded=True
    ),
    Operation(exp.Mod, _arithmetic, costs.arithmetic(0.2), tried=None, strict=True, folded=True),
)
