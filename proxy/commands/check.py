"""`dpproxy check`: everything that is wrong with policy files, before anyone depends on them (decision 8)."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NoReturn

from proxy.commands import CannotGoOnError, ExitCode, expect_little_garbage, failed
from proxy.commands.catalog import NoCatalogError, catalog_of_arguments, needs_source_of_policy
from proxy.commands.explain import CannotRehearseError, rehearsed

if TYPE_CHECKING:
    from proxy.policy.catalog import Catalog
    from proxy.policy.findings import Finding, SourceMap
    from proxy.policy.load import Examination
    from proxy.policy.model import Policy
    from proxy.rehearsal.planners import Reading, Rehearsals

_COMMAND: Final = "check"
_STANDARD_INPUT: Final = "-"
_EXPORTS: Final = (".log", ".csv", ".json", ".yaml", ".yml", ".zip", ".tgz", ".tar.gz")
_FINE: Final = "ok, as expected"
_FORMATS: Final = ("text", "json", "github", "gitlab", "sarif", "junit")


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
        description="Find the mistakes in policy files, and queries that are not planned as they expect. Exit code 0: "
        "no errors (there may be warnings), 1: queries that are not as expected or, with --strict, warnings, 2: errors "
        "in a policy, which is unusable, 3: the source cannot be read.",
    )
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="+",
        help="a policy in YAML, a directory with such files (*.yaml, *.yml), or - for standard input",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--source", metavar="DSN", help="also compare with the tables and columns of this database")
    what.add_argument("--catalog", metavar="FILE", type=Path, help="the same with what `dpproxy catalog` wrote")
    parser.add_argument(
        "--queries",
        metavar="PATH",
        nargs="+",
        default=[],
        help="SQL files, or directories with *.sql, whose statements have to be planned as comments before them expect",
    )
    parser.add_argument(
        "--record",
        action="store_true",
        help="write what is planned now into the files of --queries, as expectations; the queries of a log of "
        "PostgreSQL's (*.log, *.csv, *.json), or of an export of Superset's or Metabase's (a folder, *.zip, *.tgz, "
        "*.yaml, *.json), into a file of SQL beside it",
    )
    parser.add_argument("--format", choices=_FORMATS, default="text", help="how to print findings (default: text)")
    parser.add_argument(
        "--budgets",
        action="store_true",
        help="also tell what each account's budget means and how many default queries it pays for (format text)",
    )
    parser.add_argument("--strict", action="store_true", help="exit code 1 if there are warnings")
    parser.add_argument("--rules", action=_ListRules, nargs=0, help="list all rules with their examples, and end")
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Check every file and print all findings."""
    if arguments.record and not arguments.queries:
        return failed(_COMMAND, "--record is for the files of --queries", ExitCode.WRONG_INPUT)
    expect_little_garbage()
    try:
        with _rehearsals(arguments) as rehearsals:
            findings, summaries, usable = _checked(arguments, rehearsals)
    except CannotGoOnError as error:
        return failed(_COMMAND, str(error), error.code)
    from proxy.policy.findings import has_errors
    from proxy.policy.reports import REPORTS

    print(REPORTS[arguments.format](findings, summaries))
    if not usable:
        return ExitCode.WRONG_INPUT
    return ExitCode.FAILED if has_errors(findings) or (findings and arguments.strict) else ExitCode.OK


def _rehearsals(arguments: argparse.Namespace) -> AbstractContextManager[Rehearsals | None]:
    """What plans queries, which starts while policies are read; None without queries."""
    if not arguments.queries:
        return nullcontext()
    from proxy.rehearsal.planners import starting_rehearsals

    return starting_rehearsals()


def _checked(
    arguments: argparse.Namespace, rehearsals: Rehearsals | None
) -> tuple[list[Finding], dict[str, str], bool]:
    """All findings, a line about each file, and whether the policies can be used.

    Raises:
        NoCatalogError: there is no catalog to compare or plan with.
        CannotRehearseError: nothing can be planned.
    """
    from proxy.policy.findings import has_errors
    from proxy.policy.load import lacks_source

    findings: list[Finding] = []
    summaries: dict[str, str] = {}
    policies: list[Policy] = []
    needs_source = bool(arguments.queries) and needs_source_of_policy(arguments)
    for file, examination in _examinations(arguments.paths, needs_source=needs_source):
        catalog = _catalog(arguments, examination.policy)
        found = findings_of_file(file, examination, catalog, _sizes(arguments.source, examination.policy, catalog))
        findings += found
        summaries[file] = _summary(examination.policy, found)
        if needs_source_of_policy(arguments) and lacks_source(examination):
            summaries[file] += "; a variable of `source` has no value here"
        if arguments.budgets and examination.policy is not None:
            summaries[file] += _budgets(examination.policy)
        policies += [] if examination.policy is None or has_errors(found) else [examination.policy]
    usable = not has_errors(findings)
    if rehearsals is not None and usable:
        files = _query_files(arguments.queries)
        found = _check_queries(policies, arguments, files, rehearsals)
        findings += found
        summaries |= _query_summaries(files, found, record=arguments.record)
    return findings, summaries, usable


def _catalog(arguments: argparse.Namespace, policy: Policy | None) -> Catalog | None:
    """The catalog to compare a policy with; None if none is named, and where there is no policy.

    Raises:
        NoCatalogError: it cannot be read.
    """
    if policy is None or (arguments.source is None and arguments.catalog is None and not arguments.queries):
        return None
    return catalog_of_arguments(arguments, policy, for_planning=False)


def _sizes(source: str | None, policy: Policy | None, catalog: Catalog | None) -> dict[str, int]:
    """About how many units the database has, by name, where it was named itself.

    Raises:
        NoCatalogError: it cannot be read.
    """
    if source is None or policy is None or catalog is None:
        return {}
    from proxy.postgres.survey import estimated_units

    try:
        return estimated_units(source, policy, catalog)
    except Exception as error:  # the driver's errors; no command knows the driver
        text = f"the source cannot be read: {str(error).partition(chr(10))[0]}"
        raise NoCatalogError(text, ExitCode.UNREACHABLE) from error


def _query_files(paths: Sequence[str]) -> list[str]:
    """Each file once, those of a directory in the order of their names."""
    found: dict[str, None] = {}
    for name in paths:
        path = Path(name)
        found |= dict.fromkeys(sorted(map(str, path.rglob("*.sql"))) or [str(path)])
    return list(found)


def _check_queries(
    policies: Sequence[Policy], arguments: argparse.Namespace, files: Sequence[str], rehearsals: Rehearsals
) -> list[Finding]:
    """What is not as the files of queries expect it; with --record they expect it from now on.

    Raises:
        NoCatalogError: there is no catalog to plan with.
        CannotRehearseError: nothing can be planned.
    """
    if len(policies) != 1:
        raise CannotRehearseError("--queries is about one policy: name one", ExitCode.WRONG_INPUT)
    findings: list[Finding] = []
    texts = {file: _script(file, findings, record=arguments.record) for file in files}
    scripts = {file: text for file, text in texts.items() if text is not None}
    catalog = catalog_of_arguments(arguments, policies[0])
    reading: Reading = "record" if arguments.record else "check"
    found = rehearsed(reading, policies[0], catalog, None, scripts, rehearsals) if scripts else []
    for file, read in zip(scripts, found, strict=True):
        if arguments.record:
            _recorded_in(file).write_text(read, encoding="utf-8")
        else:
            findings += read
    return findings


def _recorded_in(file: str) -> Path:
    """Where the expectations of a file are written; those of a log or an export become a file of SQL beside it."""
    path = Path(file)
    if not _is_export(file):
        return path
    name = path.resolve().name if path.is_dir() else path.name
    end = next((end for end in _EXPORTS if name.endswith(end)), "")
    return path.parent / f"{name.removesuffix(end)}.sql"


def _is_export(file: str) -> bool:
    return file.endswith(_EXPORTS) or Path(file).is_dir()


def _script(file: str, findings: list[Finding], *, record: bool) -> str | None:
    """The SQL of a file, or of a log or export whose queries are recorded; None, with a finding, if there is none."""
    reason: str | None = None
    try:
        if not _is_export(file):
            return Path(file).read_text(encoding="utf-8")
        target = _recorded_in(file)
        reason = "it is for --record, which writes the queries of logs and exports into a file of SQL"
        if target.exists():
            reason = f"{target} is there already"
        elif record:
            from proxy.rehearsal.exports import script_of_export

            script, left_out = script_of_export(Path(file))
            if script:
                return script
            reason = "; ".join(["no query is in it", *left_out[:1]])
    except OSError as error:
        reason = error.strerror
    except UnicodeDecodeError:
        reason = "not UTF-8 text"
    from proxy.rehearsal.query_tests import unreadable

    findings.append(unreadable(file, reason))
    return None


def _query_summaries(files: Sequence[str], findings: Sequence[Finding], *, record: bool) -> dict[str, str]:
    counts = {file: sum(finding.file == file for finding in findings) for file in files}
    fine = {file: f"ok, written to {_recorded_in(file)}" if record and _is_export(file) else _FINE for file in files}
    return {file: _count(count, "error") if count else fine[file] for file, count in counts.items()}


def _examinations(paths: Sequence[str], *, needs_source: bool) -> Iterator[tuple[str, Examination]]:
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
                yield "<stdin>", examine_stream(sys.stdin.buffer, "<stdin>", needs_source=needs_source)
            else:
                yield file, examine_policy(Path(file), needs_source=needs_source)


def findings_of_file(
    file: str, examination: Examination, catalog: Catalog | None, sizes: Mapping[str, int] = MappingProxyType({})
) -> list[Finding]:
    """All that is to be said of a file, as its remarks leave it.

    Args:
        file: its name.
        examination: of its text.
        catalog: of the database that it is compared with, if there is one.
        sizes: about how many units there are, by name, as far as that is known.
    """
    from proxy.meaning import check_deltas, check_meaning, check_noise
    from proxy.policy.cautions import check_cautions
    from proxy.policy.lint import check_against_catalog
    from proxy.policy.remarks import with_remarks
    from proxy.policy.rule_list import RULE_LIST
    from proxy.settings import check_analyst_settings

    found, policy = list(examination.findings), examination.policy
    if policy is not None:
        found += check_cautions(policy, examination.source_map)
        found += check_meaning(policy, examination.source_map)
        found += check_deltas(policy, sizes, examination.source_map)
        found += check_noise(policy, sizes, examination.source_map)
        found += check_analyst_settings(policy, examination.source_map)
        if catalog is not None:
            found += check_against_catalog(policy, catalog, examination.source_map)
            found += _beside_checks(policy, catalog, examination.source_map)
            found += _of_views(policy, catalog, found, examination.source_map)
    unjudged = [rule.id for rule in RULE_LIST.values() if not rule.example or rule.id in ("DP411", "DP414", "DP415")]
    return with_remarks(found, examination.remarks, file, RULE_LIST, () if catalog is not None else unjudged)


def _beside_checks(policy: Policy, catalog: Catalog, source_map: SourceMap) -> list[Finding]:
    """Bounds that contradict CHECK constraints. The parser of these is slow to import, and seldom needed."""
    if not any(table.checks or table.domain_checks for table in catalog.tables.values()):
        return []
    from proxy.starter.limits import check_limits

    return check_limits(policy, catalog, source_map)


def _of_views(policy: Policy, catalog: Catalog, found: Sequence[Finding], source_map: SourceMap) -> list[Finding]:
    """Views of which no query is answered, in a policy without errors. What plans is slow to import."""
    if not any(table.view for table in policy.tables.values()) or any(each.severity == "error" for each in found):
        return []
    from proxy.rehearsal.unanswered_views import check_views_can_be_queried

    return list(check_views_can_be_queried(policy, catalog, source_map))


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


def _budgets(policy: Policy) -> str:
    """What the accounts of a policy mean, a line for each, below its summary."""
    from proxy.review.reports import account_lines

    return "".join(f"\n  {line}" for line in account_lines(policy))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
