"""What budgets mean, in numbers: what an attacker may learn at most, and how many queries they pay (theorem 14)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Final

from proxy.dp.accounting import Account, Price
from proxy.dp.conversion import smallest_epsilon
from proxy.dp.risk import risk_text
from proxy.policy.account_rules import budgets
from proxy.policy.findings import Finding, PolicyPath, SourceMap
from proxy.policy.model import Budget, Policy, QueryPrice, TablePolicy
from proxy.policy.renewal import WINDOWS_PER_YEAR
from proxy.policy.window_rules import windows_within

_SOON: Final = dt.timedelta(days=30)
_MANY: Final = 1_000_000
_LARGE: Final = 10
"""An epsilon above which a budget says little."""


def check_meaning(policy: Policy, source_map: SourceMap) -> list[Finding]:
    """Budgets that protect little, and budgets that do not pay for a single query."""
    return [
        *_large(policy, source_map),
        *_renewing(policy, source_map),
        *_adding_up(policy, source_map),
        *_unpaid(policy, source_map),
        *_waiting(policy, source_map),
    ]


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


def _adding_up(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """What windows of time promise together of a unit that has rows in all of them."""
    for name, table in policy.tables.items():
        windows = windows_within(table)
        unit = policy.units.get(table.unit.name) if table.unit is not None else None
        has_limit = unit is not None and unit.budget is not None
        if table.unit is None or table.budget is None or windows is None or table.budget.total is not None or has_limit:
            continue
        message = (
            f"each {table.budget.per} has it by itself: of one {table.unit.name} with rows in all {len(windows)} "
            f"of them an epsilon of {float(len(windows) * table.budget.epsilon):.3g} may be told"
        )
        hint = "add `total: {epsilon: …, delta: …}`, or accept that with `# dpproxy: allow DP324 reason`"
        yield source_map.warning("DP324", ("tables", name, "budget", "per"), message, hint)


def _waiting(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Budgets that become available part by part pay for something soon."""
    later = dt.datetime.now(dt.UTC) + _SOON
    for name, table in policy.tables.items():
        for key, budget in (("budget", table.budget), ("per_analyst", table.per_analyst)):
            if budget is None or budget.unlock is None:
                continue
            since = budget.unlock.since or later.date() - _SOON
            share = Fraction(float(budget.unlock.share(later, dt.datetime.combine(since, dt.time(), dt.UTC))))
            if not share or not _most_paid(budget, table.query, share):
                message = f"it does not pay for one query in the next {_SOON.days} days"
                hint = "give an earlier `since`, a shorter `over`, or a lower query.epsilon"
                yield source_map.warning("DP339", ("tables", name, key, "unlock"), message, hint)


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
            rate = budget.at_most if budget is not None else None
            if budget is not None and rate is not None:
                yield from _hardly_paid((*path, "at_most"), name, budget.at_rate(rate), table, source_map)
            # A price above the budget's epsilon has a finding of its own.
            if budget is not None and table.query.epsilon <= budget.epsilon:
                yield from _hardly_paid(path, name, budget, table, source_map)
    for group_name, group in policy.groups.items():
        for name, table in policy.tables.items():
            asked = table.budget is not None and (group.may is None or name in group.may)
            if group.budget is not None and asked:
                yield from _hardly_paid(("groups", group_name, "budget"), name, group.budget, table, source_map)


_ALL: Final = Fraction(1)
_FEW: Final = 10
"""Queries with Laplace noise, where Gaussian noise, which is narrower for many numbers, cannot be paid."""


def _hardly_paid(
    path: PolicyPath, name: str, budget: Budget, table: TablePolicy, source_map: SourceMap
) -> Iterator[Finding]:
    most, price = _most_paid(budget, table.query), table.query.epsilon
    pays_gaussian = table.query.mechanism != "laplace" and budget.delta > 0
    if not most:
        message = f"it does not pay for one query on {name} at its default price of {price}"
    elif pays_gaussian and most < _FEW and not queries_paid(budget, price):
        queries = "1 query" if most == 1 else f"{most} queries"
        message = f"it pays for {queries} on {name} at its default price of {price}, with Laplace noise alone"
    else:
        return
    yield source_map.warning("DP321", path, message, "lower query.epsilon to a tenth of the budget's or less")


def _most_paid(budget: Budget, query: QueryPrice, available: Fraction = _ALL) -> int:
    """How many queries at the default price a part of a budget pays for, with whatever noise they may have."""
    epsilon, account = Fraction(query.epsilon), Account(Fraction(budget.epsilon), Fraction(budget.delta), available)
    prices = {"laplace": Price.laplace(epsilon), "gaussian": Price.gaussian(epsilon**2 / 2)}
    of_noise = [query.mechanism] if query.mechanism != "auto" else [*prices]
    return max(account.queries_left(Price.zero(), prices[name]) for name in of_noise)


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


def check_noise(policy: Policy, sizes: Mapping[str, int], source_map: SourceMap) -> Iterator[Finding]:
    """At the default price the noise of a sum is narrower than what its bounds leave open, over all units there are.

    Args:
        policy: the policy.
        sizes: about how many units there are, by the unit's name; a million where that is not known.
        source_map: places in the policy's file.
    """
    for name, table in policy.tables.items():
        if table.unit is None or table.budget is None:
            continue
        units = max(sizes.get(table.unit.name, _MANY), 1)
        if table.contribution.min_units >= units and table.unit.name in sizes:
            message = f"no undeclared group ever shows: the database takes the units for about {units}"
            hint = "lower it to what a group has to have at least, such as 20"
            yield source_map.warning("DP323", ("tables", name, "contribution", "min_units"), message, hint)
        rows = table.contribution.max_rows_per_group or table.contribution.max_rows or 1
        for column_name, column in (table.columns or {}).items():
            for key, bounds in (("bounds", column.bounds), ("range", column.range)):
                low, high = bounds or (None, None)
                if not isinstance(low, Decimal) or not isinstance(high, Decimal):
                    continue
                if column.listed or _are_years(low, high):
                    continue  # to group by, and not to sum
                # Of Laplace noise, 95 % is within three times its scale.
                width = 3 * rows * max(abs(low), abs(high)) / table.query.epsilon
                if width <= units * (high - low):
                    continue
                known = "about " if table.unit.name in sizes else "as many as "
                message = (
                    f"at the default price the noise of a sum is about ±{width:.0e}: more than all that the bounds "
                    f"leave open, with {known}{units} units"
                )
                hint = f"subtract a value near by in a view, as in {column_name} - {low:f}, or raise query.epsilon"
                yield source_map.warning("DP316", ("tables", name, "columns", column_name, key), message, hint)


def _are_years(low: Decimal, high: Decimal) -> bool:
    """Are bounds those of calendar years?"""
    return low == low.to_integral_value() and high == high.to_integral_value() and 1500 <= low <= high <= 2200


def queries_paid(budget: Budget, epsilon: Decimal) -> int:
    """How many queries at a default price a budget pays for: with Gaussian noise, or Laplace noise without delta."""
    account = Account(Fraction(budget.epsilon), Fraction(budget.delta))
    price = Price.laplace(Fraction(epsilon)) if budget.delta == 0 else Price.gaussian(Fraction(epsilon) ** 2 / 2)
    return account.queries_left(Price.zero(), price)
