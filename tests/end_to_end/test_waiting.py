"""Nobody waits for the statement of somebody else: one client's heavy text is planned while others are answered."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import psycopg
import pytest

from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy

COUNT = "SELECT count(*) FROM visits"
HEAVY = {
    "a long list": f"EXPLAIN {COUNT} WHERE minutes IN ({','.join(map(str, range(8_000)))})",
    "many aggregates": "EXPLAIN SELECT "
    + ",".join(f"count(*) FILTER (WHERE minutes = {n})" for n in range(400))
    + " FROM visits",
    "many rows of constants": "EXPLAIN SELECT count(*) FROM visits JOIN (VALUES "
    + ",".join(f"({n})" for n in range(4_000))
    + ") AS w(c) ON c = minutes",
}
TOO_LARGE = {
    "long comments": ("/**/" * 300_000 + COUNT, "54000"),
    "comments side by side": ("/**/" * 100_000 + COUNT, "54001"),
    "semicolons": (COUNT + ";" * 900_000, "54000"),
    "words": (COUNT + " a" * 400_000, "54001"),
    "a longer list": (f"EXPLAIN {COUNT} WHERE minutes IN ({','.join(map(str, range(50_000)))})", "54001"),
    "aggregates": (f"EXPLAIN SELECT {','.join(['count(*)'] * 2000)} FROM visits", "54011"),
}
HARMLESS = {
    "comments before it": "/**/ " * 100_000 + f"EXPLAIN {COUNT}",
    "comments before DECLARE": "/**/" * 100_000 + "DECLAREx visits",
    "openings of comments": COUNT + " /*" * 100_000,
}


@pytest.fixture(scope="module")
def proxy(proxies: StartProxy) -> RunningProxy:
    return proxies()


@pytest.fixture
def other(proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    with proxy.connect("bob") as connection:
        yield connection


@pytest.mark.parametrize("name", HEAVY)
def test_another_client_is_answered_while_a_statement_is_planned(
    proxy: RunningProxy, other: psycopg.Connection, name: str
) -> None:
    done = threading.Event()

    def ask() -> None:
        with proxy.connect() as connection:
            connection.execute(HEAVY[name].encode())
        done.set()

    asking = threading.Thread(target=ask)
    asking.start()
    answered = 0
    while not done.is_set():
        other.execute("SELECT 1")
        answered += not done.is_set()
        time.sleep(0.01)
    asking.join()
    assert answered >= 5


@pytest.mark.parametrize("name", TOO_LARGE)
def test_what_is_too_large_is_refused_with_the_sqlstate_of_postgres(proxy: RunningProxy, name: str) -> None:
    text, sqlstate = TOO_LARGE[name]
    with proxy.connect() as connection:
        with pytest.raises(psycopg.Error) as refusal:
            connection.execute(text.encode())
        assert refusal.value.sqlstate == sqlstate
        assert refusal.value.diag.message_hint
        connection.execute("SELECT 1")


@pytest.mark.parametrize("name", HARMLESS)
def test_comments_are_read_once(proxy: RunningProxy, name: str) -> None:
    with proxy.connect() as connection:
        with suppress(psycopg.Error):
            connection.execute(HARMLESS[name].encode())
        assert connection.execute("SELECT 1").fetchone() == (1,)
