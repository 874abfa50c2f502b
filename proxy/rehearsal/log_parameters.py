"""The parameters of a statement as PostgreSQL's log has them (`parameters: $1 = '5', $2 = NULL`), and the statement
with them in the place of $1 and $2."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from proxy.sql.lexemes import lexemes

_TOLD: Final = re.compile(r"[Pp]arameters: (.*)", re.DOTALL)  # in capitals since PostgreSQL 16
_PARAMETER: Final = re.compile(r"\$([0-9]+) = (NULL|'(?:[^']|'')*+')(?:, |\Z)")
_CUT: Final = "...'"
"""The end of a value of more than `log_parameter_max_length` octets."""


def parameters_of_detail(detail: str) -> dict[str, str] | None:
    """The constants of a statement by their places ('$1'); None if not all of each is told.

    Args:
        detail: the DETAIL of a log's entry, '' if it has none.
    """
    told = _TOLD.fullmatch(detail)
    found: dict[str, str] = {}
    end = 0
    while told is not None and end < len(told[1]):
        match = _PARAMETER.match(told[1], end)
        if match is None or match[2].endswith(_CUT):
            return None
        found[f"${match[1]}"] = match[2]
        end = match.end()
    return found or None


def places(statement: str) -> list[tuple[int, int]]:
    """Where parameters stand in a statement.

    Raises:
        ValueError: it has no lexemes.
    """
    return [(lexeme.start, lexeme.end) for lexeme in lexemes(statement) if lexeme.kind == "parameter"]


def with_parameters(statement: str, parameters: Mapping[str, str]) -> str:
    """A statement with constants in the places of its parameters; those that are not told stay.

    Raises:
        ValueError: it has no lexemes.
    """
    pieces, done = [], 0
    for start, end in places(statement):
        pieces += [statement[done:start], parameters.get(statement[start:end], statement[start:end])]
        done = end
    return "".join([*pieces, statement[done:]])
