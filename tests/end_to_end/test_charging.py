"""A charge comes before the source is measured and is never taken back, whatever happens then; a source that fails before
that costs nothing, and sessions that ask at once pay once."""

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
from tests.end_to_end.charging import DEADLINE_SECONDS, assert_constant_failure, locked, pure_policy, spent, wait_until
from tests.end_to_end.conftest import StartProxy

READER_PASSWORD = "reads only"


def make_visits_slow(source: str, seconds: int = 30) -> None:
    """From now on each source query of the visits takes long; their columns and rows stay as they are."""
    with psycopg.connect(source, autocommit=True) as owner:
        owner.execute("ALTER TABLE visits RENAME TO stays")
        slow = sql.SQL("CREATE VIEW visits AS SELECT stays.* FROM stays, (SELECT pg_sleep({}) OFFSET 0) AS slow")
        owner.execute(slow.format(seconds))


def running_measurements(source: str) -> int:
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"
    with psycopg.connect(source) as connection:
        row = connection.execute(query).fetchone()
    assert row is not None
    return int(row[0])


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
        assert (refusal.value.diag.message_detail or "").startswith("The query costs pure epsilon 0.5, rho ")
        assert (refusal.value.diag.message_hint or "").startswith("Lower dp.epsilon. Earlier queries are answered")
        assert client.execute("SELECT count(*) FROM visits").fetchone() == answer
        assert client.execute("SELECT count(*) > 0 FROM dp.ledger").fetchone() == (True,)
    assert spent(proxy) == 1


def by_a_cancel(client: psycopg.Connection) -> None:
    client.cancel_safe()


def by_disconnecting(client: psycopg.Connection) -> None:
    client.pgconn.finish()


def by_a_timer(client: psycopg.Connection) -> None:
    """Of the session's own, which ends it while it waits."""


@pytest.mark.parametrize("leave", [by_a_cancel, by_disconnecting, by_a_timer])
def test_what_was_charged_is_measured_to_its_end_and_free_when_it_is_asked_again(
    leave: Callable[[psycopg.Connection], None], proxies: StartProxy, copy_clinic: Callable[[], str]
) -> None:
    source = copy_clinic()
    make_visits_slow(source, seconds=5)
    proxy = proxies(clinic.policy(visits=pure_policy(10)), source=source)
    with proxy.connect() as client, proxy.connect(user="bob") as second, ThreadPoolExecutor(1) as pool:
        client.execute("BEGIN")
        if leave is by_a_timer:
            client.execute("SET idle_in_transaction_session_timeout = '300ms'")
        question = pool.submit(client.execute, "SELECT count(*) FROM visits")
        wait_until(lambda: running_measurements(source) == 1, "the source query")
        assert spent(proxy) == Decimal("0.5")
        leave(client)
        assert isinstance(question.exception(4), psycopg.Error)
        assert running_measurements(source) == 1
        notes: list[str] = []
        second.add_notice_handler(lambda diagnostic: notes.append(diagnostic.message_primary or ""))
        assert second.execute("SELECT count(*) FROM visits").fetchone() is not None
        assert notes == ["dpproxy recalled an earlier answer, free of charge"]
    assert spent(proxy) == Decimal("0.5")


def test_a_question_that_is_asked_again_under_a_policy_that_was_read_meanwhile_is_charged_once(
    proxies: StartProxy, copy_clinic: Callable[[], str]
) -> None:
    source = copy_clinic()
    make_visits_slow(source, seconds=5)
    policy = clinic.policy(visits=pure_policy(10))
    proxy = proxies(policy, source=source, read_policy=lambda: policy)
    assert proxy.service is not None
    with proxy.connect() as first, proxy.connect() as second, ThreadPoolExecutor(2) as pool:
        asked = pool.submit(first.execute, "SELECT count(*) FROM visits")
        wait_until(lambda: running_measurements(source) == 1, "the source query")
        proxy.run(proxy.service.reload())
        again = pool.submit(second.execute, "SELECT count(*) FROM visits")
        assert asked.result(DEADLINE_SECONDS).fetchone() == again.result(DEADLINE_SECONDS).fetchone()
    assert spent(proxy) == Decimal("0.5")


def test_a_question_that_is_cancelled_before_it_is_charged_costs_nothing(
    proxies: StartProxy, copy_clinic: Callable[[], str]
) -> None:
    source = copy_clinic()
    proxy = proxies(clinic.policy(visits=pure_policy(10)), source=source)
    with proxy.connect() as client, ThreadPoolExecutor(1) as pool:
        with locked(source, "visits"):
            question = pool.submit(client.execute, "SELECT count(*) FROM visits")
            wait_until(lambda: waiting_source_queries(source) == 1, "the source query")
            client.cancel_safe()
            assert isinstance(question.exception(DEADLINE_SECONDS), psycopg.errors.QueryCanceled)
        time.sleep(1)  # in which it would go on, as nothing is locked any more
        assert spent(proxy) == 0


def test_one_analysts_heavy_questions_do_not_make_anothers_wait(
    proxies: StartProxy, copy_clinic: Callable[[], str]
) -> None:
    source = copy_clinic()
    make_visits_slow(source)
    proxy = proxies(clinic.policy(visits=pure_policy(100)), source=source)
    heavy = [proxy.connect() for _ in range(12)]
    for number, client in enumerate(heavy):
        client.pgconn.send_query(f"SELECT count(*) FROM visits WHERE minutes > {number}".encode())
        client.pgconn.flush()
    wait_until(lambda: running_measurements(source) == 2, "the source queries")
    started = time.monotonic()
    with proxy.connect(user="bob") as other:
        assert other.execute("SELECT count(*) > 0 FROM patients").fetchone() == (True,)
    assert time.monotonic() - started < 5
    assert spent(proxy) == 2 * Decimal("0.5")
    for client in heavy:
        client.close()


def waiting_source_queries(source: str) -> int:
    query = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        " AND wait_event = 'relation'"
    )
    with psycopg.connect(source) as connection:
        row = connection.execute(query).fetchone()
    assert row is not None
    return int(row[0])


def test_a_new_question_that_many_sessions_ask_at_once_is_paid_for_once(
    proxies: StartProxy, copy_clinic: Callable[[], str]
) -> None:
    source = copy_clinic()
    proxy = proxies(clinic.policy(visits=pure_policy(10)), source=source)
    clients = [proxy.connect(user=user) for user in ("ana", "bob") for _ in range(6)]
    with ThreadPoolExecutor(len(clients)) as pool:
        with locked(source, "visits"):
            asked = [pool.submit(client.execute, "SELECT count(*) FROM visits") for client in clients]
            wait_until(lambda: waiting_source_queries(source) >= 1, "the source query")
        answers = {future.result(DEADLINE_SECONDS).fetchone() for future in asked}
    assert len(answers) == 1
    assert spent(proxy) == Decimal("0.5")
    for client in clients:
        client.close()


def test_whoever_waits_for_the_same_question_is_answered_when_its_first_asker_leaves(
    proxies: StartProxy, copy_clinic: Callable[[], str]
) -> None:
    source = copy_clinic()
    proxy = proxies(clinic.policy(visits=pure_policy(10)), source=source)
    with proxy.connect() as first, proxy.connect(user="bob") as second, ThreadPoolExecutor(2) as pool:
        with locked(source, "visits"):
            left = pool.submit(first.execute, "SELECT count(*) FROM visits")
            wait_until(lambda: waiting_source_queries(source) == 1, "the source query")
            waits = pool.submit(second.execute, "SELECT count(*) FROM visits")
            time.sleep(0.5)
            assert waiting_source_queries(source) == 1
            first.cancel_safe()
            assert isinstance(left.exception(DEADLINE_SECONDS), psycopg.errors.QueryCanceled)
        assert waits.result(DEADLINE_SECONDS).fetchone() is not None
    assert spent(proxy) == Decimal("0.5")


def test_a_source_that_is_down_costs_nothing_and_says_so_at_once(
    proxies: StartProxy, copy_clinic: Callable[[], str]
) -> None:
    source = copy_clinic()
    proxy = proxies(clinic.policy(visits=pure_policy(10)), source=source)
    name = conninfo_to_dict(source)["dbname"]
    with psycopg.connect(make_conninfo(source, dbname="postgres"), autocommit=True) as owner:
        owner.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(sql.Identifier(str(name))))
        owner.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
        with proxy.connect() as client:
            for _ in range(3):
                started = time.monotonic()
                with pytest.raises(psycopg.errors.CannotConnectNow, match="the private database is not available"):
                    client.execute("SELECT count(*) FROM visits")
                assert time.monotonic() - started < 5
            assert spent(proxy) == 0
            owner.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS true").format(sql.Identifier(str(name))))

            def answered() -> bool:
                try:
                    client.execute("SELECT count(*) FROM visits")
                except psycopg.errors.CannotConnectNow:
                    return False
                return True

            wait_until(answered, "the answer once the source is up")
    assert spent(proxy) == Decimal("0.5")


SOURCE_CHANGES = {
    "a column was renamed": ("ALTER TABLE visits RENAME COLUMN cost TO price", "SELECT sum(cost) FROM visits"),
    "a column has another type": ("ALTER TABLE visits ALTER minutes TYPE text", "SELECT sum(minutes) FROM visits"),
    "a table is gone": ("ALTER TABLE visits RENAME TO stays", "SELECT count(*) FROM visits"),
    "the unit's key was dropped": (
        "ALTER TABLE patients DROP CONSTRAINT patients_pkey CASCADE",
        "SELECT count(*), avg(height) FROM patients",
    ),
    "a text of a number is what an owner's function says": (
        "CREATE FUNCTION told(integer) RETURNS text LANGUAGE sql AS 'SELECT max(diagnosis) FROM public.visits'; "
        "CREATE CAST (integer AS text) WITH FUNCTION told(integer)",
        "SELECT count(*) FROM visits",
    ),
    "the unit may be null": ("ALTER TABLE visits ALTER patient_id DROP NOT NULL", "SELECT count(*) FROM visits"),
}


@pytest.mark.parametrize(("change", "query"), SOURCE_CHANGES.values(), ids=SOURCE_CHANGES.keys())
def test_a_changed_source_is_noticed_before_anything_is_charged(
    proxies: StartProxy, caplog: pytest.LogCaptureFixture, change: str, query: str
) -> None:
    proxy = proxies(clinic.policy(visits=pure_policy(10), patients=pure_policy(10)))
    with psycopg.connect(proxy.options.source_dsn, autocommit=True) as owner:
        owner.execute(change)
    with proxy.connect() as client, pytest.raises(psycopg.Error) as failure:
        client.execute(query)
    assert failure.value.sqlstate in ("55000", "57P03")
    assert "Nothing was charged" in (failure.value.diag.message_detail or "")
    assert spent(proxy, query.rsplit(" ", 1)[1]) == 0
    told = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert len(told) == 1
    assert re.match(
        "the source's schema changed|the source cannot prepare a source query: [A-Za-z]+, SQLSTATE", told[0]
    )


def test_a_failed_measurement_has_one_constant_text_and_stays_charged(
    proxies: StartProxy, copy_clinic: Callable[[], str], caplog: pytest.LogCaptureFixture
) -> None:
    source = copy_clinic()
    with psycopg.connect(source, autocommit=True) as owner:
        owner.execute("ALTER TABLE visits RENAME TO stays")
        owner.execute("CREATE VIEW visits AS SELECT stays.* FROM stays WHERE 1 / (visit_id - visit_id) = 1")
    proxy = proxies(clinic.policy(visits=pure_policy(10)), source=source)
    with proxy.connect() as client, pytest.raises(psycopg.Error) as failure:
        client.execute("SELECT count(*) FROM visits")
    assert_constant_failure(failure.value)
    assert spent(proxy) == Decimal("0.5")
    assert "a source query failed: DivisionByZero, SQLSTATE 22012" in caplog.text


@contextmanager
def full_disk(ledger: str, table: str) -> Iterator[None]:
    """While it lasts, the ledger's server has no room for rows of one of its tables."""
    with psycopg.connect(ledger, autocommit=True) as owner:
        owner.execute(
            "CREATE FUNCTION dpproxy.no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            " RAISE EXCEPTION USING ERRCODE = 'disk_full', MESSAGE = 'No space left on device'; END $$"
        )
        name = sql.Identifier("dpproxy", table)
        owner.execute(
            sql.SQL("CREATE TRIGGER no_room BEFORE INSERT ON {} EXECUTE FUNCTION dpproxy.no_room()").format(name)
        )
        owner.execute(sql.SQL("ALTER TABLE {} ENABLE ALWAYS TRIGGER no_room").format(name))
        yield
        owner.execute("DROP FUNCTION dpproxy.no_room CASCADE")


@pytest.mark.parametrize(
    ("table", "query"),
    [("answer", "SELECT count(*) FROM visits"), ("measurement", "SELECT region, count(*) FROM patients GROUP BY 1")],
)
def test_an_answer_that_the_ledger_has_no_room_for_is_kept_once_it_has(
    proxies: StartProxy, table: str, query: str
) -> None:
    proxy = proxies(clinic.policy(visits=pure_policy(10)))
    charged = "SELECT count(*) FROM dp.ledger"
    with proxy.connect() as client:
        with full_disk(proxy.options.ledger_dsn, table):
            with pytest.raises(psycopg.errors.CannotConnectNow, match="the answer could not be kept") as failure:
                client.execute(query)
            assert failure.value.diag.message_detail == "Its price stays charged."
            before = client.execute(charged).fetchall()
            with pytest.raises(psycopg.errors.CannotConnectNow, match="the private database was not queried"):
                client.execute("SELECT count(*) FROM patients WHERE region = 'north'")
            assert client.execute(charged).fetchall() == before
        client.execute(query)
        assert client.execute(charged).fetchall() == before
        client.execute("SELECT count(*) FROM patients WHERE region = 'north'")


def test_revoked_select_on_the_source_is_noticed_before_anything_is_charged(
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
            with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState, match="have changed since"):
                client.execute("SELECT count(*) FROM visits WHERE urgent")
            assert "permission denied for table visits" in caplog.text
            assert "urgent" not in caplog.text
            with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState) as refusal:
                client.execute("SELECT (SELECT avg(height) FROM patients), (SELECT count(*) FROM visits WHERE urgent)")
            paid = "Charged before it, and answered again for free: avg(height) over public.patients."
            assert paid in str(refusal.value.diag.message_detail)
            assert "nothing was charged" not in str(refusal.value.diag.message_detail).lower()
            owner.execute(sql.SQL("GRANT SELECT ON visits TO {}").format(sql.Identifier(reader)))
            client.execute("SELECT count(*) FROM visits WHERE urgent")
    assert spent(proxy) == Decimal("1.0")


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
