"""What findings suggest to write: names for other values, and columns as SQL names them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from proxy.policy.catalog import Column, Table
from proxy.policy.column_types import can_hold, family_of

_NAMES: Final = ("other", "else", "etc", "oth", "xx", "zz", "?", "-", "*")
"""By which all values that are not declared can be read, the clearest first."""

_PLAIN: Final = re.compile(r"[a-z_][a-z0-9_]*", re.ASCII)

_RESERVED: Final = frozenset(
    """all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation
    column concurrently constraint create cross current_catalog current_date current_role current_schema current_time
    current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze
    from full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit
    localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references
    returning right select session_user similar some symmetric system_user table tablesample then to trailing true union
    unique user using variadic verbose when where window with""".split()
)
"""Words that name no column unless they are quoted."""


def others_for(table: Table, column: Column, declared: Iterable[object]) -> str | None:
    """`others` with a name for the values of a column that are not declared, as a policy writes it; None where it can
    have none.

    Args:
        table: whose column it is.
        column: of texts, or another one.
        declared: its values that are.
    """
    if family_of(column) != "text" or frozenset({column.name}) in table.unique_keys:
        return None
    taken = {str(value).rstrip(" ") for value in declared}
    name = next((name for name in _NAMES if can_hold(column, name) and name not in taken), None)
    return None if name is None else f"`others: {name}`" if name.isalpha() else f'`others: "{name}"`'


def in_sql(*names: str) -> str:
    """A column, or a table with its schema, by the name that SQL has for it."""
    quoted = ('"' + name.replace('"', '""') + '"' for name in names)
    plain = (_PLAIN.fullmatch(name) is not None and name not in _RESERVED for name in names)
    return ".".join(name if is_plain else other for name, other, is_plain in zip(names, quoted, plain, strict=True))
