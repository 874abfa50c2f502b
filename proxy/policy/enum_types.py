"""The enums that clients can name: those of visible columns. What a public table shows has public labels."""

from __future__ import annotations

import re

from proxy.policy import model
from proxy.policy.catalog import Catalog, Column

_PART = re.compile(r'"((?:[^"]|"")+)"|([^".]+)')
"""One name of a type as format_type writes it."""


def named_enums(policy: model.Policy, catalog: Catalog) -> dict[str, tuple[str, ...] | None]:
    """By "schema.name" the labels, in their order, of each enum that a visible column has. They can hold data: None
    unless a public table shows a column of the enum, or the policy declares all of them as values of some column."""
    found: dict[str, tuple[str, ...] | None] = {}
    for name, table in policy.tables.items():
        known = catalog.tables.get(name)
        for column in known.columns.values() if known is not None else ():
            # The schema dp is dpproxy's own on the stage.
            if not column.enum or column.enum.startswith("dp.") or not _is_visible(column.name, table):
                continue
            declared = (table.columns or {}).get(column.name, model.unlisted_column()).listed
            are_public = table.public or set(column.labels) <= set(map(str, declared))
            labels = column.labels if are_public else None
            found[column.enum] = labels or found.get(column.enum)
    return found


def shown_enum(column: Column, table: model.TablePolicy) -> str:
    """The enum ("schema.name") as which clients see a visible column; empty for other columns, and for one whose other
    values have a name, which is no label."""
    policy = (table.columns or {}).get(column.name)
    if column.enum.startswith("dp.") or (policy is not None and policy.others is not None):
        return ""
    return column.enum


def name_parts(name: str) -> list[str]:
    """The schema, if there is one, and the name of a type as format_type writes it."""
    return [quoted.replace('""', '"') or bare for quoted, bare in _PART.findall(name)]


def _is_visible(column: str, table: model.TablePolicy) -> bool:
    return (table.public or table.view) if table.columns is None else column in table.columns
