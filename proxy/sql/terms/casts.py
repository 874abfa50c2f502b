"""Casts that cannot fail: constants as in Postgres, columns only where a guard makes the cast total."""

from __future__ import annotations

from fractions import Fraction

from sqlglot import exp
from sqlglot.expressions import DType

from proxy.sql.plain_postgres import excerpt
from proxy.sql.refusal import unsupported
from proxy.sql.replacing import replace
from proxy.sql.terms import clocks, costs, datetimes, intervals, text_casts
from proxy.sql.terms.arithmetic import LARGEST_CONSTANT, Compile, as_float, as_real, limited_numeric
from proxy.sql.terms.bounds import Bounds, nearest_real
from proxy.sql.terms.calling import MOST_CONSTANT, too_large
from proxy.sql.terms.comparable_types import is_comparable
from proxy.sql.terms.operation import Operation
from proxy.sql.terms.term import Term, decimal_text
from proxy.sql.terms.texts import cut, padded, short_document_text, text_of
from proxy.sql.terms.time_units import unit_named
from proxy.sql.terms.types import (
    BIGINT,
    BOOLEAN,
    BPCHAR,
    DATE,
    DOUBLE,
    INTEGER,
    INTERVAL,
    JSONB,
    NUMERIC,
    REAL,
    SMALLINT,
    STORED_AS_NUMERIC,
    TEXT,
    TIME,
    TIMESTAMP,
    TIMESTAMPTZ,
    Kind,
    SqlType,
    hint_of,
    is_document,
    numeric,
    type_named,
)
from proxy.sql.terms.work import size_of

_TYPES: dict[DType, SqlType] = {
    DType.BOOLEAN: BOOLEAN,
    DType.SMALLINT: SMALLINT,
    DType.INT: INTEGER,
    DType.BIGINT: BIGINT,
    DType.DECIMAL: NUMERIC,
    DType.DOUBLE: DOUBLE,
    DType.FLOAT: REAL,
    DType.TEXT: TEXT,
    DType.VARCHAR: type_named("character varying"),
    DType.CHAR: BPCHAR,
    DType.BPCHAR: BPCHAR,
    DType.TIME: TIME,
    DType.DATE: DATE,
    DType.TIMESTAMP: TIMESTAMP,
    DType.TIMESTAMPTZ: TIMESTAMPTZ,
    DType.INTERVAL: INTERVAL,
    DType.UUID: type_named("uuid"),
}


def target_type(node: exp.Expr) -> tuple[SqlType, str]:
    """The type that a cast names, and its SQL with modifiers.

    Raises:
        UnsupportedError: a type that is not on the allow-list.
    """
    to = node.args["to"]
    if isinstance(to, exp.DataType) and to.this is DType.USERDEFINED and isinstance(node.this, (exp.Literal, exp.Null)):
        named = type_named(str(to.args.get("kind")))
        if is_comparable(named):
            return named, named.name
    if isinstance(to, exp.DataType) and to.this is DType.JSONB and isinstance(node.this, (exp.Literal, exp.Null)):
        return JSONB, JSONB.name
    type_ = _TYPES.get(to.this) if isinstance(to, exp.DataType) else None
    modifiers = [parameter.this.name for parameter in to.expressions] if type_ is not None else []
    if type_ is None or not all(modifier.isdigit() for modifier in modifiers):
        raise _no_type(node)
    if type_ is TEXT and to.args.get("kind"):
        # Written by `trees.enum_labels`.
        return replace(TEXT, foreign=str(to.args["kind"])), TEXT.name
    if not modifiers:
        return (replace(BPCHAR, length=1), "character(1)") if to.this is DType.CHAR else (type_, type_.name)
    if type_.kind is Kind.NUMERIC and len(modifiers) <= 2:
        precision, scale = int(modifiers[0]), int(modifiers[1]) if len(modifiers) == 2 else 0
        return numeric(precision, scale), f"numeric({precision},{scale})"
    if type_.kind is Kind.TEXT and type_.name != "text" and len(modifiers) == 1:
        if type_ is BPCHAR and int(modifiers[0]) > MOST_CONSTANT:
            # Blanks up to that length would fill every row.
            raise unsupported(
                node,
                f"type character({modifiers[0]}) is too long over private rows",
                rule="cast-type",
                hint="Use text.",
            )
        if type_ is BPCHAR:
            return replace(BPCHAR, length=int(modifiers[0])), f"character({modifiers[0]})"
        return type_, f"{type_.name}({modifiers[0]})"
    if type_.kind in (Kind.TIME, Kind.TIMESTAMP, Kind.TIMESTAMPTZ) and modifiers[0] in "0123456":
        word, _, rest = type_.name.partition(" ")
        return type_, f"{word}({modifiers[0]}) {rest}"
    raise _no_type(node)


def _no_type(node: exp.Expr) -> Exception:
    to = node.args["to"]
    hint = "Cast to a number, text, boolean, date, time, timestamp or interval, or cast the released result."
    if isinstance(to, exp.DataType) and to.this is DType.MONEY:
        is_constant = isinstance(node.this.unnest(), exp.Literal)
        hint = "Write the amount as a text, as in x > '10'." if is_constant else "Cast to a number instead."
        hint += f" {STORED_AS_NUMERIC}"
    return unsupported(
        node,
        f"a cast to {excerpt(to).lower()} is not supported over private rows",
        rule="cast-type",
        hint=hint,
    )


_PATHS: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.JSONExtractScalar: exp.JSONExtract,
    exp.JSONBExtractScalar: exp.JSONBExtract,
}
"""What finds the member of which these give the text."""

_CASTS_OF_TEXTS = "Texts can be cast to numbers, booleans, dates and timestamps; one that is none is NULL then."


def _cast(node: exp.Expr, compile_: Compile) -> Term:
    type_, name = target_type(node)
    if type_.kind is Kind.INTERVAL:
        counted = _counted_units(node, compile_)
        if counted is not None:
            return counted
    term = _member(node.this.unnest(), type_, compile_) or compile_(node.this)
    if term.kind is Kind.UNKNOWN:
        return _constant(node, term, type_, name)
    if type_.is_number and term.type.is_number:
        return _number(term, type_, name)
    if type_.kind is Kind.TEXT:
        return _to_text(node, term, type_, name)
    if term.kind is Kind.TEXT or is_document(term.type):
        return _from_text(node, term, type_, name)
    if type_.kind is Kind.TIME and term.kind in (Kind.TIME, Kind.TIMESTAMP, Kind.TIMESTAMPTZ):
        return Term(f"{term.sql}::{name}", type_, True, constant=term.constant)
    if type_.is_datetime and term.type.is_datetime:
        return datetimes.recast(datetimes.guarded(term), type_, name)
    if type_.kind is Kind.INTERVAL and term.kind is Kind.TIME:
        return intervals.of_time(term)
    if type_.name == "integer" and term.kind is Kind.BOOLEAN:
        one = Fraction(1)
        bounds = Bounds(Fraction(0), one)
        return Term(f"{term.sql}::integer", INTEGER, term.nullable, bounds, one, one, one, constant=term.constant)
    if type_.kind is Kind.BOOLEAN and term.type.name == "integer":
        return Term(f"({term.sql} <> 0)", BOOLEAN, term.nullable, constant=term.constant)
    if type_ == term.type:
        return term
    raise unsupported(
        node,
        f"a cast from {term.type.name} to {type_.name} is not supported over private rows",
        rule="cast",
        detail="It can fail on a single value, and the failure would reveal it.",
        hint=hint_of([term.type], None),
    )


def _member(text: exp.Expr, type_: SqlType, compile_: Compile) -> Term | None:
    """The text of a member of jsonb, document ->> 'key', where it can be read as a value of the type; None for other
    expressions and types."""
    path = _PATHS.get(text.__class__)
    if path is None or not text_casts.is_short(type_):
        return None
    member = compile_(path(**{name: value.copy() for name, value in text.args.items() if isinstance(value, exp.Expr)}))
    return short_document_text(member) if member.type == JSONB else None


def _counted_units(node: exp.Expr, compile_: Compile) -> Term | None:
    """(n || ' days')::interval as n * interval '1 day'; None for other texts, and where n is no whole number."""
    text = node.this.unnest()
    if not isinstance(text, exp.DPipe) or not isinstance(text.expression, exp.Literal):
        return None
    unit, number = unit_named(text.expression.name.strip()), text.this.unnest()
    while isinstance(number, exp.Cast) and target_type(number)[0].kind is Kind.TEXT:
        number = number.this.unnest()
    if unit is None or compile_(number).kind is not Kind.INTEGER:
        return None
    return intervals.counted(node, number, unit, compile_)


def _from_text(node: exp.Expr, term: Term, type_: SqlType, name: str) -> Term:
    """A cast of a text or a document: NULL where Postgres would refuse the text."""
    read = text_casts.read(term, type_)
    if read is None:
        raise unsupported(
            node,
            f"a cast from {term.type.name} to {type_.name} is not supported over private rows",
            rule="cast",
            detail="It can fail on a single value, and the failure would reveal it.",
            hint="Multiply instead, as in days * interval '1 day'." if type_.kind is Kind.INTERVAL else _CASTS_OF_TEXTS,
        )
    if type_.is_number and read.type != type_:
        return _number(read, type_, name)
    if type_.kind is Kind.NUMERIC and name != type_.name:
        return _limited(read, type_, name)
    return replace(read, sql=f"{read.sql}::{name}", type=type_)


def _constant(node: exp.Expr, term: Term, type_: SqlType, name: str) -> Term:
    """A typed constant; the stage accepted its text when it parsed the client's statement."""
    if term.literal is None:
        return Term(f"NULL::{name}", type_, True, constant=True, size=0)
    if type_.kind is Kind.INTERVAL:
        return intervals.interval_constant(node, term.literal)
    if type_.is_number:
        try:
            value = Fraction(term.literal.strip())
        except ValueError:
            raise unsupported(
                node,
                "this numeric constant is not supported",
                rule="literal",
                detail="Only finite numbers are: NaN and infinity in the rows count as NULL.",
                hint="Write x IS NULL for what is no number.",
            ) from None
        if type_.kind is not Kind.FLOAT and abs(value) > LARGEST_CONSTANT:
            # A quotient of a larger one could leave the range of numeric at the first row that divides.
            raise too_large(node)
        digits = term.literal.strip().partition(".")[2]
        places = Fraction(1, 10 ** len(digits)) if digits.isdigit() else Fraction(1, value.denominator)
        places = places if type_.kind is not Kind.INTEGER else Fraction(1)
        return Term(
            f"{term.sql}::{name}",
            type_,
            False,
            Bounds.point(nearest_real(value) if type_.name == REAL.name else value),
            places,
            places,
            abs(value),
            literal=term.literal.strip(),
            constant=True,
        )
    bounds = datetimes.rounded(clocks.constant(term.literal, type_.kind), name)
    return Term(f"{term.sql}::{name}", type_, False, bounds, literal=term.literal, constant=True)


def _number(term: Term, type_: SqlType, name: str) -> Term:
    if type_.kind is Kind.FLOAT:
        return as_real(term) if type_.name == REAL.name else as_float(term)
    if type_.kind is Kind.NUMERIC and type_.magnitude is None:
        if term.kind is Kind.FLOAT:
            limited = as_float(term)
            # Postgres gives a numeric the digits of its float that are certain: 0.15 of a real, not 0.150000006.
            single = term.type.name == REAL.name
            return replace(
                limited,
                sql=f"{limited.sql}::real::numeric" if single else f"{limited.sql}::numeric",
                type=NUMERIC,
                bounds=term.bounds.to_digits(_REAL_DIGITS if single else _DOUBLE_DIGITS) if term.bounds else None,
                magnitude=Fraction(10) ** 151,
            )
        limited = limited_numeric(term)
        return replace(limited, sql=f"{limited.sql}::numeric", type=NUMERIC, wide=False, literal=None)
    if type_.kind is Kind.NUMERIC and term.kind is Kind.FLOAT:
        # A float is rounded twice, first to its certain digits: 999.99494 becomes 999.995, and then 1000.00.
        term = _number(term, NUMERIC, NUMERIC.name)
    return _limited(term, type_, name)


def _limited(term: Term, type_: SqlType, name: str) -> Term:
    """A cast to integers or numeric(p, s): values that do not fit become NULL, others are rounded as in Postgres."""
    limit = type_.magnitude
    if limit is None:
        raise AssertionError("integers and numeric(p, s) have a magnitude")
    scale = type_.scale or 0
    step = Fraction(1, 10**scale) if scale >= 0 else Fraction(10**-scale)
    # A numeric of any precision can be NaN, which is no integer.
    whole = term.kind is Kind.INTEGER or (term.kind is Kind.NUMERIC and type_.kind is Kind.NUMERIC)
    fits = whole and term.magnitude is not None and term.magnitude + step < limit
    bounds = term.bounds.onto_grid(step) if term.bounds else None
    sql = term.sql
    if not fits:
        # Half a step of slack excludes values that would round up to the limit.
        most = decimal_text(limit - step / 2)
        sql = f"(CASE WHEN {term.sql} > -{most} AND {term.sql} < {most} THEN {term.sql} END)"
    # A whole number by another name: drivers write the type of each parameter behind it.
    literal = term.literal if fits and term.kind is type_.kind is Kind.INTEGER else None
    magnitude, nullable = limit if literal is None else term.magnitude, term.nullable or not fits
    return Term(
        f"{sql}::{name}", type_, nullable, bounds, step, step, magnitude, literal=literal, constant=term.constant
    )


def _to_text(node: exp.Expr, term: Term, type_: SqlType, name: str) -> Term:
    if term.kind is Kind.OTHER and not is_document(term.type):
        raise unsupported(
            node,
            f"a cast from {term.type.name} to text is not supported over private rows",
            rule="cast",
            hint=hint_of([term.type], None),
        )
    text = text_of(node, term)
    # A cast to character(n) pads with blanks, and cutting drops only blanks too.
    sql, size = text.sql, size_of(text)
    if text.kind is Kind.TEXT and not text.constant:
        sql, size = (padded(text).sql if text.type == BPCHAR else cut(text)), min(size, MOST_CONSTANT)
    if name.endswith(")"):
        length = int(name.rpartition("(")[2][:-1])
        size = length if type_ is BPCHAR else min(size, length)
    return Term(f"{sql}::{name}", type_, text.nullable, constant=term.constant, size=size)


_REAL_DIGITS, _DOUBLE_DIGITS = 6, 15
"""Significant digits of a numeric that was a real or a double precision."""

OPERATIONS = (Operation(exp.Cast, _cast, costs.cast, arguments="to", tried=None, strict=True, folded=True),)
