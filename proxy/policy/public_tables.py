"""Public tables whose rows seem to be about units: by foreign keys, or by the names of columns alone."""

from __future__ import annotations

from collections.abc import Iterator

from proxy.policy.catalog import Catalog, Column
from proxy.policy.column_types import family_of
from proxy.policy.findings import Finding, SourceMap
from proxy.policy.model import Policy, TablePolicy
from proxy.policy.named_keys import named_key, same_name
from proxy.policy.people import is_called_like_people


def check_public(policy: Policy, name: str, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """A public table does not refer to private rows: such rows usually belong to the same units."""
    if not policy.tables[name].public:
        return
    for key in catalog.tables[name].foreign_keys:
        target: TablePolicy | None = policy.tables.get(key.target)
        if target is not None and not target.public:
            message = f"public, but its column {', '.join(key.columns)} refers to the private table {key.target}"
            hint = "make it private with `unit: {via: …}`, unless its rows really are about nobody"
            yield places.warning("DP519", ("tables", name, "public"), message, hint)
            return
    for message, hint in _seeming_references(policy, name, catalog):
        yield places.warning(
            "DP519", ("tables", name, "public"), message, f"{hint}, unless its rows really are about nobody"
        )
        return
    for message in _people(name, catalog):
        hint = "make both private with a unit, or leave them out, unless their rows really are about nobody"
        yield places.warning("DP519", ("tables", name, "public"), message, hint)


def _people(name: str, catalog: Catalog) -> Iterator[str]:
    """What foreign keys of a public table lead to by whatever way, if that is called like people: at most one."""
    seen, pending = {name}, [(key.columns, key.target) for key in catalog.tables[name].foreign_keys]
    while pending:
        columns, target = pending.pop(0)
        if target in seen:
            continue
        seen.add(target)
        if is_called_like_people(target.partition(".")[2]):
            yield f"public, but its column {', '.join(columns)} leads to {target}, whose rows seem to be people"
            return
        further = catalog.tables[target].foreign_keys if target in catalog.tables else ()
        pending += [(columns, key.target) for key in further]


def _seeming_references(policy: Policy, name: str, catalog: Catalog) -> Iterator[tuple[str, str]]:
    """What the names of a public table's columns say of private rows where no foreign key does, and what to write."""
    declared = {column for key in catalog.tables[name].foreign_keys for column in key.columns}
    mine = [column for column in catalog.tables[name].columns.values() if column.name not in declared]
    for other, table in policy.tables.items():
        theirs = catalog.tables.get(other)
        if table.unit is None or theirs is None:
            continue
        unit = theirs.columns.get(table.unit.column or "id")
        for column in mine:
            key = named_key(column, theirs)
            if unit is not None and unit.name != "id" and _alike(column, unit):
                message = f"public, but it has a column {column.name}, by which {other} tells whose a row is"
                yield message, "make it private with `unit`"
            elif key is not None:
                message = f"public, but its column {column.name} seems to refer to the private table {other}"
                yield message, f"make it private with `unit: {{via: {column.name} -> {other}.{key}}}`"


def _alike(column: Column, other: Column) -> bool:
    return same_name(column.name, other.name) and family_of(column) == family_of(other)
