"""The pages: templates filled in with figures. Everything in them is escaped; none has a script."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from proxy.budget.overview import Overview
from proxy.dashboard import charts, figures
from proxy.dashboard.charts import Line
from proxy.dashboard.figures import AccountFigures
from proxy.dashboard.told import Live
from proxy.policy.model import Policy
from proxy.query.last_statement import readable

_MOST_LINES: Final = 6
"""Of a chart: there are as many colours."""
_MOST_BARS: Final = 24
_MOST_CHARGES: Final = 100
_MOST_REFUSALS: Final = 50
_ESCAPED: Final = Environment(
    loader=PackageLoader("proxy.dashboard"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
)


@dataclass(frozen=True)
class Facts:
    """What pages are made of.

    Attributes:
        policy: in force.
        overview: of the ledger, over the longest of `figures.RANGES`.
        live: what the proxy told.
        at: when that was.
    """

    policy: Policy
    overview: Overview
    live: Live
    at: dt.datetime


@dataclass(frozen=True)
class Asked:
    """What a steward asks for: the parts of an address behind its question mark, checked.

    Attributes:
        days: to look back.
        account: to show alone; None for those of tables.
        analyst: whose charges to show; None for everybody's.
    """

    days: int
    account: str | None = None
    analyst: str | None = None


def asked(query: Mapping[str, str], facts: Facts) -> Asked:
    """What an address asks for; what makes no sense is left out."""
    text = query.get("days", "")
    days = int(text) if text in map(str, figures.RANGES) else _fitting_days(facts)
    return Asked(days, query.get("account") or None, query.get("analyst") or None)


def budgets(facts: Facts, wanted: Asked) -> dict[str, Any]:
    """What the page of budgets shows."""
    accounts = figures.account_figures(facts.policy, facts.overview, wanted.days, facts.at)
    since = facts.at - dt.timedelta(days=wanted.days)
    spent = [part for part in facts.overview.spent if part.at >= since]
    return {
        "accounts": accounts,
        "tables": [account for account in accounts if account.of_table and account.points],
        "charted": _charted(accounts, wanted),
        "windows": figures.windows_of_time(accounts),
        "analysts": figures.spent_by_analyst(spent, facts.policy),
        "by_table": figures.spent_by_table(spent, facts.policy),
        "granted": facts.overview.granted,
        "days": wanted.days,
        "ranges": figures.RANGES,
        "account": wanted.account,
    }


def charges(facts: Facts, wanted: Asked) -> dict[str, Any]:
    """What the page of charges shows."""
    found = [
        charge for charge in figures.charges_of(facts.overview.charges) if wanted.analyst in (None, charge.analyst)
    ]
    return {
        "charges": found[:_MOST_CHARGES],
        "analysts": sorted({record.analyst for record in facts.overview.charges}),
        "analyst": wanted.analyst,
        "kept": facts.policy.statement_texts,
    }


def activity(facts: Facts, _wanted: Asked) -> dict[str, Any]:
    """What the page of activity shows."""
    return {
        "sessions": facts.live.sessions,
        "outcomes": figures.outcomes_of(facts.live),
        "minutes": figures.by_minute(facts.live, facts.at),
        "refusals": figures.refusals_of(facts.live, facts.policy)[:_MOST_REFUSALS],
        "clipped": facts.overview.clipped,
        "since": facts.live.since,
    }


PAGES: Final[Mapping[str, tuple[str, Callable[[Facts, Asked], dict[str, Any]]]]] = {
    "/": ("budgets.html", budgets),
    "/charges": ("charges.html", charges),
    "/activity": ("activity.html", activity),
}
"""The pages of those who are logged in: template and content, by path."""


def left_chart(facts: Facts, wanted: Asked, size: tuple[int, int]) -> bytes:
    """What was left over time.

    Raises:
        LookupError: there is no such account.
    """
    accounts = _charted(figures.account_figures(facts.policy, facts.overview, wanted.days, facts.at), wanted)
    if not accounts:
        raise LookupError
    return charts.left_over_time([Line(account.name, account.points) for account in accounts], size)


def windows_chart(facts: Facts, wanted: Asked, size: tuple[int, int]) -> bytes:
    """What is left of the budgets of windows of time."""
    accounts = figures.windows_of_time(figures.account_figures(facts.policy, facts.overview, wanted.days, facts.at))
    shares = {account.name.removeprefix("table:"): account.percent_left / 100 for account in accounts[-_MOST_BARS:]}
    return charts.by_name(shares, size[0], by_end=True)


def analysts_chart(facts: Facts, wanted: Asked, size: tuple[int, int]) -> bytes:
    """Who has spent how much of all that was spent."""
    found: Sequence[figures.Group] = budgets(facts, wanted)["analysts"]
    return charts.by_name({group.name: group.share for group in found[:_MOST_BARS]}, min(size[0], charts.HALF))


def clipping_chart(facts: Facts, _wanted: Asked, size: tuple[int, int]) -> bytes:
    """How much of the last answers did not count."""
    shares = {clipped.statement: clipped.share for clipped in reversed(facts.overview.clipped) if clipped.share}
    return charts.by_name(shares, size[0])


def times_chart(facts: Facts, _wanted: Asked, size: tuple[int, int]) -> bytes:
    """How long answers took."""
    return charts.times(figures.by_minute(facts.live, facts.at), size)


CHARTS: Final[Mapping[str, Callable[[Facts, Asked, tuple[int, int]], bytes]]] = {
    "left": left_chart,
    "windows": windows_chart,
    "analysts": analysts_chart,
    "clipping": clipping_chart,
    "times": times_chart,
}


def page(template: str, **content: Any) -> str:
    """A page as HTML.

    Args:
        template: its file.
        content: what it shows.
    """
    return _ESCAPED.get_template(template).render(content)


def _charted(accounts: Sequence[AccountFigures], wanted: Asked) -> list[AccountFigures]:
    if wanted.account is not None:
        return [account for account in accounts if account.name == wanted.account and account.points]
    known = [account for account in accounts if account.of_table and account.points]
    return sorted(known, key=lambda account: account.percent_left)[:_MOST_LINES]


def _fitting_days(facts: Facts) -> int:
    """The shortest range that all of the last weeks' charges are in."""
    first = min((part.at for part in facts.overview.spent), default=facts.at)
    return next((days for days in figures.RANGES if facts.at - first < dt.timedelta(days=days)), figures.RANGES[-1])


def _moment(at: dt.datetime) -> str:
    return f"{at.astimezone(dt.UTC):%-d %b %Y %H:%M:%S}"


def _number(value: object) -> str:
    """Four digits of a number; a dash where there is none."""
    return "–" if value is None else f"{float(str(value)):.4g}"


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %" if share < 9.99 else f"{100 * share:.0f} %"


_ESCAPED.filters |= {
    "moment": _moment,
    "number": _number,
    "amount": readable,
    "seconds": figures.seconds_text,
    "percent": _percent,
}
