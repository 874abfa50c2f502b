"""attacks 3 and 12: two groups never share a text, or one person's row would decide which of them is shown for both.

The time zone below puts its clocks back by thirty hours, all of which have the same local times as those before.
ISO texts tell them apart by their offsets; those of other styles do not, and are refused.
"""

from __future__ import annotations

import psycopg
import pytest

from tests.end_to_end.running import RunningProxy

ZONE = "EST15EST-15,J100,J200"
QUERY = (
    "SELECT date_trunc('hour', seen_at) AS hour, count(*) FROM visits WHERE seen_at BETWEEN '2024-07-15' AND '2024-07-25' "
    "GROUP BY 1"
)
LOCAL_TIME = "to_char(seen_at, 'YYYY-MM-DD HH24')"


def test_moments_of_one_local_time_are_groups_of_their_own(target: RunningProxy) -> None:
    with target.connect() as client, psycopg.connect(target.options.source_dsn) as source:
        for connection in (client, source):
            connection.execute("SELECT set_config('TimeZone', %s, false)", [ZONE])
        query = f"SELECT extract(epoch FROM hour)::bigint, count FROM ({QUERY}) AS hours"
        answered: dict[int, int] = dict(client.execute(query.encode()).fetchall())
        expected: dict[int, int] = dict(source.execute(query.encode()).fetchall())
        ((moments, texts),) = source.execute(
            f"SELECT count(DISTINCT date_trunc('hour', seen_at)), count(DISTINCT {LOCAL_TIME}) FROM visits".encode()
        ).fetchall()
    assert moments > texts
    assert {hour: count for hour, count in answered.items() if count} == expected


@pytest.mark.parametrize("style", ["SQL", "German", "Postgres, DMY"])
def test_styles_whose_texts_hide_the_offset_are_refused(style: str, client: psycopg.Connection) -> None:
    client.execute("SELECT set_config('DateStyle', %s, false)", [style])
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="DateStyle must be ISO"):
        client.execute("SELECT count(*) FROM visits")
    assert client.execute("SELECT count(*) FROM regions").fetchone() == (5,)
