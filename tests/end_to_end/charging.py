"""What an account has spent, and sources that are made to wait: for tests of who is charged, and when."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal

import psycopg
from psycopg import sql

from tests.end_to_end.running import RunningProxy

DEADLINE_SECONDS = 20.0


def pure_policy(queries: int) -> dict[str, object]:
    """Changes of a table's policy: a budget without delta, so Laplace noise, for so many queries at epsilon 0.5."""
    return {"budget": {"epsilon": str(Decimal("0.5") * queries), "delta": "0"}, "per_analyst": None}


def spent(proxy: RunningProxy, table: str = "visits") -> Decimal:
    """Pure epsilon that a table's account has spent."""
    with proxy.connect() as connection:
        row = connection.execute(
            "SELECT epsilon_spent FROM dp.budget WHERE account = %s", (f"table:public.{table}",)
        ).fetchone()
    assert row is not None
    return Decimal(row[0])


def all_spent(connection: psycopg.Connection) -> list[tuple[object, ...]]:
    """Of every account its name and what it has spent: epsilon, rho and delta."""
    return connection.execute("SELECT account, epsilon_spent, rho_spent, delta_spent FROM dp.budget").fetchall()


def wait_until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not happen"
        time.sleep(0.02)


@contextmanager
def locked(source: str, table: str) -> Iterator[None]:
    """While it lasts, a source query of `table` waits on the source."""
    with psycopg.connect(source) as connection:
        connection.execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(sql.Identifier(table)))
        yield
        connection.rollback()


def assert_constant_failure(error: psycopg.Error) -> None:
    """The one public text of a failed source, and not a word more."""
    fields = {
        name: getattr(error.diag, name)
        for name in dir(error.diag)
        if not name.startswith("_") and isinstance(getattr(error.diag, name), str)
    }
    assert fields == {
        "severity": "ERROR",
        "severity_nonlocalized": "ERROR",
        "sqlstate": "58000",
        "message_primary": "the private database could not answer",
        "message_detail": "The price of the query stays charged; the operator's log has the cause.",
    }
