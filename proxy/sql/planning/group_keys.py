"""The keys of groups in text form, and when two of them are the same group."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from decimal import Decimal

from proxy.sql.terms.types import Kind, SqlType

KeyRow = tuple[str | None, ...]


def canonical_key(key: KeyRow, types: Sequence[SqlType]) -> tuple[Hashable, ...]:
    """A key in a form that is equal where Postgres takes the values as equal: 1.0 and 1.00 are one group, and so are
    'a' and 'a ' of type char(n)."""
    return tuple(_canonical(text, type_) for text, type_ in zip(key, types, strict=True))


def canonical_keys(types: Sequence[SqlType], keys: Sequence[KeyRow]) -> list[tuple[Hashable, ...]]:
    """`canonical_key` of each key."""
    return [canonical_key(key, types) for key in keys]


def _canonical(text: str | None, type_: SqlType) -> Hashable:
    kind = type_.kind
    if text is None:
        return None
    if type_.name == "bpchar":
        return text.rstrip(" ")
    if kind in (Kind.INTEGER, Kind.NUMERIC):
        number = Decimal(text)
        return number if number.is_finite() else text
    if kind is Kind.FLOAT:
        return float(text) if text != "NaN" else text
    return text
