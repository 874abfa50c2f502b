"""Qualifies the aggregates that only a stage has, as `public.median(x)`, where they are over public tables or released
results: subqueries that a block reads are evaluated without the client's search_path."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.nodes import find_all
from proxy.sql.postgres_aggregates import NAMES_OF_TOOLS
from proxy.sql.schema import Schema
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import own_nodes


def qualify_names_of_tools(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Qualify them in SELECTs that are no blocks, in place; those of blocks are answered by the planner.

    Args:
        query: a tree in which every table of the policy has its schema and every row-level CTE is written out.
        schema: policy and catalog.
    """
    scopes = Scopes(schema)
    # The innermost first: where it is copied, the copy is rewritten too.
    for select in reversed(find_all(query, exp.Select)):
        if scopes.has_rows(select):
            continue
        for node in own_nodes(select):
            if isinstance(node, exp.Anonymous) and node.name.lower() in NAMES_OF_TOOLS and not _is_qualified(node):
                node.replace(exp.Dot(this=exp.to_identifier("public"), expression=node.copy()))
    return query


def _is_qualified(call: exp.Anonymous) -> bool:
    return isinstance(call.parent, exp.Dot) and call.parent.expression is call
