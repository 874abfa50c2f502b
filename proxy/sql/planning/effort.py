"""How much planning writes out to find the values of columns of nested subqueries: it could double with each level."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.refusal import unsupported

MOST_WRITTEN_OUT = 50_000
"""Most nodes of the definitions that columns of subqueries are written out as: they can double with each level."""


class Effort:
    """How much one block has written out so far."""

    def __init__(self) -> None:
        self.nodes = 0

    def write_out(self, definition: exp.Expr) -> None:
        """Count a definition. Raises UnsupportedError beyond what may be written out."""
        self.nodes += sum(1 for _ in definition.walk())
        if self.nodes > MOST_WRITTEN_OUT:
            raise unsupported(
                definition,
                "this expression over columns of nested subqueries is too large",
                rule="expression-size",
                detail="To find its possible values, dpproxy replaces each column by its definition, at every level.",
                hint="Use each column of a subquery once, or nest fewer subqueries.",
            )
