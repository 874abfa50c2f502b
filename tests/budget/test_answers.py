"""Recall: one answer for one block, for those who have paid (decision 6, attacks 26 and 30)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.budget.answers import Answers
from proxy.budget.cache import ImmutableCache
from proxy.budget.ledger import Ledger
from proxy.budget.order import AccountCharge
from proxy.budget.stored_answer import StoredAnswer
from proxy.errors import BudgetExhaustedError, LedgerUnavailableError
from tests.budget.support import TABLE, charge, execute, of_table, open_ledger, promise, pure, with_ledger

ANSWER = StoredAnswer((("cardiology", None), ("", "é\U0001f600")), ((2**200, -(2**200)), (0, -1)))
BOBS = "analyst:bob:public.visits"
OTHER = StoredAnswer((("cardiology", None),), ((7, 8),))


def with_answers(dsn: str, work: Callable[[Ledger, Answers], Coroutine[Any, Any, None]]) -> None:
    """Run `work` with an open ledger and its answers."""
    with_ledger(dsn, lambda ledger: work(ledger, Answers(ledger.database)))


def test_an_answer_is_found_again_after_a_restart_exactly(dsn: str) -> None:
    async def release(ledger: Ledger, answers: Answers) -> None:
        assert await answers.find("block") is None
        await charge(ledger, of_table(pure("0.5")))
        assert await answers.store("block", "ana", ANSWER) == ANSWER
        assert await answers.find("block") == ANSWER

    async def recall(_: Ledger, answers: Answers) -> None:
        assert await answers.find("block") == ANSWER
        assert await answers.find("another block") is None

    with_answers(dsn, release)
    with_answers(dsn, recall)


def test_an_answer_whose_charge_is_not_recorded_is_not_stored(dsn: str) -> None:
    async def work(ledger: Ledger, answers: Answers) -> None:
        await charge(ledger, of_table(pure("0.5")), block="another", analyst="ana")
        await charge(ledger, of_table(pure("0.5")), block="block", analyst="bob")
        with pytest.raises(LedgerUnavailableError) as failure:
            await answers.store("block", "ana", ANSWER)
        assert failure.value.rule == "ledger_unavailable"
        assert await answers.find("block") is None

    with_answers(dsn, work)


def test_a_refused_charge_pays_for_nothing(dsn: str) -> None:
    async def work(ledger: Ledger, answers: Answers) -> None:
        with pytest.raises(BudgetExhaustedError):
            await charge(ledger, of_table(pure("2"), promise("1")))
        assert not await answers.paid("block", TABLE)

    with_answers(dsn, work)


def test_each_account_pays_once_whoever_asks(dsn: str) -> None:
    async def work(ledger: Ledger, answers: Answers) -> None:
        await charge(ledger, of_table(pure("0.5")))
        assert await answers.paid("block", TABLE)
        assert not await answers.paid("block", BOBS)
        assert not await answers.paid("another block", TABLE)
        await charge(ledger, [AccountCharge(BOBS, promise("1"), pure("0.5"))], analyst="ana")
        assert await answers.paid("block", BOBS)
        assert not await answers.paid("block", BOBS.removesuffix("s"))
        assert await ledger.spent(TABLE) == pure("0.5")
        assert await ledger.verify() == []

    with_answers(dsn, work)


def test_a_payment_is_asked_of_the_database_until_it_is_true_and_then_remembered(dsn: str) -> None:
    async def work() -> None:
        async with open_ledger(dsn) as ledger, open_ledger(dsn) as other_proxy:
            answers = Answers(ledger.database)
            assert not await answers.paid("block", TABLE)
            await charge(other_proxy, of_table(pure("0.5")))
            assert await answers.paid("block", TABLE)
            execute(dsn, "ALTER TABLE dpproxy.charge RENAME TO hidden")
            assert await answers.paid("block", TABLE)
            with pytest.raises(LedgerUnavailableError):
                await answers.paid("block", BOBS)

    asyncio.run(work())


def test_a_recalled_answer_needs_no_database(dsn: str) -> None:
    async def work(ledger: Ledger, answers: Answers) -> None:
        await charge(ledger, of_table(pure("0.5")))
        await answers.store("block", "ana", ANSWER)
        execute(dsn, "ALTER TABLE dpproxy.answer RENAME TO hidden")
        assert await answers.find("block") == ANSWER
        with pytest.raises(LedgerUnavailableError):
            await answers.find("another block")

    with_answers(dsn, work)


def test_two_sessions_that_measured_the_same_block_both_show_the_first_answer(dsn: str) -> None:
    async def work() -> None:
        async with open_ledger(dsn) as ledger, open_ledger(dsn) as other_proxy:
            answers, other_answers = Answers(ledger.database), Answers(other_proxy.database)
            for number in range(20):
                block = f"block {number}"
                await charge(ledger, of_table(pure("0.1")), block=block, analyst="ana")
                await charge(other_proxy, of_table(pure("0.1")), block=block, analyst="bob")
                first, other = await asyncio.gather(
                    answers.store(block, "ana", ANSWER), other_answers.store(block, "bob", OTHER)
                )
                assert first == other
                assert first in (ANSWER, OTHER)
                assert await other_answers.find(block) == first
                assert await answers.find(block) == first

    asyncio.run(work())


def test_a_hundred_thousand_groups_are_stored_and_found(dsn: str) -> None:
    large = StoredAnswer(
        tuple((f"key {number}", None) for number in range(100_000)),
        tuple((number, -(number**5)) for number in range(100_000)),
    )

    async def work(ledger: Ledger, answers: Answers) -> None:
        await charge(ledger, of_table(pure("0.5")))
        await answers.store("block", "ana", large)
        assert await Answers(ledger.database).find("block") == large

    with_answers(dsn, work)


def test_rows_of_keys_and_values_must_match() -> None:
    with pytest.raises(ValueError, match="1 rows of keys, 2 rows of values"):
        StoredAnswer((("x",),), ((1,), (2,)))
    with pytest.raises(ValueError, match="1 rows of keys, 2 rows of choices"):
        StoredAnswer((("x",),), ((1,),), (("a",), ("b",)))


# What Postgres's text can hold: no NUL, no surrogates.
texts = st.none() | st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
integers = st.integers() | st.integers(-5, 5).map(lambda digit: digit * 10**5000)
chosen = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
rows = st.lists(st.tuples(st.tuples(texts, texts), st.tuples(integers, integers, integers), st.tuples(chosen, chosen)))


@given(rows, st.booleans())
def test_encoding_is_exact_for_all_texts_and_integers(
    groups: list[tuple[tuple[str | None, ...], tuple[int, ...], tuple[str, ...]]], has_choices: bool
) -> None:
    answer = StoredAnswer(
        tuple(keys for keys, _, _ in groups),
        tuple(values for _, values, _ in groups),
        tuple(choices for _, _, choices in groups) if has_choices else (),
    )
    encoded = answer.encode()
    assert encoded.isascii()
    assert StoredAnswer.decode(encoded) == answer


def test_the_cache_drops_the_least_recently_used_and_never_outweighs_its_capacity() -> None:
    cache: ImmutableCache[str, int] = ImmutableCache(10)
    for key, item in (("a", 1), ("b", 2), ("c", 3)):
        cache.put(key, item, weight=4)
        assert cache.get("a") == 1, "used last, so it stays"
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == (1, None, 3)
    cache.put("too heavy", 4, weight=11)
    assert (cache.get("too heavy"), cache.get("a"), cache.get("c")) == (None, 1, 3)


def test_what_is_in_the_cache_cannot_be_replaced() -> None:
    cache: ImmutableCache[str, int] = ImmutableCache(10)
    cache.put("a", 1, weight=4)
    cache.put("a", 2, weight=4)
    cache.put("b", 3, weight=6)
    assert (cache.get("a"), cache.get("b")) == (1, 3), "it counts once"
