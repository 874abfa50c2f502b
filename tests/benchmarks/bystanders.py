"""How long others wait for `SELECT 1` while one analyst's statement is read and planned, in milliseconds."""

from __future__ import annotations

import argparse
import contextlib
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from multiprocessing import get_context
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo

from tests.benchmarks.demo_proxy import PASSWORD, loaded_clinic

_LOGIN = re.compile(r"^  ana: (.*)$", re.MULTILINE)
_COUNT = "SELECT count(*) FROM visits"


@dataclass(frozen=True)
class Heavy:
    """A statement that takes long to read or to plan."""

    text: str
    parameters: tuple[int, ...] = ()


def _numbers(count: int) -> str:
    return ",".join(map(str, range(count)))


def heavy_statements() -> dict[str, Heavy]:
    """The statements, by what is much in them."""
    placeholders = ",".join(["%s"] * 65_535)
    return {
        "IN of 10 MB": Heavy(f"EXPLAIN {_COUNT} WHERE minutes IN ({','.join(['1'] * 5_000_000)})"),
        "65 535 parameters": Heavy(f"{_COUNT} WHERE minutes IN ({placeholders})", tuple(range(65_535))),
        "10 000 parameters": Heavy(
            f"{_COUNT} WHERE minutes IN ({placeholders[: 3 * 10_000 - 1]})", tuple(range(10_000))
        ),
        "5 000 numbers in IN": Heavy(f"EXPLAIN {_COUNT} WHERE minutes IN ({_numbers(5_000)})"),
        "12 000 numbers in IN": Heavy(f"EXPLAIN {_COUNT} WHERE minutes IN ({_numbers(12_000)})"),
        "500 000 numbers over a public table": Heavy(f"SELECT count(*) FROM regions WHERE 1 IN ({_numbers(500_000)})"),
        "a private name in a public text": Heavy(f"SELECT 'visits', 1 IN ({_numbers(12_000)})"),
        "15 MB of letters": Heavy(f"SELECT '{'ä' * 7_500_000}' = 'x'"),
        "1 500 parentheses": Heavy(f"EXPLAIN {_COUNT} WHERE {'(' * 1_500}minutes > 1{')' * 1_500}"),
        "a sum of 4 000 terms": Heavy(f"EXPLAIN {_COUNT} WHERE {'minutes + ' * 4_000} 1 > 1"),
        "1 000 WHENs": Heavy(
            "EXPLAIN SELECT CASE "
            + " ".join(f"WHEN minutes = {number} THEN {number}" for number in range(1_000))
            + " END, count(*) FROM visits GROUP BY 1"
        ),
        "500 aggregates": Heavy(
            "EXPLAIN SELECT " + ", ".join(f"sum(minutes + {number})" for number in range(500)) + " FROM visits"
        ),
        "200 subqueries": Heavy("EXPLAIN " + " UNION ALL ".join([_COUNT] * 200)),
        "20 000 semicolons": Heavy("SELECT 1;" * 900 + _COUNT + ";"),
    }


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this program."""
    parser.add_argument("--rows", type=int, default=20_000, help="visits in the clinic (default: 20000)")
    parser.add_argument("--at-most", type=float, default=20.0, help="seconds for each statement (default: 20)")
    parser.add_argument("--only", metavar="WORDS", default="", help="statements with these words in their names")


def run(arguments: argparse.Namespace) -> None:
    """Measure and print."""
    with loaded_clinic(arguments.rows) as source, serving(source) as (port, process):
        print(f"{'p50':>8} {'p99':>8} {'longest':>8}   of SELECT 1, ms; statement: s, and what came of it")
        waits = _waits(port, threading.Event(), 3.0)
        _print(waits, "nothing else", 3.0, "")
        for name, heavy in heavy_statements().items():
            if arguments.only in name:
                _measure(port, name, heavy, arguments.at_most)
        status = Path(f"/proc/{process.pid}/status").read_text()
        peak = re.search(r"VmHWM:\s+(\d+) kB", status)
        print(f"peak memory of the proxy's first process: {int(peak[1]) >> 10 if peak else '?'} MB")


@contextlib.contextmanager
def serving(source: str, budget: int | None = None) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """The port of a proxy in a process of its own, for the analysts ana and bob.

    Args:
        source: connection string.
        budget: epsilon of each account; None for the demo's.
    """
    policy = (resources.files("proxy.demo") / "demo.yaml").read_text()
    if budget is not None:
        policy = re.sub(r"(budget|per_analyst): {epsilon: [0-9.]+", rf"\1: {{epsilon: {budget}", policy)
    login = _LOGIN.search(policy)
    assert login is not None
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "policy.yaml"
        path.write_text(policy.replace(login[0], f"{login[0]}\n  bob: {login[1]}"))
        command = [sys.executable, "-m", "proxy.cli", "serve", "--policy", str(path), "--source", source]
        command += ["--state", f"{directory}/state", "--listen", "127.0.0.1:0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                listening = re.search(r":(\d+)$", process.stdout.readline().strip())
                assert listening is not None
                yield int(listening[1]), process
            finally:
                process.terminate()
                process.communicate()


def client_dsn(port: int, user: str) -> str:
    """Connection string of a client."""
    return make_conninfo(
        "", host="127.0.0.1", port=port, dbname="clinic", user=user, password=PASSWORD, sslmode="disable"
    )


def _measure(port: int, name: str, heavy: Heavy, most: float) -> None:
    context = get_context("spawn")
    queue = context.Queue()
    asking = context.Process(target=_ask, args=(port, heavy, queue), daemon=True)
    asking.start()
    queue.get()
    over = threading.Event()
    started = time.monotonic()
    outcome = [f"not over after {most:.0f} s"]

    def wait() -> None:
        asking.join(most)
        over.set()

    threading.Thread(target=wait).start()
    waits = _waits(port, over, most)
    duration = time.monotonic() - started
    if not asking.is_alive():
        outcome = [queue.get()]
    asking.kill()
    _print(waits, name, duration, outcome[0])


def _ask(port: int, heavy: Heavy, queue: object) -> None:
    """In a process of its own, so that this interpreter's lock is not what the other waits for."""
    with psycopg.connect(client_dsn(port, "ana"), autocommit=True) as client:
        queue.put("ready")  # type: ignore[attr-defined]
        try:
            client.execute(heavy.text.encode(), heavy.parameters or None).fetchmany(1)
            outcome = "answered"
        except psycopg.Error as error:
            outcome = f"{error.sqlstate}: {str(error).partition(chr(10))[0][:70]}"
    queue.put(outcome)  # type: ignore[attr-defined]


def _waits(port: int, over: threading.Event, most: float) -> list[float]:
    """The durations of SELECT 1 until something is over, in seconds."""
    waits: list[float] = []
    deadline = time.monotonic() + most
    with psycopg.connect(client_dsn(port, "bob"), autocommit=True) as client:
        while time.monotonic() < deadline and not (over.is_set() and len(waits) > 100):
            started = time.perf_counter()
            client.execute("SELECT 1").fetchall()
            waits.append(time.perf_counter() - started)
            time.sleep(0.002)
    return waits


def _print(waits: Sequence[float], name: str, duration: float, outcome: str) -> None:
    ordered = sorted(waits)
    shown = (ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100], ordered[-1])
    print(" ".join(f"{wait * 1e3:8.1f}" for wait in shown), f"  {name}: {duration:.1f} s, {outcome}", flush=True)
