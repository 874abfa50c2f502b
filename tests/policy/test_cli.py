"""The command line as a user runs it: exit codes, what is printed where, and no traceback."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from proxy.commands import ExitCode
from tests.policy.policies import VALID, edited, examine

pytestmark = pytest.mark.postgres

STATED = "timing: null\n"

DPPROXY = (sys.executable, "-m", "proxy.cli")

# A session's leader gets its controlling terminal, where passwords are asked for, by opening one.
TAKE_TERMINAL = """
import os, sys
os.close(os.open(os.ttyname(0), os.O_RDWR))
os.execv(sys.argv[1], sys.argv[1:])
"""


def dpproxy(*arguments: str, directory: Path, piped: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*DPPROXY, *arguments], cwd=directory, input=piped, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (tmp_path / "good.yaml").write_text(VALID + STATED)
    (tmp_path / "bad.yaml").write_text(edited("epsilon: 3,", "epsilon: -3,"))
    (tmp_path / "odd.yaml").write_text(edited("patient: {}", "patient: {}\n  doctor: {}") + STATED)
    return tmp_path


def test_check_of_a_good_policy_prints_one_line_and_exits_with_0(directory: Path) -> None:
    result = dpproxy("check", "good.yaml", directory=directory)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == "good.yaml: ok, 3 tables (2 private), 1 analyst\n"


def test_a_source_without_a_value_is_an_error_only_where_it_is_read(directory: Path) -> None:
    (directory / "unset.yaml").write_text("source: ${NOBODY_SETS_THIS}\n" + VALID + STATED)
    (directory / "empty.json").write_text('{"dpproxy_catalog": 1}')
    (directory / "one.sql").write_text("SELECT 1;")
    alone = dpproxy("check", "--strict", "unset.yaml", directory=directory)
    note = "unset.yaml: ok, 3 tables (2 private), 1 analyst; a variable of `source` has no value here\n"
    assert (alone.returncode, alone.stdout) == (0, note)
    planned = dpproxy("check", "unset.yaml", "--queries", "one.sql", directory=directory)
    error = "unset.yaml:1:9: error: source: the environment variable NOBODY_SETS_THIS is not set"
    assert (planned.returncode, planned.stdout.startswith(error)) == (2, True), planned
    beside = dpproxy("check", "unset.yaml", "--catalog", "empty.json", directory=directory)
    assert beside.stdout.startswith("unset.yaml:8:3: error: tables.public.patients: the source has no table"), beside
    assert "has no value here" not in beside.stdout
    assert dpproxy("report", "unset.yaml", directory=directory).returncode == 0


def test_a_source_without_a_value_is_judged_by_what_stands_in_the_file(directory: Path) -> None:
    (directory / "open.yaml").write_text(
        "source: postgresql://r:${NOBODY_SETS_THIS}@db.example.org/c\n" + VALID + STATED
    )
    result = dpproxy("check", "open.yaml", directory=directory)
    assert "private rows may cross the network to db.example.org without TLS [DP219]" in result.stdout, result


@pytest.mark.parametrize("arguments", ["--print-completion bash", "check --rules", "check good.yaml"])
def test_whoever_reads_the_first_line_alone_gets_no_traceback(arguments: str, directory: Path) -> None:
    command = f"{' '.join(DPPROXY)} {arguments} | true; exit ${{PIPESTATUS[0]}}"
    result = subprocess.run(["bash", "-c", command], cwd=directory, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (ExitCode.CLOSED_PIPE, "")


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "arguments", ["--help", "check --rules", "check good.yaml --format junit", "check nowhere.yaml", "report good.yaml"]
)
def test_output_that_cannot_be_written_is_told_in_a_line(arguments: str, unbuffered: str, directory: Path) -> None:
    command = f"PYTHONUNBUFFERED={unbuffered} {' '.join(DPPROXY)} {arguments} > /dev/full"
    result = subprocess.run(["bash", "-c", command], cwd=directory, capture_output=True, text=True, check=False)
    name = "dpproxy" if arguments.startswith("--") else f"dpproxy {arguments.split()[0]}"
    said = f"{name}: standard output cannot be written: No space left on device\n"
    assert (result.returncode, result.stderr) == (ExitCode.WRONG_INPUT, said)


def test_output_that_is_closed_is_told_and_what_a_terminal_cannot_show_is_escaped(directory: Path) -> None:
    command = f"{' '.join(DPPROXY)} check good.yaml >&-"
    result = subprocess.run(["bash", "-c", command], cwd=directory, capture_output=True, text=True, check=False)
    assert result.returncode == ExitCode.WRONG_INPUT
    assert result.stderr == "dpproxy check: standard output cannot be written: Bad file descriptor\n"
    command = f"PYTHONIOENCODING=ascii {' '.join(DPPROXY)} check good.yaml --budgets"
    result = subprocess.run(["bash", "-c", command], cwd=directory, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr, "(\\u03b5, \\u03b4) = (4, 1e-06)" in result.stdout) == (0, "", True)


def test_check_tells_what_budgets_mean(directory: Path) -> None:
    result = dpproxy("check", "good.yaml", "--budgets", directory=directory)
    assert result.returncode == 0
    first, *lines = result.stdout.splitlines()
    assert first == "good.yaml: ok, 3 tables (2 private), 1 analyst"
    assert lines == [
        "  table:public.patients: (ε, δ) = (4, 1e-06): advantage at most 96.4 %, δ aside, 29.96 % if all is Gaussian noise; "
        "a suspicion of 1 % grows to at most 35.55 %; 59 default queries",
        "  table:public.visits: (ε, δ) = (3, 1e-06): advantage at most 90.51 %, δ aside, 23.31 % if all is Gaussian noise; "
        "a suspicion of 1 % grows to at most 16.87 %; 35 default queries",
        "  analyst:ana:public.visits: (ε, δ) = (1, 1e-07): advantage at most 46.21 %, δ aside, 7.8 % if all is Gaussian noise; "
        "a suspicion of 1 % grows to at most 2.67 %; 3 default queries",
    ]


@pytest.mark.parametrize(
    ("timing", "warns"), [("", True), ("timing: null\n", False), ("timing: {epsilon: 0.1, delta: 1e-8}\n", False)]
)
def test_check_says_once_that_times_are_not_in_the_guarantee(timing: str, warns: bool, directory: Path) -> None:
    (directory / "timed.yaml").write_text(VALID + timing)
    result = dpproxy("check", "timed.yaml", directory=directory)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.count("warning: timing: how long answers take is not in the guarantee") == warns


def test_check_of_several_files_prints_every_finding_with_its_hint_and_exits_with_2(directory: Path) -> None:
    result = dpproxy("check", "good.yaml", "odd.yaml", "bad.yaml", "absent.yaml", directory=directory)
    assert (result.returncode, result.stderr) == (2, "")
    assert result.stdout.splitlines() == [
        "odd.yaml:6:11: warning: units.doctor: no table belongs to this unit [DP207]",
        "  hint: remove it, or name it in a table",
        "bad.yaml:16:23: error: tables.public.visits.budget.epsilon: must be greater than 0, not -3 [DP112]",
        "  hint: give a number greater than 0",
        "absent.yaml:1:1: error: cannot be read: No such file or directory [DP101]",
        "  hint: name an existing, readable policy file",
        "good.yaml: ok, 3 tables (2 private), 1 analyst",
        "odd.yaml: ok, 3 tables (2 private), 1 analyst, 1 warning",
        "bad.yaml: 1 error",
        "absent.yaml: 1 error",
    ]


def test_check_with_warnings_only_exits_with_0(directory: Path) -> None:
    assert dpproxy("check", "odd.yaml", directory=directory).returncode == 0


def test_check_prints_json(directory: Path) -> None:
    result = dpproxy("check", "--format", "json", "bad.yaml", directory=directory)
    assert result.returncode == 2
    assert json.loads(result.stdout) == [
        {
            "file": "bad.yaml",
            "line": 16,
            "column": 23,
            "path": "tables.public.visits.budget.epsilon",
            "severity": "error",
            "message": "must be greater than 0, not -3",
            "hint": "give a number greater than 0",
            "rule": "DP112",
        }
    ]


def test_check_prints_workflow_commands(directory: Path) -> None:
    result = dpproxy("check", "--format", "github", "bad.yaml", directory=directory)
    assert result.returncode == 2
    assert result.stdout.splitlines()[0] == (
        "::error file=bad.yaml,line=16,col=23,title=DP112::tables.public.visits.budget.epsilon: must be greater than 0, not -3"
        "%0Ahint: give a number greater than 0"
    )


def test_check_against_a_source_that_cannot_be_reached_prints_one_line_and_exits_with_3(directory: Path) -> None:
    source = "postgresql://owner:hunter2@127.0.0.1:1/clinic?connect_timeout=2"
    result = dpproxy("check", "good.yaml", "--source", source, directory=directory)
    assert result.returncode == 3
    assert result.stderr.startswith("dpproxy check: the source cannot be read: ")
    assert result.stderr.count("\n") == 1
    assert "hunter2" not in result.stderr


@pytest.mark.parametrize("arguments", [(), ("chek",), ("check",), ("check", "--format", "xml", "good.yaml")])
def test_wrong_usage_exits_with_2(directory: Path, arguments: tuple[str, ...]) -> None:
    result = dpproxy(*arguments, directory=directory)
    assert result.returncode == 2
    assert result.stderr.startswith("usage: dpproxy")


def test_a_piped_password_becomes_a_verifier_that_a_policy_takes(directory: Path) -> None:
    result = dpproxy("password", directory=directory, piped="correct horse\n")
    assert (result.returncode, result.stderr) == (0, "")
    text = VALID.splitlines(keepends=True)
    text[2] = f'  ana: {{password: "{result.stdout.strip()}"}}\n'
    assert examine("".join(text)).findings == []


def test_a_password_for_a_user_becomes_an_entry_that_a_policy_takes(directory: Path) -> None:
    result = dpproxy("password", "--user", 'Ana "the" b', directory=directory, piped="correct horse\n")
    assert result.returncode == 0
    text = VALID.splitlines(keepends=True)
    text[2] = f"  {result.stdout}"
    policy = examine("".join(text)).policy
    assert policy is not None
    assert list(policy.analysts) == ['Ana "the" b']


def test_an_empty_password_exits_with_2(directory: Path) -> None:
    result = dpproxy("password", directory=directory, piped="\n")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "dpproxy password: the password is empty\n"


def at_a_terminal(typed: bytes, directory: Path) -> tuple[int, str, str]:
    """Run `dpproxy password` at a terminal of its own: exit code, what the terminal showed, standard output."""
    controller, terminal = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", TAKE_TERMINAL, *DPPROXY, "password"],
        cwd=directory,
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=terminal,
        start_new_session=True,
    ) as process:
        os.close(terminal)
        shown = b""
        for line in typed.splitlines(keepends=True):
            while not shown.endswith(b": "):
                shown += os.read(controller, 1024)
            os.write(controller, line)
            shown += b"|"
        assert process.stdout is not None
        output = process.stdout.read().decode()
        code = process.wait(timeout=60)
    shown += os.read(controller, 1024)
    os.close(controller)
    return code, shown.decode(), output


def test_a_typed_password_is_asked_for_twice_and_not_shown(directory: Path) -> None:
    code, shown, output = at_a_terminal(b"correct horse\ncorrect horse\n", directory)
    assert code == 0
    assert output.startswith("SCRAM-SHA-256$4096:")
    assert "horse" not in shown
    assert "Again: " in shown


def test_two_different_passwords_exit_with_2(directory: Path) -> None:
    code, shown, output = at_a_terminal(b"correct horse\nbattery staple\n", directory)
    assert (code, output) == (2, "")
    assert "the two passwords differ" in shown


def test_an_interrupt_exits_with_130_and_no_traceback(directory: Path) -> None:
    code, shown, output = at_a_terminal(b"\x03", directory)
    assert (code, output) == (130, "")
    assert "Traceback" not in shown
