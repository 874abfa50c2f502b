"""What stewards see and do through SQL, and analysts must not: texts of others, sessions, dp.cancel and dp.kill."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable
from threading import Thread

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy
from tests.end_to_end.test_precisions import ask

STEWARDS = {"sam": {"password": clinic.VERIFIER}}
SECRET = "SELECT count(*) FROM visits WHERE diagnosis = 'secret 17' AND minutes > 4242 -- of Mrs. Miller"
REDACTED = "SELECT count(*) FROM visits WHERE diagnosis = ? AND minutes > ?"


@pytest.fixture(scope="module")
def proxy(proxies: StartProxy) -> RunningProxy:
    return proxies(clinic.policy(stewards=STEWARDS))


def queries(client: psycopg.Connection) -> set[str | None]:
    return {query for (query,) in client.execute("SELECT query FROM dp.ledger")}


@pytest.mark.parametrize(
    ("kept", "expected"), [({}, REDACTED), ({"statement_texts": "whole"}, SECRET), ({"statement_texts": "none"}, None)]
)
def test_the_ledger_keeps_of_texts_what_the_policy_says(
    proxies: StartProxy, kept: dict[str, str], expected: str | None
) -> None:
    proxy = proxies(clinic.policy(stewards=STEWARDS, **kept))
    with proxy.connect("ana") as ana, proxy.connect("bob") as bob, proxy.connect("sam") as sam:
        ask(ana, "0.5", SECRET)
        assert queries(sam) == queries(ana) == {expected}
        assert queries(bob) == set()
    with psycopg.connect(proxy.options.ledger_dsn, autocommit=True) as ledger:
        assert ledger.execute("SELECT query FROM dpproxy.statement").fetchall() == ([(expected,)] if expected else [])
        ledger.execute("DELETE FROM dpproxy.statement")
    with proxy.connect("sam") as sam:
        assert queries(sam) == {None}


def test_a_charge_tells_its_age(proxy: RunningProxy) -> None:
    with proxy.connect("ana") as ana:
        ask(ana, "0.5", "SELECT count(*) FROM visits WHERE urgent")
        rows = ana.execute("SELECT age BETWEEN '0' AND '1 minute', at <= now() FROM dp.ledger").fetchall()
    assert set(rows) == {(True, True)}


def test_what_is_left_is_told_as_epsilon_and_delta_and_as_queries_at_both_prices(proxy: RunningProxy) -> None:
    shown = "SELECT epsilon_left, delta_left, queries_left, queries_left_at_setting FROM dp.budget WHERE account = %s"
    with proxy.connect("bob") as bob:
        epsilon, delta, default, setting = bob.execute(shown, ["table:public.patients"]).fetchone() or ()
        assert (float(epsilon), float(delta), default) == (10, 1e-6, setting)
        bob.execute("SET dp.epsilon = 0.25")
        _, _, same, more = bob.execute(shown, ["table:public.patients"]).fetchone() or ()
    assert same == default
    assert 4 * same <= more <= 4 * same + 3


def test_tables_tell_prices_caps_clock_recall_and_version(proxies: StartProxy) -> None:
    visits = {"clock": "30 minutes", "snap": True, "recall": {"for": "24 hours"}, "data_version": "7"}
    with proxies(clinic.policy(visits=visits)).connect() as client:
        shown = (
            "SELECT default_epsilon, min_epsilon::float8, max_epsilon, max_rows, max_rows_per_group, max_groups, min_units, "
            "clock, snap, recall, data_version, windows FROM dp.tables WHERE table_name = 'public.visits'"
        )
        assert client.execute(shown).fetchone() == (
            *(0.5, 0.002, 2, 20, 10, 64, 1),
            *(dt.timedelta(minutes=30), True, dt.timedelta(days=1), "7", None),
        )  # fmt: skip
        public = "SELECT count(default_epsilon), count(clock), count(*) FROM dp.tables WHERE public"
        assert client.execute(public).fetchone() == (0, 0, 2)


def test_an_analyst_sees_its_own_sessions_and_a_steward_all(proxy: RunningProxy) -> None:
    seen = "SELECT login, application_name, address, state, pid FROM dp.sessions ORDER BY since"
    with (
        proxy.connect("ana", application_name="superset") as ana,
        proxy.connect("bob") as bob,
        proxy.connect("sam") as sam,
    ):
        bob.execute("BEGIN")
        (own,) = ana.execute(seen).fetchall()
        assert own == ("ana", "superset", "127.0.0.1", "active", own[4])
        assert ana.execute("SELECT pg_backend_pid()").fetchone() == (own[4],)
        everybody = [(login, name, state) for login, name, _, state, _ in sam.execute(seen)]
        assert everybody == [("ana", "superset", "idle"), ("bob", "", "idle in transaction"), ("sam", "", "active")]
        bob.execute("ROLLBACK")
        waited = "SELECT heard_at > since, statement > 0 FROM dp.sessions WHERE login = 'ana'"
        assert sam.execute(waited).fetchone() == (True, True)


def test_only_stewards_cancel_and_kill(proxy: RunningProxy) -> None:
    with proxy.connect("ana") as ana, proxy.connect("bob") as bob:
        (pid,) = bob.execute("SELECT pg_backend_pid()").fetchone() or ()
        for order in ("cancel", "kill"):
            for number in (pid, 4711):
                with pytest.raises(psycopg.errors.InsufficientPrivilege, match=r"is for stewards"):
                    ana.execute(f"SELECT dp.{order}({number})".encode())
        assert bob.execute("SELECT 1").fetchone() == (1,)


def test_a_steward_cancels_what_a_session_does(proxy: RunningProxy) -> None:
    outcome: list[BaseException] = []

    def sleep(client: psycopg.Connection) -> None:
        try:
            client.execute("SELECT pg_sleep(30)")
        except BaseException as error:
            outcome.append(error)

    with proxy.connect("bob") as bob, proxy.connect("sam") as sam:
        (pid,) = bob.execute("SELECT pg_backend_pid()").fetchone() or ()
        thread = Thread(target=sleep, args=(bob,))
        thread.start()
        until(lambda: sam.execute("SELECT state FROM dp.sessions WHERE login = 'bob'").fetchone() == ("active",))
        assert sam.execute(f"SELECT dp.cancel({pid})".encode()).fetchone() == (True,)
        thread.join(10)
        assert [type(error) for error in outcome] == [psycopg.errors.QueryCanceled]
        assert bob.execute("SELECT 1").fetchone() == (1,)


def test_a_steward_ends_a_session(proxy: RunningProxy) -> None:
    with proxy.connect("bob") as bob, proxy.connect("sam") as sam:
        (pid,) = bob.execute("SELECT pg_backend_pid()").fetchone() or ()
        # With a parameter, as drivers send it.
        assert sam.execute("SELECT dp.kill(%s)", [pid]).fetchone() == (True,)
        with pytest.raises(psycopg.errors.AdminShutdown):
            bob.execute("SELECT 1")
        until(lambda: sam.execute("SELECT count(*) FROM dp.sessions WHERE login = 'bob'").fetchone() == (0,))
        told: list[str | None] = []
        sam.add_notice_handler(lambda notice: told.append(notice.message_primary))
        assert sam.execute(f"SELECT dp.kill({pid})".encode()).fetchone() == (False,)
        assert told == [f"PID {pid} is not a session of this dpproxy"]


def test_an_order_inside_another_statement_fails_with_words(proxy: RunningProxy) -> None:
    with proxy.connect("sam") as sam, pytest.raises(psycopg.errors.FeatureNotSupported) as refusal:
        sam.execute("SELECT dp.kill(1) FROM regions")
    assert refusal.value.diag.message_primary == "dp.kill() is a statement of its own, with one number"
    assert refusal.value.diag.message_hint == "Write SELECT dp.kill(4711); dp.sessions has the numbers."


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)
