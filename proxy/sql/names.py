"""Identifiers as Postgres stores them."""

from __future__ import annotations

from sqlglot import exp


def folded(identifier: exp.Expr) -> str:
    """An identifier's name as Postgres stores it: unquoted ASCII letters fold to lower case."""
    name = identifier.name
    if isinstance(identifier, exp.Identifier) and identifier.args.get("quoted"):
        return name
    return "".join(character.lower() if "A" <= character <= "Z" else character for character in name)
