"""Writes out LATERAL items that only compute columns of the row beside them, as Postgres's planner does:

    SELECT sum(d.net) FROM visits v CROSS JOIN LATERAL (SELECT v.cost * 0.8 AS net) AS d WHERE d.net > 10

is `SELECT sum(v.cost * 0.8) FROM visits v WHERE v.cost * 0.8 > 10`. A row of VALUES is the same in other words. Several
rows turn columns into rows: each has a row of constants with its number, and is computed by that (`written_rows`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import takewhile

from sqlglot import exp

from proxy.errors import UnsupportedError
from proxy.sql.names import folded
from proxy.sql.nodes import copied, find_all, walk
from proxy.sql.plain_postgres import note_written, render
from proxy.sql.refusal import unsupported
from proxy.sql.schema import Schema
from proxy.sql.terms.operations import operation_of
from proxy.sql.terms.types import Kind, type_named
from proxy.sql.trees.aggregate_calls import is_aggregate
from proxy.sql.trees.column_types import stored_type
from proxy.sql.trees.output_names import names_of_outputs, quoted, with_name
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import (
    alias_of,
    is_joined_item,
    is_star,
    items_of,
    nested_queries,
    own_nodes,
    replace_all,
    write_stars_out,
)
from proxy.sql.trees.written_rows import WrittenRows, numbered, written_rows

_SCALAR = (
    *(exp.Column, exp.Identifier, exp.Literal, exp.Null, exp.Boolean, exp.Paren),
    *(exp.Neg, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Cast, exp.DataType, exp.DataTypeParam),
)
"""Nodes of which no array is made, where no column and no type is one."""
_NO_SCALAR = (exp.DType.ARRAY, exp.DType.USERDEFINED)
_MOST_ITEMS = 100
"""Each is looked for in the whole SELECT."""
_MOST_WRITTEN_OUT = 20_000
"""Nodes of a tree."""
_WRITTEN_OUT = "Each column that they compute is written out where it is read, one within the other."


def write_computed_items_as_expressions(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Replace the columns of LATERAL items without FROM, beside private rows, by what they compute, in place.

    Args:
        query: a tree in which every table of the policy has its schema and every row-level CTE is written out.
        schema: policy and catalog.

    Raises:
        UnsupportedError: an item with a condition, or too much to write out.
    """
    _visit(query, Scopes(schema))
    return query


def _visit(query: exp.Expr, scopes: Scopes) -> None:
    for child in nested_queries(query):
        _visit(child, scopes)
    if not isinstance(query, exp.Select) or not scopes.has_rows(query):
        return
    joins = [join for join in query.args.get("joins") or [] if isinstance(join.this, (exp.Lateral, exp.Unnest))]
    if len(joins) > _MOST_ITEMS:
        raise unsupported(
            joins[_MOST_ITEMS],
            f"this query has more than {_MOST_ITEMS} LATERAL items",
            rule="expression-size",
            detail=_WRITTEN_OUT,
            hint="Compute several columns in one item, as in LATERAL (SELECT x + 1 AS a, x + 2 AS b).",
        )
    written = 0
    # The last first: an item may read those before it.
    for join in reversed(joins):
        written += _write_out(query, join, join.this, scopes)
        if written > _MOST_WRITTEN_OUT:
            raise unsupported(
                join,
                "the LATERAL items of this query are too large",
                rule="expression-size",
                detail=_WRITTEN_OUT,
                hint="Use fewer of them, or compute columns in a subquery in FROM.",
            )


def _write_out(select: exp.Select, join: exp.Join, item: exp.Expr, scopes: Scopes) -> int:
    """Write out an item, if it only computes columns. Returns the number of nodes that were written."""
    written, alias = written_rows(item), alias_of(item)
    if written is None or alias is None or not _only_computes(written):
        return 0
    if written.flattened and not all(_has_no_array(node, select, scopes) for row in written.rows for node in row):
        return 0
    several = len(written.rows) > 1
    if written.conditional or _has_condition(join):
        raise _unsupported_condition(item, several=several, outer=bool(join.args.get("side")))
    if not _keeps_each_row(select, join):
        return 0
    if _is_read_otherwise(select, join, alias, written.names):
        return 0
    found = [[_qualified(node, select, join, scopes) for node in row] for row in written.rows]
    rows = tuple(tuple(node for node in row if node is not None) for row in found)
    if any(len(row) < len(written.names) for row in rows) or not write_stars_out(select):
        return 0
    place = []
    if several:
        taken = {folded(name) for name in find_all(select, exp.Identifier)}
        named = item.args["alias"].this
        constants, expressions = numbered(WrittenRows(written.names, rows), named, taken)
        for name, expression in zip(written.names, expressions, strict=True):
            for node in (expression, expression.this):
                note_written(node, render(exp.column(name, table=named.copy())))
        place.append(constants)
    else:
        expressions = list(rows[0])
    values = dict(zip(written.names, expressions, strict=True))
    blind = {id(node) for holder in _before(select, join) for node in own_nodes(holder)}
    joins = [place if other is join else [other] for other in select.args["joins"]]
    select.set("joins", [other for others in joins for other in others])
    return _replace(select, alias, values, blind)


def _unsupported_condition(item: exp.Expr, *, several: bool, outer: bool) -> UnsupportedError:
    hint = "Write the condition in WHERE, after CROSS JOIN LATERAL (SELECT …) AS name."
    if several:
        hint = "Write the condition in WHERE, after CROSS JOIN LATERAL (VALUES …) AS name."
    elif outer:
        hint = "Compute NULL where the condition does not hold: CASE WHEN condition THEN x END."
    return unsupported(
        item,
        "a condition of a LATERAL item without FROM is not supported over private rows",
        rule="correlation",
        detail="Its columns are written out where they are read.",
        hint=hint,
    )


def _before(select: exp.Select, join: exp.Join) -> list[exp.Expr]:
    """What stands before the item in FROM, and does not see it."""
    return [select.args["from_"], *takewhile(lambda other: other is not join, select.args["joins"])]


def _only_computes(written: WrittenRows) -> bool:
    """Does the item compute columns, and nothing else? A constant in a single row is not computed: GROUP BY would read
    it as the position of an output, and a string in an item has a type of its own."""
    if not all(_is_computed(node) for row in written.rows for node in row):
        return False
    return len(written.rows) > 1 or all(map(_reads_columns, written.rows[0]))


def _has_no_array(node: exp.Expr, select: exp.Select, scopes: Scopes) -> bool:
    """Is it certainly no array? Stored columns have a type, and calculations with numbers make none."""
    parts = own_nodes(node)
    stored = [stored_type(part, select, scopes) for part in parts if isinstance(part, exp.Column)]
    written = [part.this for part in parts if isinstance(part, exp.DataType)]
    return (
        all(isinstance(part, _SCALAR) for part in parts)
        and all(type_named(name or "").kind is not Kind.OTHER for name in stored)
        and not any(kind in _NO_SCALAR for kind in written)
    )


def _reads_columns(node: exp.Expr) -> bool:
    return any(isinstance(part, exp.Column) for part in own_nodes(node))


def _is_computed(output: exp.Expr) -> bool:
    nodes = own_nodes(output)
    return (
        not nested_queries(output)
        and not any(is_aggregate(node) or isinstance(node, (exp.Window, exp.Star)) for node in nodes)
        # Of a row a function like unnest() would make several, whether they are read or not.
        and all(operation_of(node) is not None for node in nodes if isinstance(node, exp.Anonymous))
    )


def _has_condition(join: exp.Join) -> bool:
    condition = join.args.get("on")
    return condition is not None and not (isinstance(condition, exp.Boolean) and bool(condition.this))


def _keeps_each_row(select: exp.Select, join: exp.Join) -> bool:
    """Has the join a row for each one before it, and no other, whose columns nothing but their names reads?"""
    joins = select.args["joins"]
    after = joins[[other is join for other in joins].index(True) + 1 :]
    return not any(other.args.get("using") or other.args.get("method") for other in (join, *after)) and not any(
        str(other.args.get("side") or "").upper() in ("RIGHT", "FULL") for other in joins
    )


def _is_read_otherwise(select: exp.Select, join: exp.Join, alias: str, computed: Collection[str]) -> bool:
    """Is the item read as a whole, or could a query inside this one read it? Names mean other things there."""
    for column in own_nodes(select):
        if isinstance(column, exp.Column):
            qualifier = column.args.get("table")
            if isinstance(column.this, exp.Star):
                if qualifier is not None and folded(qualifier) == alias and column.parent is not select:
                    return True
            elif qualifier is None and folded(column.this) == alias and alias not in computed:
                return True
    # Only LATERAL items, perhaps in joins in parentheses, and conditions see others.
    items = [other.this for other in select.args["joins"]]
    others = [item for item in items if not isinstance(item, exp.Lateral) and not is_joined_item(item)]
    blind = {id(query) for holder in (*_before(select, join), join.this, *others) for query in nested_queries(holder)}
    return any(
        folded(name) == alias or folded(name) in computed
        for query in nested_queries(select)
        if id(query) not in blind
        for name in find_all(query, exp.Identifier)
    )


def _qualified(node: exp.Expr, select: exp.Select, join: exp.Join, scopes: Scopes) -> exp.Expr | None:
    """The expression with the item before the join named in each column; None if one comes from elsewhere, or is of
    several items."""
    before = list(takewhile(lambda holder: holder is not join, items_of(select)))
    merged = {folded(name) for holder in before for name in holder.args.get("using") or []}
    natural = any(holder.args.get("method") for holder in before)
    copy = exp.Paren(this=copied(node))
    for column in [found for found in own_nodes(copy) if isinstance(found, exp.Column)]:
        owner = scopes.owner(column, select)
        if owner is None or not any(holder.this is owner for holder in before):
            return None
        if column.args.get("table") is None:
            alias = owner.args.get("alias")
            name = alias.this if alias is not None and alias.this else owner.this
            if natural or folded(column.this) in merged or not isinstance(name, exp.Identifier):
                return None
            column.set("table", copied(name))
    return copy


def _replace(select: exp.Select, alias: str, values: Mapping[str, exp.Expr], blind: Collection[int]) -> int:
    """Write the values out where the item's columns are read: not by the nodes that are `blind` to it, by id."""
    outputs: list[exp.Expr] = []
    for output in select.expressions:
        whole = isinstance(output, exp.Column) and is_star(output) and folded(output.args["table"]) == alias
        outputs += [exp.column(quoted(name), table=quoted(alias)) for name in values] if whole else [output]
    # Names of outputs come from the columns in them.
    select.set("expressions", [with_name(output) for output in outputs])
    of_outputs = names_of_outputs(select)
    sizes = {name: len(walk(value)) for name, value in values.items()}
    written = 0
    pairs: list[tuple[exp.Expr, exp.Expr]] = []
    for column in own_nodes(select):
        if (
            not isinstance(column, exp.Column)
            or isinstance(column.this, exp.Star)
            or id(column) in blind
            or id(column) in of_outputs
        ):
            continue
        name, qualifier = folded(column.this), column.args.get("table")
        # Postgres has refused a bare name that another item has too.
        if name not in values or (qualifier is not None and folded(qualifier) != alias):
            continue
        written += sizes[name]
        if written > _MOST_WRITTEN_OUT:
            break
        value = copied(values[name])
        # Messages show it, so no more parentheses than it needs.
        bare = isinstance(value.this, exp.Column) or isinstance(column.parent, (exp.Anonymous, exp.AggFunc))
        pairs.append((column, value.this if bare else value))
    replace_all(pairs)
    return written
