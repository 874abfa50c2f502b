"""Arrays in rows: subscripts, lengths and set operators, none of which can fail."""

from __future__ import annotations

from fractions import Fraction

from sqlglot import exp

from proxy.sql.nodes import find
from proxy.sql.terms import costs, documents
from proxy.sql.terms.arithmetic import Compile
from proxy.sql.terms.arrays import constant_elements
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.calling import MOST_CONSTANT, arguments_of, constant_integer, not_allowed
from proxy.sql.terms.comparisons import comparable
from proxy.sql.terms.mixed_dates import require_one_kind
from proxy.sql.terms.operation import Operation
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import BOOLEAN, INTEGER, Kind, SqlType, element_type, is_document
from proxy.sql.terms.work import MOST_VALUE, size_of

_LONGEST = Fraction(2**28)
_OPERATORS: dict[type[exp.Expr], str] = {
    exp.ArrayContainsAll: "@>",
    exp.ArrayContainedBy: "<@",
    exp.ArrayOverlaps: "&&",
}


def _elements(node: exp.Expr, term: Term) -> SqlType:
    type_ = element_type(term.type)
    if type_ is None:
        raise not_allowed(node)
    return type_


def _element(node: exp.Expr, compile_: Compile) -> Term:
    """column[1], and document['key']."""
    value = compile_(node.this)
    if len(node.expressions) != 1:
        raise not_allowed(node)
    subscript = node.expressions[0]
    if is_document(value.type):
        return documents.subscripted(node, value, compile_(subscript))
    type_ = _elements(node, value)
    index = constant_integer(node, compile_(subscript), -10_000)
    return element_term(value, f"({value.sql})[{index}]", type_, MOST_CONSTANT)


def element_term(array: Term, sql: str, type_: SqlType, most: int) -> Term:
    """An element of an array.

    Args:
        array: the array.
        sql: the element as it is stored.
        type_: its type.
        most: the characters of a text that are read.
    """
    grid = Fraction(1) if type_.kind is Kind.INTEGER else None
    # An element is no larger than its array; a numeric of as many octets can have twice as many digits.
    size = min(size_of(array) * 2, MOST_VALUE) if type_.kind in (Kind.TEXT, Kind.NUMERIC) else None
    if type_.kind is Kind.TEXT:
        sql, size = f"left({sql}, {most})", min(size_of(array), most)
    return Term(sql, type_, True, step=grid, grid=grid, magnitude=type_.magnitude, size=size)


def _length(node: exp.Anonymous, compile_: Compile) -> Term:
    """array_length(x, 1) and cardinality(x)."""
    value, *dimension = arguments_of(node, compile_, *((2, 2) if node.name.lower() == "array_length" else (1, 1)))
    _elements(node, value)
    texts = [value.sql, *(str(constant_integer(node, given, 1, 6)) for given in dimension)]
    one, bounds = Fraction(1), Bounds(Fraction(0), Fraction(10_000))
    return Term(f"{node.name.lower()}({', '.join(texts)})", INTEGER, True, bounds, one, one, _LONGEST)


def _set_operator(node: exp.Expr, compile_: Compile) -> Term:
    """@>, <@ and && between a column and a constant array; @> and <@ of documents."""
    left, right, operator = node.this.unnest(), node.expression.unnest(), _OPERATORS[type(node)]
    if find(left, exp.Column) is None:
        left, right, operator = right, left, {"@>": "<@", "<@": "@>"}.get(operator, operator)
    value = compile_(left)
    if is_document(value.type):
        return documents.contains(node, value, compile_(right), operator)
    elements = constant_elements(right)
    if elements is None:
        raise not_allowed(node)
    return Term(f"({value.sql} {operator} {_constant(node, value, elements, compile_)})", BOOLEAN, value.nullable)


def _constant(node: exp.Expr, value: Term, elements: list[exp.Expr], compile_: Compile) -> str:
    """A constant array in the type of the column beside it."""
    type_ = _elements(node, value)
    terms = [compile_(element) for element in elements]
    for term in terms:
        if not term.constant:
            raise not_allowed(node)
        comparable(node, Term(value.sql, type_), term)
        require_one_kind(node, [Term(value.sql, type_), term])
    return f"ARRAY[{', '.join(term.sql for term in terms)}]::{value.type.name}"


OPERATIONS = (
    Operation(exp.Bracket, _element, costs.document, arguments="expressions", tried=None, strict=True),
    Operation(tuple(_OPERATORS), _set_operator, documents.containing, tried=None, strict=True),
    Operation("array_length cardinality", _length, costs.flat(500), tried=None, strict=True),
)
