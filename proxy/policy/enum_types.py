"""The enums that clients can name: those of columns that the policy lists."""

from __future__ import annotations

from proxy.policy import model
from proxy.policy.catalog import Catalog


def named_enums(policy: model.Policy, catalog: Catalog) -> dict[str, frozenset[str] | None]:
    """By "schema.name" the labels of each enum that a visible column has; None where the policy does not declare all of
    them as values of some column, since labels can hold data."""
    found: dict[str, frozenset[str] | None] = {}
    for name, table in policy.tables.items():
        known = catalog.tables.get(name)
        for column in known.columns.values() if known is not None else ():
            # The schema dp is dpproxy's own on the stage.
            if not column.enum or column.enum.startswith("dp.") or not _is_visible(column.name, table):
                continue
            declared = (table.columns or {}).get(column.name, model.ColumnPolicy()).listed
            are_public = bool(column.labels) and set(column.labels) <= set(map(str, declared))
            labels = frozenset(column.labels) if are_public else None
            found[column.enum] = labels or found.get(column.enum)
    return found


def _is_visible(column: str, table: model.TablePolicy) -> bool:
    return (table.public or table.view) if table.columns is None else column in table.columns
