"""How sqlglot reads and prints PostgreSQL here.

sqlglot's own Postgres dialect translates many functions into a common vocabulary and back. A proxy must not: a function
keeps the name and the arguments that the client wrote, so that what is checked by name is what is printed.
"""

from __future__ import annotations

from typing import ClassVar

import sqlglot
from sqlglot import exp
from sqlglot.dialects.postgres import Postgres
from sqlglot.parsers.postgres import PostgresParser
from sqlglot.tokenizer_core import TokenType


class PlainPostgresParser(PostgresParser):
    """Functions stay `exp.Anonymous` under the name that the client wrote."""

    FUNCTIONS: ClassVar[dict[str, object]] = {}  # type: ignore[assignment]
    FUNCTION_PARSERS: ClassVar[dict[str, object]] = {  # type: ignore[assignment]
        name: PostgresParser.FUNCTION_PARSERS[name]
        for name in (
            "CAST",
            "EXTRACT",
            "OVERLAY",
            "POSITION",
            "STRING_AGG",
            "SUBSTRING",
            "TRIM",
            "XMLELEMENT",
            "XMLTABLE",
        )
    }


class PlainPostgres(Postgres):
    """PostgreSQL without function translation, date-format translation or commands that swallow the rest of a text."""

    TIME_MAPPING = {}  # noqa: RUF012 (the base class declares it as an instance attribute)
    Parser = PlainPostgresParser

    class Tokenizer(Postgres.Tokenizer):
        COMMANDS: ClassVar[set[TokenType]] = set()


def parse(text: str) -> list[exp.Expr | None]:
    """Parse a script. Raises `sqlglot.errors.SqlglotError`."""
    return list(sqlglot.parse(text, read=PlainPostgres))


def tokenize(text: str) -> list[sqlglot.Token]:
    """Tokens with character offsets (`start`, `end` inclusive). Raises `sqlglot.errors.TokenError`."""
    return list(PlainPostgres().tokenize(text))


def render(tree: exp.Expr) -> str:
    """Print a tree for the stage (what goes to the source is printed by `expressions` and `measure` alone)."""
    return tree.sql(dialect=PlainPostgres, normalize_functions=False, comments=False)
