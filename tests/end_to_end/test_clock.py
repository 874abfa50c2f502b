"""A dashboard with relative ranges costs its table once until the clock ticks, and its answers are those of the tick."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest import mock

import psycopg
import pytest

from proxy.policy.model import Policy
from proxy.query.planned import Plan
from proxy.query.planning import Planner
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.test_budget import Notices

pytestmark = pytest.mark.postgres

DAYS = 200
"""Between two ticks: so long that a test hardly meets one."""
TICK = f"to_timestamp(floor(extract(epoch FROM now()) / {DAYS * 86400}) * {DAYS * 86400})"
RECENT = "seen_at > now() - interval '800 days'"


@pytest.fixture(scope="module")
def client(proxies: StartProxy) -> Iterator[psycopg.Connection]:
    exact = clinic.exact_policy().model_dump()
    exact["tables"]["public.visits"] |= {"clock": f"{DAYS} days", "snap": True}
    with proxies(Policy.model_validate(exact)).connect() as connection:
        yield connection


def test_relative_ranges_are_recalled_and_those_of_the_tick(client: psycopg.Connection) -> None:
    notices = Notices(client)
    answers = [client.execute(f"SELECT count(*) FROM visits WHERE {RECENT}").fetchone() for _ in range(3)]
    assert len(set(answers)) == 1
    assert notices.texts[1:] == ["dpproxy recalled an earlier answer, free of charge"] * 2
    of_tick = client.execute(f"SELECT count(*) FROM visits WHERE {RECENT.replace('now()', TICK)}").fetchone()
    assert of_tick == answers[0]
    fixed = client.execute(f"SELECT {TICK} - interval '800 days'").fetchone()
    assert client.execute("SELECT count(*) FROM visits WHERE seen_at > %s", fixed).fetchone() == answers[0]


def test_a_relative_range_is_planned_once_between_two_ticks(client: psycopg.Connection) -> None:
    planned: list[str] = []

    async def counted(planner: Planner, text: str, *others: Any) -> Plan | None:
        planned.append(text)
        return await plan(planner, text, *others)

    plan, query = Planner.plan, f"SELECT count(*) FROM visits WHERE {RECENT} AND urgent"
    with mock.patch.object(Planner, "plan", counted):
        answers = {client.execute(query).fetchone() for _ in range(3)}
        client.execute("SET extra_float_digits = 0")
        with pytest.raises(psycopg.errors.FeatureNotSupported, match="extra_float_digits must be 1"):
            client.execute(query)
        client.execute("RESET extra_float_digits")
    assert len(answers) == len(planned) == 1


def test_a_text_with_another_comment_is_not_planned_again(client: psycopg.Connection) -> None:
    planned: list[str] = []

    async def counted(planner: Planner, text: str, *others: Any) -> Plan | None:
        planned.append(text)
        return await plan(planner, text, *others)

    plan, query = Planner.plan, "SELECT urgent, count(*) FROM visits WHERE minutes > 7 GROUP BY urgent"
    with mock.patch.object(Planner, "plan", counted):
        texts = [f"/* job {number} */ {query} -- dashboard {number}" for number in range(3)]
        answers = {str(client.execute(text.encode()).fetchall()) for text in (*texts, query)}
        assert planned == texts[:1]
        client.execute(query.replace("7", "7 /* 8 */ + 1").encode())
    assert len(answers) == 1
    assert len(planned) == 2


def test_the_notice_and_explain_tell_of_the_clock(client: psycopg.Connection) -> None:
    details: list[str] = []
    client.add_notice_handler(lambda notice: details.append(notice.message_detail or ""))
    query = f"SELECT count(*) FROM visits WHERE {RECENT} AND visited_at < '2025-03-01 10:07:12.345'"
    client.execute(query)
    client.execute(query)
    told = "The time of now() and its like moves in steps of 200 days. WHERE is widened to whole steps of 200 days."
    assert all(told in detail for detail in details)
    assert len(details) == 2
    lines = [row[0].strip() for row in client.execute(f"EXPLAIN {query}")]
    assert "Clock: the time of now() and its like moves in steps of 200 days" in lines
    assert "Clock: WHERE is widened to whole steps of 200 days" in lines


def test_the_clock_outside_of_blocks_is_free(client: psycopg.Connection) -> None:
    row = client.execute(
        f"SELECT now() > {TICK}, now() = transaction_timestamp(), q.n >= 0 "
        "FROM (SELECT count(*) AS n FROM visits WHERE seen_at < now()) AS q"
    ).fetchone()
    assert row == (True, True, True)
