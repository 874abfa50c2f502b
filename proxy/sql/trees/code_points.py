"""Drops `COLLATE "C"` among private rows, where the order of texts is that of code points anyway."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import own_nodes

_BY_CODE_POINT = frozenset({"C", "POSIX", "ucs_basic"})


def drop_code_point_collations(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Write `region COLLATE "C"` as `region` in SELECTs over private rows, in place; other collations are refused.

    Args:
        query: a tree in which every table of the policy has its schema and every row-level CTE is written out.
        schema: policy and catalog.
    """
    scopes = Scopes(schema)
    for select in find_all(query, exp.Select):
        if scopes.has_rows(select):
            for node in own_nodes(select):
                if isinstance(node, exp.Collate) and _name(node) in _BY_CODE_POINT:
                    node.replace(node.this)
    return query


def _name(node: exp.Collate) -> str | None:
    named = node.expression
    if isinstance(named, exp.Column):
        of_catalog = folded(named.args["table"]) == "pg_catalog" if named.args.get("table") else True
        named = named.this if of_catalog else None
    return folded(named) if isinstance(named, exp.Identifier) else None
