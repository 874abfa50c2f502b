"""`dpproxy budget`: what accounts have and have spent, grants of more, and whether the ledger's sums agree."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Final

from proxy.commands import ExitCode, failed
from proxy.commands.offline import add_ledger_arguments, run_on_ledger

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
    "queries_left",
)
"""The columns of `dp.budget` that an account's name does not already tell, but for times and words."""
_MOST_DIGITS: Final = 30


def _amount(text: str) -> Decimal:
    try:
        amount = Decimal(text)
    except InvalidOperation:
        raise argparse.ArgumentTypeError(f"not a number: {text!r}") from None
    exponent = amount.as_tuple().exponent
    if not amount.is_finite() or amount < 0 or not isinstance(exponent, int) or exponent < -_MOST_DIGITS:
        raise argparse.ArgumentTypeError(f"not an amount of at most {_MOST_DIGITS} digits after the point: {text!r}")
    return amount


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare `budget`."""
    parser = subparsers.add_parser(
        _COMMAND,
        help="list what the accounts have left, grant more, and verify the ledger",
        description="List every account of the policy as dp.budget does: its limits, what was spent, and what is left. "
        "`budget grant` gives an account more than the policy does, with a reason, for ever on record. "
        "With --verify, add up all charges again and compare: exit code 1 if the totals are not their sums, or if a "
        "question is marked as paid that nobody was charged for.",
    )
    parser.add_argument("action", nargs="?", choices=["grant"], help="give an account of --policy more")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--policy", metavar="FILE", type=Path, help="list the accounts of this policy")
    what.add_argument("--by", choices=["analyst", "table", "day"], help="list what was spent of tables")
    what.add_argument("--export", action="store_true", help="print every charge and grant, one JSON object a line")
    what.add_argument("--verify", action="store_true", help="add up all charges again")
    parser.add_argument("--json", action="store_true", help="print a list as JSON")
    parser.add_argument("--account", metavar="NAME", help="grant: to this account, as the list names it")
    parser.add_argument("--epsilon", metavar="E", type=_amount, default=Decimal(0), help="grant: so much more")
    parser.add_argument("--delta", metavar="D", type=_amount, default=Decimal(0), help="grant: so much more")
    parser.add_argument("--reason", metavar="TEXT", help="grant: why")
    add_ledger_arguments(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """List the accounts, grant one more, or verify the ledger."""
    from proxy.policy.load import PolicyError, load_policy

    if arguments.action is None and (arguments.account is not None or arguments.reason is not None):
        return failed(_COMMAND, "--account and --reason are of `dpproxy budget grant`", ExitCode.WRONG_INPUT)
    if arguments.policy is None:
        if arguments.action is not None:
            return failed(_COMMAND, "grant: name the --policy whose account it is", ExitCode.WRONG_INPUT)
        return run_on_ledger(_COMMAND, arguments, lambda ledger: _of_ledger(ledger, arguments))
    try:
        policy = load_policy(arguments.policy)
    except PolicyError as error:
        print(error, file=sys.stderr)
        return ExitCode.WRONG_INPUT
    if arguments.action is None:
        return run_on_ledger(_COMMAND, arguments, lambda ledger: _list(ledger, policy, arguments))
    return run_on_ledger(_COMMAND, arguments, lambda ledger: _grant(ledger, policy, arguments), changes=policy)


async def _of_ledger(ledger: Ledger, arguments: argparse.Namespace) -> int:
    """What needs no policy."""
    if arguments.verify:
        return await _verify(ledger)
    if arguments.export:
        for record in await ledger.exported():
            print(record)
        return ExitCode.OK
    titles = (arguments.by, "charges", "epsilon_spent", "rho_spent", "delta_spent")
    _print(titles, await ledger.spending(arguments.by), as_json=arguments.json)
    return ExitCode.OK


async def _list(ledger: Ledger, policy: Policy, arguments: argparse.Namespace) -> int:
    from proxy.postgres.stage_description import BUDGET_COLUMNS
    from proxy.query.virtual import budget_rows

    columns = [name for name, _ in BUDGET_COLUMNS]
    rows = budget_rows(policy, await ledger.states(), await ledger.opened(), policy.analysts)
    if arguments.json:
        _print(columns, rows, as_json=True)
    else:
        places = [columns.index(name) for name in _SHOWN]
        _print(_SHOWN, [[row[place] for place in places] for row in rows], as_json=False)
    return ExitCode.OK


async def _grant(ledger: Ledger, policy: Policy, arguments: argparse.Namespace) -> int:
    from fractions import Fraction

    from proxy.query.limits import in_force, now
    from proxy.sql.planning.accounts import all_accounts

    if not arguments.account or not (arguments.reason or "").strip() or not (arguments.epsilon or arguments.delta):
        return failed(_COMMAND, "grant: give --account, --epsilon or --delta, and --reason", ExitCode.WRONG_INPUT)
    accounts = {account.name: account for account in all_accounts(policy, ["", *policy.analysts])}
    account = accounts.get(arguments.account)
    if account is None or account.analyst == "":
        return failed(_COMMAND, f"grant: the policy has no account {arguments.account!r}", ExitCode.WRONG_INPUT)
    delta = Fraction(arguments.delta)
    if delta and not account.budget.delta:
        return failed(_COMMAND, "grant: the account has no delta, and so none is added to it", ExitCode.WRONG_INPUT)
    name = in_force(account.budget, now()).recorded(account, await ledger.opened())
    granted = (await ledger.states()).get(name)
    before = granted.granted[1] if granted is not None else Fraction(0)
    if Fraction(account.budget.delta) + before + delta >= 1:
        return failed(_COMMAND, "grant: a delta of 1 or more promises nothing", ExitCode.WRONG_INPUT)
    await ledger.grant(name, Fraction(arguments.epsilon), delta, arguments.reason.strip())
    print(f"granted to {name}: epsilon {arguments.epsilon}, delta {arguments.delta}")
    return ExitCode.OK


def _print(titles: Sequence[str], rows: Iterable[Sequence[str | None]], *, as_json: bool) -> None:
    from proxy.terminal import table_lines

    if as_json:
        print(json.dumps([dict(zip(titles, row, strict=True)) for row in rows], indent=1))
        return
    shown = [[row[0] or "", *(_number(cell) for cell in row[1:])] for row in rows]
    print("\n".join(table_lines(titles, shown, texts=1)))


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
