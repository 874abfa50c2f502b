"""A released row is used as the value that was verified: nothing in a released query changes how texts are written."""

from __future__ import annotations

import psycopg
import pytest

from tests.end_to_end.running import RunningProxy

ONE_INSTANT = """
    SELECT count(*) FROM visits v JOIN (
        SELECT t, set_config('TimeZone', max(zone), {local}), set_config('DateStyle', 'ISO', {local})
        FROM (VALUES ('2024-03-01 12:00+00'::timestamptz, 'UTC'), ('2024-03-01 13:00+00', 'Asia/Tokyo')) AS x (t, zone)
        GROUP BY t
    ) AS r ON v.seen_at >= r.t"""


@pytest.mark.parametrize("local", ["true", "false"])
def test_settings_cannot_be_changed_while_released_texts_are_written(local: str, target: RunningProxy) -> None:
    with target.connect() as client, pytest.raises(psycopg.errors.FeatureNotSupported, match=r"set_config\(\) is not"):
        client.execute(ONE_INSTANT.format(local=local).encode())


@pytest.mark.parametrize(
    "call",
    [
        "set_config('TimeZone', 'UTC', true)",
        "pg_catalog.set_config('TimeZone', 'UTC', true)",
        "\"set_config\"('TimeZone', 'UTC', true)",
        "random()::text",
        "clock_timestamp()::text",
        "pg_sleep(0)::text",
        "setseed(0)::text",
        "pg_advisory_lock(1)::text",
        "query_to_xml('SELECT 1', true, true, '')::text",
        "(SELECT set_config('TimeZone', 'UTC', true))",
        "CASE WHEN set_config('TimeZone', 'UTC', true) = 'UTC' THEN 'a' END",
    ],
)
def test_a_released_query_calls_no_function_with_effects(call: str, target: RunningProxy) -> None:
    query = f"SELECT count(*) FROM visits WHERE region IN (SELECT max({call}) FROM regions GROUP BY zone)"
    with (
        target.connect() as client,
        pytest.raises(psycopg.errors.FeatureNotSupported, match="subquery of a private query"),
    ):
        client.execute(query.encode())


def test_a_released_query_is_evaluated_under_pinned_settings(target: RunningProxy) -> None:
    """Whatever the session has set, the rows that enter the source query are the same."""
    query = "SELECT count(*) FROM visits WHERE cost > (SELECT max(x) FROM (VALUES (100.25::float8)) AS v (x))"
    with target.connect() as client:
        usual = client.execute(query.encode()).fetchone()
        for setting, value in (("extra_float_digits", "-15"), ("bytea_output", "escape"), ("lc_monetary", "C")):
            client.execute("SELECT set_config(%s, %s, false)", [setting, value])
        assert client.execute(query.encode()).fetchone() == usual
