"""`dpproxy check`: everything that is wrong with policy files, before anyone depends on them (decision 8)."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from proxy.commands import ExitCode, failed

if TYPE_CHECKING:
    from proxy.policy.findings import Finding, SourceMap
    from proxy.policy.load import Examination
    from proxy.policy.model import Policy

_COMMAND: Final = "check"
_STANDARD_INPUT: Final = "-"
_FORMATS: Final = ("text", "json", "github", "gitlab", "sarif", "junit")


class SourceUnreadableError(Exception):
    """The database behind `--source` does not answer; the text is one line for the user."""


class _ListRules(argparse.Action):
    """Prints the rules where the option stands, as `--help` does, so that no file need be named."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        _namespace: argparse.Namespace,
        _values: object,
        _option: str | None = None,
    ) -> NoReturn:
        from proxy.policy.rule_list import rule_lines

        print("\n".join(rule_lines()))
        parser.exit(ExitCode.OK)


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare `check`."""
    parser = subparsers.add_parser(
        _COMMAND,
        help="find the mistakes in policy files",
        description="Find the mistakes in policy files. Exit code 0: no errors (there may be warnings), 1: warnings, "
        "with --strict, 2: errors, so that a policy is unusable, 3: the source cannot be read.",
    )
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="+",
        help="a policy in YAML, a directory with such files (*.yaml, *.yml), or - for standard input",
    )
    parser.add_argument("--source", metavar="DSN", help="also compare with the tables and columns of this database")
    parser.add_argument("--format", choices=_FORMATS, default="text", help="how to print findings (default: text)")
    parser.add_argument("--strict", action="store_true", help="exit code 1 if there are warnings")
    parser.add_argument("--rules", action=_ListRules, nargs=0, help="list all rules with their examples, and end")
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Check every file and print all findings."""
    from proxy.policy.findings import has_errors
    from proxy.policy.reports import REPORTS

    findings: list[Finding] = []
    summaries: dict[str, str] = {}
    for file, examination in _examinations(arguments.paths):
        try:
            found = findings_of_file(file, examination, arguments.source)
        except SourceUnreadableError as error:
            return failed(_COMMAND, f"the source cannot be read: {error}", ExitCode.UNREACHABLE)
        findings += found
        summaries[file] = _summary(examination.policy, found)
    print(REPORTS[arguments.format](findings, summaries))
    if has_errors(findings):
        return ExitCode.WRONG_INPUT
    return ExitCode.FAILED if findings and arguments.strict else ExitCode.OK


def _examinations(paths: Sequence[str]) -> Iterator[tuple[str, Examination]]:
    """Each file once, those of a directory in the order of their names."""
    from proxy.policy.load import examine_policy, examine_stream

    seen = set()
    for name in paths:
        path = Path(name)
        files = [str(path)]
        if name != _STANDARD_INPUT and path.is_dir():
            files = sorted(str(file) for end in ("yaml", "yml") for file in path.rglob(f"*.{end}")) or files
        for file in files:
            if file in seen:
                continue
            seen.add(file)
            if file == _STANDARD_INPUT:
                yield "<stdin>", examine_stream(sys.stdin.buffer, "<stdin>")
            else:
                yield file, examine_policy(Path(file))


def findings_of_file(file: str, examination: Examination, source: str | None) -> list[Finding]:
    """All that is to be said of a file, as its remarks leave it.

    Raises:
        SourceUnreadableError: the database `source` does not answer.
    """
    from proxy.meaning import check_meaning
    from proxy.policy.cautions import check_cautions
    from proxy.policy.remarks import with_remarks
    from proxy.policy.rule_list import RULE_LIST
    from proxy.settings import check_analyst_settings

    found, policy = list(examination.findings), examination.policy
    if policy is not None:
        found += check_cautions(policy, examination.source_map)
        found += check_meaning(policy, examination.source_map)
        found += check_analyst_settings(policy, examination.source_map)
        if source is not None:
            found += _compare_with_source(policy, examination.source_map, source)
    return with_remarks(found, examination.remarks, file, RULE_LIST)


def _compare_with_source(policy: Policy, source_map: SourceMap, dsn: str) -> list[Finding]:
    from proxy.policy.lint import check_against_catalog
    from proxy.policy.other_values import declaring_columns
    from proxy.postgres.catalog_reader import read_catalog  # a policy alone is checked without a driver

    try:
        catalog = read_catalog(dsn, policy.tables, declaring=declaring_columns(policy))
    except Exception as error:  # the driver's errors; no command knows the driver
        raise SourceUnreadableError(str(error).partition("\n")[0]) from error
    return check_against_catalog(policy, catalog, source_map)


def _summary(policy: Policy | None, findings: Sequence[Finding]) -> str:
    errors = sum(finding.severity == "error" for finding in findings)
    parts = [_count(errors, "error")] if errors else []
    if len(findings) > errors:
        parts.append(_count(len(findings) - errors, "warning"))
    if policy is not None and not errors:
        private = sum(not table.public for table in policy.tables.values())
        tables, analysts = _count(len(policy.tables), "table"), _count(len(policy.analysts), "analyst")
        parts.insert(0, f"ok, {tables} ({private} private), {analysts}")
    return ", ".join(parts)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
