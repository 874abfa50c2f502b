"""Identifiers as Postgres stores them."""

from __future__ import annotations

from string import ascii_uppercase
from typing import Final

from sqlglot import exp

_LOWER: Final = {ord(letter): letter.lower() for letter in ascii_uppercase}


def folded(identifier: exp.Expr) -> str:
    """An identifier's name as Postgres stores it: unquoted ASCII letters fold to lower case."""
    if identifier.__class__ is exp.Identifier:
        name: str = identifier.args["this"]
        if identifier.args.get("quoted"):
            return name
    else:
        name = identifier.name
    return name.lower() if name.isascii() else name.translate(_LOWER)
