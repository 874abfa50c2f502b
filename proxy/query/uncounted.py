"""Accounts that do not count all that was charged of what they cover: a cap of a unit, of a group, of an analyst or of
all windows of time that was added later, or was away for a while; and those of budgets that state `new_accounts`.

Such an account holds from its first charge on, for what it counts. No table's own account is among them unless its
budget states it: accounts of tables that would not count what was spent are refused (`proxy.policy.window_rules`).
"""

from __future__ import annotations

import datetime as dt
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

from proxy.budget.coverage import PaidTogether
from proxy.budget.ledger import Ledger
from proxy.dp.accounting import Price
from proxy.policy.earlier_tables import accounts_of
from proxy.policy.model import Budget, Policy, TablePolicy
from proxy.policy.window_rules import windows_within
from proxy.query.limits import now

_BEGINNING: Final = re.compile(r"@\d{4}-\d\d-\d\dT\d\d:\d\dZ$")


@dataclass(frozen=True)
class Uncounted:
    """What was charged without an account that covers it.

    Attributes:
        account: its name, for budgets of windows of time without the window.
        since: its own first charge, of a budget that renews in the present window; None if it has none yet.
        charges: how many lack it.
        first: when the first of these was recorded, by the database's clock.
        last: when the last was.
        price: what they add up to, of each charge what the account paid that paid most.
    """

    account: str
    since: dt.datetime | None
    charges: int
    first: dt.datetime
    last: dt.datetime
    price: Price

    @property
    def sentence(self) -> str:
        """The same in words."""
        since = "has counted nothing yet" if self.since is None else f"counts since {_moment(self.since)}"
        one = self.charges == 1
        when = f"of {_moment(self.first)}" if one else f"from {_moment(self.first)} to {_moment(self.last)}"
        amount = "" if self.price.epsilon is None else f"ε {float(self.price.epsilon):.4g}, "
        amount += f"ρ {float(self.price.rho):.4g}, δ {float(self.price.delta):.2g}"
        return (
            f"{self.account} {since}: {self.charges} charge{'' if one else 's'} {when} of what it covers, "
            f"{amount}, {'is' if one else 'are'} not in it"
        )


def _moment(at: dt.datetime) -> str:
    return f"{at.astimezone(dt.UTC):%Y-%m-%d %H:%M} UTC"


@dataclass(frozen=True)
class _Covering:
    """A budget whose account covers charges.

    Attributes:
        whole: the account's name, without a window.
        of: the column that tells the window, and how its labels look; None for budgets over all of them.
        start: when the present window of a budget that renews began; None for others.
    """

    whole: str
    of: tuple[str, str] | None
    start: dt.datetime | None

    @property
    def name(self) -> str:
        return self.whole if self.of is None else f"{self.whole}.{self.of[0]}"

    def has(self, account: str) -> bool:
        """Is it the account, in one of its windows?"""
        if not account.startswith(self.whole):
            return False
        rest = account.removeprefix(self.whole)
        if self.start is not None:
            if _BEGINNING.search(rest) is None:
                return False
            rest = _BEGINNING.sub("", rest)
        return _looks(rest) == ("" if self.of is None else f".{self.of[0]}@{self.of[1]}")


def _looks(text: str) -> str:
    """The part before the last @ as it is, and digits behind it as nines."""
    before, at, label = text.rpartition("@")
    return before + at + re.sub(r"\d", "9", label) if at else text


def _window_of(table: TablePolicy) -> tuple[str, str] | None:
    """As `_Covering.of`."""
    windows = windows_within(table)
    if windows is None or table.budget is None or table.budget.of is None:
        return None
    return table.budget.of, _looks(f"@{windows.labels[0]}")[1:]


class _Coverage:
    """Which accounts of a policy cover a charge."""

    def __init__(self, policy: Policy, moment: dt.datetime) -> None:
        self._policy, self._moment = policy, moment
        self.table_of = cache(self._table_of)
        private = {name: table for name, table in policy.tables.items() if table.budget is not None}
        self._patterns = {name: accounts_of(name) for name in private}
        self._windows = {name: _window_of(table) for name, table in private.items()}

    @cached_property
    def starts(self) -> list[dt.datetime]:
        """When the present windows of budgets that renew began."""
        unit_budgets = [unit.budget for unit in self._policy.units.values()]
        group_budgets = [group.budget for group in self._policy.groups.values()]
        own = [table.budget for table in self._policy.tables.values()]
        totals = [budget.total for budget in own if budget is not None]
        shares = [table.per_analyst for table in self._policy.tables.values()]
        found = (self._start(budget) for budget in (*unit_budgets, *group_budgets, *own, *totals, *shares) if budget)
        return sorted({start for start in found if start is not None})

    def _start(self, budget: Budget) -> dt.datetime | None:
        return None if budget.renew is None else budget.renew.start(self._moment)

    def _table_of(self, account: str) -> str | None:
        return next((name for name, pattern in self._patterns.items() if pattern.fullmatch(account)), None)

    def covering(self, paid: PaidTogether) -> Iterator[_Covering]:
        """The accounts that would pay for such a charge now."""
        policy = self._policy
        tables = sorted({name for name in map(self.table_of, paid.accounts) if name is not None})
        units = set()
        for name in tables:
            table = policy.tables[name]
            if table.budget is None or table.unit is None:
                raise AssertionError("tables with patterns have a budget")
            units.add(table.unit.name)
            of = self._windows[name]
            yield _Covering(f"table:{name}", of, self._start(table.budget))
            if table.budget.total is not None:
                yield _Covering(f"table:{name}", None, self._start(table.budget.total))
            if table.per_analyst is not None and paid.analyst in policy.analysts:
                yield _Covering(f"analyst:{paid.analyst}:{name}", of, self._start(table.per_analyst))
        for unit in sorted(units & policy.units.keys()):
            cap = policy.units[unit].budget
            if cap is not None:
                yield _Covering(f"unit:{unit}", None, self._start(cap))
        group = policy.group_of(paid.analyst)
        limit = policy.groups[group].budget if group is not None else None
        # What one account of an analyst paid alone was shown for a payment of the other one, unless that is of a group.
        if limit is not None and (tables or any(account.startswith("group:") for account in paid.accounts)):
            yield _Covering(f"group:{group}", None, self._start(limit))


def uncounted_accounts(policy: Policy, paid: Sequence[PaidTogether], moment: dt.datetime) -> list[Uncounted]:
    """The accounts that lack charges of what they cover, by name.

    Args:
        policy: the policy.
        paid: as of `read_paid_together`, with the `covering_starts` of the same policy and moment.
        moment: now, aware.
    """
    coverage = _Coverage(policy, moment)
    since: dict[str, dt.datetime] = {}
    lacking: dict[str, list[PaidTogether]] = {}
    for each in paid:
        for covering in coverage.covering(each):
            if covering.start is not None and each.begun < bisect_right(coverage.starts, covering.start):
                continue
            if any(map(covering.has, each.accounts)):
                since[covering.name] = min(since.get(covering.name, each.first), each.first)
            else:
                lacking.setdefault(covering.name, []).append(each)
    return [
        Uncounted(
            name,
            since.get(name),
            sum(each.charges for each in found),
            min(each.first for each in found),
            max(each.last for each in found),
            sum((each.price for each in found), Price.zero()),
        )
        for name, found in sorted(lacking.items())
    ]


def covering_starts(policy: Policy, moment: dt.datetime) -> list[dt.datetime]:
    """When the present windows of a policy's budgets that renew began, in order."""
    return _Coverage(policy, moment).starts


async def find_uncounted(policy: Policy, ledger: Ledger) -> list[Uncounted]:
    """The accounts of a policy that do not count all charges of what they cover, by name.

    Raises:
        LedgerUnavailableError: the ledger cannot be asked.
    """
    moment = now()
    return uncounted_accounts(policy, await ledger.paid_together(covering_starts(policy, moment)), moment)
