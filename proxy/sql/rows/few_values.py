"""Columns that hold few values: with the unit's column they may complete a unique key, so that a row meets few others.

A foreign key to a public table gives as many values as that has rows, and a condition with a list of constants as many
as are in it. Only estimates of a join's time rest on them (`multiplicity`), never a proof of a row's unit, or that
there is one row.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.named_tables import NamedTable
from proxy.sql.rows.fixed_columns import listed_column
from proxy.sql.rows.members import ColumnOrigin
from proxy.sql.schema import Schema


def most_values(origin: ColumnOrigin, schema: Schema) -> int | None:
    """The most values that a column of a member can have in its rows; None if nothing tells, or it may be NULL, which
    a key can hold in several rows."""
    table = origin.member.table
    if isinstance(table, NamedTable):
        return _most_stored(table, origin.column, schema)
    definitions = table.columns[origin.column].definitions
    if len(definitions) != 1:
        return None
    ((node, relation),) = definitions
    bare = node.unnest()
    if not isinstance(bare, exp.Column):
        return None
    inner = relation.origin(bare)
    found = [most_values(inner, schema)] if not inner.member.optional else []
    for condition, around in table.filters:
        listed = listed_column(condition, around)
        if listed is not None and listed.origin.sql == inner.sql:
            found.append(listed.values)
    return min((most for most in found if most is not None), default=None)


def _most_stored(table: NamedTable, column: str, schema: Schema) -> int | None:
    """The rows of the public table to which a foreign key leads from a column alone."""
    if table.nullable(column):
        return None
    counts = [
        _rows_of_public(key.target, schema)
        for key in table.catalog.foreign_keys
        if key.columns == (column,) and not key.two_equalities
    ]
    return min((count for count in counts if count is not None), default=None)


def _rows_of_public(name: str, schema: Schema) -> int | None:
    """The number of a table's rows, if they are public and all of them are seen."""
    policy, found = schema.policy.tables.get(name), schema.catalog.tables.get(name)
    if policy is None or not policy.public or found is None or found.row_security:
        return None
    return found.row_count
