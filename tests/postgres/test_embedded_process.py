"""The embedded server's process: it dies with its parent, and the next start recovers."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psycopg
import pytest

from proxy.postgres.binaries import EmbeddedPostgresError
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.postgres.server_user import can_enter

pytestmark = pytest.mark.postgres

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="the death signal is Linux's")

NOBODY = 65534

HOLD_A_SERVER = """
import sys, time
from pathlib import Path
import psycopg
from proxy.postgres.embedded import EmbeddedPostgres
postgres = EmbeddedPostgres(Path(sys.argv[1]))
postgres.start()
with psycopg.connect(postgres.dsn(), autocommit=True) as connection:
    connection.execute("CREATE TABLE IF NOT EXISTS charges AS SELECT 42 AS price")
    postmaster = (postgres.data_directory / "postmaster.pid").read_text().split()[0]
    print(postmaster, connection.execute("SELECT price FROM charges").fetchone()[0], flush=True)
    time.sleep(60)
"""


def hold_a_server(directory: Path, *prefix: str, python: str = sys.executable) -> subprocess.Popen[str]:
    command = [*prefix, python, "-c", HOLD_A_SERVER, str(directory)]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def first_line(process: subprocess.Popen[str]) -> list[int]:
    assert process.stdout is not None
    return [int(word) for word in process.stdout.readline().split()]


def kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def postmaster_of(postgres: EmbeddedPostgres) -> int:
    return int((postgres.data_directory / "postmaster.pid").read_text().split()[0])


def is_alive(process_id: int) -> bool:
    try:
        return Path(f"/proc/{process_id}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_for_death(process_id: int) -> None:
    deadline = time.monotonic() + 10
    while is_alive(process_id):
        assert time.monotonic() < deadline, "the postmaster outlived its parent"
        time.sleep(0.01)


@on_linux
def test_sigkill_of_the_parent_leaves_no_server_and_loses_no_commit(tmp_path: Path) -> None:
    holder = hold_a_server(tmp_path)
    postmaster, price = first_line(holder)
    assert is_alive(postmaster)
    kill(holder)
    wait_for_death(postmaster)
    assert price == 42
    killed_socket = (tmp_path / "socket").resolve()
    with EmbeddedPostgres(tmp_path) as postgres, psycopg.connect(postgres.dsn()) as connection:
        assert connection.execute("SELECT price FROM charges").fetchone() == (42,)
        assert postgres.socket_directory == tmp_path / "socket" or not killed_socket.exists()


@on_linux
def test_a_start_right_after_sigkill_waits_for_the_old_server(tmp_path: Path) -> None:
    holder = hold_a_server(tmp_path)
    old_postmaster, _ = first_line(holder)
    kill(holder)
    with EmbeddedPostgres(tmp_path) as postgres:
        assert postmaster_of(postgres) != old_postmaster
        assert not is_alive(old_postmaster)


@on_linux
def test_a_directory_is_refused_while_another_process_uses_it_and_not_after(tmp_path: Path) -> None:
    holder = hold_a_server(tmp_path)
    first_line(holder)
    try:
        with pytest.raises(EmbeddedPostgresError, match=rf"in use by another dpproxy \(process {holder.pid}\)"):
            EmbeddedPostgres(tmp_path).start()
    finally:
        kill(holder)
    with EmbeddedPostgres(tmp_path) as postgres:
        assert is_alive(postmaster_of(postgres))


@on_linux
def test_a_stale_postmaster_pid_of_an_unrelated_process_does_not_stop_the_start(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path, durable=False) as postgres:
        identity = (postgres.data_directory / "postmaster.pid").read_text()
        owner = postgres.data_directory.stat()
    rest = identity.split("\n", 1)[1]
    user, group = (owner.st_uid, owner.st_gid) if os.geteuid() == 0 else (None, None)
    with subprocess.Popen(["sleep", "30"], cwd="/", user=user, group=group) as unrelated:
        (postgres.data_directory / "postmaster.pid").write_text(f"{unrelated.pid}\n{rest}")
        try:
            with EmbeddedPostgres(tmp_path, durable=False) as restarted, psycopg.connect(restarted.dsn()) as connection:
                assert connection.execute("SELECT 1").fetchone() == (1,)
        finally:
            unrelated.send_signal(signal.SIGTERM)


@on_linux
def test_the_server_outlives_the_thread_that_started_it(tmp_path: Path) -> None:
    postgres = EmbeddedPostgres(tmp_path, durable=False)
    starter = threading.Thread(target=postgres.start)
    starter.start()
    starter.join()
    try:
        time.sleep(0.3)
        with psycopg.connect(postgres.dsn()) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
    finally:
        postgres.stop()


@on_linux
@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("setpriv") is None, reason="needs root and setpriv")
def test_an_ordinary_user_runs_a_server_that_dies_with_its_parent() -> None:
    python = interpreter_for_nobody()
    directory = Path(tempfile.mkdtemp())
    os.chown(directory, NOBODY, NOBODY)
    as_nobody = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
    holder = hold_a_server(directory, *as_nobody, python=python)
    try:
        postmaster, _ = first_line(holder)
        assert (directory / "data").stat().st_uid == NOBODY
    finally:
        kill(holder)
    try:
        wait_for_death(postmaster)
    finally:
        shutil.rmtree(directory)


def interpreter_for_nobody() -> str:
    """A Python of this version that the user nobody can execute, and a checkout that it can read."""
    system = shutil.which(f"python3.{sys.version_info.minor}", path="/usr/bin:/usr/local/bin")
    reachable = [p for p in (sys.executable, system) if p and can_enter(Path(p).resolve().parent, NOBODY, NOBODY)]
    if not reachable or not can_enter(Path(__file__).parent, NOBODY, NOBODY):
        pytest.skip("an ordinary user cannot reach this Python or this checkout")
    return reachable[0]
