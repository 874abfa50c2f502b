"""The demo as the README starts it, shared by its sessions, its lists of queries and its table of constructs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import psycopg
import pytest

from proxy.demo.client import psql_command
from tests.docs.markdown import blocks
from tests.docs.running import environment, serving
from tests.docs.sessions import typed
from tests.programs import find_program


@pytest.fixture(scope="session")
def demo_port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    command = (sys.executable, "-m", "proxy.cli", "demo", "--listen", "127.0.0.1:0")
    with serving(command, tmp_path_factory.mktemp("demo"), "dp.budget", {}) as demo:
        yield demo.port


@pytest.fixture(scope="session")
def replayed(demo_port: int, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What psql prints for each session, right after the demo's own questions, as the README's remainders say."""
    return [
        subprocess.run(
            [find_program("psql"), "-X", "--echo-all", *psql_command("127.0.0.1", demo_port).split()[1:]],
            input=typed(session.text),
            env=environment(tmp_path_factory.mktemp("psql"), LC_ALL="C.UTF-8"),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=60,
            check=True,
        ).stdout
        for session in blocks("psql")
    ]


@pytest.fixture(scope="session")
def analyst(demo_port: int, replayed: list[str]) -> Iterator[psycopg.Connection]:
    """A connection that charges nothing before the sessions were replayed."""
    assert replayed
    dsn = psql_command("127.0.0.1", demo_port).split()[1]
    with psycopg.connect(dsn, autocommit=True) as connection:
        yield connection
