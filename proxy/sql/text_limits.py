"""Limits on the size of texts over private tables, so that planning ends within seconds.

Every step from text to plan takes time that grows with the number of lexemes, some with its square for aggregates. The
limits leave room for an IN list of 12 000 constants, which takes some seconds; the limit on columns is Postgres's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from sqlglot import exp

from proxy.errors import ProgramLimitError, TooComplexError, TooManyColumnsError
from proxy.sql.grammar import LONGEST_RUN
from proxy.sql.lexemes import lexemes

MOST_CHARACTERS = 1_000_000
MOST_LEXEMES = 25_000
MOST_STATEMENTS = 1_000
MOST_COLUMNS = 1_664

_LONGEST_HARMLESS = 2_000
_STARVING = re.compile(rf"[-~!@#^&|`?+*/%<>=]{{{_LONGEST_HARMLESS}}}")


def check_length(length: int) -> None:
    """Refuse a statement by the length of its text or of its parameters, in characters.

    Raises:
        ProgramLimitError: it is too long.
    """
    if length > MOST_CHARACTERS:
        raise ProgramLimitError(
            f"a query over private tables has more than {MOST_CHARACTERS} characters",
            hint="Shorten the query; replace long lists of constants by a join with a public table.",
            rule="size",
        )


def check_lexemes(text: str) -> None:
    """Refuse a statement of too many lexemes. A text that cannot be cut is left to the parser.

    Raises:
        TooComplexError: it has too many.
    """
    if len(text) <= MOST_LEXEMES:
        return  # A text has no more lexemes than characters.
    try:
        count = sum(1 for _ in islice(lexemes(text), MOST_LEXEMES + 1))
    except ValueError:
        return
    if count > MOST_LEXEMES:
        raise TooComplexError(
            f"this statement has more than {MOST_LEXEMES} tokens",
            hint="Replace long lists of constants by a join with a public table.",
            rule="complexity",
        )


def check_operators(text: str) -> None:
    """Refuse a long run of operator characters, also in comments: Postgres's own scanner reads it again and again.

    Raises:
        TooComplexError: there is one.
    """
    run = LONGEST_RUN.search(text)
    if run is not None:
        raise TooComplexError(
            "this statement has too many operator characters in a row",
            hint="Separate comments by spaces or newlines, and shorten decorative lines of dashes and the like.",
            position=run.start() + 1,
            rule="operators",
        )


def starves_a_scanner(text: str) -> bool:
    """Would Postgres's scanner take long for a run of operator characters, without reacting to a cancel? It backs up in
    the run octet by octet: 2000 take a millisecond, 64 000 two seconds."""
    return len(text) > _LONGEST_HARMLESS and _STARVING.search(text) is not None


def check_statements(count: int) -> None:
    """Refuse a script by its number of statements.

    Raises:
        ProgramLimitError: they are too many.
    """
    if count > MOST_STATEMENTS:
        raise ProgramLimitError(
            f"a script over private tables has more than {MOST_STATEMENTS} statements",
            hint="Send fewer statements at a time.",
            rule="statements",
        )


def check_columns(selects: Iterable[exp.Select]) -> None:
    """Refuse a SELECT with more columns than Postgres returns.

    Raises:
        TooManyColumnsError: there is one.
    """
    for select in selects:
        if len(select.expressions) > MOST_COLUMNS:
            raise TooManyColumnsError(
                f"target lists can have at most {MOST_COLUMNS} entries",
                hint="Select fewer columns.",
                rule="columns",
            )
