"""Commands as a reader of the pages starts them, in a directory of their own."""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from tests.docs.markdown import Page

PATIENCE_SECONDS = 60.0
SCRIPTS = Path(sys.executable).parent
PROMPT = "$ "


@dataclass(frozen=True)
class RunningCommand:
    """A `dpproxy` that serves: what it printed until it was ready, and its port."""

    printed: str
    port: int


def environment(directory: Path, **variables: str) -> dict[str, str]:
    """Ours, with `dpproxy` on PATH and temporary files below `directory`."""
    path = os.pathsep.join((str(SCRIPTS), os.environ.get("PATH", os.defpath)))
    return {**os.environ, "PATH": path, "TMPDIR": str(directory), "COLUMNS": "80", **variables}


def run_command(command: str, directory: Path, code: int = 0, **variables: str) -> str:
    """Run a shell command that must end with `code`; what it prints."""
    done = subprocess.run(
        ["bash", "-euc", command],
        cwd=directory,
        env=environment(directory, **variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == code, done.stdout
    return done.stdout


def commands_and_output(session: str) -> Iterator[tuple[str, str]]:
    """What is typed at the shell's prompts of a session, each with what it prints."""
    for piece in re.split(rf"^{re.escape(PROMPT)}", session, flags=re.MULTILINE)[1:]:
        command, _, output = piece.partition("\n")
        yield command, output


@contextmanager
def serving(
    command: Sequence[str], directory: Path, ready: str, variables: Mapping[str, str]
) -> Iterator[RunningCommand]:
    """Start a command, wait for a line with `ready`, and stop it with SIGTERM, on which it must end in order."""
    process = subprocess.Popen(
        command,
        cwd=directory,
        env=environment(directory, **variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        printed = _read_until(process, ready)
        port = re.search(r"listening on 127\.0\.0\.1:(\d+)", printed)
        assert port is not None, printed
        yield RunningCommand(printed, int(port[1]))
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_SECONDS) == 0
    finally:
        process.kill()
        process.communicate()


def _read_until(process: subprocess.Popen[str], ready: str) -> str:
    assert process.stdout is not None
    printed = ""
    for line in process.stdout:
        printed += line
        if ready in line:
            return printed
    raise AssertionError(f"ended without {ready!r}:\n{printed}")


def options_of(command: ModuleType) -> list[str]:
    """The options of one of `proxy.commands` with their values, in the order of its help."""
    parser = command.add_parser(argparse.ArgumentParser().add_subparsers())
    return [
        " ".join(filter(None, (action.option_strings[0], _value(action))))
        for action in parser._actions
        if action.option_strings and action.dest != "help"
    ]


def _value(action: argparse.Action) -> str:
    if action.nargs == 0:
        return ""
    return str(action.metavar) if action.metavar is not None else f"{{{','.join(map(str, action.choices or ()))}}}"


def documented_options(page: Page, name: str) -> list[str]:
    """The options of `dpproxy NAME` that a page lists."""
    found = re.search(rf"^\| option of `dpproxy {name}` \|.*\n\|[-|]+\n((?:\|.*\n)+)", page.text, re.MULTILINE)
    assert found is not None
    return [row.split("|")[1].strip().strip("`") for row in found[1].splitlines()]
