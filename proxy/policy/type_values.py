"""`values: from_type`: the values that a column's type, an enum, or a CHECK (column IN …) lists."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from proxy.policy.catalog import Catalog, Column
from proxy.policy.column_types import family_of
from proxy.policy.findings import Finding, SourceMap
from proxy.policy.model import Policy, Value


def check_types_list_values(policy: Policy, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """Columns with `from_type` have a type or a CHECK that lists values."""
    for name, column, found in _declared_by_type(policy, catalog):
        if found is None or not found.labels:
            message = f"neither the type of {column} nor a CHECK lists its values"
            hint = f"list them with `values`, or add CHECK ({column} IN (…)) to {name}"
            yield places.error("DP525", ("tables", name, "columns", column, "values"), message, hint)


def with_values_of_types(policy: Policy, catalog: Catalog) -> Policy:
    """The policy with the values themselves in the place of `from_type`."""
    tables = dict(policy.tables)
    for name, column, found in _declared_by_type(policy, catalog):
        columns = dict(tables[name].columns or {})
        values = tuple(_value(label, found) for label in found.labels) if found is not None else ()
        columns[column] = columns[column].model_copy(update={"values": values or None})
        tables[name] = tables[name].model_copy(update={"columns": columns})
    return policy.model_copy(update={"tables": tables})


def _declared_by_type(policy: Policy, catalog: Catalog) -> Iterator[tuple[str, str, Column | None]]:
    for name, table in policy.tables.items():
        for column, declared in (table.columns or {}).items():
            if declared.from_type and name in catalog.tables:
                yield name, column, catalog.tables[name].columns.get(column)


def _value(label: str, column: Column) -> Value:
    family = family_of(column)
    return int(label) if family == "integer" else Decimal(label) if family in ("decimal", "float") else label
