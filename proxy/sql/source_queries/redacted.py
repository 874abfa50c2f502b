"""A source query for the operator's log: its shape, without any value."""

from __future__ import annotations

from proxy.sql.lexemes import lexemes

_VALUES = frozenset({"string", "number"})


def without_values(statement: str) -> str:
    """A generated statement with `?` in place of each constant: the client's, the policy's, and released results."""
    return " ".join(
        "?" if lexeme.kind in _VALUES else statement[lexeme.start : lexeme.end] for lexeme in lexemes(statement)
    )
