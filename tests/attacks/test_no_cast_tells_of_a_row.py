"""attack 5: a constant beyond a type's range fails for everybody or for nobody, never only where a row meets it.

Postgres computes the cast of a date to timestamptz for each row, as it depends on the session's TimeZone. What is asked
here of one person has to be answered whether that person has rows or not. Lists of dates stand in
`tests/fixtures/expressions/failing.sql`, which `test_total.py` asks in several time zones.
"""

from __future__ import annotations

import psycopg
import pytest

FAR = "date '5874897-12-31'"
EARLY, LATE = "timestamp '4714-11-24 00:00 BC'", "timestamp '294276-12-31 23:59:59'"
SOMEBODY, NOBODY = 42, 999_999
NARROWED = {
    "moments up to a date": f"seen_at <= {FAR}",
    "timestamps up to a date": f"visited_at <= {FAR}",
    "a date on the left": f"{FAR} > seen_at",
    "moments up to a timestamp": f"seen_at <= {LATE}",
    "moments from a timestamp on": f"seen_at >= {EARLY}",
    "timestamps up to a moment": "visited_at <= timestamptz '294276-12-31 23:59:59Z'",
    "timestamps from a late moment on": "visited_at >= timestamptz '294276-12-31 23:59:59Z'",
    "timestamps from an early moment on": "visited_at >= timestamptz '4713-01-01 00:00:00Z BC'",
    "timestamps from a moment on": "visited_at >= timestamptz '4714-11-24 00:00Z BC'",
}
ZONES = ("UTC", "FAR15:59", "FAR-15:59")


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("condition", NARROWED.values(), ids=NARROWED.keys())
def test_dates_of_where_narrow_choices_and_fail_for_no_row(
    condition: str, zone: str, client: psycopg.Connection
) -> None:
    client.execute("SELECT set_config('TimeZone', %s, false)", [zone])
    for person in (SOMEBODY, NOBODY):
        query = f"SELECT max(seen_at), min(visited_at) FROM visits WHERE {condition} AND patient_id = {person}"
        assert client.execute(query.encode()).fetchone() is not None


MIXED = "SELECT count(*) FROM visits WHERE width_bucket(seen_at, ARRAY[{}]) > 0"


def test_thresholds_of_another_type_are_refused(client: psycopg.Connection) -> None:
    with pytest.raises(
        psycopg.errors.FeatureNotSupported, match=r"the types date, timestamp with time zone in .* do not"
    ):
        client.execute(MIXED.format(f"date '2024-01-01', {FAR}").encode())
    assert client.execute(MIXED.format("timestamptz '2024-01-01'").encode()).fetchone() is not None


def test_dates_among_moments_are_compared_as_postgres_does(client: psycopg.Connection) -> None:
    query = "SELECT count(*) FROM visits WHERE seen_at IN (date '2024-07-02', timestamptz '2024-03-01 00:00+00')"
    client.execute("SET TimeZone = 'UTC'")
    spelled_out = query.replace("date '2024-07-02'", "timestamptz '2024-07-02 00:00+00'")
    asked, expected = (client.execute(text.encode()).fetchone() for text in (query, spelled_out))
    assert asked == expected != (0,)
