"""`dpproxy demo`: everything on this machine, with made-up data and the exact answers beside the noisy ones."""

from __future__ import annotations

import argparse
import socket
from pathlib import Path
from typing import Final

from proxy.commands import ExitCode, failed
from proxy.serving.signals import take_early_signals

_COMMAND: Final = "demo"
DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 5433


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare `demo`."""
    parser = subparsers.add_parser(
        _COMMAND,
        help="try dpproxy with made-up data",
        description="Make up a clinic, start everything that is needed, ask a few questions through the proxy and show "
        "the exact answers beside the noisy ones; then serve until Ctrl-C.",
    )
    parser.add_argument("--once", action="store_true", help="stop after the questions")
    parser.add_argument(
        "--rows", metavar="N", type=int, help="visits in a new clinic, from 1 000 to 5 000 000 (default: 200 000)"
    )
    parser.add_argument(
        "--listen",
        metavar="HOST:PORT",
        help=f"address (default: {DEFAULT_HOST}:{DEFAULT_PORT}, or a free port if that is taken)",
    )
    parser.add_argument("--http", metavar="HOST:PORT", help="serve the dashboard for stewards here, too")
    parser.add_argument(
        "--state", metavar="DIR", type=Path, help="keep the clinic and the ledger here (default: nothing is kept)"
    )
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Play the demo."""
    # The rest takes a moment to import, during which nothing would be shown.
    print("dpproxy demo: a made-up clinic behind a differentially private proxy", flush=True)
    early = take_early_signals()
    from proxy.demo.data import DEFAULT_ROWS, LEAST_ROWS, MOST_ROWS
    from proxy.demo.play import CannotListenError, DemoOptions, play
    from proxy.demo.screen import Screen
    from proxy.errors import LedgerUnavailableError
    from proxy.postgres.binaries import EmbeddedPostgresError
    from proxy.postgres.databases import DatabaseError
    from proxy.serving.dashboard import DashboardMissingError, require_libraries
    from proxy.serving.running import parse_address

    rows = DEFAULT_ROWS if arguments.rows is None else arguments.rows
    if not LEAST_ROWS <= rows <= MOST_ROWS:
        return failed(_COMMAND, f"--rows: from {LEAST_ROWS} to {MOST_ROWS}, not {rows}", ExitCode.WRONG_INPUT)
    try:
        host, port = _usual_address() if arguments.listen is None else parse_address(arguments.listen)
    except ValueError as error:
        return failed(_COMMAND, f"--listen: {error}", ExitCode.WRONG_INPUT)
    try:
        http = None if arguments.http is None else parse_address(arguments.http)
        if http is not None:
            require_libraries()
    except ValueError as error:
        return failed(_COMMAND, f"--http: {error}", ExitCode.WRONG_INPUT)
    except DashboardMissingError as error:
        return failed(_COMMAND, str(error), ExitCode.WRONG_INPUT)
    try:
        complete = play(DemoOptions(rows, host, port, arguments.state, arguments.once, http), Screen(), early)
    except EmbeddedPostgresError as error:
        return failed(_COMMAND, str(error), ExitCode.FAILED)
    except (DatabaseError, LedgerUnavailableError) as error:
        return failed(_COMMAND, str(error), ExitCode.UNREACHABLE)
    except CannotListenError as error:
        return failed(_COMMAND, f"cannot listen on {error}; choose another address with --listen", ExitCode.FAILED)
    except OSError as error:
        return failed(_COMMAND, str(error), ExitCode.FAILED)
    return ExitCode.OK if complete else ExitCode.INTERRUPTED


def _usual_address() -> tuple[str, int]:
    """The usual port, or 0 (a free one) if another program uses it."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((DEFAULT_HOST, DEFAULT_PORT))
        except OSError:
            return DEFAULT_HOST, 0
    return DEFAULT_HOST, DEFAULT_PORT
