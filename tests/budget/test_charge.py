"""What a charge admits, records and refuses (decision 6, theorem 15)."""

from __future__ import annotations

import asyncio
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proxy.budget.exhausted import budget_exhausted
from proxy.budget.ledger import Ledger
from proxy.budget.order import STATEMENT_CHARACTERS, AccountCharge
from proxy.dp.accounting import Account, Price, Remaining
from proxy.errors import BudgetExhaustedError
from tests.budget.support import TABLE, charge, of_table, open_ledger, promise, pure, with_ledger
from tests.conftest import PostgresCluster

ANALYST = "analyst:ana:public.visits"
UNIT = "unit:patient"


def test_a_receipt_says_what_each_account_has_left(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        charges = [
            AccountCharge(TABLE, promise("4"), pure("0.5")),
            AccountCharge(ANALYST, promise("1", "1e-6"), pure("0.5")),
        ]
        receipt = await charge(ledger, charges)
        assert receipt.remaining == {
            TABLE: promise("4").remaining(pure("0.5")),
            ANALYST: promise("1", "1e-6").remaining(pure("0.5")),
        }

    with_ledger(dsn, work)


def test_a_charge_that_exhausts_the_account_exactly_is_admitted_and_the_next_refused(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        for _ in range(10):
            await charge(ledger, of_table(pure("0.1"), promise("1")))
        with pytest.raises(BudgetExhaustedError):
            await charge(ledger, of_table(pure("1e-30"), promise("1")))
        assert (await ledger.spent(TABLE)).epsilon == 1

    with_ledger(dsn, work)


def test_a_refusal_names_account_price_remainder_and_a_way_out(dsn: str) -> None:
    async def work(ledger: Ledger) -> BudgetExhaustedError:
        await charge(ledger, of_table(pure("0.75"), promise("1")))
        with pytest.raises(BudgetExhaustedError) as refusal:
            await charge(ledger, of_table(pure("0.5"), promise("1")))
        return refusal.value

    refusal = with_ledger(dsn, work)
    assert (refusal.sqlstate, refusal.rule) == ("53400", "budget_exhausted")
    assert TABLE in refusal.message
    assert refusal.detail is not None
    assert "costs pure epsilon 0.5," in refusal.detail
    assert "the account has pure epsilon 0.25," in refusal.detail
    assert refusal.hint is not None
    assert "dp.epsilon" in refusal.hint


def test_what_a_refusal_names_is_rounded_so_that_the_price_never_seems_to_fit() -> None:
    price = Price(Fraction("0.500001"), Fraction("0.1000001"), Fraction(0))
    left = Remaining(Fraction("0.5000009"), Fraction("0.09999999"), Fraction(0))
    detail = budget_exhausted(TABLE, price, left).detail
    assert detail is not None
    assert "costs pure epsilon 0.5001, rho 0.1001;" in detail
    assert "has pure epsilon 0.5000, rho 0.09999 left" in detail


def test_where_pure_epsilon_is_left_noise_that_it_pays_for_is_the_hint() -> None:
    price = Price(None, Fraction("0.005"), Fraction(0))
    for epsilon, is_told in ((Fraction("0.5"), True), (Fraction(0), False), (None, False)):
        hint = budget_exhausted(TABLE, price, Remaining(epsilon, Fraction(0), Fraction(0))).hint
        assert hint is not None
        assert ("SET dp.mechanism = 'laplace';" in hint) is is_told


def test_one_account_that_cannot_pay_leaves_all_others_uncharged(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        charges = [
            AccountCharge(TABLE, promise("4"), pure("0.5")),
            AccountCharge(ANALYST, promise("0.4"), pure("0.5")),
            AccountCharge(UNIT, promise("10"), pure("0.5")),
        ]
        with pytest.raises(BudgetExhaustedError, match=ANALYST):
            await charge(ledger, charges)
        assert await ledger.accounts() == {}
        assert await ledger.history(10) == []

    with_ledger(dsn, work)


def test_prices_of_an_account_named_twice_are_added_before_the_decision(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        half = AccountCharge(TABLE, promise("1"), pure("0.5"))
        with pytest.raises(BudgetExhaustedError):
            await charge(ledger, [half, half, half])
        await charge(ledger, [half, half])
        assert await ledger.spent(TABLE) == pure("0.5") + pure("0.5")
        assert await ledger.verify() == []

    with_ledger(dsn, work)


def test_the_same_block_charged_twice_costs_twice(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        await charge(ledger, of_table(pure("0.5")), block="same")
        await charge(ledger, of_table(pure("0.5")), block="same")
        assert await ledger.spent(TABLE) == pure("0.5") + pure("0.5")

    with_ledger(dsn, work)


@pytest.mark.parametrize("amount", ["1e12", "1e-30", "999999999999.000000000000000000000000000001", "0.1"])
def test_amounts_are_kept_exactly(dsn: str, amount: str) -> None:
    price = Price(Fraction(amount), Fraction(amount), Fraction(0))
    double = Price(2 * Fraction(amount), 2 * Fraction(amount), Fraction(0))

    async def work(ledger: Ledger) -> None:
        await charge(ledger, of_table(price, promise("1e13")))
        await charge(ledger, of_table(price, promise("1e13")))
        assert await ledger.spent(TABLE) == double
        assert [record.price for record in await ledger.history(2)] == [price, price]
        assert await ledger.verify() == []

    with_ledger(dsn, work)


def test_small_charges_are_not_lost_beside_huge_ones(dsn: str) -> None:
    limit, quantum = promise("1e12"), Fraction("1e-30")
    tiny = Price(quantum, Fraction(0), Fraction(0))
    huge = Price(limit.epsilon - quantum, Fraction(0), Fraction(0))

    async def work(ledger: Ledger) -> None:
        await charge(ledger, of_table(huge, limit))
        await charge(ledger, of_table(tiny, limit))
        with pytest.raises(BudgetExhaustedError):
            await charge(ledger, of_table(tiny, limit))
        assert (await ledger.spent(TABLE)).epsilon == limit.epsilon

    with_ledger(dsn, work)


def test_what_was_spent_survives_a_reopened_ledger(dsn: str) -> None:
    async def spend(ledger: Ledger) -> None:
        await charge(ledger, of_table(pure("0.75"), promise("1")))

    async def spend_again(ledger: Ledger) -> None:
        assert await ledger.spent(TABLE) == pure("0.75")
        with pytest.raises(BudgetExhaustedError):
            await charge(ledger, of_table(pure("0.5"), promise("1")))

    with_ledger(dsn, spend)
    with_ledger(dsn, spend_again)


def test_editing_the_limit_changes_what_is_left_but_never_what_was_spent(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        await charge(ledger, of_table(pure("1"), promise("2")))
        with pytest.raises(BudgetExhaustedError):
            await charge(ledger, of_table(pure("0.5"), promise("1")))
        with pytest.raises(BudgetExhaustedError):
            await charge(ledger, of_table(pure("0.001"), promise("0.5")))
        receipt = await charge(ledger, of_table(pure("0.5"), promise("2")))
        assert receipt.remaining[TABLE].epsilon == Fraction("0.5")
        assert (await ledger.spent(TABLE)).epsilon == Fraction("1.5")

    with_ledger(dsn, work)


def test_after_one_charge_that_is_not_pure_the_account_never_returns_to_the_pure_rail(dsn: str) -> None:
    limit = promise("1", "1e-6")
    gaussian = Price.gaussian(Fraction("0.001"))

    async def work(ledger: Ledger) -> None:
        await charge(ledger, of_table(gaussian, limit))
        await charge(ledger, of_table(pure("0.01"), limit))
        assert await ledger.spent(TABLE) == gaussian + pure("0.01")
        assert (await ledger.spent(TABLE)).epsilon is None
        with pytest.raises(BudgetExhaustedError) as refusal:
            await charge(ledger, of_table(pure("0.9"), limit))
        assert refusal.value.detail is not None
        assert "the account has rho" in refusal.value.detail
        assert await ledger.verify() == []

    with_ledger(dsn, work)


def test_accounts_are_listed_in_order_of_their_names(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        for account in ("analyst:a_a:t", "analyst:aba:t", "table:t"):
            await charge(ledger, [AccountCharge(account, promise("1"), pure("0.5"))])
        assert list(await ledger.accounts()) == ["analyst:a_a:t", "analyst:aba:t", "table:t"]
        assert await ledger.spent("table:unknown") == Price.zero()

    with_ledger(dsn, work)


def test_history_is_newest_first_and_can_be_one_analysts(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        receipts = [
            await charge(ledger, of_table(pure("0.1")), block=f"block {number}", analyst=analyst)
            for number, analyst in enumerate(["ana", "bob", "ana"])
        ]
        assert [record.block for record in await ledger.history(2)] == ["block 2", "block 1"]
        (first, second) = await ledger.history(10, analyst="ana")
        assert (first.charge_id, second.charge_id) == (receipts[2].charge_id, receipts[0].charge_id)
        assert (first.analyst, first.account, first.price) == ("ana", TABLE, pure("0.1"))

    with_ledger(dsn, work)


def test_a_long_statement_is_kept_in_part(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        await ledger.charge("ana", of_table(pure("0.1")), "block", "é" * 10**6)
        (record,) = await ledger.history(1)
        assert record.statement == "é" * STATEMENT_CHARACTERS

    with_ledger(dsn, work)


def test_a_charge_without_accounts_is_an_error(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        with pytest.raises(ValueError, match="needs an account"):
            await charge(ledger, [])

    with_ledger(dsn, work)


def test_one_account_with_two_limits_is_an_error(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        with pytest.raises(ValueError, match="two limits"):
            await charge(ledger, of_table(pure("0.1"), promise("1")) + of_table(pure("0.1"), promise("2")))
        assert await ledger.accounts() == {}

    with_ledger(dsn, work)


amounts = st.integers(0, 40).map(lambda twentieths: Fraction(twentieths, 20))
prices = st.one_of(
    st.builds(Price.laplace, amounts.filter(bool)),
    st.builds(Price.gaussian, amounts.filter(bool).map(lambda amount: amount / 50)),
    st.builds(
        Price, st.none() | amounts, amounts.map(lambda amount: amount / 50), amounts.map(lambda part: part / 10**7)
    ),
)
limits = st.sampled_from([promise("1"), promise("3", "1e-6"), promise("8", "1e-6"), promise("1", "1e-9")])
account_names = st.sampled_from(["table:t", "table:u", "unit:p"])
requests = st.lists(st.dictionaries(account_names, st.tuples(limits, prices), min_size=1), min_size=1, max_size=12)


def test_a_charge_is_recorded_exactly_when_every_account_admits_it(postgres_cluster: PostgresCluster) -> None:
    dsn = postgres_cluster.create_database("ledger")
    examples = iter(range(10**6))
    decisions = {True: 0, False: 0}

    async def follow(sequence: list[dict[str, tuple[Account, Price]]]) -> None:
        example = next(examples)
        model: dict[str, Price] = {}
        async with open_ledger(dsn) as ledger:
            for request in sequence:
                admitted = all(
                    limit.admits(model.get(name, Price.zero()), price) for name, (limit, price) in request.items()
                )
                decisions[admitted] += 1
                charges = [AccountCharge(f"{example}:{name}", limit, price) for name, (limit, price) in request.items()]
                if admitted:
                    await charge(ledger, charges)
                    for name, (_, price) in request.items():
                        model[name] = model.get(name, Price.zero()) + price
                else:
                    with pytest.raises(BudgetExhaustedError):
                        await charge(ledger, charges)
            accounts = await ledger.accounts()
            found = {name: spent for name, spent in accounts.items() if name.startswith(f"{example}:")}
            assert found == {f"{example}:{name}": spent for name, spent in model.items()}
            assert await ledger.verify() == []

    @settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(requests)
    def check(sequence: list[dict[str, tuple[Account, Price]]]) -> None:
        asyncio.run(follow(sequence))

    check()
    assert min(decisions.values()) > 20, "the strategy must produce both outcomes"


@pytest.mark.parametrize(("left", "told"), [("1e-6", "Lower dp.epsilon"), ("1e-8", "group by declared keys")])
def test_the_hint_is_about_delta_where_delta_is_what_is_missing(left: str, told: str) -> None:
    price = Price(None, Fraction(1), Fraction("1e-7"))
    hint = budget_exhausted(TABLE, price, Remaining(None, Fraction(1, 2), Fraction(left))).hint
    assert hint is not None
    assert told in hint
