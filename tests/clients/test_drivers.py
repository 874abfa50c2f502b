"""DB-API drivers: one session each against plain Postgres and through dpproxy, with the same outcome."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from tests.clients import target as asked
from tests.clients.conftest import Targets
from tests.clients.drivers import DRIVERS, Driver

Opened = tuple[Driver, Any]
Row = tuple[object, ...]


@pytest.fixture(scope="module", params=DRIVERS)
def driver(request: pytest.FixtureRequest) -> Opened:
    found = DRIVERS[request.param]
    return found, pytest.importorskip(found.module, reason=found.install)


@pytest.fixture(scope="module")
def connections(driver: Opened, targets: Targets) -> Iterator[tuple[Any, Any]]:
    """Of the proxy, and of its source."""
    kind, module = driver
    with (
        closing(kind.connect(module, targets.proxied, False)) as here,
        closing(kind.connect(module, targets.plain, False)) as there,
    ):
        yield here, there


def outcome(connection: Any, query: str, values: Row = ()) -> tuple[list[Row], list[Row]]:
    """Names, types and rows."""
    cursor = connection.cursor()
    cursor.execute(query, values) if values else cursor.execute(query)
    described = [tuple(column[:2]) for column in cursor.description]
    rows = [tuple(row) for row in cursor.fetchall()]
    connection.commit()
    return described, rows


def same(connections: tuple[Any, Any], query: str, values: Row = ()) -> list[Row]:
    """The rows, which are the source's."""
    (described, rows), expected = (outcome(connection, query, values) for connection in connections)
    assert (described, rows) == expected
    return rows


@pytest.mark.parametrize("query", [asked.COLUMNS, asked.KEYS, asked.READABLE], ids=["columns", "keys", "privileges"])
def test_introspection(connections: tuple[Any, Any], query: str) -> None:
    assert len(same(connections, query)) > 2


def test_values_of_many_types_with_nulls(connections: tuple[Any, Any]) -> None:
    ((none, *values),) = same(connections, asked.TYPES)
    assert none is None
    assert None not in values


def test_groups_with_nulls(connections: tuple[Any, Any]) -> None:
    rows = same(connections, asked.GROUPED)
    assert rows[0][0] is None
    assert len(rows) > 20


def test_parameters_and_the_same_statement_again(connections: tuple[Any, Any]) -> None:
    query = asked.FILTERED.format("%s", "%s", "%s")
    first = same(connections, query, asked.VALUES)
    assert same(connections, query, asked.VALUES) == first
    assert same(connections, query, (*asked.VALUES[:1], "south", asked.VALUES[2])) != first
    assert same(connections, asked.NOTHING.format("%s"), (None,)) == [(0,)]


def test_a_cursor_reads_page_by_page(driver: Opened, connections: tuple[Any, Any]) -> None:
    pages = []
    for connection in connections:
        cursor = connection.cursor()
        if driver[0].pages is not None:
            cursor = driver[0].pages(connection, asked.PAGED)
            pages.append([tuple(row) for row in [*cursor.fetchmany(7), cursor.fetchone(), *cursor.fetchall()]])
        else:
            cursor.execute(f"DECLARE pages CURSOR FOR {asked.PAGED}")
            found: list[Row] = []
            for fetch in ("FETCH 7 FROM pages", "FETCH ALL FROM pages"):
                cursor.execute(fetch)
                found += [tuple(row) for row in cursor.fetchall()]
            pages.append(found)
        cursor.close()
        connection.commit()
    assert pages[0] == pages[1]
    assert len(pages[0]) == 90


def test_copy_out(driver: Opened, connections: tuple[Any, Any]) -> None:
    copies = [driver[0].copied(connection, asked.COPIED) for connection in connections]
    for connection in connections:
        connection.commit()
    assert copies[0] == copies[1]
    assert copies[0].count("\n") == 6


def failure(driver: Opened, connection: Any, query: str) -> str:
    """The SQLSTATE with which a query fails."""
    kind, module = driver
    with pytest.raises(module.DatabaseError) as failed:
        connection.cursor().execute(query)
    return kind.sqlstate(failed.value)


def test_an_error_fails_the_transaction_up_to_a_savepoint(driver: Opened, connections: tuple[Any, Any]) -> None:
    for connection in connections:
        cursor = connection.cursor()
        cursor.execute(asked.NOTHING.format("'north'"))
        cursor.execute("SAVEPOINT here")
        assert failure(driver, connection, asked.WRONG) == "42703"
        assert failure(driver, connection, asked.PAGED) == "25P02"
        cursor.execute("ROLLBACK TO SAVEPOINT here")
        cursor.execute(asked.NOTHING.format("'north'"))
        connection.commit()
        assert failure(driver, connection, "SELECT 1 / 0") == "22012"
        connection.rollback()
    same(connections, asked.PAGED)


def test_a_refusal_is_an_error_like_any_other(driver: Opened, connections: tuple[Any, Any]) -> None:
    assert failure(driver, connections[0], asked.REFUSED) == "42501"
    assert failure(driver, connections[0], asked.PAGED) == "25P02"
    connections[0].rollback()
    same(connections, asked.PAGED)


def test_a_statement_can_be_cancelled(driver: Opened, connections: tuple[Any, Any]) -> None:
    cancel = driver[0].cancel
    if cancel is None:
        pytest.skip("the driver cannot cancel beside a proxy")
    for connection in connections:
        timer = threading.Timer(0.2, cancel, [connection])
        timer.start()
        assert failure(driver, connection, asked.SLOW) == "57014"
        timer.join()
        connection.rollback()
    same(connections, asked.NOTHING.format("'north'"))


def test_tls_with_a_verified_name(driver: Opened, targets: Targets, connections: tuple[Any, Any]) -> None:
    kind, module = driver
    with closing(kind.connect(module, targets.proxied, True)) as connection:
        assert kind.encrypted(connection)
        assert outcome(connection, asked.GROUPED) == outcome(connections[1], asked.GROUPED)
