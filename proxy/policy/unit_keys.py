"""Where foreign keys say that rows belong to another unit than a policy says (decision 3)."""

from __future__ import annotations

from collections.abc import Iterator

from proxy.policy.catalog import Catalog, Column, ForeignKey, Table
from proxy.policy.column_types import IDENTITIES, family_of
from proxy.policy.findings import Finding, PolicyPath, SourceMap
from proxy.policy.identifying import words_of
from proxy.policy.model import Policy, TablePolicy, UnitReference
from proxy.policy.named_keys import GENERAL_NAMES, named_key, same_name, singular
from proxy.policy.unit_paths import parse_via


def check_unit_is_where_keys_lead(policy: Policy, name: str, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """Rows that lead to private rows of other tables are of the same unit; another unit they do not protect."""
    table, found = policy.tables[name], catalog.tables[name]
    for key in found.foreign_keys if table.unit is not None else ():
        target = policy.tables.get(key.target)
        if table.unit is None or target is None:
            continue
        if target.unit is not None and target.unit.name != table.unit.name:
            yield _other_unit(name, key, target.unit, places)
        elif key.target == name and key.columns == (table.unit.column,):
            message = f"{key.columns[0]} leads to another row of {name}: it tells whose that one is, not this one"
            hint = f"name the column that tells whose the row is, such as {key.target_columns[0]}; or allow DP526"
            yield places.warning("DP526", (*_unit(name), "column"), message, hint)
        elif target.unit is not None and table.unit.column is not None:
            yield from _same_unit(name, table, key, target.unit, catalog, places)
        elif target.public and key.columns == (table.unit.column,):
            message = f"{key.columns[0]} leads to {key.target}, which is public: nobody is protected by it"
            hint = f"name the column that tells whose the row is, or make {key.target} private"
            yield places.warning("DP526", (*_unit(name), "column"), message, hint)


def _unit(name: str) -> PolicyPath:
    return ("tables", name, "unit")


def _via(key: ForeignKey) -> str:
    return f"via: {', '.join(key.columns)} -> {key.target}.{', '.join(key.target_columns)}"


def _other_unit(name: str, key: ForeignKey, owner: UnitReference, places: SourceMap) -> Finding:
    columns = ", ".join(key.columns)
    message = f"{columns} leads to {key.target}, whose unit is {owner.name}: no {owner.name} is protected here"
    hint = f"write `{{name: {owner.name}, {_via(key)}}}`, or allow DP526 and say why"
    return places.warning("DP526", _unit(name), message, hint)


def _same_unit(
    name: str, table: TablePolicy, key: ForeignKey, owner: UnitReference, catalog: Catalog, places: SourceMap
) -> Iterator[Finding]:
    """A key leads to the unit itself, or to its rows elsewhere, and is not what the policy goes by."""
    column = table.unit.column if table.unit is not None else None
    mine = catalog.tables[name].columns.get(column or "")
    if mine is not None and family_of(mine) not in IDENTITIES:
        return  # reported otherwise
    if column in key.columns:
        if key.columns == (column,) and key.target != name and owner.column not in (None, *key.target_columns):
            message = (
                f"{column} leads to {key.target} by its {key.target_columns[0]}, but the unit is its {owner.column}"
            )
            hint = f"write `{_via(key)}` instead of `column`, or correct the column of one of both tables"
            yield places.warning("DP526", (*_unit(name), "column"), message, hint)
        return
    columns = ", ".join(key.columns)
    leads_to_unit = key.target_columns == (owner.column,)
    others = [found for found in catalog.tables[name].foreign_keys if column in found.columns]
    is_own_key = catalog.tables[name].primary_key == (column,) and not others
    place = (*_unit(name), "column")
    if key.target == name:
        if leads_to_unit and columns in (table.columns or {}):
            message = f"{columns} tells of another {owner.name}, who is not protected by what the row says"
            hint = "leave it out, or allow DP526 and say why"
            yield places.warning("DP526", ("tables", name, "columns", columns), message, hint)
    elif is_own_key and not _leads_back(owner, name):
        message = f"{column} tells rows apart, not units: {columns} leads to {key.target}, of the same unit"
        yield places.warning("DP526", place, message, f"write `{_via(key)}` instead of `column`")
    elif leads_to_unit and any(found.target == key.target for found in others):
        message = f"{columns} leads to {key.target}, too: a second {owner.name}, who is not protected here"
        hint = "leave the table out where both are to be protected; or allow DP526 and say why"
        yield places.warning("DP526", place, message, hint)
    elif leads_to_unit and not is_own_key:
        message = f"{columns} leads to {key.target}, whose rows are the units; {column} does not"
        yield places.warning("DP526", place, message, f"write `column: {columns}`, or allow DP526 and say why")


def _leads_back(owner: UnitReference, name: str) -> bool:
    return owner.via is not None and any(hop.target == name for hop in parse_via(owner.via))


def check_unit_is_named_as_one(policy: Policy, name: str, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """Where no foreign key tells what the unit's column refers to, its name does."""
    unit, found = policy.tables[name].unit, catalog.tables[name]
    mine = found.columns.get(unit.column or "") if unit is not None else None
    if unit is None or mine is None or family_of(mine) not in IDENTITIES:
        return
    if any(mine.name in key.columns for key in found.foreign_keys):
        return
    if any(check_unit_is_where_keys_lead(policy, name, catalog, places)):
        return  # a foreign key tells more
    place = (*_unit(name), "column")
    homes: list[Column] = []
    for other, owner in _of_unit(policy, unit.name, name):
        theirs = catalog.tables.get(other)
        if theirs is None or theirs.view_definition is not None:
            continue
        key = named_key(mine, theirs)
        if key is not None and key != owner.column:
            message = f"{mine.name} seems to lead to {other}, where {owner.column or 'the path'} tells whose a row is"
            hint = f"write `via: {mine.name} -> {other}.{key}` instead of `column`, or allow DP535 and say why"
            yield places.warning("DP535", place, message, hint)
            return
        if owner.column in theirs.columns and frozenset({owner.column}) in theirs.unique_keys:
            if any(back.target == name for back in theirs.foreign_keys) or _tells(mine, unit, owner.column, theirs):
                return
            homes.append(theirs.columns[owner.column])
    if homes:
        message = f"nothing says that {mine.name} is a {unit.name}: neither a foreign key nor its name"
        better = [column.name for column in found.columns.values() if same_name(column.name, homes[0].name)]
        hint = f"write `column: {better[0]}`" if better else "name the column that leads to the units' own table"
        yield places.warning("DP535", place, message, f"{hint}; or allow DP535 and say why")


def _of_unit(policy: Policy, unit: str, but: str) -> Iterator[tuple[str, UnitReference]]:
    for name, table in policy.tables.items():
        if name != but and table.unit is not None and table.unit.name == unit:
            yield name, table.unit


def _tells(column: Column, unit: UnitReference, home: str, table: Table) -> bool:
    """Has a column's name a word of the unit, of the units' own table, or of the column that identifies them there?"""
    words = {*words_of(unit.name), *words_of(singular(table.relation_name)), *words_of(home)} - GENERAL_NAMES
    return same_name(column.name, home) or not words.isdisjoint(words_of(singular(column.name)) + words_of(column.name))


def check_keys_of_via(policy: Policy, name: str, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """Each hop of a path is a foreign key. Without one the key that it leads to still gives a row one unit at most, but
    whether it is the right one is known to the policy alone."""
    unit = policy.tables[name].unit
    if unit is None or unit.via is None:
        return
    table = name
    for hop in parse_via(unit.via):
        found, target = catalog.tables.get(table), catalog.tables.get(hop.target)
        if found is None or target is None or found.view_definition is not None:
            return  # reported otherwise
        ends = (found.columns.get(hop.column), target.columns.get(hop.target_column))
        if ends[0] is None or ends[1] is None or family_of(ends[0]) != family_of(ends[1]):
            return  # reported otherwise
        if not any(key.columns == (hop.column,) and key.target == hop.target for key in found.foreign_keys):
            near = [key for key in found.foreign_keys if key.columns == (hop.column,) or key.target == hop.target]
            near += [key for key in found.foreign_keys if _is_of(policy.tables.get(key.target), unit.name)]
            message = f"no foreign key leads from {hop.column} to {hop.target}: nothing says that a match is whose the "
            message += "row is, and rows without a match are not counted"
            hint = f"add one to {table} on the source; or allow DP530 and say why"
            yield places.warning(
                "DP530", (*_unit(name), "via"), message, f"write `{_via(near[0])}`, which is one" if near else hint
            )
            return
        table = hop.target


def _is_of(table: TablePolicy | None, unit: str) -> bool:
    return table is not None and table.unit is not None and table.unit.name == unit


def check_units_have_one_type(policy: Policy, name: str, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """Tables of one unit tell it in one way: others have none of its rows."""
    own = policy.tables[name].unit
    mine = catalog.tables[name].columns.get(own.column or "") if own is not None else None
    for other, table in policy.tables.items():
        if other == name or own is None or mine is None:
            return
        if table.unit is None or table.unit.name != own.name or other not in catalog.tables:
            continue
        theirs = catalog.tables[other].columns.get(table.unit.column or "")
        families = {family_of(column) for column in (mine, theirs) if column is not None}
        if theirs is not None and len(families) > 1 and families <= IDENTITIES:
            message = f"{mine.name} is {mine.shown_type}, but {other}.{theirs.name} is {theirs.shown_type}: they tell "
            message += f"different {own.name}s apart"
            hint = f"name columns that hold the same identity, or give the unit of {name} a name of its own"
            yield places.warning("DP531", (*_unit(name), "column"), message, hint)
            return
