"""Which tests could notice a mutant: those that ran its lines when they were recorded, the most likely first."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path

import coverage

from tests.mutation.session import Mutant

NEW_MODULE = 1.5
"""Seconds that the first test of a module takes on top, for servers and proxies that its tests share."""

_CHEAP = 0.3
"""Seconds below which a test counts as quick: no servers are started for it."""


class Recorded:
    """What `tests.mutation.recording` noted, over one or more runs.

    Attributes:
        seconds: how long each test took.
    """

    def __init__(self, files: Sequence[Path], root: Path) -> None:
        self.seconds: dict[str, float] = {}
        self._tests: dict[str, dict[int, set[str]]] = {}
        for file in files:
            self.seconds |= json.loads(Path(f"{file}.seconds").read_text())
            data = coverage.CoverageData(str(file))
            data.read()
            for measured in data.measured_files():
                lines = self._tests.setdefault(str(Path(measured).relative_to(root)), defaultdict(set))
                for line, tests in data.contexts_by_lineno(measured).items():
                    lines[line].update(test for test in tests if test)
        self._ran = Counter(test for lines in self._tests.values() for tests in lines.values() for test in tests)

    def tests(self, mutant: Mutant) -> list[str]:
        """All tests that ran a line of the mutant, in the order in which they are worth trying.

        Quick ones come first, and among these the ones of which the mutant's module was the greatest part of all that
        they ran: a line that every test runs matters to few. The further examples of a test count for less. Where the
        mutant is a condition, those that met what follows from it come before the others; where it is a call, those
        that ran the rarest line of what is called, which is often its refusal.
        """
        lines = self._tests.get(mutant.path, {})
        found = set().union(*(lines.get(line, ()) for line in range(mutant.first_line, mutant.last_line + 1)))
        if not found and mutant.definition is None:
            found = set().union(*(self._tests.get(path, {}).get(line, ()) for path, line in _users(mutant)))
        near = (
            lines.get(mutant.last_line + 1, set()) if mutant.operator in ("ReasonRemoved", "BoundaryShifted") else set()
        )
        if mutant.operator == "GuardRemoved":
            near = self._rarest_of_called(mutant) & found
        few = near if len(near) < len(found) else set()
        ran = Counter(test for tests in lines.values() for test in tests)
        share = {test: count / self._ran[test] for test, count in ran.items()}
        return [*self._in_order(found & few, share), *self._in_order(found - few, share)]

    def _rarest_of_called(self, mutant: Mutant) -> set[str]:
        """The tests that ran the rarest line that any ran of the functions that the mutant's lines call by name."""
        text = "\n".join(Path(mutant.path).read_text().splitlines()[mutant.first_line - 1 : mutant.last_line])
        found: list[set[str]] = []
        for name in set(re.findall(r"(\w+)\(", text)):
            for path, first, last in _definitions(mutant.path.split("/")[0]).get(name, ()):
                lines = self._tests.get(path, {})
                found += [tests for line in range(first + 1, last + 1) if (tests := lines.get(line))]
        return min(found, key=len, default=set())

    def _in_order(self, tests: Iterable[str], share: Mapping[str, float]) -> Iterator[str]:
        def function(test: str) -> str:
            # A card of a plan notices nearly every change that its statement meets.
            return test if test.startswith("tests/plans/") else test.partition("[")[0]

        ranked = []
        for _, same in groupby(sorted(tests, key=function), function):
            for place, test in enumerate(
                sorted(same, key=lambda test: (-share.get(test, 0), self.seconds.get(test, 1)))
            ):
                seconds = self.seconds.get(test, 1)
                ranked.append((seconds >= _CHEAP, -share.get(test, 0) / (1 + place), seconds, test))
        return (test for *_, test in sorted(ranked))


@cache
def _definitions(package: str) -> dict[str, list[tuple[str, int, int]]]:
    """Where each function of the package is: its file, its first and its last line."""
    found = defaultdict(list)
    for path in Path(package).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found[node.name].append((str(path), node.lineno, node.end_lineno or node.lineno))
    return found


def _users(mutant: Mutant) -> Iterator[tuple[str, int]]:
    """The lines of the package that name the constants which a mutant outside of functions is a part of."""
    tree = ast.parse(Path(mutant.path).read_text())
    names = {
        name.id
        for statement in ast.walk(tree)
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        and statement.lineno <= mutant.first_line <= (statement.end_lineno or 0)
        for target in (statement.targets if isinstance(statement, ast.Assign) else [statement.target])
        for name in ast.walk(target)
        if isinstance(name, ast.Name)
    }
    if names:
        used = re.compile(rf"\b({'|'.join(names)})\b")
        for path in Path(mutant.path.split("/")[0]).rglob("*.py"):
            for number, text in enumerate(path.read_text().splitlines(), 1):
                if used.search(text):
                    yield str(path), number


def within(tests: Sequence[str], seconds: dict[str, float], most_tests: int, most_seconds: float) -> list[str]:
    """The first of the tests that together take no longer than allowed, those of one module one after the other."""
    modules: dict[str, list[str]] = {}
    left = most_seconds
    for taken, test in enumerate(tests):
        module = test.partition("::")[0]
        left -= seconds.get(test, 1) + (0 if module in modules or seconds.get(test, 1) < _CHEAP else NEW_MODULE)
        if taken and (left < 0 or taken >= most_tests):
            break
        modules.setdefault(module, []).append(test)
    return [test for same in modules.values() for test in same]
