"""The audit: each case on the clinic, then on its neighbours with the clinic's releases played back."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from proxy.policy.model import Policy
from tests.audit.cases import Case
from tests.audit.clinic import policy
from tests.audit.comparing import differences, slower, unpaid
from tests.audit.databases import SOURCE_TIMEOUT, Databases
from tests.audit.neighbours import Neighbour
from tests.audit.observing import Before, Observation
from tests.audit.recorder import Recorder, recording

FAILS: Final = "fails whoever is there: charged, and not answered"
"""A violation on the smaller database alone."""


@dataclass(frozen=True)
class Violation:
    """Something that tells two neighbouring databases apart, or that was not paid for.

    Attributes:
        pair: the neighbour.
        case: the statements.
        what: one sentence.
    """

    pair: str
    case: Case
    what: str

    def __str__(self) -> str:
        return f"[{self.case.theme}] {self.pair}\n    {self.case}\n    {self.what}"


@dataclass
class Report:
    """What was tried, by theme, and what was found.

    Attributes:
        pairs: of a case and a neighbour.
        blocks: whose exact numbers were compared.
        answered: cases of which every statement is answered on a database without the unit.
        violations: in the order in which they were found.
        unfinished: pairs that time did not suffice for.
    """

    pairs: Counter[str] = field(default_factory=Counter)
    blocks: Counter[str] = field(default_factory=Counter)
    answered: set[Case] = field(default_factory=set)
    violations: list[Violation] = field(default_factory=list)
    unfinished: int = 0


Progress = Callable[[str, int, int], None]
"""Called with a database's name, how many cases are done and how many there are."""


def _quiet(_name: str, _done: int, _all: int) -> None:
    """No progress is shown."""


@dataclass
class Audit:
    """Compares every case on every pair.

    Attributes:
        databases: makes sources and proxies.
        cases: what to ask, in order.
        tested: the policy.
        deadline: of `time.monotonic()`; what is not reached is left out and counted.
        progress: is told of it.
        source_timeout: seconds that a source query may take.
        report: what was found.
    """

    databases: Databases
    cases: Sequence[Case]
    tested: Policy = field(default_factory=policy)
    deadline: float = math.inf
    progress: Progress = _quiet
    source_timeout: float = SOURCE_TIMEOUT
    report: Report = field(default_factory=Report)

    def run(self, neighbours: Sequence[Neighbour]) -> Report:
        """Each case without the unit, and with every neighbour's rows of it."""
        known: dict[Neighbour, list[Observation]] = {}
        with recording() as recorder:
            for neighbour in neighbours:
                if time.monotonic() > self.deadline:
                    self.report.unfinished += len(self.cases)
                    continue
                nobody = neighbour.nobody
                if nobody not in known:
                    known[nobody] = list(self._observe(nobody, recorder))
                self._compare(neighbour, known[nobody], recorder)
        return self.report

    def _observe(self, nobody: Neighbour, recorder: Recorder) -> Iterator[Observation]:
        """Each case on the smaller database, in order, as far as time suffices."""
        with self._before(nobody, recorder) as observer:
            for case in self._in_time(nobody.name, self.cases):
                observed = observer.observe(case.statements)
                yield observed
                outcomes = [seen.outcome for seen in observed.seen]
                if set(outcomes) == {"answered"}:
                    self.report.answered.add(case)
                found = list(unpaid(observed))
                if "failed" in outcomes:
                    found.append(FAILS)
                self.report.violations += [Violation(nobody.name, case, what) for what in found]

    def _compare(self, neighbour: Neighbour, base: Sequence[Observation], recorder: Recorder) -> None:
        """Each case on the larger database, with the releases of the smaller one."""
        report, done, slow = self.report, 0, list[Case]()
        with self._before(neighbour, recorder) as observer:
            for expected, case in zip(base, self._in_time(neighbour.name, self.cases), strict=False):
                done += 1
                observed = observer.observe(case.statements, expected.released)
                found = [*differences(expected, observed), *unpaid(observed)]
                report.violations += [Violation(neighbour.name, case, what) for what in found]
                slow += [case] if any(slower(expected, observed)) else []
                report.pairs[case.theme] += 1
                report.blocks[case.theme] += len(observed.released)
        report.unfinished += len(self.cases) - done
        for case in slow:
            again = [self._alone(side, case, recorder) for side in (neighbour.nobody, neighbour)]
            report.violations += [Violation(neighbour.name, case, what) for what in slower(*again)]

    def _alone(self, neighbour: Neighbour, case: Case, recorder: Recorder) -> Observation:
        """A case before a ledger that recalls nothing."""
        with self._before(neighbour, recorder) as observer:
            return observer.observe(case.statements)

    def _before(self, neighbour: Neighbour, recorder: Recorder) -> Before:
        return Before(self.databases, self.databases.source(neighbour), self.tested, recorder, self.source_timeout)

    def _in_time(self, name: str, cases: Sequence[Case]) -> Iterator[Case]:
        for done, case in enumerate(cases):
            if time.monotonic() > self.deadline:
                return
            self.progress(name, done, len(cases))
            yield case


def audit(
    databases: Databases,
    cases: Sequence[Case],
    neighbours: Sequence[Neighbour],
    source_timeout: float = SOURCE_TIMEOUT,
) -> Report:
    """Compare every case on every pair, however long it takes."""
    return Audit(databases, cases, source_timeout=source_timeout).run(neighbours)
