"""A statement without its constants, so that a record of it holds no value that somebody has asked for."""

from __future__ import annotations

from typing import Final, Literal

from proxy.sql.lexemes import lexemes

LONGEST: Final = 2_000
"""Characters that are kept."""
_CONSTANTS: Final = frozenset({"string", "number"})


def redacted(text: str) -> str | None:
    """The statement with ? for every constant, without comments; None where its end cannot be found.

    Names stay, quoted ones too: they are those of tables and columns, or make no sense.
    """
    searched, parts, end = text[: 2 * LONGEST], list[str](), 0
    try:
        for lexeme in lexemes(searched):
            parts.append(" " if lexeme.start > end and parts else "")
            parts.append("?" if lexeme.kind in _CONSTANTS else searched[lexeme.start : lexeme.end])
            end = lexeme.end
    except ValueError:
        if len(searched) == len(text):
            return None
    return "".join(parts)[:LONGEST]


def kept_text(text: str, how: Literal["redacted", "whole", "none"]) -> str | None:
    """What the ledger keeps of a statement, in at most `LONGEST` characters; None for nothing."""
    if how == "none":
        return None
    return text[:LONGEST] if how == "whole" else redacted(text)
