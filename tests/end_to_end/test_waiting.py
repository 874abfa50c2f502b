"""Nobody waits for the statement of somebody else: one client's heavy text is planned while others are answered, in
another process."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import psycopg
import pytest

from proxy.query import planning, reading
from proxy.sql import analysis
from proxy.sql.statement import parse_statement
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy
from tests.end_to_end.serve_command import Setup, serving

COUNT = "SELECT count(*) FROM visits"
TOO_LARGE = {
    "long comments": ("/**/" * 300_000 + COUNT, "54000"),
    "comments side by side": ("/**/" * 100_000 + COUNT, "54001"),
    "semicolons": (COUNT + ";" * 900_000, "54000"),
    "words": (COUNT + " a" * 400_000, "54001"),
    "a longer list": (f"EXPLAIN {COUNT} WHERE minutes IN ({','.join(map(str, range(50_000)))})", "54001"),
    "a statement of 5 MB": (f"SELECT 'visits', '{'x' * 5_000_000}'", "54000"),
    "65 535 numbers": (f"{COUNT} WHERE minutes IN ({','.join(map(str, range(65_535)))})", "54001"),
    "aggregates": (f"EXPLAIN SELECT {','.join(['count(*)'] * 2000)} FROM visits", "54011"),
}
HARMLESS = {
    "comments before it": "/**/ " * 100_000 + f"EXPLAIN {COUNT}",
    "comments before DECLARE": "/**/" * 100_000 + "DECLAREx visits",
    "openings of comments": COUNT + " /*" * 100_000,
    "a million numbers over a public table": f"SELECT count(*) FROM regions WHERE 1 IN ({','.join(['1'] * 1_000_000)})",
    "letters that are more than one byte": f"SELECT '{'ä' * 1_500_000}' = ''",
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
            plans.extend(connection.execute(f"EXPLAIN {COUNT} WHERE diagnosis <> '{step}'".encode()))

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


@pytest.mark.skipif(sys.platform != "linux", reason="a process's time is looked up in /proc")
def test_the_proxy_itself_computes_next_to_nothing_of_a_heavy_plan(setup: Setup) -> None:
    numbers = ",".join(f"'{number}'" for number in range(3000))
    heavy = f"EXPLAIN {COUNT} WHERE region IN ({numbers})"
    with serving(setup) as (process, port), setup.connect(port) as client:
        client.execute(f"EXPLAIN {COUNT}".encode())
        before = computed(process.pid)
        started = time.process_time()
        parse_statement(heavy)
        parsing = time.process_time() - started
        client.execute(heavy.encode())
        assert computed(process.pid) - before < parsing / 2


def computed(process: int) -> float:
    """Seconds that a process has computed."""
    user, system = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
