"""Rules on budgets for windows of time: which windows there are follows from the policy alone (theorem 24)."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from proxy.policy.findings import Finding, SourceMap
from proxy.policy.model import Budget, Policy, TablePolicy
from proxy.policy.windows import MOST_WINDOWS, Windows, window_of

_FIRST_YEAR, _LAST_YEAR = 1000, 9000


def check_windows(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """`per` and `of` go together, `of` has bounds of dates, and there are not too many windows between them."""
    for name, table in policy.tables.items():
        budget, path = table.budget, ("tables", name, "budget")
        if budget is None:
            continue
        if budget.per is None:
            for key in ("of", "total"):
                if getattr(budget, key) is not None:
                    message, hint = f"{key!r} has no meaning without 'per'", f"add `per: month`, or remove {key!r}"
                    yield source_map.error("DP344", (*path, key), message, hint)
        elif budget.of is None:
            hint = "add `of: column`, a date or timestamp of the row"
            yield source_map.error("DP344", (*path, "per"), "'per' does not say which time tells the window", hint)
        else:
            yield from _check_time(table, budget.of, (*path, "of"), source_map)
        if budget.per is not None and budget.total is not None and budget.total.epsilon < budget.epsilon:
            message = f"no window can spend its {budget.epsilon}: all of them together have {budget.total.epsilon}"
            hint = "raise total.epsilon, or lower epsilon"
            yield source_map.warning("DP348", (*path, "total", "epsilon"), message, hint)


def check_windows_are_not_timed(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """The time of an answer depends on rows of windows that are not charged for it."""
    for name, table in policy.tables.items():
        if policy.timing is not None and table.budget is not None and table.budget.per is not None:
            message = "the time of an answer depends on all windows, but is charged only to those that are read"
            path = ("tables", name, "budget", "per")
            yield source_map.error("DP347", path, message, "write `timing: null`, or leave `per` and `of` out")


_LABELS: Final = {
    "day": r"\d{4}-\d\d-\d\d",
    "week": r"\d{4}-W\d\d",
    "month": r"\d{4}-\d\d",
    "quarter": r"\d{4}-Q\d",
    "year": r"\d{4}",
}

_BEGINNING: Final = r"@\d{4}-\d\d-\d\dT\d\d:\d\dZ"
"""Ends the name of an account that renews."""

_RATE: Final = rf".* per (day|week|month){_BEGINNING}"
"""An account of `at_most`, which pays beside another."""

_BOTH: Final = "with `new_accounts: true` both budgets add up"

UNCOUNTED: Final = "DP640"
"""The rule of what was spent, and would not count: found in the ledger, where there is one."""


@dataclass(frozen=True)
class _Accounts:
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
        """Their names in the ledger, which adds to that of an account that renews when its window began."""
        return self.pattern + ("" if self.budget.renew is None else _BEGINNING)


def _accounts(policy: Policy) -> Iterator[_Accounts]:
    for name, table in policy.tables.items():
        if table.budget is None:
            continue
        path, own, windows = ("tables", name), table.budget, ""
        if own.per is not None:
            windows = re.escape(f".{own.of}@") + _LABELS[own.per]
        yield _Accounts((*path, "budget"), f"table:{name}", windows, own, own.new_accounts)
        if own.total is not None:
            new = own.new_accounts or own.total.new_accounts
            yield _Accounts((*path, "budget", "total"), f"table:{name}", "", own.total, new)
        if table.per_analyst is not None:
            new = own.new_accounts or table.per_analyst.new_accounts
            for login in policy.analysts:
                whole = f"analyst:{login}:{name}"
                yield _Accounts((*path, "per_analyst"), whole, windows, table.per_analyst, new)
    for name, group in policy.groups.items():
        if group.budget is not None:
            budget = group.budget
            yield _Accounts(("groups", name, "budget"), f"group:{name}", "", budget, budget.new_accounts)
    for name, unit in policy.units.items():
        if unit.budget is not None:
            budget = unit.budget
            yield _Accounts(("units", name, "budget"), f"unit:{name}", "", budget, budget.new_accounts)


def check_earlier_accounts(policy: Policy, charged: Collection[str], source_map: SourceMap) -> Iterator[Finding]:
    """No edit of the policy resets what was spent: accounts go by whose they are, the time and the length of windows,
    and whether they begin anew.

    Args:
        policy: the policy.
        charged: the names of the ledger's accounts that have paid for something.
        source_map: places in the policy's file.
    """
    by_whole: dict[str, list[_Accounts]] = {}
    for each in _accounts(policy):
        by_whole.setdefault(each.whole, []).append(each)
    found: dict[tuple[str, ...], str] = {}
    for whole, accounts in by_whole.items():
        if any(each.new for each in accounts):
            continue
        known = re.compile("|".join([*(each.recorded for each in accounts), _RATE]))
        windows = "" if accounts[0].path[0] in ("groups", "units") else r"(?s:\..*)?"
        theirs = re.compile(re.escape(whole) + windows + f"({_BEGINNING})?")
        others = (name for name in sorted(charged) if theirs.fullmatch(name) and not known.fullmatch(name))
        other = next(others, None)
        if other is not None:
            found.setdefault(accounts[0].path, other)
    for path, other in found.items():
        message = (
            f"what was spent under other accounts, such as {other}, would not count any more: leave `per`, `of`, "
            "`total` and `renew` as they were, or write `new_accounts: true`"
        )
        yield source_map.error(UNCOUNTED, path, message, _BOTH)


def check_open_windows(
    policy: Policy,
    opened: Mapping[str, tuple[dt.datetime, dt.datetime]],
    now: dt.datetime,
    source_map: SourceMap,
) -> Iterator[Finding]:
    """No edit of `renew` lets a budget begin anew before the window ends that it has spent in.

    Args:
        policy: the policy.
        opened: by the account's own name, the beginning of its latest window, and its end when it was opened.
        now: aware.
        source_map: places in the policy's file.
    """
    found: dict[tuple[str, ...], str] = {}
    for each in _accounts(policy):
        renew, own = each.budget.renew, re.compile(each.pattern)
        if renew is None or each.new:
            continue
        for account, (start, until) in sorted(opened.items()):
            if own.fullmatch(account) and now < until and renew.end(start) < until:
                message = (
                    f"what was spent of {account} since {start.astimezone(dt.UTC):%Y-%m-%d %H:%M} UTC would not count "
                    f"until {until.astimezone(dt.UTC):%Y-%m-%d %H:%M} UTC any more, as it does by the `renew` of then: "
                    "leave that until then, or write `new_accounts: true`"
                )
                found.setdefault((*each.path, "renew"), message)
    for path, message in found.items():
        yield source_map.error(UNCOUNTED, path, message, _BOTH)


def windows_within(table: TablePolicy) -> Windows | None:
    """All windows of a table, from the bounds of their time; None for a table without windows."""
    budget = table.budget
    if budget is None or budget.per is None or budget.of is None:
        return None
    column = (table.columns or {})[budget.of]
    low, high = column.bounds or column.range or (None, None)
    if not isinstance(low, dt.date) or not isinstance(high, dt.date):
        raise AssertionError("a loaded policy bounds the time of windows")
    return Windows(budget.per, window_of(_utc_date(low), budget.per), window_of(_utc_date(high), budget.per))


def _utc_date(value: dt.date) -> dt.date:
    if not isinstance(value, dt.datetime):
        return value
    return (value.astimezone(dt.UTC) if value.tzinfo is not None else value).date()


def _check_time(table: TablePolicy, of: str, path: tuple[str, ...], source_map: SourceMap) -> Iterator[Finding]:
    columns = table.columns or {}
    if of not in columns:
        if (*path[:2], "columns", of) not in source_map:
            hint = f"list it, as in `{of}: {{bounds: [2024-01-01, 2027-12-31]}}`"
            yield source_map.error("DP345", path, f"the table's columns do not have {of!r}", hint)
        return
    limits = columns[of].bounds or columns[of].range
    low, high = limits or (None, None)
    if not isinstance(low, dt.date) or not isinstance(high, dt.date):
        hint = f"write `{of}: {{bounds: [2024-01-01, 2027-12-31]}}`; later rows do not count until you extend it"
        yield source_map.error("DP345", path, f"{of} has no bounds of dates, so that nobody knows its windows", hint)
    elif not _FIRST_YEAR <= low.year <= high.year <= _LAST_YEAR:
        message = f"the bounds of {of} are not within the years {_FIRST_YEAR} to {_LAST_YEAR}"
        yield source_map.error("DP345", path, message, "give the years that rows can have")
    elif (windows := windows_within(table)) is not None and len(windows) > MOST_WINDOWS:
        message = f"the bounds of {of} hold {len(windows)} windows, and a query may be charged to each"
        hint = f"give at most {MOST_WINDOWS}: longer windows, or narrower bounds"
        yield source_map.error("DP346", path, message, hint)
