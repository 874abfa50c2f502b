"""Bugs that the audit must find: each is planted in the product, with the least that shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

import pytest

import proxy.query.notices
from proxy.budget.ledger import Ledger
from proxy.budget.order import AccountCharge
from proxy.dp.accounting import Price
from proxy.dp.exponential import ExponentialMechanism
from proxy.dp.noise import discrete_gaussian, discrete_laplace
from proxy.dp.selection import KeySelection
from proxy.dp.truncated_geometric import TruncatedGeometricSelection
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import GridSum
from proxy.sql.source_queries import by_norm, exact_sums
from tests.audit.cases import Case
from tests.audit.lower_bounds import Check

Plant = Callable[[pytest.MonkeyPatch], None]
HUGE: Final = 10**6


@dataclass(frozen=True)
class Planted:
    """A bug.

    Attributes:
        name: what is wrong.
        plant: puts it into the product.
        neighbour: what the one unit has.
        statements: what shows it.
    """

    name: str
    plant: Plant
    neighbour: str
    statements: tuple[str, ...]

    @property
    def case(self) -> Case:
        return Case("planted", self.statements)

    @property
    def check(self) -> Check:
        return Check(self.neighbour, self.statements)


def _measuring(change: Callable[[BlockPlan], BlockPlan]) -> Plant:
    """The source query is made from another plan than the one that was priced."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        statements = exact_sums.source_statements
        patch.setattr(exact_sums, "source_statements", lambda plan, seed=0: statements(change(plan), seed))

    return plant


def _bounds(**bounds: Any) -> Plant:
    return _measuring(lambda plan: replace(plan, contribution=replace(plan.contribution, **bounds)))


def _unclamped(plan: BlockPlan) -> BlockPlan:
    wide = [
        replace(one, grid=replace(one.grid, low=-HUGE * HUGE, high=HUGE * HUGE)) if isinstance(one, GridSum) else one
        for one in plan.statistics
    ]
    return replace(plan, statistics=tuple(wide))


def _unguarded(patch: pytest.MonkeyPatch) -> None:
    statements = exact_sums.source_statements
    patch.setattr(
        exact_sums,
        "source_statements",
        lambda plan, seed=0: [text.replace("NULLIF(", "coalesce(") for text in statements(plan, seed)],
    )


def _telling(patch: pytest.MonkeyPatch) -> None:
    """The notice of a price says how many groups the source has."""
    counts: list[int] = []
    read, charged = exact_sums.read_results, proxy.query.notices.charged

    def counting(*arguments: Any) -> exact_sums.ExactResults:
        found = read(*arguments)
        counts.append(len(found.keys))
        return found

    patch.setattr(exact_sums, "read_results", counting)
    patch.setattr(proxy.query.notices, "charged", lambda *known: replace(charged(*known), detail=f"{counts[-1:]}"))


def _charging(change: Callable[[Sequence[AccountCharge]], Sequence[AccountCharge]]) -> Plant:
    def plant(patch: pytest.MonkeyPatch) -> None:
        charge = Ledger.charge

        async def changed(self: Ledger, analyst: str, charges: Sequence[AccountCharge], *rest: Any) -> Any:
            return await charge(self, analyst, change(charges), *rest)

        patch.setattr(Ledger, "charge", changed)

    return plant


def _cheaper(charges: Sequence[AccountCharge]) -> list[AccountCharge]:
    def half(price: Price) -> Price:
        return Price(None if price.epsilon is None else price.epsilon / 2, price.rho / 2, price.delta / 2)

    return [replace(charge, price=half(charge.price)) for charge in charges]


def _less_noise(patch: pytest.MonkeyPatch) -> None:
    """Half the scale: σ² is a quarter."""
    module = "proxy.dp.mechanisms"
    patch.setattr(f"{module}.discrete_laplace", lambda scale, count: discrete_laplace(scale / 2, count))
    patch.setattr(f"{module}.discrete_gaussian", lambda variance, count: discrete_gaussian(variance / 4, count))


def _lower_threshold(patch: pytest.MonkeyPatch) -> None:
    """One unit too low, of both ways to select."""
    threshold, select = KeySelection.threshold.fget, TruncatedGeometricSelection.select  # type: ignore[attr-defined]
    patch.setattr(KeySelection, "threshold", property(lambda self: threshold(self) - self.resolution))
    patch.setattr(TruncatedGeometricSelection, "select", lambda self, units, drawn=None: select(self, units + 1, drawn))


def _sharper_choices(patch: pytest.MonkeyPatch) -> None:
    rate = ExponentialMechanism.rate.fget  # type: ignore[attr-defined]
    patch.setattr(ExponentialMechanism, "rate", property(lambda self: 3 * Fraction(rate(self))))


BUSY, OWN, ALONE, ONCE, EXTREME = (
    "10 000 rows in one group",
    "100 rows in 100 groups of its own",
    "nobody else",
    "one row in every table",
    "NaN, infinities, BC",
)
PLANTED: Final = [
    Planted("no clip of rows", _bounds(max_rows=HUGE), BUSY, ("SELECT count(*) FROM visits;",)),
    Planted("a clip that is one row too lax", _bounds(max_rows=7), BUSY, ("SELECT sum(cost) FROM visits;",)),
    Planted(
        "no clip of rows in a group",
        _bounds(max_rows_per_group=6),
        BUSY,
        ("SET dp.mechanism = gaussian;", "SELECT region, count(*) FROM visits GROUP BY region;"),
    ),
    Planted("no clip of distinct values", _bounds(max_rows=HUGE), OWN, ("SELECT count(DISTINCT cost) FROM visits;",)),
    Planted(
        "a norm that is always the least",
        lambda patch: patch.setattr(by_norm, "bucket_sql", lambda *_: "0"),
        OWN,
        ("SELECT company, count(*), sum(premium) FROM insurances GROUP BY company;",),
    ),
    Planted(
        "no clip of a histogram",
        _bounds(max_rows=HUGE),
        BUSY,
        ("SELECT mode() WITHIN GROUP (ORDER BY region) FROM visits;",),
    ),
    Planted(
        "no clip of totals",
        _bounds(max_rows=HUGE),
        BUSY,
        ("SELECT region, count(*) FROM visits GROUP BY ROLLUP (region);",),
    ),
    Planted(
        "all groups of a unit weigh",
        _bounds(max_groups=HUGE),
        OWN,
        ("SELECT ward, count(*) FROM visits GROUP BY ward;",),
    ),
    Planted("an unclamped sum", _measuring(_unclamped), OWN, ("SELECT sum(minutes) FROM visits;",)),
    Planted("an unclamped sum of single rows", _measuring(_unclamped), EXTREME, ("SELECT sum(grade) FROM people;",)),
    Planted(
        "an expression without its guard",
        _unguarded,
        BUSY,
        ("SELECT sum(100 / (minutes - 240)) FROM visits WHERE minutes IS NOT NULL;",),
    ),
    Planted("a notice that counts groups", _telling, OWN, ("SELECT ward, count(*) FROM visits GROUP BY ward;",)),
    Planted("half the price is charged", _charging(_cheaper), ONCE, ("SELECT count(*) FROM visits;",)),
    Planted(
        "an account is not charged",
        _charging(lambda charges: charges[:1]),
        ONCE,
        ("SELECT count(*) FROM visits JOIN people USING (person);",),
    ),
]
"""What exact numbers, or what a client sees, betray."""

LAPLACE, GAUSSIAN = "SET dp.mechanism = laplace;", "SET dp.mechanism = gaussian;"
PLANTED_IN_NOISE: Final = [
    Planted("half the Laplace noise", _less_noise, BUSY, (LAPLACE, "SELECT count(*) FROM visits;")),
    Planted("half the Gaussian noise", _less_noise, BUSY, (GAUSSIAN, "SELECT count(*) FROM visits;")),
    Planted(
        "a threshold one unit too low, Gaussian",
        _lower_threshold,
        "one group of its own",
        (GAUSSIAN, "SELECT company, count(*) FROM insurances GROUP BY company;"),
    ),
    Planted(
        "a threshold one unit too low, optimal",
        _lower_threshold,
        ALONE,
        ("SET dp.max_groups = 1;", LAPLACE, "SELECT town, count(*) FROM people GROUP BY town;"),
    ),
    Planted(
        "a choice at three times its rate",
        _sharper_choices,
        ALONE,
        (LAPLACE, "SELECT mode() WITHIN GROUP (ORDER BY urgent) FROM visits;"),
    ),
]
"""What only many releases betray."""
