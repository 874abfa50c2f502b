"""The rows of dp.budget, dp.last, dp.ledger and dp.sessions: empty on the stage, and filled in for each query."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from proxy.budget.ledger import Ledger
from proxy.budget.order import AccountState, Opened
from proxy.dp.accounting import Account, Price
from proxy.dp.conversion import smallest_epsilon
from proxy.dp.risk import risk_text
from proxy.policy.model import Policy
from proxy.postgres.stage_description import VIRTUAL_COLUMNS
from proxy.query.last_statement import ReleasedBlock, last_rows, readable
from proxy.query.limits import in_force, now, queries_left, state_of
from proxy.query.session_state import SessionState
from proxy.query.window_ranges import ranges
from proxy.sql.planning.accounts import AccountPrice, all_accounts
from proxy.sql.staging.values import values_relation
from proxy.wire.roster import Roster, SessionFacts

_MOST_CHARGES = 10_000

Row = tuple[str | None, ...]


async def virtual_relation(
    name: str, policy: Policy, ledger: Ledger, roster: Roster, state: SessionState, last: Sequence[ReleasedBlock]
) -> str:
    """A subquery with the current rows of dp.`name` as the session's login may see them: a steward sees those of all
    logins, an analyst its own; `last` is what the session's last statement released."""
    login = state.analyst
    sees_all = login in policy.stewards
    if name == "budget":
        analysts = policy.analysts if sees_all else [login]
        states, opened = await ledger.states(), await ledger.opened()
        rows = budget_rows(policy, states, opened, analysts, state.settings.epsilon)
    elif name == "last":
        rows = last_rows(last, await ledger.paid_at(login, [block.hash for block in last]))
    elif name == "sessions":
        rows = [_session_row(facts) for facts in roster.facts() if sees_all or facts.login == login]
    else:
        rows = await _ledger_rows(ledger, None if sees_all else login)
    return values_relation(VIRTUAL_COLUMNS[name], rows)


def budget_rows(
    policy: Policy,
    states: Mapping[str, AccountState],
    opened: Mapping[str, Opened],
    analysts: Collection[str],
    setting: Fraction | None = None,
) -> list[Row]:
    """Rows of dp.budget: the limits, spending and rest of every account that a query of one of `analysts` can charge.

    Args:
        policy: has the limits.
        states: what was spent and granted, by the ledger's names; an absent account has spent nothing.
        opened: the windows of accounts that renew (`Ledger.opened`).
        analysts: whose own accounts are shown, beside those of tables and units.
        setting: the session's dp.epsilon, if it has set one.
    """
    # Somebody without a login pays with the accounts that are everybody's.
    accounts = [account for account in all_accounts(policy, [*analysts, ""]) if account.analyst != ""]
    rows = [
        (account.name, _budget_row(account, *state_of(account, states, opened), policy, setting))
        for account in accounts
    ]
    return [(name, *row) for name, row in ranges(rows)]


def _budget_row(account: AccountPrice, limit: Account, used: Price, policy: Policy, setting: Fraction | None) -> Row:
    """The row of an account, without its name: of windows with the same numbers one row is shown."""
    pure, left = used.epsilon, limit.remaining(used)
    window = in_force(account.budget, now()).window
    default = _default_epsilon(account, policy)
    return (
        account.unit,
        account.table,
        account.analyst,
        readable(limit.epsilon),
        None if pure is None else readable(pure),
        None if pure is None else readable(limit.epsilon - pure),
        readable(limit.rho_max),
        readable(used.rho),
        readable(limit.delta),
        readable(used.delta),
        f"{float(100 * limit.share_left(left)):.1f}",
        readable(_epsilon_left(limit, used)),
        readable((limit.delta_conversion if left.rho else 0) + left.delta),
        str(queries_left(limit, used, default)),
        str(queries_left(limit, used, default if setting is None else setting)),
        None if window is None else window.end.isoformat(),
        f"Who knows all other rows can tell {risk_text(limit)}.",
    )


def _epsilon_left(limit: Account, used: Price) -> Fraction:
    """The ε for which what is left still converts, with the account's own δ: by pure ε or by ρ, whichever is more."""
    left = limit.remaining(used)
    by_rho = smallest_epsilon(left.rho, limit.delta_conversion) if left.rho else Fraction(0)
    return max(by_rho, left.epsilon or Fraction(0))


def _default_epsilon(account: AccountPrice, policy: Policy) -> Fraction:
    """The highest default price of the tables for which the account pays."""
    tables = [
        table
        for name, table in policy.tables.items()
        if table.unit is not None and account.table in (None, name) and account.unit in (None, table.unit.name)
    ]
    return max(Fraction(table.query.epsilon) for table in tables)


def _session_row(facts: SessionFacts) -> Row:
    return (
        str(facts.pid),
        str(facts.number),
        facts.login,
        facts.address,
        facts.application_name,
        facts.since.isoformat(),
        facts.state,
        facts.heard_at.isoformat(),
        str(facts.statement),
    )


async def _ledger_rows(ledger: Ledger, analyst: str | None) -> list[Row]:
    moment = dt.datetime.now(dt.UTC)
    return [
        (
            record.recorded_at.isoformat(),
            f"{max(0, int((moment - record.recorded_at).total_seconds()))} seconds",
            record.analyst,
            record.account,
            None if record.price.epsilon is None else readable(record.price.epsilon),
            readable(record.price.rho),
            readable(record.price.delta),
            record.statement,
            record.query,
            None if record.share is None else repr(record.share),
            record.report,
        )
        for record in await ledger.history(_MOST_CHARGES, analyst)
    ]
