"""`dpproxy serve` as a process: starts, stops and reloads on signals, dies without leaving a server, recovers, and lets in whom it should."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from proxy.commands import ExitCode
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.wire.tls import TlsFiles
from tests.end_to_end import clinic
from tests.end_to_end.serve_command import (
    DEADLINE_SECONDS,
    POLICY,
    QUERY,
    Setup,
    on_linux,
    processes_below,
    serving,
    spent,
    tls_options,
    wait_for_line,
    wait_until_gone,
    write_policy,
)
from tests.postgres.test_embedded_process import NOBODY, interpreter_for_nobody
from tests.wire.certificates import Authority


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
    with EmbeddedPostgres(own.state) as server, psycopg.connect(server.dsn(), autocommit=True) as owner:
        owner.execute("DROP DATABASE dpproxy_ledger")
    for _ in range(2):
        done = own.fail()
        assert (done.returncode, done.stdout) == (ExitCode.WRONG_INPUT, "")
        assert "policy.yaml.ledger remembers another ledger: this database has none" in done.stderr
    (tmp_path / "policy.yaml.ledger").unlink()
    done = own.fail()
    assert "the ledger is empty, and another one was used with this stage" in done.stderr
