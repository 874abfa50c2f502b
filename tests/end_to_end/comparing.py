"""The same question to a proxy with exact answers and to the source behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg

from proxy.policy.model import Policy
from tests.end_to_end.running import RunningProxy
from tests.end_to_end.test_equals_postgres import assert_same

Connections = tuple[psycopg.Connection, psycopg.Connection]
"""A client of a proxy, and one of its source."""


@contextmanager
def client_and_source(proxy: RunningProxy) -> Iterator[Connections]:
    """Both in autocommit mode; groups without rows are hidden, as Postgres does it."""
    with proxy.connect() as client, psycopg.connect(proxy.options.source_dsn, autocommit=True) as source:
        client.execute("SET dp.empty_groups = 'hide'")
        client.execute("SET dp.notices = off")
        yield client, source


@contextmanager
def over_tables(sql: str, policy: Policy, source_dsn: str, start: Callable[..., RunningProxy]) -> Iterator[Connections]:
    """As `client_and_source`, for tables that are made in a database of their own, and a proxy that is started."""
    with psycopg.connect(source_dsn, autocommit=True) as source:
        source.execute(sql.encode())
    with client_and_source(start(policy, source=source_dsn)) as both:
        yield both


def assert_same_answer(query: str, connections: Connections, expected_of: str | None = None) -> None:
    """The same rows with the same digits, in whatever order.

    Args:
        query: asked of the proxy.
        connections: the proxy's client, and the source's.
        expected_of: another spelling of the query, which the source answers faster.
    """
    rows, expected = (
        sorted(connection.execute(text.encode()).fetchall(), key=repr)
        for connection, text in zip(connections, (query, expected_of or query), strict=True)
    )
    assert len(rows) == len(expected)
    for row, expected_row in zip(rows, expected, strict=True):
        assert_same(row, expected_row)
