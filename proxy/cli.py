"""The command line: `dpproxy <command>` (decision 7).

Exit codes: 0 done, 1 failed, 2 the user's input is wrong (usage, findings) or the output cannot be written, 3 a
database cannot be reached, 130 Ctrl-C, 141 whoever read the output has gone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Final, NoReturn, Protocol, cast

from proxy.commands import ExitCode, failed
from proxy.terminal import OutputError, checked_output


class _PrintVersion(argparse.Action):
    """As argparse's own, for a version that is found only when it is asked for."""

    def __call__(
        self, parser: argparse.ArgumentParser, _namespace: object, _values: object, _option: str | None = None
    ) -> NoReturn:
        from importlib.metadata import version

        print(f"dpproxy {version('dpproxy')}")
        parser.exit(ExitCode.OK)


class _PrintCompletion(argparse.Action):
    """Prints a shell's completion where the option stands, as `--help` does, so that no command need be named."""

    def __call__(
        self, parser: argparse.ArgumentParser, _namespace: object, shell: object, _option: str | None = None
    ) -> NoReturn:
        import shtab

        for command in _parsers(parser):
            for action in command._actions:
                if action.metavar in _FILES:
                    action.complete = shtab.FILE  # type: ignore[attr-defined]
        print(shtab.complete(parser, shell=str(shell)))
        parser.exit(ExitCode.OK)


_FILES: Final = ("FILE", "PATH", "DIR", "OLD", "NEW")


def _parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parsers of all commands."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.values()


class Command(Protocol):
    """A module of `proxy.commands`. It imports slow modules inside `run` only."""

    def add_parser(self, subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
        """Declare the command's name, help and arguments."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Do the work and return the exit code."""


COMMANDS: Final = (
    "demo",
    "serve",
    "health",
    "init",
    "check",
    "diff",
    "report",
    "catalog",
    "explain",
    "dummy",
    "suggest-bounds",
    "password",
    "schema",
    "export-local",
    "decode-local",
    "budget",
    "suspensions",
)
"""In the order of `--help`. The module of each has its name, with underscores."""


def build_parser(commands: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """The parser of some commands, which are imported; each sets `run` in the namespace."""
    parser = argparse.ArgumentParser(
        prog="dpproxy",
        description="A differentially private SQL proxy for PostgreSQL.",
        epilog="dpproxy <command> --help explains a command.",
    )
    parser.add_argument("--version", action=_PrintVersion, nargs=0, help="show program's version number and exit")
    parser.add_argument(
        "--print-completion",
        choices=("bash", "zsh", "tcsh"),
        action=_PrintCompletion,
        help="print what completes commands and options in this shell, and end",
    )
    subparsers = parser.add_subparsers(title="commands", metavar="<command>", required=True)
    for name in commands:
        command = cast("Command", import_module(f"proxy.commands.{name.replace('-', '_')}"))
        command.add_parser(subparsers).set_defaults(run=command.run)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: the command line without the program's name; that of the process by default.

    Returns:
        The exit code.

    Raises:
        SystemExit: with code 2 on wrong usage, 0 after `--help`.
    """
    words = sys.argv[1:] if arguments is None else arguments
    try:
        with checked_output():
            return _run(words)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return ExitCode.INTERRUPTED
    except OutputError as error:
        if error.reader_has_gone:  # it has seen enough, as in `dpproxy check … | head`
            return ExitCode.CLOSED_PIPE
        return failed(words[0] if words and words[0] in COMMANDS else "", str(error), ExitCode.WRONG_INPUT)


def _run(words: Sequence[str]) -> int:
    # Importing all of them takes longer than some commands.
    parser = build_parser(words[:1]) if words and words[0] in COMMANDS else build_parser()
    namespace = parser.parse_args(words)
    code: int = namespace.run(namespace)
    return code


if __name__ == "__main__":
    sys.exit(main())
