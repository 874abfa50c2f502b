"""Rewrites `(visits v JOIN regions r ON …) AS j` as `(SELECT * FROM visits v JOIN regions r ON …) AS j`.

The alias hides the names inside, and columns of one name can be named by nobody: both as in a subquery.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema
from proxy.sql.trees.walking import is_joined_item


def write_named_joins_as_subqueries(query: exp.Query, _schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Rewrite joins in parentheses that have an alias, in place."""
    for item in find_all(query, exp.Subquery):
        if item.args.get("alias") is not None and is_joined_item(item):
            first = item.this
            joins = first.args.get("joins")
            first.set("joins", None)
            item.set("this", exp.Select(expressions=[exp.Star()], from_=exp.From(this=first), joins=joins))
    return query
