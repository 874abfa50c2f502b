"""Rules on a policy as a whole: names, logins, units, who owns a table's rows (decisions 3 and 8).

Each rule yields findings about one subject. Rules see a policy without the parts that already have findings, so where
something is absent they ask the source map whether the file has it.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from proxy.policy.account_rules import (
    check_groups,
    check_names_of_accounts,
    check_rates,
    check_renewals,
    check_stewards,
    check_tables_that_may_be_asked,
    check_unlocking,
)
from proxy.policy.clock_rules import check_clocks, check_recalls
from proxy.policy.column_rules import check_domains
from proxy.policy.findings import Finding, PolicyPath, SourceMap, did_you_mean
from proxy.policy.logins import check_certificates, check_networks, logins
from proxy.policy.model import Login, Policy, TablePolicy
from proxy.policy.other_values import check_others
from proxy.policy.prices import check_budgets, check_contributions, check_queries, check_timing
from proxy.policy.unit_paths import OtherUnitError, ViaError, unit_path
from proxy.policy.version_queries import check_versions
from proxy.policy.window_rules import check_windows, check_windows_are_not_timed

Rule = Callable[[Policy, SourceMap], Iterable[Finding]]

_LONGEST_NAME: Final = 63  # bytes; PostgreSQL's NAMEDATALEN - 1
_RESERVED_SCHEMAS: Final = ("information_schema", "dp")
_RESERVED_ROLES: Final = ("public", "none", "postgres")
_RESERVED_ROLE_PREFIXES: Final = ("pg_", "dpproxy")
_SYSTEM_COLUMNS: Final = ("ctid", "xmin", "xmax", "cmin", "cmax", "tableoid")
_PRIVATE_KEYS: Final = ("unit", "budget", "per_analyst", "query", "contribution", "clock", "snap", "recall")

_VERIFIER: Final = re.compile(r"SCRAM-SHA-256\$([0-9]{1,9}):([^$:]+)\$([^$:]+):([^$:]+)")
_LEAST_ITERATIONS: Final = 4096  # RFC 7677, section 4
_KEY_BYTES: Final = 32  # SHA-256


def check_rules(policy: Policy, source_map: SourceMap) -> list[Finding]:
    """Everything that is wrong between the parts of a policy."""
    return [finding for rule in RULES for finding in rule(policy, source_map)]


def check_table_names(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Tables are "schema.table", outside the schemas that belong to PostgreSQL and to dpproxy."""
    for name in policy.tables:
        path = ("tables", name)
        schema, _, relation = name.partition(".")
        if not schema or not relation or "." in relation:
            hint = f"write `public.{name}` or name its schema"
            if "." in relation:
                hint = f"leave out the database, as in `{name.partition('.')[2]}`, and other dots"
            yield source_map.error("DP201", path, f"{name!r} is not schema.table", hint)
        elif schema.startswith("pg_") or schema in _RESERVED_SCHEMAS:
            yield source_map.error(
                "DP201", path, f"the schema {schema!r} is reserved", "name a table in another schema"
            )
        elif max(len(schema.encode()), len(relation.encode())) > _LONGEST_NAME:
            yield source_map.error(
                "DP201", path, "the name is too long", f"PostgreSQL names have at most {_LONGEST_NAME} bytes"
            )


def check_column_names(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Columns have names, but not those of system columns, which tell where and when a row was written."""
    for table_name, table in policy.tables.items():
        for name in table.columns or {}:
            path = ("tables", table_name, "columns", name)
            if not name or len(name.encode()) > _LONGEST_NAME:
                hint = f"PostgreSQL names have 1 to {_LONGEST_NAME} bytes"
                yield source_map.error("DP202", path, "not a possible column name", hint)
            elif name in _SYSTEM_COLUMNS:
                yield source_map.error(
                    "DP202", path, f"{name!r} is a system column", "list the table's own columns only"
                )


def check_analysts(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Each login is a possible role name with a SCRAM-SHA-256 verifier (RFC 5803) or a certificate's common name."""
    if not policy.analysts and not source_map.has_entries(("analysts",)):
        yield source_map.warning(
            "DP203", ("analysts",), "no analyst can log in", "add `analysts: {name: {password: …}}`"
        )
    for path, name, analyst in logins(policy):
        if not name or len(name.encode()) > _LONGEST_NAME:
            hint = f"PostgreSQL roles have names of 1 to {_LONGEST_NAME} bytes"
            yield source_map.error("DP204", path, "not a possible login name", hint)
        elif name in _RESERVED_ROLES or name.startswith(_RESERVED_ROLE_PREFIXES):
            yield source_map.error("DP204", path, f"the login name {name!r} is reserved", "choose another name")
        if analyst.password is not None:
            yield from _check_verifier(path, analyst.password, source_map)
        elif analyst.certificate is None and not _faulty_logins(path, analyst, source_map):
            hint = "add `password: …`, or `certificate: COMMON NAME`"
            yield source_map.error("DP111", path, "'password' is missing", hint)
    yield from check_certificates(policy, source_map)
    yield from check_networks(policy, source_map)


def _faulty_logins(path: PolicyPath, analyst: Login, source_map: SourceMap) -> list[str]:
    """Keys that the file has and that have findings already, for which they were left out."""
    keys = ("password", "certificate")
    return [key for key in keys if (*path, key) in source_map and key not in analyst.model_fields_set]


def _check_verifier(login: PolicyPath, password: str, source_map: SourceMap) -> Iterator[Finding]:
    path = (*login, "password")
    match = _VERIFIER.fullmatch(password)
    if match is None or not _is_salt_and_keys(*match.groups()[1:]):
        yield source_map.error(
            "DP205",
            path,
            "not a SCRAM-SHA-256 verifier",
            "run `dpproxy password` and paste what it prints; a policy never holds a password itself",
        )
    elif int(match[1]) < _LEAST_ITERATIONS:
        yield source_map.error(
            "DP205",
            path,
            f"the verifier has only {match[1]} iterations",
            f"run `dpproxy password`: at least {_LEAST_ITERATIONS} are needed",
        )


def _is_salt_and_keys(salt: str, stored_key: str, server_key: str) -> bool:
    try:
        decoded = [base64.b64decode(part, validate=True) for part in (salt, stored_key, server_key)]
    except binascii.Error:
        return False
    return len(decoded[0]) > 0 and all(len(key) == _KEY_BYTES for key in decoded[1:])


def check_units(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Tables name declared units, and every declared unit has tables."""
    used = set()
    for table_name, table in policy.tables.items():
        if table.unit is None:
            continue
        used.add(table.unit.name)
        if table.unit.name not in policy.units and ("units", table.unit.name) not in source_map:
            yield source_map.error(
                "DP206",
                ("tables", table_name, "unit", "name"),
                f"no unit is called {table.unit.name!r}",
                did_you_mean(table.unit.name, policy.units, f"add `units: {{{table.unit.name}: {{}}}}`"),
            )
    for unit in policy.units.keys() - used:
        yield source_map.warning(
            "DP207", ("units", unit), "no table belongs to this unit", "remove it, or name it in a table"
        )


def check_public_tables(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """A public table has nothing that only makes sense for private rows."""
    for table_name, table in policy.tables.items():
        for key in _PRIVATE_KEYS:
            if table.public and key in table.model_fields_set:
                hint = f"remove {key!r}; or remove `public: true` if its rows belong to somebody"
                yield source_map.error("DP208", ("tables", table_name, key), "a public table has no such key", hint)


def check_views(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """A view stands for its query, so that everything about its rows follows from the tables that it reads."""
    for table_name, table in policy.tables.items():
        if not table.view:
            continue
        for key in (*_PRIVATE_KEYS, "public"):
            if key in table.model_fields_set:
                hint = f"remove {key!r}; what holds for the tables that the view reads holds for it"
                yield source_map.error("DP209", ("tables", table_name, key), "a view has no such key", hint)
        for name, column in (table.columns or {}).items():
            if column.model_fields_set:
                hint = "write `{}`, and declare bounds and values in the tables that the view reads"
                path = ("tables", table_name, "columns", name)
                yield source_map.error("DP209", path, "a column of a view declares nothing itself", hint)


def check_private_tables(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """A private table states whose rows it holds, what may be spent on them, and what clients see."""
    required = {
        "unit": "add `unit: {name: …, column: …}`, or `public: true` if no row is about anybody",
        "budget": "add `budget: {epsilon: …, delta: …}`",
        "columns": "list the columns that clients may see, {} for none",
    }
    for table_name, table in _private_tables(policy):
        for key, hint in required.items():
            path = ("tables", table_name, key)
            if getattr(table, key) is None and not _is_faulty(table, key, path, source_map):
                yield source_map.error("DP210", path, f"a private table needs {key!r}", hint)


def _is_faulty(table: TablePolicy, key: str, path: tuple[str, ...], source_map: SourceMap) -> bool:
    """Was the key left out because it has findings, rather than being absent or empty in the file?"""
    return path in source_map and key not in table.model_fields_set


def check_ownership(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Each private table leads to its unit in one way: by a column, or by a path of foreign keys (decision 3)."""
    for table_name, table in _private_tables(policy):
        if table.unit is None:
            continue
        path = ("tables", table_name, "unit")
        if (table.unit.column is None) == (table.unit.via is None):
            how_many = "neither column nor via" if table.unit.via is None else "both column and via"
            yield source_map.error("DP211", path, f"the unit has {how_many}", "give exactly one of them")
        elif table.unit.via is not None:
            yield from _check_path(policy, table_name, table.unit.name, source_map)
            if table.unit.when_null == "each_row":
                message = "a row that leads to no other row has no unit, and cannot be one"
                hint = "say it of the table that has the unit's column: rows that lead to its rows are of the same unit"
                yield source_map.error("DP212", (*path, "when_null"), message, hint)


def _check_path(policy: Policy, table_name: str, unit: str, source_map: SourceMap) -> Iterator[Finding]:
    try:
        unit_path(policy, table_name)
    except ViaError as error:
        # A misspelt unit, or a part that is in the file but faulty, has a finding of its own.
        is_misspelt = isinstance(error, OtherUnitError) and not {unit, error.other} <= policy.units.keys()
        is_faulty = bool(error.missing) and error.missing in source_map
        if not is_misspelt and not is_faulty:
            yield source_map.error("DP213", ("tables", table_name, "unit", "via"), error.message, error.hint)


def _private_tables(policy: Policy) -> Iterator[tuple[str, TablePolicy]]:
    return ((name, table) for name, table in policy.tables.items() if not table.public and not table.view)


RULES: Final[tuple[Rule, ...]] = (
    check_table_names,
    check_column_names,
    check_analysts,
    check_units,
    check_public_tables,
    check_views,
    check_private_tables,
    check_ownership,
    check_budgets,
    check_renewals,
    check_unlocking,
    check_rates,
    check_names_of_accounts,
    check_groups,
    check_tables_that_may_be_asked,
    check_stewards,
    check_queries,
    check_contributions,
    check_timing,
    check_clocks,
    check_recalls,
    check_versions,
    check_windows,
    check_windows_are_not_timed,
    check_domains,
    check_others,
)
