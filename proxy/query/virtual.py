"""The rows of dp.budget and dp.ledger, which are empty on the stage and filled in for each query."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from proxy.budget.ledger import Ledger
from proxy.dp.accounting import Account, Price
from proxy.policy.model import Budget, Policy
from proxy.policy.window_rules import windows_within
from proxy.postgres.stage_description import VIRTUAL_COLUMNS
from proxy.query.window_ranges import ranges
from proxy.sql.staging.values import values_relation

_MOST_CHARGES = 10_000


async def virtual_relation(name: str, policy: Policy, ledger: Ledger, analyst: str) -> str:
    """A subquery with the current rows of dp.`name` as `analyst` may see them."""
    if name == "budget":
        return values_relation(VIRTUAL_COLUMNS[name], budget_rows(policy, await ledger.accounts(), [analyst]))
    return values_relation(VIRTUAL_COLUMNS[name], await _ledger_rows(ledger, analyst))


def budget_rows(policy: Policy, spent: Mapping[str, Price], analysts: Collection[str]) -> list[tuple[str | None, ...]]:
    """Rows of dp.budget: the limits, spending and rest of every account that a query of one of `analysts` can charge.

    Args:
        policy: has the limits.
        spent: by account; an absent one has spent nothing.
        analysts: whose own accounts are shown, beside those of tables and units.
    """
    rows = []
    for name, table in policy.tables.items():
        unit = table.unit.name if table.unit is not None else None
        windows = windows_within(table)
        of = table.budget.of if table.budget is not None else None
        places = [f".{of}@{window}" for window in windows.labels] if windows is not None else [""]
        if table.budget is not None:
            rows += _windows(f"table:{name}", (unit, name, None), table.budget, places, spent)
            if table.budget.total is not None:
                rows += _windows(f"table:{name}", (unit, name, None), table.budget.total, [""], spent)
        if table.per_analyst is not None:
            for analyst in analysts:
                rows += _windows(f"analyst:{analyst}:{name}", (unit, name, analyst), table.per_analyst, places, spent)
    for name, unit_policy in policy.units.items():
        if unit_policy.budget:
            rows += _windows(f"unit:{name}", (name, None, None), unit_policy.budget, [""], spent)
    return rows


def _windows(
    owner: str,
    about: tuple[str | None, str | None, str | None],
    budget: Budget,
    places: Sequence[str],
    spent: Mapping[str, Price],
) -> list[tuple[str | None, ...]]:
    """The rows of an account, or of those of its windows; of windows with the same numbers, one."""
    accounts = [(f"{owner}{place}", spent.get(f"{owner}{place}", Price.zero())) for place in places]
    return [(name, *about, *_numbers(budget, used)) for name, used in ranges(accounts)]


def _numbers(budget: Budget, used: Price) -> tuple[str | None, ...]:
    """The limits of an account, what it has spent, and what is left."""
    limit = Account(Fraction(budget.epsilon), Fraction(budget.delta))
    pure = used.epsilon
    return (
        _decimal(limit.epsilon),
        None if pure is None else _decimal(pure),
        None if pure is None else _decimal(limit.epsilon - pure),
        _decimal(limit.rho_max),
        _decimal(used.rho),
        _decimal(limit.delta),
        _decimal(used.delta),
        f"{float(100 * limit.share_left(limit.remaining(used))):.1f}",
    )


def _decimal(value: Fraction) -> str:
    """Twelve significant digits, for reading; decisions use the ledger's exact amounts."""
    return format(Decimal(f"{float(value):.12g}"), "f")


async def _ledger_rows(ledger: Ledger, analyst: str) -> list[tuple[str | None, ...]]:
    return [
        (
            record.recorded_at.isoformat(),
            record.analyst,
            record.account,
            None if record.price.epsilon is None else _decimal(record.price.epsilon),
            _decimal(record.price.rho),
            _decimal(record.price.delta),
            record.statement,
            None if record.share is None else repr(record.share),
            record.report,
        )
        for record in await ledger.history(_MOST_CHARGES, analyst)
    ]
