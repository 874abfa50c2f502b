"""How sqlglot reads and prints PostgreSQL here.

sqlglot's own Postgres dialect translates many functions into a common vocabulary and back. A proxy must not: a function
keeps the name and the arguments that the client wrote, so that what is checked by name is what is printed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import sqlglot
from sqlglot import exp
from sqlglot.dialects.postgres import Postgres
from sqlglot.parser import build_json_extract, build_json_extract_scalar
from sqlglot.parsers.postgres import PostgresParser
from sqlglot.tokenizer_core import TokenType


class PlainPostgresParser(PostgresParser):
    """Functions stay `exp.Anonymous` under the name that the client wrote."""

    FUNCTIONS: ClassVar[dict[str, object]] = {}  # type: ignore[assignment]
    # In the arguments of a function x -> y is the operator of json, not a lambda; => names an argument.
    LAMBDAS: ClassVar[dict[TokenType, Callable[..., exp.Expr]]] = {
        TokenType.FARROW: PostgresParser.LAMBDAS[TokenType.FARROW]
    }
    JSON_OPERATORS: ClassVar[dict[TokenType, Callable[..., exp.Expr]]] = {
        **PostgresParser.JSON_OPERATORS,
        TokenType.ARROW: build_json_extract,
        TokenType.DARROW: build_json_extract_scalar,
    }
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
    INDEX_OFFSET = 0
    Parser = PlainPostgresParser

    def to_json_path(self, path: exp.Expr | None) -> exp.Expr | None:
        """The key after -> and ->> as the client wrote it; Postgres reads no path in it."""
        return path

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
