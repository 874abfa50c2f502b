"""Writes constants that are cast to an enum, 'sent'::order_state, as the texts that its values are for clients.

Postgres itself reads `state = 'sent'` as this cast, and prints it in the text of a view. On the stage the enum has the
name of a domain over text, so that Postgres itself finds it through whatever search_path. No cast to an enum reaches
the source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp
from sqlglot.expressions import DType

from proxy.errors import InvalidTextError
from proxy.sql.names import folded
from proxy.sql.nodes import find_all
from proxy.sql.refusal import position_of, unsupported
from proxy.sql.schema import Schema
from proxy.sql.terms.arrays import constant_elements
from proxy.sql.terms.collations import foreign_order
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import ancestors

_AROUND = (exp.Paren, exp.Array, exp.Tuple, exp.Any, exp.All, exp.Case, exp.If)
_BY_ORDER = (exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between)
_BY_EQUALITY = (exp.EQ, exp.NEQ, exp.In, exp.NullSafeEQ, exp.NullSafeNEQ)
_CHOOSING = frozenset({"greatest", "least"})
"""Where constants alone would be computed by the stage, which orders labels as texts."""

_PART = re.compile(r'"((?:[^"]|"")+)"|([^".]+)')
"""One name of a type as format_type writes it."""


def write_labels_as_texts(query: exp.Query, schema: Schema, search_path: tuple[str, ...]) -> exp.Query:
    """Write casts of constants, and of arrays of them, to an enum of a visible column as casts to text, in place.

    Args:
        query: a tree in which views are written out.
        schema: policy and catalog.
        search_path: schemas for unqualified names, in order.

    Raises:
        InvalidTextError: a constant that is no label of the enum, all of whose labels the policy lists.
        UnsupportedError: labels that are compared by the enum's order.
    """
    if not schema.enums:
        return query
    scopes = Scopes(schema)
    # The innermost first: a parameter is a cast within the client's own.
    for node in reversed(find_all(query, exp.Cast)):
        element, is_array = _element(node.args["to"])
        enum = None if element is None else _enum(element, schema, search_path)
        constants = None if enum is None else _constants(node, is_array=is_array)
        if enum is None or constants is None:
            continue
        labels = schema.enums[enum]
        for constant in constants:
            if labels is not None and isinstance(constant, exp.Literal) and constant.name not in labels:
                name = enum.partition(".")[2]
                message = f'invalid input value for enum {name}: "{constant.name}"'
                raise InvalidTextError(message, position=position_of(node), rule="enum-label")
        _check_order(node, scopes)
        text = exp.DataType(this=DType.TEXT, kind=enum)
        node.set("to", exp.DataType(this=DType.ARRAY, expressions=[text], nested=True) if is_array else text)
    return query


def _check_order(node: exp.Expr, scopes: Scopes) -> None:
    """Among private rows the compiler knows the type. Elsewhere the stage has texts, whose order would be theirs: there
    a label is compared, by what needs no order, and goes nowhere else."""
    place = next((found for found in ancestors(node) if not isinstance(found, _AROUND)), None)
    if isinstance(place, _BY_ORDER) or (isinstance(place, exp.Anonymous) and place.name.lower() in _CHOOSING):
        raise foreign_order(place)
    if not isinstance(place, _BY_EQUALITY) and not _is_among_rows(node, scopes):
        raise unsupported(
            node,
            "a cast to an enum is only supported among private rows, and in =, <>, IN and IS DISTINCT FROM",
            rule="cast-type",
            detail="Elsewhere labels are handled as text, which sorts differently.",
            hint="Leave the cast out: VALUES ('small'), ('medium').",
        )


def _is_among_rows(node: exp.Expr, scopes: Scopes) -> bool:
    """Is it an expression of private rows, and no row beside them?"""
    child = node
    for parent in ancestors(node):
        if isinstance(parent, (exp.From, exp.Lateral)) or (isinstance(parent, exp.Join) and child.arg_key == "this"):
            return False
        if isinstance(parent, exp.Query) and not isinstance(parent, exp.Subquery):
            return isinstance(parent, exp.Select) and scopes.has_rows(parent)
        child = parent
    return False


def _element(to: exp.Expr) -> tuple[list[str] | None, bool]:
    """The parts of the name of a user's own type, and whether it is that of an array's elements; None for others."""
    is_array = isinstance(to, exp.DataType) and to.this is DType.ARRAY and len(to.expressions) == 1
    named = to.expressions[0] if is_array else to
    if not isinstance(named, exp.DataType) or named.this is not DType.USERDEFINED:
        return None, False
    kind = named.args["kind"]
    if isinstance(kind, exp.Expr):
        return list(_parts(kind)), is_array
    name = str(kind)
    return _written_parts(name.removesuffix("[]")), name.endswith("[]")


def _enum(parts: list[str], schema: Schema, search_path: tuple[str, ...]) -> str | None:
    """The enum ("schema.name") of a name; None for other types."""
    schemas = search_path if len(parts) == 1 else (".".join(parts[:-1]),)
    return next((name for place in schemas if (name := f"{place}.{parts[-1]}") in schema.enums), None)


def _parts(kind: exp.Expr) -> Iterator[str]:
    if isinstance(kind, exp.Dot):
        yield from _parts(kind.this)
        kind = kind.expression
    yield folded(kind)


def _written_parts(name: str) -> list[str]:
    return [quoted.replace('""', '"') or bare for quoted, bare in _PART.findall(name)]


def _constants(node: exp.Cast, *, is_array: bool) -> list[exp.Expr] | None:
    """The literals that are cast; None if there is anything else."""
    value = _bare(node.this)
    elements = constant_elements(value) if is_array else [value]
    found = None if elements is None else [_bare(element) for element in elements]
    return found if found is not None and all(map(_is_literal, found)) else None


def _bare(value: exp.Expr) -> exp.Expr:
    """A constant without casts to text, of which parameters have one."""
    while isinstance(value, exp.Paren) or (isinstance(value, exp.Cast) and value.args["to"].this is DType.TEXT):
        value = value.this
    return value


def _is_literal(value: exp.Expr) -> bool:
    return isinstance(value, exp.Null) or (isinstance(value, exp.Literal) and value.is_string)
