"""Rewrites LATERAL subqueries as plain ones, joined by the equalities that tie them to earlier rows.

`FROM patients p, LATERAL (SELECT … FROM visits v WHERE v.patient_id = p.patient_id ORDER BY … LIMIT 1) AS latest` is a
subquery over all visits with a rank within each patient. So the source hashes each table once, and the proof of
ownership is that of any join.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.plain_postgres import note_written, render
from proxy.sql.refusal import correlation_refusal, reads_beside, unsupported
from proxy.sql.schema import Schema
from proxy.sql.trees.aggregate_calls import is_aggregate
from proxy.sql.trees.correlation import Outside, conjunction, correlation_keys, outside, value_of_nothing
from proxy.sql.trees.own_ties import tied_to_own_rows
from proxy.sql.trees.public_ties import tied_to_public_rows
from proxy.sql.trees.ranked_rows import key_name, limited, with_keys
from proxy.sql.trees.scopes import Scopes, read_before
from proxy.sql.trees.walking import (
    alias_of,
    body_of,
    is_star,
    items_of,
    nested_queries,
    output_name,
    own_nodes,
    unaliased,
    write_commas_as_cross_joins,
    write_stars_out,
)


def join_lateral_subqueries(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Turn LATERAL subqueries over private rows into joined ones, in place.

    Raises:
        UnsupportedError: a correlation that is no equality, or OFFSET.
    """
    _visit(query, Scopes(schema))
    return query


def _visit(query: exp.Expr, scopes: Scopes) -> None:
    for child in nested_queries(query):
        _visit(child, scopes)
    for holder in items_of(query) if isinstance(query, exp.Select) else ():
        item = holder.this
        if isinstance(item, exp.Lateral) and isinstance(query, exp.Select):
            body = body_of(item)
            if isinstance(body, exp.Select) and (scopes.reads_private(body) or scopes.has_rows(query)):
                _join(query, holder, item, body, scopes)


def _join(select: exp.Select, holder: exp.Expr, item: exp.Lateral, body: exp.Select, scopes: Scopes) -> None:
    if not scopes.outer_columns(body):
        item.replace(exp.Subquery(this=body.copy(), alias=item.args.get("alias")))
        return
    if read_before(body):
        raise reads_beside(items_of(body)[0].this)
    known = {"expressions", "from_", "joins", "where", "group", "order", "limit"}
    if any(value for name, value in body.args.items() if name not in known) or not isinstance(holder, exp.Join):
        raise correlation_refusal(body)
    if holder.args.get("using") or holder.args.get("method"):
        raise unsupported(
            holder,
            "USING or NATURAL with LATERAL is not supported over private rows",
            rule="join-kind",
            hint="Write the condition with ON.",
        )
    within = tied_to_public_rows(body, select, scopes) or tied_to_own_rows(body, select, scopes) or body
    keys, rest = correlation_keys(within, scopes)
    released = not scopes.has_rows(select)
    alias = alias_of(item) or ""
    aggregated = any(is_aggregate(node) for output in body.expressions for node in own_nodes(output))
    grouped = body.args.get("group") is not None
    inner = with_keys(within, keys, rest, group=aggregated or grouped)
    one_row = aggregated and not grouped
    condition = holder.args.get("on")
    if condition is not None and _is_true(condition):
        condition = None
    if one_row and ((condition is not None and holder.args.get("side")) or not _is_read_by_name(select, holder, body)):
        raise correlation_refusal(body)
    if _is_read_whole(select, alias, scopes):
        raise correlation_refusal(body)
    if not write_stars_out(select) or not write_commas_as_cross_joins(select) or not _name_outputs(select, alias, body):
        raise correlation_refusal(body)
    if one_row:
        _replace_outputs(select, item, body, inner, alias, scopes)
        condition = holder.args.get("on")
    on: list[exp.Expr] = [
        exp.EQ(this=exp.column(key_name(position), table=_name(alias)), expression=key.outer)
        for position, key in enumerate(keys)
    ]
    if condition is not None and not one_row:
        on.append(condition)
    elif condition is not None and not _is_true(condition):
        # The subquery has a row for each earlier row, so that an inner join's condition becomes one on the result.
        where = select.args.get("where")
        select.set("where", conjunction([condition, where.this] if where is not None else [condition]))
    table_alias = exp.TableAlias(this=_name(alias))
    columns = item.args["alias"].args.get("columns") if item.args.get("alias") is not None else None
    if columns:
        raise correlation_refusal(body)
    item.replace(exp.Subquery(this=limited(inner, body, keys, released=released), alias=table_alias))
    joined = conjunction(on)
    holder.set("on", joined.this if joined is not None else None)
    holder.set("kind", None)
    if one_row:
        holder.set("side", "LEFT")


def _is_read_by_name(select: exp.Select, holder: exp.Join, body: exp.Select) -> bool:
    """Are the outputs of a LATERAL item that has one row for each earlier one read by name alone, so that 0 can stand
    for each? NATURAL and USING compare them too, and an outer join around the item shows NULL for them."""
    joins = select.args.get("joins") or []
    place = next((place for place, join in enumerate(joins) if join is holder), None)
    if place is not None:
        around, outer = joins[place + 1 :], {"RIGHT", "FULL"}
    else:
        around = [node for node in own_nodes(select) if isinstance(node, exp.Join) and node is not holder]
        outer = {"LEFT", "RIGHT", "FULL"}
    names = {output_name(output) for output in body.expressions}
    return not any(
        str(join.args.get("side") or "").upper() in outer
        or join.args.get("method")
        or not names.isdisjoint(map(folded, join.args.get("using") or []))
        for join in around
    )


def _is_read_whole(select: exp.Select, alias: str, scopes: Scopes) -> bool:
    """Is the item's own name read as a value? It would show the keys too."""
    unknown = scopes.outer_columns(select)
    return any(column.args.get("table") is None and folded(column.this) == alias for column in unknown)


def _is_true(condition: exp.Expr) -> bool:
    return isinstance(condition, exp.Boolean) and bool(condition.this)


def _name_outputs(select: exp.Select, alias: str, body: exp.Select) -> bool:
    """Write alias.* as the columns that the subquery shows; False if they have no names."""
    outputs: list[exp.Expr] = []
    for output in select.expressions:
        if not (is_star(output) and isinstance(output, exp.Column) and folded(output.args["table"]) == alias):
            outputs.append(output)
            continue
        names = [output_name(shown) for shown in body.expressions]
        if None in names or len(set(names)) < len(names) or any(map(is_star, body.expressions)):
            return False
        outputs += [
            exp.column(exp.to_identifier(name, quoted=True), table=_name(alias)) for name in names if name is not None
        ]
    select.set("expressions", outputs)
    return True


def _name(alias: str) -> exp.Identifier:
    return exp.to_identifier(alias, quoted=True)


def _replace_outputs(
    select: exp.Select, item: exp.Lateral, body: exp.Select, inner: exp.Select, alias: str, scopes: Scopes
) -> None:
    """Compute outputs that are no NULL for rows for which the subquery finds nothing where they are read, even in
    subqueries.

    Args:
        select: reads the item.
        item: the LATERAL item.
        body: its query.
        inner: what becomes of the query: its outputs and keys.
        alias: the item's name.
        scopes: names in trees.
    """
    values: dict[str | None, exp.Expr] = {}
    outputs: list[exp.Expr] = []
    for place, output in enumerate(inner.expressions):
        found = _outside(unaliased(output), place, alias) if place < len(body.expressions) else None
        if found is None:
            outputs.append(output)
            continue
        values[output_name(output)] = found.value
        outputs += [exp.alias_(each, _value(place, part).name) for part, each in enumerate(found.inner)]
    inner.set("expressions", outputs)
    read = [node for node in own_nodes(select) if isinstance(node, exp.Column)]
    read += [column for child in nested_queries(select) if child is not body for column in scopes.outer_columns(child)]
    for column in read:
        if not isinstance(column.this, exp.Identifier) or scopes.owner(column, select) is not item:
            continue
        value = values.get(folded(column.this))
        if value is not None:
            named = isinstance(column.parent, exp.Select) and column.arg_key == "expressions"
            computed = exp.Paren(this=value.copy())
            note_written(computed, render(column))
            column.replace(exp.Alias(this=computed, alias=column.this.copy()) if named else computed)


def _outside(output: exp.Expr, place: int, alias: str) -> Outside | None:
    """An output as it is computed where it is read; None where it is NULL for no rows, which is a column."""
    found = outside(output, lambda part: _value(place, part, alias))
    if found is None:
        missing = exp.Is(this=exp.column(key_name(0), table=_name(alias)), expression=exp.Null())
        case = exp.Case(ifs=[exp.If(this=missing, true=value_of_nothing(output))], default=_value(place, 0, alias))
        return Outside((output.copy(),), case)
    return None if isinstance(found.value, exp.Column) else found


def _value(place: int, part: int, alias: str | None = None) -> exp.Column:
    """What an output is computed from, which has no name among the item's columns."""
    return exp.column(f"dpvalue{place}_{part}", table=_name(alias) if alias is not None else None)
