"""`dpproxy health`: is a running dpproxy ready? For containers and orchestrators."""

from __future__ import annotations

import argparse
from typing import Final

from proxy.commands import ExitCode, failed

_COMMAND: Final = "health"
_SECONDS: Final = 5.0


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare `health`."""
    parser = subparsers.add_parser(
        _COMMAND,
        help="ask a running dpproxy whether it is ready",
        description="Ask a running `dpproxy serve --metrics HOST:PORT` whether stage, ledger and private database "
        "answer. Exit code 0 if all do, 1 if one does not, 3 if dpproxy itself does not answer.",
    )
    parser.add_argument("address", metavar="HOST:PORT", help="what `serve --metrics` was given")
    parser.add_argument("--live", action="store_true", help="ask only whether dpproxy itself answers")
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Ask, and print what it says."""
    import http.client

    from proxy.serving.running import parse_address

    try:
        host, port = parse_address(arguments.address)
    except ValueError as error:
        return failed(_COMMAND, str(error), ExitCode.WRONG_INPUT)
    connection = http.client.HTTPConnection(host, port, timeout=_SECONDS)
    try:
        connection.request("GET", "/live" if arguments.live else "/ready")
        response = connection.getresponse()
        print(response.read().decode(), end="")
    except (OSError, http.client.HTTPException) as error:
        return failed(_COMMAND, f"dpproxy does not answer on {arguments.address}: {error}", ExitCode.UNREACHABLE)
    finally:
        connection.close()
    return ExitCode.OK if response.status == http.client.OK else ExitCode.FAILED
