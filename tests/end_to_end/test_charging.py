"""A charge comes before the source is measured and is never taken back, whatever happens then; what goes wrong before
that costs nothing."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
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
    """While it lasts, a source query of `table` waits on the source."""
    with psycopg.connect(source) as connection:
        connection.execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(sql.Identifier(table)))
        yield
        connection.rollback()


def make_visits_slow(source: str) -> None:
    """From now on each source query of the visits takes long; their columns and rows stay as they are."""
    with psycopg.connect(source, autocommit=True) as owner:
        owner.execute("ALTER TABLE visits RENAME TO stays")
        owner.execute("CREATE VIEW visits AS SELECT stays.* FROM stays, (SELECT pg_sleep(30) OFFSET 0) AS slow")


def running_measurements(source: str) -> int:
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"
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
        assert (refusal.value.diag.message_detail or "").startswith("The query costs pure epsilon 0.5, rho ")
        assert (refusal.value.diag.message_hint or "").startswith("Lower dp.epsilon. Earlier queries are answered")
        assert client.execute("SELECT count(*) FROM visits").fetchone() == answer
        assert client.execute("SELECT count(*) > 0 FROM dp.ledger").fetchone() == (True,)
    assert spent(proxy) == 1


UNPAID = [
    "SELECT (SELECT count(*) FROM visits), (SELECT avg(height) FROM patients)",
    # What a block reads is new, so it is new, too.
    "SELECT count(*) FROM visits WHERE region IN (SELECT region FROM patients GROUP BY 1 ORDER BY avg(height) LIMIT 1)",
    # What a block reads is known, but not the block.
    "SELECT (SELECT count(*) FROM visits), (SELECT avg(height) FROM patients WHERE height > (SELECT count(*) FROM patients))",
]


@pytest.mark.parametrize("query", UNPAID)
def test_statement_that_cannot_be_paid_as_a_whole_is_not_charged_for_a_part(proxies: StartProxy, query: str) -> None:
    proxy = proxies(clinic.policy(visits=pure_policy(1), patients=pure_policy(1)))
    with proxy.connect() as client:
        client.execute("SELECT count(*) FROM patients")
        with pytest.raises(psycopg.errors.ConfigurationLimitExceeded) as refusal:
            client.execute(query.encode())
        assert str(refusal.value.diag.message_primary).endswith("cannot pay for this query; nothing was charged")
    assert (spent(proxy, "visits"), spent(proxy, "patients")) == (Decimal(0), Decimal("0.5"))


def test_blocks_that_cannot_be_paid_together_are_not_charged(proxies: StartProxy) -> None:
    proxy = proxies(clinic.policy(visits=pure_policy(2)))
    both = "SELECT (SELECT count(*) FROM visits), (SELECT count(*) FROM visits WHERE cost > 1)"
    with proxy.connect() as client:
        client.execute("SELECT count(*) FROM visits WHERE cost > 2")
        with pytest.raises(psycopg.errors.ConfigurationLimitExceeded) as refusal:
            client.execute(both.encode())
        detail, hint = refusal.value.diag.message_detail, refusal.value.diag.message_hint
        assert str(detail).endswith("That is the price of the 2 blocks of the statement together.")
        assert "SET dp.epsilon = 0.25; is still possible" in str(hint)
        assert spent(proxy) == Decimal("0.5")
        client.execute("SELECT count(*) FROM visits")
        assert spent(proxy) == 1
        # Known blocks are free, however many there are.
        again = "SELECT (SELECT count(*) FROM visits), (SELECT count(*) FROM visits WHERE cost > 2)"
        assert len(client.execute(again.encode()).fetchall()) == 1


def test_cancelled_measurement_was_charged_before_and_stays_charged(
    proxies: StartProxy, copy_clinic: Callable[[], str]
) -> None:
    source = copy_clinic()
    make_visits_slow(source)
    proxy = proxies(clinic.policy(visits=pure_policy(10)), source=source)
    with proxy.connect() as client, ThreadPoolExecutor(1) as pool:
        question = pool.submit(client.execute, "SELECT count(*) FROM visits")
        wait_until(lambda: running_measurements(source) == 1, "the source query")
        assert spent(proxy) == Decimal("0.5")
        client.cancel_safe()
        error = question.exception(DEADLINE_SECONDS)
        assert isinstance(error, psycopg.errors.QueryCanceled)
        wait_until(lambda: running_measurements(source) == 0, "the cancel on the source")
    assert spent(proxy) == Decimal("0.5")


def test_disconnected_client_has_paid_and_its_measurement_ends(
    proxies: StartProxy, copy_clinic: Callable[[], str]
) -> None:
    source = copy_clinic()
    make_visits_slow(source)
    proxy = proxies(clinic.policy(visits=pure_policy(10)), source=source)
    client = proxy.connect()
    client.pgconn.send_query(b"SELECT count(*) FROM visits")
    client.pgconn.flush()
    wait_until(lambda: running_measurements(source) == 1, "the source query")
    client.close()
    wait_until(lambda: running_measurements(source) == 0, "the end of the source query")
    assert spent(proxy) == Decimal("0.5")


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


HOPELESS = {
    "a delimiter of two characters": ("COPY ({}) TO STDOUT (DELIMITER 'ab')", "0A000"),
    "quotes around no column": ("COPY ({}) TO STDOUT (FORMAT csv, FORCE_QUOTE (nowhere))", "42703"),
    "an encoding that there is not": ("COPY ({}) TO STDOUT (ENCODING 'nowhere')", "22023"),
    "a function that analysts may not call": ("SELECT n, txid_current() FROM ({}) AS counted", "42501"),
    "a constant that cannot be computed": ("SELECT n + 1 / 0 FROM ({}) AS counted", "22012"),
}


@pytest.mark.parametrize(("text", "sqlstate"), HOPELESS.values(), ids=HOPELESS)
def test_a_statement_that_fails_whatever_is_released_costs_nothing(
    text: str, sqlstate: str, proxies: StartProxy, copy_clinic: Callable[[], str]
) -> None:
    proxy = proxies(clinic.policy(visits=pure_policy(10)), source=copy_clinic())
    asked = text.format("SELECT count(*) AS n FROM visits")
    with proxy.connect() as client:
        with pytest.raises(psycopg.Error) as failure:
            client.execute(asked.encode())
        assert failure.value.sqlstate == sqlstate
        assert spent(proxy) == 0


CURSORS = {
    "outside a transaction": (["DECLARE c CURSOR FOR {}"], "25P01"),
    "of a name that is taken": (["BEGIN", 'DECLARE "C d" CURSOR FOR SELECT 1', 'DECLARE "C d" CURSOR FOR {}'], "42P03"),
    "in a failed transaction": (["BEGIN", "SELECT 1 / 0", "DECLARE c CURSOR FOR {}"], "25P02"),
}


@pytest.mark.parametrize(("texts", "sqlstate"), CURSORS.values(), ids=CURSORS)
def test_a_cursor_that_cannot_be_declared_costs_nothing(
    texts: list[str], sqlstate: str, proxies: StartProxy, copy_clinic: Callable[[], str]
) -> None:
    proxy = proxies(clinic.policy(visits=pure_policy(10)), source=copy_clinic())
    with proxy.connect() as client:
        *before, declared = [text.format("SELECT count(*) FROM visits") for text in texts]
        for text in before:
            with suppress(psycopg.errors.DivisionByZero):
                client.execute(text.encode())
        with pytest.raises(psycopg.Error) as failure:
            client.execute(declared.encode())
        assert failure.value.sqlstate == sqlstate
    assert spent(proxy) == 0


def test_a_cursor_is_declared_once_in_a_transaction_and_held_beyond_it(exact_proxy: RunningProxy) -> None:
    with exact_proxy.connect() as client:
        client.execute('DECLARE "C d" BINARY CURSOR WITH HOLD FOR SELECT count(*) FROM visits')
        assert client.execute('FETCH ALL FROM "C d"').rowcount == 1
        with client.transaction():
            client.execute("DECLARE c CURSOR FOR SELECT region, count(*) FROM visits GROUP BY region ORDER BY region")
            assert client.execute("FETCH 2 FROM c").rowcount == 2
        client.execute('CLOSE "C d"')


HOPEFUL = {
    "what fails only over NULL": "SELECT 1 / coalesce(n, 0) >= 0 FROM (SELECT count(*) AS n FROM visits) AS counted",
    "what fails only over no group": "SELECT 1 / count(*) FROM (SELECT region FROM visits GROUP BY region) AS shown",
    "two columns of one name": "COPY (SELECT count(*) AS n, count(*) AS n FROM visits) TO STDOUT (FORMAT binary)",
}


@pytest.mark.parametrize("text", HOPEFUL.values(), ids=HOPEFUL)
def test_a_statement_that_fails_only_over_nothing_is_answered(text: str, exact_proxy: RunningProxy) -> None:
    with exact_proxy.connect() as client:
        if text.startswith("COPY"):
            with client.cursor().copy(text.encode()) as answer:
                assert len(list(answer)) == 2
        else:
            assert client.execute(text.encode()).fetchone() is not None


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


NEVER_PAID_FOR = {
    "an extract of an extreme": ("SELECT EXTRACT(YEAR FROM max(visited_at)) FROM visits", None),
    "TRIM of a key": ("SELECT TRIM(BOTH 'n' FROM region), count(*) FROM visits GROUP BY region", None),
    "a public subquery with a key": (
        "SELECT v.region, count(*), (SELECT zone FROM regions r WHERE r.name = v.region) FROM visits v GROUP BY v.region",
        None,
    ),
    "a public subquery with a key in HAVING": (
        "SELECT region, count(*) FROM visits GROUP BY region "
        "HAVING EXISTS (SELECT FROM regions r WHERE r.name = region AND zone IS NOT NULL)",
        None,
    ),
    "a time of day as an interval": (
        "SELECT count(*) FROM visits WHERE visited_at + minutes * interval '1 minute'::time > '2024-05-01'",
        None,
    ),
    "a subquery with what is no key": (
        "SELECT region, (SELECT zone FROM regions r WHERE r.name = v.diagnosis) FROM visits v GROUP BY region",
        "42803",
    ),
}


@pytest.mark.parametrize(("query", "sqlstate"), NEVER_PAID_FOR.values(), ids=NEVER_PAID_FOR.keys())
def test_what_the_stage_cannot_execute_is_not_paid_for(proxies: StartProxy, query: str, sqlstate: str | None) -> None:
    proxy = proxies(clinic.policy(visits=pure_policy(10)))
    with proxy.connect() as client:
        if sqlstate is None:
            assert client.execute(query.encode()).fetchall()
        else:
            with pytest.raises(psycopg.Error) as refusal:
                client.execute(query.encode())
            assert refusal.value.sqlstate == sqlstate
    assert spent(proxy) == (Decimal("0.5") if sqlstate is None else 0)


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
