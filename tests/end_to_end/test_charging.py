"""A charge comes before the source is asked and is never taken back, whatever happens then (ATTACKS 28, 29, 32, 37)."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from decimal import Decimal

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy

DEADLINE_SECONDS = 20.0
READER_PASSWORD = "reads only"


def pure_policy(queries: int) -> dict[str, object]:
    """Changes of a table's policy: a budget without delta, so Laplace noise, for so many queries at epsilon 0.5."""
    return {"budget": {"epsilon": str(Decimal("0.5") * queries), "delta": "0"}, "per_analyst": None}


def spent(proxy: RunningProxy, table: str = "visits") -> Decimal:
    """Pure epsilon that a table's account has spent."""
    with proxy.connect() as connection:
        row = connection.execute(
            "SELECT epsilon_spent FROM dp.budget WHERE account = %s", (f"table:public.{table}",)
        ).fetchone()
    assert row is not None
    return Decimal(row[0])


def wait_until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not happen"
        time.sleep(0.02)


@contextmanager
def locked(source: str, table: str) -> Iterator[None]:
    """While it lasts, a measurement of `table` waits on the source."""
    with psycopg.connect(source) as connection:
        connection.execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(sql.Identifier(table)))
        yield
        connection.rollback()


def waiting_measurements(source: str) -> int:
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    with psycopg.connect(source) as connection:
        row = connection.execute(query).fetchone()
    assert row is not None
    return int(row[0])


def assert_constant_failure(error: psycopg.Error) -> None:
    """The one public text of a failed source, and not a word more."""
    fields = {
        name: getattr(error.diag, name)
        for name in dir(error.diag)
        if not name.startswith("_") and isinstance(getattr(error.diag, name), str)
    }
    assert fields == {
        "severity": "ERROR",
        "severity_nonlocalized": "ERROR",
        "sqlstate": "58000",
        "message_primary": "the private database could not answer",
        "message_detail": "The price of the query stays charged; the operator's log has the cause.",
    }


def test_exhausted_budget_is_refused_without_asking_the_source(proxies: StartProxy) -> None:
    proxy = proxies(clinic.policy(visits=pure_policy(2)))
    with proxy.connect() as client:
        answer = client.execute("SELECT count(*) FROM visits").fetchone()
        client.execute("SELECT count(*) FROM visits WHERE urgent")
        with locked(proxy.options.source_dsn, "visits"), pytest.raises(psycopg.Error) as refusal:
            client.execute("SELECT count(*) FROM visits WHERE NOT urgent")
        assert refusal.value.sqlstate == "53400"
        assert refusal.value.diag.message_primary == (
            'the budget of "table:public.visits" cannot pay for this query; nothing was charged'
        )
        assert (refusal.value.diag.message_detail or "").startswith("It costs epsilon 0.5")
        assert (refusal.value.diag.message_hint or "").startswith("Ask with a smaller dp.epsilon")
        assert client.execute("SELECT count(*) FROM visits").fetchone() == answer
        assert client.execute("SELECT count(*) > 0 FROM dp.ledger").fetchone() == (True,)
    assert spent(proxy) == 1


def test_one_unpaid_block_of_a_statement_leaves_the_paid_one_charged(proxies: StartProxy) -> None:
    proxy = proxies(clinic.policy(visits=pure_policy(1), patients=pure_policy(1)))
    with proxy.connect() as client:
        client.execute("SELECT count(*) FROM patients")
        with pytest.raises(psycopg.errors.ConfigurationLimitExceeded):
            client.execute("SELECT (SELECT count(*) FROM visits), (SELECT avg(height) FROM patients)")
    assert (spent(proxy, "visits"), spent(proxy, "patients")) == (Decimal("0.5"), Decimal("0.5"))


def test_cancelled_measurement_was_charged_before_and_stays_charged(proxies: StartProxy) -> None:
    proxy = proxies(clinic.policy(visits=pure_policy(10)))
    source = proxy.options.source_dsn
    with proxy.connect() as client, ThreadPoolExecutor(1) as pool, locked(source, "visits"):
        question = pool.submit(client.execute, "SELECT count(*) FROM visits")
        wait_until(lambda: waiting_measurements(source) == 1, "the measurement")
        assert spent(proxy) == Decimal("0.5")
        client.cancel_safe()
        error = question.exception(DEADLINE_SECONDS)
        assert isinstance(error, psycopg.errors.QueryCanceled)
        wait_until(lambda: waiting_measurements(source) == 0, "the cancel on the source")
    assert spent(proxy) == Decimal("0.5")


def test_disconnected_client_has_paid_and_its_measurement_ends(proxies: StartProxy) -> None:
    proxy = proxies(clinic.policy(visits=pure_policy(10)))
    source = proxy.options.source_dsn
    with locked(source, "visits"):
        client = proxy.connect()
        client.pgconn.send_query(b"SELECT count(*) FROM visits")
        client.pgconn.flush()
        wait_until(lambda: waiting_measurements(source) == 1, "the measurement")
        client.close()
        wait_until(lambda: waiting_measurements(source) == 0, "the end of the measurement")
    assert spent(proxy) == Decimal("0.5")


SOURCE_CHANGES = {
    "a column was renamed": ("ALTER TABLE visits RENAME COLUMN cost TO price", "SELECT sum(cost) FROM visits"),
    "a column has another type": ("ALTER TABLE visits ALTER minutes TYPE text", "SELECT sum(minutes) FROM visits"),
    "a table is gone": ("ALTER TABLE visits RENAME TO stays", "SELECT count(*) FROM visits"),
    "the unit's key was dropped": (
        "ALTER TABLE patients DROP CONSTRAINT patients_pkey CASCADE",
        "SELECT count(*), avg(height) FROM patients",
    ),
    "the unit may be null": ("ALTER TABLE visits ALTER patient_id DROP NOT NULL", "SELECT count(*) FROM visits"),
}


@pytest.mark.parametrize(("change", "query"), SOURCE_CHANGES.values(), ids=SOURCE_CHANGES.keys())
def test_changed_source_fails_with_a_constant_text_and_stays_charged(
    proxies: StartProxy, caplog: pytest.LogCaptureFixture, change: str, query: str
) -> None:
    proxy = proxies(clinic.policy(visits=pure_policy(10), patients=pure_policy(10)))
    with psycopg.connect(proxy.options.source_dsn, autocommit=True) as owner:
        owner.execute(change)
    with proxy.connect() as client, pytest.raises(psycopg.Error) as failure:
        client.execute(query)
    assert_constant_failure(failure.value)
    assert spent(proxy, query.rsplit(" ", 1)[1]) == Decimal("0.5")
    told = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert len(told) == 1
    assert re.match("the source's schema changed|a measurement failed: [A-Za-z]+, SQLSTATE", told[0])


def test_revoked_select_on_the_source_fails_with_the_same_text(
    proxies: StartProxy, copy_clinic: Callable[[], str], caplog: pytest.LogCaptureFixture
) -> None:
    owner_dsn = copy_clinic()
    reader = f"reader_of_{conninfo_to_dict(owner_dsn)['dbname']}"
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        create = sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(
            sql.Identifier(reader), sql.Literal(READER_PASSWORD)
        )
        owner.execute(create)
        owner.execute(sql.SQL("GRANT SELECT ON ALL TABLES IN SCHEMA public TO {}").format(sql.Identifier(reader)))
        source = make_conninfo(owner_dsn, user=reader, password=READER_PASSWORD)
        proxy = proxies(clinic.policy(visits=pure_policy(10)), source=source)
        with proxy.connect() as client:
            client.execute("SELECT count(*) FROM visits")
            owner.execute(sql.SQL("REVOKE SELECT ON visits FROM {}").format(sql.Identifier(reader)))
            with pytest.raises(psycopg.Error) as failure:
                client.execute("SELECT count(*) FROM visits WHERE urgent")
            assert_constant_failure(failure.value)
            assert "the private database could not answer" not in caplog.text
            assert "SQLSTATE 42501" in caplog.text
            assert "urgent" not in caplog.text
            owner.execute(sql.SQL("GRANT SELECT ON visits TO {}").format(sql.Identifier(reader)))
            client.execute("SELECT count(*) FROM visits WHERE urgent")
    assert spent(proxy) == Decimal("1.5")


def test_racing_sessions_win_exactly_as_many_queries_as_the_budget_pays_for(proxies: StartProxy) -> None:
    sessions, affordable = 8, 3
    proxy = proxies(clinic.policy(visits=pure_policy(affordable)))
    together = threading.Barrier(sessions)

    def ask(number: int) -> str | None:
        with proxy.connect() as client:
            together.wait(DEADLINE_SECONDS)
            try:
                client.execute("SELECT count(*) FROM visits WHERE minutes > %s", (number,))
            except psycopg.Error as error:
                return error.sqlstate
        return None

    with ThreadPoolExecutor(sessions) as pool:
        outcomes = list(pool.map(ask, range(sessions)))
    assert sorted(outcomes, key=str) == ["53400"] * (sessions - affordable) + [None] * affordable
    assert spent(proxy) == Decimal("0.5") * affordable
