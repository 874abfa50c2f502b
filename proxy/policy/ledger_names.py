"""The names under which the ledger keeps a policy's accounts, and which other names are those of accounts over the same
rows: what was spent under them would not count."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from proxy.policy.model import Budget, Policy, TablePolicy

_LABELS: Final = {
    "day": r"\d{4}-\d\d-\d\d",
    "week": r"\d{4}-W\d\d",
    "month": r"\d{4}-\d\d",
    "quarter": r"\d{4}-Q\d",
    "year": r"\d{4}",
}

_BEGINNING: Final = r"@\d{4}-\d\d-\d\dT\d\d:\d\dZ"
"""Ends the name of an account that renews."""

_PER: Final = " per (day|week|month)"
_RATE: Final = _PER + _BEGINNING
"""Ends that of an account of `at_most`, which pays beside another."""


def ends_like_a_rate(name: str) -> bool:
    """Does a name end as those of accounts of `at_most` do, before their beginning?"""
    return re.search(f"{_PER}$", name) is not None


@dataclass(frozen=True)
class OfBudget:
    """The accounts of a budget of the policy.

    Attributes:
        path: of the budget.
        whole: the name of the one over all windows of time; those of windows begin with it.
        windows: a pattern for what comes after that in names of windows of time; empty for a budget over all of them.
        budget: the budget.
        new: does what was spent under other accounts not count in these?
    """

    path: tuple[str, ...]
    whole: str
    windows: str
    budget: Budget
    new: bool

    @property
    def pattern(self) -> str:
        """Their own names."""
        return re.escape(self.whole) + self.windows

    @property
    def recorded(self) -> str:
        """Their names in the ledger, which adds to that of an account that renews when its window began, and those of
        accounts that pay beside them."""
        renewed = "" if self.budget.renew is None else _BEGINNING
        return f"{self.pattern}(?:{renewed}|{_RATE})"


@dataclass(frozen=True)
class Kin:
    """All accounts over the rows of one, whatever windows they have.

    Attributes:
        whole: what their names begin with.
        theirs: a pattern of their names in the ledger.
        known: a pattern of those among them that the policy has.
    """

    whole: str
    theirs: str
    known: str

    def strangers(self, charged: Iterable[str]) -> Iterator[str]:
        """Those of `charged`, names of the ledger, that are theirs and that the policy does not have; in order."""
        theirs, known = re.compile(self.theirs), re.compile(self.known)
        return (name for name in sorted(charged) if theirs.fullmatch(name) and not known.fullmatch(name))


def kin_of(accounts: Sequence[OfBudget]) -> Kin | None:
    """The kin of a policy's accounts.

    Args:
        accounts: all those of one `whole`, at least one.

    Returns:
        None if what was spent under others does not count.
    """
    if any(each.new for each in accounts):
        return None
    first = accounts[0]
    windows = "" if first.path[0] in ("groups", "units") else r"(?s:\..*)?"
    theirs = re.escape(first.whole) + windows + f"({_BEGINNING})?"
    return Kin(first.whole, theirs, "|".join(each.recorded for each in accounts))


def accounts_of(policy: Policy) -> Iterator[OfBudget]:
    """The accounts of all budgets."""
    for name, table in policy.tables.items():
        if table.budget is not None:
            yield from accounts_of_rows(name, table)
            for login in policy.analysts:
                yield from accounts_of_analyst(name, table, login)
    for name, group in policy.groups.items():
        if group.budget is not None:
            yield account_of_several("groups", name, group.budget)
    for name, unit in policy.units.items():
        if unit.budget is not None:
            yield account_of_several("units", name, unit.budget)


def accounts_of_rows(name: str, table: TablePolicy) -> list[OfBudget]:
    """The shared accounts of a private table: of its budget, and of the total."""
    own, path = table.budget, ("tables", name, "budget")
    if own is None:
        raise AssertionError("a loaded policy gives every private table a budget")
    found = [OfBudget(path, f"table:{name}", _windows(table), own, own.new_accounts)]
    if own.total is not None:
        new = own.new_accounts or own.total.new_accounts
        found.append(OfBudget((*path, "total"), f"table:{name}", "", own.total, new))
    return found


def accounts_of_analyst(name: str, table: TablePolicy, login: str) -> list[OfBudget]:
    """An analyst's own accounts of a private table, if it has some."""
    own = table.per_analyst
    if own is None or table.budget is None:
        return []
    new = table.budget.new_accounts or own.new_accounts
    return [OfBudget(("tables", name, "per_analyst"), f"analyst:{login}:{name}", _windows(table), own, new)]


def account_of_several(key: str, name: str, budget: Budget) -> OfBudget:
    """The account of a group or of a unit: `key` is `groups` or `units`."""
    return OfBudget((key, name, "budget"), f"{key.removesuffix('s')}:{name}", "", budget, budget.new_accounts)


def _windows(table: TablePolicy) -> str:
    budget = table.budget
    return "" if budget is None or budget.per is None else re.escape(f".{budget.of}@") + _LABELS[budget.per]
