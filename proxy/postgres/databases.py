"""Helpers for the databases of a server, by connection string."""

from __future__ import annotations

import psycopg
from psycopg import conninfo, sql

CONNECT_SECONDS = 10
LEDGER_DATABASE = "dpproxy_ledger"
"""The ledger's database in an embedded cluster; analysts cannot connect to it."""

DatabaseError = psycopg.Error
"""What the driver raises, for modules that do not know the driver."""


def check_dsn(dsn: str) -> None:
    """Refuse what is no connection string.

    Raises:
        ValueError: it is none; the text says why.
    """
    try:
        conninfo.conninfo_to_dict(dsn)
    except psycopg.ProgrammingError as error:
        raise ValueError(str(error).strip()) from None


def ensure_database(dsn: str, name: str) -> str:
    """Create the database `name` in the cluster of `dsn` if there is none, and return its connection string.

    Raises:
        psycopg.Error: the cluster cannot be reached, or the role may not create databases.
    """
    with psycopg.connect(dsn, autocommit=True, connect_timeout=CONNECT_SECONDS) as connection:
        found = connection.execute("SELECT FROM pg_catalog.pg_database WHERE datname = %s", (name,)).fetchone()
        if found is None:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    return conninfo.make_conninfo(dsn, dbname=name)


def existing_database(dsn: str, name: str) -> str | None:
    """The connection string of the database `name` in the cluster of `dsn`; None if there is none.

    Raises:
        psycopg.Error: the cluster cannot be reached.
    """
    with psycopg.connect(dsn, autocommit=True, connect_timeout=CONNECT_SECONDS) as connection:
        found = connection.execute("SELECT FROM pg_catalog.pg_database WHERE datname = %s", (name,)).fetchone()
    return None if found is None else conninfo.make_conninfo(dsn, dbname=name)


def host_and_port(dsn: str) -> tuple[str, int]:
    """The host, or the directory of a Unix socket, and the port of a connection string."""
    parameters = conninfo.conninfo_to_dict(dsn)
    return str(parameters.get("host") or "127.0.0.1"), int(str(parameters.get("port") or 5432))


def client_database(source_name: str) -> str:
    """The database name that clients use: the source's, unless the stage's server has such a database of its own."""
    reserved = ("postgres", "template0", "template1", LEDGER_DATABASE)
    return "source" if source_name in reserved else source_name
