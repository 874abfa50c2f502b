"""The schema `dp` of a stage: what clients may know of the policy, and empty relations that the proxy fills in.

`dp.tables` and `dp.columns` hold the policy. `dp.budget`, `dp.last`, `dp.ledger` and `dp.sessions` are empty and cannot
be read: the proxy puts their rows into a client's statement, so that nobody ever sees outdated ones (decision 7).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import LiteralString

from psycopg import sql

from proxy.policy import model
from proxy.policy.catalog import Catalog
from proxy.policy.durations import duration_text
from proxy.postgres.stage_aggregates import aggregate_statements
from proxy.postgres.stage_draws import draws_statements
from proxy.postgres.stage_functions import function_statements
from proxy.postgres.stage_guard import policy_statements, readable_statement
from proxy.postgres.stage_schema import source_table, visible_columns
from proxy.postgres.stage_temporary import temporary_statements
from proxy.postgres.stage_trials import trial_statements
from proxy.settings import SETTINGS

ColumnList = tuple[tuple[LiteralString, LiteralString], ...]

BUDGET_COLUMNS: ColumnList = (
    ("account", "text"),
    ("unit", "text"),
    ("table_name", "text"),
    ("analyst", "text"),
    ("epsilon", "numeric"),
    ("epsilon_spent", "numeric"),
    ("epsilon_remaining", "numeric"),
    ("rho", "numeric"),
    ("rho_spent", "numeric"),
    ("delta", "numeric"),
    ("delta_spent", "numeric"),
    ("percent_left", "numeric"),
    ("epsilon_left", "numeric"),
    ("delta_left", "numeric"),
    ("queries_left", "bigint"),
    ("queries_left_at_setting", "bigint"),
    ("renews", "timestamp with time zone"),
    ("risk", "text"),
)
"""Columns of `dp.budget`, in order: (name, type)."""

LEDGER_COLUMNS: ColumnList = (
    ("at", "timestamp with time zone"),
    ("age", "interval"),
    ("analyst", "text"),
    ("account", "text"),
    ("epsilon", "numeric"),
    ("rho", "numeric"),
    ("delta", "numeric"),
    ("statement", "text"),
    ("query", "text"),
    ("clipped", "double precision"),
    ("clipping", "text"),
)
"""Columns of `dp.ledger`, in order: (name, type)."""

LAST_COLUMNS: ColumnList = (
    ("block", "integer"),
    ("statement", "text"),
    ("answer", "text"),
    ("epsilon", "numeric"),
    ("rho", "numeric"),
    ("delta", "numeric"),
    ("percent", "numeric"),
    ("paid_at", "timestamp with time zone"),
    ("groups", "bigint"),
    ("result", "text"),
    ("error", "double precision"),
    ("noise", "text"),
    ("clipped", "double precision"),
    ("clipping", "text"),
)
"""Columns of `dp.last`, in order: (name, type)."""

SESSIONS_COLUMNS: ColumnList = (
    ("pid", "integer"),
    ("session", "bigint"),
    ("login", "text"),
    ("address", "text"),
    ("application_name", "text"),
    ("since", "timestamp with time zone"),
    ("state", "text"),
    ("heard_at", "timestamp with time zone"),
    ("statement", "bigint"),
)
"""Columns of `dp.sessions`, in order: (name, type)."""

VIRTUAL_COLUMNS: Mapping[str, ColumnList] = {
    "budget": BUDGET_COLUMNS,
    "last": LAST_COLUMNS,
    "ledger": LEDGER_COLUMNS,
    "sessions": SESSIONS_COLUMNS,
}
"""The relations of the schema dp that are empty on the stage and filled in for each query."""

_TABLES_COLUMNS: ColumnList = (
    ("table_name", "text"),
    ("unit", "text"),
    ("public", "boolean"),
    ("epsilon", "numeric"),
    ("delta", "numeric"),
    ("windows", "text"),
    ("default_epsilon", "numeric"),
    ("profile_epsilon", "numeric"),
    ("min_epsilon", "numeric"),
    ("max_epsilon", "numeric"),
    ("max_rows", "bigint"),
    ("max_rows_per_group", "bigint"),
    ("max_groups", "bigint"),
    ("min_units", "bigint"),
    ("clock", "interval"),
    ("snap", "boolean"),
    ("recall", "interval"),
    ("data_version", "text"),
)
_COLUMNS_COLUMNS: ColumnList = (
    ("table_name", "text"),
    ("column_name", "text"),
    ("type", "text"),
    ("bounds", "text"),
    ("step", "numeric"),
    ("declared_values", "text[]"),
    ("declared_from", "text"),
    ("others", "text"),
)


def description_statements() -> Iterator[sql.Composed]:
    """Fill the schema `dp` with all that does not depend on the policy."""
    yield from function_statements()
    yield from aggregate_statements()
    yield from draws_statements()
    yield from temporary_statements()
    yield from trial_statements()
    for name, columns in (("tables", _TABLES_COLUMNS), ("columns", _COLUMNS_COLUMNS)):
        yield _create(name, columns)
        yield readable_statement(sql.Identifier("dp", name))
    for name, columns in VIRTUAL_COLUMNS.items():
        yield _create(name, columns)
        yield from policy_statements(sql.Identifier("dp", name))
        yield readable_statement(sql.Identifier("dp", name))


def policy_row_statements(policy: model.Policy, catalog: Catalog) -> Iterator[sql.Composed]:
    """Put the policy into the schema `dp`, in the place of what is there."""
    yield sql.SQL("DELETE FROM dp.tables").format()
    yield sql.SQL("DELETE FROM dp.columns").format()
    for name, table in policy.tables.items():
        yield _insert("tables", _table_row(name, table))
        for column in visible_columns(table, source_table(catalog, name)):
            declared = (table.columns or {}).get(column.name, model.unlisted_column())
            yield _insert("columns", (name, column.name, column.type_name, *_declaration(declared)))


def setting_statements(database: str) -> Iterator[sql.Composed]:
    """Defaults of the settings `dp.*` for sessions on `database`, so that SHOW knows them ('' is the policy's)."""
    for name, setting in SETTINGS.items():
        yield sql.SQL("ALTER DATABASE {} SET {} = {}").format(
            sql.Identifier(database), sql.Identifier(*name.split(".")), sql.Literal(setting.default)
        )


def _create(name: str, columns: ColumnList) -> sql.Composed:
    definitions = sql.SQL(", ").join(
        sql.SQL("{} {}").format(sql.Identifier(column), sql.SQL(type_name)) for column, type_name in columns
    )
    return sql.SQL("CREATE TABLE {} ({})").format(sql.Identifier("dp", name), definitions)


def _table_row(name: str, table: model.TablePolicy) -> tuple[object, ...]:
    """Of a table without a unit there is nothing to say but its name, and whether it is public."""
    if table.unit is None or table.budget is None:
        return (name, None, table.public, *(None,) * (len(_TABLES_COLUMNS) - 3))
    budget, price, caps = table.budget, table.query, table.contribution
    return (
        name,
        table.unit.name,
        table.public,
        budget.epsilon,
        budget.delta,
        None if budget.per is None else f"each {budget.per} of {budget.of}",
        price.epsilon,
        _decimal(price.describing_epsilon),
        _decimal(price.least_epsilon),
        _decimal(price.most_epsilon),
        caps.max_rows,
        caps.max_rows_per_group,
        caps.max_groups,
        caps.min_units,
        table.clock,
        table.snap,
        None if table.recall is None else table.recall.for_,
        str(table.data_version),
    )


def _decimal(value: Fraction) -> Decimal:
    """Twelve significant digits: the policy's numbers, or shares of them."""
    return Decimal(f"{float(value):.12g}")


def _declaration(column: model.ColumnPolicy) -> tuple[str | Decimal | list[str] | None, ...]:
    bounds = column.bounds or column.range
    values = [_text(value) for value in column.listed] or None
    declared_from = "range" if column.range is not None else column.values_from
    limits = None if bounds is None else f"[{_text(bounds[0])}, {_text(bounds[1])}]"
    return limits, column.step, values, declared_from, column.others


def _text(value: model.Bound | model.Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dt.timedelta):
        return duration_text(value)
    if isinstance(value, dt.datetime):
        return value.isoformat(sep=" ")
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


def _insert(table_name: str, row: tuple[object, ...]) -> sql.Composed:
    values = sql.SQL(", ").join(sql.Literal(value) for value in row)
    return sql.SQL("INSERT INTO {} VALUES ({})").format(sql.Identifier("dp", table_name), values)
