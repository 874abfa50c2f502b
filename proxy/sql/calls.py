"""The allow-list of functions, each in the form in which it cannot fail. Names are those of pg_catalog."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from sqlglot import exp

from proxy.sql import datetimes, texts
from proxy.sql.arithmetic import Compile, as_float, common_step, limited_numeric, modulo, require_number, unify
from proxy.sql.interval import Interval
from proxy.sql.refusal import refused, unsupported
from proxy.sql.term import Term
from proxy.sql.types import INTEGER, NUMERIC, Kind, SqlType

AGGREGATES = frozenset(
    """count sum avg min max stddev stddev_pop stddev_samp variance var_pop var_samp covar_pop covar_samp corr
    regr_slope regr_intercept regr_r2 regr_count regr_avgx regr_avgy regr_sxx regr_syy regr_sxy bool_and bool_or every
    array_agg string_agg json_agg jsonb_agg json_object_agg jsonb_object_agg xmlagg bit_and bit_or bit_xor any_value
    mode percentile_cont percentile_disc range_agg range_intersect_agg json_arrayagg json_objectagg grouping""".split()
)


def compile_call(node: exp.Anonymous, compile_: Compile) -> Term:
    """Compile a function call by its name.

    Raises:
        UnsupportedError: a function that is not on the allow-list, or a wrong number of arguments.
        RefusedError: an aggregate or window function inside a row-level expression.
    """
    name = node.name.lower()
    if name in AGGREGATES:
        raise refused(
            node,
            f"the aggregate {name}() cannot be used inside another aggregate, in WHERE or in GROUP BY",
            rule="nested-aggregate",
            hint="Put the inner aggregate in a subquery in FROM and aggregate its result.",
        )
    for registry in (_HANDLERS, texts.CALLS, datetimes.CALLS):
        handler = registry.get(name)
        if handler is not None:
            return handler(node, compile_)
    raise unsupported(
        node,
        f"the function {name}() is not supported over private rows",
        rule="function",
        detail="Only functions that never fail, run long or have effects run on the private database.",
        hint="Apply it to the released result instead: SELECT … FROM (SELECT … GROUP BY …) AS released.",
    )


def arguments_of(node: exp.Anonymous, compile_: Compile, least: int, most: int | None = None) -> list[Term]:
    """The compiled arguments; refuses a count outside [least, most]."""
    most = least if most is None else most
    if not least <= len(node.expressions) <= most:
        raise unsupported(node, f"{node.name.lower()}() with these arguments is not supported", rule="function")
    return [compile_(argument) for argument in node.expressions]


def choice(sql: str, type_: SqlType, results: list[Term], *, constant: bool) -> Term:
    """A term that has one of the `results` as its value: bounds are their hull, the step is their common step."""
    values = [term for term in results if term.sql != "NULL"]
    bounds: Interval | None = None
    step: Fraction | None = None
    grid: Fraction | None = None
    magnitude: Fraction | None = None
    if values and type_.is_number and all(term.bounds for term in values):
        bounds = values[0].bounds
        for term in values[1:]:
            bounds = bounds.hull(term.bounds) if bounds and term.bounds else None
    if values and type_.is_number:
        step, grid = values[0].step, values[0].grid
        for term in values[1:]:
            step, grid = common_step(step, term.step), common_step(grid, term.grid)
        magnitudes = [term.magnitude for term in values if term.magnitude is not None]
        magnitude = max(magnitudes) if len(magnitudes) == len(values) else None
    return Term(
        sql,
        type_,
        any(term.nullable for term in results),
        bounds,
        step,
        grid,
        magnitude,
        any(term.wide for term in values),
        constant=constant,
    )


def _choose(node: exp.Anonymous, compile_: Compile) -> Term:
    """coalesce, greatest, least: NULL arguments are passed over, as in Postgres."""
    name = node.name.lower()
    terms, type_ = unify(node, arguments_of(node, compile_, 1, 100))
    term = choice(f"{name}({', '.join(t.sql for t in terms)})", type_, terms, constant=False)
    return replace(term, nullable=all(t.nullable for t in terms))


def _nullif(node: exp.Anonymous, compile_: Compile) -> Term:
    terms, _ = unify(node, arguments_of(node, compile_, 2))
    return replace(terms[0], sql=f"NULLIF({terms[0].sql}, {terms[1].sql})", nullable=True, literal=None, constant=False)


def _absolute(node: exp.Anonymous, compile_: Compile) -> Term:
    term = require_number(node, arguments_of(node, compile_, 1)[0])
    wide = term.wide or term.type.name == "bigint"
    sql = term.sql
    if term.kind is Kind.INTEGER and not term.wide:
        sql = f"{sql}::{'numeric' if wide else 'bigint'}"
    bounds = term.bounds.absolute() if term.bounds else None
    return replace(term, sql=f"abs({sql})", bounds=bounds, wide=wide and term.kind is Kind.INTEGER, literal=None)


def _rounding(node: exp.Anonymous, compile_: Compile) -> Term:
    """round, ceil, floor and trunc to whole numbers; round and trunc of a numeric to a constant number of digits."""
    name = node.name.lower()
    terms = arguments_of(node, compile_, 1, 2 if name in ("round", "trunc") else 1)
    term = require_number(node, terms[0])
    digits = 0
    if len(terms) == 2:
        if terms[1].literal is None or not terms[1].literal.lstrip("-").isdigit() or abs(int(terms[1].literal)) > 30:
            raise unsupported(node, f"{name}() needs a constant number of digits between -30 and 30", rule="function")
        digits = int(terms[1].literal)
        if term.kind is Kind.FLOAT:
            raise unsupported(node, f"{name}(double precision, integer) does not exist", rule="function")
    step = Fraction(1, 10**digits) if digits >= 0 else Fraction(10**-digits)
    bounds = None
    if term.bounds is not None:
        bounds = Interval((term.bounds.low // step) * step, -((-term.bounds.high) // step) * step)
    if term.kind is Kind.FLOAT:
        return replace(as_float(term), sql=f"{name}({as_float(term).sql})", bounds=bounds, step=step)
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
    sql = f"(CASE WHEN {term.sql} > 0 THEN 1 WHEN {term.sql} < 0 THEN -1 WHEN {term.sql} = 0 THEN 0 END)"
    unit = Fraction(1)
    return Term(sql, INTEGER, term.nullable, Interval(-unit, unit), unit, unit, unit, constant=term.constant)


_HANDLERS: dict[str, Callable[[exp.Anonymous, Compile], Term]] = {
    "coalesce": _choose,
    "greatest": _choose,
    "least": _choose,
    "nullif": _nullif,
    "abs": _absolute,
    "round": _rounding,
    "trunc": _rounding,
    "ceil": _rounding,
    "ceiling": _rounding,
    "floor": _rounding,
    "mod": _modulo,
    "sign": _sign,
}

NAMES = frozenset(_HANDLERS)
"""The functions of this module; `texts.CALLS` and `datetimes.CALLS` have more."""
