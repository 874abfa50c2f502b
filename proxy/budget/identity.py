"""Which ledger it is, and whether it has a charge that was seen of it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Final

from proxy.budget.database import LedgerDatabase
from proxy.lending import Connection

_LAST: Final = """
SELECT ledger, sequence, charge_id
FROM dpproxy.identity LEFT JOIN (SELECT sequence, charge_id FROM dpproxy.charge ORDER BY sequence DESC LIMIT 1) AS last
    ON true
"""


@dataclass(frozen=True)
class Last:
    """The identity of a ledger, and its last charge; None if there is none."""

    ledger: uuid.UUID
    sequence: int | None
    charge_id: uuid.UUID | None


async def read_last(database: LedgerDatabase) -> Last:
    """The ledger as it is now.

    Raises:
        LedgerUnavailableError: the database failed.
    """

    async def read(connection: Connection) -> Last:
        row = await (await connection.execute(_LAST)).fetchone()
        if row is None:
            raise AssertionError("a ledger has an identity")
        return Last(*row)

    return await database.run(read)


async def has_charge(database: LedgerDatabase, charge_id: uuid.UUID) -> bool:
    """Is a charge in the ledger?

    Raises:
        LedgerUnavailableError: the database failed.
    """

    async def read(connection: Connection) -> bool:
        found = await connection.execute("SELECT FROM dpproxy.charge WHERE charge_id = %s LIMIT 1", (charge_id,))
        return await found.fetchone() is not None

    return await database.run(read)
