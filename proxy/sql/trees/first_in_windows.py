"""Moves the condition that a row is the first of its window into the subquery that numbers rows:

    … FROM (SELECT *, row_number() OVER (PARTITION BY patient_id ORDER BY visited_at) AS n FROM visits) v
    JOIN patients p ON p.patient_id = v.patient_id WHERE v.n = 1

joins `(SELECT * FROM (…) v WHERE v.n = 1) v`, of which it is known that each patient has one row (`rows.unique_rows`).
The condition also stays where it was: rows that an outer join fills with NULL meet it no more than those left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import copied, find_all
from proxy.sql.schema import Schema
from proxy.sql.trees.conjuncts import conjuncts
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import alias_of, body_of, is_star, items_of, output_name, unaliased

_LIMITS: Final[dict[type[exp.Expr], str]] = {exp.EQ: "1", exp.LTE: "1", exp.LT: "2"}
_MIRRORED: Final[dict[type[exp.Expr], str]] = {exp.EQ: "1", exp.GTE: "1", exp.GT: "2"}


def first_of(condition: exp.Expr) -> exp.Column | None:
    """The column of which a condition says that it is 1, or less than 2."""
    sides = condition.args.get("this"), condition.args.get("expression")
    for (column, limit), known in ((sides, _LIMITS), (sides[::-1], _MIRRORED)):
        if not isinstance(column, exp.Column) or not isinstance(limit, exp.Literal) or limit.is_string:
            continue
        if known.get(type(condition)) == limit.name:
            return column
    return None


def write_first_rows_in_subqueries(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Write such conditions in the subqueries too, in place.

    Args:
        query: a tree in which every table of the policy has its schema and every row-level CTE is written out.
        schema: policy and catalog.
    """
    scopes = Scopes(schema)
    for select in find_all(query, exp.Select):
        holders = items_of(select)
        for condition, only in _conditions(select) if len(holders) > 1 else ():
            column = first_of(condition)
            owner = scopes.owner(column, select) if column is not None else None
            holder = next((each for each in holders if each.this is owner), None)
            if column is None or holder is None or (only is not None and only is not holder):
                continue
            if isinstance(owner, exp.Subquery) and _numbers(folded(column.this), owner, scopes):
                _narrow(holder, owner, condition)
    return query


def _conditions(select: exp.Select) -> Iterator[tuple[exp.Expr, exp.Expr | None]]:
    """Conditions that decide which rows the SELECT has, each with the only item that it may be moved into; None for
    those that may be moved into each."""
    if select.args.get("where") is not None:
        for condition in conjuncts(select.args["where"].this):
            yield condition, None
    for join in select.args.get("joins") or []:
        side = str(join.args.get("side") or "").upper()
        if join.args.get("on") is not None and side in ("", "LEFT"):
            for condition in conjuncts(join.args["on"]):
                yield condition, join if side else None


def _numbers(name: str, item: exp.Subquery, scopes: Scopes) -> bool:
    """Is a column of a subquery over rows of units row_number(), handed on by those around it?"""
    body = body_of(item)
    alias = item.args.get("alias")
    if not isinstance(body, exp.Select) or (alias is not None and alias.args.get("columns")):
        return False
    for output in body.expressions:
        if is_star(output):
            inside = [holder.this for holder in items_of(body) if isinstance(holder.this, exp.Subquery)]
            if any(_numbers(name, each, scopes) for each in inside):
                return True
        if output_name(output) != name:
            continue
        bare = unaliased(output).unnest()
        if isinstance(bare, exp.Window):
            call = bare.this
            return isinstance(call, exp.Anonymous) and call.name.lower() == "row_number" and scopes.is_rows(body)
        owner = scopes.owner(bare, body) if isinstance(bare, exp.Column) and not is_star(bare) else None
        return isinstance(owner, exp.Subquery) and _numbers(folded(bare.this), owner, scopes)
    return False


def _narrow(holder: exp.Expr, item: exp.Subquery, condition: exp.Expr) -> None:
    alias = exp.TableAlias(this=exp.to_identifier(alias_of(item), quoted=True))
    where = copied(condition)
    for column in find_all(where, exp.Column):
        column.set("table", alias.this.copy())
    rows = exp.Select(expressions=[exp.Star()], where=exp.Where(this=where))
    holder.set("this", exp.Subquery(this=rows, alias=alias))
    rows.set("from_", exp.From(this=item))
