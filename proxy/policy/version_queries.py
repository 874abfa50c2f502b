"""`data_version: {query: …}`: the version of a private table's rows, as a public table of the source tells it.

One form is allowed, so that nothing but public rows can decide what is recalled: max, min or count over a public table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from proxy.policy.catalog import Catalog
from proxy.policy.findings import Finding, SourceMap, did_you_mean
from proxy.policy.model import Policy

_NAME: Final = r'(?:[a-z_][a-z0-9_$]{0,62}|"[^"\0]{1,63}")'
_FORM: Final = re.compile(
    rf"\s*SELECT\s+(?P<function>max|min|count)\s*\(\s*(?P<column>\*|{_NAME})\s*\)"
    rf"\s+FROM\s+(?P<schema>{_NAME})\s*\.\s*(?P<table>{_NAME})\s*;?\s*",
    re.IGNORECASE | re.ASCII,
)


@dataclass(frozen=True)
class ReadVersion:
    """What the query reads.

    Attributes:
        function: max, min or count.
        column: of the table; None for count(*).
        table: "schema.table".
    """

    function: str
    column: str | None
    table: str


def read_version(query: str) -> ReadVersion | None:
    """The parts of a version's query; None for every other form."""
    match = _FORM.fullmatch(query)
    if match is None:
        return None
    function, star = match["function"].lower(), match["column"] == "*"
    if star and function != "count":
        return None
    table = f"{_folded(match['schema'])}.{_folded(match['table'])}"
    return ReadVersion(function, None if star else _folded(match["column"]), table)


def _folded(name: str) -> str:
    return name[1:-1] if name.startswith('"') else name.lower()


def check_versions(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """The version of private rows comes from a public table."""
    for name, table in policy.tables.items():
        if table.data_version.query is None:
            continue
        path, hint = ("tables", name, "data_version", "query"), "write `SELECT max(column) FROM schema.table`"
        read = read_version(table.data_version.query)
        if read is None:
            message = "not max, min or count of a column over a table with its schema"
            yield source_map.error("DP333", path, message, hint)
        elif not _is_public(policy, read.table) and ("tables", read.table, "public") not in source_map:
            message = f"{read.table} is no public table of the policy: what is recalled would tell of its rows"
            yield source_map.error("DP333", path, message, f"add `{read.table}: {{public: true}}` if nobody is in it")


def _is_public(policy: Policy, name: str) -> bool:
    return name in policy.tables and policy.tables[name].public


def check_version_columns(policy: Policy, name: str, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """The column of a version's query exists."""
    read = read_version(policy.tables[name].data_version.query or "")
    found = catalog.tables.get(read.table) if read is not None else None
    if read is None or found is None or read.column is None or read.column in found.columns:
        return
    message = f"{read.table} has no column {read.column!r}"
    hint = did_you_mean(read.column, found.columns, "look for misspellings")
    yield places.error("DP502", ("tables", name, "data_version", "query"), message, hint)
