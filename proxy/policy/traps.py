"""Finds policies that are right line by line, and yet publish rows, or give one row two budgets.

Rows of a private table reach other relations in ways that no line of the policy shows: a view reads it, a partition
holds a part of it, a parent shows it among its own. All of these are followed from what a public relation reads. The
graph holds what Postgres records; what a function or a foreign table reads is not recorded, and causes a warning only.

Public rows are copied to the stage at the start, but source queries read them on the source, beside private ones, and a
trap can be set while dpproxy runs. So the graph is read again when rows are copied and with each source query
(`Watch`). Where a private table has become a view by then, or a view with another query, nothing private is read: the
steward decided whose rows they are for what stood there, a view's expressions can fail for a row, and the rows that the
table had are nobody's now, so that a public view over them would not be noticed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from proxy.policy.catalog import Catalog, Dependency
from proxy.policy.findings import Finding, SourceMap
from proxy.policy.model import Policy
from proxy.policy.unit_paths import parse_via

_ORDINARY = "an ordinary table"


@dataclass(frozen=True)
class Watch:
    """Checks that rows still come from where the policy was checked for.

    Args:
        policy: the policy.
        catalog: what it was checked against.
    """

    policy: Policy
    catalog: Catalog

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables whose dependencies have to be read."""
        return tuple(self.policy.tables)

    def problem(
        self, dependencies: tuple[Dependency, ...], definitions: Mapping[str, str], overriding: tuple[str, ...]
    ) -> str | None:
        """A problem that would now be an error or a warning at a start, and was none when dpproxy started; or what of
        the private tables is something else than what the policy was checked for; else None.

        Args:
            dependencies: of `tables`, as they are now.
            definitions: likewise.
            overriding: of the source, as it is now.
        """
        if definitions != self.catalog.definitions:
            for name in private_rows(self.policy, self.catalog):
                found, then = (known.get(name, _ORDINARY) for known in (definitions, self.catalog.definitions))
                if found != then:
                    return f"{name} is {found}, and was {then} when dpproxy read it"
        if (dependencies, overriding) == (self.catalog.dependencies, self.catalog.overriding):
            return None
        now = self._told(replace(self.catalog, dependencies=dependencies, overriding=overriding))
        return next((text for text in now if text not in self._told(self.catalog)), None)

    def _told(self, catalog: Catalog) -> list[str]:
        findings = check_rows(self.policy, catalog, SourceMap("policy"))
        return [f"{finding.path}: {finding.message}" for finding in findings]


def check_source(policy: Policy, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """Problems of the database as a whole."""
    path = ("source",)
    if catalog.encoding != "UTF8":
        message = f"the database's encoding is {catalog.encoding}; only UTF8 is supported"
        hint = (
            "copy it into a database with ENCODING 'UTF8' (pg_dump, pg_restore): a character without a form in UTF-8 "
            "would make queries fail, and so tell of the one row that has it"
        )
        yield places.error("DP601", path, message, hint)
        return
    if catalog.superuser:
        message = "its user is a superuser, who can read more than the policy lists"
        yield places.warning(
            "DP602", path, message, "name a role that may SELECT the policy's tables, and nothing else"
        )
    collations = {place: name for place, name in catalog.collations.items() if not place or _is_shown(policy, place)}
    if collations:
        yield places.warning(
            "DP603", path, f"texts sort by code point here, but {_collated(collations)}", _COLLATION_HINT
        )


def _is_shown(policy: Policy, place: str) -> bool:
    """Do clients see a column, "schema.table.column"?"""
    schema, table, column = place.split(".", 2)
    found = policy.tables.get(f"{schema}.{table}")
    return found is not None and (found.columns is None or column in found.columns)


_COLLATION_HINT = (
    'know that <, BETWEEN, min, max and ORDER BY of texts put all capitals before small letters, as COLLATE "C" does; '
    "= and GROUP BY are the same, except under nondeterministic collations"
)


def _collated(collations: Mapping[str, str]) -> str:
    parts = []
    if "" in collations:
        parts.append(f"the database's collation is {collations['']}")
    columns = [f"{place} ({name})" for place, name in collations.items() if place]
    if columns:
        parts.append(f"columns have others: {', '.join(columns)}")
    return "; ".join(parts)


def check_rows(policy: Policy, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """No row of a private table is public, none is of two private tables, and none is given to users' functions."""
    yield from _check_overriding(catalog, places)
    private = private_rows(policy, catalog)
    for name, table in policy.tables.items():
        if table.public and name in catalog.tables:
            yield from _check_published(policy, name, catalog, private, places)
    yield from _check_shared(policy, catalog, places)


def _check_overriding(catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """Source queries call nothing but what PostgreSQL has."""
    if catalog.overriding:
        message = f"source queries would call what users made, not PostgreSQL: {', '.join(catalog.overriding)}"
        hint = (
            "it could read any row, or fail for one: DROP casts and operator classes, take functions and operators out "
            "of pg_catalog by ALTER … SET SCHEMA, and restore what was rewritten"
        )
        yield places.error("DP612", ("source",), message, hint)


def private_rows(policy: Policy, catalog: Catalog) -> dict[str, str]:
    """The relations that hold rows of private tables, each with the private table that the policy lists for them.

    These are the table itself with its children and partitions. A view with a unit of its own stands for the rows of
    everything that it reads, except what the policy declares public.
    """
    found: dict[str, str] = {}
    for name in _private_tables(policy, catalog):
        for relation in _held(policy, catalog, name):
            found.setdefault(relation, name)
    return found


def _held(policy: Policy, catalog: Catalog, name: str) -> dict[str, tuple[str, ...]]:
    """The relations whose rows a private table has, with the way to each, and the functions of a view."""
    if catalog.tables[name].view_definition is None:
        return _ways(catalog, name, how=("inherits",))
    return _ways(catalog, name, stop={name for name, table in policy.tables.items() if table.public})


def rows_of(policy: Policy, catalog: Catalog, name: str) -> list[str]:
    """The owner's relations whose rows a relation has, if it is a private table: with itself, its children and
    partitions, and of a view what it reads, except what the policy declares public.

    Args:
        policy: the policy.
        catalog: knows the relation.
        name: "schema.table", whether or not the policy lists it.
    """
    return [relation for relation in _held(policy, catalog, name) if _has_rows(relation)]


def _private_tables(policy: Policy, catalog: Catalog) -> list[str]:
    """The private tables that exist, without the views that stand for their query."""
    tables = policy.tables.items()
    return [name for name, table in tables if not table.public and not table.view and name in catalog.tables]


def _check_published(
    policy: Policy, name: str, catalog: Catalog, private: dict[str, str], places: SourceMap
) -> Iterator[Finding]:
    ways = _ways(catalog, name)
    found = sorted(ways.keys() & private.keys(), key=lambda relation: (len(ways[relation]), relation))
    if found:
        source = private[found[0]]
        between = [relation for relation in (*ways[found[0]], found[0]) if relation not in (name, source)]
        through = f" through {', '.join(between)}" if between else ""
        message = f"public, but it shows rows of the private table {source}{through}"
        hint = "make it private, or list a public table that holds a copy of what may be known"
        yield places.error("DP604", ("tables", name, "public"), message, hint)
        yield from _check_domains(policy, name, source, places)
        return
    of_server = sorted(relation for relation in ways if _tells_of_everybody(relation))
    if of_server:
        message = f"public, but it shows what the server knows of private tables: {', '.join(of_server)}"
        hint = "leave it out: sizes, statistics and common values of private tables are learned from their rows"
        yield places.error("DP605", ("tables", name, "public"), message, hint)
        return
    unseen = sorted({found.target for found in catalog.dependencies if found.unseen and found.target in ways})
    if unseen:
        message = f"public, but it depends on {', '.join(unseen)}, and nothing tells what rows that reads"
        yield places.warning(
            "DP606", ("tables", name, "public"), message, "make sure that it shows no row of a privacy unit"
        )


_HARMLESS = frozenset({"pg_catalog.pg_timezone_abbrevs", "pg_catalog.pg_timezone_names"})


def _tells_of_everybody(relation: str) -> bool:
    """Is it one of the server's own relations or functions that show catalog, statistics, overlong values or files?"""
    return relation.partition(".")[0] in ("pg_catalog", "pg_toast") and relation not in _HARMLESS


def _check_domains(policy: Policy, public: str, private: str, places: SourceMap) -> Iterator[Finding]:
    """No `values_from` takes declared values from a relation with private rows."""
    for name, table in policy.tables.items():
        for column_name, column in (table.columns or {}).items():
            if column.values_from is not None and column.values_from.rpartition(".")[0] == public:
                path = ("tables", name, "columns", column_name, "values_from")
                message = f"these values are rows of the private table {private}"
                yield places.error("DP607", path, message, "list values that are known without looking at the data")


def _check_shared(policy: Policy, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """A parent and its partition, a view and what it reads, or two relations with one below both, would give a row two
    budgets."""
    holders: dict[str, str] = {}
    tables = _private_tables(policy, catalog)
    # A view is judged after what it may read, since it is the one to change.
    for name in sorted(tables, key=lambda name: catalog.tables[name].view_definition is not None):
        held = rows_of(policy, catalog, name)
        shared = [relation for relation in held if relation in holders]
        if shared:
            known = sorted({holders[relation] for relation in shared})
            message = f"its rows are rows of {', '.join(known)} too, and would have two budgets"
            hint = "list the parent or its children, not both"
            if any(catalog.tables[listed].view_definition is not None for listed in (name, *known)):
                hint = "write `view: true` in the place of unit and budget, and list the tables that it reads"
                nobodys = [relation for relation in shared if relation not in policy.tables]
                if nobodys:
                    hint += f"; and with `public: true` what is about nobody, if {', '.join(nobodys)} is"
            yield places.error("DP608", ("tables", name), message, hint)
        for relation in held:
            holders.setdefault(relation, name)


def _has_rows(relation: str) -> bool:
    """Is it a relation of the owner's, so that who reads it shows its rows? What functions read stands for itself."""
    return not relation.endswith(")") and not relation.startswith("pg_catalog.")


def check_partitions(policy: Policy, name: str, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """A partition is read through its parent: else a unit with rows in several has as many budgets."""
    parent = catalog.tables[name].parent
    if parent is None or parent in policy.tables or policy.tables[name].public:
        return
    message = f"a partition of {parent}, which is not listed: a unit with rows in several has a budget in each of them"
    hint = f"list {parent} in its place; for a budget of each period, with `per` and `of`"
    yield places.warning("DP532", ("tables", name), message, hint)


def check_reader(policy: Policy, name: str, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """The reader may read what source queries read; else each would be charged, and then fail."""
    lacks = catalog.unreadable.get(name)
    if lacks is None or policy.tables[name].view:
        return
    message = "the source's user may not read it: each query would be charged and then fail"
    if policy.tables[name].public:
        message = "the source's user may not read it, so that `dpproxy serve` could not start"
    schema, relation = map(_as_sql, name.split(".", 1))
    hint = f"GRANT SELECT ON {schema}.{relation} TO the user of `source`"
    if lacks == "USAGE":
        hint = f"GRANT USAGE ON SCHEMA {schema}, and SELECT ON {schema}.{relation}, TO the user of `source`"
    yield places.error("DP611", ("tables", name), message, hint)


def _as_sql(name: str) -> str:
    return name if re.fullmatch(r"[a-z_][a-z0-9_]*", name) else '"' + name.replace('"', '""') + '"'


def check_readable_rows(policy: Policy, name: str, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """Which rows of a private table are seen, and count, depends on nothing but the rows."""
    table, found = policy.tables[name], catalog.tables[name]
    if found.row_security:
        message = "row-level security decides which rows are seen; what it decides by becomes part of every answer"
        yield places.warning(
            "DP609", ("tables", name), message, "use a role with BYPASSRLS, or a policy that shows it all rows"
        )
    if table.unit is None or table.unit.when_null is not None or found.view_definition is not None:
        return
    key = "column" if table.unit.column is not None else "via"
    column = table.unit.column or parse_via(table.unit.via or "")[0].column
    if found.has_null(column):
        message = f"{column} can be NULL, and rows without a unit are not counted"
        hint = f"declare {column} NOT NULL on the source, or state `when_null: exclude` in `unit`"
        if table.unit.column is not None:
            hint += "; with `when_null: each_row` each such row counts as a unit of its own"
        yield places.warning("DP610", ("tables", name, "unit", key), message, hint)


def _ways(
    catalog: Catalog, name: str, how: Collection[str] = ("inherits", "query", "rule"), stop: Collection[str] = ()
) -> dict[str, tuple[str, ...]]:
    """Everything whose rows `name` shows, including itself, each with the path from `name`; relations that are reached
    only through `stop` are left out, like those of `stop`."""
    following: dict[str, list[Dependency]] = {}
    for dependency in catalog.dependencies:
        if dependency.how in how and dependency.target not in stop:
            following.setdefault(dependency.reader, []).append(dependency)
    ways: dict[str, tuple[str, ...]] = {name: ()}
    pending = [name]
    for reader in pending:
        for dependency in following.get(reader, ()):
            if dependency.target not in ways:
                rule = (f"a rule of {dependency.target}",) if dependency.how == "rule" else ()
                ways[dependency.target] = (*ways[reader], reader, *rule)
                pending.append(dependency.target)
    return ways
