"""Rules on `others`: the name by which all values of a column that are not declared are read (decision 5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from proxy.policy.catalog import Catalog, Column
from proxy.policy.column_types import can_hold, family_of
from proxy.policy.findings import Finding, SourceMap
from proxy.policy.model import Policy
from proxy.policy.unit_paths import ViaError, parse_via

MOST_VALUES: Final = 10_000
"""The most values of a public column that can be declared beside others: every read of the column lists them."""

MOST_CHARACTERS: Final = 200_000
"""The most characters of all these values together."""

_CANNOT: Final = "leave `others` out of this column"


def declaring_columns(policy: Policy) -> dict[str, set[str]]:
    """The columns of public tables, by table, whose values stand beside others: they must be known to read a row."""
    found: dict[str, set[str]] = {}
    for table in policy.tables.values():
        for column in (table.columns or {}).values():
            if column.others is None or column.values_from is None:
                continue
            target, _, name = column.values_from.rpartition(".")
            if target in policy.tables and policy.tables[target].public:
                found.setdefault(target, set()).add(name)
    return found


def check_others(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """`others` names what is not declared, of texts of private tables, and never of what identifies a unit."""
    leading = _leading_columns(policy)
    for table_name, table in policy.tables.items():
        for name, column in (table.columns or {}).items():
            path = ("tables", table_name, "columns", name, "others")
            if column.others is None:
                continue
            if table.public:
                message = "the rows of a public table are read as they are"
                yield source_map.error("DP409", path, message, _CANNOT)
            elif (table_name, name) in leading:
                message = "this column leads to the unit, and other units must not become one"
                yield source_map.error("DP409", path, message, _CANNOT)
            elif column.values is None and column.values_from is None:
                hint = "add `values: [first, second]` or `values_from: schema.table.column`, or remove `others`"
                yield source_map.error("DP409", path, "no values are declared beside which there could be others", hint)
            elif not all(isinstance(value, str) for value in column.listed):
                yield source_map.error("DP409", path, "only texts have a name for other values", _CANNOT)
            elif column.others in column.listed:
                message = f"{column.others!r} is declared itself, so that it would stand for two things"
                yield source_map.error("DP409", path, message, "choose a name that no row has")


def _leading_columns(policy: Policy) -> set[tuple[str, str]]:
    """The columns by which rows of any table lead to their units, by table and name."""
    found = set()
    for name, table in policy.tables.items():
        if table.unit is None:
            continue
        if table.unit.column is not None:
            found.add((name, table.unit.column))
        try:
            hops = parse_via(table.unit.via) if table.unit.via is not None else []
        except ViaError:
            continue  # has a finding of its own
        reached = name
        for hop in hops:
            found |= {(reached, hop.column), (hop.target, hop.target_column)}
            reached = hop.target
    return found


def check_others_fit(policy: Policy, name: str, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """`others` fits the column's type, is no declared value, and the column has no unique key of its own."""
    table = catalog.tables[name]
    for column_name, column in (policy.tables[name].columns or {}).items():
        found = table.columns.get(column_name)
        if column.others is None or found is None:
            continue
        path = ("tables", name, "columns", column_name, "others")
        if family_of(found) != "text":
            message = f"a column of type {found.type_name} has no name for other values"
            yield places.error("DP522", path, message, f"{_CANNOT}: only texts have one")
        elif not can_hold(found, column.others):
            message = f"{column.others!r} is longer than the column's values"
            yield places.error("DP522", path, message, "choose a name as short as they are")
        elif frozenset({column_name}) in table.unique_keys:
            message = "every row has a value of its own here, and others would be one"
            yield places.error("DP522", path, message, _CANNOT)
        elif column.values_from is None:
            if _same_text(found, column.others) in {_same_text(found, str(value)) for value in column.listed}:
                message = f"{column.others!r} is declared itself: trailing blanks do not count in character(n)"
                yield places.error("DP522", path, message, "choose a name that no row has")
        else:
            yield from _check_public_values(found, column.others, column.values_from, name, catalog, places)


def _check_public_values(
    found: Column, others: str, values_from: str, name: str, catalog: Catalog, places: SourceMap
) -> Iterator[Finding]:
    target, _, target_column = values_from.rpartition(".")
    path = ("tables", name, "columns", found.name, "others")
    if target not in catalog.tables or target_column not in catalog.tables[target].columns:
        return  # reported for `values_from`
    values = catalog.tables[target].declared.get(target_column)
    if values is None:
        message = f"{values_from} has more than {MOST_VALUES} values, or {MOST_CHARACTERS} characters in them"
        yield places.error("DP522", path, message, "take the values from a smaller table, or leave `others` out")
    elif _same_text(found, others) in {_same_text(found, value) for value in values}:
        message = f"{others!r} is one of the values of {values_from}, so that it would stand for two things"
        yield places.error("DP522", path, message, "choose a name that no row has")
    elif keeps_others_out(catalog, name, found.name, (target, target_column)):
        message = f"a foreign key keeps other values out of {found.name}, so that this group is always empty"
        yield places.warning("DP523", path, message, "leave `others` out")


def _same_text(column: Column, text: str) -> str:
    """A text as the column compares it."""
    return text.rstrip(" ") if column.type_name in ("bpchar", "character") else text


def keeps_others_out(catalog: Catalog, table: str, column: str, target: tuple[str, str]) -> bool:
    """Do foreign keys make every value of a column one of the target's, possibly through other tables? A foreign key of
    several columns says nothing about a row in which one of them is NULL."""
    found = catalog.tables.get(table)
    for key in found.foreign_keys if found is not None else ():
        if column not in key.columns or key.target == table:
            continue
        sure = len(key.columns) == 1 or not any(
            found.columns[name].nullable for name in key.columns if found is not None
        )
        reached = key.target, key.target_columns[key.columns.index(column)]
        if sure and (reached == target or keeps_others_out(catalog, *reached, target)):
            return True
    return False
