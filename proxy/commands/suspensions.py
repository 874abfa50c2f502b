"""`dpproxy suspensions`: failed source queries, and the analysts who are suspended because of them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from proxy.commands import ExitCode, failed
from proxy.commands.offline import add_ledger_arguments, run_on_ledger

if TYPE_CHECKING:
    from proxy.budget.failures import FailureRecord
    from proxy.budget.ledger import Ledger

_COMMAND: Final = "suspensions"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare `suspensions`."""
    parser = subparsers.add_parser(
        _COMMAND,
        help="list failed source queries and suspended analysts, and lift suspensions",
        description="List the source queries that failed at the private database, by analyst. After as many as the "
        "policy's `failures` says an analyst's questions are refused, since what fails may tell of a single row, until "
        "--lift. Find the cause first: the log of `dpproxy serve` has each failed plan, without values.",
    )
    parser.add_argument("--lift", metavar="ANALYST", help="let this analyst's failures so far count no more")
    add_ledger_arguments(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """List failures, or lift a suspension."""

    async def work(ledger: Ledger) -> int:
        return await (_list(ledger) if arguments.lift is None else _lift(ledger, arguments.lift))

    return run_on_ledger(_COMMAND, arguments, work)


async def _list(ledger: Ledger) -> int:
    from proxy.budget.failures import unlifted

    records = await unlifted(ledger.database)
    if not records:
        print("no source query has failed that was not lifted")
    for analyst, records_of_one in groupby(records, key=lambda record: record.failure.analyst):
        print("\n".join(_lines(analyst, list(records_of_one))))
    return ExitCode.OK


def _lines(analyst: str, records: Sequence[FailureRecord]) -> list[str]:
    """One analyst's failures; the allowed number is the policy's at the last of them."""
    allowed = records[-1].allowed
    state = "suspended" if len(records) >= allowed else "not suspended"
    lines = [f"{analyst}: {state}, {len(records)} of {allowed} failures"]
    for record in records:
        failure = record.failure
        lines.append(
            f"  {record.recorded_at:%Y-%m-%d %H:%M:%S} UTC  SQLSTATE {failure.sqlstate_class}…  {failure.label}"
        )
    return lines


async def _lift(ledger: Ledger, analyst: str) -> int:
    from proxy.budget.failures import lift

    if not await lift(ledger.database, analyst):
        return failed(_COMMAND, f"{analyst} has no failures to lift", ExitCode.WRONG_INPUT)
    print(f"lifted: the failures of {analyst} so far count no more")
    return ExitCode.OK
