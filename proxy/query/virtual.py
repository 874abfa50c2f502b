"""The rows of dp.budget, dp.last and dp.ledger, which are empty on the stage and filled in for each query."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from proxy.budget.ledger import Ledger
from proxy.dp.accounting import Account, Price
from proxy.policy.model import Budget, Policy
from proxy.postgres.stage_description import VIRTUAL_COLUMNS
from proxy.query.last_statement import ReleasedBlock, last_rows, readable
from proxy.sql.staging.values import values_relation

_MOST_CHARGES = 10_000


async def virtual_relation(
    name: str, policy: Policy, ledger: Ledger, analyst: str, last: Sequence[ReleasedBlock]
) -> str:
    """A subquery with the current rows of dp.`name` as `analyst` may see them; `last` is what the session's last
    statement released."""
    if name == "budget":
        return values_relation(VIRTUAL_COLUMNS[name], budget_rows(policy, await ledger.accounts(), [analyst]))
    if name == "last":
        paid_at = await ledger.paid_at(analyst, [block.hash for block in last])
        return values_relation(VIRTUAL_COLUMNS[name], last_rows(last, paid_at))
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
        if table.budget is not None:
            rows.append(_budget_row((f"table:{name}", unit, name, None), table.budget, spent))
        if table.per_analyst is not None:
            rows.extend(
                _budget_row((f"analyst:{analyst}:{name}", unit, name, analyst), table.per_analyst, spent)
                for analyst in analysts
            )
    rows.extend(
        _budget_row((f"unit:{name}", name, None, None), unit.budget, spent)
        for name, unit in policy.units.items()
        if unit.budget
    )
    return rows


def _budget_row(
    about: tuple[str, str | None, str | None, str | None], budget: Budget, spent: Mapping[str, Price]
) -> tuple[str | None, ...]:
    """The row of the account with the name `about[0]`."""
    used = spent.get(about[0], Price.zero())
    limit = Account(Fraction(budget.epsilon), Fraction(budget.delta))
    pure = used.epsilon
    return (
        *about,
        readable(limit.epsilon),
        None if pure is None else readable(pure),
        None if pure is None else readable(limit.epsilon - pure),
        readable(limit.rho_max),
        readable(used.rho),
        readable(limit.delta),
        readable(used.delta),
        f"{float(100 * limit.share_left(limit.remaining(used))):.1f}",
    )


async def _ledger_rows(ledger: Ledger, analyst: str) -> list[tuple[str | None, ...]]:
    return [
        (
            record.recorded_at.isoformat(),
            record.analyst,
            record.account,
            None if record.price.epsilon is None else readable(record.price.epsilon),
            readable(record.price.rho),
            readable(record.price.delta),
            record.statement,
            None if record.share is None else repr(record.share),
            record.report,
        )
        for record in await ledger.history(_MOST_CHARGES, analyst)
    ]
