"""Writes the question whether private rows exist as a noisy number of units against a threshold.

`SELECT EXISTS (SELECT … FROM visits WHERE …)` and `SELECT 1 FROM visits WHERE … LIMIT 1` become
`bool_or(TRUE)` over these rows: a block that is paid for like any other. So does `name IN (SELECT region FROM visits
WHERE …)`, which asks whether there is a row of that region. That a table of the policy has rows is public,
so that without a condition there is nothing to ask.
"""

from __future__ import annotations

from decimal import Decimal

from sqlglot import exp

from proxy.sql.schema import Schema, check_plain_table
from proxy.sql.trees.aggregate_calls import is_aggregate, is_among_rows, released_clauses
from proxy.sql.trees.constant_conditions import NotConstantError, value_of
from proxy.sql.trees.key_expressions import key_expressions
from proxy.sql.trees.marks import ANSWERED, EXISTENCE
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import alias_of, ancestors, is_star, items_of, nested_queries, own_nodes, unaliased

_PROBED = frozenset({"expressions", "from_", "joins", "where", "limit", "offset", "order"})
_TESTED = frozenset({"expressions", "from_", "joins", "where", "limit", "distinct", "order"})
"""The clauses of a SELECT whose rows are only asked for: in a query of their own, and inside EXISTS."""

_ROWS = frozenset({"from_", "joins", "where"})


def write_existence_as_decisions(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Rewrite in place what stands around blocks; among their rows EXISTS is a condition on rows of the same unit.

    Args:
        query: a tree in which every table of the policy has its schema and every row-level CTE is written out.
        schema: policy and catalog.
    """
    _visit(query, Scopes(schema))
    return query


def _visit(query: exp.Expr, scopes: Scopes) -> None:
    if isinstance(query, exp.Select) and scopes.has_rows(query):
        if _is_probe(query):
            _write_probe(query, scopes)
            return
        clauses = [*released_clauses(query), *([query.args["group"]] if query.args.get("group") else [])]
        released = [child for clause in clauses for child in nested_queries(clause)]
        keys = key_expressions(query, scopes)
        children = [child for child in released if not scopes.outer_columns(child) or _is_beside(child, query, keys)]
    else:
        children = nested_queries(query)
    for child in children:
        if not isinstance(child, exp.Select) or not _is_test(child, scopes):
            _visit(child, scopes)
        elif isinstance(child.parent, exp.Exists):
            child.parent.replace(_decision(child, scopes))
        elif (member := _membership(child, query, scopes)) is not None:
            holder, column = member
            holder.replace(_decision(_of_members(child, column), scopes))
        else:
            _visit(child, scopes)


def _is_beside(child: exp.Expr, select: exp.Select, keys: list[exp.Expr]) -> bool:
    """Is a query computed for each group, and not for each row?"""
    around = [child, *ancestors(child)]
    return not is_among_rows(child, select) and not any(node is key for node in around for key in keys)


def _is_probe(select: exp.Select) -> bool:
    """Is it SELECT constants FROM … LIMIT 1?"""
    if any(value and name not in _PROBED for name, value in select.args.items()):
        return False
    limit, offset = select.args.get("limit"), select.args.get("offset")
    if limit is None or not _is_one(limit) or (offset is not None and not _is(offset.expression, 0)):
        return False
    return all(_is_constant(unaliased(output)) for output in select.expressions)


def _is_one(limit: exp.Expr) -> bool:
    return isinstance(limit, exp.Limit) and _is(limit.expression, 1)


def _is(node: exp.Expr | None, number: int) -> bool:
    try:
        return node is not None and value_of(node) == Decimal(number)
    except NotConstantError:
        return False


def _is_constant(node: exp.Expr) -> bool:
    """Is an output the same in every row?"""
    try:
        value_of(node)
    except NotConstantError:
        return False
    return True


def _is_test(body: exp.Select, scopes: Scopes) -> bool:
    """Is it a query over private rows whose outputs do not matter to EXISTS?"""
    limit = body.args.get("limit")
    return (
        scopes.has_rows(body)
        and not any(value and name not in _TESTED for name, value in body.args.items())
        and (limit is None or _is_one(limit))
        and not any(_is_call(node) for output in body.expressions for node in own_nodes(output))
    )


def _is_call(node: exp.Expr) -> bool:
    """Is it an aggregate, which makes one row, or a function, of which some make none?"""
    return is_aggregate(node) or isinstance(node, (exp.Anonymous, exp.Unnest))


def _membership(body: exp.Select, outer: exp.Expr, scopes: Scopes) -> tuple[exp.In, exp.Column] | None:
    """The `column IN (SELECT …)` that a query stands in, and its column with its table, if it means the same as EXISTS
    there: where NULL counts as false, and the column is the outer query's in the inner one, too."""
    holder = body.parent.parent if isinstance(body.parent, exp.Subquery) else body.parent
    if not isinstance(holder, exp.In) or not isinstance(outer, exp.Select) or len(body.expressions) != 1:
        return None
    if body.args.get("limit") is not None or is_star(body.expressions[0]) or scopes.outer_columns(body):
        return None
    column = holder.this.unnest()
    if not isinstance(column, exp.Column) or not isinstance(column.this, exp.Identifier):
        return None
    owner = scopes.owner(column, outer)
    alias = alias_of(owner) if owner is not None else None
    if alias is None or alias in {alias_of(item.this) for item in items_of(body)}:
        return None
    place: exp.Expr | None = holder.parent
    while isinstance(place, (exp.Connector, exp.Paren)):
        place = place.parent
    if not isinstance(place, exp.Where) or place.parent is not outer:
        return None
    return holder, exp.column(column.this.copy(), table=exp.to_identifier(alias, quoted=True))


def _of_members(body: exp.Select, column: exp.Column) -> exp.Select:
    """The query with the condition that its output is that column of the outer query."""
    asked, where = body.copy(), body.args.get("where")
    same = exp.EQ(this=exp.Paren(this=unaliased(asked.expressions[0]).copy()), expression=column)
    asked.set("where", exp.Where(this=exp.and_(exp.Paren(this=where.this.copy()), same) if where is not None else same))
    return asked


def _write_probe(select: exp.Select, scopes: Scopes) -> None:
    """SELECT 1 FROM … LIMIT 1 as SELECT 1 WHERE (the decision)."""
    decision = _decision(select, scopes)
    for clause in ("from_", "joins", "limit", "offset", "order"):
        select.set(clause, None)
    select.set("where", exp.Where(this=decision))


def _decision(select: exp.Select, scopes: Scopes) -> exp.Expr:
    """TRUE where rows exist, never NULL."""
    if _is_whole_table(select, scopes):
        known = exp.Boolean(this=True)
        ANSWERED.put(known, 1)
        return known
    met = exp.Anonymous(this="bool_or", expressions=[exp.Boolean(this=True)])
    EXISTENCE.put(met, 1)
    asked = select.copy()
    for clause in set(asked.args) - _ROWS:
        asked.set(clause, None)
    asked.set("expressions", [met])
    return exp.Anonymous(this="coalesce", expressions=[exp.Subquery(this=asked), exp.Boolean(this=False)])


def _is_whole_table(select: exp.Select, scopes: Scopes) -> bool:
    source = select.args["from_"].this
    named = scopes.table(source)
    if named is None or not named.private or select.args.get("joins") or select.args.get("where") is not None:
        return False
    check_plain_table(source)
    return True
