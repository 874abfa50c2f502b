"""Several dpproxy processes on one ledger and one stage, behind a balancer that knows nothing but TCP."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from proxy.postgres.embedded import EmbeddedPostgres
from proxy.postgres.stage_schema import StageBuildError
from tests.conftest import copy_database
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy

SLOW = "SELECT count(*) FROM generate_series(1, 100000) AS a, generate_series(1, 100000) AS b"
"""Keeps a session busy on the stage, for longer than any test waits."""


@pytest.fixture(scope="module")
def pair(
    proxies: StartProxy, copy_clinic: Callable[[], str], stage_cluster: EmbeddedPostgres
) -> tuple[RunningProxy, RunningProxy]:
    """Two proxies of one policy, on one source, stage and ledger."""
    source, ledger = copy_clinic(), copy_database(stage_cluster.dsn(), "template1", "shared_ledger")
    policy = clinic.policy(visits={"per_analyst": None})
    return tuple(proxies(policy, source=source, ledger=ledger) for _ in range(2))  # type: ignore[return-value]


@contextmanager
def balancer(pair: tuple[RunningProxy, RunningProxy]) -> Iterator[str]:
    """Gives each new connection to the next proxy; connection string of a client."""
    addresses = cycle([proxy.address for proxy in pair])
    with ExitStack() as stack:
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))

        def accept() -> None:
            while True:
                try:
                    client = stack.enter_context(server.accept()[0])
                except OSError:
                    return
                chosen = stack.enter_context(socket.create_connection(next(addresses)))
                for ends in ((client, chosen), (chosen, client)):
                    threading.Thread(target=_copy, args=ends, daemon=True).start()

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield make_conninfo(pair[0].dsn(), port=server.getsockname()[1])
        server.shutdown(socket.SHUT_RDWR)
        thread.join(10)


def _copy(origin: socket.socket, target: socket.socket) -> None:
    try:
        while sent := origin.recv(65536):
            target.sendall(sent)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def test_a_question_that_sixty_sessions_ask_at_once_is_charged_once(pair: tuple[RunningProxy, RunningProxy]) -> None:
    charged = "SELECT count(*) FROM dp.ledger"
    with ExitStack() as stack:
        clients = [stack.enter_context(pair[number % 2].connect()) for number in range(60)]
        for client in clients:
            client.execute("SET dp.epsilon = 0.1")
        for least in range(3):
            ((before,),) = clients[0].execute(charged).fetchall()
            ready, answers = threading.Barrier(60), list[object]()

            def ask(client: psycopg.Connection, query: str, ready: threading.Barrier, answers: list[object]) -> None:
                ready.wait(30)
                answers.append(client.execute(query.encode()).fetchone())

            query = f"SELECT count(*), sum(cost) FROM visits WHERE cost > {least}"
            asking = [threading.Thread(target=ask, args=(client, query, ready, answers)) for client in clients]
            for thread in asking:
                thread.start()
            for thread in asking:
                thread.join(60)
            assert len(answers) == 60
            assert len(set(answers)) == 1
            assert clients[1].execute(charged).fetchone() == (before + 1,)


def test_they_share_budgets_and_answers(pair: tuple[RunningProxy, RunningProxy]) -> None:
    with pair[0].connect() as first, pair[1].connect() as second:
        query = "SELECT region, count(*), sum(cost) FROM visits GROUP BY region ORDER BY region"
        answer = first.execute(query).fetchall()
        spent = "SELECT account, epsilon_spent, rho_spent FROM dp.budget ORDER BY account"
        after = first.execute(spent).fetchall()
        assert second.execute(query).fetchall() == answer
        assert first.execute(spent).fetchall() == second.execute(spent).fetchall() == after
        for minutes in range(100):
            try:
                (first, second)[minutes % 2].execute(f"SELECT count(*) FROM visits WHERE minutes > {minutes}".encode())
            except psycopg.errors.ConfigurationLimitExceeded:
                break
        assert 1 < minutes < 99
        for connection in (first, second):
            with pytest.raises(psycopg.errors.ConfigurationLimitExceeded):
                connection.execute("SELECT count(*) FROM visits WHERE minutes < 3")


def test_they_share_a_stage(pair: tuple[RunningProxy, RunningProxy]) -> None:
    stages = {conninfo_to_dict(proxy.options.stage_dsn)["host"] for proxy in pair}
    assert len(stages) == 1
    for proxy in pair:
        with proxy.connect() as client:
            assert client.execute("SELECT count(*) FROM regions").fetchone() == (5,)


def test_a_proxy_with_other_tables_does_not_take_the_stage_from_under_sessions(
    pair: tuple[RunningProxy, RunningProxy], proxies: StartProxy
) -> None:
    policy = clinic.policy()
    other = policy.model_copy(
        update={"tables": {k: t for k, t in policy.tables.items() if t.public or k.endswith("visits")}}
    )
    assert other.tables.keys() != policy.tables.keys()
    with pair[0].connect() as client:
        with pytest.raises(StageBuildError, match="is in use with other tables"):
            proxies(other, source=pair[0].options.source_dsn, ledger=pair[0].options.ledger_dsn)
        assert client.execute("SELECT count(*) FROM regions").fetchone() == (5,)


def test_a_cancel_request_ends_what_runs_in_the_process_that_it_reaches(
    pair: tuple[RunningProxy, RunningProxy],
) -> None:
    with balancer(pair) as dsn, psycopg.connect(dsn, autocommit=True) as client:
        failures: list[psycopg.Error] = []

        def ask() -> None:
            try:
                client.execute(SLOW)
            except psycopg.Error as error:
                failures.append(error)

        asking = threading.Thread(target=ask)
        asking.start()
        # The first reaches the other process, which does not know the session.
        client.cancel_safe(timeout=10)
        asking.join(1)
        assert asking.is_alive()
        client.cancel_safe(timeout=10)
        asking.join(10)
        assert [failure.sqlstate for failure in failures] == ["57014"]
        assert client.execute("SELECT 1").fetchone() == (1,)
