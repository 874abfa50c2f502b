"""Nobody waits for the statement of somebody else: one client's heavy text is planned while others are answered."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from types import ModuleType

import psycopg
import pytest

from proxy.query import planning, reading
from proxy.sql import analysis
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy

COUNT = "SELECT count(*) FROM visits"
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


@pytest.mark.parametrize(
    ("module", "step"),
    [
        (reading, "parse_statement"),
        (analysis, "analyse"),
        (analysis, "plan_block"),
        (planning, "block_hashes"),
    ],
    ids=["parse", "analyse", "plan", "hash"],
)
def test_another_client_is_answered_while_a_statement_is_planned(
    proxy: RunningProxy, other: psycopg.Connection, monkeypatch: pytest.MonkeyPatch, module: ModuleType, step: str
) -> None:
    begun, answered = threading.Event(), threading.Event()
    original = getattr(module, step)

    def slow(*args: object, **named: object) -> object:
        begun.set()
        assert answered.wait(10)
        return original(*args, **named)

    monkeypatch.setattr(module, step, slow)
    plans: list[object] = []

    def ask() -> None:
        with proxy.connect() as connection:
            plans.extend(connection.execute(f"EXPLAIN {COUNT} WHERE '{step}' <> ''".encode()))

    asking = threading.Thread(target=ask)
    asking.start()
    assert begun.wait(10)
    other.execute("SELECT 1")
    answered.set()
    asking.join()
    assert plans


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
