"""`dpproxy check`: everything that is wrong with policy files, before anyone depends on them (decision 8)."""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from proxy.commands import ExitCode, failed

if TYPE_CHECKING:
    from proxy.policy.findings import Finding, SourceMap
    from proxy.policy.model import Policy

_COMMAND: Final = "check"


class SourceUnreadableError(Exception):
    """The database behind `--source` does not answer; the text is one line for the user."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare `check`."""
    parser = subparsers.add_parser(
        _COMMAND,
        help="find the mistakes in policy files",
        description="Find the mistakes in policy files. Exit code 0: no errors (there may be warnings), 2: errors, "
        "3: the source cannot be read.",
    )
    parser.add_argument("files", metavar="FILE", nargs="+", type=Path, help="a policy in YAML")
    parser.add_argument("--source", metavar="DSN", help="also compare with the tables and columns of this database")
    parser.add_argument(
        "--format", choices=tuple(FORMATS), default="text", help="how to print findings (default: text)"
    )
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Check every file and print all findings."""
    from proxy.policy.findings import has_errors
    from proxy.policy.load import examine_policy
    from proxy.policy.prices import check_times_are_covered
    from proxy.settings import check_analyst_settings

    findings: list[Finding] = []
    summaries: list[str] = []
    for file in arguments.files:
        examination = examine_policy(file)
        found = list(examination.findings)
        if examination.policy is not None:
            found += check_times_are_covered(examination.policy, examination.source_map)
            found += check_analyst_settings(examination.policy, examination.source_map)
        if examination.policy is not None and arguments.source is not None:
            try:
                found += _compare_with_source(examination.policy, examination.source_map, arguments.source)
            except SourceUnreadableError as error:
                return failed(_COMMAND, f"the source cannot be read: {error}", ExitCode.UNREACHABLE)
        findings += found
        summaries.append(f"{file}: {_summary(examination.policy, found)}")
    print(FORMATS[arguments.format](findings, summaries))
    return ExitCode.WRONG_INPUT if has_errors(findings) else ExitCode.OK


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


def _as_text(findings: Sequence[Finding], summaries: Sequence[str]) -> str:
    return "\n".join([*map(str, findings), *summaries])


def _as_json(findings: Sequence[Finding], _summaries: Sequence[str]) -> str:
    return json.dumps([dataclasses.asdict(finding) for finding in findings], indent=2, ensure_ascii=False)


def _as_github(findings: Sequence[Finding], summaries: Sequence[str]) -> str:
    """Workflow commands, which GitHub shows beside the lines of a pull request."""
    lines = []
    for finding in findings:
        place = f"file={_property(finding.file)},line={finding.line},col={finding.column}"
        text = _data(finding.sentence + "\nhint: " + finding.hint)
        lines.append(f"::{finding.severity} {place}::{text}")
    return "\n".join([*lines, *summaries])


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


FORMATS: Final[Mapping[str, Callable[[Sequence[Finding], Sequence[str]], str]]] = {
    "text": _as_text,
    "json": _as_json,
    "github": _as_github,
}
