"""Measurements, steps of payers and readings in the ledger: races, crashes, and records that stay (theorem 23)."""

from __future__ import annotations

import asyncio
import tempfile
import uuid
from fractions import Fraction
from pathlib import Path

import psycopg
import pytest

from proxy.budget.holdings import Holdings
from proxy.budget.ledger import Ledger
from proxy.budget.order import AccountCharge, Receipt
from proxy.budget.precisions import EVERYBODY, Beginning, Paid, Precisions, Reading, Seen, Step
from proxy.budget.settling import OutpacedError
from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.accounting import Price
from tests.budget.relay import relayed
from tests.budget.support import TABLE, execute, open_ledger, promise, with_ledger

OWN = "analyst:ana:public.visits"
RHO = Fraction("0.02")


def answer(number: int) -> StoredAnswer:
    return StoredAnswer((("x",),), ((number,),))


def step(number: int, rho: Fraction, payer: str = "analyst:ana") -> Step:
    return Step("family", payer, number, rho)


async def pay(ledger: Ledger, rho: Fraction, *steps: Step) -> Receipt:
    charges = [AccountCharge(name, promise("10", "1e-6"), Price.gaussian(rho)) for name in (TABLE, OWN)]
    return await ledger.charge("ana", charges, "block", "label", steps)


async def measured(ledger: Ledger, number: int, rho: Fraction = RHO, beginning: Beginning | None = None) -> bool:
    receipt = await pay(ledger, rho, step(number, rho * number))
    precisions = Precisions(ledger.database)
    return await precisions.measure("family", number, receipt.charge_id, rho, answer(number), beginning)


def test_what_was_measured_paid_and_shown_is_found_again(dsn: str) -> None:
    async def write(ledger: Ledger) -> None:
        precisions = Precisions(ledger.database)
        empty = await precisions.standing("family", "analyst:ana", ["analyst:ana"], RHO)
        assert (empty.shown, empty.measured, empty.paid) == (None, (), {"analyst:ana": Paid()})
        assert await measured(ledger, 1)
        assert await measured(ledger, 2)
        await precisions.keep("family", "analyst:ana", Seen(RHO, 1, None), answer(1))
        await precisions.keep("family", "analyst:ana", Seen(RHO * 3 / 2, 1, answer(7)), answer(5))

    async def read(ledger: Ledger) -> None:
        precisions = Precisions(ledger.database)
        for asked, shown in ((RHO / 2, 1), (RHO, 1), (RHO + Fraction(1, 10**20), 5), (RHO * 2, None)):
            found = await precisions.standing("family", "analyst:ana", ["analyst:ana", "group:bi"], asked)
            assert found.measured == (RHO, RHO)
            assert found.paid == {"analyst:ana": Paid(2 * RHO, 2), "group:bi": Paid()}
            assert found.seen == Seen(RHO * 3 / 2, 1, answer(7))
            assert found.coarse
            assert (None if found.shown is None else found.shown.answer) == (None if shown is None else answer(shown))
        other = await precisions.standing("family", EVERYBODY, [], RHO)
        assert (other.shown, other.seen, other.coarse) == (None, None, False)
        assert await precisions.measurements("family", 2) == [(RHO, answer(1)), (RHO, answer(2))]
        assert await ledger.verify() == []

    with_ledger(dsn, write)
    with_ledger(dsn, read)


def test_of_two_that_pay_for_the_same_step_one_is_charged(dsn: str) -> None:
    async def race() -> None:
        async with open_ledger(dsn) as first, open_ledger(dsn) as other:
            for number in range(1, 21):
                tried = [pay(ledger, RHO, step(number, RHO * number)) for ledger in (first, other)]
                results = await asyncio.gather(*tried, return_exceptions=True)
                assert sorted(type(result).__name__ for result in results) == ["OutpacedError", "Receipt"]
            spent = await first.accounts()
            assert {name: price.rho for name, price in spent.items()} == {TABLE: 20 * RHO, OWN: 20 * RHO}
            assert await other.verify() == []

    asyncio.run(race())


def test_of_two_measurements_with_one_number_the_first_stays(dsn: str) -> None:
    async def race() -> None:
        async with open_ledger(dsn) as first, open_ledger(dsn) as other:
            receipts = [await pay(ledger, RHO) for ledger in (first, other)]
            stored = await asyncio.gather(
                *(
                    Precisions(ledger.database).measure("family", 1, receipt.charge_id, RHO, answer(number))
                    for number, (ledger, receipt) in enumerate(zip((first, other), receipts, strict=True))
                )
            )
            assert sorted(stored) == [False, True]
            (kept,) = await Precisions(first.database).measurements("family", 5)
            assert kept == (RHO, answer(stored.index(True)))

    asyncio.run(race())


def test_two_that_show_a_reader_the_same_precision_show_the_same_numbers(dsn: str) -> None:
    async def race() -> None:
        async with open_ledger(dsn) as first, open_ledger(dsn) as other:
            await measured(first, 1)
            readers = [Precisions(ledger.database) for ledger in (first, other)]
            for number in range(10):
                shown = await asyncio.gather(
                    *(
                        precisions.keep("family", f"analyst:{number}", Seen(RHO, 1, None), answer(place))
                        for place, precisions in enumerate(readers)
                    )
                )
                assert shown[0] == shown[1]

    asyncio.run(race())


def test_the_first_measurement_is_shown_as_it_is(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        assert await measured(ledger, 1, RHO, Beginning("analyst:ana", None))
        late, slower = await pay(ledger, RHO), Precisions(ledger.database)
        begun = Beginning("analyst:bob", ("scope", "numbers"))
        assert not await slower.measure("family", 1, late.charge_id, RHO, answer(7), begun)
        assert slower.remembered("family", "analyst:bob", RHO) is None
        for reader, shown in (("analyst:ana", Reading(RHO, answer(1))), ("analyst:bob", None)):
            found = await Precisions(ledger.database).standing("family", reader, [], RHO)
            assert found.shown == shown
            assert found.seen == (None if shown is None else Seen(RHO, 1, None))
        assert await Holdings(ledger.database).find(["scope"], EVERYBODY, []) == []

    with_ledger(dsn, work)


def test_a_measurement_whose_reply_was_lost_is_stored_once(dsn: str) -> None:
    """Who paid for it is told so, instead of being shown it as somebody else's."""

    async def work(directory: Path) -> None:
        async with relayed(dsn, directory) as (relay, dsn_of_relay), open_ledger(dsn_of_relay) as ledger:
            receipt, precisions = await pay(ledger, RHO), Precisions(ledger.database)
            begun = Beginning("analyst:ana", None)
            relay.cut_reply_to = b"INSERT INTO dpproxy.measurement"
            storing = asyncio.create_task(precisions.measure("family", 1, receipt.charge_id, RHO, answer(1), begun))
            await relay.lost.wait()
            relay.cut_reply_to = None
            assert await storing
            assert await precisions.measurements("family", 5) == [(RHO, answer(1))]

    with tempfile.TemporaryDirectory(prefix="relay") as directory:
        asyncio.run(work(Path(directory)))


def test_a_measurement_without_a_charge_is_not_stored(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        precisions = Precisions(ledger.database)
        begun = Beginning("analyst:ana", ("scope", "numbers"))
        assert not await precisions.measure("family", 1, uuid.uuid4(), RHO, answer(1), begun)
        assert await precisions.measurements("family", 1) == []
        assert (await precisions.standing("family", "analyst:ana", [], RHO)).shown is None
        assert await Holdings(ledger.database).find(["scope"], EVERYBODY, []) == []

    with_ledger(dsn, work)


def test_a_charge_that_is_outpaced_leaves_no_trace(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        await pay(ledger, RHO, step(1, RHO))
        with pytest.raises(OutpacedError):
            await pay(ledger, RHO, step(2, 2 * RHO), step(1, RHO, "analyst:ana"))
        assert (await ledger.spent(OWN)).rho == RHO
        assert len(await ledger.history(10)) == 2
        await pay(ledger, RHO, step(2, 2 * RHO))

    with_ledger(dsn, work)


@pytest.mark.parametrize("table", ["measurement", "precision", "reading"])
@pytest.mark.parametrize("statement", ["UPDATE {} SET rho = 1", "DELETE FROM {}", "TRUNCATE {} CASCADE"])
def test_records_can_be_neither_changed_nor_deleted(dsn: str, table: str, statement: str) -> None:
    async def work(ledger: Ledger) -> None:
        await measured(ledger, 1)
        await Precisions(ledger.database).keep("family", EVERYBODY, Seen(RHO, 1, None), answer(1))

    with_ledger(dsn, work)
    with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState, match="append-only"):
        execute(dsn, statement.format(f"dpproxy.{table}"))


def test_verify_finds_what_nobody_was_charged_for(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        await measured(ledger, 1)

    with_ledger(dsn, work)
    execute(
        dsn,
        """
        INSERT INTO dpproxy.measurement SELECT family, 2, charge_id, 0.5, content FROM dpproxy.measurement;
        INSERT INTO dpproxy.precision VALUES ('family', 'analyst:bob', 1, gen_random_uuid(), 0.5)
        """,
    )
    paid, sharp = with_ledger(dsn, Ledger.verify)
    assert paid == "family family: marked as paid by analyst:bob up to rho 0.5 without a charge"
    assert sharp == "family family: measurement 2 has rho 0.5, for which nobody was charged"
