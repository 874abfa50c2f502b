"""Group keys in a time zone that the query names: each group is Postgres's own, where clocks are changed too."""

from __future__ import annotations

import psycopg
import pytest

from proxy.sql.planning.date_limits import least_in_zone, most_in_zone
from proxy.sql.planning.value_sets import truncated_in_zone, truncated_values
from tests.conftest import PostgresCluster
from tests.end_to_end.comparing import Connections
from tests.end_to_end.test_days_of_moments import plan

ZONES = ["UTC", "Europe/Berlin", "America/Havana", "Asia/Beirut", "Australia/Lord_Howe", "Asia/Kathmandu"]
"""In Havana and Beirut some days begin at 01:00; on Lord Howe Island clocks change by half an hour."""
KEYS = [
    "date_trunc('month', seen_at AT TIME ZONE '{zone}')",
    "date_trunc('week', timezone('{zone}', seen_at))",
    "date_trunc('day', seen_at, '{zone}')",
    "date_trunc('quarter', seen_at, '{zone}')",
    "date_trunc('hour', seen_at, '{zone}')",
    "date_trunc('hour', seen_at AT TIME ZONE '{zone}')",
    "(seen_at AT TIME ZONE '{zone}')::date",
    "to_char(seen_at AT TIME ZONE '{zone}', 'YYYY-MM-DD HH24')",
    "date_trunc('day', visited_at AT TIME ZONE 'UTC' AT TIME ZONE '{zone}')",
    "date_trunc('hour', visited_at AT TIME ZONE '{zone}')",
    "date_bin('1 day', seen_at AT TIME ZONE '{zone}', '2024-01-07')",
]


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("key", KEYS)
def test_keys_in_a_zone_are_declared_and_equal_postgres(key: str, zone: str, connections: Connections) -> None:
    query = f"SELECT {key.format(zone=zone)} AS k, count(*) FROM visits GROUP BY 1"
    client, source = connections
    assert ": declared (" in plan(client, query)
    answered: dict[object, int] = dict(client.execute(query.encode()).fetchall())
    expected: dict[object, int] = dict(source.execute(query.encode()).fetchall())
    assert {group: count for group, count in answered.items() if count} == expected


CHANGES = {
    "Europe/Berlin": "2024-10-27 01:00+00",
    "America/Havana": "2024-11-03 05:00+00",
    "Asia/Beirut": "2024-03-30 22:00+00",
    "Australia/Lord_Howe": "2024-04-06 15:00+00",
    "Europe/London": "2024-03-31 01:00+00",
}


@pytest.mark.parametrize(("zone", "change"), CHANGES.items())
@pytest.mark.parametrize("field", ["minute", "hour", "day", "week", "month"])
@pytest.mark.parametrize(
    "way", ["date_trunc('{field}', t, '{zone}')", "date_trunc('{field}', t AT TIME ZONE '{zone}')"]
)
def test_limits_beside_a_change_of_the_clock_leave_no_group_out(
    postgres_cluster: PostgresCluster, zone: str, change: str, field: str, way: str
) -> None:
    """Limits a few minutes to hours before and after it, in all combinations."""
    name = f"'{zone}'"
    with psycopg.connect(postgres_cluster.dsn("postgres")) as connection:
        connection.execute("SET TimeZone = 'Pacific/Chatham'")
        for before in (-90, -40, -10, 0, 10, 40, 90):
            for after in (5, 20, 45, 80, 200):
                low, high = (
                    f"('{change}'::timestamptz + interval '{minutes} min')" for minutes in (before, before + after)
                )
                moments = f"SELECT t FROM generate_series({low}, {high}, '5 min') AS s(t)"
                expected = f"SELECT DISTINCT {way.format(field=field, zone=zone)} FROM ({moments}) AS m"
                if "AT TIME" in way:
                    limits = least_in_zone(name, low), most_in_zone(name, high)
                    listed = truncated_values(field, *limits, zoned=False)
                else:
                    listed = truncated_in_zone(field, low, high, name)
                missing = connection.execute(f"{expected} EXCEPT ({listed})".encode()).fetchall()
                assert not missing, (low, high)
