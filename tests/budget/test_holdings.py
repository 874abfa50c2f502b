"""What measured families hold for other questions, and what was made of them, in the ledger (theorem 25)."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

import psycopg
import pytest

from proxy.budget.holdings import Combination, Holdings
from proxy.budget.ledger import Ledger
from proxy.budget.precisions import EVERYBODY, Beginning, Paid
from tests.budget.support import execute, with_ledger
from tests.budget.test_precisions import RHO, answer, measured

NOON = dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC)


def test_a_family_is_found_by_its_scope_with_what_the_reader_has_of_it(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        holdings = Holdings(ledger.database)
        await measured(ledger, 1, RHO, Beginning("analyst:ana", ("scope", "numbers")))
        await measured(ledger, 2, 2 * RHO)
        (ana,) = await holdings.find(["scope", "elsewhere"], "analyst:ana", ["analyst:ana"])
        assert (ana.family, ana.scope, ana.content) == ("family", "scope", "numbers")
        assert ana.measured == (RHO, 3 * RHO), "as sums"
        assert (ana.shown, ana.coarse) == ((RHO,), False)
        assert ana.paid == {"analyst:ana": Paid(4 * RHO, 2)}
        assert abs(dt.datetime.now(dt.UTC) - ana.at) < dt.timedelta(minutes=5)
        (bob,) = await holdings.find(["scope"], "analyst:bob", ["analyst:bob"])
        assert (bob.shown, bob.paid) == ((), {"analyst:bob": Paid()})
        assert await holdings.find(["elsewhere"], EVERYBODY, []) == []

    with_ledger(dsn, work)


def test_what_a_reader_was_shown_is_kept_as_long_as_its_oldest_part_is_young_enough(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        holdings = Holdings(ledger.database)
        for number, rho in ((1, RHO), (2, 3 * RHO)):
            await holdings.keep("family", "analyst:ana", Combination(rho, NOON, "two numbers", answer(number)))
        await holdings.keep("family", "analyst:ana", Combination(RHO, NOON, "something else", answer(3)))
        kept = await holdings.kept("family", "analyst:ana", RHO, None)
        assert kept == Combination(RHO, NOON, "two numbers", answer(1)), "the first one, and the least exact"
        assert (await holdings.kept("family", "analyst:ana", 2 * RHO, NOON)) is not None
        for family, reader, rho, oldest in (
            ("other", "analyst:ana", RHO, None),
            ("family", "analyst:bob", RHO, None),
            ("family", "analyst:ana", 4 * RHO, None),
            ("family", "analyst:ana", RHO, NOON + dt.timedelta(seconds=1)),
        ):
            assert await holdings.kept(family, reader, Fraction(rho), oldest) is None

    with_ledger(dsn, work)


@pytest.mark.parametrize("table", ["holding", "combination"])
@pytest.mark.parametrize("statement", ["UPDATE {} SET content = ''", "DELETE FROM {}", "TRUNCATE {} CASCADE"])
def test_records_can_be_neither_changed_nor_deleted(dsn: str, table: str, statement: str) -> None:
    async def work(ledger: Ledger) -> None:
        await measured(ledger, 1, RHO, Beginning(EVERYBODY, ("scope", "numbers")))
        await Holdings(ledger.database).keep("family", "", Combination(RHO, NOON, "two numbers", answer(1)))

    with_ledger(dsn, work)
    with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState, match="append-only"):
        execute(dsn, statement.format(f"dpproxy.{table}"))
