"""What measured families hold for other questions, found by scope: the rows, bounds and data that they are about.

A family is listed when its first measurement is stored. What it holds is a text that this module does not read.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import accumulate
from typing import Final

from proxy.budget.coding import decoded, encoded
from proxy.budget.database import Asking, Cursor, LedgerDatabase, Reply
from proxy.budget.precisions import Paid
from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.accounting import exact_decimal
from proxy.lending import Connection

_MOST_LOOKED_AT: Final = 200
"""The newest families of a question's scopes among which its numbers are sought."""

_FOUND: Final = """
SELECT family, scope, content, (SELECT min(charge.recorded_at) FROM dpproxy.measurement JOIN dpproxy.charge
                                USING (charge_id) WHERE measurement.family = holding.family AND number = 1) AS at
FROM dpproxy.holding WHERE scope = ANY (%s) ORDER BY sequence DESC LIMIT %s
"""

_MEASURED: Final = "SELECT family, rho FROM dpproxy.measurement WHERE family = ANY (%s) ORDER BY family, number"

_PAID: Final = """
SELECT family, payer, count(*), max(rho) FROM dpproxy.precision
WHERE family = ANY (%s) AND payer = ANY (%s) GROUP BY family, payer
"""

_SHOWN: Final = """
SELECT family, rho, part IS NOT NULL FROM dpproxy.reading WHERE family = ANY (%s) AND reader = %s ORDER BY rho
"""


_KEEP: Final = """
INSERT INTO dpproxy.combination (family, reader, rho, at, told, content) VALUES (%s, %s, %s, %s, %s, %s)
ON CONFLICT DO NOTHING
"""

_KEPT: Final = """
SELECT rho, at, told, content FROM dpproxy.combination
WHERE family = %s AND reader = %s AND rho >= %s AND at >= %s ORDER BY rho, at LIMIT 1
"""

_EVER: Final = dt.datetime.min.replace(tzinfo=dt.UTC)


@dataclass(frozen=True)
class Combination:
    """What a reader was shown that is made of several families' numbers.

    Attributes:
        rho: what it is worth.
        at: when the oldest of its parts was asked.
        told: of what it is made, in words.
        answer: the numbers.
    """

    rho: Fraction
    at: dt.datetime
    told: str
    answer: StoredAnswer


@dataclass(frozen=True)
class HeldFamily:
    """A measured family, and what a reader has of it.

    Attributes:
        family: its hash, of one edition.
        scope: under which it was found.
        content: what it holds.
        at: when it was first charged.
        measured: the ρ of all measurements together, after each of them.
        paid: up to which ρ each payer has paid.
        shown: the ρ of each answer that the reader was shown.
        coarse: was the reader ever shown a part of a measurement?
    """

    family: str
    scope: str
    content: str
    at: dt.datetime
    measured: tuple[Fraction, ...]
    paid: Mapping[str, Paid]
    shown: tuple[Fraction, ...]
    coarse: bool


class Holdings:
    """The list in the ledger's database.

    Args:
        database: of an open `Ledger`.
    """

    def __init__(self, database: LedgerDatabase) -> None:
        self._database = database

    async def find(self, scopes: Sequence[str], reader: str, payers: Sequence[str]) -> list[HeldFamily]:
        """The newest measured families of some scopes, oldest first.

        Args:
            scopes: where to look.
            reader: who asks, as of `Precisions`.
            payers: who pays for what the reader sees.

        Raises:
            LedgerUnavailableError: the database failed.
        """
        return await self._database.ask(self.question(scopes, reader, payers))

    def question(self, scopes: Sequence[str], reader: str, payers: Sequence[str]) -> Asking[list[HeldFamily]]:
        """`find`, to be asked together with others. What there is of the families takes another round trip."""

        async def ask(connection: Connection) -> Reply[list[HeldFamily]]:
            if not scopes:
                return partial(_nothing)
            return partial(told, connection, await connection.execute(_FOUND, (list(scopes), _MOST_LOOKED_AT)))

        async def told(connection: Connection, found: Cursor) -> list[HeldFamily]:
            rows = await found.fetchall()
            families = [row[0] for row in rows]
            if not families:
                return []
            async with connection.pipeline():
                measured_rows = await connection.execute(_MEASURED, (families,))
                paid_rows = await connection.execute(_PAID, (families, list(payers)))
                shown_rows = await connection.execute(_SHOWN, (families, reader))
            measured: dict[str, list[Fraction]] = {}
            for family, rho in await measured_rows.fetchall():
                measured.setdefault(family, []).append(Fraction(rho))
            paid = {family: dict.fromkeys(payers, Paid()) for family in families}
            for family, payer, steps, rho in await paid_rows.fetchall():
                paid[family][payer] = Paid(Fraction(rho), steps)
            shown: dict[str, list[tuple[Fraction, bool]]] = {}
            for family, rho, part in await shown_rows.fetchall():
                shown.setdefault(family, []).append((Fraction(rho), part))
            return [
                HeldFamily(
                    family,
                    scope,
                    content,
                    at,
                    tuple(accumulate(measured[family])),
                    paid[family],
                    tuple(rho for rho, _ in shown.get(family, [])),
                    any(part for _, part in shown.get(family, [])),
                )
                for family, scope, content, at in reversed(rows)
                if at is not None and family in measured
            ]

        return ask

    async def keep(self, family: str, reader: str, shown: Combination) -> None:
        """Keep what a reader is shown of a family together with other ones, for when it asks again.

        Raises:
            LedgerUnavailableError: the database failed.
        """
        row = (family, reader, exact_decimal(shown.rho), shown.at, shown.told, await encoded(shown.answer))

        async def write(connection: Connection) -> None:
            await connection.execute(_KEEP, row)

        await self._database.run(write)

    async def kept(self, family: str, reader: str, rho: Fraction, oldest: dt.datetime | None) -> Combination | None:
        """The least exact of what a reader was shown that is worth `rho` and recent enough; None if there is none.

        Args:
            family: the question's own.
            reader: who asks.
            rho: what it has to be worth.
            oldest: when its oldest part may have been asked; None for ever.

        Raises:
            LedgerUnavailableError: the database failed.
        """
        return await self._database.ask(self.kept_question(family, reader, rho, oldest))

    def kept_question(
        self, family: str, reader: str, rho: Fraction, oldest: dt.datetime | None
    ) -> Asking[Combination | None]:
        """`kept`, to be asked together with others."""

        async def ask(connection: Connection) -> Reply[Combination | None]:
            return partial(told, await connection.execute(_KEPT, (family, reader, exact_decimal(rho), oldest or _EVER)))

        async def told(found: Cursor) -> Combination | None:
            row = await found.fetchone()
            return None if row is None else Combination(Fraction(row[0]), row[1], row[2], await decoded(row[3]))

        return ask


async def _nothing() -> list[HeldFamily]:
    return []
