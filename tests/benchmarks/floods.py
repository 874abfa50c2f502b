"""How long others wait for a recalled answer and for a new one while one analyst sends, or reads, as much as it can."""

from __future__ import annotations

import argparse
import contextlib
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from multiprocessing import get_context
from typing import Final

import psycopg

from proxy.wire import frontend
from proxy.wire.codec import frame
from proxy.wire.frontend import Query
from tests.benchmarks.bystanders import client_dsn, serving
from tests.benchmarks.demo_proxy import loaded_clinic

_ROWS: Final = "SELECT repeat('x', 1000) FROM generate_series(1, 3000000)"
_READ: Final = 1 << 20
_BEGINNING: Final = 1.5
"""Seconds until the flood is there."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this program."""
    parser.add_argument("--rows", type=int, default=20_000, help="visits in the clinic (default: 20000)")
    parser.add_argument("--seconds", type=float, default=8.0, help="of each flood (default: 8)")
    parser.add_argument("--sessions", type=int, default=4, help="of the analyst who makes it (default: 4)")


def run(arguments: argparse.Namespace) -> None:
    """Measure and print."""
    with loaded_clinic(arguments.rows) as source, serving(source, budget=1_000_000) as (port, _):
        print("ms of SELECT 1, of a recalled count and of a new one: median, longest; beside")
        number = _measure(port, arguments.seconds, "nothing else", 0)
        for name in FLOODS:
            flooding = get_context("spawn").Process(
                target=_flood, args=(port, name, arguments.sessions, _BEGINNING + arguments.seconds + 1), daemon=True
            )
            flooding.start()
            time.sleep(_BEGINNING)
            number = _measure(port, arguments.seconds, f"{arguments.sessions} sessions with {name}", number)
            flooding.kill()
            flooding.join()


def _measure(port: int, seconds: float, name: str, number: int) -> int:
    """Ask for so many seconds; questions are numbered on from `number`, which none had before."""
    waits: list[list[float]] = [[], [], []]
    with psycopg.connect(client_dsn(port, "bob"), autocommit=True) as client:
        client.execute("SELECT count(*) FROM visits")
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            number += 1
            new = f"SELECT count(*) FROM visits WHERE cost > {number}::numeric / 1000000"
            for waited, text in zip(waits, ("SELECT 1", "SELECT count(*) FROM visits", new), strict=True):
                started = time.perf_counter()
                client.execute(text.encode()).fetchall()
                waited.append((time.perf_counter() - started) * 1e3)
    columns = (f"{sorted(waited)[len(waited) // 2]:7.1f} {max(waited):7.1f}" for waited in waits)
    print("  ".join(columns), f" {name}", flush=True)
    return number


def _flood(port: int, name: str, sessions: int, seconds: float) -> None:
    """In a process of its own, so that this interpreter's lock is not what the other waits for."""
    end = time.monotonic() + seconds
    for _ in range(sessions):
        threading.Thread(target=FLOODS[name], args=(port, end), daemon=True).start()
    time.sleep(seconds)


def _read_rows(port: int, end: float) -> None:
    with _connected(port) as connection:
        connection.sendall(Query(_ROWS.encode()).encode())
        while time.monotonic() < end and connection.recv(_READ):
            pass


def _send(message: bytes, port: int, end: float) -> None:
    """The same messages again and again, whose replies are read beside."""
    with _connected(port) as connection:
        threading.Thread(target=_read_all, args=(connection,), daemon=True).start()
        with contextlib.suppress(OSError):
            while time.monotonic() < end:
                connection.sendall(message)


def _read_all(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while connection.recv(_READ):
            pass


@contextlib.contextmanager
def _connected(port: int) -> Iterator[socket.socket]:
    """A session of ana's, past its login."""
    client = psycopg.connect(client_dsn(port, "ana"), autocommit=True)
    with socket.socket(fileno=os.dup(client.fileno())) as connection:
        connection.setblocking(True)
        yield connection


FLOODS: Final[Mapping[str, Callable[[int, float], None]]] = {
    "large results": _read_rows,
    "errors": partial(_send, Query(b"selec").encode() * 500),
    "Syncs": partial(_send, frame(frontend.SYNC) * 20_000),
}
"""What one analyst does, by its name."""
