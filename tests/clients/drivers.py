"""Drivers with Python's DB-API: how each connects, copies and cancels."""

from __future__ import annotations

import io
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.clients.target import OPTIONS, Target


@dataclass(frozen=True)
class Driver:
    """A driver.

    Attributes:
        module: what is imported.
        install: what installs it.
        connect: a connection outside of autocommit; with TLS if asked for.
        copied: what a COPY … TO STDOUT sends.
        sqlstate: of an error of the driver's.
        cancel: ends what a connection runs, from another thread; None where the driver cannot, beside a proxy.
        encrypted: does a connection use TLS?
        pages: a server-side cursor, executed with a query; None where the driver has none.
    """

    module: str
    install: str
    connect: Callable[[Any, Target, bool], Any]
    copied: Callable[[Any, str], str]
    sqlstate: Callable[[Any], str]
    encrypted: Callable[[Any], bool]
    cancel: Callable[[Any], None] | None = None
    pages: Callable[[Any, str], Any] | None = None


def _psycopg2_copied(connection: Any, text: str) -> str:
    buffer = io.StringIO()
    connection.cursor().copy_expert(text, buffer)
    return buffer.getvalue()


def _psycopg2_pages(connection: Any, query: str) -> Any:
    cursor = connection.cursor(name="pages")
    cursor.itersize = 10
    cursor.execute(query)
    return cursor


def _psycopg_connect(module: Any, target: Target, tls: bool) -> Any:
    # Prepared at once: each statement that runs twice is prepared.
    return module.connect(**target.libpq(tls=tls), prepare_threshold=0)


def _psycopg_copied(connection: Any, text: str) -> str:
    with connection.cursor().copy(text) as copy:
        return b"".join(bytes(block) for block in copy).decode()


def _pg8000_connect(module: Any, target: Target, tls: bool) -> Any:
    place = {"unix_sock": f"{target.host}/.s.PGSQL.{target.port}"} if target.over_socket else {"host": target.host}
    context = ssl.create_default_context(cafile=str(target.authority)) if tls else False
    connection = module.connect(
        target.user, database=target.database, port=target.port, password=target.password, ssl_context=context, **place
    )
    # It sends no options with the startup packet.
    cursor = connection.cursor()
    for option in OPTIONS.split("-c ")[1:]:
        cursor.execute("SET " + option)
    connection.commit()
    return connection


def _pg8000_copied(connection: Any, text: str) -> str:
    buffer = io.BytesIO()
    connection.cursor().execute(text, stream=buffer)
    return buffer.getvalue().decode()


DRIVERS = {
    "psycopg2": Driver(
        module="psycopg2",
        install="pip install psycopg2-binary",
        connect=lambda module, target, tls: module.connect(**target.libpq(tls=tls)),
        copied=_psycopg2_copied,
        sqlstate=lambda error: error.pgcode,
        encrypted=lambda connection: connection.info.ssl_in_use,
        # Its cancel() keeps Python's lock while it waits for the proxy, which runs in the same process here.
        pages=_psycopg2_pages,
    ),
    "psycopg": Driver(
        module="psycopg",
        install="pip install 'psycopg[binary]'",
        connect=_psycopg_connect,
        copied=_psycopg_copied,
        sqlstate=lambda error: error.sqlstate,
        encrypted=lambda connection: connection.pgconn.ssl_in_use,
        cancel=lambda connection: connection.cancel_safe(),
        pages=lambda connection, query: connection.cursor(name="pages").execute(query),
    ),
    "pg8000": Driver(
        module="pg8000.dbapi",
        install="pip install pg8000",
        connect=_pg8000_connect,
        copied=_pg8000_copied,
        sqlstate=lambda error: error.args[0]["C"],
        encrypted=lambda connection: isinstance(connection._usock, ssl.SSLSocket),
    ),
}
