"""A `dpproxy serve` that cannot start, or must not, says why in one line, with its exit code and no traceback."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest

from proxy.commands import ExitCode
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.wire.tls import TlsFiles
from tests.conftest import copy_database
from tests.end_to_end import clinic
from tests.end_to_end.serve_command import (
    POLICY,
    Setup,
    serving,
    write_policy,
)
from tests.wire.certificates import Authority


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
    done = setup.run(command)
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


def test_the_policys_source_is_not_asked_for_where_one_is_given(setup: Setup, tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(setup.policy.read_text().replace("${CLINIC}", "${NO_SUCH_VARIABLE}"))
    with socket.create_server(("127.0.0.1", 0)) as reserved:
        port = reserved.getsockname()[1]
    done = Setup(path, setup.state, setup.source).fail(
        "--source", f"host=127.0.0.1 port={port} dbname=clinic user=owner"
    )
    assert done.returncode == ExitCode.UNREACHABLE
    assert "NO_SUCH_VARIABLE" not in done.stderr


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
    done = setup.run(["sh", "-c", 'ulimit -v 400000 && exec "$@"', "sh", *setup.command()])
    assert (done.returncode, done.stdout) == (ExitCode.WRONG_INPUT, "")
    assert "may take 1024 MB of memory, and the system allows a process 390 MB" in done.stderr


def test_a_stage_without_room_for_the_clients_is_refused(setup: Setup, stage_cluster: EmbeddedPostgres) -> None:
    ledger = copy_database(stage_cluster.dsn(), "template1", "ledger_without_room")
    servers = ["--stage", stage_cluster.dsn(), "--ledger", ledger]
    command = setup.command("--max-clients", "900", *servers)
    without_state = [word for word in command if word not in ("--state", str(setup.state))]
    done = setup.run(without_state)
    assert (done.returncode, done.stdout) == (ExitCode.WRONG_INPUT, "")
    assert re.search(r"has room for \d+ sessions, not for 900", done.stderr)


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
    done = setup.run([command[0], "-c", f"{program}; import sys; sys.exit(main(sys.argv[1:]))", *command[3:]])
    assert (done.returncode, done.stdout) == (ExitCode.FAILED, "")
    assert "pip uninstall sqlglotc" in done.stderr
