"""Group keys that are declared because they grow in steps with a bounded column: each group is Postgres's own.

A step that the enumeration left out would be a missing group here: nothing selects these keys.
"""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy

MOMENTS = (
    "floor(extract(epoch FROM {x}) / 3600) * 3600",
    "floor(date_part('epoch', {x}) / 86400.0) * 86400",
    "to_timestamp(floor(extract(epoch FROM {x}) / 86400) * 86400)",
    "to_timestamp(floor((extract(epoch FROM {x}) / 3600)) * 3600) AT TIME ZONE 'UTC'",
    "extract(epoch FROM {x})::bigint / 86400",
    "(extract(epoch FROM {x}) / 604800)::bigint",
    "to_char({x}, 'YYYY-MM')",
    "to_char({x}, 'YYYY-MM-DD')",
    "to_char({x}, 'Mon YYYY')",
    "to_char({x}, 'IYYY-IW')",
    "to_char({x}, 'YYYY-\"Q\"Q')",
    "to_char({x}, 'FMDay, DDth')",
    "to_char({x}, 'HH24:00')",
    "to_char({x}, 'YYYY')",
    "date_bin('1 day', {x}, '2001-01-01')",
    "date_bin('7 days', {x}, '2001-01-07')",
    "date_bin('6 hours', {x}, '2030-01-01 01:00')",
    "date_bin('30 days', {x}, '1984-01-01T00:00:00Z')",
    "date_bin('30 days', {x}, '1984-01-01 UTC')",
    "date_bin('30 days', {x}, timestamp '1984-01-01')",
    "date_bin('30 days', {x}, date '1984-01-01')",
    "date_trunc('week', {x} + interval '1 day') - interval '1 day'",
    "(date_trunc('week', {x} + interval '1 day') - interval '1 day')::date",
    "date_trunc('month', {x} - interval '36 hours')",
    "date({x})",
    "make_date(extract(year FROM {x})::int, extract(month FROM {x})::int, 1)",
    "extract(year FROM {x}) * 100 + extract(month FROM {x})",
)

NUMBERS = (
    "floor(cost / 50) * 50",
    "trunc(cost)",
    "trunc(cost, -1)",
    "round(cost, -1)",
    "round(cost / 10) * 10",
    "ceil((cost - 3) / 40)",
    "div(cost, 50)",
    "cost::int / 50 * 50",
    "floor(score)",
    "round(score * 3 + 1)",
    "ceil(ratio / 0.1)",
    "floor(score / 7) * 7",
    "score::int",
    "round(ratio * 20)",
    "width_bucket(cost, 0, 1000, 8)",
    "to_char(floor(cost / 100) * 100, 'FM999,990')",
    "floor(CASE WHEN urgent THEN cost END / 50) * 50",
    "floor(CASE WHEN urgent THEN cost ELSE minutes - 7 END / 50) * 50",
)


@pytest.fixture(scope="module")
def connections(exact_proxy: RunningProxy) -> Iterator[Connections]:
    with client_and_source(exact_proxy) as both:
        yield both


@pytest.mark.parametrize("column", ["visited_at", "seen_at"])
@pytest.mark.parametrize("key", MOMENTS)
def test_steps_of_moments(key: str, column: str, connections: Connections) -> None:
    """Also where the clocks of a session change, and where hours have half an hour's offset."""
    for zone in ("UTC", "Europe/Paris", "Australia/Lord_Howe"):
        for connection in connections:
            connection.execute(f"SET TimeZone = '{zone}'")
        _same_groups(key.format(x=column), "visits", connections)


@pytest.mark.parametrize("origin", ["1984-01-01T00:00:00Z", "1984-01-01 UTC", "Jan 1 1984 0:00 Europe/Berlin"])
def test_bins_since_a_moment_in_any_words(origin: str, connections: Connections) -> None:
    _same_groups(f"date_bin('30 days', seen_at, timestamptz '{origin}')", "visits", connections)


@pytest.mark.parametrize("key", NUMBERS)
def test_steps_of_numbers(key: str, connections: Connections) -> None:
    _same_groups(key, "visits", connections)


@pytest.mark.parametrize(
    ("key", "where", "groups"),
    [
        (
            "floor(extract(epoch FROM visited_at) / 60)",
            "visited_at >= '2024-03-01' AND visited_at < '2024-03-02'",
            1440,
        ),
        ("to_char(visited_at, 'HH24:MI')", "visited_at >= '2024-03-01' AND visited_at < '2024-03-02'", 1440),
        ("floor(cost / 50) * 50", "cost < 100", 2),
        ("floor(cost / 50) * 50", "cost BETWEEN 120 AND 190 AND minutes < 9", 2),
        ("width_bucket(cost, 0, 100, 4)", "cost IS NOT NULL", 6),
        ("to_char(seen_at, 'YYYY')", "seen_at IS NOT NULL AND seen_at < '2026-01-01'", 2),
    ],
)
def test_conditions_narrow_the_steps(key: str, where: str, groups: int, connections: Connections) -> None:
    """No group of nobody: what WHERE excludes, NULL among it, is no key."""
    client, _ = connections
    with client.transaction():
        client.execute("SET LOCAL dp.empty_groups = 'show'")
        client.execute("SET LOCAL TimeZone = 'UTC'")
        shown = client.execute(f"SELECT {key} AS k, count(*) FROM visits WHERE {where} GROUP BY 1".encode()).fetchall()
    assert len(shown) == groups
    assert None not in {row[0] for row in shown}


@pytest.mark.parametrize(
    ("keys", "groups"),
    [
        ("date_trunc('month', visited_at), to_char(visited_at, 'Mon YYYY')", 24),
        ("to_char(visited_at, 'Mon YYYY'), date_trunc('month', visited_at), extract(year FROM visited_at)", 24),
        ("date(visited_at), extract(dow FROM visited_at)", 731),
        ("date_trunc('week', visited_at), date_trunc('year', visited_at)", 106),
    ],
)
def test_parts_of_one_moment_are_no_groups_of_nobody(keys: str, groups: int, connections: Connections) -> None:
    client, _ = connections
    query = f"SELECT {keys}, count(*) FROM visits WHERE visited_at < '2026-01-01' GROUP BY "
    query += ", ".join(str(place + 1) for place in range(keys.count("visited_at")))
    with client.transaction():
        client.execute("SET LOCAL dp.empty_groups = 'show'")
        assert len(client.execute(query.encode()).fetchall()) == groups
    assert_same_answer(query, connections)


def test_a_number_of_many_steps_is_selected(connections: Connections) -> None:
    client, _ = connections
    for key in ("round(cost, 2)", "floor(-cost)", "floor(cost + minutes)", "floor(extract(epoch FROM visited_at))"):
        assert "selected" in _explained(client, key)


def _same_groups(key: str, table: str, connections: Connections) -> None:
    assert "declared" in _explained(connections[0], key)
    assert_same_answer(f"SELECT {key} AS k, count(*), count(minutes) FROM {table} GROUP BY 1", connections)


def _explained(client: psycopg.Connection, key: str) -> str:
    lines = client.execute(f"EXPLAIN SELECT {key} AS k, count(*) FROM visits GROUP BY 1".encode()).fetchall()
    return next(str(line) for (line,) in lines if "Group keys" in line)


@pytest.mark.parametrize(
    "keys",
    [
        "extract(year FROM registered), extract(month FROM registered)",
        "extract(year FROM registered) * 100 + extract(month FROM registered)",
        "extract(year FROM registered) || '-' || extract(month FROM registered)",
        "date_part('year', registered), to_char(registered, 'MM')",
    ],
)
def test_parts_of_a_date_without_bounds_are_selected(keys: str, proxies: StartProxy) -> None:
    policy = clinic.exact_policy()
    patients = policy.tables["public.patients"].model_dump(exclude_unset=True)
    patients["columns"] = patients["columns"] | {"registered": {}}
    with client_and_source(proxies(clinic.policy(patients=patients))) as both:
        assert_same_answer(f"SELECT {keys}, count(*) FROM patients GROUP BY {keys}", both)
