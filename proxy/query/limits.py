"""What accounts may spend now: the policy's budgets in time, as the ledger is charged with them (decision 6)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from proxy.budget.order import AccountCharge, AccountState, Opened, Window, name_in_window, placed
from proxy.dp.accounting import Account, Price
from proxy.errors import RefusedError
from proxy.policy.model import Budget, Policy
from proxy.sql.planning.accounts import AccountPrice


def now() -> dt.datetime:
    """The clock by which budgets renew."""
    return dt.datetime.now(dt.UTC)


def require_valid(policy: Policy, login: str, moment: dt.datetime) -> None:
    """Refuse private questions after the last day on which an analyst may ask them.

    Raises:
        RefusedError: that day is over.
    """
    analyst = policy.analysts.get(login)
    last = analyst.valid_until if analyst is not None else None
    if last is not None and moment.astimezone(dt.UTC).date() > last:
        raise RefusedError(
            f'"{login}" may ask about private tables until {last} only',
            hint="Ask the data steward for a later date (valid_until).",
            rule="login-expired",
        )


@dataclass(frozen=True)
class InForce:
    """A budget at a moment.

    Attributes:
        limit: what may be spent.
        window: in which that holds; None for ever.
    """

    limit: Account
    window: Window | None

    def recorded(self, account: AccountPrice, opened: Mapping[str, Opened]) -> str:
        """The ledger's name of the account; `opened` has the windows that it knows (`Ledger.opened`)."""
        if self.window is None:
            return account.name
        return name_in_window(account.name, placed(self.window, opened.get(account.name), new=account.new).start)


def in_force(budget: Budget, moment: dt.datetime) -> InForce:
    """A budget as it is at a moment."""
    window = None
    if budget.renew is not None:
        window = Window(budget.renew.start(moment), budget.renew.end(moment), moment)
    available = Fraction(1)
    if budget.unlock is not None:
        since = budget.unlock.since or dt.date.min
        start = window.start if window is not None else dt.datetime.combine(since, dt.time(), dt.UTC)
        available = budget.unlock.share(moment, start)
    return InForce(Account(Fraction(budget.epsilon), Fraction(budget.delta), available), window)


def account_limit(account: AccountPrice) -> Account:
    """What an account may spend in all, whatever of it is available now."""
    return Account(Fraction(account.budget.epsilon), Fraction(account.budget.delta))


def queries_left(limit: Account, spent: Price, epsilon: Fraction) -> int:
    """How many queries at a price an account can still pay: with Gaussian noise, or where it can pay none so, with
    Laplace noise, as `mechanism: auto` chooses."""
    gaussian = limit.queries_left(spent, Price.gaussian(epsilon**2 / 2)) if limit.delta else 0
    return gaussian or limit.queries_left(spent, Price.laplace(epsilon))


def account_charge(
    account: AccountPrice, price: Price, stated: tuple[Fraction, Fraction] | None = None
) -> AccountCharge:
    """A charge of an account under what the policy lets it spend now.

    Args:
        account: who pays.
        price: how much.
        stated: as in `AccountCharge`.
    """
    force = in_force(account.budget, now())
    return AccountCharge(account.name, force.limit, price, stated, force.window, account.kin, account.new)


def state_of(
    account: AccountPrice, states: Mapping[str, AccountState], opened: Mapping[str, Opened]
) -> tuple[Account, Price]:
    """The limit of an account with what was granted, and what it has spent."""
    force = in_force(account.budget, now())
    state = states.get(force.recorded(account, opened), AccountState())
    return force.limit.raised(*state.granted), state.spent
