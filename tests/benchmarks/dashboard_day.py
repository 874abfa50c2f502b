"""A dashboard of twelve charts with "last 30 days", refreshed all day by three logins over a table with a budget for each
month: what that costs, as the ledger tells. The day before a month's end has a change to daylight saving time."""

from __future__ import annotations

import argparse
import datetime as dt
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final
from unittest import mock

import psycopg

from proxy.demo.play import demo_policy
from proxy.policy.model import Policy
from proxy.query import planning
from proxy.wire.link import ChannelLink
from tests.benchmarks.demo_proxy import loaded_clinic, running_proxy

LOGINS: Final = ("ana", "bob", "eve")
HOUR: Final = dt.timedelta(hours=1)
CHARTS: Final = (
    "SELECT specialty, region, count(*), sum(cost) FROM visits WHERE {recent} GROUP BY 1, 2 ORDER BY 1, 2",
    "SELECT specialty, sum(cost), count(*) FROM visits WHERE {recent} GROUP BY 1 ORDER BY 1",
    "SELECT specialty, count(*) FROM visits WHERE {recent} GROUP BY 1 ORDER BY 2 DESC",
    "SELECT region, count(*) FROM visits WHERE {recent} GROUP BY 1 ORDER BY 1",
    "SELECT region, sum(cost) FROM visits WHERE {recent} GROUP BY 1 ORDER BY 1",
    "SELECT region, avg(minutes) FROM visits WHERE {recent} GROUP BY 1 ORDER BY 1",
    "SELECT date_trunc('day', visited_at), count(*) FROM visits WHERE {recent} GROUP BY 1 ORDER BY 1",
    "SELECT count(*) FROM visits WHERE {recent}",
    "SELECT avg(cost) FROM visits WHERE {recent}",
    "SELECT sum(minutes) FROM visits WHERE {recent} AND minutes > 30",
    "SELECT count(DISTINCT patient_id) FROM visits WHERE {recent}",
    "SELECT count(*) FILTER (WHERE region = 'north') FROM visits WHERE {recent}",
)
RECENT: Final = "visited_at > now() - interval '30 days'"


@dataclass
class Simulated:
    """What time it is for the proxy.

    Attributes:
        now: with a zone.
    """

    now: dt.datetime

    def told(self, sql: str) -> str:
        """A query of the proxy to the stage, with this time in it."""
        return sql.replace("now()", f"to_timestamp({self.now.timestamp()})")

    def today(self) -> dt.date:
        """The date that decides which windows there are."""
        return self.now.astimezone(dt.UTC).date()


@contextmanager
def simulated_time(begin: dt.datetime) -> Iterator[Simulated]:
    """The proxies of this process, as far as they plan in its threads, take their time from what this yields: it is what
    the stage tells them when they ask for the constants of a statement."""
    simulated, rows = Simulated(begin), ChannelLink.rows

    async def told_rows(link: ChannelLink, sql: str, *, quiet: bool = False) -> list[tuple[str | None, ...]]:
        return await rows(link, simulated.told(sql), quiet=quiet)

    with (
        mock.patch.object(ChannelLink, "rows", told_rows),
        mock.patch.object(planning, "today", simulated.today),
    ):
        yield simulated


def refreshed(sessions: Sequence[psycopg.Connection], charts: Sequence[str]) -> list[list[list[Any]]]:
    """What each session sees in each chart, all sessions at once."""

    def shown(session: psycopg.Connection) -> list[list[Any]]:
        return [session.execute(chart.encode()).fetchall() for chart in charts]

    with ThreadPoolExecutor(len(sessions)) as browsers:
        return list(browsers.map(shown, sessions))


def spent(ledger_dsn: str, table: str) -> dict[str, Decimal]:
    """The ρ that each account of a table has spent, by all charges of the ledger."""
    charges = "SELECT account, sum(rho) FROM dpproxy.charge WHERE account LIKE %s GROUP BY account ORDER BY account"
    with psycopg.connect(ledger_dsn) as ledger:
        return dict(ledger.execute(charges.encode(), [f"table:public.{table}%"]).fetchall())


def paid(before: Mapping[str, Decimal], after: Mapping[str, Decimal]) -> dict[str, Decimal]:
    """What accounts paid in between, to nine digits of the twelve that are shown."""
    paid = {account: round(rho - before.get(account, Decimal(0)), 9) for account, rho in after.items()}
    return {account: rho for account, rho in paid.items() if rho}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this program."""
    parser.add_argument("--rows", type=int, default=200_000, help="visits in the clinic (default: 200000)")
    parser.add_argument("--every", type=int, default=30, help="seconds between two refreshes (default: 30)")
    parser.add_argument("--hours", type=int, default=24, help="of the day (default: 24)")
    parser.add_argument("--begin", default="2025-03-30", help="its date in the zone (default: 2025-03-30)")
    parser.add_argument("--zone", default="Europe/Berlin", help="of the logins (default: Europe/Berlin)")


def run(arguments: argparse.Namespace) -> None:
    """Refresh for a day, then at the first tick of the next month, and print what each tick cost each window."""
    charts = [chart.format(recent=RECENT) for chart in CHARTS]
    with loaded_clinic(arguments.rows) as source, ExitStack() as stack:
        # Planned in threads of this process, whose clock is simulated.
        proxy = stack.enter_context(running_proxy(source, _policy(), processes=False))
        ledger = proxy.options.ledger_dsn
        sessions = [stack.enter_context(proxy.connect(login)) for login in LOGINS]
        for session in sessions:
            session.execute(f"SET TimeZone = '{arguments.zone}'".encode())
            session.execute("SET dp.notices = off")
        (begin,) = sessions[0].execute("SELECT %s::date::timestamptz", [arguments.begin]).fetchone() or (None,)
        assert isinstance(begin, dt.datetime)
        begin = begin.astimezone(dt.UTC)  # where every hour has a successor
        simulated = stack.enter_context(simulated_time(begin))
        begun, statements, before = time.perf_counter(), 0, spent(ledger, "visits")
        for hour in range(arguments.hours):
            shown = None
            for second in range(0, 3600, arguments.every):
                simulated.now = begin + hour * HOUR + dt.timedelta(seconds=second)
                for of_session in refreshed(sessions, charts):
                    shown = shown or of_session
                    assert of_session == shown, "the same numbers until the clock ticks"
                statements += len(sessions) * len(charts)
            before = _told(simulated.now, ledger, before)
        took = time.perf_counter() - begun
        print(f"{statements} statements in {took:.0f} s, {statements / took:.0f} a second")
        simulated.now = (begin.replace(day=1, hour=0) + dt.timedelta(days=32)).replace(day=1)
        window = f"table:public.visits.visited_at@{simulated.today():%Y-%m}"
        print(f"{window} has spent {before.get(window, 0)} before its first question")
        refreshed(sessions, charts)
        _told(simulated.now, ledger, before)


def _told(now: dt.datetime, ledger: str, before: Mapping[str, Decimal]) -> dict[str, Decimal]:
    after = spent(ledger, "visits")
    told = ", ".join(f"{account.rpartition('@')[2]} {rho:f}" for account, rho in paid(before, after).items())
    print(f"{now.astimezone(dt.UTC):%Y-%m-%d %H} h UTC: rho {told}", flush=True)
    return after


def _policy() -> Policy:
    """The demo's, with a budget for each month of visits and no accounts of analysts: who shares an account shares its
    answers."""
    content: dict[str, Any] = demo_policy().model_dump()
    content["analysts"] = dict.fromkeys(LOGINS, content["analysts"]["ana"])
    visits = content["tables"]["public.visits"]
    visits |= {"per_analyst": None, "clock": "1 hour"}
    visits["budget"] = {"epsilon": "1000", "delta": "1e-6", "per": "month", "of": "visited_at"}
    return Policy.model_validate(content)
