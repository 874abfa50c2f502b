"""Between exact sums and noise: what every block measured and released, and the same release for a neighbour.

On the neighbouring database the proxy shows the answers that the first one released. So all that a client sees of the
two must be alike to the letter: what the mechanisms show is the same, and whatever differs came past them. What
the mechanisms were given is compared apart, with the sensitivity that their noise is made for (`claims`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field

import pytest

from proxy.budget.stored_answer import StoredAnswer
from proxy.release.drawn import Drawn
from proxy.release.noisy_answers import release
from proxy.sql.planning.group_keys import KeyRow
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.source_queries.exact_sums import ExactResults, source_statements
from proxy.sql.staging.simulation import Simulation

SEED = 123456789
"""What a unit keeps of too many groups or values follows from a secret seed; two neighbours need the same one."""


@dataclass(frozen=True)
class Released:
    """One block's way from exact sums to what was released.

    Attributes:
        plan: what was claimed.
        measured: the exact sums.
        domain: the declared keys.
        candidates: the declared values of each mode.
        answer: what was released.
    """

    plan: BlockPlan
    measured: ExactResults = field(repr=False)
    domain: Sequence[KeyRow]
    candidates: Sequence[Sequence[KeyRow]]
    answer: StoredAnswer

    @property
    def question(self) -> tuple[object, ...]:
        """What was asked at which price; the same on neighbouring databases."""
        plan = self.plan
        promises = [repr(part) for part in (plan.mechanisms, plan.choosing, plan.selection, plan.price, plan.guarantee)]
        return (tuple(source_statements(plan)), *promises, tuple(self.domain), str(self.candidates))


Release = Callable[..., StoredAnswer]


@dataclass
class Recorder:
    """Records what is released, or plays earlier releases back.

    Attributes:
        released: of the case that runs now, in order.
        script: what to release instead, in the same order; None for fresh noise.
    """

    released: list[Released] = field(default_factory=list)
    script: Sequence[Released] | None = None

    def start(self, script: Sequence[Released] | None) -> None:
        """Begin a case."""
        self.released = []
        self.script = script

    def wrap(self, original: Release) -> Release:
        """The product's release, watched."""

        def watched(
            plan: BlockPlan,
            measured: ExactResults,
            domain: Sequence[KeyRow],
            drawn: Drawn,
            candidates: Sequence[Sequence[KeyRow]] = (),
        ) -> StoredAnswer:
            position = len(self.released)
            if self.script is not None and position < len(self.script):
                answer = self.script[position].answer
            else:
                answer = original(plan, measured, domain, drawn, candidates)
            self.released.append(Released(plan, measured, domain, candidates, answer))
            return answer

        return watched


@contextmanager
def recording() -> Iterator[Recorder]:
    """Watch every proxy of this process."""
    recorder = Recorder()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("proxy.query.releasing.release", recorder.wrap(release))
        patch.setattr("proxy.query.querying.uniform_bits", lambda _bits: SEED)
        patch.setattr(Simulation, "seeds", _seeds_of_rows(Simulation.seeds))
        yield recorder


def _seeds_of_rows(original: Callable[..., tuple[str, ...]]) -> Callable[..., tuple[str, ...]]:
    """The seeds of simulated noise, without the hash of the question: it has the database's name, which differs."""

    def seeds(simulation: Simulation, keys: Sequence[object], rows: Sequence[object]) -> tuple[str, ...]:
        patched = copy(simulation)
        patched._question = ""
        return original(patched, keys, rows)

    return seeds
