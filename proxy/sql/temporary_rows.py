"""The temporary tables that a private query reads, written out as the rows that they are.

The source does not have a session's temporary table, and need not: its rows were shown to the analyst, who could have
written them as VALUES. So that is what they become, with the limits and rules of VALUES. A name that the policy knows
is never a temporary table's, and the rows come from the stage, which has no private ones: whatever name is taken for
which, no private row is read without noise.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.nodes import copied, find_all
from proxy.sql.replacing import replace
from proxy.sql.schema import Schema, check_plain_table
from proxy.sql.statement import Statement
from proxy.sql.trees.constants import literal


@dataclass(frozen=True)
class Rows:
    """The rows of a temporary table.

    Attributes:
        columns: name and type of each.
        values: in text form.
    """

    columns: Sequence[tuple[str, str]]
    values: Sequence[Sequence[str | None]]

    def query(self) -> exp.Select:
        """SELECT * FROM (VALUES …) AS …"""
        types = [type_name for _, type_name in self.columns]
        lines = [map(literal, values, types) for values in self.values or [[None] * len(types)]]
        names = [exp.to_identifier(name, quoted=True) for name, _ in self.columns]
        item = exp.Values(
            expressions=[exp.Tuple(expressions=list(line)) for line in lines],
            alias=exp.TableAlias(this=exp.to_identifier("kept"), columns=names),
        )
        select = exp.Select(expressions=[exp.Star()], from_=exp.From(this=item))
        if not self.values:
            select.set("where", exp.Where(this=exp.false()))
        return select


def unknown_names(statement: Statement, schema: Schema, search_path: tuple[str, ...]) -> list[str]:
    """Names of tables that are neither the policy's, nor of WITH, nor in a schema other than pg_temp."""
    return sorted({folded(table.this) for table in _unknown(statement.query, schema, search_path)})


def with_relations(
    statement: Statement, relations: Mapping[str, Rows], schema: Schema, search_path: tuple[str, ...]
) -> Statement:
    """The statement with subqueries in the place of some of its `unknown_names`.

    Args:
        statement: it is not changed.
        relations: the rows of each of these names.
        schema: policy and catalog.
        search_path: schemas for unqualified names, in order.

    Raises:
        UnsupportedError: something other than an alias stands on one of them.
    """
    query = copied(statement.query)
    for table in _unknown(query, schema, search_path):
        name = folded(table.this)
        if name in relations:
            check_plain_table(table)
            alias = table.args.get("alias") or exp.TableAlias(this=exp.to_identifier(name, quoted=True))
            table.replace(exp.Subquery(this=relations[name].query(), alias=alias, joins=table.args.get("joins")))
    return replace(statement, query=query)


def _unknown(query: exp.Query, schema: Schema, search_path: tuple[str, ...]) -> list[exp.Table]:
    found = find_all(query, exp.CTE, exp.Table)
    ctes = {folded(node.args["alias"].this) for node in found if isinstance(node, exp.CTE)}
    tables = [node for node in found if isinstance(node, exp.Table)]
    return [table for table in tables if _is_unknown(table, ctes, schema, search_path)]


def _is_unknown(table: exp.Table, ctes: Collection[str], schema: Schema, search_path: tuple[str, ...]) -> bool:
    if not isinstance(table.this, exp.Identifier) or table.args.get("catalog"):
        return False
    written = table.args.get("db")
    if written is not None:
        return isinstance(written, exp.Identifier) and folded(written) == "pg_temp"
    return folded(table.this) not in ctes and schema.find(table, search_path) is None
