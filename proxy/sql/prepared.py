"""PREPARE and EXECUTE in SQL: the query that was prepared, and the arguments that it is executed with.

The stage keeps the prepared statements, so that DEALLOCATE, DISCARD and pg_prepared_statements are its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from proxy.sql import grammar
from proxy.sql.grammar import NotReadError, TooLargeError
from proxy.sql.lexemes import Lexeme, lexemes
from proxy.sql.scripts import first_words

_LONGEST = 100_000
"""Characters of an EXECUTE."""


@dataclass(frozen=True)
class Execution:
    """EXECUTE name (arguments), or EXPLAIN of that.

    Attributes:
        prefix: what stands before EXECUTE: nothing, or EXPLAIN with its options.
        name: of the prepared statement, as Postgres stores it.
        arguments: the text of each expression.
    """

    prefix: str
    name: str
    arguments: tuple[str, ...]


def may_execute(text: str) -> bool:
    """Is it EXECUTE, or EXPLAIN of it? In linear time; False only where it certainly is not."""
    return "execute" in text.lower() and first_words(text, 1) in (("execute",), ("explain",))


def execution(text: str) -> Execution | None:
    """What an EXECUTE executes; None for other statements, and for one that only Postgres can report as wrong."""
    if not may_execute(text) or len(text) > _LONGEST:
        return None
    try:
        (tree,) = grammar.statements(text)
    except (NotReadError, TooLargeError, ValueError):
        return None
    found = tree.get("ExplainStmt", {}).get("query", tree).get("ExecuteStmt")
    if found is None:
        return None
    scanned = list(lexemes(text))
    place = next(i for i, lexeme in enumerate(scanned) if text[lexeme.start : lexeme.end].lower() == "execute")
    arguments = _arguments(text, scanned[place:])
    if len(arguments) != len(found.get("params", ())):
        return None
    return Execution(text[: scanned[place].start], found["name"], arguments)


def prepared_query(text: str) -> str | None:
    """The query of PREPARE name (types) AS query; None for something else."""
    try:
        found = list(lexemes(text))
    except ValueError:
        return None
    words = [text[lexeme.start : lexeme.end].lower() for lexeme in found]
    place = 2
    if words[place : place + 1] == ["("]:
        place = _closing(words, place) + 1
    if words[:1] != ["prepare"] or words[place : place + 1] != ["as"]:
        return None
    last = found[-2 if words[-1] == ";" else -1]
    return text[found[place].end : last.end]


def _arguments(text: str, found: list[Lexeme]) -> tuple[str, ...]:
    """What stands between the commas of the outermost parentheses after EXECUTE and the name."""
    words = [text[lexeme.start : lexeme.end] for lexeme in found]
    if words[2:3] != ["("]:
        return ()
    arguments: list[str] = []
    depth, begin = 0, found[2].end
    for lexeme, word in zip(found[2:], words[2:], strict=True):
        depth += (word in ("(", "[")) - (word in (")", "]"))
        if depth == 0 or (depth == 1 and word == ","):
            arguments.append(text[begin : lexeme.start])
            begin = lexeme.end
        if depth == 0:
            break
    return tuple(arguments)


def _closing(words: list[str], place: int) -> int:
    """The place of the parenthesis that closes the one at `place`; the last place if none does."""
    depth = 0
    for index in range(place, len(words)):
        depth += (words[index] == "(") - (words[index] == ")")
        if depth == 0:
            return index
    return len(words) - 1
