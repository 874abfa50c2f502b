"""`dpproxy export-local`: categorical columns of a table, released row by row under local randomisation."""

from __future__ import annotations

import argparse
import os
import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Final

from proxy.commands import ExitCode, failed
from proxy.commands.offline import LedgerInUseError, add_database_arguments, ledger_dsn, offline
from proxy.commands.serve import unfitting_text

if TYPE_CHECKING:
    from proxy.dp.accounting import Remaining
    from proxy.local_model.export import LocalExport
    from proxy.policy.model import Policy

_COMMAND: Final = "export-local"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare `export-local`."""
    parser = subparsers.add_parser(
        _COMMAND,
        help="release categorical columns row by row, randomised",
        description="Release categorical columns of a private table row by row, each value randomised so that it is "
        "deniable, and charge the ledger for the file. `dpproxy decode-local` estimates frequencies from it. The same "
        "export is charged once and gives the same file again.",
    )
    parser.add_argument("policy", metavar="POLICY", type=Path, help="the policy in YAML")
    parser.add_argument("--table", metavar="SCHEMA.TABLE", required=True, help="a private table of the policy")
    parser.add_argument("--columns", metavar="A,B", required=True, help="its columns; a record has a value of each")
    parser.add_argument(
        "--mechanism",
        choices=("rappor", "sketch"),
        default="rappor",
        help="rappor: a bit for each declared value (default); sketch: values that are many, or not declared",
    )
    parser.add_argument(
        "--epsilon", metavar="E", required=True, help="price of the whole file, divided among its parts"
    )
    parser.add_argument(
        "--values-per-unit",
        metavar="N",
        type=int,
        default=1,
        help="most rows of one unit, chosen at random (default: 1)",
    )
    parser.add_argument(
        "--analyst",
        metavar="NAME",
        action="append",
        help="who may see the file and pays from the own account, too; may be repeated (default: all of the policy)",
    )
    parser.add_argument("--out", metavar="FILE", type=Path, required=True, help="where to write it")
    add_database_arguments(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Make or recall a local release and write it."""
    from proxy.errors import (
        BudgetExhaustedError,
        DpproxyError,
        LedgerUnavailableError,
        SourceFailedError,
        SourceUnavailableError,
    )
    from proxy.policy.load import PolicyError, load_policy
    from proxy.postgres.binaries import EmbeddedPostgresError
    from proxy.postgres.databases import DatabaseError
    from proxy.serving.ledger_memory import LedgerLostError
    from proxy.serving.requirements import LedgerDisagreesError

    try:
        policy = load_policy(arguments.policy, needs_source=arguments.source is None)
    except PolicyError as error:
        print(error, file=sys.stderr)
        return ExitCode.WRONG_INPUT
    try:
        source = arguments.source or policy.source
        if source is None:
            return failed(
                _COMMAND, "no private database: give --source, or set `source` in the policy", ExitCode.WRONG_INPUT
            )
        problem = _problem(arguments, policy)
        if problem is not None:
            return failed(_COMMAND, problem, ExitCode.WRONG_INPUT)
        arguments.source = source
        _export_and_write(arguments, policy)
    except PolicyError as error:
        return failed(_COMMAND, unfitting_text(arguments.policy, error), ExitCode.WRONG_INPUT)
    except LedgerLostError as error:
        return failed(_COMMAND, str(error), ExitCode.WRONG_INPUT)
    except BudgetExhaustedError as error:
        hint = "Give a smaller --epsilon, or repeat an earlier export (it is free)."
        return failed(_COMMAND, f"{error.message}\n  {error.detail}\n  {hint}", ExitCode.FAILED)
    except (LedgerInUseError, LedgerDisagreesError, EmbeddedPostgresError) as error:
        return failed(_COMMAND, str(error), ExitCode.FAILED)
    except (LedgerUnavailableError, SourceFailedError, SourceUnavailableError, DatabaseError) as error:
        return failed(_COMMAND, _text(error), ExitCode.UNREACHABLE)
    except DpproxyError as error:
        return failed(_COMMAND, _text(error), ExitCode.WRONG_INPUT)
    except OSError as error:
        return failed(_COMMAND, f"{error.filename or arguments.out}: {error.strerror or error}", ExitCode.FAILED)
    return ExitCode.OK


def _problem(arguments: argparse.Namespace, policy: Policy) -> str | None:
    """What is wrong with the command line, before anything is asked or charged; None if nothing is."""
    unknown = [name for name in arguments.analyst or () if name not in policy.analysts]
    if unknown:
        return f"--analyst: the policy has no analyst {unknown[0]}"
    if arguments.ledger is not None and arguments.state is not None:
        return "--state and --ledger: give one of them"
    if arguments.out.is_dir() or not os.access(arguments.out.parent, os.W_OK):
        return f"--out: {arguments.out} cannot be written"
    try:
        _epsilon(arguments.epsilon)
    except ValueError:
        return f"--epsilon: {arguments.epsilon!r} is not a positive number"
    return None


def _epsilon(text: str) -> Fraction:
    from proxy.settings import SETTINGS

    value = SETTINGS["dp.epsilon"].read(text)
    assert isinstance(value, Fraction)
    return value


def _export_and_write(arguments: argparse.Namespace, policy: Policy) -> None:
    import asyncio

    from proxy.local_model.export import LocalExporter
    from proxy.local_model.file_format import header_line, write_release
    from proxy.local_model.question import LocalRequest
    from proxy.terminal import progress

    request = LocalRequest(
        arguments.table,
        tuple(name.strip() for name in arguments.columns.split(",")),
        arguments.mechanism,
        _epsilon(arguments.epsilon),
        arguments.values_per_unit,
    )

    async def export(ledger: str) -> LocalExport:
        async with offline(policy, arguments, ledger) as found:
            analysts = arguments.analyst or list(policy.analysts)
            return await LocalExporter(found.schema, found.source, found.ledger, analysts).export(request)

    # Progress is shown on a terminal only; standard output has just the result.
    with ledger_dsn(arguments) as dsn, progress() as show:
        show("Reading and randomising …")
        made = asyncio.run(export(dsn))
        header = made.release.header
        widths = [column.octets for column in header.columns]
        write_release(arguments.out, header_line(header), made.release.records, widths)
    print(_summary(made))
    print(f"wrote {header.records} records to {arguments.out}")


def _summary(made: LocalExport) -> str:
    """The price, and what the accounts have left."""
    header = made.release.header
    epsilon, count, report = (
        f"{float(Fraction(part)):.4g}" for part in (header.epsilon, header.count_epsilon, header.report_epsilon)
    )
    lines = []
    if made.recalled:
        lines.append("recalled an earlier export" + (", free of charge" if not made.receipts else ""))
    if made.receipts:
        most = len(header.columns) * header.values_per_unit
        per_unit = f"{report} for each value (at most {most} of each {header.unit})"
        lines.append(f"charged epsilon {epsilon}: {per_unit}, {count} for the number of records")
        left = {name: remaining for receipt in made.receipts for name, remaining in receipt.remaining.items()}
        lines.append(f"left: {'; '.join(f'{name} {_left(remaining)}' for name, remaining in left.items())}")
    return "\n".join(lines)


def _left(remaining: Remaining) -> str:
    """What is left as zCDP, and as pure epsilon if nothing else was charged."""
    epsilon = "" if remaining.epsilon is None else f"epsilon {float(remaining.epsilon):.4g}, "
    return f"{epsilon}rho {float(remaining.rho):.4g}"


def _text(error: Exception) -> str:
    """A refusal with its detail and hint; the first line of other errors."""
    message = str(error).partition("\n")[0]
    further = (getattr(error, "detail", None), getattr(error, "hint", None))
    return "\n".join([message, *(f"  {text}" for text in further if text)])
