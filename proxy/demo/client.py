"""The demo's analyst: asks through the proxy's own port with an ordinary driver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import TupleRow

from proxy.demo.clinic import DATABASE
from proxy.demo.data import Row

ANALYST: Final = "ana"
PASSWORD: Final = "demo"
_CONNECT_SECONDS: Final = 10


@dataclass(frozen=True)
class Reply:
    """A reply over the wire: column names, rows, and the lines of the notices, as psql prints them."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    notices: tuple[str, ...]


class Client:
    """A logged-in session. Made by `connect`; closed by `close`."""

    def __init__(self, connection: AsyncConnection[TupleRow]) -> None:
        self._connection = connection
        self._notices: list[str] = []
        connection.add_notice_handler(self._keep)

    @classmethod
    async def connect(cls, host: str, port: int) -> Self:
        """Log in as the demo's analyst.

        Raises:
            psycopg.Error: the proxy does not answer or refuses.
        """
        connection = await AsyncConnection.connect(
            host=host,
            port=port,
            user=ANALYST,
            password=PASSWORD,
            dbname=DATABASE,
            autocommit=True,
            connect_timeout=_CONNECT_SECONDS,
        )
        return cls(connection)

    async def ask(self, query: str) -> Reply:
        """Send one statement without parameters.

        Raises:
            psycopg.Error: it is refused.
        """
        self._notices.clear()
        cursor = await self._connection.execute(query.encode())
        rows = tuple(await cursor.fetchall()) if cursor.description else ()
        columns = tuple(column.name for column in cursor.description or ())
        return Reply(columns, rows, tuple(self._notices))

    async def close(self) -> None:
        """Log out."""
        await self._connection.close()

    def _keep(self, diagnostic: psycopg.errors.Diagnostic) -> None:
        self._notices.append(f"{diagnostic.severity}: {diagnostic.message_primary}")
        if diagnostic.message_detail:
            self._notices.append(f"DETAIL: {diagnostic.message_detail}")


def psql_command(host: str, port: int) -> str:
    """How to connect by hand."""
    shown = f"[{host}]" if ":" in host else host
    return f"psql postgresql://{ANALYST}:{PASSWORD}@{shown}:{port}/{DATABASE}"
