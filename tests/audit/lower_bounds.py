"""Statistical lower bounds of what releases really cost, which must stay below what they claim.

A block is released thousands of times from the exact numbers of two neighbours. On one half of the releases an event is
chosen that tells the neighbours apart: a threshold on a linear score of all that was released. On the other half its two
probabilities are bounded by Clopper and Pearson's intervals, both of them right with 99.9 % (each side with 99.95 %).
Then with p >= `low` on one database and q <= `high` on the other:

- a release that is ε-DP has p <= e^ε·q, so ε >= ln(low / high);
- a release that is ρ-zCDP has Rényi divergences of at most α·ρ, also between the two answers to "did the event
  happen?", so ρ >= D_α(low, high) / α for every α > 1;
- groups that only one unit is in are shown with probability at most δ, so δ >= the lower bound of that.

A correct mechanism fails one check of ε or ρ in a hundred thousand by chance, since both sides have to be missed; `CHECKS`
are tried in both directions. The chance to show a group is known to be δ itself for the optimal mechanism, so that one
side decides: it is right with 99.999 %.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta

import proxy.release.noisy_answers
from proxy.budget.stored_answer import StoredAnswer
from proxy.release.drawn import draw
from tests.audit.cases import Case
from tests.audit.clinic import policy
from tests.audit.databases import Databases
from tests.audit.neighbours import NEIGHBOURS, Neighbour
from tests.audit.observing import Before
from tests.audit.recorder import Released, recording
from tests.audit.running import Violation

RELEASES: Final = 4000
"""Of each neighbour, half of them to choose the event."""

MISS: Final = 0.0005
"""The chance that one side of an interval does not hold."""

MISS_OF_GROUPS: Final = 1e-5
"""The chance that the lower bound of δ does not hold."""

DELTA: Final = "0.05"
"""So large that a threshold which shows a unit's own groups too often is caught within some thousand releases."""

_ORDERS: Final = np.exp(np.linspace(math.log(1.01), math.log(64), 60))

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Check:
    """A statement and the neighbour that makes the most of it.

    Attributes:
        neighbour: its name.
        statements: the settings, and last the statement.
    """

    neighbour: str
    statements: tuple[str, ...]


_LAPLACE, _GAUSSIAN, _ONE_GROUP = (
    "SET dp.mechanism = laplace;",
    "SET dp.mechanism = gaussian;",
    "SET dp.max_groups = 1;",
)
_BUSY, _OWN, _LONE, _ALONE, _ONCE = (
    "10 000 rows in one group",
    "100 rows in 100 groups of its own",
    "one group of its own",
    "nobody else",
    "one row in every table",
)
CHECKS: Final = [
    Check(_BUSY, (_LAPLACE, "SELECT count(*) FROM visits;")),
    Check(_BUSY, (_GAUSSIAN, "SELECT count(*) FROM visits;")),
    Check(_BUSY, (_LAPLACE, "SELECT region, sum(cost) FROM visits GROUP BY region;")),
    Check(_BUSY, (_GAUSSIAN, "SELECT region, sum(score), avg(minutes) FROM visits GROUP BY region;")),
    Check(_ONCE, (_LAPLACE, "SELECT sex, count(*), sum(height) FROM people GROUP BY sex;")),
    Check(_ONCE, (_GAUSSIAN, "SELECT stddev(height) FROM people;")),
    Check(_OWN, (_LAPLACE, "SELECT count(DISTINCT ward) FROM visits;")),
    Check(_OWN, (_GAUSSIAN, "SELECT count(DISTINCT cost), count(DISTINCT person) FROM visits;")),
    Check(_BUSY, (_LAPLACE, "SELECT region, urgent, count(*) FROM visits GROUP BY CUBE (region, urgent);")),
    Check(_BUSY, (_GAUSSIAN, "SELECT region, urgent, sum(cost) FROM visits GROUP BY CUBE (region, urgent);")),
    Check(_LONE, (_LAPLACE, "SELECT company, count(*) FROM insurances GROUP BY company;")),
    Check(_LONE, (_GAUSSIAN, "SELECT company, count(*) FROM insurances GROUP BY company;")),
    Check(_ALONE, (_ONE_GROUP, _LAPLACE, "SELECT town, count(*) FROM people GROUP BY town;")),
    Check(_BUSY, (_GAUSSIAN, "SELECT ward, count(*), sum(cost) FROM visits GROUP BY ward;")),
    Check(_ALONE, (_LAPLACE, "SELECT max(minutes) FROM visits;")),
    Check(_ALONE, (_GAUSSIAN, "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY minutes) FROM visits;")),
    Check(_ALONE, (_LAPLACE, "SELECT mode() WITHIN GROUP (ORDER BY region) FROM visits;")),
    Check(_ALONE, (_GAUSSIAN, "SELECT mode() WITHIN GROUP (ORDER BY urgent), count(*) FROM visits;")),
]


@dataclass(frozen=True)
class Bound:
    """What is certain of one claim.

    Attributes:
        check: what was released.
        claim: "epsilon", "rho" or "delta".
        claimed: at most so much.
        lower: at least so much, with 99.9 % or more.
    """

    check: Check
    claim: str
    claimed: float
    lower: float

    @property
    def holds(self) -> bool:
        return self.lower <= self.claimed

    def __str__(self) -> str:
        return f"{self.claim} is at least {self.lower:.3g}, claimed {self.claimed:.3g}"


def recorded(databases: Databases, checks: Sequence[Check] = CHECKS) -> list[tuple[Check, Released, Released]]:
    """What each check's block measured of the two neighbours, the smaller one first."""
    named = {neighbour.name: neighbour for neighbour in NEIGHBOURS}
    found: dict[Neighbour, dict[Check, Released]] = {}
    tested = policy(delta=DELTA)
    with recording() as recorder:
        for neighbour in {side for check in checks for side in (named[check.neighbour], named[check.neighbour].nobody)}:
            with Before(databases, databases.source(neighbour), tested, recorder) as observer:
                found[neighbour] = {}
                for check in checks:
                    if neighbour in (named[check.neighbour], named[check.neighbour].nobody):
                        (found[neighbour][check],) = observer.observe(check.statements).released
    return [
        (check, found[named[check.neighbour].nobody][check], found[named[check.neighbour]][check]) for check in checks
    ]


def bounds(check: Check, smaller: Released, whole: Released, releases: int = RELEASES) -> Iterator[Bound]:
    """What is certain of a block's price."""
    own = set(whole.measured.keys) - set(smaller.measured.keys) if whole.plan.selection is not None else set()
    answers = [_answers(database, releases) for database in (smaller, whole)]
    price = whole.plan.price
    if own:
        shown = sum(not own.isdisjoint(answer.keys) for answer in answers[1])
        yield Bound(check, "delta", float(price.delta), _at_least(shown, releases, MISS_OF_GROUPS))
    few, many = _features(answers, own)
    claim, claimed = ("rho", price.rho) if price.epsilon is None else ("epsilon", price.epsilon)
    for first, second in ((few, many), (many, few)):
        yield Bound(check, claim, float(claimed), _lower_bound(first, second, pure=claim == "epsilon"))


def _answers(released: Released, count: int) -> list[StoredAnswer]:
    """So many independent releases. All take from one stock, whose draws are independent: a stock of its own for each
    would be the same law, and mostly thrown away."""
    release = proxy.release.noisy_answers.release
    drawn = draw(released.plan, released.domain)
    return [
        release(released.plan, released.measured, released.domain, drawn, released.candidates) for _ in range(count)
    ]


def _features(answers: Sequence[Sequence[StoredAnswer]], own: set[Any]) -> tuple[Matrix, Matrix]:
    """What was released as numbers: a row for each release, without the groups that only one unit is in."""
    keys = {key: None for releases in answers for answer in releases for key in answer.keys if key not in own}
    texts = {text for releases in answers for answer in releases for row in answer.chosen for text in row}
    names = sorted(text for text in texts if text is not None and not text.isdigit())
    parts = []
    for releases in answers:
        rows = []
        for answer in releases:
            chosen = answer.chosen or ((),) * len(answer.keys)
            known = {
                key: [1.0, *map(float, values), *_chosen(row, names)]
                for key, values, row in zip(answer.keys, answer.values, chosen, strict=True)
            }
            width = max(map(len, known.values()), default=1)
            rows.append([number for key in keys for number in known.get(key, [0.0] * width)])
        longest = max(map(len, rows))
        parts.append(np.array([row if len(row) == longest else [0.0] * longest for row in rows]).reshape(len(rows), -1))
    return parts[0], parts[1]


def _chosen(row: Sequence[str | None], names: Sequence[str]) -> Iterator[float]:
    """The numbers of buckets, and for each name, and for nothing, whether it is chosen."""
    yield from (float(text) if text is not None and text.isdigit() else 0.0 for text in row)
    yield from (float(name in row) for name in (*names, None))


def _lower_bound(first: Matrix, second: Matrix, *, pure: bool) -> float:
    """A lower bound of ε, or of ρ, from the event that the best threshold on a linear score makes."""
    half = len(first) // 2
    if first.shape != second.shape or not first.size:
        return 0.0
    spread = np.maximum(first[:half].var(axis=0) + second[:half].var(axis=0), 1e-9)
    direction = (first[:half].mean(axis=0) - second[:half].mean(axis=0)) / spread
    scores, others = first @ direction, second @ direction
    best, chosen = -math.inf, math.inf
    for threshold in np.unique(
        np.quantile(np.concatenate([scores[:half], others[:half]]), np.linspace(0.01, 0.99, 99))
    ):
        found = _certain(scores[:half], others[:half], threshold, pure=pure)
        if found > best:
            best, chosen = found, threshold
    return _certain(scores[half:], others[half:], chosen, pure=pure)


def _certain(scores: Matrix, others: Matrix, threshold: float, *, pure: bool) -> float:
    low = _at_least(int((scores >= threshold).sum()), len(scores))
    high = 1 - _at_least(int((others < threshold).sum()), len(others))
    if low <= high:
        return 0.0
    if pure:
        return math.log(low / high)
    return float(max(_renyi(low, high, order) / order for order in _ORDERS))


@cache
def _at_least(times: int, tries: int, miss: float = MISS) -> float:
    """The lower end of Clopper and Pearson's interval."""
    return float(beta.ppf(miss, times, tries - times + 1)) if times else 0.0


def _renyi(low: float, high: float, order: float) -> float:
    """The Rényi divergence of two coins."""
    terms = [
        order * math.log(p) + (1 - order) * math.log(q)
        for p, q in ((low, high), (1 - low, 1 - high))
        if p > 0 and q > 0
    ]
    top = max(terms)
    return (top + math.log(sum(math.exp(term - top) for term in terms))) / (order - 1)


def lower_bounds(databases: Databases) -> list[Violation]:
    """All checks of which a claim is certainly too low."""
    found = []
    for check, smaller, whole in recorded(databases):
        case = Case("lower bounds", check.statements)
        found += [
            Violation(check.neighbour, case, str(bound)) for bound in bounds(check, smaller, whole) if not bound.holds
        ]
    return found
