"""Checks a policy against its source's catalog: what does not exist or fit, and what will be refused (decision 8)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Final

from proxy.policy import catalog as source
from proxy.policy.catalog import Catalog
from proxy.policy.cautions import check_identifying_types, public_person
from proxy.policy.clusters import check_distribution
from proxy.policy.column_types import IDENTITIES, NUMBERS, TIMES, can_hold, equality_of, family_of
from proxy.policy.findings import Finding, PolicyError, PolicyPath, SourceMap, did_you_mean, has_errors
from proxy.policy.free_text import check_long_texts
from proxy.policy.model import Bound, ColumnPolicy, Policy, TablePolicy
from proxy.policy.other_values import check_others_fit, keeps_others_out
from proxy.policy.public_tables import check_public
from proxy.policy.row_keys import keys_of_rows, row_key
from proxy.policy.suggested import others_for
from proxy.policy.traps import check_partitions, check_readable_rows, check_reader, check_rows, check_source
from proxy.policy.type_values import check_listed_values, check_types_list_values, with_values_of_types
from proxy.policy.unit_keys import (
    check_keys_of_via,
    check_unit_is_named_as_one,
    check_unit_is_where_keys_lead,
    check_units_have_one_type,
)
from proxy.policy.unit_paths import Hop, parse_via
from proxy.policy.version_queries import check_version_columns
from proxy.policy.views import check_tables_of_views, check_view, check_views_of_public_tables

_MISSPELT: Final = "check the spelling; PostgreSQL stores unquoted names in lower case"
_NO_TABLE: Final = f"{_MISSPELT}; of materialized views and foreign tables, list the tables that they read"

TableCheck = Callable[[Policy, str, Catalog, SourceMap], Iterator[Finding]]


def check_against_catalog(policy: Policy, catalog: Catalog, source_map: SourceMap | None = None) -> list[Finding]:
    """Compare a valid policy with the tables of its source.

    Args:
        policy: a policy that `load` accepted.
        catalog: those of its tables that exist on the source.
        source_map: places in the policy's file; without it every finding is at 1:1.

    Returns:
        The findings in the order of the file.
    """
    places = source_map or SourceMap("policy")
    findings = list(check_source(policy, catalog, places))
    if has_errors(findings):
        return findings
    findings.extend(check_rows(policy, catalog, places))
    findings.extend(check_types_list_values(policy, catalog, places))
    policy = with_values_of_types(policy, catalog)
    for name in policy.tables:
        if name in catalog.tables:
            for check in TABLE_CHECKS:
                findings.extend(check(policy, name, catalog, places))
        else:
            message = f"the source has no table {name}, or its user may not read it"
            findings.append(places.error("DP501", ("tables", name), message, _other_spelling(name, catalog)))
    return sorted(findings)


def _other_spelling(name: str, catalog: Catalog) -> str:
    """What to write for a table that there is not."""
    alike = next((other for other in catalog.tables if _bare(other) == _bare(name)), None)
    if alike is not None:
        return f"write {alike}, as PostgreSQL has it" + ("; and list it once" if name != alike else "")
    return (
        f"leave out the quotes: names stand here as PostgreSQL stores them; {_NO_TABLE}" if '"' in name else _NO_TABLE
    )


def _bare(name: str) -> str:
    return "".join(name.lower().replace('"', "").split())


def require_fitting(policy: Policy, catalog: Catalog) -> None:
    """Refuse a policy with an error of `dpproxy check --source`: proofs rest on what it says of the source.

    Raises:
        PolicyError: they do not fit.
    """
    findings = check_against_catalog(policy, catalog)
    if has_errors(findings):
        raise PolicyError([finding for finding in findings if finding.severity == "error"])


def check_public_columns(policy: Policy, name: str, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """A public table that lists no columns shows all of them."""
    table = policy.tables[name]
    for column in catalog.tables[name].columns.values() if table.public and table.columns is None else ():
        yield from public_person(name, column.name, column.type_name, ("tables", name, "public"), places)


def check_columns(policy: Policy, name: str, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """Listed columns exist, and what the policy says about each fits its type."""
    columns = catalog.tables[name].columns
    for column_name, column in (policy.tables[name].columns or {}).items():
        path = ("tables", name, "columns", column_name)
        found = columns.get(column_name)
        if found is None:
            hint = did_you_mean(column_name, columns, _MISSPELT)
            yield places.error("DP502", path, f"{name} has no column {column_name!r}", hint)
            continue
        yield from _check_bounds(column, found, path, places)
        yield from _check_step(column, found, path, places)
        for index, value in enumerate(column.listed):
            if not can_hold(found, value):
                hint = "list values as the column stores them; quote those of text columns, and only those"
                yield places.error("DP503", (*path, "values", index), f"no {found.type_name} has this value", hint)
        yield from _check_values_from(name, column, found, catalog, path, places)


def _check_bounds(column: ColumnPolicy, found: source.Column, path: PolicyPath, places: SourceMap) -> Iterator[Finding]:
    family = family_of(found)
    for key, bounds in (("bounds", column.bounds), ("range", column.range)):
        if bounds is None:
            continue
        if not all(_fits(bound, found) for bound in bounds):
            message = f"{key} of this kind do not fit a column of type {found.type_name}"
            hint = "bound numbers by numbers, dates and timestamps by dates, intervals by durations such as 8 hours"
            if family not in (*NUMBERS, *TIMES, "interval"):
                hint = f"leave `{key}` out: only numbers, dates, timestamps and intervals have bounds"
            yield places.error("DP504", (*path, key), message, hint)
        elif key == "range" and family not in ("integer", "date"):
            message = f"a range cannot list all values of a column of type {found.type_name}"
            yield places.error("DP504", (*path, key), message, "use `bounds`, which declares no keys")
        elif (limit := found.limit) is not None and any(
            isinstance(end, Decimal) and abs(end) > limit for end in bounds
        ):
            message = f"no {found.shown_type} is beyond ±{limit:f}: noise is made for values that no row can have"
            yield places.warning("DP528", (*path, key), message, "give limits of the world, within those of the type")


def _fits(bound: Bound, found: source.Column) -> bool:
    family = family_of(found)
    match bound:
        case Decimal():
            return family in NUMBERS
        case dt.datetime():
            return family == ("timestamp with time zone" if bound.tzinfo is not None else "timestamp")
        case dt.timedelta():
            return family == "interval"
    return family in TIMES


def _check_step(column: ColumnPolicy, found: source.Column, path: PolicyPath, places: SourceMap) -> Iterator[Finding]:
    scale = 0 if family_of(found) == "integer" else found.scale
    if column.step is None or scale is None:
        return
    grid = Decimal(1).scaleb(-scale)
    if column.step < grid:
        message = f"a step of {column.step} is finer than the column's own grid of {grid:f}"
        yield places.warning("DP505", (*path, "step"), message, f"write `step: {grid:f}`, or leave it out")
    elif column.step > grid:
        message = f"the column has steps of {grid:f}: what lies between steps of {column.step} is cut off"
        hint = "leave `step` out; or, if no row has such a value, keep it with `# dpproxy: allow DP533 reason`"
        yield places.warning("DP533", (*path, "step"), message, hint)


def _check_values_from(
    name: str, column: ColumnPolicy, found: source.Column, catalog: Catalog, path: PolicyPath, places: SourceMap
) -> Iterator[Finding]:
    """The column that declares the values exists and fits, and a foreign key keeps other values out."""
    if column.values_from is None:
        return
    target_name, _, target_column = column.values_from.rpartition(".")
    target = catalog.tables.get(target_name)
    if target is None:
        return  # reported for the table itself
    domain = target.columns.get(target_column)
    if domain is None:
        hint = did_you_mean(target_column, target.columns, _MISSPELT)
        yield places.error("DP502", (*path, "values_from"), f"{target_name} has no column {target_column!r}", hint)
    elif family_of(domain) != family_of(found):
        message = f"{column.values_from} has the type {domain.type_name}, the column has {found.type_name}"
        yield places.error("DP506", (*path, "values_from"), message, "take the values from a column of the same type")
    elif column.others is None and not keeps_others_out(catalog, name, found.name, (target_name, target_column)):
        message = f"nothing keeps other values out of {found.name}: rows with them are in no group of answers"
        hint = f"add a foreign key to {column.values_from}, or the missing values there"
        others = others_for(catalog.tables[name], found, target.declared.get(target_column, ()))
        hint += f"; or {others}, which gives them a group" if others is not None else ""
        yield places.warning("DP507", (*path, "values_from"), message, hint)


def check_unbounded(policy: Policy, name: str, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """Numbers of private tables have bounds, except identifiers, which nobody sums."""
    table, found = policy.tables[name], catalog.tables[name]
    if table.public or table.view:
        return
    identifiers = identifier_columns(table, found)
    one_row = table.unit is not None and frozenset({table.unit.column}) in found.unique_keys
    summed = table.contribution.max_rows is None or one_row
    meaning = "MIN, MAX and percentiles will be refused" if summed else "SUM and AVG will be refused"
    for column_name, column in (table.columns or {}).items():
        if column_name in identifiers or column_name not in found.columns:
            continue
        is_bare = not column.model_fields_set & {"bounds", "range", "values", "values_from"}
        if is_bare and family_of(found.columns[column_name]) in NUMBERS:
            path = ("tables", name, "columns", column_name)
            hint = "add `bounds: [low, high]` with limits known without looking at the data"
            yield places.warning("DP508", path, f"a number without bounds: {meaning}", hint)


def check_compared_by_text(policy: Policy, name: str, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """Columns whose own type takes some different texts for equal; of those of the unit, `check_unit` speaks."""
    table, found = policy.tables[name], catalog.tables[name]
    for column_name in table.columns or {}:
        column = found.columns.get(column_name)
        if column is None or column_name == _column_of_unit(table):
            continue
        if column.own_equality:
            message = f"values of type {column.own_equality} are compared and grouped by their text here"
        elif column.collation:
            message = "only identical texts are equal here, unlike under the column's nondeterministic collation"
        else:
            continue
        hint = "tell analysts, or list a column of a view in one spelling, as lower() makes it"
        yield places.warning("DP509", ("tables", name, "columns", column_name), message, hint)


def identifier_columns(table: TablePolicy, found: source.Table) -> set[str]:
    """The columns that identify a row or unit: keys, foreign keys and the way to the unit."""
    identifiers = {*keys_of_rows(found), *(column for key in found.foreign_keys for column in key.columns)}
    if table.unit is not None:
        identifiers.add(_column_of_unit(table))
    return identifiers


def _column_of_unit(table: TablePolicy) -> str:
    """The column of the unit, or the first one of the way to it; none of a table without a unit."""
    if table.unit is None:
        return ""
    return table.unit.column or parse_via(table.unit.via or "")[0].column


def check_unit(policy: Policy, name: str, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """The unit's column, or each hop of the path to it, exists and identifies what it refers to."""
    unit = policy.tables[name].unit
    if unit is None:
        return
    path = ("tables", name, "unit")
    if unit.column is not None:
        yield from _check_unit_column(name, unit.column, catalog, (*path, "column"), places)
        disagreeing = [*_check_same_identity(policy, name, catalog, (*path, "column"), places)]
        yield from disagreeing or _check_foreign_keys(name, unit.column, catalog, (*path, "column"), places)
        if unit.when_null == "each_row":
            yield from _check_lone_rows(name, unit.column, catalog, (*path, "when_null"), places)
    else:
        table = name
        for hop in parse_via(unit.via or ""):
            yield from _check_hop(table, hop, catalog, (*path, "via"), places)
            table = hop.target


def _check_unit_column(
    name: str, column: str, catalog: Catalog, path: PolicyPath, places: SourceMap
) -> Iterator[Finding]:
    columns = catalog.tables[name].columns
    found = columns.get(column)
    if found is None:
        yield places.error("DP502", path, f"{name} has no column {column!r}", did_you_mean(column, columns, _MISSPELT))
    elif family_of(found) not in IDENTITIES:
        message = f"a column of type {found.type_name} does not identify a unit"
        yield places.error("DP510", path, message, "name an integer, numeric, text or uuid column")
    elif family_of(found) == "decimal" and found.scale != 0:
        message = f"{column} is {found.shown_type}: numbers with fractions measure things, and seldom tell units apart"
        hint = "name the column of the unit's identity; if this is it, allow DP529 and say why"
        yield places.warning("DP529", path, message, hint)
    elif found.cast_to_text:
        message = f"units are told apart by the text of {column}, even where its own type takes two texts for equal"
        yield places.warning("DP511", path, message, "keep one spelling for each unit, as with lower() for citext")


def _check_lone_rows(
    name: str, column: str, catalog: Catalog, path: PolicyPath, places: SourceMap
) -> Iterator[Finding]:
    """Rows that are units of their own are told apart by a key, and their units from all others."""
    table = catalog.tables[name]
    found = table.columns.get(column)
    if found is None or not table.has_null(column):
        return
    if not row_key(table):
        message = f"nothing tells apart the rows in which {column} is NULL"
        hint = (
            "add a primary key or a unique key to the table, of NOT NULL columns that are integers, numeric(p, s), "
            "texts, uuids, dates or timestamps; or write `when_null: exclude`"
        )
        yield places.error("DP512", path, message, hint)
    elif found.collation:
        message = f"under the collation of {column} different texts are equal, and a row of its own could be a unit's"
        yield places.error(
            "DP513", path, message, "give the column a deterministic collation, or write `when_null: exclude`"
        )


def _check_same_identity(
    policy: Policy, name: str, catalog: Catalog, path: PolicyPath, places: SourceMap
) -> Iterator[Finding]:
    """Tables of one unit agree on which texts are the same unit; otherwise two units of one table would be merged by
    the rows of the other."""
    for other, table in policy.tables.items():
        if other == name:
            return
        own, unit = policy.tables[name].unit, table.unit
        if own is None or unit is None or unit.name != own.name or other not in catalog.tables:
            continue
        found = catalog.tables[other].columns.get(unit.column or "")
        column = catalog.tables[name].columns.get(own.column or "")
        if found is not None and column is not None and equality_of(found)[1:3] != equality_of(column)[1:3]:
            yield _two_equalities(f"{own.column} and {other}.{unit.column}", path, places)
            return


def _check_foreign_keys(
    name: str, column: str, catalog: Catalog, path: PolicyPath, places: SourceMap
) -> Iterator[Finding]:
    """A foreign key of the unit's column goes by the equality that tells units apart."""
    table = catalog.tables[name]
    for key in table.foreign_keys if column in table.columns else ():
        if column not in key.columns:
            continue
        target, place = catalog.tables.get(key.target), key.columns.index(column)
        referred = target.columns.get(key.target_columns[place]) if target is not None else None
        differ = key.two_equalities
        if referred is not None and family_of(referred) == family_of(table.columns[column]):
            differ |= equality_of(table.columns[column]) != equality_of(referred)
        if differ:
            yield _two_equalities(f"{column} and {key.target}.{key.target_columns[place]}", path, places)
            return


def _two_equalities(columns: str, path: PolicyPath, places: SourceMap) -> Finding:
    message = f"{columns} differ in which texts are equal, so one unit could be taken for several, or several for one"
    hint = "give both columns the same type and collation: character(n) ignores blanks at the end, text does not"
    return places.error("DP514", path, message, hint)


def _check_hop(table: str, hop: Hop, catalog: Catalog, path: PolicyPath, places: SourceMap) -> Iterator[Finding]:
    found, target = catalog.tables.get(table), catalog.tables.get(hop.target)
    if found is None or target is None:
        return  # reported for the table itself
    for owner, name in ((found, hop.column), (target, hop.target_column)):
        if name not in owner.columns:
            hint = did_you_mean(name, owner.columns, _MISSPELT)
            yield places.error("DP502", path, f"{owner.name} has no column {name!r}", hint)
            return
    if frozenset({hop.target_column}) not in target.unique_keys:
        message = f"{hop.target}.{hop.target_column} is not unique, so a row could belong to several units"
        yield places.error("DP515", path, message, f"follow the foreign key to a unique column of {hop.target}")
    column, target_column = found.columns[hop.column], target.columns[hop.target_column]
    if family_of(column) != family_of(target_column):
        message = f"{column.type_name} {hop.column} cannot refer to {target_column.type_name} {hop.target_column}"
        yield places.error("DP516", path, message, "follow a foreign key between columns of the same type")
    elif equality_of(column) != equality_of(target_column):
        yield _two_equalities(f"{hop.column} and {hop.target}.{hop.target_column}", path, places)
    elif column.own_equality:
        message = (
            f"{hop.column} is {column.own_equality}: its foreign key takes texts for equal that are told apart here"
        )
        yield places.error("DP514", path, message, "follow a foreign key between columns of built-in types")


def check_contribution(policy: Policy, name: str, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """No more rows are allowed than a unit can have: noise would be made for them."""
    table = policy.tables[name]
    if table.unit is None or (table.unit.column is not None and table.unit.column not in catalog.tables[name].columns):
        return
    path = ("tables", name, "contribution")
    is_unique = table.unit.column is not None and frozenset({table.unit.column}) in catalog.tables[name].unique_keys
    if is_unique and table.contribution.max_rows is not None and table.contribution.max_rows > 1:
        message = f"each unit has one row here, but noise is made for {table.contribution.max_rows}"
        yield places.warning("DP517", (*path, "max_rows"), message, "write `max_rows: 1`, or leave it out")


def check_keys_can_be_paid(policy: Policy, name: str, _catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """Without a delta, only declared columns can be group keys (theorem 12)."""
    table = policy.tables[name]
    if table.budget is None or table.budget.delta > 0 or not table.columns:
        return
    if not any(column.values or column.values_from or column.range for column in table.columns.values()):
        message = "without delta no column of this table can be a group key"
        yield places.warning(
            "DP518", ("tables", name, "budget"), message, "add a small delta, or declare values of columns"
        )


TABLE_CHECKS: Final[tuple[TableCheck, ...]] = (
    check_columns,
    check_public_columns,
    check_listed_values,
    check_others_fit,
    check_long_texts,
    check_identifying_types,
    check_version_columns,
    check_unbounded,
    check_compared_by_text,
    check_unit,
    check_unit_is_where_keys_lead,
    check_unit_is_named_as_one,
    check_keys_of_via,
    check_units_have_one_type,
    check_contribution,
    check_keys_can_be_paid,
    check_public,
    check_view,
    check_tables_of_views,
    check_views_of_public_tables,
    check_partitions,
    check_reader,
    check_readable_rows,
    check_distribution,
)
