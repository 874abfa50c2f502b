"""Functions around whole numbers: rounding, division with remainder, sign, histogram buckets."""

from __future__ import annotations

from fractions import Fraction

from sqlglot import exp

from proxy.sql.refusal import unsupported
from proxy.sql.replacing import replace
from proxy.sql.terms import costs
from proxy.sql.terms.arithmetic import (
    Compile,
    as_float,
    common_step,
    limited_numeric,
    modulo,
    quotients,
    require_number,
    require_representable,
    result_type,
    without_nan,
)
from proxy.sql.terms.arrays import constant_elements
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.calling import arguments_of, constant_integer, not_constant
from proxy.sql.terms.comparisons import comparable
from proxy.sql.terms.mixed_dates import require_one_kind
from proxy.sql.terms.operation import Operation
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import DOUBLE, INTEGER, NUMERIC, Kind

_MOST_BUCKETS = 1_000_000


def _absolute(node: exp.Anonymous, compile_: Compile) -> Term:
    term = require_number(node, arguments_of(node, compile_, 1)[0])
    wide = term.wide or term.type.name == "bigint"
    sql = term.sql
    if term.kind is Kind.INTEGER and not term.wide:
        sql = f"{sql}::{'numeric' if wide else 'bigint'}"
    bounds = term.bounds.absolute() if term.bounds else None
    low = None if bounds else Fraction(0)
    wide = wide and term.kind is Kind.INTEGER
    return replace(term, sql=f"abs({sql})", bounds=bounds, low=low, high=None, wide=wide, literal=None)


def _rounding(node: exp.Anonymous, compile_: Compile) -> Term:
    """round, ceil, floor and trunc to whole numbers; round and trunc of a numeric to a constant number of digits."""
    name = node.name.lower()
    terms = arguments_of(node, compile_, 1, 2 if name in ("round", "trunc") else 1)
    term = require_number(node, terms[0])
    digits = constant_integer(node, terms[1], -30, 30) if len(terms) == 2 else 0
    if len(terms) == 2 and term.kind is Kind.FLOAT:
        raise unsupported(node, f"{name}(double precision, integer) does not exist", rule="function")
    step = Fraction(1, 10**digits) if digits >= 0 else Fraction(10**-digits)
    bounds = term.bounds.onto_grid(step) if term.bounds is not None else None
    if term.kind is Kind.FLOAT or (term.kind is Kind.INTEGER and len(terms) == 1):
        # Of an integer Postgres rounds its double precision.
        value = as_float(term)
        return replace(value, sql=f"{name}({value.sql})", bounds=bounds, step=step, low=None, high=None)
    numeric = limited_numeric(replace(term, type=NUMERIC) if term.kind is Kind.INTEGER else term)
    sql = f"{numeric.sql}::numeric"
    call = f"{name}({sql}, {digits})" if len(terms) == 2 else f"{name}({sql})"
    magnitude = numeric.magnitude + step if numeric.magnitude is not None else None
    return Term(call, NUMERIC, numeric.nullable, bounds, step, step, magnitude, constant=term.constant)


def _modulo(node: exp.Anonymous, compile_: Compile) -> Term:
    left, right = arguments_of(node, compile_, 2)
    return modulo(node, require_number(node, left), require_number(node, right))


def _sign(node: exp.Anonymous, compile_: Compile) -> Term:
    term = require_number(node, arguments_of(node, compile_, 1)[0])
    type_ = NUMERIC if term.kind is Kind.NUMERIC else DOUBLE
    # NaN is greater than all numbers, but a float that is none has the sign of 0.
    first = f"WHEN {term.sql} = 'NaN' THEN 0 " if term.kind is Kind.FLOAT else ""
    signs = f"{first}WHEN {term.sql} > 0 THEN 1 WHEN {term.sql} < 0 THEN -1 WHEN {term.sql} = 0 THEN 0"
    sql = f"(CASE {signs} END)::{type_.name}"
    unit = Fraction(1)
    grid, magnitude = (unit, unit) if type_ is NUMERIC else (None, None)
    return Term(f"({sql})", type_, term.nullable, Bounds(-unit, unit), unit, grid, magnitude, constant=term.constant)


def _quotient(node: exp.Anonymous, compile_: Compile) -> Term:
    """div(x, y): the quotient of numerics without its fraction, NULL where y is 0."""
    left, right = (limited_numeric(term) for term in _exact_numbers(node, compile_))
    bounds = quotients(left, right)
    bounds = bounds.truncated(Fraction(1)) if bounds is not None else None
    magnitude = None
    if left.magnitude is not None and right.grid is not None:
        magnitude = require_representable(node, left.magnitude / right.grid)
    sql = f"div({left.sql}::numeric, NULLIF({right.sql}::numeric, 0))"
    one = Fraction(1)
    return Term(sql, NUMERIC, True, bounds, one, one, magnitude)


def _exact_numbers(node: exp.Anonymous, compile_: Compile) -> list[Term]:
    terms = [require_number(node, term) for term in arguments_of(node, compile_, 2)]
    if any(term.kind is Kind.FLOAT for term in terms):
        raise unsupported(node, f"{node.name.lower()}() is not defined for double precision", rule="function")
    return terms


def _common_divisor(node: exp.Anonymous, compile_: Compile) -> Term:
    """gcd and lcm of numbers on a grid: only for these is Euclid's algorithm short."""
    name = node.name.lower()
    left, right = _exact_numbers(node, compile_)
    grid = common_step(left.grid, right.grid)
    if grid is None or left.magnitude is None or right.magnitude is None:
        raise unsupported(
            node,
            f"{name}() requires integers or numeric(p, s)",
            rule="function",
            detail="Of other numbers it is not known how many steps it takes.",
            hint=f"Write the decimal places in a cast, as in {name}(x::numeric(10, 2), y).",
        )
    type_ = result_type(left, right)
    most = max(left.magnitude, right.magnitude) if name == "gcd" else left.magnitude * right.magnitude / grid
    most = require_representable(node, most)
    bounds = None
    if left.bounds is not None and right.bounds is not None:
        most_left, most_right = left.bounds.magnitude, right.bounds.magnitude
        bounds = Bounds(Fraction(0), max(most_left, most_right) if name == "gcd" else most_left * most_right / grid)
    sql = f"{name}({left.sql}::numeric, {right.sql}::numeric)"
    nullable = left.nullable or right.nullable
    return Term(sql, type_, nullable, bounds, grid, grid, most, type_.kind is Kind.INTEGER)


def _bucket(node: exp.Anonymous, compile_: Compile) -> Term:
    """width_bucket(x, low, high, count) and width_bucket(x, thresholds), with constants except for x."""
    if len(node.expressions) == 2:
        return _bucket_of_thresholds(node, compile_)
    value, low, high, count = arguments_of(node, compile_, 4)
    buckets = constant_integer(node, count, 1, _MOST_BUCKETS)
    limits = [_point(node, limit) for limit in (low, high)]
    if limits[0] == limits[1]:
        raise unsupported(
            node,
            "the two bounds of width_bucket() must differ",
            rule="constant-argument",
            hint="Write width_bucket(x, low, high, count).",
        )
    terms = [require_number(node, value), low, high]
    kind = "numeric" if any(term.kind is Kind.NUMERIC for term in terms) else "double precision"
    if any(term.kind is Kind.FLOAT for term in terms):
        kind = "double precision"
    value = without_nan(limited_numeric(value) if kind == "numeric" else as_float(value))
    low, high = (_representable(term, kind) for term in (low, high))
    texts = ", ".join(f"{term.sql}::{kind}" for term in (value, low, high))
    sql = f"width_bucket({texts}, {buckets})"
    if kind == "numeric":
        return _whole(sql, buckets + 1, nullable=value.nullable)
    # Different constants can be one double, for which Postgres fails at the first row; here all rows are NULL.
    differ = f"{low.sql}::{kind} <> {high.sql}::{kind}"
    return _whole(f"(CASE WHEN {differ} THEN {sql} END)", buckets + 1, nullable=True)


def _representable(constant: Term, kind: str) -> Term:
    """The constant, or 0 where it is too close to it for a double precision, of which Postgres makes an error."""
    point = constant.bounds.magnitude if constant.bounds is not None else Fraction(1)
    tiny = kind == DOUBLE.name and point < Fraction(1, 10**300)
    return replace(constant, sql="0") if tiny else constant


def _point(node: exp.Expr, term: Term) -> Fraction:
    point = term.bounds if term.constant and term.type.is_number else None
    if point is None or point.width:
        raise not_constant(node, "width_bucket() requires constant bounds")
    return point.low


def _bucket_of_thresholds(node: exp.Anonymous, compile_: Compile) -> Term:
    value = compile_(node.expressions[0])
    elements = constant_elements(node.expressions[1])
    thresholds = [compile_(element) for element in elements or []]
    known = value.type.is_number or value.type.is_datetime
    if not known or not thresholds or not all(map(_is_threshold, thresholds)):
        raise unsupported(
            node,
            "width_bucket() requires a constant array without NULL",
            rule="constant-argument",
            hint="Write the thresholds without a cast: ARRAY[0.0, 20, 50].",
        )
    for threshold in thresholds:
        comparable(node, value, threshold)
    require_one_kind(node, [value, *thresholds])
    kind = value.type.name
    if value.type.is_number:
        floats = any(term.kind is Kind.FLOAT for term in [value, *thresholds])
        kind = "double precision" if floats else "numeric"
        value = as_float(value) if floats else value
        thresholds = [_representable(term, kind) for term in thresholds]
    array = ", ".join(f"{term.sql}::{kind}" for term in thresholds)
    sql = f"width_bucket({value.sql}::{kind}, ARRAY[{array}])"
    return _whole(sql, len(thresholds), nullable=value.nullable)


def _is_threshold(term: Term) -> bool:
    """Is it a constant, and not NULL? One that is cast can be NULL where it does not fit, also a double precision."""
    value = as_float(term) if term.type.is_number else term
    return term.constant and (term.literal is not None or not value.nullable)


def _whole(sql: str, most: int, *, nullable: bool) -> Term:
    """A whole number between 0 and `most`."""
    one, largest = Fraction(1), Fraction(most)
    return Term(sql, INTEGER, nullable, Bounds(Fraction(0), largest), one, one, largest)


OPERATIONS = (
    Operation("abs", _absolute, costs.arithmetic(0), tried=None, strict=True, folded=True),
    Operation("round trunc ceil ceiling floor", _rounding, costs.arithmetic(0), tried=None, strict=True, folded=True),
    Operation("sign", _sign, costs.arithmetic(0), tried=None, strict=True, folded=True),
    Operation("mod", _modulo, costs.arithmetic(0.2), tried=None, strict=True, folded=True),
    Operation("div", _quotient, costs.arithmetic(0.2), tried=None, strict=True, folded=True),
    Operation("gcd lcm", _common_divisor, costs.arithmetic(2.0, 5000), tried=None, strict=True, folded=True),
    Operation("width_bucket", _bucket, costs.arithmetic(0.2, 2000), tried=None, strict=True, folded=True),
)
