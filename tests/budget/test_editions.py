"""Editions of a question: found in order, by every proxy, with the time of their charge."""

from __future__ import annotations

import asyncio
import datetime as dt

from hypothesis import given
from hypothesis import strategies as st

from proxy.budget.answers import Answers
from proxy.budget.editions import Editions, edition_key
from tests.budget.support import charge, execute, of_table, open_ledger, pure, with_ledger
from tests.budget.test_answers import ANSWER

LONG_AGO = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)


def test_editions_are_found_in_their_order_by_every_proxy(dsn: str) -> None:
    async def work() -> None:
        async with open_ledger(dsn) as ledger, open_ledger(dsn) as other_proxy:
            answers, editions = Answers(ledger.database), Editions(other_proxy.database)
            keys = [edition_key("question", number) for number in range(40)]
            for made, key in enumerate(keys):
                assert [edition.key for edition in await Editions(ledger.database).made("question", None)] == keys[
                    :made
                ]
                await charge(ledger, of_table(pure("0.1")), block=key)
                await answers.store(key, "ana", ANSWER)
            found = await editions.made("question", dt.datetime.now(dt.UTC))
            assert [edition.key for edition in found] == keys
            times = [edition.at for edition in found]
            assert times == sorted(time for time in times if time is not None)
            assert await editions.made("another", None) == []

    asyncio.run(work())


def test_a_charge_without_an_answer_is_no_edition(dsn: str) -> None:
    async def work(ledger: object) -> None:
        from proxy.budget.ledger import Ledger

        assert isinstance(ledger, Ledger)
        await charge(ledger, of_table(pure("0.1")), block="question")
        assert await Editions(ledger.database).made("question", None) == []

    with_ledger(dsn, work)


def test_recent_editions_need_no_database_and_old_ones_ask_for_newer(dsn: str) -> None:
    async def work() -> None:
        async with open_ledger(dsn) as ledger:
            answers, editions = Answers(ledger.database), Editions(ledger.database)
            for number in range(2):
                key = edition_key("question", number)
                await charge(ledger, of_table(pure("0.1")), block=key)
                await answers.store(key, "ana", ANSWER)
                if number == 0:
                    (first,) = await editions.made("question", LONG_AGO)
            assert await editions.made("question", LONG_AGO) == [first], "it is recent enough"
            assert len(await editions.made("question", dt.datetime.now(dt.UTC))) == 2
            execute(dsn, "ALTER TABLE dpproxy.answer RENAME TO hidden")
            assert len(await editions.made("question", None)) == 2

    asyncio.run(work())


@given(st.text(), st.text(), st.integers(0, 100), st.integers(0, 100))
def test_editions_have_hashes_of_their_own(question: str, other: str, number: int, another: int) -> None:
    if (question, number) != (other, another):
        assert edition_key(question, number) != edition_key(other, another)
