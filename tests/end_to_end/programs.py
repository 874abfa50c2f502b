"""Client programs against a running proxy: found on the machine, run with a clean environment."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import time
from pathlib import Path
from typing import Self

from psycopg.conninfo import conninfo_to_dict

from tests.end_to_end.running import RunningProxy
from tests.programs import find_program

DEADLINE_SECONDS = 30.0


def client_environment(proxy: RunningProxy, user: str = "ana") -> dict[str, str]:
    """The libpq environment that leads to `proxy`, with nothing else of ours in it."""
    parameters = conninfo_to_dict(proxy.dsn(user))
    variables = {"PGHOST": "host", "PGPORT": "port", "PGDATABASE": "dbname", "PGUSER": "user", "PGPASSWORD": "password"}
    environment = {variable: str(parameters[name]) for variable, name in variables.items()}
    return environment | {
        "PATH": os.environ["PATH"],
        "LC_ALL": "C.UTF-8",
        "PGSSLMODE": "disable",
        "HOME": "/nonexistent",
    }


def run_program(proxy: RunningProxy, name: str, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program to its end with `text` on its standard input."""
    return subprocess.run(
        [find_program(name), *arguments],
        input=text,
        env=client_environment(proxy),
        capture_output=True,
        text=True,
        timeout=DEADLINE_SECONDS,
        check=False,
    )


def psql(proxy: RunningProxy, *commands: str) -> subprocess.CompletedProcess[str]:
    """psql with each of `commands` as one line of a script."""
    return run_program(proxy, "psql", "-X", text="".join(f"{command}\n" for command in commands))


class Terminal:
    """A program on a pseudo-terminal, so that it edits lines and completes words. Use it in a `with`."""

    def __init__(self, command: list[str], environment: dict[str, str], directory: Path) -> None:
        self._command = command
        self._environment = environment | {"TERM": "dumb", "PAGER": "cat", "HOME": str(directory)}

    def __enter__(self) -> Self:
        self._master, slave = pty.openpty()
        self._process = subprocess.Popen(
            self._command, env=self._environment, stdin=slave, stdout=slave, stderr=slave, start_new_session=True
        )
        os.close(slave)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._master)

    def type(self, text: str, expected: str) -> str:
        """Type `text` and wait until `expected` appears; returns everything printed since."""
        os.write(self._master, text.encode())
        printed = ""
        deadline = time.monotonic() + DEADLINE_SECONDS
        while expected not in printed and time.monotonic() < deadline:
            ready, _, _ = select.select([self._master], [], [], 0.2)
            if ready:
                printed += os.read(self._master, 65536).decode(errors="replace")
        assert expected in printed, printed
        return printed
