"""Drops the name of this database where a client qualifies tables and columns with it, as dbt and Tableau do:
`"clinic"."public"."visits"` is `"public"."visits"`. Postgres itself refuses every other database (0A000)."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema


def drop_database_names(query: exp.Query, schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Write names of this database's tables and columns with two and three parts instead of three and four, in place.

    Args:
        query: the query as the client wrote it.
        schema: policy and catalog.
    """
    for node in find_all(query, exp.Table, exp.Column):
        database = node.args.get("catalog")
        if isinstance(database, exp.Identifier) and folded(database) == schema.catalog.database:
            node.set("catalog", None)
    return query
