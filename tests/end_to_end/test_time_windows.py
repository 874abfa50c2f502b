"""Budgets for windows of time, through the wire: answers are Postgres's own, and each window pays for what reads it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import psycopg
import pytest

from proxy.policy.findings import PolicyError
from proxy.policy.model import Policy
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.query import planning
from tests.conftest import copy_database
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy
from tests.end_to_end.test_budget import Notices

pytestmark = pytest.mark.postgres

MARCH = "visited_at >= '2024-03-01' AND visited_at < '2024-04-01'"
SPRING = "visited_at >= '2024-03-01' AND visited_at < '2024-06-01'"
COUNT = f"SELECT count(*) FROM visits WHERE {MARCH}"
BUDGET = {"epsilon": "10", "delta": "1e-6"}
PRICE = Decimal("0.125")
"""rho of one block at epsilon 0.5 with Gaussian noise."""


def windowed(policy: Policy, time: str = "visited_at", per: str = "month", **more: object) -> Policy:
    """The clinic's visits have budgets per window of time; analysts and units have none of their own."""
    content: dict[str, Any] = policy.model_dump()
    visits = content["tables"]["public.visits"]
    visits["budget"] |= {"per": per, "of": time}
    visits["per_analyst"] = None
    visits["columns"][time] = {"bounds": "[2024-01-01, 2026-01-01)"}
    visits["budget"] |= more
    return Policy.model_validate(content)


@pytest.fixture(scope="module")
def exact(proxies: StartProxy) -> Iterator[Connections]:
    with client_and_source(proxies(windowed(clinic.exact_policy()))) as both:
        yield both


@pytest.fixture(scope="module")
def exact_moments(proxies: StartProxy) -> Iterator[Connections]:
    with client_and_source(proxies(windowed(clinic.exact_policy(), "seen_at", "week"))) as both:
        yield both


QUERIES = [
    "SELECT count(*), sum(cost), avg(minutes), count(DISTINCT patient_id) FROM visits WHERE {t} >= '2024-03-01 00:00+00' "
    "AND {t} < '2024-04-01 00:00+00'",
    "SELECT region, count(*), sum(minutes) FROM visits WHERE {t} BETWEEN '2024-02-10 00:00+00' AND '2024-08-20 10:30+00' "
    "GROUP BY region",
    "SELECT date_trunc('month', {t}), count(*), count(DISTINCT patient_id) FROM visits GROUP BY 1",
    "SELECT count(*), count(DISTINCT patient_id), count(DISTINCT region), stddev(score) FROM visits WHERE {t} IS NOT NULL",
    "SELECT diagnosis, count(*) FROM visits WHERE {t} < '2024-12-24 00:00+00' GROUP BY diagnosis",
    "SELECT p.sex, count(*), avg(v.cost) FROM visits v JOIN patients p USING (patient_id) "
    "WHERE v.{t} >= '2025-06-01 00:00+00' AND p.smoker GROUP BY p.sex",
    "SELECT r.zone, count(*) FROM visits v LEFT JOIN regions r ON r.name = v.region WHERE v.{t} > 'epoch' GROUP BY 1",
    "SELECT region, urgent, count(*) FROM visits WHERE {t} > '2025-01-01 00:00+00' GROUP BY ROLLUP (region, urgent)",
    "SELECT min(minutes), max(minutes), percentile_disc(0.5) WITHIN GROUP (ORDER BY minutes) FROM visits "
    "WHERE {t} >= '2024-03-01 00:00+00' AND {t} < '2024-03-04 00:00+00'",
    "SELECT count(*) FROM visits WHERE {t} < '2020-01-01 00:00+00'",
    "WITH seen AS (SELECT * FROM visits WHERE minutes > 30 OR urgent) SELECT v.region, count(*) FROM "
    "(SELECT region, {t} FROM seen) AS v WHERE v.{t} > '2025-05-05 00:00+00' OR v.region IS NULL GROUP BY 1",
    "SELECT (SELECT count(*) FROM visits WHERE {t} < '2024-02-01 00:00+00'), n FROM (SELECT count(*) AS n FROM visits "
    "WHERE {t} > '2025-11-01 00:00+00') AS q",
    "SELECT count(*), sum(minutes) FROM visits WHERE {t} >= date '2024-03-04' AND {t} <= timestamp '2024-05-06 07:00'",
]


@pytest.mark.parametrize("query", QUERIES)
def test_answers_are_those_of_postgres(query: str, exact: Connections) -> None:
    assert_same_answer(query.replace(" 00:00+00", "").replace("+00", "").format(t="visited_at"), exact)


@pytest.mark.parametrize("query", QUERIES)
def test_answers_about_moments_are_those_of_postgres(query: str, exact_moments: Connections) -> None:
    # Rows without a time belong to no window.
    expected = query.format(t="seen_at")
    if "WHERE" not in query:
        expected = expected.replace("GROUP BY", "WHERE seen_at IS NOT NULL GROUP BY")
    assert_same_answer(query.format(t="seen_at"), exact_moments, expected)


@pytest.fixture
def proxy(proxies: StartProxy) -> RunningProxy:
    return proxies(windowed(clinic.policy(), total={"epsilon": "200", "delta": "1e-6"}))


@pytest.fixture
def client(proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    with proxy.connect() as connection:
        yield connection


def spent(client: psycopg.Connection) -> dict[str, Decimal]:
    rows = client.execute("SELECT account, rho_spent FROM dp.budget WHERE account LIKE 'table:public.visits%'")
    return {
        str(account).removeprefix("table:public.visits").removeprefix(".visited_at"): Decimal(rho)
        for account, rho in rows
    }


def test_each_window_that_is_read_pays(client: psycopg.Connection) -> None:
    assert spent(client) == {"@2024-01 to 2025-12": 0, "": 0}
    notices = Notices(client)
    client.execute(COUNT)
    assert spent(client) == {"@2024-01 to 2024-02": 0, "@2024-03": PRICE, "@2024-04 to 2025-12": 0, "": PRICE}
    assert "Left: table:public.visits.visited_at@2024-03 " in (notices.details[-1] or "")
    client.execute(f"SELECT count(*) FROM visits WHERE {SPRING}")
    assert spent(client) == {
        "@2024-01 to 2024-02": 0,
        "@2024-03": 2 * PRICE,
        "@2024-04 to 2024-05": PRICE,
        "@2024-06 to 2025-12": 0,
        "": PRICE + 9 * PRICE,
    }
    assert "table:public.visits.visited_at@2024-04 to 2024-05" in (notices.details[-1] or "")
    assert "For 3 windows table:public.visits paid rho 1.125." in (notices.details[-1] or "")


def test_explain_tells_what_is_missing_as_the_price_and_the_notice_do(client: psycopg.Connection) -> None:
    """What the total pays for three windows at once is nine times as much, and told apart."""
    query = f"SELECT count(*) FROM visits WHERE {SPRING} AND minutes > 20"
    client.execute("SET dp.epsilon = 0.3")
    client.execute(query)
    client.execute("RESET dp.epsilon")
    notices, explained = Notices(client), "\n".join(row[0] for row in client.execute(f"EXPLAIN {query}"))
    assert "asked as here it costs rho 0.08 more" in explained
    client.execute(query)
    assert notices.texts[-1] == "dpproxy charged rho 0.08, what was missing of epsilon 0.5 (rho 0.125)"
    assert "For 3 windows table:public.visits paid rho 0.72." in (notices.details[-1] or "")


def test_explain_names_windows_and_what_they_have_left(client: psycopg.Connection) -> None:
    client.execute(COUNT)
    lines = [row[0].strip() for row in client.execute(f"EXPLAIN SELECT count(*) FROM visits WHERE {SPRING} AND urgent")]
    assert "Windows: 2024-03 to 2024-05 of public.visits; no other rows are read" in lines
    assert "Windows: a unit's rows of each window are bounded, and charged, by themselves" in lines
    accounts = [
        line.removeprefix("Account table:public.visits").removeprefix(".visited_at")
        for line in lines
        if line.startswith("Account")
    ]
    assert [account.partition(":")[0] for account in accounts] == ["@2024-03", "@2024-04 to 2024-05", ""]
    assert "such queries, each for rho 1.125, or for " in accounts[-1]


def test_an_exhausted_window_refuses_and_the_others_go_on(proxies: StartProxy) -> None:
    policy = windowed(clinic.policy(visits={"budget": {"epsilon": "3", "delta": "1e-6"}}))
    with proxies(policy).connect() as client:
        client.execute(COUNT)
        with pytest.raises(
            psycopg.errors.ConfigurationLimitExceeded, match=r"table:public\.visits\.visited_at@2024-03"
        ):
            client.execute(f"{COUNT} AND urgent")
        with pytest.raises(
            psycopg.errors.ConfigurationLimitExceeded, match=r"table:public\.visits\.visited_at@2024-03"
        ):
            client.execute("SELECT count(*) FROM visits")
        client.execute(COUNT.replace("2024-03", "2024-05").replace("2024-04", "2024-06"))


def test_a_new_month_comes_with_a_budget_of_its_own(
    client: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    for day, read in ((dt.date(2024, 2, 29), "@2024-01 to 2024-02"), (dt.date(2024, 3, 1), "@2024-01 to 2024-03")):
        monkeypatch.setattr(planning, "today", lambda day=day: day)
        lines = [str(row[0]).strip() for row in client.execute("EXPLAIN SELECT count(*) FROM visits")]
        assert f"Windows: {read[1:]} of public.visits; no other rows are read" in lines
        assert any(line.startswith(f"Account table:public.visits.visited_at{read}:") for line in lines)
    late = "EXPLAIN SELECT count(*) FROM visits WHERE visited_at < '2024-12-01'"
    lines = [str(row[0]).strip() for row in client.execute(late)]
    assert "Windows: 2024-01 to 2024-11 of public.visits; no other rows are read" in lines


REFUSED = {
    "SELECT count(*) FROM (SELECT patient_id, max(cost) AS most FROM visits GROUP BY patient_id) AS v WHERE most > 9": (
        "public.visits must stand in the aggregate's own FROM"
    ),
    "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id)": (
        "public.visits must stand in the aggregate's own FROM"
    ),
    "SELECT count(*) FROM patients p LEFT JOIN visits v USING (patient_id)": (
        "public.visits must stand in the aggregate's own FROM"
    ),
    "SELECT count(*) FROM visits a JOIN visits b USING (patient_id)": "from several windows of time cannot be joined",
    "SELECT count(*) FROM visits WHERE upper(repeat(diagnosis, 3)) = 'X'": "cannot be limited here",
    f"SELECT diagnosis, count(*) FROM visits WHERE {SPRING} GROUP BY 1": "needs a delta, which table:public.visits cannot",
}


@pytest.mark.parametrize(("query", "message"), REFUSED.items())
def test_what_has_no_proof_is_refused_and_free(query: str, message: str, client: psycopg.Connection) -> None:
    before = spent(client)
    with pytest.raises(psycopg.errors.FeatureNotSupported, match=message) as refusal:
        client.execute(query.encode())
    assert refusal.value.diag.message_detail
    assert refusal.value.diag.message_hint
    assert spent(client) == before


def test_no_edit_of_windows_resets_what_was_spent(
    stage_cluster: EmbeddedPostgres, proxies: StartProxy, copy_clinic: Callable[[], str]
) -> None:
    ledger = copy_database(stage_cluster.dsn(), "template1", "ledger_of_windows")
    source, plain = copy_clinic(), clinic.policy(visits={"per_analyst": None})
    again = {"source": source, "ledger": ledger}
    with proxies(plain, **again).connect() as client:
        client.execute(COUNT)
    for policy in (windowed(plain), windowed(plain, per="week")):
        with pytest.raises(PolicyError, match=r"such as table:public\.visits, would not count any more"):
            proxies(policy, **again)
    with proxies(windowed(plain, new_accounts=True), **again).connect() as client:
        client.execute(COUNT)
    other = r"such as table:public\.visits\.visited_at@2024-03, would not"
    content = windowed(plain, total=BUDGET)
    proxies(content, **again)
    for policy in (plain, windowed(plain, per="week", total=BUDGET), windowed(plain, time="seen_at", total=BUDGET)):
        with pytest.raises(PolicyError, match=other):
            proxies(policy, **again)


def test_a_proxy_starts_again_on_windows_that_renew_and_have_a_rate(
    stage_cluster: EmbeddedPostgres, proxies: StartProxy, copy_clinic: Callable[[], str]
) -> None:
    renewing = windowed(clinic.policy(), renew={"every": "week"}, at_most={"epsilon": "5", "per": "day"})
    ledger = copy_database(stage_cluster.dsn(), "template1", "ledger_of_windows_with_rates")
    again = {"source": copy_clinic(), "ledger": ledger}
    for _ in range(2):
        with proxies(renewing, **again).connect() as client:
            client.execute(COUNT)
            charged = [str(account) for (account,) in client.execute("SELECT account FROM dp.ledger")]
    assert any(re.fullmatch(r"table:public\.visits\.visited_at@2024-03@.*Z", account) for account in charged)
    assert any(re.fullmatch(r"table:.*@2024-03 per day@.*Z", account) for account in charged)
