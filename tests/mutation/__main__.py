"""`python -m tests.mutation`: note which test runs which line, try mutants, show what survived."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from proxy.terminal import table_lines
from tests.mutation.operators import OPERATORS
from tests.mutation.session import Session

RULES = ("proxy/dp", "proxy/budget", "proxy/release", "proxy/sql")
"""Where the privacy rules are."""

DIRECTORY = Path(".mutation")
SESSION = DIRECTORY / "session.sqlite"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of the commands."""
    options = _options(arguments)
    DIRECTORY.mkdir(exist_ok=True)
    if options.command == "record":
        return _pytest("tests.mutation.recording", ["--record", str(DIRECTORY / options.name), *options.tests])
    if options.command == "run":
        return _run(options)
    _show(options.module)
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    record = commands.add_parser("record", help="run tests once, and note which lines each runs")
    record.add_argument("name", help="of this record; several may be kept, and are used together")
    record.add_argument("tests", nargs="+", help="folders or files of tests")
    run = commands.add_parser("run", help="try the mutants that were not tried yet")
    run.add_argument("tests", nargs="+", help="folders or files of tests to choose from")
    run.add_argument("--module", action="append", default=[], help="a folder or file of the package (repeatable)")
    run.add_argument("--operator", action="append", default=[], choices=OPERATORS, help="only these (repeatable)")
    run.add_argument("--most-tests", type=int, default=60, help="tests for one mutant")
    run.add_argument("--most-seconds", type=float, default=30, help="seconds for one mutant")
    run.add_argument("--again", action="store_true", help="try those that survived")
    show = commands.add_parser("show", help="print the score, and what survived")
    show.add_argument("--module", default="", help="only what is in this folder or file")
    return parser.parse_args(arguments)


def _run(options: argparse.Namespace) -> int:
    wanted = options.module or RULES
    paths = [Path(name) for name in wanted]
    modules = [path for given in paths for path in (sorted(given.rglob("*.py")) if given.is_dir() else [given])]
    with Session(SESSION) as session:
        session.plan(modules)
    records = [
        name for file in sorted(DIRECTORY.glob("*.seconds")) for name in ("--recorded", str(file.with_suffix("")))
    ]
    limits = [f"--most-tests={options.most_tests}", f"--most-seconds={options.most_seconds}"]
    chosen = [f"--module={name}" for name in wanted] + [f"--operator={name}" for name in options.operator]
    again = ["--again"] if options.again else []
    arguments = ["--mutants", str(SESSION), *records, *limits, *chosen, *again, *options.tests]
    return _pytest("tests.mutation.running", ["-s", *arguments])


def _pytest(plugin: str, arguments: Sequence[str]) -> int:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", plugin, *arguments], check=False
    ).returncode


def _show(prefix: str) -> None:
    made: Counter[tuple[str, str]] = Counter()
    with Session(SESSION) as session:
        results = session.results()
        for mutant in sorted(session.mutants(), key=lambda mutant: (mutant.path, mutant.first_line)):
            if not mutant.path.startswith(prefix):
                continue
            folder = str(Path(mutant.path).parent)
            killed = results[mutant.job][0] if mutant.job in results else None
            made[folder, {True: "killed", False: "survived", None: "not tried"}[killed]] += 1
            if killed is False:
                print(f"{mutant.name}\n{mutant.diff()}\n")
    rows = []
    for folder in sorted({folder for folder, _ in made}):
        numbers = [made[folder, what] for what in ("killed", "survived", "not tried")]
        rows.append((folder, *map(str, (sum(numbers), *numbers))))
    titles = ("package", "mutants", "killed", "survived", "not tried")
    print("\n".join(table_lines(titles, rows, texts=1)))


if __name__ == "__main__":
    sys.exit(main())
