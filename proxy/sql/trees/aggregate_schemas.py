"""Drops the schema of aggregates that a client qualifies: `pg_catalog.count(*)` is `count(*)`, and `public.median(x)`,
with or without this database's name, is the median that every stage has. All other passes read names alone."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import find_all
from proxy.sql.postgres_aggregates import AGGREGATES, NAMES_OF_TOOLS
from proxy.sql.schema import Schema

_WRAPPERS = (exp.Filter, exp.IgnoreNulls, exp.RespectNulls, exp.WithinGroup)


def drop_schemas_of_aggregates(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Write calls of aggregates without their schema, in place.

    Args:
        query: the query as the client wrote it.
        schema: policy and catalog.
    """
    for node in find_all(query, exp.Dot, exp.Column):
        names, call = _parts(node)
        if len(names) == 2 and names[0] == schema.catalog.database:
            names = names[1:]
        name = _called(call)
        if names == [_SCHEMAS.get(name)]:
            node.replace(call)
    return query


_SCHEMAS = {name: "public" if name in NAMES_OF_TOOLS else "pg_catalog" for name in AGGREGATES}


def _parts(node: exp.Expr) -> tuple[list[str], exp.Expr]:
    """The names before a call, and the call. With FILTER or WITHIN GROUP the parser takes it for a column."""
    if isinstance(node, exp.Dot):
        schema = node.this
        names = [schema.this, schema.expression] if isinstance(schema, exp.Dot) else [schema]
        return [folded(name) for name in names if isinstance(name, exp.Identifier)], node.expression
    names = [node.args[part] for part in ("catalog", "db", "table") if node.args.get(part) is not None]
    return [folded(name) for name in names if isinstance(name, exp.Identifier)], node.this


def _called(call: exp.Expr) -> str:
    """The name of a function that is called; empty for anything else."""
    while isinstance(call, _WRAPPERS):
        call = call.this
    return call.name.lower() if isinstance(call, exp.Anonymous) else ""
