"""Questions asked at several precisions: what was measured for everybody, and what each reader was shown (theorem 23).

A *family* is a question at any ρ. Its measurements are numbered in the order in which they were stored, and each has a
charge. A *reader* is who sees the same answers: an analyst, a group of analysts, or everybody where no account pays for
what is seen. What a reader has seen is worth ρ; `paid` says up to which ρ an account has paid, in the transaction of
the charge, so that of two sessions that pay for the same step one is turned away (`OutpacedError`).
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Final

from proxy.budget.cache import ImmutableCache
from proxy.budget.coding import decoded, encoded
from proxy.budget.database import Asking, Cursor, LedgerDatabase, Reply
from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.accounting import exact_decimal
from proxy.lending import Connection

EVERYBODY: Final = ""
"""The reader where no account pays for what is seen."""

_SHOWN: Final = """
SELECT rho, content FROM dpproxy.reading WHERE family = %s AND reader = %s AND rho >= %s ORDER BY rho LIMIT 1
"""

_STANDING: Final = """
SELECT shown.rho, shown.content,
       ARRAY(SELECT rho FROM dpproxy.measurement WHERE family = %(family)s ORDER BY number),
       ARRAY(SELECT ARRAY[payer, count(*)::text, max(rho)::text] FROM dpproxy.precision
             WHERE family = %(family)s AND payer = ANY (%(payers)s) GROUP BY payer),
       last.rho, last.whole, last.part,
       EXISTS (SELECT FROM dpproxy.reading WHERE family = %(family)s AND reader = %(reader)s AND part IS NOT NULL)
FROM (SELECT) AS asked
LEFT JOIN LATERAL (SELECT rho, content FROM dpproxy.reading
                   WHERE family = %(family)s AND reader = %(reader)s AND rho >= %(rho)s ORDER BY rho LIMIT 1) AS shown
    ON true
LEFT JOIN LATERAL (SELECT rho, whole, part FROM dpproxy.reading
                   WHERE family = %(family)s AND reader = %(reader)s ORDER BY rho DESC LIMIT 1) AS last ON true
"""

_MEASUREMENTS: Final = """
SELECT rho, content FROM dpproxy.measurement WHERE family = %s AND number <= %s ORDER BY number
"""

# A measurement without a charge is none. The first one is shown as it is. One that is stored already was stored by the
# same statement before, whose reply was lost.
_MEASURE: Final = """
WITH measured AS (
    INSERT INTO dpproxy.measurement (family, number, charge_id, rho, content)
    SELECT %(family)s, %(number)s, charge_id, %(rho)s, %(content)s FROM dpproxy.charge WHERE charge_id = %(charge_id)s
    LIMIT 1
    ON CONFLICT (family, number) DO NOTHING RETURNING family, rho, content
), listed AS (
    INSERT INTO dpproxy.holding (family, scope, content)
    SELECT family, %(scope)s, %(held)s FROM measured WHERE %(scope)s::text IS NOT NULL
    ON CONFLICT (family) DO NOTHING
), shown AS (
    INSERT INTO dpproxy.reading (family, reader, rho, whole, part, content)
    SELECT family, %(reader)s, rho, 1, NULL, content FROM measured WHERE %(reader)s::text IS NOT NULL
    ON CONFLICT (family, reader, rho) DO NOTHING
)
SELECT FROM measured
UNION ALL
SELECT FROM dpproxy.measurement
WHERE family = %(family)s AND number = %(number)s AND charge_id = %(charge_id)s
"""

_KEEP: Final = """
INSERT INTO dpproxy.reading (family, reader, rho, whole, part, content)
VALUES (%(family)s, %(reader)s, %(rho)s, %(whole)s, %(part)s, %(content)s)
ON CONFLICT (family, reader, rho) DO NOTHING
"""


@dataclass(frozen=True)
class Reading:
    """What a reader was shown.

    Attributes:
        rho: what it is worth.
        answer: the numbers.
    """

    rho: Fraction
    answer: StoredAnswer


@dataclass(frozen=True)
class Seen:
    """Of which measurements a reader's last answer was made.

    Attributes:
        rho: what it is worth.
        whole: the number of measurements that are seen as they are.
        part: what is seen of the next one; None for nothing.
    """

    rho: Fraction
    whole: int
    part: StoredAnswer | None


@dataclass(frozen=True)
class Paid:
    """Up to which ρ a payer has paid, in how many steps."""

    rho: Fraction = Fraction(0)
    steps: int = 0


@dataclass(frozen=True)
class Standing:
    """What is known of a family when a reader asks for some ρ.

    Attributes:
        shown: the least precise of the reader's answers that are worth at least as much; None if there is none.
        measured: the ρ of each measurement.
        paid: by payer.
        seen: the reader's most precise answer; None for nothing.
        coarse: was the reader ever shown a part of a measurement?
    """

    shown: Reading | None
    measured: tuple[Fraction, ...]
    paid: Mapping[str, Paid]
    seen: Seen | None
    coarse: bool


@dataclass(frozen=True)
class Step:
    """Up to which ρ a payer has paid once a charge is recorded.

    Attributes:
        family: the question at any ρ.
        payer: such as "analyst:ana".
        number: of the payer's steps; the first is 1.
        rho: up to which it has paid then.
    """

    family: str
    payer: str
    number: int
    rho: Fraction


@dataclass(frozen=True)
class Beginning:
    """What is stored together with the first measurement of a family.

    Attributes:
        reader: who is shown it.
        held: where others look for it and what it holds for them (`holdings`); None if it is not listed.
    """

    reader: str
    held: tuple[str, str] | None


class Precisions:
    """The measurements and readings in the ledger's database, with recent readings in memory.

    Args:
        database: of an open `Ledger`.
        memory: bytes that readings may take in this process.
    """

    def __init__(self, database: LedgerDatabase, memory: int = 64 * 2**20) -> None:
        self._database = database
        self._recent: ImmutableCache[tuple[str, str, Fraction], Reading] = ImmutableCache(memory)

    def remembered(self, family: str, reader: str, rho: Fraction) -> Reading | None:
        """The `Standing.shown` of an earlier call in this process: it never changes."""
        return self._recent.get((family, reader, rho))

    async def standing(self, family: str, reader: str, payers: Sequence[str], rho: Fraction) -> Standing:
        """What was measured, paid and shown of a family, in one round trip.

        Raises:
            LedgerUnavailableError: the database failed.
        """
        return await self._database.ask(self.standing_question(family, reader, payers, rho))

    def standing_question(self, family: str, reader: str, payers: Sequence[str], rho: Fraction) -> Asking[Standing]:
        """`standing`, to be asked together with others."""

        row: dict[str, object] = {"family": family, "reader": reader, "payers": list(payers)}

        async def ask(connection: Connection) -> Reply[Standing]:
            return partial(told, await connection.execute(_STANDING, row | {"rho": exact_decimal(rho)}))

        async def told(found: Cursor) -> Standing:
            ((up_to, content, measured, paid, last, whole, part, coarse),) = await found.fetchall()
            by_payer = {payer: Paid(Fraction(most), int(steps)) for payer, steps, most in paid}
            last_part = None if part is None else await decoded(part)
            return Standing(
                None if up_to is None else await self._remember(family, reader, rho, up_to, content),
                tuple(map(Fraction, measured)),
                dict.fromkeys(payers, Paid()) | by_payer,
                None if last is None else Seen(Fraction(last), whole, last_part),
                coarse,
            )

        return ask

    async def measurements(self, family: str, count: int) -> list[tuple[Fraction, StoredAnswer]]:
        """The first `count` measurements, each with its ρ.

        Raises:
            LedgerUnavailableError: the database failed.
        """

        async def read(connection: Connection) -> list[tuple[Fraction, StoredAnswer]]:
            rows = await (await connection.execute(_MEASUREMENTS, (family, count))).fetchall()
            return [(Fraction(rho), await decoded(content)) for rho, content in rows]

        return await self._database.run(read)

    async def measure(
        self,
        family: str,
        number: int,
        charge_id: uuid.UUID,
        rho: Fraction,
        answer: StoredAnswer,
        beginning: Beginning | None = None,
    ) -> bool:
        """Store a measurement that was charged for. False, and it is lost, if another has its number.

        Args:
            family: the question at any ρ.
            number: of the measurement; the first is 1.
            charge_id: of its charge.
            rho: what it is worth.
            answer: the numbers.
            beginning: what is stored with it if it is the first; None for nothing.

        Raises:
            LedgerUnavailableError: the database failed.
        """
        content = await encoded(answer)
        reader, held = (beginning.reader, beginning.held) if beginning is not None else (None, None)
        scope, listed = held if held is not None else (None, None)
        row: dict[str, object] = {"family": family, "number": number, "charge_id": charge_id}
        row |= {"rho": exact_decimal(rho), "content": content, "scope": scope, "held": listed, "reader": reader}

        async def write(connection: Connection) -> bool:
            return (await connection.execute(_MEASURE, row)).rowcount == 1

        stored = await self._database.run(write)
        if stored and reader is not None:
            self._recent.put((family, reader, rho), Reading(rho, answer), answer.memory(content))
        return stored

    async def keep(self, family: str, reader: str, seen: Seen, answer: StoredAnswer) -> Reading:
        """Keep what a reader is shown, and return it; if there is already an answer of that ρ, that one is shown.

        Raises:
            LedgerUnavailableError: the database failed.
        """
        row: dict[str, object] = {"family": family, "reader": reader, "rho": exact_decimal(seen.rho)}
        part = None if seen.part is None else await encoded(seen.part)
        row |= {"whole": seen.whole, "part": part, "content": await encoded(answer)}

        async def write(connection: Connection) -> Reading:
            await connection.execute(_KEEP, row)
            shown = await connection.execute(_SHOWN, (family, reader, row["rho"]))
            found = await shown.fetchone()
            if found is None:
                raise AssertionError("what was kept is there")
            return await self._remember(family, reader, seen.rho, *found)

        return await self._database.run(write)

    async def _remember(self, family: str, reader: str, asked: Fraction, rho: Decimal, content: str) -> Reading:
        answer = await decoded(content)
        reading = Reading(Fraction(rho), answer)
        self._recent.put((family, reader, asked), reading, answer.memory(content))
        return reading
