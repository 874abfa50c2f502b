"""Rows that the proxy itself holds, as a relation for the stage."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from proxy.sql.terms.term import quote_literal


def values_relation(columns: Sequence[tuple[str, str]], rows: Iterable[Sequence[str | None]]) -> str:
    """A subquery with these rows.

    Args:
        columns: name and type of each.
        rows: their values in text form; possibly none.
    """
    names = ", ".join(column for column, _ in columns)
    casts = ", ".join(f"v.{column}::{type_name} AS {column}" for column, type_name in columns)
    lines = ["(" + ", ".join("NULL" if value is None else quote_literal(value) for value in row) + ")" for row in rows]
    if not lines:
        nulls = ", ".join("NULL::text" for _ in columns)
        return f"(SELECT {casts} FROM (SELECT {nulls} LIMIT 0) AS v({names}))"
    return f"(SELECT {casts} FROM (VALUES {', '.join(lines)}) AS v({names}))"
