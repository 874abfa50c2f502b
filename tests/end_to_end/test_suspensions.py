"""Three source queries that fail at the source suspend an analyst, until `dpproxy suspensions --lift`.

A row-level security policy of the source stands for an expression that nobody thought of: while the trap is set, it
fails for patient 42.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from proxy.budget.ledger import Ledger
from proxy.cli import main
from proxy.commands import ExitCode
from proxy.postgres.databases import LEDGER_DATABASE, ensure_database
from proxy.postgres.embedded import EmbeddedPostgres
from tests.budget.support import with_ledger
from tests.end_to_end import clinic
from tests.end_to_end.charging import assert_constant_failure, locked, wait_until
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy

TRAP = """
CREATE TABLE trap (how text);
CREATE FUNCTION sprung(patient integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF patient = 42 AND EXISTS (SELECT FROM public.trap WHERE how = 'error') THEN
        RAISE EXCEPTION 'a private value' USING ERRCODE = '22012';
    ELSIF patient = 42 AND EXISTS (SELECT FROM public.trap WHERE how = 'sleep') THEN
        PERFORM pg_sleep(20);
    END IF;
    RETURN true;
END $$;
ALTER TABLE visits ENABLE ROW LEVEL SECURITY;
CREATE POLICY sprung ON visits USING (public.sprung(patient_id));
CREATE TABLE gate ();
CREATE FUNCTION passed() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN PERFORM FROM public.gate; RETURN true; END $$;
ALTER TABLE patients ENABLE ROW LEVEL SECURITY;
CREATE POLICY passed ON patients USING (public.passed());
"""
PASSWORD = "reads only"


class Trapped:
    """A proxy whose source fails for patient 42 while a trap is set."""

    def __init__(self, proxy: RunningProxy, owner: str) -> None:
        self.proxy = proxy
        self.owner = owner

    @contextmanager
    def trap(self, how: str) -> Iterator[None]:
        with psycopg.connect(self.owner, autocommit=True) as connection:
            connection.execute("INSERT INTO trap VALUES (%s)", (how,))
            yield
            connection.execute("DELETE FROM trap")

    def command(self, *options: str) -> int:
        return main(["suspensions", "--ledger", self.proxy.options.ledger_dsn, *options])


StartTrapped = Callable[..., Trapped]


@pytest.fixture
def trapped(proxies: StartProxy, copy_clinic: Callable[[], str]) -> StartTrapped:
    def start(source_timeout: float = 60.0, owner: str | None = None, **changes: object) -> Trapped:
        owner = owner or copy_clinic()
        reader = f"trapped_{conninfo_to_dict(owner)['dbname']}"
        with psycopg.connect(owner, autocommit=True) as connection:
            connection.execute(TRAP)
            connection.execute(
                sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(sql.Identifier(reader), sql.Literal(PASSWORD))
            )
            connection.execute(
                sql.SQL("GRANT SELECT ON ALL TABLES IN SCHEMA public TO {}").format(sql.Identifier(reader))
            )
        source = make_conninfo(owner, user=reader, password=PASSWORD)
        return Trapped(proxies(clinic.policy(**changes), source=source, source_timeout=source_timeout), owner)

    return start


def count(number: int) -> bytes:
    """A question of its own for each number."""
    return f"SELECT count(*) FROM visits WHERE minutes > {number}".encode()


def assert_suspended(client: psycopg.Connection, query: bytes, analyst: str = "ana") -> None:
    with pytest.raises(psycopg.Error) as refusal:
        client.execute(query)
    diagnostic = refusal.value.diag
    assert (refusal.value.sqlstate, diagnostic.message_primary) == (
        "42501",
        "your queries over private tables are suspended",
    )
    assert (diagnostic.message_detail or "").startswith("Too many of them failed on the private database,")
    assert (diagnostic.message_hint or "").endswith(f"dpproxy suspensions --lift {analyst}")


def charges(client: psycopg.Connection) -> int:
    row = client.execute("SELECT count(*) FROM dp.ledger").fetchone()
    assert row is not None
    return int(row[0])


def test_three_failures_suspend_an_analyst_until_a_steward_lifts_it(
    trapped: StartTrapped, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    clinic_ = trapped()
    with clinic_.proxy.connect() as ana, clinic_.proxy.connect("bob") as bob:
        paid = ana.execute(count(1)).fetchone()
        with clinic_.trap("error"):
            for number in (2, 3, 4):
                with pytest.raises(psycopg.Error) as failure:
                    ana.execute(count(number))
                assert_constant_failure(failure.value)
        before = charges(ana)
        assert_suspended(ana, count(5))
        assert_suspended(ana, count(2))
        assert charges(ana) == before
        assert ana.execute(count(1)).fetchone() == paid, "what was paid for is recalled"
        assert ana.execute("SELECT count(*) FROM regions").fetchone() == (5,)
        assert ana.execute("SELECT DISTINCT region FROM visits ORDER BY 1").fetchall(), "nothing private is read"
        bob.execute(count(5))

        assert clinic_.command() == ExitCode.OK
        listed = capsys.readouterr().out.splitlines()
        assert listed[0] == "ana: suspended, 3 of 3 failures"
        assert [line.split("UTC")[1] for line in listed[1:]] == ["  SQLSTATE 22…  count(*) over public.visits"] * 3
        assert clinic_.command("--lift", "ana") == ExitCode.OK
        assert capsys.readouterr().out == "lifted: the failures of ana so far count no more\n"
        ana.execute(count(6))
        assert clinic_.command() == ExitCode.OK
        assert capsys.readouterr().out == "no source query has failed that was not lifted\n"
    told = [record.getMessage() for record in caplog.records if record.name == "proxy.query.failing"]
    assert [text.partition(":")[0] for text in told] == [
        f"source query {number} of 3 of ana failed at the source with SQLSTATE class 22" for number in (1, 2, 3)
    ]
    assert all('"minutes" > ?' in text for text in told), told
    assert "private value" not in caplog.text


def test_a_defect_that_rows_may_decide_looks_and_counts_like_a_failure_of_the_source(
    trapped: StartTrapped, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An error while exact numbers become an answer was shown as an internal error, as often as somebody asked."""
    clinic_, value = trapped(), "private value"

    def fail(*_: object) -> None:
        raise TypeError(f"a {value}")

    with clinic_.proxy.connect() as ana:
        with monkeypatch.context() as patch:
            patch.setattr("proxy.query.releasing.release", fail)
            for number in (1, 2, 3):
                with pytest.raises(psycopg.Error) as failure:
                    ana.execute(count(number))
                assert_constant_failure(failure.value)
        assert_suspended(ana, count(4))
    told = [record.getMessage() for record in caplog.records]
    assert any(text.startswith("unexpected TypeError while exact numbers became an answer") for text in told)
    assert value not in caplog.text


def test_a_question_that_takes_too_long_counts_and_the_policy_says_how_many_may(trapped: StartTrapped) -> None:
    clinic_ = trapped(source_timeout=0.5, failures=1)
    with clinic_.proxy.connect() as ana:
        with clinic_.trap("sleep"), pytest.raises(psycopg.Error) as failure:
            ana.execute(count(1))
        assert_constant_failure(failure.value)
        assert_suspended(ana, count(2))


def test_what_does_not_depend_on_a_row_suspends_nobody(trapped: StartTrapped) -> None:
    """A lock of the owner, a cancel of the client, a connection that the operator ends."""
    clinic_ = trapped(source_timeout=5.0, failures=1)
    with clinic_.proxy.connect() as ana:
        with locked(clinic_.owner, "visits"), pytest.raises(psycopg.errors.CannotConnectNow):
            ana.execute(count(1))
        with ThreadPoolExecutor(1) as pool, clinic_.trap("sleep"):
            question = pool.submit(ana.execute, count(2))
            wait_until(lambda: sleeping(clinic_.owner) == 1, "the source query")
            ana.cancel_safe()
            assert isinstance(question.exception(20), psycopg.errors.QueryCanceled)
        with ThreadPoolExecutor(1) as pool, clinic_.trap("sleep"):
            question = pool.submit(ana.execute, count(3))
            for _ in range(2):  # it is tried again once
                wait_until(lambda: terminate_sleeping(clinic_.owner) == 1, "the source query")
            error = question.exception(20)
            assert isinstance(error, psycopg.Error)
            assert_constant_failure(error)
        ana.execute(count(4))


def test_a_crash_of_the_sources_server_counts(
    trapped: StartTrapped, tmp_path_factory: pytest.TempPathFactory, caplog: pytest.LogCaptureFixture
) -> None:
    """It may have come at a row. Whether it did, nobody can tell; it is not tried again, and nothing is given back."""
    with EmbeddedPostgres(tmp_path_factory.mktemp("crashing"), durable=False) as cluster:
        owner = ensure_database(cluster.dsn(), "crashing_clinic")
        clinic.create(owner)
        clinic_ = trapped(owner=owner, failures=1)
        with clinic_.proxy.connect() as ana, ThreadPoolExecutor(1) as pool:
            before = charges(ana)
            with psycopg.connect(owner, autocommit=True) as connection:
                connection.execute("INSERT INTO trap VALUES ('sleep')")
            question = pool.submit(ana.execute, count(1))
            wait_until(lambda: sleeping(owner) == 1, "the source query")
            with psycopg.connect(owner) as connection:
                (backend,) = connection.execute(f"SELECT pid {_SLEEPING}".encode()).fetchone() or (0,)
            os.kill(backend, signal.SIGKILL)
            error = question.exception(20)
            assert isinstance(error, psycopg.Error)
            assert_constant_failure(error)
            assert charges(ana) > before
            assert_suspended(ana, count(2))
    assert "source query 1 of 1 of ana failed at the source with SQLSTATE class 08" in caplog.text


def test_an_answer_in_flight_when_the_last_failure_comes_is_not_told_from_a_failure(trapped: StartTrapped) -> None:
    """It would have been answered; all that shows is the suspension, and it cannot be recalled afterwards."""
    clinic_ = trapped(failures=1)
    question = b"SELECT count(*) FROM patients"
    with (
        clinic_.proxy.connect() as ana,
        clinic_.proxy.connect() as other,
        ThreadPoolExecutor(1) as pool,
        locked(clinic_.owner, "gate"),
    ):
        in_flight = pool.submit(assert_suspended, other, question)
        wait_until(lambda: waiting(clinic_.owner) == 1, "the source query")
        with clinic_.trap("error"), pytest.raises(psycopg.Error) as failure:
            ana.execute(count(1))
        assert_constant_failure(failure.value)
    in_flight.result(20)
    with clinic_.proxy.connect() as ana:
        assert_suspended(ana, question)


def test_the_command_says_what_is_wrong(
    trapped: StartTrapped, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    clinic_ = trapped()
    assert clinic_.command("--lift", "nobody") == ExitCode.WRONG_INPUT
    assert capsys.readouterr().err == "dpproxy suspensions: nobody has no failures to lift\n"
    assert clinic_.command("--state", "x") == ExitCode.WRONG_INPUT
    assert main(["suspensions", "--ledger", "host=127.0.0.1 port=1 dbname=x user=y"]) == ExitCode.UNREACHABLE
    assert "the budget ledger is unavailable" in capsys.readouterr().err
    state = tmp_path_factory.mktemp("state") / "used"
    with EmbeddedPostgres(state, durable=False) as server:
        with_ledger(ensure_database(server.dsn(), LEDGER_DATABASE), Ledger.accounts)
        assert main(["suspensions", "--state", str(state), "--lift", "nobody"]) == ExitCode.WRONG_INPUT
    assert "nobody has no failures to lift" in capsys.readouterr().err, "read beside the dpproxy that runs"


_SLEEPING = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"


def waiting(dsn: str) -> int:
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    with psycopg.connect(dsn) as connection:
        row = connection.execute(query).fetchone()
    assert row is not None
    return int(row[0])


def sleeping(dsn: str) -> int:
    with psycopg.connect(dsn) as connection:
        row = connection.execute(f"SELECT count(*) {_SLEEPING}".encode()).fetchone()
    assert row is not None
    return int(row[0])


def terminate_sleeping(dsn: str) -> int:
    with psycopg.connect(dsn, autocommit=True) as connection:
        ended = connection.execute(f"SELECT pg_terminate_backend(pid) {_SLEEPING}".encode()).rowcount
    time.sleep(0.2)
    return ended
