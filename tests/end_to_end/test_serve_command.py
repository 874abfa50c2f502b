"""`dpproxy serve` as a process: starts, stops on signals, dies without leaving a server, recovers, and explains failures."""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from proxy.commands import ExitCode
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.wire.tls import TlsFiles
from tests.conftest import copy_database
from tests.end_to_end import clinic
from tests.postgres.test_embedded_process import NOBODY, interpreter_for_nobody
from tests.wire.certificates import Authority, server_files

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
        """Run a command that is expected to end by itself."""
        return subprocess.run(
            self.command(*arguments),
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=DEADLINE_SECONDS,
            check=False,
        )

    def connect(self, port: int, **parameters: str) -> psycopg.Connection:
        database = str(conninfo_to_dict(self.source)["dbname"])
        dsn = make_conninfo("", host="127.0.0.1", port=port, dbname=database, user="ana", password=clinic.PASSWORD)
        return psycopg.connect(make_conninfo(dsn, **parameters), autocommit=True)


def write_policy(path: Path) -> Path:
    path.write_text(POLICY)
    return path


@pytest.fixture(scope="module")
def setup(tmp_path_factory: pytest.TempPathFactory, copy_clinic: Callable[[], str]) -> Setup:
    """One state directory for the whole module, so that the servers' files are made once."""
    directory = tmp_path_factory.mktemp("serve")
    return Setup(write_policy(directory / "policy.yaml"), directory / "state", copy_clinic())


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


@on_linux
def test_restart_recovers_budget_and_answers_after_sigterm_and_sigkill(setup: Setup) -> None:
    with serving(setup) as (process, port), setup.connect(port) as client:
        answer, account = client.execute(QUERY).fetchall(), spent(client)
        process.send_signal(signal.SIGTERM)
        assert process.wait(DEADLINE_SECONDS) == ExitCode.OK
        assert processes_below(setup.state) == []
    assert len(answer) == 6
    for end in (signal.SIGKILL, signal.SIGINT):
        with serving(setup) as (process, port):
            with setup.connect(port) as client:
                assert spent(client) == account
                assert client.execute(QUERY).fetchall() == answer
                assert spent(client) == account
            assert processes_below(setup.state)
            process.send_signal(end)
            assert process.wait(DEADLINE_SECONDS) == (-end if end == signal.SIGKILL else ExitCode.OK)
            wait_until_gone(setup.state)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_stop_signal_ends_the_process_with_its_sessions(setup: Setup, number: signal.Signals) -> None:
    with serving(setup) as (process, port):
        client = setup.connect(port)
        process.send_signal(number)
        assert process.wait(DEADLINE_SECONDS) == ExitCode.OK
        assert process.stdout is not None
        assert process.stdout.read() == "stopping\n"
        with pytest.raises(psycopg.OperationalError):
            client.execute("SELECT 1")
        client.close()
        assert processes_below(setup.state) == []


def test_a_second_signal_ends_what_still_runs(setup: Setup) -> None:
    with serving(setup, options=["--drain", "60s"]) as (process, port), setup.connect(port) as client:
        ended: list[str | None] = []

        def ask() -> None:
            try:
                client.execute("SELECT pg_sleep(30)")
            except psycopg.Error as error:
                ended.append(error.sqlstate)

        asking = threading.Thread(target=ask)
        asking.start()
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.5)
        process.send_signal(signal.SIGTERM)
        assert process.wait(15) == ExitCode.OK
        asking.join(DEADLINE_SECONDS)
    assert ended == ["57P01"]


@contextmanager
def starting(setup: Setup) -> Iterator[tuple[subprocess.Popen[str], psycopg.Connection]]:
    """A `dpproxy serve` that waits for its source in the middle of the start, until the owner's transaction ends."""
    waiting = "SELECT count(*) FROM pg_locks WHERE relation = 'regions'::regclass AND NOT granted"
    with psycopg.connect(setup.source) as owner, psycopg.connect(setup.source, autocommit=True) as watching:
        owner.execute("LOCK TABLE regions")
        command = setup.command()
        pipe = subprocess.PIPE
        with subprocess.Popen(command, env=setup.environment(), stdout=pipe, stderr=pipe, text=True) as process:
            try:
                deadline = time.monotonic() + DEADLINE_SECONDS
                while watching.execute(waiting).fetchone() == (0,):
                    assert time.monotonic() < deadline
                    time.sleep(0.05)
                yield process, owner
            finally:
                process.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_start_can_be_stopped(setup: Setup, number: signal.Signals) -> None:
    with starting(setup) as (process, _):
        process.send_signal(number)
        assert process.wait(10) == ExitCode.INTERRUPTED
        assert process.stdout is not None
        assert process.stdout.read() == ""
    wait_until_gone(setup.state)
    assert not (setup.state / "socket").exists()


def test_sighup_during_the_start_is_heeded_after_it(setup: Setup) -> None:
    with starting(setup) as (process, owner):
        process.send_signal(signal.SIGHUP)
        owner.rollback()
        wait_for_line(process, "the policy was read again: 1 analysts")
        process.send_signal(signal.SIGTERM)
        assert process.wait(DEADLINE_SECONDS) == 0


def test_second_process_on_the_same_state_is_refused(setup: Setup) -> None:
    with serving(setup) as (process, port):
        second = setup.fail()
        assert second.returncode == ExitCode.FAILED
        assert second.stdout == ""
        assert f"in use by another dpproxy (process {process.pid})" in second.stderr
        assert "Traceback" not in second.stderr
        with setup.connect(port) as client:
            assert client.execute("SELECT count(*) FROM regions").fetchone() == (5,)


def test_port_in_use_is_a_plain_error(setup: Setup) -> None:
    with socket.create_server(("127.0.0.1", 0)) as occupied:
        address = f"127.0.0.1:{occupied.getsockname()[1]}"
        done = setup.fail("--listen", address)
    assert (done.returncode, done.stdout) == (ExitCode.FAILED, "")
    assert f"dpproxy serve: cannot listen on {address}: " in done.stderr
    assert "Traceback" not in done.stderr


NOTHING = "host=/nosuch/directory dbname=x user=x"
OTHERS = {
    "the source": (["--source", NOTHING], ExitCode.UNREACHABLE, "the private database cannot be used: "),
    "the stage": (["--stage", NOTHING, "--ledger", NOTHING], ExitCode.UNREACHABLE, "the stage cannot be used: "),
    "a connection string": (["--source", "hots=x"], ExitCode.WRONG_INPUT, "--source: not a connection string: "),
    "the audit log": (["--audit-log", "/nosuch/log"], ExitCode.FAILED, "the audit log /nosuch/log cannot be written: "),
}


@pytest.mark.parametrize(("options", "code", "said"), OTHERS.values(), ids=OTHERS)
def test_an_error_of_the_start_says_what_could_not_be_done(
    setup: Setup, options: list[str], code: ExitCode, said: str
) -> None:
    command = setup.command(*options)
    if "--stage" in options:
        place = command.index("--state")
        del command[place : place + 2]
    done = subprocess.run(
        command, env=setup.environment(), capture_output=True, text=True, timeout=DEADLINE_SECONDS, check=False
    )
    assert (done.returncode, done.stdout) == (code, "")
    assert f"dpproxy serve: {said}" in done.stderr
    assert "Traceback" not in done.stderr
    assert "listen" not in done.stderr


def test_metrics_that_cannot_listen_are_named(setup: Setup) -> None:
    with socket.create_server(("127.0.0.1", 0)) as occupied:
        address = f"127.0.0.1:{occupied.getsockname()[1]}"
        done = setup.fail("--metrics", address)
    assert (done.returncode, done.stdout) == (ExitCode.FAILED, "")
    assert f"dpproxy serve: cannot listen on {address} for --metrics: " in done.stderr


def test_unreachable_source_is_a_plain_error(setup: Setup) -> None:
    with socket.create_server(("127.0.0.1", 0)) as reserved:
        port = reserved.getsockname()[1]
    done = setup.fail("--source", f"host=127.0.0.1 port={port} dbname=clinic user=owner password=secret-of-the-owner")
    assert (done.returncode, done.stdout) == (ExitCode.UNREACHABLE, "")
    assert f"port {port}" in done.stderr
    assert "secret-of-the-owner" not in done.stderr
    assert "Traceback" not in done.stderr


def test_wrong_policy_is_reported_with_its_places(setup: Setup, tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(POLICY.replace("epsilon: 4", "epsilon: -4").replace("name: patient", "name: patent"))
    done = Setup(path, setup.state, setup.source).fail()
    assert (done.returncode, done.stdout) == (ExitCode.WRONG_INPUT, "")
    places = re.findall(rf"^{re.escape(str(path))}:(\d+):(\d+): error: (\S+)", done.stderr, re.MULTILINE)
    assert [(line, column) for line, column, _ in places] == [("9", "18"), ("10", "23")]
    assert "Traceback" not in done.stderr


def test_missing_environment_variable_of_a_policy_is_named(setup: Setup, tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(setup.policy.read_text().replace("${CLINIC}", "${NO_SUCH_VARIABLE}"))
    done = Setup(path, setup.state, setup.source).fail()
    assert done.returncode == ExitCode.WRONG_INPUT
    assert re.search(rf"^{re.escape(str(path))}:2:\d+: .*NO_SUCH_VARIABLE", done.stderr, re.MULTILINE)


def test_a_policy_that_does_not_fit_the_source_does_not_start(setup: Setup, tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    fitting = setup.policy.read_text()
    path.write_text(fitting.replace("column: patient_id", "column: patient_number"))
    assert path.read_text() != fitting
    done = Setup(path, setup.state, setup.source).fail()
    assert done.returncode == ExitCode.WRONG_INPUT
    assert "the policy does not fit the source" in done.stderr
    assert re.search(r"^  tables\.public\.\w+\.unit\.column: .*patient_number", done.stderr, re.MULTILINE)
    assert "Traceback" not in done.stderr


@contextmanager
def entered_by_everyone(dsn: str) -> Iterator[None]:
    """The directory of the source's Unix socket, if it has one, lets every user in for a while."""
    host = Path(str(conninfo_to_dict(dsn)["host"]))
    if not host.is_absolute():
        yield
        return
    mode = stat.S_IMODE(host.stat().st_mode)
    host.chmod(mode | 0o011)
    try:
        yield
    finally:
        host.chmod(mode)


@on_linux
@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("setpriv") is None, reason="needs root and setpriv")
def test_ordinary_user_serves(setup: Setup) -> None:
    python = interpreter_for_nobody()
    directory = Path(tempfile.mkdtemp())
    try:
        own = Setup(write_policy(directory / "policy.yaml"), directory / "state", setup.source)
        for path in (directory, own.policy):
            os.chown(path, NOBODY, NOBODY)
        as_nobody = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
        with entered_by_everyone(own.source), serving(own, *as_nobody, python=python) as (process, port):
            with own.connect(port) as client:
                assert len(client.execute(QUERY).fetchall()) == 6
            assert (own.state / "data").stat().st_uid == NOBODY
            process.send_signal(signal.SIGTERM)
            assert process.wait(DEADLINE_SECONDS) == ExitCode.OK
        assert processes_below(own.state) == []
    finally:
        shutil.rmtree(directory)


@pytest.fixture
def certified(tmp_path: Path) -> tuple[Authority, TlsFiles]:
    authority = Authority(tmp_path)
    return authority, server_files(authority, client_ca=authority.file)


def tls_options(files: TlsFiles) -> list[str]:
    return ["--tls-cert", str(files.certificate), "--tls-key", str(files.key), "--tls-client-ca", str(files.client_ca)]


def wait_for_line(process: subprocess.Popen[str], said: str) -> str:
    """The next line on standard error that says so."""
    assert process.stderr is not None
    for line in process.stderr:
        if said in line:
            return line
    raise AssertionError(f"nothing said {said}")


def test_sighup_reads_the_certificate_again_and_keeps_the_old_one_if_it_cannot(
    setup: Setup, certified: tuple[Authority, TlsFiles], tmp_path: Path
) -> None:
    authority, files = certified
    newer = Authority(tmp_path, "newer")
    with serving(setup, options=["--require-tls", *tls_options(files)]) as (process, port):
        verified = setup.connect(port, sslmode="verify-full", sslrootcert=str(authority.file))
        with pytest.raises(psycopg.OperationalError, match="no connections without TLS"):
            setup.connect(port, sslmode="disable")
        assert "wrong" not in wait_for_line(process, "login refused: 'ana' from 127.0.0.1: 'tls-required'")
        good = files.certificate.read_bytes()
        files.certificate.write_text("no certificate")
        process.send_signal(signal.SIGHUP)
        assert str(files.certificate) in wait_for_line(process, "the certificate cannot be read again")
        setup.connect(port, sslmode="verify-full", sslrootcert=str(authority.file)).close()
        files.certificate.write_bytes(good)
        replacement = newer.sign("replacement")
        files.key.write_bytes(replacement.key.read_bytes())
        files.certificate.write_bytes(replacement.certificate.read_bytes())
        process.send_signal(signal.SIGHUP)
        wait_for_line(process, "valid until")
        setup.connect(port, sslmode="verify-full", sslrootcert=str(newer.file)).close()
        assert len(verified.execute(QUERY).fetchall()) == 6
        verified.close()
        process.send_signal(signal.SIGTERM)
        assert process.wait(DEADLINE_SECONDS) == ExitCode.OK


def test_logins_are_those_of_the_policy(setup: Setup, certified: tuple[Authority, TlsFiles], tmp_path: Path) -> None:
    authority, files = certified
    path = tmp_path / "logins.yaml"
    more = f'  bob: {{certificate: Bob}}\n  eve: {{password: "{clinic.VERIFIER}", networks: [10.0.0.0/8, "::1/128"]}}\n'
    path.write_text(POLICY.replace("units:\n", f"{more}units:\n"))
    bob = authority.sign("bob", "Bob")
    with serving(Setup(path, setup.state, setup.source), options=tls_options(files)) as (process, port):
        own = {"sslmode": "require", "sslcert": str(bob.certificate), "sslkey": str(bob.key)}
        with setup.connect(port, user="bob", password="", **own) as client:
            assert client.execute("SELECT current_user").fetchone() == ("bob",)
            assert len(client.execute(QUERY).fetchall()) == 6
        for user, reason in (("eve", "network"), ("bob", "wrong-password")):
            with pytest.raises(psycopg.OperationalError, match=f'password authentication failed for user "{user}"'):
                setup.connect(port, user=user)
            wait_for_line(process, f"login refused: '{user}' from 127.0.0.1: '{reason}'")


def test_sighup_reads_the_policy_again_without_ending_a_session(setup: Setup, tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    bob = f'  bob: {{password: "{clinic.VERIFIER}"}}\n'
    with_bob = POLICY.replace("units:\n", f"{bob}units:\n")
    path.write_text(with_bob)
    own = Setup(path, setup.state, setup.source)

    def reload(process: subprocess.Popen[str], policy: str, said: str) -> str:
        path.write_text(policy)
        process.send_signal(signal.SIGHUP)
        return wait_for_line(process, said)

    limit = "SELECT epsilon FROM dp.budget WHERE account = 'table:public.visits'"
    with serving(own) as (process, port), own.connect(port) as client:
        answer = client.execute(QUERY).fetchall()
        assert client.execute(limit).fetchone() == (4,)
        leaving = own.connect(port, user="bob")
        more = POLICY.replace("epsilon: 4", "epsilon: 5").replace("units:\n", f"{bob.replace('bob', 'eve')}units:\n")
        reload(process, more, "the policy was read again: 2 analysts")
        with pytest.raises(psycopg.OperationalError):
            leaving.execute("SELECT 1")
        leaving.close()
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            own.connect(port, user="bob")
        assert client.execute(limit).fetchone() == (5,)
        assert client.execute("SELECT epsilon FROM dp.tables WHERE NOT public").fetchone() == (5,)
        assert client.execute(QUERY).fetchall() == answer
        with own.connect(port, user="eve") as eve:
            assert eve.execute(QUERY).fetchall() == answer
        for wrong, said in (
            (more.replace("epsilon: 5", "epsilon: -5"), "epsilon"),
            (more.replace("column: patient_id", "column: patient_number"), "patient_number"),
            (
                more.replace("      patient_id: {}\n", "      patient_id: {}\n      cost: {}\n"),
                "is in use with other tables",
            ),
        ):
            assert said in reload(process, wrong, "the policy cannot be read again, the old one stays")
        assert client.execute(limit).fetchone() == (5,)
        assert client.execute("SELECT count(*) FROM regions").fetchone() == (5,)
        with psycopg.connect(own.source, autocommit=True) as owner:
            owner.execute("INSERT INTO regions VALUES ('new', NULL, 1)")
            try:
                reload(process, POLICY.replace("ana:", "eve:"), "public rows have changed since they were copied")
                wait_for_line(process, "the policy was read again: 1 analysts")
            finally:
                owner.execute("DELETE FROM regions WHERE name = 'new'")
        with pytest.raises(psycopg.OperationalError):
            client.execute("SELECT 1")
        with own.connect(port, user="eve") as eve:
            assert eve.execute("SELECT count(*) FROM regions").fetchone() == (5,)


@pytest.mark.parametrize("listen", ["0.0.0.0:0", "[::]:0", "no-such-host.invalid:0"])
def test_others_are_served_with_tls_or_knowingly_without(setup: Setup, listen: str) -> None:
    done = setup.fail("--listen", listen)
    assert (done.returncode, done.stdout) == (ExitCode.WRONG_INPUT, "")
    assert (
        f"no certificate for clients of {listen}: give --tls-cert and --tls-key, or say --no-require-tls" in done.stderr
    )


def test_options_of_tls_go_together(setup: Setup, certified: tuple[Authority, TlsFiles], tmp_path: Path) -> None:
    _, files = certified
    without_password = tmp_path / "certificates.yaml"
    without_password.write_text(POLICY.replace(f'password: "{clinic.VERIFIER}"', "certificate: Ana"))
    other = Setup(without_password, setup.state, setup.source)
    for own, options, said in (
        (setup, ["--tls-cert", str(files.certificate)], "--tls-cert and --tls-key go together"),
        (setup, ["--tls-client-ca", str(files.client_ca)], "--tls-client-ca needs --tls-cert and --tls-key"),
        (setup, ["--require-tls"], "no certificate for clients"),
        (other, [], "ana: no password, and no certificate without --tls-client-ca"),
        (setup, ["--tls-cert", str(files.key), "--tls-key", str(files.key)], "the certificate cannot be used"),
    ):
        done = own.fail(*options)
        assert (done.returncode, done.stdout) == (ExitCode.WRONG_INPUT, "")
        assert said in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--max-clients", "20", "--max-clients-per-analyst", "30"], "--max-clients-per-analyst 30 is more than"),
        (["--max-message", "64kB", "--max-statement", "1MB"], "--max-statement (1048576 bytes) is more than"),
        (["--max-clients", "999999"], "raise the hard limit"),
        (["--drain", "soon"], "'soon' is not a time"),
        (["--max-message", "5GB"], "'5GB' is not a size"),
        (["--max-clients", "0"], "'0' is not a number"),
    ],
)
def test_limits_that_do_not_fit_are_refused(setup: Setup, options: list[str], said: str) -> None:
    done = setup.fail(*options)
    assert (done.returncode, done.stdout) == (ExitCode.WRONG_INPUT, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_too_little_memory_for_planning_is_refused(setup: Setup) -> None:
    done = subprocess.run(
        ["sh", "-c", 'ulimit -v 400000 && exec "$@"', "sh", *setup.command()],
        env=setup.environment(),
        capture_output=True,
        text=True,
        timeout=DEADLINE_SECONDS,
        check=False,
    )
    assert (done.returncode, done.stdout) == (ExitCode.WRONG_INPUT, "")
    assert "may take 1024 MB of memory, and the system allows a process 390 MB" in done.stderr


def test_limits_hold_and_idle_sessions_leave_room_for_questions(setup: Setup) -> None:
    with serving(setup, options=["--max-clients", "6", "--drain", "30s"]) as (process, port), ExitStack() as sessions:
        *_, last = [sessions.enter_context(setup.connect(port)) for _ in range(6)]
        with pytest.raises(psycopg.OperationalError, match="sorry, too many clients already"):
            setup.connect(port)
        assert len(last.execute(QUERY).fetchall()) == 6
        outcome: list[object] = []

        def ask() -> None:
            outcome.append(last.execute("SELECT pg_sleep(7)").fetchall())

        asking = threading.Thread(target=ask)
        asking.start()
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        asking.join(DEADLINE_SECONDS)
        assert len(outcome) == 1, "a statement of seven seconds has thirty to finish"
        assert process.wait(DEADLINE_SECONDS) == ExitCode.OK


def test_a_stage_without_room_for_the_clients_is_refused(setup: Setup, stage_cluster: EmbeddedPostgres) -> None:
    ledger = copy_database(stage_cluster.dsn(), "template1", "ledger_without_room")
    servers = ["--stage", stage_cluster.dsn(), "--ledger", ledger]
    command = setup.command("--max-clients", "900", *servers)
    without_state = [word for word in command if word not in ("--state", str(setup.state))]
    done = subprocess.run(
        without_state, env=setup.environment(), capture_output=True, text=True, timeout=DEADLINE_SECONDS, check=False
    )
    assert (done.returncode, done.stdout) == (ExitCode.WRONG_INPUT, "")
    assert re.search(r"has room for \d+ sessions, not for 900", done.stderr)


@pytest.fixture
def short_directory() -> Iterator[Path]:
    """A directory whose sockets have short enough names for libpq."""
    with tempfile.TemporaryDirectory(dir="/tmp") as directory:
        Path(directory).chmod(0o755)
        yield Path(directory)


def test_a_lost_state_directory_is_noticed(setup: Setup, tmp_path: Path, short_directory: Path) -> None:
    own = Setup(write_policy(tmp_path / "policy.yaml"), short_directory / "state", setup.source)
    with serving(own) as (process, port):
        wait_for_line(process, f"a new ledger begins in {own.state}")
        process.send_signal(signal.SIGTERM)
        assert process.wait(DEADLINE_SECONDS) == ExitCode.OK
    shutil.rmtree(own.state)
    done = own.fail()
    assert (done.returncode, done.stdout) == (ExitCode.WRONG_INPUT, "")
    assert f"policy.yaml.ledger remembers a ledger in {own.state}, and {own.state} has none" in done.stderr
    assert not own.state.exists()
    with serving(own, options=["--new-ledger"]) as (process, port):
        with own.connect(port) as client:
            assert len(client.execute(QUERY).fetchall()) == 6
        with psycopg.connect(host=str(own.state / "socket"), user="postgres", dbname="dpproxy_ledger") as ledger:
            ledger.execute("UPDATE dpproxy.account SET rho = rho / 2")
        process.send_signal(signal.SIGTERM)
        assert process.wait(DEADLINE_SECONDS) == ExitCode.OK
    done = own.fail()
    assert (done.returncode, done.stdout) == (ExitCode.FAILED, "")
    assert "somebody has changed the ledger" in done.stderr
    assert "table:public.visits" in done.stderr


def test_a_state_directory_that_cannot_be_used_is_named(setup: Setup, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    own = Setup(write_policy(tmp_path / "policy.yaml"), tmp_path / "file" / "state", setup.source)
    done = own.fail()
    assert (done.returncode, done.stdout) == (ExitCode.FAILED, "")
    assert f"the state directory {own.state} cannot be used: Not a directory" in done.stderr
    assert "cannot listen" not in done.stderr
    assert not Path(f"{own.policy}.ledger").exists(), "no ledger has begun"


def test_a_compiled_sqlglot_is_refused(setup: Setup) -> None:
    program = (
        "from sqlglot import tokenizer_core; tokenizer_core.__file__ = 'tokenizer_core.so'; from proxy.cli import main"
    )
    command = setup.command()
    done = subprocess.run(
        [command[0], "-c", f"{program}; import sys; sys.exit(main(sys.argv[1:]))", *command[3:]],
        env=setup.environment(),
        capture_output=True,
        text=True,
        timeout=DEADLINE_SECONDS,
        check=False,
    )
    assert (done.returncode, done.stdout) == (ExitCode.FAILED, "")
    assert "pip uninstall sqlglotc" in done.stderr
