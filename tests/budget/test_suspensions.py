"""Failed source queries are counted for each analyst, by all proxies on a ledger together, until they are lifted."""

from __future__ import annotations

import asyncio

import pytest

from proxy.budget import ledger_tables
from proxy.budget.failures import Failure, Failures, lift, unlifted
from proxy.budget.ledger import Ledger
from proxy.errors import RefusedError
from tests.budget.support import TABLE, execute, older_ledger, open_ledger, pure, with_ledger

ANA = Failure("ana", "block", "22", "count(*) over public.visits")
BOB = Failure("bob", "block", "57", "sum(cost) over public.visits")


async def is_suspended(failures: Failures, analyst: str = "ana") -> bool:
    try:
        await failures.require_active(analyst)
    except RefusedError as error:
        return error.rule == "suspended"
    return False


def test_an_analyst_is_suspended_by_the_last_failure_that_is_allowed_and_nobody_else_is(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        failures = Failures(ledger.database, 3)
        for number in (1, 2, 3):
            assert not await is_suspended(failures)
            assert await failures.record(ANA) == number
        assert await is_suspended(failures)
        assert not await is_suspended(failures, "bob")
        assert await failures.record(BOB) == 1

    with_ledger(dsn, work)


def test_of_failures_at_the_same_time_no_more_are_seen_than_are_allowed(dsn: str) -> None:
    """What is seen of the others is the suspension; the ledger has them all."""

    async def work() -> None:
        async with open_ledger(dsn) as first, open_ledger(dsn) as other:
            proxies = [Failures(ledger.database, 3) for ledger in (first, other)]
            attempts = [proxies[number % 2].record(ANA) for number in range(20)]
            seen = await asyncio.gather(*attempts, return_exceptions=True)
            assert sorted(number for number in seen if isinstance(number, int)) == [1, 2, 3]
            refused = [error for error in seen if isinstance(error, RefusedError)]
            assert [error.rule for error in refused] == ["suspended"] * 17
            assert len(await unlifted(first.database)) == 20
            assert [await is_suspended(failures) for failures in proxies] == [True, True]

    asyncio.run(work())


def test_lifting_starts_the_count_again_for_one_analyst_and_forgets_nothing(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        failures = Failures(ledger.database, 1)
        await failures.record(ANA)
        await failures.record(BOB)
        assert await lift(ledger.database, "ana")
        assert not await lift(ledger.database, "ana")
        assert not await lift(ledger.database, "nobody")
        assert (await is_suspended(failures), await is_suspended(failures, "bob")) == (False, True)
        assert [record.failure for record in await unlifted(ledger.database)] == [BOB]
        assert await failures.record(ANA) == 1
        assert await is_suspended(failures)
        assert await lift(ledger.database, "ana")
        assert not await is_suspended(failures)

    with_ledger(dsn, work)
    assert execute(dsn, "SELECT count(*) FROM dpproxy.failure") == [(3,)]
    assert execute(dsn, "SELECT count(*) FROM dpproxy.lift") == [(2,)]


def test_a_failure_outlives_the_proxy_that_recorded_it(dsn: str) -> None:
    with_ledger(dsn, lambda ledger: Failures(ledger.database, 1).record(ANA))
    assert with_ledger(dsn, lambda ledger: is_suspended(Failures(ledger.database, 1)))


@pytest.mark.parametrize("table", ["failure", "lift"])
@pytest.mark.parametrize("statement", ["UPDATE {} SET analyst = 'bob'", "DELETE FROM {}", "TRUNCATE {} CASCADE"])
def test_failures_and_lifts_are_append_only(dsn: str, table: str, statement: str) -> None:
    async def work(ledger: Ledger) -> None:
        await Failures(ledger.database, 1).record(ANA)
        assert await lift(ledger.database, "ana")

    with_ledger(dsn, work)
    for settings in ("", "SET session_replication_role = replica; "):
        with pytest.raises(Exception, match="append-only"):
            execute(dsn, settings + statement.format(f"dpproxy.{table}"))


def test_a_ledger_of_the_first_version_keeps_its_charges_and_learns_to_count_failures(dsn: str) -> None:
    older_ledger(dsn, 1, "block")
    assert execute(dsn, "SELECT max(version) FROM dpproxy.ledger_version") == [(1,)]

    async def work(ledger: Ledger) -> None:
        assert await ledger.spent(TABLE) == pure("0.5")
        assert await Failures(ledger.database, 3).record(ANA) == 1

    with_ledger(dsn, work)
    assert execute(dsn, "SELECT max(version) FROM dpproxy.ledger_version") == [(ledger_tables.VERSION,)]
