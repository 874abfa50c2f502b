"""The version of the data, where the policy lets a public table of the source tell it (`policy.version_queries`).

It is part of what makes two questions the same. It is read on the source itself, since the stage has a copy from the
start; shortly remembered, so that dashboards do not ask for it each time; and if it cannot be read no question is
answered, be it from memory.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Final

from proxy.policy.version_queries import ReadVersion, read_version
from proxy.postgres.source import Source
from proxy.sql.named_tables import NamedTable
from proxy.sql.terms.term import quote_identifier, quote_table

REMEMBERED_SECONDS: Final = 10.0


class LiveVersions:
    """Reads versions.

    Args:
        source: where the public tables are.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._known: dict[ReadVersion, tuple[float, str]] = {}
        self._reading: dict[ReadVersion, asyncio.Lock] = {}

    async def of(self, tables: Sequence[NamedTable]) -> Sequence[str]:
        """The versions of the tables that a question reads, as far as the source tells them, in a fixed order.

        Raises:
            SourceUnavailableError: one cannot be read.
        """
        queries = [table.policy.data_version.query for table in sorted(tables, key=lambda table: table.name)]
        wanted = [read_version(query) for query in queries if query is not None]
        return [await self._version(read) for read in wanted if read is not None]

    async def _version(self, read: ReadVersion) -> str:
        async with self._reading.setdefault(read, asyncio.Lock()):
            known = self._known.get(read)
            if known is None or time.monotonic() - known[0] > REMEMBERED_SECONDS:
                begun = time.monotonic()
                known = begun, str(await self._source.public_value(_sql(read)))
                self._known[read] = known
            return known[1]


def _sql(read: ReadVersion) -> str:
    value = "*" if read.column is None else quote_identifier(read.column)
    return f"SELECT {read.function}({value})::text FROM {quote_table(read.table)}"
