"""What the pages show: computed from the policy, the ledger and what the proxy tells; without a word of HTML."""

from __future__ import annotations

import datetime as dt
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Final

from proxy.budget.audit import ChargeRecord
from proxy.budget.overview import Overview, Spent
from proxy.dashboard.forecast import LOOKED_AT, Forecast, Point, Step, forecast, history
from proxy.dashboard.told import Live
from proxy.dp.accounting import Price
from proxy.policy.model import Policy
from proxy.postgres.stage_description import BUDGET_COLUMNS
from proxy.query.limits import in_force, state_of
from proxy.query.virtual import budget_rows
from proxy.sql.planning.accounts import AccountPrice, all_accounts
from proxy.sql.redaction import kept_text

RANGES: Final = (1, 7, 30)
"""Days that a page can look back."""
_LATENCY: Final = dt.timedelta(hours=1)
_COLUMNS: Final = [name for name, _ in BUDGET_COLUMNS]


@dataclass(frozen=True)
class AccountFigures:
    """An account.

    Attributes:
        name: the account's, or that of several windows of time with the same numbers.
        row: its line of dp.budget.
        percent_left: of its budget.
        points: what was left over time; empty for several windows.
        forecast: None for several windows.
        renews: when it begins anew; None if never.
    """

    name: str
    row: dict[str, str | None]
    percent_left: float
    points: Sequence[Point]
    forecast: Forecast | None
    renews: dt.datetime | None

    @property
    def of_table(self) -> bool:
        return self.name.startswith("table:")

    @property
    def lasts(self) -> str:
        """Until when it lasts, in words."""
        if self.percent_left <= 0:
            return "nothing is left"
        if self.forecast is None or not self.forecast.per_day:
            return "nothing was spent lately"
        if self.forecast.empty_at is None:
            return "lasts for years at the present rate"
        if self.renews is not None and self.renews <= self.forecast.empty_at:
            return f"lasts until it renews on {self.renews:%-d %B}"
        return f"empty on {self.forecast.empty_at:%-d %B %Y} at the present rate"


@dataclass(frozen=True)
class Group:
    """What a name has spent: the sum over tables' accounts, and its share of all that was."""

    name: str
    charges: int
    rho: float
    share: float


@dataclass(frozen=True)
class Charge:
    """One charge, with what each account paid."""

    at: dt.datetime
    analyst: str
    statement: str
    query: str | None
    clipped: float | None
    paid: Sequence[tuple[str, Price]]


@dataclass(frozen=True)
class Refused:
    """A refusal, with as much of its text as the policy lets stewards see."""

    at: dt.datetime
    login: str
    sqlstate: str
    rule: str
    query: str | None


@dataclass(frozen=True)
class Outcome:
    """What became of statements, and how long they took, in seconds."""

    name: str
    count: int
    median: float
    high: float


def account_figures(policy: Policy, overview: Overview, days: int, now: dt.datetime) -> list[AccountFigures]:
    """Every account of the policy, as dp.budget lists them, with its history over `days`."""
    analysts = sorted(policy.analysts)
    steps: dict[str, list[Step]] = defaultdict(list)
    for part in overview.spent:
        steps[part.account].append(Step(part.at, part.price))
    known = {account.name: account for account in all_accounts(policy, [*analysts, ""])}

    def points(name: str, over: dt.timedelta) -> list[Point]:
        account = known.get(name)
        return [] if account is None else _history(account, overview, steps, now - over, now)

    found = []
    for cells in budget_rows(policy, overview.states, overview.windows, analysts):
        row = dict(zip(_COLUMNS, cells, strict=True))
        name, renews = str(row["account"]), row["renews"]
        lately = points(name, LOOKED_AT)
        found.append(
            AccountFigures(
                name,
                row,
                float(row["percent_left"] or 0),
                points(name, dt.timedelta(days=days)),
                forecast(lately) if lately else None,
                None if renews is None else dt.datetime.fromisoformat(renews),
            )
        )
    return found


def _history(
    account: AccountPrice,
    overview: Overview,
    steps: Mapping[str, Sequence[Step]],
    since: dt.datetime,
    now: dt.datetime,
) -> list[Point]:
    """What was left of an account, in its present window if it renews."""
    force = in_force(account.budget, now)
    begun = since if force.window is None else max(since, force.window.start)
    own = steps.get(force.recorded(account, overview.windows), ())
    limit, spent = state_of(account, overview.states, overview.windows)
    return history(limit, spent, [step for step in own if step.at >= begun], begun, now)


def spent_by_analyst(spent: Iterable[Spent], policy: Policy) -> list[Group]:
    """What analysts took from the accounts of tables, the most first."""
    return _grouped((part.analyst, part) for _, part in _of_tables(spent, policy))


def spent_by_table(spent: Iterable[Spent], policy: Policy) -> list[Group]:
    """What was taken from each table's accounts, the most first."""
    return _grouped(_of_tables(spent, policy))


def _of_tables(spent: Iterable[Spent], policy: Policy) -> Iterator[tuple[str, Spent]]:
    """What was taken from tables, each once: rates, and the total of a table with windows of time, are other accounts
    of the same spending."""
    tables = {
        account.name: account.table
        for account in all_accounts(policy, [""])
        if account.table is not None and account.payer is None and " per " not in account.name
    }
    for name, table in policy.tables.items():
        if table.budget is not None and table.budget.per is not None:
            tables.pop(f"table:{name}", None)
    for part in spent:
        # An account that renews has a name for each time that it does.
        found = tables.get(part.account) or tables.get(part.account.rpartition("@")[0])
        if found is not None:
            yield found, part


def _grouped(named: Iterable[tuple[str, Spent]]) -> list[Group]:
    charges, rho = Counter[str](), defaultdict[str, float](float)
    for name, part in named:
        charges[name] += part.charges
        rho[name] += float(part.price.rho)
    total = sum(rho.values()) or 1
    most_first = sorted(rho.items(), key=lambda item: -item[1])
    return [Group(name, charges[name], amount, amount / total) for name, amount in most_first]


def windows_of_time(accounts: Sequence[AccountFigures]) -> list[AccountFigures]:
    """The accounts of windows of time that something was spent of, or several of which nothing was, in order."""
    return [account for account in accounts if account.of_table and "@" in account.name]


def charges_of(records: Sequence[ChargeRecord]) -> list[Charge]:
    """Charges, the newest first; each was recorded once for every account that paid."""
    found = []
    for _, parts in groupby(records, key=lambda record: record.charge_id):
        own = list(parts)
        first, paid = own[0], sorted((record.account, record.price) for record in own)
        found.append(Charge(first.recorded_at, first.analyst, first.statement, first.query, first.share, paid))
    return found


def refusals_of(live: Live, policy: Policy) -> list[Refused]:
    """The last refusals, the newest first."""
    return [
        Refused(each.at, each.login, each.sqlstate, each.rule, _kept(each.text, policy.statement_texts))
        for each in reversed(live.refusals)
    ]


_kept = lru_cache(maxsize=1000)(kept_text)


def outcomes_of(live: Live) -> list[Outcome]:
    """What became of the last statements over private tables, the most frequent first."""
    seconds: dict[str, list[float]] = defaultdict(list)
    for taken in live.statements:
        seconds[taken.outcome].append(taken.seconds)
    found = [Outcome(name, len(times), *_quantiles(times)) for name, times in seconds.items()]
    return sorted(found, key=lambda outcome: -outcome.count)


def by_minute(live: Live, now: dt.datetime) -> list[tuple[dt.datetime, float, float]]:
    """The median and the 95th percentile of how long answers took, in seconds, for each minute of the last hour that
    has some."""
    minutes: dict[dt.datetime, list[float]] = defaultdict(list)
    for taken in live.statements:
        at = dt.datetime.fromtimestamp(taken.at, dt.UTC)
        if taken.outcome == "answered" and now - at <= _LATENCY:
            minutes[at.replace(second=0, microsecond=0)].append(taken.seconds)
    return [(minute, *_quantiles(times)) for minute, times in sorted(minutes.items())]


def _quantiles(times: Sequence[float]) -> tuple[float, float]:
    """The median and the 95th percentile: the least value that 95 % do not exceed."""
    ordered = sorted(times)
    return statistics.median(ordered), ordered[-(-95 * len(ordered) // 100) - 1]


def seconds_text(value: float) -> str:
    """A time, in milliseconds if it is less than a second."""
    return f"{1000 * value:.3g} ms" if value < 0.9995 else f"{value:.3g} s"
