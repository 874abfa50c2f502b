"""`dpproxy serve` as a process of its own: its command line, its policy, and what it says while it runs."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from proxy.wire.tls import TlsFiles
from tests.end_to_end import clinic

DEADLINE_SECONDS = 40.0
QUERY = "SELECT region, count(*) FROM visits GROUP BY region ORDER BY region"
POLICY = f"""\
version: 1
source: ${{CLINIC}}
analysts:
  ana: {{password: "{clinic.VERIFIER}"}}
units:
  patient: {{}}
tables:
  public.visits:
    unit: {{name: patient, column: patient_id}}
    budget: {{epsilon: 4, delta: 1e-6}}
    query: {{epsilon: 0.5}}
    columns:
      patient_id: {{}}
      region: {{values_from: public.regions.name}}
  public.regions: {{public: true}}
"""
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")


@dataclass
class Setup:
    """What a command line needs: a policy file that reads its source from the environment, and a state directory."""

    policy: Path
    state: Path
    source: str

    def command(self, *arguments: str, python: str = sys.executable) -> list[str]:
        listen = [] if "--listen" in arguments else ["--listen", "127.0.0.1:0"]
        serve = [python, "-m", "proxy.cli", "serve", "--policy", str(self.policy), "--state", str(self.state)]
        return [*serve, *listen, *arguments]

    def environment(self) -> dict[str, str]:
        path = os.pathsep.join(filter(None, sys.path))
        return {**os.environ, "CLINIC": self.source, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}

    def fail(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run `dpproxy serve`, which is expected to end by itself."""
        return self.run(self.command(*arguments))

    def run(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """Run any command that ends by itself, in the same environment."""
        return subprocess.run(
            command, env=self.environment(), capture_output=True, text=True, timeout=DEADLINE_SECONDS, check=False
        )

    def connect(self, port: int, **parameters: str) -> psycopg.Connection:
        database = str(conninfo_to_dict(self.source)["dbname"])
        dsn = make_conninfo("", host="127.0.0.1", port=port, dbname=database, user="ana", password=clinic.PASSWORD)
        return psycopg.connect(make_conninfo(dsn, **parameters), autocommit=True)


def write_policy(path: Path) -> Path:
    path.write_text(POLICY)
    return path


@contextmanager
def serving(
    setup: Setup, *prefix: str, python: str = sys.executable, options: Sequence[str] = ()
) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A running `dpproxy serve` and its port."""
    with subprocess.Popen(
        [*prefix, *setup.command(*options, python=python)],
        env=setup.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process, _port(process)
        finally:
            process.kill()


def _port(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    assert process.stderr is not None
    ready, _, _ = select.select([process.stdout], [], [], DEADLINE_SECONDS)
    assert ready, "dpproxy did not say that it listens"
    line = process.stdout.readline()
    match = re.fullmatch(r"listening on 127\.0\.0\.1:(\d+)\n", line)
    assert match is not None, (line, process.stderr.read() if not line else "")
    return int(match[1])


def processes_below(directory: Path) -> list[int]:
    """Processes that work in `directory`: the embedded server's."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                working_directory = Path(os.readlink(entry / "cwd"))
            except OSError:
                continue
            if working_directory.is_relative_to(directory.resolve()):
                found.append(int(entry.name))
    return found


def wait_until_gone(directory: Path) -> None:
    deadline = time.monotonic() + 10
    while left := processes_below(directory):
        assert time.monotonic() < deadline, f"processes {left} outlived dpproxy"
        time.sleep(0.02)


def spent(connection: psycopg.Connection) -> list[tuple[object, ...]]:
    return connection.execute("SELECT account, rho_spent, delta_spent FROM dp.budget ORDER BY account").fetchall()


def tls_options(files: TlsFiles) -> list[str]:
    return ["--tls-cert", str(files.certificate), "--tls-key", str(files.key), "--tls-client-ca", str(files.client_ca)]


def wait_for_line(process: subprocess.Popen[str], said: str) -> str:
    """The next line on standard error that says so."""
    assert process.stderr is not None
    for line in process.stderr:
        if said in line:
            return line
    raise AssertionError(f"nothing said {said}")
