"""Constants as written, and syntax around an expression that does not change it."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from fractions import Fraction

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.refusal import unsupported
from proxy.sql.terms import costs
from proxy.sql.terms.arithmetic import LARGEST_CONSTANT, Compile
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.calling import not_allowed, too_large
from proxy.sql.terms.operation import Operation
from proxy.sql.terms.term import Term, quote_literal
from proxy.sql.terms.types import BIGINT, BOOLEAN, INTEGER, NUMERIC, UNKNOWN

_MOST_EXPONENT = 1_000
"""Powers of ten: to write out those of 1e99999999 takes a minute."""


def exact(node: exp.Expr) -> Fraction:
    """The number that a literal is.

    Raises:
        UnsupportedError: it is no number, or one of too many digits.
    """
    try:
        number = Decimal(node.name)
    except InvalidOperation:
        raise not_allowed(node) from None
    if not number.is_finite():
        raise not_allowed(node)
    if abs(number.adjusted()) > _MOST_EXPONENT:
        raise too_large(node)
    return Fraction(number)


def _literal(node: exp.Expr, _: Compile) -> Term:
    text = node.name
    if node.args.get("is_string"):
        return Term(_string(node, text), UNKNOWN, False, literal=text, constant=True)
    value = exact(node)
    if len(text) > 200 or abs(value) > LARGEST_CONSTANT:
        raise too_large(node)
    bounds, sql = Bounds.point(value), text
    if text.isdigit():
        type_ = INTEGER if value < 2**31 else BIGINT if value < 2**63 else NUMERIC
        step = Fraction(1)
        if type_ is NUMERIC:
            # Postgres reads -9223372036854775808 as a bigint, in which sums with it would overflow.
            sql = f"{text}::numeric"
    else:
        places = max(0, len(text.partition(".")[2])) if "e" not in text.lower() else 0
        type_ = NUMERIC
        step = Fraction(1, 10**places) if "e" not in text.lower() else abs(value) or Fraction(1)
    return Term(sql, type_, False, bounds, step, step, abs(value), literal=text, constant=True)


def _string(node: exp.Expr, text: str) -> str:
    try:
        return quote_literal(text)
    except ValueError as error:
        raise unsupported(node, str(error), rule="literal") from None


def _string_literal(node: exp.Expr, _: Compile) -> Term:
    """E'…' and $$…$$, whose text the parser has already decoded."""
    return Term(_string(node, node.name), UNKNOWN, False, literal=node.name, constant=True)


def _null(_: exp.Expr, __: Compile) -> Term:
    return Term("NULL", UNKNOWN, True, constant=True)


def _boolean(node: exp.Expr, _: Compile) -> Term:
    text = "true" if node.this else "false"
    return Term(text, BOOLEAN, False, literal=text, constant=True)


def _paren(node: exp.Expr, compile_: Compile) -> Term:
    return compile_(node.this)


def _qualified_call(node: exp.Expr, compile_: Compile) -> Term:
    """pg_catalog.lower(x), which is what lower(x) means on the source."""
    schema, call = node.this, node.expression
    if isinstance(schema, exp.Identifier) and folded(schema) == "pg_catalog" and isinstance(call, exp.Anonymous):
        return compile_(call)
    raise not_allowed(node)


OPERATIONS = (
    Operation(exp.Literal, _literal, costs.flat(0), arguments="is_string", tried=None),
    Operation((exp.ByteString, exp.RawString), _string_literal, costs.flat(0), tried=None),
    Operation(exp.Null, _null, costs.flat(0), tried=None),
    Operation(exp.Boolean, _boolean, costs.flat(0), tried=None),
    Operation(exp.Paren, _paren, costs.flat(0), tried=None, strict=True),
    Operation(exp.Dot, _qualified_call, costs.flat(0), tried=None, strict=True),
)
