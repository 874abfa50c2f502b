"""Writes constants that are cast to an enum, 'sent'::order_state, as the texts that its values are in source queries.

Postgres itself reads `state = 'sent'` as this cast, and prints it in the text of a view. The type keeps the name of the
enum, which the stage knows (`postgres.stage_enums`). No cast to an enum reaches the source.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp
from sqlglot.expressions import DType

from proxy.errors import InvalidTextError
from proxy.policy.enum_types import name_parts
from proxy.sql.names import folded
from proxy.sql.nodes import find_all
from proxy.sql.refusal import position_of
from proxy.sql.schema import Schema
from proxy.sql.terms.arrays import constant_elements


def write_labels_as_texts(query: exp.Query, schema: Schema, search_path: tuple[str, ...]) -> exp.Query:
    """Write casts of constants, and of arrays of them, to an enum of a visible column as casts to a text that keeps its
    name, in place.

    Args:
        query: a tree in which views are written out.
        schema: policy and catalog.
        search_path: schemas for unqualified names, in order.

    Raises:
        InvalidTextError: a constant that is no label of the enum, all of whose labels are public.
    """
    if not schema.enums:
        return query
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
        node.set("to", text_of_enum(enum, is_array=is_array))
    return query


def text_of_enum(enum: str, *, is_array: bool = False) -> exp.DataType:
    """A text, or an array of texts, that stands for values of an enum ("schema.name")."""
    text = exp.DataType(this=DType.TEXT, kind=enum)
    return exp.DataType(this=DType.ARRAY, expressions=[text], nested=True) if is_array else text


def enum_named(to: exp.Expr, schema: Schema, search_path: tuple[str, ...]) -> str | None:
    """The enum ("schema.name") of a visible column that a type is; None for other types, and for arrays."""
    element, is_array = _element(to)
    return None if element is None or is_array else _enum(element, schema, search_path)


def names_enum(node: exp.Expr) -> bool:
    """Is there a cast to an enum in an expression?"""
    return any(to.this is DType.TEXT and to.args.get("kind") for to in find_all(node, exp.DataType))


def _element(to: exp.Expr) -> tuple[list[str] | None, bool]:
    """The parts of the name of a user's own type, and whether it is that of an array's elements; None for others."""
    is_array = isinstance(to, exp.DataType) and to.this is DType.ARRAY and len(to.expressions) == 1
    named = to.expressions[0] if is_array else to
    if isinstance(named, exp.DataType) and named.this is DType.TEXT and named.args.get("kind"):
        return str(named.args["kind"]).split(".", 1), is_array
    if not isinstance(named, exp.DataType) or named.this is not DType.USERDEFINED:
        return None, False
    kind = named.args["kind"]
    if isinstance(kind, exp.Expr):
        return list(_parts(kind)), is_array
    name = str(kind)
    return name_parts(name.removesuffix("[]")), name.endswith("[]")


def _enum(parts: list[str], schema: Schema, search_path: tuple[str, ...]) -> str | None:
    """The enum ("schema.name") of a name; None for other types."""
    schemas = search_path if len(parts) == 1 else (".".join(parts[:-1]),)
    return next((name for place in schemas if (name := f"{place}.{parts[-1]}") in schema.enums), None)


def _parts(kind: exp.Expr) -> Iterator[str]:
    if isinstance(kind, exp.Dot):
        yield from _parts(kind.this)
        kind = kind.expression
    yield folded(kind)


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
