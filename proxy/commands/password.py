"""`dpproxy password`: a SCRAM-SHA-256 verifier for the policy's `analysts` (RFC 5803)."""

from __future__ import annotations

import argparse
import getpass
import sys
from typing import Final

from proxy.commands import ExitCode, failed

_COMMAND: Final = "password"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare `password`."""
    parser = subparsers.add_parser(
        _COMMAND,
        help="make a verifier for an analyst's password",
        description="Read a password (twice from a terminal, or one line from a pipe) and print the SCRAM-SHA-256 "
        "verifier that a policy stores in its place.",
    )
    parser.add_argument("--user", metavar="NAME", help="print a whole entry for `analysts` under this login name")
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Print the verifier on standard output."""
    from proxy.wire.scram import make_verifier  # keeps the wire out of commands that do not log in

    try:
        password = _read_password()
        verifier = make_verifier(password)
    except ValueError as error:
        return failed(_COMMAND, str(error), ExitCode.WRONG_INPUT)
    print(verifier if arguments.user is None else f'{_yaml_key(arguments.user)}: {{password: "{verifier}"}}')
    return ExitCode.OK


def _read_password() -> str:
    """The password as typed or piped.

    Raises:
        ValueError: it is empty, or the two inputs differ.
    """
    if sys.stdin.isatty():
        password = getpass.getpass("Password: ")
        if password != getpass.getpass("Again: "):
            raise ValueError("the two passwords differ")
    else:
        password = sys.stdin.readline().rstrip("\r\n")
    if not password:
        raise ValueError("the password is empty")
    return password


def _yaml_key(name: str) -> str:
    is_plain = name.isascii() and name.isidentifier()
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return name if is_plain else f'"{escaped}"'
