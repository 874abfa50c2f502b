"""One statement, asked of the proxy and of the source itself: equal, refused for a reason, or a disagreement."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from types import TracebackType
from typing import Literal, Self

import psycopg

from tests.corpus.statement import Statement
from tests.end_to_end.refusals import REFUSALS
from tests.end_to_end.running import RunningProxy

REFUSAL_STATES = frozenset({"0A000", "42501", "22023"})
DATA_ERRORS = "22"
"""SQLSTATE class of what only Postgres's own evaluation of the rows can raise, such as a division by zero."""

Rows = list[tuple[object, ...]]
_RELATIVE = 1e-6


class DisagreementError(AssertionError):
    """The proxy's answer is neither Postgres's nor a documented refusal."""


class InvalidQueryError(AssertionError):
    """Postgres itself does not accept a generated query: the grammar is wrong."""


@dataclass(frozen=True)
class Outcome:
    """What came of a statement.

    Attributes:
        kind: `answered` as Postgres does; `refused`; `failing`, where Postgres has no answer either.
        rule: of the refusal.
    """

    kind: Literal["answered", "refused", "failing"]
    rule: str | None = None


@dataclass(frozen=True)
class _Reply:
    columns: list[tuple[str, int]]
    rows: Rows


class Comparison:
    """Two sessions with the same settings, the client's and the owner's. Use it in a `with`.

    Args:
        proxy: in front of the library.
        rules: where its router notes the rules that refuse.
    """

    def __init__(self, proxy: RunningProxy, rules: list[str | None]) -> None:
        self._proxy = proxy
        self._rules = rules
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._client = self._stack.enter_context(
            self._proxy.connect(options="-c dp.empty_groups=hide -c dp.notices=off")
        )
        dsn = self._proxy.options.source_dsn
        self._source = self._stack.enter_context(psycopg.connect(dsn, autocommit=True))
        for connection in (self._client, self._source):
            connection.execute("SET TimeZone = 'Europe/Paris'")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._stack.close()

    def compare(self, statement: Statement) -> Outcome:
        """Ask both.

        Raises:
            DisagreementError: as its name says.
            InvalidQueryError: Postgres takes the text for no query at all.
        """
        self._rules.clear()
        if statement.kept:
            for connection in (self._source, self._client):
                connection.execute("DROP TABLE IF EXISTS kept")
                connection.execute(f"CREATE TEMP TABLE kept AS {statement.kept}".encode())
        expected, answer = _ask(self._source, statement.sql), _ask(self._client, statement.sql)
        if isinstance(expected, psycopg.Error) and not (expected.sqlstate or "").startswith(DATA_ERRORS):
            raise InvalidQueryError(f"{statement.sql}\n{expected}")
        if isinstance(answer, psycopg.Error):
            return self._refusal(statement, answer, expected)
        if isinstance(expected, psycopg.Error):
            return Outcome("failing")
        difference = _difference(answer, expected, statement)
        if difference is not None:
            raise DisagreementError(f"{statement.sql}\n{difference}")
        return Outcome("answered")

    def _refusal(self, statement: Statement, error: psycopg.Error, expected: _Reply | psycopg.Error) -> Outcome:
        if isinstance(expected, psycopg.Error) and error.sqlstate == expected.sqlstate:
            return Outcome("failing")
        rule = self._rules[-1] if self._rules else None
        if error.sqlstate not in REFUSAL_STATES or rule not in REFUSALS:
            raise DisagreementError(f"{statement.sql}\n{error.sqlstate} {error} (rule {rule})")
        return Outcome("refused", rule)


def _ask(connection: psycopg.Connection, sql: str) -> _Reply | psycopg.Error:
    try:
        cursor = connection.execute(sql.encode())
    except psycopg.Error as error:
        return error
    return _Reply([(column.name, column.type_code) for column in cursor.description or ()], cursor.fetchall())


def _difference(answer: _Reply, expected: _Reply, statement: Statement) -> str | None:
    """How the replies differ, None if they do not."""
    if answer.columns != expected.columns:
        return f"columns {answer.columns}\nPostgres {expected.columns}"
    rows, wanted = answer.rows, expected.rows
    if not statement.ordered:
        rows, wanted = (sorted(some, key=partial(_sort_key, tolerance=statement.tolerance)) for some in (rows, wanted))
    same = partial(_same, tolerance=statement.tolerance)
    if len(rows) == len(wanted) and all(all(map(same, *pair)) for pair in zip(rows, wanted, strict=True)):
        return None
    return f"rows     {rows}\nPostgres {wanted}"


def _same(value: object, wanted: object, *, tolerance: float) -> bool:
    """Equal with the same digits; floats, and sums of what is rounded to a grid, have a tolerance."""
    if isinstance(value, float) and isinstance(wanted, float):
        return math.isclose(value, wanted, rel_tol=_RELATIVE, abs_tol=max(tolerance, _RELATIVE))
    if isinstance(value, Decimal) and isinstance(wanted, Decimal):
        if tolerance:
            return math.isclose(value, wanted, rel_tol=_RELATIVE, abs_tol=tolerance)
        return str(value) == str(wanted)
    return type(value) is type(wanted) and value == wanted


def _sort_key(row: Sequence[object], *, tolerance: float) -> str:
    """Numbers with a tolerance come last and rounded, so that their last digits do not decide."""
    rounded = (float, Decimal) if tolerance else (float,)
    first = [value for value in row if not isinstance(value, rounded)]
    return repr((first, [f"{value:.4g}" for value in row if isinstance(value, rounded)]))
