"""A statement without its constants, so that a log of it holds no value that somebody has asked for."""

from __future__ import annotations

from typing import Final

from proxy.sql.lexemes import lexemes

LONGEST: Final = 2_000
"""Characters that are kept."""
_CONSTANTS: Final = frozenset({"string", "number"})


def redacted(text: str) -> str | None:
    """The statement's lexemes with ? for every constant, without comments; None where its end cannot be found.

    Names stay, quoted ones too: they are those of tables and columns, or make no sense.
    """
    try:
        parts = [
            "?" if lexeme.kind in _CONSTANTS else text[lexeme.start : lexeme.end]
            for lexeme in lexemes(text[: 2 * LONGEST])
        ]
    except ValueError:
        return None
    return " ".join(parts)[:LONGEST]
