"""`dpproxy suspensions`: source queries that failed, and analysts whose questions are refused for that."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from proxy.commands import ExitCode
from proxy.commands.offline import LedgerInUseError, add_ledger_arguments, ledger_dsn

if TYPE_CHECKING:
    from proxy.budget.failures import FailureRecord


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare `suspensions`."""
    parser = subparsers.add_parser(
        "suspensions",
        help="list failed source queries and suspended analysts, and lift suspensions",
        description="List the source queries that failed at the private database, by analyst. After as many as the "
        "policy's `failures` says an analyst's questions are refused, since what fails may tell of a single row, until "
        "--lift. Find the cause first: the log of `dpproxy serve` has each failed plan, without values.",
    )
    parser.add_argument("--lift", metavar="ANALYST", help="let this analyst's failures so far count no more")
    add_ledger_arguments(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """List, or lift."""
    from proxy.errors import LedgerUnavailableError
    from proxy.postgres.binaries import EmbeddedPostgresError
    from proxy.postgres.databases import DatabaseError

    if arguments.ledger is not None and arguments.state is not None:
        return _failed("--state and --ledger: give one of them", ExitCode.WRONG_INPUT)
    try:
        with ledger_dsn(arguments) as dsn:
            return asyncio.run(_lift(dsn, arguments.lift) if arguments.lift is not None else _list(dsn))
    except (LedgerInUseError, EmbeddedPostgresError) as error:
        return _failed(str(error), ExitCode.FAILED)
    except (LedgerUnavailableError, DatabaseError) as error:
        return _failed(str(error).partition("\n")[0], ExitCode.UNREACHABLE)


async def _list(dsn: str) -> int:
    from proxy.budget.failures import unlifted
    from proxy.budget.ledger import Ledger

    ledger = Ledger(dsn)
    await ledger.open()
    try:
        records = await unlifted(ledger.database)
    finally:
        await ledger.close()
    if not records:
        print("no source query has failed that was not lifted")
    for analyst, failed in groupby(records, key=lambda record: record.failure.analyst):
        print("\n".join(_lines(analyst, list(failed))))
    return ExitCode.OK


def _lines(analyst: str, records: Sequence[FailureRecord]) -> list[str]:
    """One analyst's failures; how many are allowed is what the policy said at the last of them."""
    allowed = records[-1].allowed
    state = "suspended" if len(records) >= allowed else "not suspended"
    lines = [f"{analyst}: {state}, {len(records)} of {allowed} failures"]
    for record in records:
        failure = record.failure
        lines.append(
            f"  {record.recorded_at:%Y-%m-%d %H:%M:%S} UTC  SQLSTATE {failure.sqlstate_class}…  {failure.label}"
        )
    return lines


async def _lift(dsn: str, analyst: str) -> int:
    from proxy.budget.failures import lift
    from proxy.budget.ledger import Ledger

    ledger = Ledger(dsn)
    await ledger.open()
    try:
        lifted = await lift(ledger.database, analyst)
    finally:
        await ledger.close()
    if not lifted:
        return _failed(f"{analyst} has no failures to lift", ExitCode.WRONG_INPUT)
    print(f"lifted: the failures of {analyst} so far count no more")
    return ExitCode.OK


def _failed(text: str, code: ExitCode) -> int:
    print(f"dpproxy suspensions: {text}", file=sys.stderr)
    return code
