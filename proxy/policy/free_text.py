"""Listed columns that seem to hold what people wrote: such texts name others, and no statistic needs them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from proxy.policy.catalog import Catalog, Column
from proxy.policy.column_types import family_of
from proxy.policy.findings import Finding, PolicyPath, SourceMap
from proxy.policy.identifying import words_of
from proxy.policy.model import Policy

_WORDS: Final = frozenset(
    """comment comments note notes remark remarks description descr memo message narrative transcript biography bio
    freetext letter complaint about feedback body details essay caption reply tweet""".split()
)
_PHRASES: Final = ("free_text", "message_body", "body_text", "review_text")
_LONG: Final = 255
"""Characters: the longest text that tools declare where they know nothing of it."""
_DOCUMENTS: Final = frozenset({"json", "jsonb", "xml", "hstore", "bytea", "tsvector"})
_LENGTH_HEADER: Final = 4  # atttypmod of varchar(n) is n + 4


def is_free_text(name: str, column: Column | None = None) -> bool:
    """Does a column seem to hold what people wrote, by its name or by the length of its type?

    Args:
        name: the column's.
        column: what the catalog says of it, if it was read.
    """
    if column is not None and family_of(column) != "text":
        return False
    words = words_of(name.rstrip("0123456789"))
    if words and (words[-1] in _WORDS or "_".join(words[-2:]) in _PHRASES):
        return True
    return column is not None and column.type_modifier - _LENGTH_HEADER > _LONG


def check_free_text(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """By name, where nothing else is known of columns."""
    for name in policy.tables:
        for column_name in undeclared_columns(policy, name):
            if is_free_text(column_name):
                yield _finding(("tables", name, "columns", column_name), source_map)


def check_long_texts(policy: Policy, name: str, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """By the type, of columns whose names do not say it."""
    for column_name in undeclared_columns(policy, name):
        found = catalog.tables[name].columns.get(column_name)
        if found is None or is_free_text(column_name):
            continue
        if found.type_name in _DOCUMENTS:
            message = f"{found.type_name} can hold anything that is stored of somebody, now or later"
            yield _finding(("tables", name, "columns", column_name), places, message)
        elif is_free_text(column_name, found):
            yield _finding(("tables", name, "columns", column_name), places)


def undeclared_columns(policy: Policy, name: str) -> list[str]:
    """The columns of a private table of which nothing is declared, but for the unit's own."""
    table = policy.tables[name]
    if table.unit is None:
        return []
    columns = (table.columns or {}).items()
    return [name for name, column in columns if not column.model_fields_set and name != table.unit.column]


_SHOWS: Final = "seems to be free text, in which people may be named; a text that enough units share shows as a group"


def _finding(path: PolicyPath, places: SourceMap, message: str = _SHOWS) -> Finding:
    hint = "remove it, or list a column of a view that tells what is needed of it; or keep it, with "
    return places.warning("DP415", path, message, hint + "`# dpproxy: allow DP415 reason` on the line")
