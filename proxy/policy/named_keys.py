"""Columns that only by their names lead to a table's rows: half of all databases declare no foreign keys."""

from __future__ import annotations

from typing import Final

from proxy.policy.catalog import Column, Table
from proxy.policy.column_types import IDENTITIES, family_of
from proxy.policy.identifying import words_of

_SINGULAR: Final = {"people": "person", "children": "child", "staff": "staff"}
GENERAL_NAMES: Final = frozenset({"id", "name", "code", "key", "uuid", "number", "no"})
"""Of columns in tables of all kinds."""


def singular(name: str) -> str:
    """The unit of which a table's or column's name speaks: `customers` and `Customer` are about a customer."""
    words = words_of(name) or ["unit"]
    return "_".join([*words[:-1], _singular_word(words[-1])])


def _singular_word(word: str) -> str:
    if word in _SINGULAR:
        return _SINGULAR[word]
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    for end in ("sses", "xes", "ches", "shes"):
        if word.endswith(end):
            return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def same_name(one: str, other: str) -> bool:
    """Are two columns called alike, such as `customer_no` and `Customer No`?"""
    return one == other or (bool(words_of(one)) and words_of(one) == words_of(other))


def named_key(column: Column, table: Table) -> str | None:
    """The key of one column by which a table's rows are told apart, if the name of another table's column says that it
    is meant: `MeterID` that of a table whose key is `meter_id`, `visit_id` that of `visits` whose key is `id`.
    """
    keys = [table.primary_key, *(tuple(key) for key in sorted(table.unique_keys, key=sorted))]
    for key in (table.columns[names[0]] for names in keys if len(names) == 1):
        said = key.name
        if GENERAL_NAMES.issuperset(words_of(said)):
            said = f"{singular(table.relation_name)}_{said}"
        if same_name(column.name, said) and family_of(column) == family_of(key) in IDENTITIES:
            return key.name
    return None
