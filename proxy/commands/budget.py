"""`dpproxy budget`: the limits, spending and rest of the accounts, and whether the ledger's sums agree."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from proxy.commands import ExitCode, failed
from proxy.commands.offline import add_ledger_arguments, run_on_ledger
from proxy.commands.serve import DEFAULT_STATE

if TYPE_CHECKING:
    from proxy.budget.ledger import Ledger
    from proxy.policy.model import Policy

_COMMAND: Final = "budget"
_SHOWN: Final = (
    "account",
    "epsilon",
    "epsilon_spent",
    "rho",
    "rho_spent",
    "delta",
    "delta_spent",
    "percent_left",
)
"""The columns of `dp.budget` that an account's name does not already tell."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare `budget`."""
    parser = subparsers.add_parser(
        _COMMAND,
        help="list what the accounts have left, and verify the ledger",
        description="List every account of the policy as dp.budget does: its limits, what was spent, and what is left. "
        "With --verify, add up all charges again and compare: exit code 1 if the totals are not their sums, or if a "
        "question is marked as paid that nobody was charged for.",
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--policy", metavar="FILE", type=Path, help="list the accounts of this policy")
    what.add_argument("--verify", action="store_true", help="add up all charges again")
    add_ledger_arguments(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """List the accounts, or verify the ledger."""
    from proxy.policy.load import PolicyError, load_policy

    state = arguments.state or DEFAULT_STATE
    if arguments.ledger is None and not state.exists():
        return failed(_COMMAND, f"no ledger in {state}: name it with --state or --ledger", ExitCode.WRONG_INPUT)
    if arguments.verify:
        return run_on_ledger(_COMMAND, arguments, _verify)
    try:
        policy = load_policy(arguments.policy)
    except PolicyError as error:
        print(error, file=sys.stderr)
        return ExitCode.WRONG_INPUT
    return run_on_ledger(_COMMAND, arguments, lambda ledger: _list(ledger, policy))


async def _list(ledger: Ledger, policy: Policy) -> int:
    from proxy.postgres.stage_description import BUDGET_COLUMNS
    from proxy.query.virtual import budget_rows
    from proxy.terminal import table_lines

    columns = [name for name, _ in BUDGET_COLUMNS]
    places = [columns.index(name) for name in _SHOWN]
    rows = [
        [row[places[0]] or "", *(_number(row[place]) for place in places[1:])]
        for row in budget_rows(policy, await ledger.accounts(), policy.analysts)
    ]
    print("\n".join(table_lines(_SHOWN, rows, texts=1)))
    return ExitCode.OK


def _number(text: str | None) -> str:
    """Four digits; "-" for pure epsilon once anything else was charged."""
    return "-" if text is None else f"{float(text):.4g}"


async def _verify(ledger: Ledger) -> int:
    found = await ledger.verify()
    if found:
        print("\n".join(found))
        return failed(_COMMAND, "the ledger's sums do not agree: it was changed by hand", ExitCode.FAILED)
    print(f"the totals and the charges of the ledger agree (accounts: {len(await ledger.accounts())})")
    return ExitCode.OK
