"""The rows of dp.budget and dp.ledger: relations that exist empty on the stage and that the proxy fills per query."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction

from proxy.budget.ledger import Ledger
from proxy.dp.accounting import Account, Price
from proxy.policy.model import Budget, Policy
from proxy.sql.term import quote_literal

BUDGET_COLUMNS = (
    ("account", "text"),
    ("epsilon", "numeric"),
    ("delta", "numeric"),
    ("epsilon_spent", "numeric"),
    ("rho_spent", "numeric"),
    ("delta_spent", "numeric"),
    ("rho_limit", "numeric"),
    ("spent_percent", "numeric"),
)
"""dp.budget: limits, what was spent on each rail (epsilon_spent is NULL once Gaussian noise was used), and the share of
the rail with more room."""

LEDGER_COLUMNS = (
    ("charged_at", "timestamp with time zone"),
    ("account", "text"),
    ("epsilon", "numeric"),
    ("rho", "numeric"),
    ("delta", "numeric"),
    ("statement", "text"),
)
"""dp.ledger: the analyst's own charges, newest first."""

_MOST_CHARGES = 10_000


async def virtual_relation(name: str, policy: Policy, ledger: Ledger, analyst: str) -> str:
    """A subquery with the current rows of dp.`name` as `analyst` may see them."""
    if name == "budget":
        return _values(BUDGET_COLUMNS, await _budget_rows(policy, ledger, analyst))
    return _values(LEDGER_COLUMNS, await _ledger_rows(ledger, analyst))


def _values(columns: Sequence[tuple[str, str]], rows: Iterable[Sequence[str | None]]) -> str:
    names = ", ".join(column for column, _ in columns)
    casts = ", ".join(f"v.{column}::{type_name} AS {column}" for column, type_name in columns)
    lines = ["(" + ", ".join("NULL" if value is None else quote_literal(value) for value in row) + ")" for row in rows]
    if not lines:
        nulls = ", ".join("NULL::text" for _ in columns)
        return f"(SELECT {casts} FROM (SELECT {nulls} LIMIT 0) AS v({names}))"
    return f"(SELECT {casts} FROM (VALUES {', '.join(lines)}) AS v({names}))"


def _accounts(policy: Policy, analyst: str) -> list[tuple[str, Budget]]:
    accounts = []
    for name, table in policy.tables.items():
        if table.budget is not None:
            accounts.append((f"table:{name}", table.budget))
        if table.per_analyst is not None:
            accounts.append((f"analyst:{analyst}:{name}", table.per_analyst))
    accounts.extend((f"unit:{name}", unit.budget) for name, unit in policy.units.items() if unit.budget is not None)
    return accounts


async def _budget_rows(policy: Policy, ledger: Ledger, analyst: str) -> list[tuple[str | None, ...]]:
    spent = await ledger.accounts()
    return [_budget_row(name, budget, spent.get(name, Price.zero())) for name, budget in _accounts(policy, analyst)]


def _budget_row(name: str, budget: Budget, spent: Price) -> tuple[str | None, ...]:
    account = Account(Fraction(budget.epsilon), Fraction(budget.delta))
    shares = [spent.rho / account.rho_max] if account.rho_max else []
    if spent.epsilon is not None:
        shares.append(spent.epsilon / account.epsilon)
    percent = 100 * min(shares) if shares else Fraction(100)
    return (
        name,
        _decimal(Fraction(budget.epsilon)),
        _decimal(Fraction(budget.delta)),
        None if spent.epsilon is None else _decimal(spent.epsilon),
        _decimal(spent.rho),
        _decimal(spent.delta),
        _decimal(account.rho_max),
        str(round(Decimal(float(percent)), 2)),
    )


def _decimal(value: Fraction) -> str:
    """Twelve significant digits are plenty for people; decisions use the ledger's exact amounts."""
    return format(Decimal(f"{float(value):.12g}"), "f")


async def _ledger_rows(ledger: Ledger, analyst: str) -> list[tuple[str | None, ...]]:
    return [
        (
            record.recorded_at.isoformat(),
            record.account,
            None if record.price.epsilon is None else _decimal(record.price.epsilon),
            _decimal(record.price.rho),
            _decimal(record.price.delta),
            record.statement,
        )
        for record in await ledger.history(_MOST_CHARGES, analyst)
    ]
