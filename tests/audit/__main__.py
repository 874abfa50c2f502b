"""`python -m tests.audit`: the whole audit, with its progress, a table by theme, and the least that shows each violation."""

from __future__ import annotations

import argparse
import logging
import math
import sys
import time
from collections import Counter
from collections.abc import Sequence

from proxy.terminal import Show, progress, table_lines
from tests.audit import known_leaks, lower_bounds, offline
from tests.audit.cases import Case, battery, sample, themes
from tests.audit.databases import servers
from tests.audit.neighbours import NEIGHBOURS
from tests.audit.power import Verdict, power
from tests.audit.running import Audit, Report, Violation

SECONDS_PER_CASE, SECONDS_PER_DATABASE = 0.04, 1.5
"""About what a case takes on one database, and what it takes to have one with a proxy before it."""

POWER = "power"
APART = {"known leaks": known_leaks.known_leaks, "offline": offline.offline, "lower bounds": lower_bounds.lower_bounds}
"""What is no part of the battery, and takes its own time; so does the part that plants bugs and looks for them."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the audit; 1 if anything tells two neighbouring databases apart, or a planted bug is not caught."""
    options = _options(arguments)
    # What the source's failures have to say is for operators; here they are violations.
    logging.disable(logging.CRITICAL)
    started = time.monotonic()
    cases = battery([theme for theme in options.only if theme in themes()]) if _any_theme(options.only) else []
    chosen = _in_time(cases, options.seconds, options.seed)
    with servers() as databases, progress() as show:
        show("starting")
        deadline = math.inf if options.seconds is None else started + options.seconds
        running = Audit(databases, chosen, deadline=deadline, progress=lambda *at: _show(show, *at))
        report = running.run(NEIGHBOURS) if chosen else Report()
        wanted = options.only or ([*APART, POWER] if options.seconds is None else [])
        for name, part in APART.items():
            if name in wanted:
                show(name)
                report.violations += part(databases)
        planted = list(power(databases, show)) if POWER in wanted else []
    if chosen or report.violations:
        _print(report, chosen, len(cases))
    _print_power(planted)
    print(f"{time.monotonic() - started:.0f} s")
    return 1 if report.violations or not all(verdict.caught for verdict in planted) else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.audit", description=__doc__)
    parser.add_argument("--seconds", type=float, help="ask only a sample of the battery that takes about so long")
    parser.add_argument(
        "--only", action="append", default=[], choices=[*themes(), *APART, POWER], help="one part (repeatable)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    return parser.parse_args(arguments)


def _any_theme(only: Sequence[str]) -> bool:
    return not only or any(theme in themes() for theme in only)


def _in_time(cases: Sequence[Case], seconds: float | None, seed: int) -> list[Case]:
    if seconds is None:
        return list(cases)
    databases = len(NEIGHBOURS) + len({neighbour.nobody for neighbour in NEIGHBOURS})
    most = (seconds - SECONDS_PER_DATABASE * databases) / (SECONDS_PER_CASE * databases)
    return sample(cases, max(1, int(most)), seed)


def _show(show: Show, name: str, done: int, everything: int) -> None:
    show(f"{name}: {done} of {everything} cases")


def _print(report: Report, chosen: Sequence[Case], known: int) -> None:
    print(f"{len(chosen)} of {known} cases, {len(NEIGHBOURS)} pairs of neighbouring databases")
    rows = []
    cases, answered = Counter(case.theme for case in chosen), Counter(case.theme for case in report.answered)
    violations = Counter(violation.case.theme for violation in report.violations)
    for theme in sorted(cases.keys() | violations.keys()):
        counts = (cases[theme], answered[theme], report.pairs[theme], report.blocks[theme], violations[theme])
        rows.append((theme, *map(str, counts)))
    titles = ("theme", "cases", "answered", "pairs", "blocks", "violations")
    print("\n".join(table_lines(titles, rows, texts=1)))
    if report.unfinished:
        print(f"time did not suffice for {report.unfinished} pairs of a case and a neighbour")
    for violation in _least(report.violations):
        print(violation)


def _print_power(planted: Sequence[Verdict]) -> None:
    if not planted:
        return
    print(f"{sum(verdict.caught for verdict in planted)} of {len(planted)} planted bugs are caught")
    for verdict in planted:
        print(f"    {verdict.name}: {verdict!s:.160}")


def _least(violations: Sequence[Violation]) -> list[Violation]:
    """The first violation of each case: the smallest neighbour that shows it."""
    first: dict[Case, Violation] = {}
    for violation in violations:
        first.setdefault(violation.case, violation)
    return list(first.values())


if __name__ == "__main__":
    sys.exit(main())
