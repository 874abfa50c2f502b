"""`moment::date` as a group key: its days are declared, as those of date_trunc('day', moment) are."""

from __future__ import annotations

import datetime as dt

import psycopg
import pytest

from tests.end_to_end.comparing import Connections
from tests.end_to_end.running import RunningProxy

ZONES = ["UTC", "America/Havana", "Asia/Beirut", "Pacific/Apia"]
"""In Havana and Beirut some days begin at 01:00, and in Havana one day has the hour after midnight twice."""


def plan(client: psycopg.Connection, query: str) -> str:
    return "\n".join(line for (line,) in client.execute(f"EXPLAIN {query}".encode()))


@pytest.mark.parametrize("zone", ZONES)
def test_days_are_those_of_the_sessions_time_zone(zone: str, exact_proxy: RunningProxy) -> None:
    query = "SELECT seen_at::date, count(*) FROM visits WHERE seen_at > '2024-01-02 12:00+00' GROUP BY 1"
    with exact_proxy.connect() as client, psycopg.connect(exact_proxy.options.source_dsn) as source:
        for connection in (client, source):
            connection.execute(f"SET TimeZone = '{zone}'".encode())
        answered: dict[dt.date | None, int] = dict(client.execute(query.encode()).fetchall())
        expected: dict[dt.date | None, int] = dict(source.execute(query.encode()).fetchall())
    assert len(expected) > 700
    assert {key: count for key, count in answered.items() if count} == expected


FAR = ["America/Los_Angeles", "Pacific/Kiritimati", "XXX+15:59", "XXX-15:59", "<+0530>-05:30"]


@pytest.mark.parametrize("zone", FAR)
@pytest.mark.parametrize(
    "query",
    [
        "SELECT min(seen_at), max(seen_at) FROM visits",
        "SELECT round(avg(extract(epoch FROM seen_at)), 3) FROM visits",
        "SELECT date_trunc('month', seen_at), count(*) FROM visits GROUP BY 1 HAVING count(*) > 0",
        "SELECT date_trunc('day', max(seen_at)) FROM visits WHERE seen_at < '2024-03-01'",
    ],
)
def test_limits_of_the_policy_are_the_same_moments_under_every_clock(
    query: str, zone: str, exact_proxy: RunningProxy
) -> None:
    with exact_proxy.connect() as client, psycopg.connect(exact_proxy.options.source_dsn) as source:
        for connection in (client, source):
            connection.execute(f"SET TimeZone = '{zone}'".encode())
        answered, expected = (connection.execute(query.encode()).fetchall() for connection in (client, source))
    assert sorted(answered, key=str) == sorted(expected, key=str)


def test_a_clock_does_not_move_the_limits(exact_proxy: RunningProxy) -> None:
    """Read by the session's clock, they would be another question's, with other values."""
    explained = set()
    for zone in ("UTC", *FAR):
        with exact_proxy.connect() as client:
            client.execute(f"SET TimeZone = '{zone}'".encode())
            explained.add(plan(client, "SELECT sum(extract(epoch FROM seen_at)) FROM visits"))
    assert len(explained) == 1


@pytest.mark.parametrize("zone", ["XXX+16", "XXX-167:59", "<-16>+16", "EST5EDT99"])
def test_a_zone_whose_moments_cannot_be_read_is_refused_before_the_charge(zone: str, exact_proxy: RunningProxy) -> None:
    with exact_proxy.connect() as client:
        client.execute(f"SET TimeZone = '{zone}'".encode())
        with pytest.raises(psycopg.errors.FeatureNotSupported, match="too far from UTC"):
            client.execute("SELECT count(*) FROM visits")
        client.execute("RESET TimeZone")
        assert client.execute("SELECT count(*) FROM visits").rowcount == 1


def test_days_are_declared_and_need_no_delta(connections: Connections) -> None:
    explained = plan(connections[0], "SELECT visited_at::date AS day, count(*) FROM visits GROUP BY day")
    assert "declared (days of visited_at)" in explained
    assert "delta" not in explained.partition("  Price:")[2]


def test_the_date_of_a_month_stays_a_month(connections: Connections) -> None:
    query = "SELECT date_trunc('month', visited_at)::date, count(*) FROM visits GROUP BY 1"
    assert "declared (months of visited_at)" in plan(connections[0], query)
    client, _ = connections
    assert client.execute(query.encode()).rowcount < 30


def test_days_in_a_list_of_where_are_that_list(connections: Connections) -> None:
    query = "SELECT visited_at::date, count(*) FROM visits WHERE visited_at::date IN ('2024-05-02', '2024-05-03') GROUP BY 1"
    assert "declared (a list in WHERE)" in plan(connections[0], query)


def test_the_date_of_a_text_is_not_declared(connections: Connections) -> None:
    assert ": selected;" in plan(connections[0], "SELECT diagnosis::date, count(*) FROM visits GROUP BY 1")
