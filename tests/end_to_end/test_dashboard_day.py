"""A dashboard of twelve charts with relative ranges, refreshed all day by three logins, costs its table one refresh for
each tick of the clock, as the ledger tells."""

from __future__ import annotations

from contextlib import ExitStack
from decimal import Decimal

import psycopg
import pytest
from sqlglot import exp

from proxy.sql.dialect import parse
from proxy.sql.trees import clock
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.test_budget import VISITS

pytestmark = pytest.mark.postgres

HOURS = 6
REFRESHES = 2
"""Of each login between two ticks: the second and all others are alike."""
MORNING = 1_735_689_600
"""The first second of 2025, in UTC."""
RECENT = "visited_at > now() - interval '30 days'"
CHARTS = (
    f"SELECT specialty_id, urgent, count(*), sum(cost) FROM visits WHERE {RECENT} GROUP BY 1, 2 ORDER BY 1, 2",
    f"SELECT specialty_id, sum(cost), count(*) FROM visits WHERE {RECENT} GROUP BY 1 ORDER BY 1",
    f"SELECT specialty_id, count(*) FROM visits WHERE {RECENT} GROUP BY 1 ORDER BY 1",
    f"SELECT urgent, count(*) FROM visits WHERE {RECENT} GROUP BY urgent ORDER BY 1",
    f"SELECT urgent, count(*), avg(minutes) FROM visits WHERE {RECENT} GROUP BY urgent ORDER BY 1",
    f"SELECT region, count(*) FROM visits WHERE {RECENT} GROUP BY region ORDER BY 1",
    f"SELECT region, sum(cost) FROM visits WHERE {RECENT} GROUP BY region ORDER BY 1",
    f"SELECT date_trunc('month', visited_at), count(*) FROM visits WHERE {RECENT} GROUP BY 1 ORDER BY 1",
    f"SELECT count(*) FROM visits WHERE {RECENT}",
    f"SELECT avg(cost) FROM visits WHERE {RECENT}",
    f"SELECT sum(minutes) FROM visits WHERE {RECENT} AND urgent",
    f"SELECT count(DISTINCT patient_id) FROM visits WHERE {RECENT}",
)


def test_a_day_costs_one_refresh_for_each_tick(proxies: StartProxy, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = MORNING

    def tick_of(step: int) -> exp.Expr:
        select = parse(f"SELECT to_timestamp({seconds // step * step})")
        assert isinstance(select, exp.Select)
        tick: exp.Expr = select.expressions[0]
        return tick

    monkeypatch.setattr(clock, "_tick_of", tick_of)
    plenty = {"budget": {"epsilon": "1000", "delta": "1e-6"}, "per_analyst": None, "clock": f"{HOURS} hours"}
    logins = dict.fromkeys(("ana", "bob", "eve"), clinic.POLICY["analysts"]["ana"])  # type: ignore[index]
    proxy = proxies(clinic.policy(visits=plenty, analysts=logins))
    costs: list[Decimal] = []
    before = Decimal(0)
    with ExitStack() as stack:
        sessions = [stack.enter_context(proxy.connect(login)) for login in logins]
        for tick in range(24 // HOURS):
            shown = []
            for refresh in range(REFRESHES):
                seconds = MORNING + tick * HOURS * 3600 + refresh * 30 + 7
                shown += [[session.execute(chart.encode()).fetchall() for chart in CHARTS] for session in sessions]
            assert all(charts == shown[0] for charts in shown[1:])
            spent = _spent(sessions[0])
            costs.append(round(spent - before, 9))  # of twelve digits that are shown
            before = spent
        charges = sessions[0].execute("SELECT count(*) FROM dp.ledger WHERE account = %s", [VISITS]).fetchone()
    assert len(set(costs)) == 1, "each tick costs the same"
    assert charges is not None
    assert charges[0] % len(costs) == 0
    assert charges[0] // len(costs) <= len(CHARTS), "a refresh is one charge for each chart, or fewer"
    apart = len(CHARTS) * Decimal("0.125")
    assert costs[0] < apart, "charts have parts in common"


def _spent(connection: psycopg.Connection) -> Decimal:
    row = connection.execute("SELECT rho_spent FROM dp.budget WHERE account = %s", [VISITS]).fetchone()
    assert row is not None
    spent: Decimal = row[0]
    return spent
