"""`dpproxy report`: what a policy promises and what was spent, for those who have to answer for it (decision 8)."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from proxy.commands import ExitCode
from proxy.commands.check import findings_of_file
from proxy.commands.offline import add_ledger_arguments, run_on_ledger

if TYPE_CHECKING:
    from proxy.budget.ledger import Ledger
    from proxy.policy.load import Examination
    from proxy.review.reports import Spending

_COMMAND: Final = "report"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare `report`."""
    parser = subparsers.add_parser(
        _COMMAND,
        help="say what a policy promises, for owners, lawyers and registries",
        description="Say what a policy promises: units, neighbours, budgets and what they mean, mechanisms, and what "
        "is not covered. With --state or --ledger also what was spent, and whether the ledger's totals are the sums of "
        "its charges.",
    )
    parser.add_argument("policy", metavar="FILE", type=Path, help="the policy in YAML")
    parser.add_argument("--format", choices=("markdown", "json"), default="markdown", help="how to print the report")
    add_ledger_arguments(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Print the report."""
    from proxy.policy.load import examine_policy

    examination = examine_policy(arguments.policy, needs_source=False)
    if examination.policy is None:
        print("\n".join(map(str, examination.findings)), file=sys.stderr)
        return ExitCode.WRONG_INPUT
    if arguments.ledger is None and arguments.state is None:
        return _print(arguments, examination, None, None)

    async def work(ledger: Ledger) -> int:
        from proxy.query.uncounted import find_uncounted
        from proxy.review.reports import Spending

        wrong = await ledger.verify()
        said = "; ".join(wrong) if wrong else "The totals of the accounts are the sums of their charges."
        policy = examination.policy
        uncounted = await find_uncounted(policy, ledger) if policy is not None else []
        spending = Spending(await ledger.states(), await ledger.opened(), uncounted)
        return _print(arguments, examination, spending, said)

    return run_on_ledger(_COMMAND, arguments, work)


def _print(
    arguments: argparse.Namespace, examination: Examination, spending: Spending | None, ledger: str | None
) -> ExitCode:
    from proxy.review.reports import markdown_report, policy_report

    if examination.policy is None:
        raise AssertionError("unusable policies have no report")
    findings = findings_of_file(str(arguments.policy), examination, None)
    report = policy_report(examination.policy, arguments.policy.read_bytes(), findings, examination.remarks, spending)
    if ledger is not None:
        report["ledger"] = ledger
    if arguments.format == "json":
        print(json.dumps(report, indent=2, ensure_ascii=False))
    else:
        print(markdown_report(report, str(arguments.policy)), end="")
    return ExitCode.OK
