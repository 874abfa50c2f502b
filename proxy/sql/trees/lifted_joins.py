"""Writes a subquery that only projects and filters an outer join of public rows as the join itself:

    SELECT name, count(id) FROM (SELECT r.name, v.id FROM regions r LEFT JOIN visits v ON region = name) AS t GROUP BY 1

is `SELECT r.name, count(v.id) FROM regions r LEFT JOIN visits v ON region = name GROUP BY 1`. In it the public rows
that meet no private one are groups of zero (`rows.outer_joins`), while in a subquery they would be rows of nobody. BI
tools and data frames write their joins this way, and so do CTEs and views.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import copied, find_all, walk
from proxy.sql.plain_postgres import note_written, render
from proxy.sql.schema import Schema
from proxy.sql.terms.operations import TABLE, key_of
from proxy.sql.trees.aggregate_calls import is_aggregate
from proxy.sql.trees.marks import LIFTED
from proxy.sql.trees.output_names import names_of_outputs, quoted, with_name
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import (
    alias_of,
    column_aliases,
    is_joined_item,
    is_star,
    items_of,
    nested_queries,
    output_name,
    own_nodes,
    replace_all,
    unaliased,
)

_PLAIN = frozenset({"expressions", "from_", "joins", "where", "order"})
"""ORDER BY without LIMIT chooses no rows."""
_MOST_WRITTEN_OUT = 20_000
"""Nodes of a tree."""

_Values = Mapping[str, exp.Expr | None]
"""What a subquery's columns are, over its FROM; None for what cannot be written elsewhere."""


def lift_outer_joins(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Write such subqueries as the joins that they are made of, in place.

    Args:
        query: a tree in which every table of the policy has its schema and every row-level CTE is written out.
        schema: policy and catalog.
    """
    scopes = Scopes(schema)
    # The innermost first: what it becomes may be lifted again.
    for select in reversed(find_all(query, exp.Select)):
        _lift(select, scopes)
    return query


def _lift(select: exp.Select, scopes: Scopes) -> None:
    from_ = select.args.get("from_")
    item = from_.this if from_ is not None else None
    if not isinstance(item, exp.Subquery) or not isinstance(item.this, exp.Select):
        return
    if select.args.get("laterals") or any(value for name, value in item.args.items() if name not in ("this", "alias")):
        return
    body = item.this
    if any(value for name, value in body.args.items() if name not in _PLAIN) or not _keeps_public_rows(body, scopes):
        return
    if not all(_is_computed(node) for output in body.expressions if not is_star(output) for node in own_nodes(output)):
        return
    values, where = _values(body, column_aliases(item), scopes), body.args.get("where")
    if values is None or not _may_hold(select, alias_of(item), values, body, scopes):
        return
    joins = select.args.get("joins") or []
    if joins and not _may_precede(body, select):
        return
    if joins and where is not None:
        # Its bare names could be those of other items, too.
        where = _qualified(where, body, scopes)
        if where is None:
            return
    outputs = select.expressions
    select.set("expressions", _without_stars(outputs, item, values, alone=not joins))
    pairs = _written_out(select, item, values, scopes)
    if pairs is None:
        select.set("expressions", outputs)
        return
    # Names of outputs come from the columns in them.
    select.set("expressions", [with_name(output) for output in select.expressions])
    replace_all(pairs)
    select.set("from_", body.args["from_"])
    select.set("joins", [*(body.args.get("joins") or []), *joins])
    conditions = [clause.this for clause in (where, select.args.get("where")) if clause is not None]
    if conditions:
        both = exp.and_(*(exp.Paren(this=condition) for condition in conditions), copy=False, wrap=False)
        select.set("where", exp.Where(this=both))
    LIFTED.put(select, 1)


def _may_precede(body: exp.Select, select: exp.Select) -> bool:
    """Is the item's join the same in parentheses and without them, before the other items of the SELECT?

    Each of them keeps its rows, so that its conditions may stand in WHERE. No name is that of two items, and no comma
    is in it, which binds less tightly than JOIN."""
    joins = select.args["joins"]
    sides = {str(join.args.get("side") or "").upper() for join in joins}
    if any(join.args.get("using") or join.args.get("method") for join in joins) or sides & {"RIGHT", "FULL"}:
        return False
    if any(not any(map(join.args.get, ("side", "kind", "on", "using", "method"))) for join in body.args["joins"]):
        return False
    names = [alias_of(holder.this) for holder in (*items_of(body), *items_of(select)[1:])]
    return None not in names and len(set(names)) == len(names)


def _without_stars(outputs: Sequence[exp.Expr], item: exp.Subquery, values: _Values, *, alone: bool) -> list[exp.Expr]:
    """The outputs with the item's columns in the place of item.*, and of * where it is alone in FROM."""
    found: list[exp.Expr] = []
    for output in outputs:
        of_table = isinstance(output, exp.Column)
        own = alone if not of_table else is_star(output) and folded(output.args["table"]) == alias_of(item)
        bare = output.this if of_table else output
        whole = is_star(output) and own and not any(bare.args.values())
        found += [exp.column(quoted(name)) for name in values] if whole else [output]
    return found


def _keeps_public_rows(body: exp.Select, scopes: Scopes) -> bool:
    """Is there an outer join in it that keeps public rows beside private ones?"""
    from_ = body.args.get("from_")
    if from_ is None or not scopes.has_rows(body):
        return False
    before = _is_private(from_.this, scopes)
    for join in body.args.get("joins") or []:
        side, joined = str(join.args.get("side") or "").upper(), _is_private(join.this, scopes)
        if (side == "LEFT" and joined and not before) or (side == "RIGHT" and before and not joined):
            return True
        before = before or joined
    return False


def _is_private(item: exp.Expr, scopes: Scopes) -> bool:
    return scopes.reads_private(item) if is_joined_item(item) else scopes.item_is_rows(item)


def _values(body: exp.Select, aliases: Sequence[str], scopes: Scopes) -> _Values | None:
    """The subquery's columns by name; None if it is not known which they are."""
    found: list[tuple[str | None, exp.Expr | None]] = []
    for output in body.expressions:
        if is_star(output):
            shown = _shown(output, body, scopes)
            if shown is None:
                return None
            found += shown
        else:
            found.append((output_name(output), _qualified(unaliased(output), body, scopes)))
    if len(aliases) > len(found):
        return None
    # Nobody can name what has no name, or that of another column.
    own = [name if name is not None else f"\0{place}" for place, (name, _) in enumerate(found)]
    names = [*aliases, *own[len(aliases) :]]
    values = dict(zip(names, (value for _, value in found), strict=True))
    return {name: value if names.count(name) == 1 else None for name, value in values.items()}


def _shown(star: exp.Expr, body: exp.Select, scopes: Scopes) -> list[tuple[str | None, exp.Expr | None]] | None:
    """What * or table.* shows; None if that is not known."""
    wanted = folded(star.args["table"]) if isinstance(star, exp.Column) else None
    holders = items_of(body)
    merges = any(holder.args.get("using") or holder.args.get("method") for holder in holders)
    bare = star.this if isinstance(star, exp.Column) else star
    if any(bare.args.values()) or (wanted is None and merges):
        return None
    found: list[tuple[str | None, exp.Expr | None]] = []
    for item in (holder.this for holder in holders):
        columns = scopes.columns(item)
        if wanted in (None, alias_of(item)):
            if _name_of(item) is None or not columns:
                return None
            found += [(name, exp.column(quoted(name), table=_name_of(item))) for name in columns]
    return found or None


def _qualified(node: exp.Expr, body: exp.Select, scopes: Scopes) -> exp.Expr | None:
    """An output with its table before each column, so that it means the same elsewhere; None if that is not so, or if
    it is a constant, which GROUP BY and ORDER BY would take for the position of an output."""
    columns = [found for found in own_nodes(node) if isinstance(found, exp.Column)]
    if not columns or nested_queries(node):
        return None
    holder = exp.Paren(this=copied(node))
    for column in [found for found in own_nodes(holder) if isinstance(found, exp.Column)]:
        owner = _owner(column, body, scopes)
        if owner is None:
            return None
        column.set("table", owner)
    qualified: exp.Expr = holder.this
    return qualified


def _owner(column: exp.Column, body: exp.Select, scopes: Scopes) -> exp.Identifier | None:
    """The name of the item that a column is of: of the first one, if a LEFT JOIN merges it by USING."""
    if column.args.get("db") or not isinstance(column.this, exp.Identifier):
        return None
    holders, name, qualifier = items_of(body), folded(column.this), column.args.get("table")
    if qualifier is not None:
        named = [holder for holder in holders if alias_of(holder.this) == folded(qualifier)]
        return _name_of(named[0].this) if len(named) == 1 else None
    if any(holder.args.get("method") for holder in holders):
        return None
    # Postgres has refused a name that two of them have.
    unknown = [holder for holder in holders if not scopes.columns(holder.this)]
    having = [holder for holder in holders if name in scopes.columns(holder.this)] or unknown
    merging = [holder for holder in holders if any(folded(merged) == name for merged in holder.args.get("using") or [])]
    sides = {str(holder.args.get("side") or "").upper() for holder in holders}
    if len(having) != 1 + len(merging) or (merging and (unknown or sides & {"RIGHT", "FULL"})):
        return None
    return _name_of(having[0].this)


def _name_of(item: exp.Expr) -> exp.Identifier | None:
    """The name of a FROM item as it is written."""
    alias = item.args.get("alias")
    name = alias.this if alias is not None and alias.this else item.this
    return copied(name) if isinstance(name, exp.Identifier) else None


def _is_computed(node: exp.Expr) -> bool:
    """Is it computed of one row? An aggregate is not, and of a row a function like unnest() would make several."""
    if is_aggregate(node) or isinstance(node, exp.Window):
        return False
    return not isinstance(node, exp.Func) or isinstance(node, (exp.If, exp.Collate)) or key_of(node) in TABLE


def _may_hold(select: exp.Select, alias: str | None, values: _Values, body: exp.Select, scopes: Scopes) -> bool:
    """Do the queries inside the SELECT, besides the item, mean the same with other names in FROM?"""
    names = {alias, *values}
    for holder in items_of(body):
        names |= {alias_of(holder.this), *scopes.columns(holder.this)}
    return all(
        _is_closed(query, scopes) or not any(folded(name) in names for name in find_all(query, exp.Identifier))
        for query in nested_queries(select)
        if query is not body
    )


def _is_closed(query: exp.Expr, scopes: Scopes) -> bool:
    """Does it certainly read nothing of the query around it?"""
    columns = [node for node in own_nodes(query) if isinstance(node, exp.Column) and not is_star(node)]
    return not nested_queries(query) and all(scopes.owner(column, query) is not None for column in columns)


def _written_out(
    select: exp.Select, item: exp.Subquery, values: _Values, scopes: Scopes
) -> list[tuple[exp.Expr, exp.Expr]] | None:
    """What to write in the place of columns; None if one of the subquery's cannot be written there, or a name means
    something else."""
    of_outputs, pairs, written = names_of_outputs(select), list[tuple[exp.Expr, exp.Expr]](), 0
    for column in own_nodes(select):
        if isinstance(column, exp.Star) and column.parent is select:
            return None
        if not isinstance(column, exp.Column) or id(column) in of_outputs:
            continue
        value = _value(column, item, values, select, scopes)
        if value is None:
            return None
        written += len(walk(value))
        if written > _MOST_WRITTEN_OUT:
            return None
        pairs.append((column, value))
    return pairs


def _value(
    column: exp.Column, item: exp.Subquery, values: _Values, select: exp.Select, scopes: Scopes
) -> exp.Expr | None:
    """What stands in the place of a column of the SELECT; None if that is not known, or cannot stand there."""
    if column.args.get("db") or not isinstance(column.this, exp.Identifier):
        return None
    name, qualifier, others = folded(column.this), column.args.get("table"), items_of(select)[1:]
    if qualifier is None:
        if not all(scopes.columns(holder.this) for holder in others):
            return None
        having = [holder.this for holder in others if name in scopes.columns(holder.this)]
        if having:
            owner = _name_of(having[0]) if len(having) == 1 and name not in values else None
            return exp.Column(this=copied(column.this), table=owner) if owner is not None else None
    elif folded(qualifier) != alias_of(item):
        return copied(column) if any(alias_of(holder.this) == folded(qualifier) for holder in others) else None
    if name not in values and qualifier is None and isinstance(column.parent, exp.Group):
        # GROUP BY looks for the names of outputs after those of columns, of which there will be others.
        named = [place for place, output in enumerate(select.expressions, 1) if output_name(output) == name]
        return exp.Literal.number(named[0]) if len(named) == 1 else None
    value = values.get(name)
    if value is None or isinstance(value, exp.Column):
        return copied(value) if value is not None else None
    paren = exp.Paren(this=copied(value))
    note_written(paren, render(column))
    return paren
