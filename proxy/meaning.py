"""What budgets mean, in numbers: what an attacker may learn at most, and how many queries they pay (theorem 14)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Final

from proxy.dp.accounting import Account, Price
from proxy.dp.conversion import smallest_epsilon
from proxy.dp.risk import risk_text
from proxy.policy.account_rules import budgets
from proxy.policy.findings import Finding, PolicyPath, SourceMap
from proxy.policy.model import Budget, Policy
from proxy.policy.renewal import WINDOWS_PER_YEAR

_LARGE: Final = 10
"""An epsilon above which a budget says little."""


def check_meaning(policy: Policy, source_map: SourceMap) -> list[Finding]:
    """Budgets that protect little, and budgets that do not pay for a single query."""
    return [*_large(policy, source_map), *_renewing(policy, source_map), *_unpaid(policy, source_map)]


def _large(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    for path, budget in budgets(policy):
        if budget.epsilon <= _LARGE:
            continue
        risk = risk_text(Account(Fraction(budget.epsilon), Fraction(budget.delta)))
        message = f"an epsilon of {budget.epsilon} protects little: who knows all other rows can tell {risk}"
        yield source_map.warning("DP320", (*path, "epsilon"), message, f"choose at most {_LARGE}; 1 to 4 is usual")


def _renewing(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """What a budget that renews promises of a year, in which its windows add up."""
    for path, budget in budgets(policy):
        if budget.renew is None:
            continue
        windows, account = (
            WINDOWS_PER_YEAR[budget.renew.every],
            Account(Fraction(budget.epsilon), Fraction(budget.delta)),
        )
        together = f"epsilon {float(windows * budget.epsilon):.3g}"
        if budget.delta:
            gaussian = float(smallest_epsilon(windows * account.rho_max, account.delta_conversion))
            delta = float(windows * budget.delta)
            together += f" and delta {delta:.3g} (epsilon {gaussian:.3g} if Gaussian noise is all that is paid for)"
        message = (
            f"it begins anew every {budget.renew.every}, and promises something of each window alone: what the "
            f"{windows} of a year tell of the same rows adds up, to {together}"
        )
        hint = "accept that with `# dpproxy: allow DP336 reason`, or write `renew: never`"
        yield source_map.warning("DP336", (*path, "renew"), message, hint)


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
    for path, budget in budgets(policy):
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
