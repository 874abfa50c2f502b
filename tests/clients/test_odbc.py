"""psqlODBC through unixODBC and pyodbc: one session each against plain Postgres and through dpproxy."""

from __future__ import annotations

import decimal
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest

from tests.clients import target as asked
from tests.clients.conftest import Targets
from tests.clients.target import OPTIONS, Target
from tests.clients.tunnel import tunnel

INSTALL = "apt-get install unixodbc odbc-postgresql && pip install pyodbc"
DRIVERS = ("PostgreSQL Unicode", "PostgreSQL ANSI")


@pytest.fixture(scope="module", params=DRIVERS)
def driver(request: pytest.FixtureRequest) -> tuple[Any, str]:
    module = pytest.importorskip("pyodbc", reason=INSTALL)
    if request.param not in module.drivers():
        pytest.skip(INSTALL)
    return module, request.param


@contextmanager
def connected(driver: tuple[Any, str], target: Target, *, fetch: bool = False, tls: bool = False) -> Iterator[Any]:
    """A connection; `fetch` lets the driver read results by cursors, ten rows at a time."""
    module, name = driver
    parameters = {
        "Driver": f"{{{name}}}",
        "Database": target.database,
        "Uid": target.user,
        "Pwd": target.password or "",
        "SSLmode": "verify-full" if tls else "disable",
        "UseServerSidePrepare": "1",
    }
    if fetch:
        parameters |= {"UseDeclareFetch": "1", "Fetch": "10"}
    if tls:
        parameters["Pqopt"] = f"{{sslrootcert={target.authority}}}"
    with tunnel(target) as port:
        parameters |= {"Server": "127.0.0.1" if target.over_socket else target.host, "Port": str(port)}
        text = ";".join(f"{key}={value}" for key, value in parameters.items())
        with closing(module.connect(text, autocommit=True)) as connection:
            for option in OPTIONS.split("-c ")[1:]:
                connection.execute("SET " + option)
            yield connection


def rows(connection: Any, query: str, *values: object) -> object:
    """Names and types of the columns, and the rows; or the SQLSTATE of the error."""
    cursor = connection.cursor()
    try:
        cursor.execute(query, *values)
        return [column[:2] for column in cursor.description], [tuple(row) for row in cursor.fetchall()]
    except Exception as error:
        return error.args[0]


def catalog(connection: Any) -> object:
    """What the driver finds out of tables, columns and keys."""
    cursor = connection.cursor()
    tables = [row[1:4] for row in map(tuple, cursor.tables(schema="public")) if row[2] != "dpproxy"]
    columns = [tuple(row)[1:11] for row in cursor.columns(table="visits", schema="public")]
    keys = [tuple(row)[2:5] for row in cursor.primaryKeys("visits", schema="public")]
    foreign = [tuple(row)[2:8] for row in cursor.foreignKeys(foreignTable="visits", foreignSchema="public")]
    return sorted(tables), columns, keys, sorted(foreign, key=str)


def transaction(connection: Any) -> object:
    """An error in a transaction, and what is possible after it."""
    connection.autocommit = False
    found = [rows(connection, asked.WRONG), rows(connection, "SELECT count(*) FROM visits")]
    connection.rollback()
    connection.autocommit = True
    return [*found, rows(connection, "SELECT count(*) FROM visits")]


STEPS: dict[str, Callable[[Any], object]] = {
    "catalog": catalog,
    "types": lambda connection: rows(connection, asked.TYPES),
    "groups": lambda connection: rows(connection, asked.GROUPED),
    "columns": lambda connection: rows(connection, asked.COLUMNS),
    "parameters": lambda connection: [
        rows(connection, asked.FILTERED.format("?", "?", "?"), decimal.Decimal("99.5"), "north", asked.VALUES[2])
        for _ in range(3)
    ],
    "null": lambda connection: rows(connection, asked.NOTHING.format("?"), None),
    "pages": lambda connection: rows(connection, asked.PAGED),
    "transaction": transaction,
    "wrong": lambda connection: rows(connection, asked.WRONG),
}


@pytest.mark.parametrize("fetch", [False, True], ids=["whole", "by cursors"])
def test_the_session_is_that_of_plain_postgres(driver: tuple[Any, str], targets: Targets, fetch: bool) -> None:
    with (
        connected(driver, targets.proxied, fetch=fetch) as here,
        connected(driver, targets.plain, fetch=fetch) as there,
    ):
        for name, step in STEPS.items():
            found = outcome(step, here)
            assert found == outcome(step, there), name
            assert found, name


def outcome(step: Callable[[Any], object], connection: Any) -> object:
    """What comes of a step; an error is one too, as the ANSI driver does not read all of its own catalog's columns."""
    try:
        return step(connection)
    except Exception as error:
        return error.args[0]


def test_it_verifies_the_certificate(driver: tuple[Any, str], targets: Targets) -> None:
    with connected(driver, targets.proxied, tls=True) as connection:
        assert rows(connection, "SELECT count(*) FROM regions")


def test_a_refusal_has_its_sqlstate(driver: tuple[Any, str], targets: Targets) -> None:
    with connected(driver, targets.proxied) as connection:
        assert rows(connection, asked.REFUSED) == "42501"
        assert rows(connection, asked.PAGED)
