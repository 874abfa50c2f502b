"""A private Postgres under a directory of ours, for stage and ledger when the operator names no server (decision 1).

It listens only on a Unix socket, in a directory that only its own user can enter, so `trust` on that socket admits that
user and root. It dies with the process that started it, and the next start recovers from that.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from psycopg.conninfo import make_conninfo

from proxy.postgres import launch
from proxy.postgres.binaries import EmbeddedPostgresError, find_binaries, major_version
from proxy.postgres.interrupts import postponed
from proxy.postgres.server_user import (
    SystemAccount,
    account_for,
    make_private_directory,
    name_for,
    reachable_binaries,
)
from proxy.postgres.socket_directory import PORT, make_socket_directory, remove_socket_directory
from proxy.postgres.stage_roles import OWN_CONNECTIONS

START_SECONDS = 120.0
STOP_SECONDS = 60.0
LEFTOVER_SECONDS = 20.0
KILLED_SECONDS = 3.0

RESERVED_CONNECTIONS = 16
"""For superusers: the ledger's pool has eight, which must not depend on how many sessions analysts open."""


def max_connections(sessions: int) -> int:
    """The setting max_connections of a server with room for so many sessions of analysts."""
    return sessions + OWN_CONNECTIONS + RESERVED_CONNECTIONS + 2  # Later versions reserve some more for themselves.


SETTINGS = {
    "listen_addresses": "",
    "max_connections": str(max_connections(500)),
    "superuser_reserved_connections": str(RESERVED_CONNECTIONS),
    # More than an analyst's sessions can hold together, each as many as `stage_temporary` and LOCK TABLE let it.
    "max_locks_per_transaction": "128",
    "shared_buffers": "32MB",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    # The server's log must not repeat statements, parameters or values (attack 36).
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_statement": "none",
    "log_checkpoints": "off",
}
NOT_DURABLE = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_wal_size": "128MB"}


class StateInUseError(EmbeddedPostgresError):
    """Another dpproxy uses the state directory; `holder` is its process id, as far as it is known."""

    def __init__(self, directory: Path, holder: str) -> None:
        super().__init__(
            f"{directory} is in use by another dpproxy (process {holder}): stop it, or choose another state directory"
        )
        self.holder = holder


class EmbeddedPostgres:
    """A Postgres cluster in `directory`, running between `start` and `stop` (or inside a `with`).

    Args:
        directory: state directory; created if absent. Holds `data`, `log` and `lock`.
        durable: flush to disk (the ledger needs it). False is for tests.
        binaries: directory of `postgres` and `initdb`; found by `find_binaries` if None.
        settings: further server settings.
    """

    port = PORT

    def __init__(
        self,
        directory: Path,
        *,
        durable: bool = True,
        binaries: Path | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self.directory = directory.absolute()
        self._durable = durable
        self._binaries = binaries
        self._settings = {**SETTINGS, **({} if durable else NOT_DURABLE), **(settings or {})}
        self._lock: IO[str] | None = None
        self._socket_directory: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def socket_directory(self) -> Path:
        """Directory of the Unix socket.

        Raises:
            EmbeddedPostgresError: the server is not running.
        """
        if self._socket_directory is None:
            raise EmbeddedPostgresError("the embedded Postgres is not running")
        return self._socket_directory

    def dsn(self, database: str = "postgres", user: str = "postgres") -> str:
        """Connection string for `database` as `user`.

        Raises:
            EmbeddedPostgresError: the server is not running.
        """
        return make_conninfo("", host=str(self.socket_directory), port=self.port, dbname=database, user=user)

    def dsn_of_running(self, database: str = "postgres") -> str:
        """Connection string for `database` of the server that another process runs in the directory."""
        host = str((self.directory / "socket").resolve())
        return make_conninfo("", host=host, port=self.port, dbname=database, user="postgres")

    def start(self) -> None:
        """Create the cluster if there is none, start it, and wait until it accepts connections.

        Raises:
            EmbeddedPostgresError: another process uses the directory, the data are of another major version, there is
                no server to run, or it does not come up; the text says which, and what to do.
        """
        if self._process is not None:
            raise EmbeddedPostgresError("the embedded Postgres is already running")
        try:
            self._start()
        except OSError as error:
            self.stop()
            raise EmbeddedPostgresError(
                f"the state directory {self.directory} cannot be used: {error.strerror or error}"
                + (f": {error.filename}" if error.filename is not None else "")
            ) from error
        except BaseException:
            self.stop()
            raise

    def _start(self) -> None:
        account = account_for(self.directory)
        # Ours even where the server has another user, who then only needs to pass through it.
        self.directory.mkdir(mode=0o700 if account is None else 0o711, parents=True, exist_ok=True)
        self._lock = _lock(self.directory / "lock")
        binaries = self._choose_binaries()
        if account is not None:
            binaries = reachable_binaries(binaries, account.user, account.group)
        _wait_for_leftovers(self.data_directory)
        if not self.data_directory.exists():
            self._initialise(binaries, account)
        with postponed():
            self._socket_directory = make_socket_directory(self.directory, account)
        self._run(binaries, account)

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def revive(self) -> None:
        """Start a server again that has ended by itself; its connection strings stay as they are.

        Raises:
            EmbeddedPostgresError: it does not come up.
        """
        account = account_for(self.directory)
        binaries = self._choose_binaries()
        if account is not None:
            binaries = reachable_binaries(binaries, account.user, account.group)
        _wait_for_leftovers(self.data_directory)
        self._run(binaries, account)

    def _run(self, binaries: Path, account: SystemAccount | None) -> None:
        log_path = self.directory / "log"
        with open(log_path, "ab", opener=_private_opener) as log:
            log_start = log.tell()
            arguments = [argument for name, value in self._settings.items() for argument in ("-c", f"{name}={value}")]
            arguments += ["-p", str(self.port), "-k", str(self.socket_directory)]
            command = _command(account, self.data_directory, binaries / "postgres", *arguments)
            with postponed():
                self._process = _spawn(command, log)
        self._wait_until_ready(log_path, log_start)

    @property
    def data_directory(self) -> Path:
        """The cluster's data directory."""
        return self.directory / "data"

    def stop(self) -> None:
        """Shut down in order (open sessions are ended) and release the directory. Does nothing if not running."""
        with postponed():
            self._stop()

    def _stop(self) -> None:
        if self._process is not None:
            for shutdown_signal in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
                with contextlib.suppress(ProcessLookupError):
                    self._process.send_signal(shutdown_signal)
                try:
                    self._process.wait(STOP_SECONDS)
                    break
                except subprocess.TimeoutExpired:
                    continue
            self._process = None
        if self._socket_directory is not None:
            remove_socket_directory(self.directory / "socket")
            self._socket_directory = None
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def __enter__(self) -> Self:
        try:
            self.start()
            return self
        except BaseException:  # an interrupt after the start
            self.stop()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()

    def _choose_binaries(self) -> Path:
        version_file = self.data_directory / "PG_VERSION"
        if not version_file.exists():
            return self._binaries or find_binaries()
        data_version = int(version_file.read_text())
        try:
            if self._binaries is None:
                return find_binaries(major=data_version)
            if major_version(self._binaries) == data_version:
                return self._binaries
            reason = f"but {self._binaries} has version {major_version(self._binaries)}"
        except EmbeddedPostgresError as error:
            reason = f"but {error}"
        raise EmbeddedPostgresError(
            f"{self.data_directory} was made by PostgreSQL {data_version}, {reason}. It holds the ledger: do not "
            f"delete it. Install PostgreSQL {data_version} again, or move the data with pg_upgrade"
        )

    def _initialise(self, binaries: Path, account: SystemAccount | None) -> None:
        """Create the cluster under another name, so that an interrupted initdb never looks like a cluster."""
        unfinished = self.directory / "data.unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        make_private_directory(unfinished, account)
        options = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-instructions"]
        options.append("--data-checksums")  # a ledger that its disk has changed must not be believed
        if not self._durable:
            options.append("--no-sync")
        command = _command(account, unfinished, binaries / "initdb", *options)
        user, group = (os.geteuid(), os.getegid()) if account is None else (account.user, account.group)
        with name_for(user, group) as named:
            environment = {**_environment(), **named}
            code, said = _run_alone(command, environment)
        if code != 0:
            raise EmbeddedPostgresError(f"initdb failed: {said.strip()}")
        unfinished.rename(self.data_directory)
        # Otherwise the ledger could be found under the unfinished name after a power failure.
        _flush_directory(self.directory)

    def _wait_until_ready(self, log_path: Path, log_start: int) -> None:
        deadline = time.monotonic() + START_SECONDS
        assert self._process is not None
        while time.monotonic() < deadline:
            if _postmaster_status(self.data_directory) == (self._process.pid, "ready"):
                return
            if self._process.poll() is not None:
                break
            time.sleep(0.005)
        with log_path.open("rb") as log:
            log.seek(log_start)
            printed = log.read().decode(errors="replace").strip()
        raise EmbeddedPostgresError(f"Postgres did not start; see {log_path}:\n{printed[-2000:]}")


def _private_opener(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)


def _lock(path: Path) -> IO[str]:
    """Hold `path` as long as this process lives; the kernel releases it even after SIGKILL."""
    lock = open(path, "a+", opener=_private_opener)  # noqa: SIM115 (kept open on purpose)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        holder = lock.read().strip() or "unknown"
        lock.close()
        raise StateInUseError(path.parent, holder) from None
    lock.truncate(0)
    lock.write(f"{os.getpid()}\n")
    lock.flush()
    return lock


def _command(account: SystemAccount | None, data_directory: Path, program: Path, *arguments: str) -> list[str]:
    user, group = (str(account.user), str(account.group)) if account is not None else ("-", "-")
    launcher = [sys.executable, "-I", "-S", launch.__file__, str(os.getpid()), user, group, str(data_directory)]
    return [*launcher, str(program), *arguments]


def _environment() -> dict[str, str]:
    """The environment without anything that would change the server: no PG* variable, no locale, no time zone."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}


def _run_alone(command: list[str], environment: Mapping[str, str]) -> tuple[int, str]:
    """The exit code of `command`, and what it said on standard error. Nothing that it started outlives an interrupt, or
    it would write into a directory that is being removed."""
    process: subprocess.Popen[str] | None = None
    try:
        with postponed():  # what came meanwhile is raised at its end
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                env=environment,
                start_new_session=True,
            )
        with process:
            _, said = process.communicate()
    except BaseException:
        if process is not None:
            _kill_group(process)
        raise
    return process.returncode, said


def _kill_group(process: subprocess.Popen[str]) -> None:
    with postponed(), contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        deadline = time.monotonic() + KILLED_SECONDS
        while time.monotonic() < deadline:
            os.killpg(process.pid, 0)
            time.sleep(0.005)


def _spawn(command: list[str], log: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start `command` from a thread that lives as long as it: the death signal follows the spawning thread."""
    started = threading.Event()
    outcome: list[subprocess.Popen[bytes] | OSError] = []

    def keep() -> None:
        try:
            # A session of its own: Ctrl-C in the terminal is for the proxy, which then stops the server in order.
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=_environment(),
                start_new_session=True,
            )
        except OSError as error:
            outcome.append(error)
            started.set()
            return
        outcome.append(process)
        started.set()
        process.wait()

    threading.Thread(target=keep, name="embedded-postgres", daemon=True).start()
    started.wait()
    if isinstance(outcome[0], OSError):
        raise EmbeddedPostgresError(f"cannot run {command[0]}: {outcome[0]}") from outcome[0]
    return outcome[0]


def _postmaster_status(data_directory: Path) -> tuple[int, str] | None:
    """Process id and status that a postmaster wrote about itself; None if it has not yet."""
    try:
        lines = (data_directory / "postmaster.pid").read_text().splitlines()
    except FileNotFoundError:
        return None
    return (int(lines[0]), lines[7].strip()) if len(lines) > 7 else None


def _wait_for_leftovers(data_directory: Path) -> None:
    """Wait for the servers of a killed proxy to die, then remove their postmaster.pid.

    We hold the directory's lock, so whatever works in the data directory is left over. Its process id may now belong to
    another process (ids are reused quickly in containers), and Postgres would refuse to start because of it.
    """
    identity_file = data_directory / "postmaster.pid"
    if sys.platform != "linux" or not identity_file.exists():
        return
    deadline = time.monotonic() + LEFTOVER_SECONDS
    while leftovers := _processes_in(data_directory):
        if time.monotonic() > deadline:
            raise EmbeddedPostgresError(f"processes {leftovers} still use {data_directory}: stop them first")
        time.sleep(0.02)
    identity_file.unlink(missing_ok=True)


def _processes_in(directory: Path) -> list[int]:
    """Processes whose working directory is `directory`, as it is for every server process of that cluster."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                if (entry / "cwd").samefile(directory):
                    found.append(int(entry.name))
    return found


def _flush_directory(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
