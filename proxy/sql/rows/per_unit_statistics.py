"""Variances, standard deviations, percentiles and modes over the rows of one unit, of which the value belongs to it.

Their bounds follow from those of their argument alone, however many rows the unit has. Equal values are brought to one
form first, so that it does not matter which of them comes first.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Final

from sqlglot import exp

from proxy.sql.replacing import replace
from proxy.sql.terms.arithmetic import as_float, limited_numeric
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.canonical_values import canonical_value
from proxy.sql.terms.collations import by_code_point
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import DOUBLE, NUMERIC, Kind
from proxy.sql.terms.work import size_of

Compile = Callable[[exp.Expr], Term]

_ROOT_OF_HALF: Final = Fraction(70711, 100_000)
"""Not below the square root of 1/2."""

_LARGEST: Final[dict[str, Callable[[Fraction], Fraction]]] = {
    "var_pop": lambda width: width**2 / 4,
    "stddev_pop": lambda width: width / 2,
    **dict.fromkeys(["variance", "var_samp"], lambda width: width**2 / 2),
    **dict.fromkeys(["stddev", "stddev_samp"], lambda width: width * _ROOT_OF_HALF),
}
"""The most that each is of values in an interval of some width; a sample has two values or more."""

_FINEST_FLOAT: Final = 130
"""Decimal places to which floats are rounded, so that no variance is too close to zero for a double precision."""

_FRACTION: Final = re.compile(r"[0-9]{1,15}|[0-9]{0,15}\.[0-9]{1,15}")


def spread(name: str, distinct: str, term: Term) -> Term:
    """A variance or standard deviation, computed as numerics: of floats it would depend on the order of the rows.

    Args:
        name: one of `SPREADS`.
        distinct: "DISTINCT " or nothing.
        term: a number.
    """
    value = (canonical_value(term) or term) if distinct else term
    is_float = value.kind is Kind.FLOAT
    value = as_float(value) if is_float else limited_numeric(value)
    bounds = Bounds(Fraction(0), _LARGEST[name](value.bounds.width)) if value.bounds is not None else None
    low = None if bounds is not None else Fraction(0)
    if is_float:
        sql = f"{name}({distinct}round({value.sql}::numeric, {_FINEST_FLOAT}))"
        return Term(sql, DOUBLE, True, bounds, low=low)
    sql = f"{name}({distinct}{value.sql}::numeric)"
    magnitude = _LARGEST[name](2 * value.magnitude) if value.magnitude is not None else None
    return Term(sql, NUMERIC, True, bounds, None, None, magnitude, low=low, size=2 * size_of(value) + 40)


def is_ordered(call: exp.Expr) -> bool:
    """Is it a call of `ordered` in its form? Or median, as extensions name percentile_cont(0.5)."""
    return isinstance(call, exp.WithinGroup) or (isinstance(call, exp.Anonymous) and call.name.lower() == "median")


def ordered(call: exp.Expr, compile_: Compile) -> Term | None:
    """A percentile or mode of one value; None if it is another aggregate, or of a type without one form.

    Args:
        call: `is_ordered`.
        compile_: compiles expressions over the rows.
    """
    if isinstance(call, exp.Anonymous):
        return _interpolated("0.5", compile_(call.expressions[0]), "") if len(call.expressions) == 1 else None
    function, items = call.this, call.expression.expressions
    if not isinstance(function, exp.Anonymous) or len(items) != 1 or not isinstance(items[0], exp.Ordered):
        return None
    name, direction = function.name.lower(), " DESC" if items[0].args.get("desc") else ""
    if name == "mode" and not function.expressions:
        return _one_of("mode()", items[0].this, compile_, direction)
    fraction = _fraction(function.expressions[0]) if len(function.expressions) == 1 else None
    if fraction is None or name not in ("percentile_cont", "percentile_disc"):
        return None
    if name == "percentile_disc":
        return _one_of(f"percentile_disc({fraction})", items[0].this, compile_, direction)
    return _interpolated(fraction, compile_(items[0].this), direction)


def _interpolated(fraction: str, term: Term, direction: str) -> Term | None:
    if not term.type.is_number:
        return None
    value = as_float(term)
    uniform = canonical_value(value) or value
    sql = f"percentile_cont({fraction}) WITHIN GROUP (ORDER BY {uniform.sql}{direction})"
    return Term(sql, DOUBLE, True, value.bounds, low=value.low, high=value.high)


def _one_of(function: str, node: exp.Expr, compile_: Compile, direction: str) -> Term | None:
    uniform = canonical_value(compile_(node))
    if uniform is None or uniform.kind is Kind.UNKNOWN:
        return None
    uniform = by_code_point(node, uniform)
    sql = f"{function} WITHIN GROUP (ORDER BY {uniform.sql}{direction})"
    return replace(uniform, sql=sql, nullable=True, literal=None, constant=False)


def _fraction(node: exp.Expr) -> str | None:
    """A constant from 0 to 1, as SQL."""
    node = node.unnest()
    while isinstance(node, exp.Cast) and node.args["to"].this == exp.DType.DOUBLE:
        node = node.this.unnest()
    text = node.name if isinstance(node, exp.Literal) else ""
    return text if _FRACTION.fullmatch(text) and Fraction(text) <= 1 else None
