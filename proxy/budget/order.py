"""A charge before it is recorded: who pays what under which limit, and whether all of them can (theorem 15)."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final, Protocol

from proxy.budget.exhausted import budget_exhausted
from proxy.budget.precisions import Step
from proxy.dp.accounting import Account, Price, Remaining

STATEMENT_CHARACTERS: Final = 1000
"""The most characters of a statement's text that the ledger keeps, so that people can recognise it."""


@dataclass(frozen=True)
class Window:
    """The time in which an account's budget is there, before it begins anew.

    Attributes:
        start: when it began, aware.
        end: when the next one begins.
        now: the caller's clock, between the two.
    """

    start: dt.datetime
    end: dt.datetime
    now: dt.datetime


@dataclass(frozen=True)
class Opened:
    """The windows in which an account was charged.

    Attributes:
        start: the beginning of the latest.
        until: the latest of their ends, each as its charges knew it; None if it is not known.
    """

    start: dt.datetime
    until: dt.datetime | None


def placed(window: Window, opened: Opened | None, *, new: bool = False) -> Window:
    """Where an account is charged: in the caller's own window, unless a later one has been charged, so that no clock
    leads back, or an earlier one that has not ended yet, so that no other policy ends it early.

    Args:
        window: by the caller's clock and policy.
        opened: what the ledger knows of the account; None for one that was never charged in a window.
        new: what was spent in earlier windows is known not to count.
    """
    if opened is None:
        return window
    until = None if new else opened.until
    if window.start > opened.start and (until is None or until <= window.now):
        return window
    return replace(window, start=opened.start, end=max(window.end, until or window.end))


class Kin(Protocol):
    """The accounts over the same rows, whatever windows they have."""

    @property
    def whole(self) -> str:
        """What their names begin with; ".", "@" or nothing follows."""

    def strangers(self, charged: Iterable[str]) -> Iterator[str]:
        """Those of `charged` that the caller's policy does not have, so that what they have spent would not count."""


@dataclass(frozen=True)
class AccountCharge:
    """One account that pays.

    Attributes:
        account: its permanent name, such as "table:public.visits", "analyst:ana:public.visits" or "unit:patient".
        limit: what the policy lets it spend in total, as the policy is now.
        price: of this release.
        stated: the epsilon that the price is for, and the least one that could be stated instead; None if the price
            does not follow from an epsilon alone.
        window: in which the limit holds, by the caller's clock; None if it holds for ever.
        kin: it is not charged where others of them have spent something that would not count; None if that is known.
        new: is it known that what was spent in earlier windows does not count?
    """

    account: str
    limit: Account
    price: Price
    stated: tuple[Fraction, Fraction] | None = None
    window: Window | None = None
    kin: Kin | None = None
    new: bool = False


@dataclass(frozen=True)
class AccountState:
    """What the ledger knows of an account.

    Attributes:
        spent: the sum of its charges.
        granted: ε and δ that were granted beside the policy's.
    """

    spent: Price = field(default_factory=Price.zero)
    granted: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))


@dataclass(frozen=True)
class Receipt:
    """A charge that is on disk.

    Attributes:
        charge_id: of its rows in the ledger.
        remaining: what each account has left, by name.
        limits: what each may spend, with what was granted.
        further: how many more charges of this price all of them could pay.
    """

    charge_id: uuid.UUID
    remaining: Mapping[str, Remaining]
    limits: Mapping[str, Account]
    further: int = 0


def name_in_window(account: str, start: dt.datetime) -> str:
    """The name under which the ledger keeps what an account that renews spends in one window."""
    return f"{account}@{start.astimezone(dt.UTC):%Y-%m-%dT%H:%MZ}"


@dataclass(frozen=True)
class Order:
    """A charge as it will be recorded, with one price for each account; prepared before any lock is taken.

    Attributes:
        prices: by account, and so are `limits`, `windows` and `kin`.
        new: the accounts for which what was spent in earlier windows is known not to count.
        places: the windows in which accounts are charged that renew.
        names: under which the ledger keeps each account: the account's own, unless it renews.
        query: what is kept of the statement's text; None for nothing.
    """

    charge_id: uuid.UUID
    analyst: str
    block: str
    statement: str
    limits: Mapping[str, Account]
    prices: Mapping[str, Price]
    windows: Mapping[str, Window]
    kin: Mapping[str, Kin]
    new: frozenset[str]
    places: Mapping[str, Window]
    stated: tuple[Fraction, Fraction] | None
    steps: Sequence[Step]
    names: Mapping[str, str]
    query: str | None = None

    def opened(self, known: Mapping[str, Opened]) -> Order:
        """In the windows where its accounts are charged (`placed`); `known` has what the ledger knows of them."""
        places = {
            account: placed(window, known.get(account), new=account in self.new)
            for account, window in self.windows.items()
        }
        names = {account: name_in_window(account, place.start) for account, place in places.items()}
        return replace(self, places=places, names={**self.names, **names})

    def opens(self) -> Iterator[tuple[str, dt.datetime, dt.datetime]]:
        """The windows in which it is charged: the account, the beginning, and the end that the caller knows."""
        return ((account, place.start, self.windows[account].end) for account, place in self.places.items())

    def leaves(self, known: Mapping[str, Opened]) -> dict[str, Opened]:
        """What the ledger knows of windows once this order, which is placed, has been charged."""
        after = dict(known)
        for account, place in self.places.items():
            before, end = known.get(account), self.windows[account].end
            until = end if before is None or before.until is None else max(before.until, end)
            after[account] = Opened(place.start, until)
        return after

    def check(self, states: Mapping[str, AccountState]) -> None:
        """Raise BudgetExhaustedError for the first account, by name, that cannot pay.

        Args:
            states: by the ledger's names.
        """
        limits = self._raised(states)
        spent = {account: states[name].spent for account, name in self.names.items()}
        for account, price in sorted(self.prices.items()):
            if not limits[account].admits(spent[account], price):
                window = self.places.get(account)
                raise budget_exhausted(
                    account,
                    price,
                    limits[account].remaining(spent[account]),
                    self._payable(limits, spent),
                    window.end if window is not None else None,
                    unlocks=limits[account].available < 1,
                )

    def _raised(self, states: Mapping[str, AccountState]) -> dict[str, Account]:
        return {account: self.limits[account].raised(*states[name].granted) for account, name in self.names.items()}

    def _payable(self, limits: Mapping[str, Account], spent: Mapping[str, Price]) -> Fraction | None:
        """The largest epsilon that all accounts could pay for; None if there is none, or it cannot be told."""
        if self.stated is None:
            return None
        epsilon, least = self.stated
        most = epsilon * min(limits[name].payable_share(spent[name], price) for name, price in self.prices.items())
        return most if most >= least else None

    def receipt(self, states: Mapping[str, AccountState]) -> Receipt:
        """What is left once this order is added to what was spent."""
        limits = self._raised(states)
        spent = {account: states[self.names[account]].spent + price for account, price in self.prices.items()}
        left = {account: limits[account].remaining(spent[account]) for account in self.prices}
        further = min(limits[account].queries_left(spent[account], price) for account, price in self.prices.items())
        return Receipt(self.charge_id, left, limits, further)

    def rows(self) -> Iterator[dict[str, object]]:
        """The charge as it is recorded, by the names of columns."""
        whole = {"charge_id": self.charge_id, "analyst": self.analyst, "block": self.block, "statement": self.statement}
        for account, price in self.prices.items():
            epsilon, rho, delta = price.as_decimals()
            yield whole | {"account": self.names[account], "epsilon": epsilon, "rho": rho, "delta": delta}


def order_of(
    analyst: str,
    charges: Sequence[AccountCharge],
    block: str,
    statement_label: str,
    steps: Sequence[Step] = (),
    query: str | None = None,
) -> Order:
    """Add up the prices of each account and give the charge its identity.

    Raises:
        ValueError: no charges, or one account with two limits.
    """
    if not charges:
        raise ValueError("a charge needs an account that pays")
    limits: dict[str, Account] = {}
    prices: dict[str, Price] = {}
    for charge in charges:
        if limits.setdefault(charge.account, charge.limit) != charge.limit:
            raise ValueError(f"account {charge.account!r} has two limits")
        prices[charge.account] = prices.get(charge.account, Price.zero()) + charge.price
    windows = {charge.account: charge.window for charge in charges if charge.window is not None}
    kin = {charge.account: charge.kin for charge in charges if charge.kin is not None}
    new = frozenset(charge.account for charge in charges if charge.new)
    (stated, *others) = {charge.stated for charge in charges}
    label = statement_label[:STATEMENT_CHARACTERS]
    names = {account: account for account in prices}
    return Order(
        uuid.uuid4(),
        analyst,
        block,
        label,
        limits,
        prices,
        windows,
        kin,
        new,
        windows,
        None if others else stated,
        steps,
        names,
        query,
    ).opened({})
