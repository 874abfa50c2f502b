"""Demos as the pages start them: one for each page with sessions, and one for lists of queries."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from proxy.demo.client import psql_command
from tests.docs.markdown import PAGES, Page
from tests.docs.running import RunningCommand, environment, serving
from tests.docs.sessions import typed
from tests.programs import find_program


@dataclass(frozen=True)
class Replayed:
    """A page, and what psql prints for each of its sessions right after the demo's own questions."""

    page: Page
    printed: list[str]


@pytest.fixture(scope="module", params=[page for page in PAGES.values() if page.blocks("psql")], ids=str)
def replayed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Replayed:
    """Each page has a demo of its own, so that the budgets which it shows do not depend on other pages."""
    directory = tmp_path_factory.mktemp("demo")
    with demo(directory) as running:
        sessions = [block.text for block in request.param.blocks("psql")]
        return Replayed(request.param, [_psql(session, running.port, directory) for session in sessions])


def demo(directory: Path, *arguments: str) -> AbstractContextManager[RunningCommand]:
    """`dpproxy demo`, once it has asked its questions."""
    command = (sys.executable, "-m", "proxy.cli", "demo", "--listen", "127.0.0.1:0", *arguments)
    return serving(command, directory, "dp.budget", {})


def _psql(session: str, port: int, directory: Path) -> str:
    return subprocess.run(
        [find_program("psql"), "-X", "--echo-all", *psql_command("127.0.0.1", port).split()[1:]],
        input=typed(session),
        env=environment(directory, LC_ALL="C.UTF-8"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=True,
    ).stdout


@contextmanager
def client(directory: Path, *arguments: str) -> Iterator[psycopg.Connection]:
    """A connection to a demo."""
    with demo(directory, *arguments) as running:
        dsn = psql_command("127.0.0.1", running.port).split()[1]
        with psycopg.connect(dsn, autocommit=True) as connection:
            yield connection


@pytest.fixture(scope="session")
def analyst(tmp_path_factory: pytest.TempPathFactory) -> Iterator[psycopg.Connection]:
    """A client of the demo as a reader starts it."""
    with client(tmp_path_factory.mktemp("demo")) as connection:
        yield connection
