"""Drops casts of columns to the type that they have, as Postgres does: `region::text` is `region` if that is a text.

So GROUP BY region::text groups by region. A cast with another length, precision or scale stays, even one to none, and
`char` is char(1). What counts is the type that clients see: that of a domain's values, and not the domain.
"""

from __future__ import annotations

from typing import Final

from sqlglot import exp
from sqlglot.expressions import DType

from proxy.sql.names import folded
from proxy.sql.nodes import find_all, identical
from proxy.sql.schema import Schema
from proxy.sql.trees.enum_labels import enum_named
from proxy.sql.trees.parentheses import without_parentheses
from proxy.sql.trees.stored_types import StoredTypes, select_around

_NAMES: Final = {
    DType.BOOLEAN: "boolean",
    DType.SMALLINT: "smallint",
    DType.INT: "integer",
    DType.BIGINT: "bigint",
    DType.DECIMAL: "numeric",
    DType.DOUBLE: "double precision",
    DType.FLOAT: "real",
    DType.TEXT: "text",
    DType.VARCHAR: "character varying",
    DType.CHAR: "bpchar",
    DType.BPCHAR: "bpchar",
    DType.TIME: "time without time zone",
    DType.TIMETZ: "time with time zone",
    DType.DATE: "date",
    DType.TIMESTAMP: "timestamp without time zone",
    DType.TIMESTAMPTZ: "timestamp with time zone",
    DType.INTERVAL: "interval",
    DType.UUID: "uuid",
    DType.JSON: "json",
    DType.JSONB: "jsonb",
    DType.INET: "inet",
}
_WITH_LENGTH: Final = {DType.VARCHAR, DType.CHAR, DType.BPCHAR}
_WITH_PRECISION: Final = {DType.TIME, DType.TIMETZ, DType.TIMESTAMP, DType.TIMESTAMPTZ}
_HEADER: Final = 4
"""By what the type modifiers of texts and numerics are larger than the numbers that they are made of."""


def drop_casts_to_own_types(query: exp.Query, schema: Schema, search_path: tuple[str, ...]) -> exp.Query:
    """Drop them in place, in every query; a column that could be taken for an output then gets its table's name.

    Args:
        query: a tree in which every table of the policy has its schema and every row-level CTE is written out.
        schema: policy and catalog.
        search_path: schemas for unqualified names, in order.
    """
    types = StoredTypes(schema)
    # The innermost first, which may be the column of another one.
    for cast in reversed(find_all(query, exp.Cast)):
        bare = cast.this.unnest()
        if cast.__class__ is not exp.Cast or not isinstance(bare, exp.Column):
            continue
        select = _select_of(bare, types)
        if select is None or not _is_own(cast.to, bare, select, types, schema, search_path):
            continue
        if not bare.args.get("table") and _could_be_output(cast, bare):
            alias = types.alias(bare, select)
            if alias is None:
                continue
            bare.set("table", exp.to_identifier(alias, quoted=True))
        cast.replace(bare)
        without_parentheses(bare)
    return query


def _select_of(column: exp.Column, types: StoredTypes) -> exp.Select | None:
    """The SELECT around a column that it is of, as far as that is certain."""
    select = select_around(column)
    while select is not None and types.is_outside(column, select):
        select = select_around(select)
    return select


def _is_own(
    to: exp.Expr,
    column: exp.Column,
    select: exp.Select,
    types: StoredTypes,
    schema: Schema,
    search_path: tuple[str, ...],
) -> bool:
    """Is it the type of a column of a SELECT?"""
    stored = types.column(column, select)
    if stored is None:
        computed = types.computed(column, select)
        while isinstance(computed, exp.Column):
            inner = select_around(computed)
            computed = types.computed(computed, inner)
        return computed.__class__ is exp.Cast and identical(computed.args["to"], to)
    if stored.collation:
        return False  # Several texts are one value: what spells them out stays what it is.
    if stored.enum:
        return enum_named(to, schema, search_path) == stored.enum
    is_array = isinstance(to, exp.DataType) and to.this is DType.ARRAY and len(to.expressions) == 1
    element = to.expressions[0] if is_array else to
    if not isinstance(element, exp.DataType) or element.args.get("kind") or stored.cast_to_text:
        return False
    if to.args.get("values") or element.args.get("values"):
        return False
    name = _NAMES.get(element.this)
    return (
        name is not None
        and stored.type_name == (f"{name}[]" if is_array else name)
        and stored.type_modifier == _modifier(element)
    )


def _modifier(to: exp.DataType) -> int | None:
    """What `atttypmod` is of a column of this type; None where that is not known."""
    written = [parameter.this.name for parameter in to.expressions if isinstance(parameter, exp.DataTypeParam)]
    if len(written) != len(to.expressions) or not all(number.isdigit() for number in written):
        return None
    numbers = [int(number) for number in written]
    if not numbers:
        return 1 + _HEADER if to.this is DType.CHAR else -1
    if to.this is DType.DECIMAL and len(numbers) <= 2:
        precision, scale = numbers if len(numbers) == 2 else (numbers[0], 0)
        return (precision << 16 | scale) + _HEADER
    if len(numbers) == 1 and to.this in _WITH_LENGTH:
        return numbers[0] + _HEADER
    return numbers[0] if len(numbers) == 1 and to.this in _WITH_PRECISION else None


def _could_be_output(cast: exp.Cast, column: exp.Column) -> bool:
    """Would the column's name alone be looked for among the outputs of the SELECT around it, or is one called so?"""
    place = cast.parent
    while isinstance(place, (exp.Paren, exp.Tuple)):
        place = place.parent
    if isinstance(place, (exp.Ordered, exp.Distinct)):
        return True
    name, around = folded(column.this), select_around(cast)
    outputs = around.expressions if around is not None else []
    return any(isinstance(output, exp.Alias) and folded(output.args["alias"]) == name for output in outputs)
