"""What the pages say: each spending counted once, texts as the policy lets stewards see them, times as they were."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from fractions import Fraction

import pytest

from proxy.budget.audit import ChargeRecord
from proxy.budget.order import AccountState
from proxy.budget.overview import Overview, Spent
from proxy.dashboard import charts, figures
from proxy.dashboard.figures import Group
from proxy.dashboard.told import Live
from proxy.dp.accounting import Account, Price
from proxy.policy.model import Policy
from proxy.query.audit_log import Refusal
from proxy.query.counts import Taken
from tests.end_to_end import clinic

NOW = dt.datetime(2026, 11, 23, 12, tzinfo=dt.UTC)


def spent(account: str, analyst: str, rho: str, charges: int = 1) -> Spent:
    return Spent(account, analyst, NOW, charges, Price.gaussian(Fraction(rho)))


def monthly() -> Policy:
    total = {"epsilon": "20", "delta": "1e-6"}
    rate = {"epsilon": "1", "per": "day"}
    budget = {"epsilon": "10", "delta": "1e-6", "per": "month", "of": "visited_at", "total": total, "at_most": rate}
    return clinic.policy(
        visits={"budget": budget}, patients={"budget": {"epsilon": "4", "delta": "1e-6", "renew": {"every": "week"}}}
    )


def test_each_spending_counts_once_whatever_accounts_it_was_taken_from() -> None:
    found = [
        spent("table:public.visits.visited_at@2024-03", "ana", "1/8", 2),
        spent("table:public.visits.visited_at@2024-04", "ana", "1/8"),
        spent("table:public.visits", "ana", "1/8"),
        spent("table:public.visits.visited_at@2024-03 per day", "ana", "1/8"),
        spent("analyst:ana:public.visits.visited_at@2024-03", "ana", "1/8"),
        spent("table:public.patients@2026-11-23T00:00Z", "bob", "1/4", 3),
        spent("table:public.gone", "bob", "1"),
    ]
    assert figures.spent_by_table(found, monthly()) == [
        Group("public.visits", 3, 0.25, 0.5),
        Group("public.patients", 3, 0.25, 0.5),
    ]
    assert figures.spent_by_analyst(found, monthly()) == [Group("ana", 3, 0.25, 0.5), Group("bob", 3, 0.25, 0.5)]
    assert figures.spent_by_analyst([], monthly()) == []


def test_an_account_that_was_spent_from_has_a_history_and_a_forecast() -> None:
    now, name = dt.datetime.now(dt.UTC), "table:public.visits"
    limit = Account(Fraction(10), Fraction("1e-6"))
    half = Price(None, limit.rho_max / 2, Fraction(0))
    at = now - dt.timedelta(hours=12)
    overview = Overview({name: AccountState(half)}, {}, [Spent(name, "ana", at, 1, half)], [], [], [])
    found = {each.name: each for each in figures.account_figures(clinic.policy(), overview, 1, now)}
    visits, patients = found[name], found["table:public.patients"]
    assert [(point.at, round(point.left, 6)) for point in visits.points] == [
        (now - dt.timedelta(days=1), 1),
        (at, 0.5),
        (now, 0.5),
    ]
    assert visits.percent_left == 50
    assert visits.forecast is not None
    assert visits.forecast.empty_at is not None
    assert visits.forecast.empty_at - now == pytest.approx(dt.timedelta(days=1), abs=dt.timedelta(minutes=1))
    assert re.fullmatch(r"empty on \d+ [A-Z]\w+ \d{4} at the present rate", visits.lasts)
    assert patients.lasts == "nothing was spent lately"


def test_windows_of_time_are_told_apart_on_a_phone() -> None:
    shares = {f"public.visits.visited_at@{window}": 1.0 for window in ("2024-01 to 2026-09", "2026-10")}
    drawn = charts.by_name(shares, charts.NARROW[0], by_end=True).decode()
    assert "2024-01 to 2026-09" in drawn
    assert "2026-10" in drawn


def test_accounts_of_one_charge_are_one_charge() -> None:
    first, second = uuid.uuid4(), uuid.uuid4()

    def record(charge: uuid.UUID, account: str) -> ChargeRecord:
        return ChargeRecord(charge, NOW, "ana", account, "b", "count(*)", "SELECT ?", Price.zero(), 0.5, "half")

    found = figures.charges_of([record(second, "unit:u"), record(first, "table:t"), record(first, "analyst:ana:t")])
    assert [[account for account, _ in charge.paid] for charge in found] == [["unit:u"], ["analyst:ana:t", "table:t"]]


@pytest.mark.parametrize(
    ("kept", "shown"),
    [
        ("redacted", "SELECT * FROM visits WHERE name = ?"),
        ("whole", "SELECT * FROM visits WHERE name = 'Miller'"),
        ("none", None),
    ],
)
def test_texts_of_refusals_are_shown_as_the_policy_says(kept: str, shown: str | None) -> None:
    refusal = Refusal(NOW, "ana", "42501", "rows", "SELECT * FROM visits WHERE name = 'Miller'")
    live = Live(NOW, (), (), (refusal,))
    assert [each.query for each in figures.refusals_of(live, clinic.policy(statement_texts=kept))] == [shown]


def test_times_are_those_of_the_last_hour_by_minute() -> None:
    at = NOW.timestamp()
    taken = [
        *(Taken(at - 60, "answered", number / 100) for number in range(1, 101)),
        Taken(at - 7200, "answered", 99.0),
        Taken(at - 60, "42501", 50.0),
        Taken(at, "answered", 0.5),
    ]
    live = Live(NOW, (), taken, ())
    assert figures.by_minute(live, NOW) == [(NOW - dt.timedelta(minutes=1), 0.505, 0.95), (NOW, 0.5, 0.5)]
    assert [(each.name, each.count) for each in figures.outcomes_of(live)] == [("answered", 102), ("42501", 1)]


@pytest.mark.parametrize(("value", "text"), [(0.0123, "12.3 ms"), (0.9999, "1 s"), (2.5, "2.5 s")])
def test_times_are_written_with_their_units(value: float, text: str) -> None:
    assert figures.seconds_text(value) == text
