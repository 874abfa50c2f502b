"""Mathematical functions: values inside their domain, NULL outside.

Postgres raises an error outside: sqrt(-1), ln(0), exp(1000), power(0, -1). Results beyond about 1e150 are NULL and
those below about 1e-150 are 0, so that no further step can over- or underflow. Where Postgres has a variant for
numeric, it is used under the same conditions, so that the digits are the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

from sqlglot import exp

from proxy.sql.refusal import unsupported
from proxy.sql.replacing import replace
from proxy.sql.terms import costs
from proxy.sql.terms.arithmetic import (
    Compile,
    as_float,
    limited_numeric,
    require_number,
    require_representable,
    result_type,
)
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.calling import arguments_of
from proxy.sql.terms.operation import Operation, StageFunction
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import DOUBLE, NUMERIC, Kind
from proxy.sql.terms.work import Cost

_LARGEST_EXPONENT = 345
"""e^345 is about 1e150."""
_MOST_NUMERIC_EXPONENT = 1_000_000
"""Exponents of numerics beyond it are NULL: only below it does double precision tell the size of the power."""
_LARGEST_WHOLE_EXPONENT = 8
_DOWN, _UP = Context(prec=12, rounding=ROUND_FLOOR), Context(prec=12, rounding=ROUND_CEILING)


@dataclass(frozen=True)
class _Function:
    """A function of one number.

    Attributes:
        low: the least argument with a value, as SQL; None without a limit.
        high: the greatest argument with a value.
        numeric: Postgres has a variant for numeric.
        increasing: the function itself if it is monotone, for bounds.
        bounds: of every result.
    """

    low: str | None = None
    high: str | None = None
    numeric: bool = False
    increasing: Callable[[float], float] | None = None
    bounds: tuple[str, str] | None = None


_POSITIVE = ("1e-150", "1e150")
_HALF_TURN, _QUARTER_TURN = ("-3.1416", "3.1416"), ("-1.5708", "1.5708")
_EXPONENTS = (f"-{_LARGEST_EXPONENT}", str(_LARGEST_EXPONENT))
_SQRT = _Function("0", "1e300", True, math.sqrt)
_CBRT = _Function(increasing=math.cbrt)
_LOG10 = _Function(*_POSITIVE, True, math.log10)


def _of_one(names: str, known: _Function, cost: Cost) -> Operation:
    """The table row of functions of one number."""

    def handler(node: exp.Anonymous, compile_: Compile) -> Term:
        return _apply(node.name.lower(), known, node, arguments_of(node, compile_, 1)[0])

    return Operation(names, handler, cost, tried=None, strict=True, folded=True)


def _apply(name: str, known: _Function, node: exp.Expr, argument: Term) -> Term:
    """`name(argument)` where the argument is in the function's domain."""
    term = require_number(node, argument)
    value = limited_numeric(term) if known.numeric and term.kind is Kind.NUMERIC else as_float(term)
    sql = f"{name}({value.sql})"
    if known.low is not None and not _inside(term, known):
        below = f" WHEN {value.sql} < {known.low} THEN 0" if name == "exp" else ""
        sql = f"(CASE WHEN {value.sql} BETWEEN {known.low} AND {known.high} THEN {sql}{below} END)"
    bounds = _function_bounds(known, term)
    if name == "exp" and bounds is not None and term.lowest is not None and term.lowest < -_LARGEST_EXPONENT:
        bounds = bounds.hull(Bounds.point(0))
    result = Term(sql, value.type, True, bounds, constant=term.constant)
    return replace(result, magnitude=Fraction(10) ** 151) if value.kind is Kind.NUMERIC else result


def _inside(term: Term, known: _Function) -> bool:
    """Does the argument's type keep it inside the domain? Only for constants."""
    if known.low is None or known.high is None:
        return True
    point = term.bounds if term.constant else None
    return point is not None and Fraction(known.low) <= point.low and point.high <= Fraction(known.high)


def _function_bounds(known: _Function, argument: Term) -> Bounds | None:
    given = argument.bounds
    limits = Bounds(*(Fraction(limit) for limit in known.bounds)) if known.bounds is not None else None
    if given is None or known.increasing is None:
        return limits
    low, high = given.low, given.high
    if known.low is not None and known.high is not None:
        least = Fraction(known.low)
        if low < least and argument.step is not None and 0 < least < argument.step:
            # The least positive value of a grid, for logarithms.
            least = argument.step
        low, high = max(low, least), min(high, Fraction(known.high))
    if low > high:
        return limits
    mapped = outward(known.increasing, low, high)
    return mapped if mapped is not None else limits


def outward(function: Callable[[float], float], low: Fraction, high: Fraction) -> Bounds | None:
    """The values of an increasing function between two points, rounded outward to 12 digits; None if out of range."""
    try:
        first, last = function(float(low)), function(float(high))
    except (OverflowError, ValueError):
        return None
    if not (math.isfinite(first) and math.isfinite(last)):
        return None
    return Bounds(Fraction(_DOWN.create_decimal(Decimal(first))), Fraction(_UP.create_decimal(Decimal(last))))


def _logarithm(node: exp.Anonymous, compile_: Compile) -> Term:
    """log(x), and log(base, x), which is defined for numerics only."""
    terms = [require_number(node, term) for term in arguments_of(node, compile_, 1, 2)]
    if len(terms) == 1:
        return _apply("log", _LOG10, node, terms[0])
    if any(term.kind is Kind.FLOAT for term in terms):
        raise unsupported(node, "log(double precision, double precision) does not exist", rule="function")
    base, value = (f"{limited_numeric(term).sql}::numeric" for term in terms)
    # Bases next to 1 have a logarithm that rounds to 0.
    sql = (
        f"(CASE WHEN {base} BETWEEN 1e-150 AND 1e150 AND abs({base} - 1) > 1e-10 AND {value} BETWEEN 1e-150 AND 1e150 "
        f"THEN log({base}, {value}) END)"
    )
    bounds = None
    points = terms[0].bounds
    if points is not None and points.width == 0 and points.low > 1:
        root = float(points.low)
        bounds = _function_bounds(_Function(*_POSITIVE, True, lambda x: math.log(x) / math.log(root)), terms[1])
    return Term(sql, NUMERIC, True, bounds, magnitude=Fraction(10) ** 20)


def _angle(node: exp.Anonymous, compile_: Compile) -> Term:
    """atan2 and atan2d."""
    name = node.name.lower()
    first, second = (as_float(require_number(node, term)) for term in arguments_of(node, compile_, 2))
    limits = _HALF_TURN if name == "atan2" else ("-180", "180")
    bounds = Bounds(*(Fraction(limit) for limit in limits))
    return Term(f"{name}({first.sql}, {second.sql})", DOUBLE, first.nullable or second.nullable, bounds)


def _root(node: exp.Expr, compile_: Compile) -> Term:
    """|/ and ||/, which are of double precision whatever they are given."""
    name, known = ("sqrt", _SQRT) if isinstance(node, exp.Sqrt) else ("cbrt", _CBRT)
    return _apply(name, known, node, as_float(require_number(node, compile_(node.this))))


def _power_call(node: exp.Anonymous, compile_: Compile) -> Term:
    base, exponent = arguments_of(node, compile_, 2)
    return power(node, base, exponent)


def _power_operator(node: exp.Expr, compile_: Compile) -> Term:
    return power(node, compile_(node.this), compile_(node.expression))


def power(node: exp.Expr, base: Term, exponent: Term) -> Term:
    """`base ^ exponent`: double precision for integers, as in Postgres."""
    base, exponent = require_number(node, base), require_number(node, exponent)
    type_ = NUMERIC if result_type(base, exponent).kind is Kind.NUMERIC else DOUBLE
    point = exponent.bounds if exponent.constant else None
    if point is not None and point.width == 0 and point.low.denominator == 1:
        whole = int(point.low)
        if 1 <= whole <= _LARGEST_WHOLE_EXPONENT:
            return _whole_power(node, base, exponent, whole, numeric=type_ is NUMERIC)
    first, second = as_float(base), as_float(exponent)
    size = f"{second.sql} * ln(abs({first.sql}))"
    called, limit, exact = f"power({first.sql}, {second.sql})", "", second.sql
    if type_ is NUMERIC:
        exact = f"{limited_numeric(exponent).sql}::numeric"
        called = f"power({limited_numeric(base).sql}::numeric, {exact})"
        limit = f"abs({exact}) <= {_MOST_NUMERIC_EXPONENT} AND "
    # 0 to a negative power and a fractional power of a negative number are errors in Postgres; here they are NULL.
    sql = (
        f"(CASE WHEN {first.sql} = 0 THEN CASE WHEN {second.sql} > 0 THEN 0 WHEN {second.sql} = 0 THEN 1 END "
        f"WHEN {limit}({first.sql} > 0 OR {exact} = floor({exact})) THEN "
        f"CASE WHEN abs({size}) <= {_LARGEST_EXPONENT} THEN {called} WHEN {size} < 0 THEN 0 END END)"
    )
    magnitude = Fraction(10) ** 151 if type_ is NUMERIC else None
    return Term(sql, type_, True, _power_bounds(base, exponent), magnitude=magnitude)


def _whole_power(node: exp.Expr, base: Term, exponent: Term, whole: int, *, numeric: bool) -> Term:
    """x^2, x^3 …: products, so that bounds and step follow exactly and few guards are needed."""
    bounds = base.bounds.to_the_power(whole) if base.bounds is not None else None
    step = base.step**whole if base.step is not None else None
    if numeric:
        value = limited_numeric(base)
        magnitude = require_representable(node, value.magnitude**whole) if value.magnitude is not None else None
        sql = f"power({value.sql}::numeric, {exponent.sql}::numeric)"
        return Term(sql, NUMERIC, value.nullable, bounds, step, None, magnitude)
    digits = 150 // whole
    value = as_float(base)
    sql = f"power({value.sql}, {whole})"
    limit = Fraction(10) ** digits
    if base.magnitude is None or base.magnitude > limit or base.grid is None or base.grid < 1 / limit:
        size = f"abs({value.sql})"
        sql = f"(CASE WHEN {size} BETWEEN 1e-{digits} AND 1e{digits} THEN {sql} WHEN {size} < 1e-{digits} THEN 0 END)"
    return Term(sql, DOUBLE, True, bounds, step)


def _power_bounds(base: Term, exponent: Term) -> Bounds | None:
    """Bounds of a power of a positive base: it is monotone in both, so that the corners suffice."""
    if base.bounds is None or exponent.bounds is None or base.bounds.low < 0 or exponent.bounds.low < 0:
        return None
    corners = []
    for low in (base.bounds.low, base.bounds.high):
        for high in (exponent.bounds.low, exponent.bounds.high):
            corner = outward(lambda x, low=low: float(low) ** x, high, high)  # type: ignore[misc]
            if corner is None or corner.magnitude > Fraction(10) ** 150:
                return None
            corners.append(corner)
    bounds = corners[0]
    for corner in corners[1:]:
        bounds = bounds.hull(corner)
    return bounds


_FLOATS = costs.arithmetic(0, 2000)

OPERATIONS = (
    Operation((exp.Sqrt, exp.Cbrt), _root, costs.transcendental, tried=None, strict=True, folded=True),
    Operation(exp.Pow, _power_operator, costs.transcendental, tried=None, strict=True, folded=True),
    Operation("power pow", _power_call, costs.transcendental, tried=None, strict=True, folded=True),
    _of_one("sqrt", _SQRT, costs.transcendental),
    _of_one("cbrt", _CBRT, costs.transcendental),
    _of_one("ln", _Function(*_POSITIVE, True, math.log), costs.transcendental),
    Operation("log", _logarithm, costs.transcendental, tried=None, strict=True, folded=True),
    _of_one("log10", _LOG10, costs.transcendental),
    _of_one("exp", _Function(*_EXPONENTS, True, math.exp), costs.transcendental),
    _of_one("degrees", _Function(increasing=math.degrees), _FLOATS),
    _of_one("radians", _Function(increasing=math.radians), _FLOATS),
    _of_one("sin cos sind cosd", _Function(bounds=("-1", "1")), _FLOATS),
    _of_one("tan cot tand cotd", _Function(), _FLOATS),
    _of_one("asin", _Function("-1", "1", False, math.asin, _QUARTER_TURN), _FLOATS),
    _of_one("acos", _Function("-1", "1", bounds=("0", "3.1416")), _FLOATS),
    _of_one("atan", _Function(increasing=math.atan, bounds=_QUARTER_TURN), _FLOATS),
    _of_one("asind", _Function("-1", "1", bounds=("-90", "90")), _FLOATS),
    _of_one("acosd", _Function("-1", "1", bounds=("0", "180")), _FLOATS),
    _of_one("atand", _Function(bounds=("-90", "90")), _FLOATS),
    Operation("atan2 atan2d", _angle, _FLOATS, tried=None, strict=True, folded=True),
    _of_one("sinh", _Function(*_EXPONENTS, False, math.sinh), _FLOATS),
    _of_one("cosh", _Function(*_EXPONENTS), _FLOATS),
    _of_one("tanh", _Function(increasing=math.tanh, bounds=("-1", "1")), _FLOATS),
    _of_one("asinh", _Function(increasing=math.asinh), _FLOATS),
    _of_one("acosh", _Function("1", "1e150", False, math.acosh), _FLOATS),
    _of_one("atanh", _Function("-1", "1"), _FLOATS),
    StageFunction("pi"),
)
