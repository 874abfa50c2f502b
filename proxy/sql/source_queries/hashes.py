"""Keyed hashes, by which it is chosen what of a unit counts."""

from __future__ import annotations

from collections.abc import Sequence

from proxy.sql.planning.keys import Key
from proxy.sql.terms.types import Kind


def place_hash(keys: Sequence[Key], columns: Sequence[str], seed: int, unit: str) -> str:
    """A keyed 64-bit hash of a group's keys and a unit. It is computed in each row, so keys that are whole numbers are
    not turned into texts. By the keys alone all units that are in more groups than count would leave out the same ones.

    Args:
        keys: selected keys, whose texts are short.
        columns: their names in the query.
        seed: secret.
        unit: the name of the unit.
    """
    sql = f"hashtextextended({unit}::text, {seed})"
    for key, column in zip(keys, columns, strict=True):
        if key.term.kind is Kind.INTEGER and not key.term.wide:
            sql = f"hashint8extended(coalesce({column}::bigint, 0), {sql})"
        else:
            sql = _text_hash(f"{column}::text", sql)
    return sql


def keyed_hash(columns: Sequence[str], seed: int, *, unit: str | None = None) -> str:
    """A keyed 64-bit hash of the columns' texts, and of the unit that they belong to.

    Equal values have equal hashes: columns are in a canonical form (`terms.canonical_values`), and so is the unit,
    except under a nondeterministic collation. Then its text is hashed whole and under its own collation, with which
    Postgres gives equal texts equal hashes; cut texts would no longer be equal.
    """
    sql = str(seed)
    if unit is not None:
        sql = f"hashtextextended({unit}::text, {sql})"
    for column in columns:
        sql = _text_hash(f"left({column}::text, 1000000)", sql)
    return sql


def _text_hash(text: str, seed: str) -> str:
    return f"hashtextextended(coalesce({text}, ''), {seed})"
