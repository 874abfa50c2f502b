"""The mutants of a run and what became of each, in a session file of cosmic-ray, which `cr-report` reads too."""

from __future__ import annotations

import difflib
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.work_db import WorkDB
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkerOutcome, WorkItem, WorkResult

from tests.mutation.operators import OPERATORS, operators_for


@dataclass(frozen=True)
class Mutant:
    """A change to one module.

    Attributes:
        job: its id in the session.
        path: of the module, from the project's root.
        operator: name of the operator that makes it.
        occurrence: which of this operator's mutants of the module it is.
        first_line, last_line: where it is.
        definition: the function or class that it is in, None outside of any.
    """

    job: str
    path: str
    operator: str
    occurrence: int
    first_line: int
    last_line: int
    definition: str | None

    @property
    def module(self) -> str:
        """The name that the module is imported by."""
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def name(self) -> str:
        """For people: where it is and what it does."""
        return f"{self.path}:{self.first_line} {self.operator} #{self.occurrence} in {self.definition}"

    def source(self) -> str:
        """The mutated module's text."""
        return _source(self)

    def diff(self) -> str:
        """What it changes."""
        before, after = Path(self.path).read_text().splitlines(), self.source().splitlines()
        return "\n".join(list(difflib.unified_diff(before, after, lineterm="", n=1))[2:])


@lru_cache(maxsize=2)
def _source(mutant: Mutant) -> str:
    mutated = mutate_code(Path(mutant.path).read_text(), OPERATORS[mutant.operator](), mutant.occurrence)
    if mutated is None:
        raise ValueError(f"{mutant.path} has changed since {mutant.job} was noted")
    return str(mutated)


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant.

    Attributes:
        killer: the test that failed; None if all passed.
        tests: how many were run.
        seconds: how long they took.
    """

    killer: str | None
    tests: int
    seconds: float


class Session:
    """A session file. Use it in a `with`."""

    def __init__(self, path: Path) -> None:
        self._database: Any = WorkDB(str(path), WorkDB.Mode.create)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def plan(self, paths: Iterable[Path], operators: Iterable[str] | None = None) -> int:
        """Note all mutants of these modules that are not noted yet; how many there were to note.

        Args:
            paths: of modules, from the project's root.
            operators: the names of those to use; each module's own if None.
        """
        known = {(mutant.path, mutant.operator, mutant.occurrence) for mutant in self.mutants()}
        items = [
            WorkItem.single(uuid.uuid4().hex, spec)
            for path in paths
            for spec in _specs(path, operators)
            if (str(spec.module_path), spec.operator_name, spec.occurrence) not in known
        ]
        self._database.add_work_items(items)
        return len(items)

    def mutants(self) -> Iterator[Mutant]:
        """All mutants."""
        return map(_mutant, self._database.work_items)

    def pending(self) -> Iterator[Mutant]:
        """Those without a result."""
        return map(_mutant, self._database.pending_work_items)

    def note(self, mutant: Mutant, outcome: Outcome) -> None:
        """Note what became of a mutant, in place of what was known."""
        killed = outcome.killer is not None
        said = f"{outcome.killer or 'survived'} ({outcome.tests} tests, {outcome.seconds:.1f} s)"
        result = WorkResult(
            worker_outcome=WorkerOutcome.NORMAL if outcome.tests else WorkerOutcome.NO_TEST,
            output=said,
            test_outcome=TestOutcome.KILLED if killed else TestOutcome.SURVIVED,
            diff=mutant.diff() if outcome.tests else None,
        )
        self._database.set_result(mutant.job, result)

    def results(self) -> dict[str, tuple[bool, str]]:
        """For each mutant that was tried: was it killed, and what was said of it."""
        return {job: (result.is_killed, result.output) for job, result in self._database.results}


def _specs(path: Path, operators: Iterable[str] | None) -> Iterator[MutationSpec]:
    chosen = [OPERATORS[name] for name in operators] if operators is not None else operators_for(str(path))
    tree = get_ast(path.read_text())
    for operator in chosen:
        made = operator()
        places = ((node, *place) for node in ast_nodes(tree) for place in made.mutation_positions(node))
        for occurrence, (node, start, end) in enumerate(places):
            yield MutationSpec(path, operator.__name__, occurrence, start, end, definition_name=_definition(node))


def _definition(node: Any) -> str | None:
    names = []
    while node is not None:
        if node.type in ("funcdef", "classdef"):
            names.append(node.name.value)
        node = node.parent
    return ".".join(reversed(names)) or None


def _mutant(item: WorkItem) -> Mutant:
    (spec,) = item.mutations
    return Mutant(
        item.job_id,
        str(spec.module_path),
        spec.operator_name,
        spec.occurrence,
        spec.start_pos[0],
        spec.end_pos[0],
        spec.definition_name,
    )
