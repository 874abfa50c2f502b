"""`dpproxy init`: a starter policy from a database's catalog, or what a policy lacks of it (decision 8)."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from proxy.commands import ExitCode, failed

_COMMAND: Final = "init"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare `init`."""
    parser = subparsers.add_parser(
        _COMMAND,
        help="write a starter policy from a database's catalog",
        description="Write a policy with comments from a database's catalog: units, keys, types, constraints. No row "
        "is read, and no privilege on a table is needed. What only the owner can know is marked `# decide: …`; "
        "`dpproxy check` lists the marks.",
    )
    parser.add_argument("--source", metavar="DSN", required=True, help="the private database")
    parser.add_argument(
        "--unit",
        metavar="NAME",
        action="append",
        default=[],
        help="whose privacy is protected: a table with one row of each, or a column (repeatable)",
    )
    parser.add_argument(
        "--update", metavar="FILE", type=Path, help="add new tables and columns to this policy, in place"
    )
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="write here, not to standard output")
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Read the catalog, and print or write a policy."""
    from proxy.policy.load import PolicyError
    from proxy.policy.rewriting import RewriteError
    from proxy.postgres.survey import read_survey
    from proxy.starter.document import UnknownUnitError, starter_policy
    from proxy.starter.update import update_policy

    if arguments.update is not None and (arguments.output is not None or arguments.unit):
        return failed(_COMMAND, "--update takes neither --output nor --unit: the file has both", ExitCode.WRONG_INPUT)
    if arguments.output is not None and arguments.output.exists():
        message = f"{arguments.output} is there already; --update adds to it what is new"
        return failed(_COMMAND, message, ExitCode.WRONG_INPUT)
    try:
        survey = read_survey(arguments.source)
    except Exception as error:  # the driver's errors; no command knows the driver
        return failed(_COMMAND, f"the source cannot be read: {str(error).partition(chr(10))[0]}", ExitCode.UNREACHABLE)
    if survey.catalog.encoding != "UTF8":
        message = f"the database's encoding is {survey.catalog.encoding}; only UTF8 is supported"
        return failed(_COMMAND, message, ExitCode.WRONG_INPUT)
    try:
        if arguments.update is not None:
            added = update_policy(arguments.update, survey)
            print("\n".join(added) if added else f"{arguments.update}: nothing is new")
            return ExitCode.OK
        text = starter_policy(survey, arguments.unit)
    except (UnknownUnitError, RewriteError, PolicyError) as error:
        return failed(_COMMAND, str(error), ExitCode.WRONG_INPUT)
    if arguments.output is None:
        print(text, end="")
        return ExitCode.OK
    try:
        with arguments.output.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        return failed(_COMMAND, f"{arguments.output} cannot be written: {error.strerror}", ExitCode.WRONG_INPUT)
    print(f"{arguments.output}: look for `# decide:`, then run dpproxy check {arguments.output} --source …")
    return ExitCode.OK
