"""attacks 2, 5 and 21: infinities, NaN, overflow and odd time zones neither make a choice fail nor lead it astray."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import psycopg
import pytest

from tests.end_to_end.running import RunningProxy

WITHIN = "WITHIN GROUP (ORDER BY {})"
INSIDE = {
    "numbers": ("min(minutes), max(minutes), min(birth_year), max(birth_year)", (0, 240, 1900, 2026)),
    "decimals": ("min(cost), max(discount), max(height)", (Decimal("0.07"), Decimal("1.000"), Decimal("199.9"))),
    "floats": ("min(score), max(score)", (0.0, 200.0)),
    "timestamps": ("min(visited_at), max(visited_at)", (dt.datetime(2024, 1, 1), dt.datetime(2026, 1, 1, 23, 55))),
    "dates": ("min(registered), max(registered)", (dt.date(2020, 1, 1), dt.date(2024, 12, 31))),
    "casts": ("min(seen_at::date), max(visited_at::date)", (dt.date(2024, 1, 1), dt.date(2025, 12, 30))),
    "truncated": ("max(date_trunc('century', visited_at))", (dt.datetime(2001, 1, 1),)),
    "products beyond their type": (
        "max(minutes * 1000000 * 1000000), min(-1000000 * minutes * 1000000)",
        (2_147_480_000, -2_147_480_000),
    ),
}


@pytest.mark.parametrize(("outputs", "expected"), INSIDE.values(), ids=INSIDE.keys())
def test_extreme_values_count_as_the_bounds(
    outputs: str, expected: tuple[object, ...], client: psycopg.Connection
) -> None:
    client.execute("SET TimeZone = 'UTC'")
    query = f"SELECT {outputs} FROM visits JOIN patients USING (patient_id)"
    assert client.execute(query.encode()).fetchall() == [expected]


@pytest.mark.parametrize("zone", ["FAR15NEAR-15,M3.2.0,M11.1.0", "FAR-8NEAR8,M3.2.0,M11.1.0", "Pacific/Kiritimati"])
@pytest.mark.parametrize("value", ["seen_at", "visited_at::timestamptz", "registered::timestamptz", "seen_at::date"])
def test_no_time_zone_makes_a_date_leave_its_buckets(target: RunningProxy, zone: str, value: str) -> None:
    query = f"SELECT min({value})::text, max({value})::text, percentile_disc(0.5) {WITHIN.format(value)} IS NULL "
    with target.connect() as client:
        client.execute("SELECT set_config('TimeZone', %s, false)", [zone])
        ((first, last, missing),) = client.execute(
            f"{query} FROM visits JOIN patients USING (patient_id)".encode()
        ).fetchall()
    assert first < last
    assert not missing
