"""What budgets mean, in numbers: what an attacker may learn at most, and how many queries they pay (theorem 14)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from statistics import NormalDist
from typing import Final

from proxy.dp.accounting import Account, Price
from proxy.policy.findings import Finding, PolicyPath, SourceMap
from proxy.policy.model import Budget, Policy

_LARGE: Final = 10
"""An epsilon above which a budget says little."""
_PRIOR: Final = 0.01


@dataclass(frozen=True)
class Risk:
    """What somebody who knows all other rows may learn of one unit.

    Attributes:
        advantage: how much better than a coin such a person can tell whether the unit is in the data, from 0 to 1.
        posterior: the most that a suspicion of one in a hundred can grow to.
    """

    advantage: float
    posterior: float


def risk_at_worst(budget: Budget) -> Risk:
    """However a budget is spent, its delta left aside: odds change by a factor of at most e^epsilon."""
    epsilon = float(budget.epsilon)
    return Risk(math.tanh(epsilon / 2), 1 / (1 + (1 / _PRIOR - 1) * math.exp(-min(epsilon, 700.0))))


def risk_by_gaussian(budget: Budget) -> Risk | None:
    """Where all of a budget is spent on Gaussian noise; None if it cannot be, without delta.

    Releases of rho in all are then as hard to tell apart as two normal distributions whose means are mu = sqrt(2 rho)
    apart (Dong, Roth, Su: Gaussian Differential Privacy, corollary 2.13 and section 3.2). That does not hold of zCDP
    in general: Laplace noise and the exponential mechanism at the same rho can tell more.
    """
    if budget.delta == 0:
        return None
    mu = math.sqrt(2 * Account(Fraction(budget.epsilon), Fraction(budget.delta)).rho_max)
    normal = NormalDist()
    return Risk(2 * normal.cdf(mu / 2) - 1, normal.cdf(normal.inv_cdf(_PRIOR) + mu))


def check_meaning(policy: Policy, source_map: SourceMap) -> list[Finding]:
    """Budgets that protect little, and budgets that do not pay for a single query."""
    return [*_large(policy, source_map), *_unpaid(policy, source_map)]


def _budgets(policy: Policy) -> Iterator[tuple[PolicyPath, Budget]]:
    for name, unit in policy.units.items():
        if unit.budget is not None:
            yield ("units", name, "budget"), unit.budget
    for name, table in policy.tables.items():
        for key, budget in (("budget", table.budget), ("per_analyst", table.per_analyst)):
            if budget is not None:
                yield ("tables", name, key), budget


def _large(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    for path, budget in _budgets(policy):
        if budget.epsilon <= _LARGE:
            continue
        message = (
            f"an epsilon of {budget.epsilon} protects little: who knows all other rows can tell whether one unit is in "
            f"the data with an advantage of up to {_risk_text(risk_at_worst(budget))}"
        )
        gaussian = risk_by_gaussian(budget)
        if gaussian is not None:
            message += f"; if Gaussian noise is all that is paid for, {_risk_text(gaussian)}"
        yield source_map.warning("DP320", (*path, "epsilon"), message, f"choose at most {_LARGE}; 1 to 4 is usual")


def _risk_text(risk: Risk) -> str:
    advantage, posterior = (min(share, 0.9999) for share in (risk.advantage, risk.posterior))
    return f"{advantage:.4g}, and a suspicion of {_PRIOR:.0%} can grow to {posterior:.4g}"


def _unpaid(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    for name, table in policy.tables.items():
        unit = policy.units.get(table.unit.name) if table.unit is not None else None
        paying = (table.budget, table.per_analyst, unit.budget if unit is not None else None)
        places: tuple[PolicyPath, ...] = (
            ("tables", name, "budget"),
            ("tables", name, "per_analyst"),
            ("units", table.unit.name if table.unit is not None else "", "budget"),
        )
        for path, budget in zip(places, paying, strict=True):
            # A price above the budget's epsilon has a finding of its own.
            if budget is None or table.query.epsilon > budget.epsilon or queries_paid(budget, table.query.epsilon):
                continue
            message = f"it does not pay for one query on {name} at its default price of {table.query.epsilon}"
            yield source_map.warning("DP321", path, message, "lower query.epsilon to a tenth of the budget's or less")


def check_deltas(policy: Policy, sizes: Mapping[str, int], source_map: SourceMap) -> Iterator[Finding]:
    """A delta of one over the number of units would allow to publish somebody's rows: it has to be far below that.

    Args:
        policy: the policy.
        sizes: about how many units there are, by the unit's name.
        source_map: places in the policy's file.
    """
    for path, budget in _budgets(policy):
        table = policy.tables[str(path[1])] if path[0] == "tables" else None
        unit = str(path[1]) if table is None else table.unit.name if table.unit is not None else ""
        size = sizes.get(unit, 0)
        if budget.delta * size >= 1:
            message = (
                f"a delta of {budget.delta} is one over the number of units or more, which the database takes for "
                f"about {size:.0e}: publishing all rows of one {unit} would be allowed"
            )
            most = Decimal(1).scaleb(-len(str(size)))
            yield source_map.warning("DP322", (*path, "delta"), message, f"choose {most:.0E} or less")


def queries_paid(budget: Budget, epsilon: Decimal) -> int:
    """How many queries at a default price a budget pays for: with Gaussian noise, or Laplace noise without delta."""
    account = Account(Fraction(budget.epsilon), Fraction(budget.delta))
    price = Price.laplace(Fraction(epsilon)) if budget.delta == 0 else Price.gaussian(Fraction(epsilon) ** 2 / 2)
    return account.queries_left(Price.zero(), price)
