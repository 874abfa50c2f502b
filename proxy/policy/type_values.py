"""`values: from_type`: the values that a column's type, an enum, or a CHECK (column IN …) lists."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Final

from proxy.policy.catalog import Catalog, Column
from proxy.policy.column_types import can_hold, family_of
from proxy.policy.findings import Finding, SourceMap
from proxy.policy.model import Policy, Value
from proxy.policy.suggested import in_sql, others_for

_SHOWN: Final = 5
"""Values that a message names."""


def check_types_list_values(policy: Policy, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """Columns with `from_type` have a type or a CHECK that lists values."""
    for name, column, found in _declared_by_type(policy, catalog):
        if found is None or not found.labels:
            message = f"neither the type of {column} nor a CHECK lists its values"
            hint = f"list them with `values`, or add CHECK ({in_sql(column)} IN (…)) to {name}"
            yield places.error("DP525", ("tables", name, "columns", column, "values"), message, hint)


def check_listed_values(policy: Policy, name: str, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """Values that a policy lists are those that the column can hold: no other one, and all of them or `others`."""
    table, columns = policy.tables[name], catalog.tables[name].columns
    for column_name, column in (table.columns or {}).items():
        found = columns.get(column_name)
        listed = column.values if isinstance(column.values, tuple) and not column.from_type else ()
        if found is None or not listed or not all(can_hold(found, value) for value in listed):
            continue
        path = ("tables", name, "columns", column_name, "values")
        possible = [label_value(label, found) for label in found.labels]
        if family_of(found) == "boolean":
            possible = [False, True]
        for index, value in enumerate(listed if possible else ()):
            if value not in possible:
                message = f"no row can have this value: {column_name} holds {_listing(possible)} only"
                yield places.error("DP503", (*path, index), message, "write `values: from_type`, or correct it")
        left = [value for value in possible if value not in listed]
        if column.others is not None or (possible and not left):
            continue
        message = f"nothing keeps other values out of {column_name}: rows with them are in no group of answers"
        others = others_for(catalog.tables[name], found, listed)
        hint = f"{others} gives them a group" if others is not None else "list all values"
        hint += f", and CHECK ({in_sql(column_name)} IN (…)) on the source states that there are none"
        if left:
            message = f"rows with {_listing(left)} are in no group of answers"
            hint = "write `values: from_type` for all values" + (f", or {others}" if others is not None else "")
            if family_of(found) == "boolean":
                hint = "write `values: [false, true]`"
        yield places.warning("DP507", path, message, hint)


def _listing(values: Sequence[Value]) -> str:
    shown = ", ".join(str(value).lower() if isinstance(value, bool) else str(value) for value in values[:_SHOWN])
    return f"{shown}, …" if len(values) > _SHOWN else shown


def with_values_of_types(policy: Policy, catalog: Catalog) -> Policy:
    """The policy with the values themselves in the place of `from_type`."""
    tables = dict(policy.tables)
    for name, column, found in _declared_by_type(policy, catalog):
        columns = dict(tables[name].columns or {})
        values = tuple(label_value(label, found) for label in found.labels) if found is not None else ()
        columns[column] = columns[column].model_copy(update={"values": values or None})
        tables[name] = tables[name].model_copy(update={"columns": columns})
    return policy.model_copy(update={"tables": tables})


def _declared_by_type(policy: Policy, catalog: Catalog) -> Iterator[tuple[str, str, Column | None]]:
    for name, table in policy.tables.items():
        for column, declared in (table.columns or {}).items():
            if declared.from_type and name in catalog.tables:
                yield name, column, catalog.tables[name].columns.get(column)


def label_value(label: str, column: Column) -> Value:
    """What a policy writes for a label of a column (`Column.labels`)."""
    family = family_of(column)
    if family == "date":
        return dt.date.fromisoformat(label)
    return int(label) if family == "integer" else Decimal(label) if family in ("decimal", "float") else label


def possible_labels(texts: Iterable[str], column: Column) -> tuple[str, ...]:
    """Those of some texts that are values of the column, each once; none if one is a value that no policy lists."""
    found: dict[str, None] = {}
    for text in texts:
        try:
            value = label_value(text, column)
        except (ArithmeticError, ValueError):
            continue
        if family_of(column) in (None, "timestamp", "timestamp with time zone", "interval", "boolean"):
            return ()
        if isinstance(value, Decimal) and not value.is_finite():
            return ()
        if can_hold(column, value):
            found[text] = None
    return tuple(found)
