"""Rules on budgets for windows of time: which windows there are follows from the policy alone (theorem 24)."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from proxy.policy.findings import Finding, SourceMap
from proxy.policy.ledger_names import OfBudget, accounts_of, kin_of
from proxy.policy.model import Policy, TablePolicy
from proxy.policy.renewal import Renewal
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


_BOTH: Final = "with `new_accounts: true` both budgets add up"

UNCOUNTED: Final = "DP640"
"""The rule of what was spent, and would not count: found in the ledger, where there is one."""


def check_earlier_accounts(policy: Policy, charged: Collection[str], source_map: SourceMap) -> Iterator[Finding]:
    """No edit of the policy resets what was spent: accounts go by whose they are, the time and the length of windows,
    and whether they begin anew.

    Args:
        policy: the policy.
        charged: the names of the ledger's accounts that have paid for something.
        source_map: places in the policy's file.
    """
    found: dict[tuple[str, ...], str] = {}
    by_whole: dict[str, list[OfBudget]] = {}
    for each in accounts_of(policy):
        by_whole.setdefault(each.whole, []).append(each)
    for accounts in by_whole.values():
        kin = kin_of(accounts)
        other = None if kin is None else next(kin.strangers(charged), None)
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
    opened: Mapping[str, tuple[dt.datetime, dt.datetime | None]],
    now: dt.datetime,
    source_map: SourceMap,
) -> Iterator[Finding]:
    """No edit of `renew` lets a budget begin anew before the window ends that it has spent in.

    Args:
        policy: the policy.
        opened: by the account's own name, the beginning of its latest window, and the latest end that any of its
            windows was to have when it was charged; None where that is not known.
        now: aware.
        source_map: places in the policy's file.
    """
    found: dict[tuple[str, ...], str] = {}
    for each, renew, account in _renewing(policy, opened):
        start, until = opened[account]
        if not each.new and until is not None and now < until and renew.end(start) < until:
            message = (
                f"what was spent of {account} since {start.astimezone(dt.UTC):%Y-%m-%d %H:%M} UTC would not count "
                f"until {until.astimezone(dt.UTC):%Y-%m-%d %H:%M} UTC any more, as it does by the `renew` of then: "
                "leave that until then, or write `new_accounts: true`"
            )
            found.setdefault((*each.path, "renew"), message)
    for path, message in found.items():
        yield source_map.error(UNCOUNTED, path, message, _BOTH)


def unknown_ends(
    policy: Policy, opened: Mapping[str, tuple[dt.datetime, dt.datetime | None]]
) -> dict[str, tuple[dt.datetime, dt.datetime]]:
    """The latest windows whose ends are not known, and where they end by the policy; `opened` as above."""
    return {
        account: (opened[account][0], renew.end(opened[account][0]))
        for _, renew, account in _renewing(policy, opened)
        if opened[account][1] is None
    }


def _renewing(policy: Policy, opened: Iterable[str]) -> Iterator[tuple[OfBudget, Renewal, str]]:
    """The accounts of `opened` that renew by the policy."""
    names = sorted(opened)
    for each in accounts_of(policy):
        if each.budget.renew is not None:
            own = re.compile(each.pattern)
            yield from ((each, each.budget.renew, account) for account in names if own.fullmatch(account))


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
