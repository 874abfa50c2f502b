"""What was recorded stays recorded, totals can be verified, and sessions are pinned to durable commits."""

from __future__ import annotations

import psycopg
import pytest

from proxy.budget.answers import Answers, ClippingReport
from proxy.budget.ledger import Ledger
from proxy.budget.stored_answer import StoredAnswer
from proxy.lending import Connection
from tests.budget.support import charge, execute, of_table, promise, pure, with_ledger


async def fill(ledger: Ledger) -> None:
    """One charge, one payment, one answer."""
    await charge(ledger, of_table(pure("0.5")))
    told = ClippingReport("About a tenth is not counted.", 0.1)
    await Answers(ledger.database).store("block", "ana", StoredAnswer((("x",),), ((1,),)), told)


@pytest.mark.parametrize("table", ["charge", "payment", "answer", "clipping"])
@pytest.mark.parametrize("statement", ["UPDATE {} SET block = 'other'", "DELETE FROM {}", "TRUNCATE {} CASCADE"])
def test_records_can_be_neither_changed_nor_deleted(dsn: str, table: str, statement: str) -> None:
    with_ledger(dsn, fill)
    with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState, match="append-only"):
        execute(dsn, statement.format(f"dpproxy.{table}"))
    with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState, match="append-only"):
        execute(dsn, f"SET session_replication_role = replica; {statement.format(f'dpproxy.{table}')}")


@pytest.mark.parametrize("statement", ["DELETE FROM dpproxy.account", "TRUNCATE dpproxy.account CASCADE"])
def test_an_account_cannot_be_forgotten(dsn: str, statement: str) -> None:
    with_ledger(dsn, fill)
    with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState, match="append-only"):
        execute(dsn, statement)


@pytest.mark.parametrize("change", ["epsilon = 0", "epsilon = NULL", "rho = rho - 1e-30", "delta = 1e-30"])
def test_verify_finds_a_total_that_was_edited(dsn: str, change: str) -> None:
    with_ledger(dsn, fill)
    assert with_ledger(dsn, Ledger.verify) == []
    execute(dsn, f"UPDATE dpproxy.account SET {change}")
    (finding,) = with_ledger(dsn, Ledger.verify)
    assert finding.startswith("account table:public.visits: the total is epsilon")


def test_verify_finds_an_account_without_charges_and_a_payment_without_a_charge(dsn: str) -> None:
    with_ledger(dsn, fill)
    execute(dsn, "INSERT INTO dpproxy.account VALUES ('table:invented', 1, 1, 0)")
    execute(dsn, "INSERT INTO dpproxy.payment VALUES ('block', 'bob', gen_random_uuid())")
    (invented, unpaid) = with_ledger(dsn, Ledger.verify)
    assert "account table:invented" in invented
    assert unpaid == "block block: marked as paid by bob without a charge"


def test_a_total_that_is_not_pure_verifies_only_as_not_pure(dsn: str) -> None:
    async def work(ledger: Ledger) -> None:
        price = pure("0.5")
        await charge(ledger, of_table(price))
        await charge(ledger, of_table(type(price).gaussian(price.rho), promise("10", "1e-6")))
        assert await ledger.verify() == []

    with_ledger(dsn, work)
    execute(dsn, "UPDATE dpproxy.account SET epsilon = 0.5")
    assert len(with_ledger(dsn, Ledger.verify)) == 1


def test_no_default_of_the_database_makes_a_commit_less_durable_or_moves_names(dsn: str) -> None:
    ((name,),) = execute(dsn, "SELECT current_database()")
    for setting in (
        "synchronous_commit = off",
        "default_transaction_isolation = 'repeatable read'",
        "search_path = evil",
    ):
        execute(dsn, f"ALTER DATABASE {name} SET {setting}")

    async def read(connection: Connection) -> tuple[str, ...] | None:
        names = ("synchronous_commit", "default_transaction_isolation", "search_path")
        cursor = await connection.execute("SELECT current_setting(%s), current_setting(%s), current_setting(%s)", names)
        return await cursor.fetchone()

    async def work(ledger: Ledger) -> None:
        assert await ledger.database.run(read) == ("on", "read committed", "pg_catalog")
        await charge(ledger, of_table(pure("0.5")))

    with_ledger(dsn, work)


def test_a_ledger_that_is_current_needs_no_right_to_create(dsn: str) -> None:
    with_ledger(dsn, fill)
    ((name,),) = execute(dsn, "SELECT current_database()")
    role = f"clerk_of_{name}"
    execute(
        dsn,
        f"""
        CREATE ROLE {role};
        GRANT USAGE ON SCHEMA dpproxy TO {role};
        GRANT SELECT ON ALL TABLES IN SCHEMA dpproxy TO {role};
        GRANT INSERT ON dpproxy.charge, dpproxy.payment, dpproxy.answer, dpproxy.clipping, dpproxy.account TO {role};
        GRANT UPDATE ON dpproxy.account TO {role};
        """,
    )
    clerk = f"{dsn} options='-c role={role}'"

    async def work(ledger: Ledger) -> None:
        await charge(ledger, of_table(pure("0.5")), block="another")
        told = ClippingReport("Nothing can be told.", None)
        await Answers(ledger.database).store("another", "ana", StoredAnswer((("x",),), ((1,),)), told)

    with_ledger(clerk, work)
    assert with_ledger(clerk, Ledger.verify) == []
