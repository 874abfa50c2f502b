"""Arithmetic that cannot fail (decision 4): no overflow, no division by zero, no float under- or overflow.

Integers are carried by the narrowest SQL type that their proven magnitude fits, up to numeric. Numerics and floats
without a limit of their own are guarded: values beyond the guard count as NULL (numeric beyond 1e300, float beyond
1e150).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from sqlglot import exp

from proxy.sql.plain_postgres import excerpt
from proxy.sql.refusal import unsupported
from proxy.sql.replacing import replace
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.clock_words import check_no_clock
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import BIGINT, DOUBLE, INTEGER, NUMERIC, REAL, TEXT, TIMESTAMPTZ, Kind, SqlType, hint_of

Compile = Callable[[exp.Expr], Term]

_NUMERIC_GUARD = Fraction(10) ** 300
_FLOAT_GUARD = Fraction(10) ** 150
_REAL_GUARD = Fraction(10) ** 35
_LARGEST_NUMERIC = Fraction(10) ** 3000
LARGEST_CONSTANT = Fraction(10) ** 200
_LEAST_DIVISOR = Fraction(1, 1000)
"""The finest grid whose step bounds a quotient from above: noise for a finer one would hide every answer."""


def common_step(left: Fraction | None, right: Fraction | None) -> Fraction | None:
    """The coarsest grid that contains both grids."""
    if left is None or right is None:
        return None
    return Fraction(
        math.gcd(left.numerator * right.denominator, right.numerator * left.denominator),
        left.denominator * right.denominator,
    )


def product_step(left: Fraction | None, right: Fraction | None) -> Fraction | None:
    return None if left is None or right is None else left * right


def require_number(node: exp.Expr, term: Term) -> Term:
    """`term` as a number. Refuses string constants, whose type Postgres takes from the other operand."""
    if not term.type.is_number:
        raise unsupported(
            node,
            f"arithmetic on {term.type.name} is not supported here",
            rule="arithmetic-type",
            hint=hint_of(
                [term.type], "Use numeric columns and numbers, or cast constants, as in 5 or '2024-01-01'::date."
            ),
        )
    return term


def limited_numeric(term: Term) -> Term:
    """A numeric with a known magnitude: values beyond the guard, infinities and NaN become NULL."""
    if term.magnitude is not None or term.kind is not Kind.NUMERIC:
        return term
    guarded = f"(CASE WHEN abs({term.sql}) <= 1e300 THEN {term.sql} END)"
    return replace(term, sql=guarded, magnitude=_NUMERIC_GUARD, nullable=True, literal=None)


def as_float(term: Term) -> Term:
    """The term as double precision, limited so that a product or quotient of two cannot over- or underflow."""
    if term.kind is Kind.FLOAT and term.is_guarded:
        sql = f"({term.sql}::double precision)"
        return replace(term, sql=sql, type=DOUBLE, guarded=sql) if term.type.name == REAL.name else term
    sql, nullable = term.sql, term.nullable
    # Without a grid a numeric can be so close to zero that the cast fails. An integer never does, but its abs() can.
    if not term.is_integer and (
        term.kind is Kind.FLOAT or term.magnitude is None or term.magnitude > _FLOAT_GUARD or not _is_coarse(term)
    ):
        nullable = True
        sql = (
            f"(CASE WHEN abs({sql}) BETWEEN 1e-150 AND 1e150 THEN {sql} WHEN abs({sql}) < 1e-150 THEN 0 END)"
            "::double precision"
        )
    else:
        sql = f"{sql}::double precision"
    sql = f"({sql})"
    return replace(
        term,
        sql=sql,
        type=DOUBLE,
        nullable=nullable,
        magnitude=None,
        grid=None,
        wide=False,
        literal=None,
        guarded=sql,
    )


def as_real(term: Term) -> Term:
    """The term as real, limited so that the cast cannot over- or underflow."""
    cast = term if term.kind is Kind.FLOAT else as_float(term)
    if term.is_integer:
        sql = f"({cast.sql}::real)"
    else:
        size = f"abs({cast.sql})"
        sql = f"((CASE WHEN {size} BETWEEN 1e-35 AND 1e35 THEN {cast.sql} WHEN {size} < 1e-35 THEN 0 END)::real)"
    bounds = cast.bounds.onto_reals().inside(_REAL_GUARD) if cast.bounds is not None else None
    nullable = cast.nullable or not term.is_integer
    return replace(cast, sql=sql, type=REAL, nullable=nullable, bounds=bounds, grid=None, literal=None, guarded=sql)


def without_nan(term: Term) -> Term:
    """The number with NaN as NULL: numerics of any precision, and so their double precision, can be NaN."""
    if term.kind is Kind.INTEGER or term.constant:
        return term
    return replace(term, sql=f"NULLIF({term.sql}, 'NaN')", nullable=True, literal=None)


def _is_coarse(term: Term) -> bool:
    return term.grid is not None and term.grid >= 1 / _FLOAT_GUARD


def result_type(left: Term, right: Term) -> SqlType:
    """The type Postgres gives arithmetic or a choice between two numbers."""
    if Kind.FLOAT in (left.kind, right.kind):
        return DOUBLE
    if Kind.NUMERIC in (left.kind, right.kind):
        return NUMERIC
    return BIGINT if "bigint" in (left.type.name, right.type.name) else INTEGER


def _carried(left: Term, right: Term, magnitude: Fraction) -> tuple[str, str, bool]:
    """Operands for integer arithmetic, as SQL, whose result stays below `magnitude`; and whether numeric carries it."""
    if magnitude < 2**31 and not (left.wide or right.wide):
        # Postgres computes smallint with smallint as smallint.
        return f"{left.sql}::integer" if left.type.name == "smallint" else left.sql, right.sql, False
    carrier = "bigint" if magnitude < 2**63 and not (left.wide or right.wide) else "numeric"
    return f"{left.sql}::{carrier}", right.sql, carrier == "numeric"


def _magnitude(node: exp.Expr, left: Term, right: Term, combined: Callable[[Fraction, Fraction], Fraction]) -> Fraction:
    if left.magnitude is None or right.magnitude is None:
        # A choice between a number and an untyped constant, or a typed NULL.
        raise unsupported(
            node,
            "the size of this operand is unknown",
            rule="magnitude",
            hint="Write numeric constants without quotes, and NULL without a type.",
        )
    return require_representable(node, combined(left.magnitude, right.magnitude))


def require_representable(node: exp.Expr, magnitude: Fraction) -> Fraction:
    """The magnitude of a numeric, which may be 1e3000 at most: then every quotient of two of them fits a numeric too.

    Raises:
        UnsupportedError: it is larger, so that Postgres could fail at a row whose value does not fit (attack 5).
    """
    if magnitude > _LARGEST_NUMERIC:
        raise unsupported(node, "this expression can grow too large", rule="magnitude", hint="Multiply fewer columns.")
    return magnitude


def _combined_bounds(left: Term, right: Term, combine: Callable[[Bounds, Bounds], Bounds | None]) -> Bounds | None:
    return combine(left.bounds, right.bounds) if left.bounds and right.bounds else None


def add_or_subtract(node: exp.Expr, left: Term, right: Term) -> Term:
    """`left + right` or `left - right` of numbers."""
    symbol = "+" if isinstance(node, exp.Add) else "-"
    type_ = result_type(left, right)
    bounds = _combined_bounds(left, right, Bounds.__add__ if symbol == "+" else Bounds.__sub__)
    step = common_step(left.step, right.step)
    nullable = left.nullable or right.nullable
    constant = left.constant and right.constant
    if type_.kind is Kind.FLOAT:
        sql = f"({as_float(left).sql} {symbol} {as_float(right).sql})"
        return _of_floats(Term(sql, type_, True, bounds, step, constant=constant), left, right)
    left, right = limited_numeric(left), limited_numeric(right)
    magnitude = _magnitude(node, left, right, lambda a, b: a + b)
    grid = common_step(left.grid, right.grid)
    wide = False
    first, second = left.sql, right.sql
    if type_.kind is Kind.INTEGER:
        first, second, wide = _carried(left, right, magnitude)
    nullable = nullable or left.nullable or right.nullable
    return Term(f"({first} {symbol} {second})", type_, nullable, bounds, step, grid, magnitude, wide, constant=constant)


def _of_floats(result: Term, left: Term, right: Term) -> Term:
    """The result in the type that Postgres gives it. In double precision what two reals give is exact enough to be
    rounded once more."""
    return as_real(result) if left.type.name == right.type.name == REAL.name else result


def multiply(node: exp.Expr, left: Term, right: Term) -> Term:
    """`left * right` of numbers."""
    type_ = result_type(left, right)
    bounds = _combined_bounds(left, right, Bounds.__mul__)
    step = product_step(left.step, right.step)
    constant = left.constant and right.constant
    if type_.kind is Kind.FLOAT:
        sql = f"({as_float(left).sql} * {as_float(right).sql})"
        return _of_floats(Term(sql, type_, True, bounds, step, constant=constant), left, right)
    left, right = limited_numeric(left), limited_numeric(right)
    magnitude = _magnitude(node, left, right, lambda a, b: a * b)
    wide = False
    first, second = left.sql, right.sql
    if type_.kind is Kind.INTEGER:
        first, second, wide = _carried(left, right, magnitude)
    grid = product_step(left.grid, right.grid)
    nullable = left.nullable or right.nullable
    return Term(f"({first} * {second})", type_, nullable, bounds, step, grid, magnitude, wide, constant=constant)


def divide(_: exp.Expr, left: Term, right: Term) -> Term:
    """`left / right`: NULL where the divisor is 0; integers truncate toward zero as in Postgres."""
    type_ = result_type(left, right)
    quotient = quotients(left, right)
    constant = left.constant and right.constant
    if type_.kind is Kind.FLOAT:
        sql = f"({as_float(left).sql} / NULLIF({as_float(right).sql}, 0))"
        return _of_floats(Term(sql, type_, True, quotient, None, constant=constant), left, right)
    if type_.kind is Kind.INTEGER:
        magnitude = left.magnitude
        bounds = quotient.truncated(Fraction(1)) if quotient is not None else None
        sql = f"div({left.sql}::numeric, NULLIF({right.sql}::numeric, 0))"
        return Term(sql, type_, True, bounds, Fraction(1), Fraction(1), magnitude, True, constant=constant)
    left, right = limited_numeric(left), limited_numeric(right)
    return Term(f"({left.sql} / NULLIF({right.sql}, 0))", type_, True, quotient, None, constant=constant)


def quotients(left: Term, right: Term) -> Bounds | None:
    """The bounds of `left / right` where the divisor is not 0: then it is at least one step."""
    inverse = reciprocals(right, right.step if right.step is not None and right.step >= _LEAST_DIVISOR else None)
    return left.bounds * inverse if left.bounds is not None and inverse is not None else None


def reciprocals(divisor: Term, least: Fraction | None) -> Bounds | None:
    """The bounds of 1 / divisor; None if there are none, or the divisor is always 0.

    Args:
        divisor: a number.
        least: the least absolute value that counts; None if it can be anything but 0.
    """
    sides = [(divisor.lowest, divisor.highest), (_negated(divisor.highest), _negated(divisor.lowest))]
    found = []
    for sign, (low, high) in zip((Fraction(1), Fraction(-1)), sides, strict=True):
        nearest = max(low or Fraction(0), least or Fraction(0))
        if high is not None and (high <= 0 or high < nearest):
            continue
        if nearest <= 0:
            return None
        found.append(Bounds(1 / high if high is not None else Fraction(0), 1 / nearest) * Bounds.point(sign))
    return found[0].hull(found[-1]) if found else None


def _negated(limit: Fraction | None) -> Fraction | None:
    return -limit if limit is not None else None


def _negative(term: Term) -> bool:
    return term.bounds is None or term.bounds.low < 0


def modulo(node: exp.Expr, left: Term, right: Term) -> Term:
    """`left % right`: NULL where the divisor is 0; the sign is the dividend's."""
    type_ = result_type(left, right)
    if type_.kind is Kind.FLOAT:
        raise unsupported(node, "% is not defined for double precision", rule="arithmetic-type")
    left, right = limited_numeric(left), limited_numeric(right)
    bounds = None
    if right.bounds is not None:
        reach = right.bounds.magnitude
        bounds = Bounds(-reach if _negative(left) else Fraction(0), reach)
    wide = left.wide or right.wide
    first, second = left.sql, right.sql
    if type_.kind is Kind.INTEGER and not wide:
        first, second = f"{left.sql}::bigint", f"{right.sql}::bigint"
    sql = f"({first} % NULLIF({second}, 0))"
    magnitude = left.magnitude
    step = common_step(left.step, right.step)
    grid = common_step(left.grid, right.grid)
    constant = left.constant and right.constant
    return Term(sql, type_, True, bounds, step, grid, magnitude, wide, constant=constant)


def negate(term: Term) -> Term:
    """`-term`."""
    bounds = -term.bounds if term.bounds else None
    low = -term.high if term.high is not None else None
    term = replace(term, low=low, high=-term.low if term.low is not None else None)
    sql = term.sql
    if term.is_integer and not (term.constant and term.bounds and -term.bounds.low < (term.type.magnitude or 0)):
        # -(-2^63) does not fit bigint; one wider type always does.
        sql = f"{sql}::numeric" if term.type.name == "bigint" else f"{sql}::bigint"
        return replace(term, sql=f"(- {sql})", bounds=bounds, wide=term.type.name == "bigint", literal=None)
    return replace(term, sql=f"(- {sql})", bounds=bounds, literal=f"-{term.literal}" if term.literal else None)


_OPERATIONS: dict[type[exp.Expr], Callable[[exp.Expr, Term, Term], Term]] = {
    exp.Add: add_or_subtract,
    exp.Sub: add_or_subtract,
    exp.Mul: multiply,
    exp.Div: divide,
    exp.Mod: modulo,
}


def binary(node: exp.Expr, left: Term, right: Term) -> Term:
    """Arithmetic between two numbers, by the node's class."""
    return _OPERATIONS[type(node)](node, require_number(node, left), require_number(node, right))


def unify(node: exp.Expr, terms: list[Term], *, compared: bool = False) -> tuple[list[Term], SqlType]:
    """Bring the results of CASE, COALESCE, GREATEST … to the one type that Postgres would choose.

    Args:
        node: for the position of refusals.
        terms: the results, in the order in which Postgres considers their types.
        compared: are they only compared with each other? A real is then compared as double precision; as the result of
            a choice, other numbers become real beside it.

    Raises:
        UnsupportedError: the types do not go together without casts that could fail.
    """
    typed = [term for term in terms if term.kind is not Kind.UNKNOWN]
    if not typed:
        # Constants without a type are texts there, also to a cast around them.
        return terms, TEXT
    check_no_clock(node, terms)
    if all(term.type.is_number for term in typed):
        type_ = typed[0].type
        for term in typed[1:]:
            type_ = result_type(replace(typed[0], type=type_), term) if term.type != type_ else type_
        if type_.kind is Kind.FLOAT:
            if not compared and {term.type.name for term in typed if term.kind is Kind.FLOAT} == {REAL.name}:
                return [as_real(t) if t.type.is_number and t.kind is not Kind.FLOAT else t for t in terms], REAL
            # A choice computes nothing: what floats are beyond the limits of arithmetic, they stay.
            return [as_float(t) if t.type.is_number and t.kind is not Kind.FLOAT else t for t in terms], type_
        return terms, replace(type_, magnitude=None, scale=None)
    kinds = {term.kind for term in typed}
    if kinds == {Kind.TEXT}:
        if sum(not term.constant for term in typed) > 1:
            # Texts of two collations would fail at the first row that compares or sorts them.
            terms = [plainly_collated(term) for term in terms]
        return terms, _common_text(terms)
    if len(kinds) == 1:
        return terms, typed[0].type
    names = ", ".join(sorted({term.type.name for term in typed}))
    raise unsupported(
        node, f"the types {names} in {excerpt(node)} do not match", rule="mixed-types", hint=cast_hint(typed)
    )


def cast_hint(terms: Sequence[Term]) -> str:
    """What to do with values whose types do not match."""
    names = sorted({term.type.name for term in terms})
    plain = next((name for name in names if name != TIMESTAMPTZ.name), names[0])
    return f"Cast them to one type, as in CAST(… AS {plain})."


def _common_text(terms: list[Term]) -> SqlType:
    """The type that Postgres gives several text types: the first one, or `name`, which it prefers only to nothing;
    without its length, unless all have the same."""
    types = [term.type for term in terms if term.sql != "NULL"]
    typed = [type_ for type_ in types if type_.kind is Kind.TEXT]
    first = typed[0]
    if first.name != TEXT.name:
        first = next((type_ for type_ in typed if type_.name == "name"), first)
    same = first.name == "name" or all(type_.length == first.length for type_ in types)
    length = first.length if same else None
    return replace(first, length=length, foreign=next((type_.foreign for type_ in typed if type_.foreign), ""))


def compared_text(left: SqlType, right: SqlType) -> SqlType:
    """The type of the left operand where Postgres compares two texts: character(n), in which trailing blanks do not
    count, beside another character(n), a varchar or a bare literal; but not beside text."""
    if right.kind is Kind.UNKNOWN or left == right:
        return left
    if left.kind is Kind.UNKNOWN:
        return replace(right, length=None)
    names = {left.name, right.name}
    if "bpchar" in names and names <= {"bpchar", "character varying"}:
        return left if left.name == "bpchar" else replace(right, length=None)
    return left if left.name == "name" else TEXT


def plainly_collated(term: Term) -> Term:
    """The text under the database's collation, under which texts are equal only if they are identical."""
    if term.kind is not Kind.TEXT or term.constant or term.is_plain:
        return term
    return term.with_sql(f'({term.sql} COLLATE pg_catalog."default")')
