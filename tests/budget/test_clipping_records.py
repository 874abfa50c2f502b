"""What answers told of clipping is kept beside them: once, with the first answer, and shown with every charge for it."""

from __future__ import annotations

import pytest

from proxy.budget import ledger_tables
from proxy.budget.answers import Answers, ClippingReport
from proxy.budget.ledger import Ledger
from proxy.budget.stored_answer import StoredAnswer
from tests.budget.support import charge, execute, of_table, older_ledger, pure, with_ledger

ANSWER = StoredAnswer((("x",),), ((1,),), (), (2,), ((1, 2, 3, 4),))
TOLD = ClippingReport("About 12.5% of rows is not counted.", 0.125)
OTHER = ClippingReport("Hardly any unit was scaled down.", 0.0)


def test_every_charge_for_an_answer_shows_what_it_told(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        await charge(ledger, of_table(pure("0.5")), block="block")
        await charge(ledger, of_table(pure("0.5")), block="unanswered")
        answers = Answers(ledger.database)
        await answers.store("block", "ana", ANSWER, TOLD)
        # An answer that is measured a second time is never shown.
        assert await answers.store("block", "ana", StoredAnswer((("y",),), ((2,),)), OTHER) == ANSWER

    with_ledger(dsn, work)

    async def read(ledger: Ledger) -> None:
        records = await ledger.history(10)
        assert [(record.block, record.share, record.report) for record in records] == [
            ("unanswered", None, None),
            ("block", TOLD.share, TOLD.text),
        ]
        assert await ledger.verify() == []

    with_ledger(dsn, read)


def test_that_it_cannot_be_told_is_kept_too(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        await charge(ledger, of_table(pure("0.5")), block="block")
        await Answers(ledger.database).store("block", "ana", ANSWER, ClippingReport("It cannot be told.", None))
        (record,) = await ledger.history(10)
        assert (record.share, record.report) == (None, "It cannot be told.")

    with_ledger(dsn, work)


@pytest.mark.parametrize("version", range(1, ledger_tables.VERSION + 1))
def test_a_ledger_of_every_version_opens_with_its_charges_and_learns_what_is_new(version: int, dsn: str) -> None:
    older_ledger(dsn, version, "old")
    execute(dsn, "INSERT INTO dpproxy.answer VALUES ('old', 'ana', '{\"keys\": [], \"values\": []}')")

    async def work(ledger: Ledger) -> None:
        await charge(ledger, of_table(pure("0.5")), block="new")
        answers = Answers(ledger.database)
        assert await answers.find("old") == StoredAnswer((), ())
        await answers.store("new", "ana", ANSWER, TOLD)
        new, old = await ledger.history(10)
        assert (old.block, old.share, old.report) == ("old", None, None)
        assert (new.block, new.share, new.report) == ("new", TOLD.share, TOLD.text)
        assert await ledger.verify() == []

    with_ledger(dsn, work)
