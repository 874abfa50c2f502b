"""Limits what planning writes out for columns of nested subqueries, which can double with each level."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from proxy.sql.nodes import walk
from proxy.sql.refusal import unsupported

MOST_WRITTEN_OUT = 50_000
"""The most nodes of definitions that are written out in place of columns of subqueries."""


class Effort:
    """How much of one block has been written out so far."""

    def __init__(self) -> None:
        self.nodes = 0
        self.lists: dict[tuple[str, int, int], tuple[object, object, Any]] = {}
        """What `small_sets.listed_values` has found of an expression, relation and conditions, which it keeps alive."""
        self.results: dict[tuple[int, int, int], tuple[object, object, object, Any]] = {}
        """The same of `small_sets.result_set`."""

    def write_out(self, definition: exp.Expr) -> None:
        """Count a definition. Raises UnsupportedError beyond the limit."""
        self.nodes += len(walk(definition))
        if self.nodes > MOST_WRITTEN_OUT:
            raise unsupported(
                definition,
                "this expression over columns of nested subqueries is too large",
                rule="expression-size",
                detail="To find its possible values, dpproxy replaces each column by its definition, at every level.",
                hint="Use each column of a subquery once, or nest fewer subqueries.",
            )
