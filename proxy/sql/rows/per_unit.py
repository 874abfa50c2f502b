"""Aggregates and window functions over the rows of one unit, inside a row-level relation (decision 3).

Each belongs to the unit whose rows it sees, so a source query can use it like a column. It must not fail whatever the
rows hold, and its bounds follow from those of its argument and from the number of rows that the policy allows a unit.
They say where to clamp; a unit with more rows is clamped, not refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from sqlglot import exp

from proxy.sql.nodes import copied
from proxy.sql.postgres_aggregates import LISTING, SPREADS
from proxy.sql.refusal import unsupported
from proxy.sql.replacing import replace
from proxy.sql.rows.per_unit_statistics import is_ordered, ordered, spread
from proxy.sql.terms.arithmetic import as_float, as_real, limited_numeric, plainly_collated
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.canonical_values import canonical_value
from proxy.sql.terms.collations import by_code_point
from proxy.sql.terms.comparable_types import is_comparable, not_comparable
from proxy.sql.terms.expressions import not_allowed
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import BIGINT, BOOLEAN, DOUBLE, INTEGER, NUMERIC, REAL, Kind
from proxy.sql.trees.aggregate_calls import aggregate_name, is_aggregate_call

Compile = Callable[[exp.Expr], Term]

_LARGEST_COUNT = Fraction(2**63)
_MOST_SUMMED = Fraction(10) ** 15
"""More rows than a table can hold."""

_WITHOUT_EXTREMES = (Kind.BOOLEAN, Kind.UUID, Kind.UNKNOWN)
"""Types without min and max in Postgres."""


def per_unit_aggregate(node: exp.Expr, compile_: Compile, most_rows: int | None, *, by_keys: bool) -> Term:
    """An aggregate call, FILTER included, over the rows of one unit.

    Args:
        node: the call.
        compile_: compiles its arguments over the rows.
        most_rows: the rows that count of a unit; None if nobody states it.
        by_keys: is it of a group of GROUP BY, which has a row?

    Raises:
        UnsupportedError: an aggregate without a form that cannot fail.
    """
    call, filter_sql = node, ""
    if isinstance(node, exp.Filter):
        call = node.this
        condition = compile_(node.expression.this)
        if condition.kind is not Kind.BOOLEAN:
            raise not_allowed(node)
        filter_sql = f" FILTER (WHERE {condition.sql})"
    if is_ordered(call):
        chosen = ordered(call, compile_)
        if chosen is None:
            raise _no_aggregate(node)
        return chosen.with_sql(f"{chosen.sql}{filter_sql}")
    if not isinstance(call, exp.Anonymous):
        raise _no_aggregate(node)
    term = _aggregate(node, call, compile_, most_rows, fewest=1 if by_keys and not filter_sql else 0)
    return term.with_sql(f"{term.sql}{filter_sql}")


def as_its_type(node: exp.Expr, term: Term) -> Term:
    """A finished aggregate or window function in its result's type (sums of floats are computed as numerics), and with
    the collation of other texts (min and max are by code point)."""
    if term.kind is Kind.TEXT:
        return plainly_collated(term)
    if term.kind is not Kind.FLOAT:
        return term
    call = node
    while isinstance(call, (exp.Window, exp.Filter)):
        call = call.this
    if term.type.name == REAL.name and call.name.lower() != "sum":
        return term.with_sql(f"({term.sql})::real")
    cast = term.with_sql(f"({term.sql})::double precision")
    return as_real(cast) if term.type.name == REAL.name else cast


def _aggregate(node: exp.Expr, call: exp.Anonymous, compile_: Compile, most_rows: int | None, fewest: int) -> Term:
    name = call.name.lower()
    if len(call.expressions) != 1 or name in LISTING:
        raise _no_aggregate(node)
    argument, distinct = call.expressions[0], ""
    if isinstance(argument, exp.Distinct):
        if len(argument.expressions) != 1 or argument.args.get("on"):
            raise _no_aggregate(node)
        argument, distinct = argument.expressions[0], "DISTINCT "
    if name == "count":
        counted = "*" if isinstance(argument, exp.Star) and not any(argument.args.values()) else None
        if counted is None:
            term = compile_(argument)
            if distinct and term.kind is Kind.OTHER:
                raise _no_aggregate(node)
            counted = distinct + term.sql
        one, low = Fraction(1), Fraction(fewest if counted == "*" else 0)
        bounds = Bounds(low, Fraction(max(most_rows, fewest))) if most_rows is not None else None
        capped = _capped(bounds, most_rows)
        return Term(f"count({counted})", BIGINT, False, bounds, one, one, _LARGEST_COUNT, low=low, capped=capped)
    term = compile_(argument)
    if name in SPREADS and term.type.is_number:
        return spread(name, distinct, term)
    if name in ("sum", "avg") and term.type.is_number:
        return _sum_or_average(name, distinct, term, most_rows)
    uniform = canonical_value(term)
    if name in ("min", "max") and uniform is not None and term.kind not in _WITHOUT_EXTREMES:
        uniform = by_code_point(node, uniform)
        return replace(uniform, sql=f"{name}({uniform.sql})", nullable=True, literal=None, constant=False)
    if name in ("bool_and", "bool_or", "every") and term.kind is Kind.BOOLEAN:
        return Term(f"{name}({term.sql})", BOOLEAN)
    raise _no_aggregate(node)


def _sum_or_average(name: str, distinct: str, term: Term, most_rows: int | None) -> Term:
    bounds = term.bounds
    if distinct:
        # The sum of 1.0 and 2 has another scale than that of 1.00 and 2.
        term = canonical_value(term) or term
    if name == "sum" and bounds is not None:
        bounds = _times(bounds, most_rows)
    capped = _capped(bounds, most_rows) if name == "sum" else None
    if term.kind is Kind.FLOAT:
        # In floats the sum would depend on the order of the rows, which other units' rows can change. Values are
        # limited to 1e150, so that no number of rows overflows.
        step = term.step if name == "sum" else None
        sql = f"{name}({distinct}{as_float(term).sql}::numeric)"
        type_ = REAL if name == "sum" and term.type.name == REAL.name else DOUBLE
        return Term(sql, type_, True, bounds, step, capped=capped)
    limited = limited_numeric(term)
    sql = f"{name}({distinct}{limited.sql}::numeric)"
    if name == "avg":
        return Term(sql, NUMERIC, True, bounds, None, None, limited.magnitude)
    magnitude = limited.magnitude * _MOST_SUMMED if limited.magnitude is not None else None
    wide = term.kind is Kind.INTEGER and term.type.name != "bigint"
    return Term(sql, BIGINT if wide else NUMERIC, True, bounds, term.step, term.grid, magnitude, wide, capped=capped)


def _times(bounds: Bounds, most_rows: int | None) -> Bounds | None:
    """The bounds of a sum over the rows of a unit."""
    if most_rows is None:
        return None
    return Bounds(min(bounds.low, bounds.low * most_rows), max(bounds.high, bounds.high * most_rows))


def _capped(bounds: Bounds | None, most_rows: int | None) -> tuple[Bounds, int] | None:
    return (bounds, most_rows) if bounds is not None and most_rows is not None else None


def _no_aggregate(node: exp.Expr) -> Exception:
    name = aggregate_name(node)
    hint = (
        "count, sum, avg, variance, stddev, min, max, percentile_cont and percentile_disc of one fraction, mode, "
        "bool_and and bool_or are, each with FILTER; count, sum, avg, variance and stddev with DISTINCT."
    )
    if name in LISTING:
        hint = (
            "For the first or last value write (array_agg(x ORDER BY y))[1] … GROUP BY, with one item in FROM, or "
            "SELECT DISTINCT ON (the unit's column) … ORDER BY, for others row_number(); bool_or(x = 'a') says whether "
            "a value is there."
        )
    return unsupported(
        node,
        f"this {name}() is not supported over the rows of one privacy unit",
        rule="per-unit-aggregate",
        hint=hint,
    )


RANKS = ("row_number", "rank", "dense_rank")
_SHARES = ("ntile", "percent_rank", "cume_dist")
"""Where a row is among others: of one unit's own rows hardly anybody asks that."""
_BY_PLACE = frozenset(["row_number", "ntile", "lag", "lead", "first_value", "last_value", "nth_value"])
"""Functions of a row's position among its peers."""

_FARTHEST = 100
"""The most rows that a frame may reach before or after its row if its start moves: each row scans all of them."""


def counts_rows(node: exp.Expr) -> bool:
    """Is it a count of the unit's rows, or a rank among them?"""
    return _called(node) in ("count", *RANKS)


def added_by_row(node: exp.Expr, compile_: Compile) -> Bounds | None:
    """What each row adds to a count, rank or sum over the unit's rows; None for all else, and where nothing bounds it.

    Args:
        node: an output of a subquery.
        compile_: compiles expressions over the rows.
    """
    if counts_rows(node):
        return Bounds(Fraction(0), Fraction(1))
    if _called(node) != "sum":
        return None
    (argument,) = _call(node).expressions
    return compile_(argument.expressions[0] if isinstance(argument, exp.Distinct) else argument).bounds


def _called(node: exp.Expr) -> str:
    call = _call(node)
    return call.name.lower() if isinstance(call, exp.Anonymous) else ""


def _call(node: exp.Expr) -> exp.Expr:
    while isinstance(node, (exp.Window, exp.Filter)):
        node = node.this
    return node


def with_default(node: exp.Window) -> exp.Case | None:
    """lag or lead with a default, as CASE: where there is no such row, lag of a constant is NULL. None for all else."""
    call = node.this
    if _called(node) not in ("lag", "lead") or len(call.expressions) != 3:
        return None
    value, offset, default = call.expressions

    def of(argument: exp.Expr) -> exp.Expr:
        window: exp.Expr = copied(node)
        window.this.set("expressions", [copied(argument), copied(offset)])
        return window

    missing = exp.Is(this=of(exp.Literal.number(1)), expression=exp.Null())
    return exp.Case(ifs=[exp.If(this=missing, true=copied(default))], default=of(value))


def goes_by_place(node: exp.Window) -> bool:
    """Does a window function depend on the order of rows that the client's ORDER BY leaves open?"""
    spec, name = node.args.get("spec"), _name(node)
    return name in _BY_PLACE or (spec is not None and str(spec.args.get("kind") or "").upper() == "ROWS")


def _name(node: exp.Window) -> str:
    return node.this.name.lower() if isinstance(node.this, exp.Anonymous) else ""


def per_unit_window(
    node: exp.Window, compile_: Compile, unit_sql: str, most_rows: int | None, tie_breakers: Sequence[str]
) -> Term:
    """A window function whose partitions are within one unit; the partition by the unit itself is added here.

    Args:
        node: the call.
        compile_: compiles expressions over the rows.
        unit_sql: the unit.
        most_rows: the rows that count of a unit; None if nobody states it.
        tie_breakers: what the rows are ordered by last (`tie_breakers`).

    Raises:
        UnsupportedError: a function or frame without a form that cannot fail.
    """
    known = {"this", "partition_by", "order", "spec", "over"}
    if any(value for name, value in node.args.items() if name not in known):
        raise _no_window(node)
    partition = [unit_sql, *(_partition(child, compile_) for child in node.args.get("partition_by") or [])]
    clauses = [f"PARTITION BY {', '.join(partition)}"]
    order, spec = node.args.get("order"), node.args.get("spec")
    ordered = [_ordered(item, compile_) for item in order.expressions] if order is not None else []
    by_rows = spec is not None and (str(spec.args.get("kind") or "").upper() == "ROWS" or _is_whole_partition(spec))
    if _name(node) in ("last_value", "nth_value") and not by_rows:
        raise _no_window(node)
    ordered += tie_breakers
    if ordered:
        clauses.append(f"ORDER BY {', '.join(ordered)}")
    if spec is not None:
        clauses.append(_frame(node, spec))
    term = _window_function(node, compile_, most_rows)
    return term.with_sql(f"({term.sql} OVER ({' '.join(clauses)}))")


def _window_function(node: exp.Window, compile_: Compile, most_rows: int | None) -> Term:
    call, name, one = node.this, _name(node), Fraction(1)
    if name in RANKS and not call.expressions:
        bounds = Bounds(one, Fraction(max(most_rows, 1))) if most_rows is not None else None
        return Term(f"{name}()", BIGINT, False, bounds, one, one, _LARGEST_COUNT)
    if name in ("percent_rank", "cume_dist") and not call.expressions:
        return Term(f"{name}()", DOUBLE, False, Bounds(Fraction(0), one))
    if name == "ntile" and len(call.expressions) == 1:
        buckets = _constant(node, call.expressions[0], least=1)
        return Term(f"ntile({buckets})", INTEGER, False, Bounds(one, Fraction(buckets)), one, one, Fraction(buckets))
    if name in ("first_value", "last_value") and len(call.expressions) == 1:
        value = compile_(call.expressions[0])
        return replace(value, sql=f"{name}({value.sql})", nullable=True, literal=None, constant=False)
    if name == "nth_value" and len(call.expressions) == 2:
        value, place = compile_(call.expressions[0]), _constant(node, call.expressions[1], least=1)
        return replace(value, sql=f"{name}({value.sql}, {place})", nullable=True, literal=None, constant=False)
    if name in ("lag", "lead") and 1 <= len(call.expressions) <= 2:
        value = compile_(call.expressions[0])
        offset = _constant(node, call.expressions[1], least=0) if len(call.expressions) == 2 else 1
        if value.kind is Kind.UNKNOWN:
            raise _no_window(node)
        return replace(value, sql=f"{name}({value.sql}, {offset})", nullable=True, literal=None, constant=False)
    if not is_aggregate_call(call) or is_ordered(call):
        raise _no_window(node)
    return per_unit_aggregate(call, compile_, most_rows, by_keys=False)


def _constant(node: exp.Window, argument: exp.Expr, least: int) -> int:
    if isinstance(argument, exp.Literal) and not argument.is_string and argument.name.isdigit():
        value = int(argument.name)
        if least <= value < 2**31:
            return value
    raise _no_window(node)


def _partition(node: exp.Expr, compile_: Compile) -> str:
    """An expression of PARTITION BY, where it counts which values are equal, not how they look."""
    term = compile_(node)
    if not is_comparable(term.type):
        raise not_comparable(node, term.type)
    return term.sql


def _ordered(item: exp.Expr, compile_: Compile) -> str:
    if not isinstance(item, exp.Ordered) or item.args.get("with_fill"):
        raise not_allowed(item)
    term = by_code_point(item, compile_(item.this))
    if term.kind is Kind.OTHER:
        raise not_allowed(item)
    direction = "DESC" if item.args.get("desc") else "ASC"
    return f"{term.sql} {direction} NULLS {'FIRST' if item.args.get('nulls_first') else 'LAST'}"


def _frame(node: exp.Window, spec: exp.Expr) -> str:
    """The frame, if it starts where the partition does, or is short: any other is scanned anew for each row."""
    kind = str(spec.args.get("kind") or "").upper()
    if spec.args.get("exclude") or kind not in ("ROWS", "RANGE"):
        raise _no_window(node)
    start = _bound(node, spec.args.get("start"), spec.args.get("start_side"), kind)
    end = "CURRENT ROW"
    if spec.args.get("end") is not None:
        end = _bound(node, spec.args["end"], spec.args.get("end_side"), kind)
    if start != "UNBOUNDED PRECEDING" and "UNBOUNDED FOLLOWING" in (start, end):
        raise _no_window(node)
    return f"{kind} BETWEEN {start} AND {end}"


def _is_whole_partition(spec: exp.Expr) -> bool:
    ends = [str(spec.args.get(name) or "").upper() for name in ("start", "start_side", "end", "end_side")]
    return ends == ["UNBOUNDED", "PRECEDING", "UNBOUNDED", "FOLLOWING"]


def _bound(node: exp.Window, value: object, side: object, kind: str) -> str:
    where = str(side or "").upper()
    if isinstance(value, str) and value.upper() == "CURRENT ROW" and not where:
        return "CURRENT ROW"
    if where not in ("PRECEDING", "FOLLOWING"):
        raise _no_window(node)
    if isinstance(value, str) and value.upper() == "UNBOUNDED":
        return f"UNBOUNDED {where}"
    # An offset of RANGE would be added to values, which can overflow.
    if isinstance(value, exp.Expr) and kind == "ROWS" and _constant(node, value, least=0) <= _FARTHEST:
        return f"{_constant(node, value, least=0)} {where}"
    raise _no_window(node)


def _no_window(node: exp.Window) -> Exception:
    return unsupported(
        node,
        "this window function is not supported over the rows of one privacy unit",
        rule="per-unit-window",
        hint="Ranks, lag, lead, first_value, ntile and aggregates are, with constant offsets, over frames that start "
        f"UNBOUNDED PRECEDING or reach at most {_FARTHEST} rows; last_value and nth_value over ROWS BETWEEN … only.",
    )


def mixes_units(node: exp.Window, without_null: str | None, *, alone: bool) -> Exception:
    """The refusal of a window function over rows of several units.

    Args:
        node: the call.
        without_null: what to write where only NULL could join rows of several units; None otherwise.
        alone: has each unit one row? Among those of its own unit it is the first one and the last one.
    """
    name = _called(node)
    instead = "Apply the window function to the released result"
    if name in (*RANKS, *_SHARES):
        percentile = "percentile_cont(0.9) WITHIN GROUP (ORDER BY x)"
        instead = f"Compare with a released percentile, as in WHERE x > (SELECT {percentile} FROM …)"
    elif is_aggregate_call(_call(node)):
        instead = f"Compare with a released number, as in x - (SELECT {name}(x) FROM …)"
    if not alone and name not in _SHARES:
        instead = f"Add the privacy unit's column to PARTITION BY, or {instead[0].lower()}{instead[1:]}"
    return unsupported(
        node,
        "this window function would read rows of more than one privacy unit",
        rule="window-over-units",
        detail="Inside an aggregate over private rows, a value may depend on the rows of one privacy unit only.",
        hint=without_null or f"{instead}.",
    )
