"""A dashboard of twelve charts with relative ranges, refreshed by three logins at once, costs its table one refresh for
each tick of the clock and each window, as the ledger tells. `python -m tests.benchmarks dashboard_day` takes a whole day."""

from __future__ import annotations

import datetime as dt
from contextlib import ExitStack
from decimal import Decimal

import pytest

from tests.benchmarks.dashboard_day import RECENT, paid, refreshed, simulated_time, spent
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.test_time_windows import windowed

pytestmark = pytest.mark.postgres

HOURS = 6
REFRESHES = 2
"""Between two ticks: the second and all others are alike."""
MOMENTS = [dt.datetime(2025, 3, 30, hour, tzinfo=dt.UTC) for hour in (0, 6)] + [dt.datetime(2025, 4, 1, tzinfo=dt.UTC)]
"""Ticks: clocks in Berlin go forward between the first two, and a month ends before the third."""
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


def test_a_day_costs_one_refresh_for_each_tick_and_window(proxies: StartProxy) -> None:
    logins = dict.fromkeys(("ana", "bob", "eve"), clinic.POLICY["analysts"]["ana"])  # type: ignore[index]
    own = {"budget": {"epsilon": "1000", "delta": "1e-6"}, "per_analyst": None, "clock": f"{HOURS} hours"}
    proxy = proxies(windowed(clinic.policy(visits=own, analysts=logins)))
    ledger, before = proxy.options.ledger_dsn, dict[str, Decimal]()
    ticks: list[dict[str, Decimal]] = []
    with ExitStack() as stack:
        sessions = [stack.enter_context(proxy.connect(login, options="-c TimeZone=Europe/Berlin")) for login in logins]
        simulated = stack.enter_context(simulated_time(MOMENTS[0]))
        for begin in MOMENTS:
            shown = []
            for refresh in range(REFRESHES):
                simulated.now = begin + dt.timedelta(seconds=30 * refresh + 7)
                shown += refreshed(sessions, CHARTS)
            assert all(charts == shown[0] for charts in shown[1:])
            after = spent(ledger, "visits")
            ticks.append(paid(before, after))
            before = after
    *sunday, tuesday = ticks
    windows = [f"table:public.visits.visited_at@2025-{month}" for month in ("02", "03", "04")]
    assert sunday[0] == sunday[1], "each tick costs the same"
    assert sorted(sunday[0]) == windows[:2], "the last 30 days lie in two months, and no other pays"
    assert len(set(sunday[0].values())) == 1
    assert sorted(tuesday) == windows[1:], "a month that is over pays nothing any more, the new one begins with all"
    apart = len(CHARTS) * Decimal("0.125")
    assert sunday[0][windows[0]] < apart, "charts have parts in common"
