"""policies/events.yaml before an app's database: the dashboard that its comments promise."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path

import psycopg
import pytest

from proxy.policy.lint import check_against_catalog
from proxy.policy.load import examine_text
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import catalog_for
from tests.conftest import PostgresCluster
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy
from tests.end_to_end.test_budget import Notices

pytestmark = pytest.mark.postgres

FILE = Path(__file__).parents[2] / "policies" / "events.yaml"
APP = """
CREATE TABLE countries (code text PRIMARY KEY);
INSERT INTO countries VALUES ('de'), ('fr'), ('it');
CREATE TABLE loads (loaded_at timestamptz NOT NULL);
INSERT INTO loads VALUES ('2024-04-01 00:00+00');
CREATE TABLE users (user_id bigint PRIMARY KEY, country text NOT NULL REFERENCES countries);
INSERT INTO users SELECT i, (ARRAY['de', 'fr', 'it'])[1 + i % 3] FROM generate_series(1, 900) AS i;
CREATE TABLE events (
    event_id bigint PRIMARY KEY, user_id bigint NOT NULL REFERENCES users, happened_at timestamptz NOT NULL,
    kind text NOT NULL CHECK (kind IN ('open', 'search', 'buy', 'share')), platform text, seconds integer
);
INSERT INTO events
SELECT i, 1 + i * 7 % 900, timestamptz '2024-01-01 00:00+00' + i * interval '11 minutes',
       (ARRAY['open', 'search', 'buy', 'share'])[1 + i % 4], (ARRAY['android', 'ios', 'web', 'tv'])[1 + i / 4 % 4], i % 500
FROM generate_series(0, 11900) AS i;
"""
PANELS = [
    "SELECT date_trunc('day', happened_at) AS day, count(*) FROM events WHERE happened_at >= '2024-03-01T00:00:00.123Z' "
    "AND happened_at < '2024-03-31T23:59:59.999Z' GROUP BY 1 ORDER BY 1",
    "SELECT kind, platform, count(*), avg(seconds) FROM events WHERE happened_at >= '2024-03-01T00:00:00.123Z' "
    "AND happened_at < '2024-03-31T23:59:59.999Z' GROUP BY 1, 2",
    "SELECT u.country, count(DISTINCT e.user_id) FROM events e JOIN users u USING (user_id) WHERE e.kind = 'buy' "
    "AND e.happened_at BETWEEN '2024-03-10T10:07:12.345Z' AND '2024-03-20T10:07:12.345Z' GROUP BY 1",
]


@pytest.fixture(scope="module")
def app(postgres_cluster: PostgresCluster) -> str:
    dsn = postgres_cluster.create_database("app_events")
    with psycopg.connect(dsn, autocommit=True) as owner:
        owner.execute(APP.encode())
    return dsn


@pytest.fixture(scope="module")
def policy(app: str) -> Policy:
    examination = examine_text(FILE.read_text(encoding="utf-8"), FILE.name, {"DATABASE_URL": app})
    assert examination.findings == []
    assert examination.policy is not None
    return examination.policy


@pytest.fixture
def proxy(proxies: StartProxy, policy: Policy, app: str) -> RunningProxy:
    return proxies(policy, source=app)


def test_the_policy_fits_the_database(policy: Policy, app: str) -> None:
    catalog = catalog_for(app, policy)
    assert [str(found) for found in check_against_catalog(policy, catalog) if found.severity == "error"] == []


def test_a_dashboard_costs_each_window_once(proxy: RunningProxy) -> None:
    with proxy.connect("superset", password="example") as client:
        notices = Notices(client)
        first = [client.execute(panel.encode()).fetchall() for panel in PANELS]
        charged = client.execute("SELECT account, count(*) FROM dp.ledger GROUP BY 1 ORDER BY 1").fetchall()
        assert charged == [
            ("table:public.events", 3),
            ("table:public.events.happened_at@2024-03", 3),
            ("table:public.users", 1),
        ]
        for _ in range(3):
            assert [client.execute(panel.encode()).fetchall() for panel in PANELS] == first
        assert client.execute("SELECT account, count(*) FROM dp.ledger GROUP BY 1 ORDER BY 1").fetchall() == charged
        assert [len(rows) for rows in first] == [31, 20, 3]
        assert sum("widened to whole steps of 1 hour" in (detail or "") for detail in notices.details) == len(
            notices.details
        )


REFRESHES, STEP_SECONDS = 12, 6


def test_a_dashboard_of_the_last_30_days_costs_one_refresh_each_tick(
    proxies: StartProxy, policy: Policy, app: str
) -> None:
    """Three logins refresh twelve charts as fast as they can, over a tick at least of a clock that is faster than usual."""
    content = policy.model_dump(by_alias=True)
    content["analysts"] |= dict.fromkeys(("ana", "bob"), content["analysts"]["superset"])
    content["tables"]["public.events"] |= {"clock": f"{STEP_SECONDS} s"}
    content["tables"]["public.events"]["budget"] |= {"epsilon": 1000, "total": None}
    proxy = proxies(Policy.model_validate(content), source=app)
    recent = "happened_at > now() - interval '30 days'"
    charts = [
        f"SELECT kind, count(*) FROM events WHERE {recent} AND seconds > {number} GROUP BY 1" for number in range(12)
    ]

    def refresh(login: str) -> int:
        answers, until = 0, time.monotonic() + 1.5 * STEP_SECONDS
        with proxy.connect(login, password="example") as client:
            while time.monotonic() < until or answers < 12 * REFRESHES:
                for chart in charts:
                    client.execute(chart.encode())
                    answers += 1
        return answers

    began = time.monotonic()
    with ThreadPoolExecutor(3) as threads:
        answers = sum(threads.map(refresh, ["superset", "ana", "bob"]))
    ticks = int((time.monotonic() - began) / STEP_SECONDS) + 2
    with proxy.connect("superset", password="example") as client:
        spent: dict[str, Decimal] = dict(
            client.execute("SELECT account, rho_spent FROM dp.budget WHERE rho_spent > 0").fetchall()
        )
    windows = [rho for account, rho in spent.items() if account.startswith("table:public.events.happened_at@")]
    assert windows
    assert len(windows) <= 2
    price = 0.005
    assert all(12 * price <= float(rho) <= 12 * ticks * price * 1.01 for rho in windows), (spent, answers)
    assert answers > 2 * 12 * ticks, "else nothing was recalled"


def test_another_month_has_its_own_budget(proxy: RunningProxy) -> None:
    april = PANELS[0].replace("2024-03-31", "2024-04-30").replace("2024-03-01", "2024-04-01")
    with proxy.connect("superset", password="example") as client:
        client.execute(april.encode())
        rows = client.execute(
            "SELECT account FROM dp.budget WHERE table_name = 'public.events' AND rho_spent > 0"
        ).fetchall()
        assert rows == [("table:public.events.happened_at@2024-04",), ("table:public.events",)]
