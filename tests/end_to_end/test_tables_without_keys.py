"""Public tables that were loaded without keys, as from files: joins with them answer as Postgres does."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from proxy.policy.model import Policy
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, over_tables
from tests.end_to_end.conftest import StartProxy

TABLES = """
CREATE TABLE trips (id integer PRIMARY KEY, taxi integer, company text, station text, hour timestamp, minutes integer);
INSERT INTO trips SELECT i, i % 40, 'c' || i % 30, 's' || i % 3, timestamp '2026-01-01' + i % 5000 * interval '1 h',
    i % 60 FROM generate_series(1, 24000) AS i;
CREATE TABLE weather (station text, hour timestamp, month integer, rain integer);
INSERT INTO weather SELECT 's' || i % 3, timestamp '2026-01-01' + i / 3 * interval '1 h', i / 2200, nullif(i % 7, 3)
    FROM generate_series(1, 15000) AS i;
INSERT INTO weather SELECT * FROM weather WHERE rain = 5 AND hour < '2026-03-01';
INSERT INTO weather SELECT NULL, hour, month, rain FROM weather;
CREATE TABLE companies (code text, name text);
INSERT INTO companies SELECT 'c' || i, 'Company ' || i FROM generate_series(1, 200) AS i;
CREATE TABLE stations (code text, town text, opened integer);
INSERT INTO stations SELECT 's' || i, 'Town ' || i % 2, 1900 + i % 100 FROM generate_series(0, 3000) AS i;
"""
SAME = {
    "by two columns, of which rows are sometimes equal": (
        "SELECT w.rain > 3, count(*), sum(t.minutes) FROM trips t JOIN weather w ON w.station = t.station AND w.hour = t.hour GROUP BY 1"
    ),
    "USING": "SELECT count(*) FROM trips JOIN weather USING (station, hour) WHERE rain < 2",
    "with rows that meet none": "SELECT count(*), count(w.rain) FROM trips t LEFT JOIN weather w USING (station, hour)",
    "by an expression": (
        "SELECT count(*) FROM trips t, weather w WHERE w.hour = date_trunc('day', t.hour) AND w.station = t.station"
    ),
    "behind subqueries": (
        "WITH w AS (SELECT station, hour, rain FROM weather WHERE month < 3) SELECT t.station, count(*), sum(t.minutes) "
        "FROM (SELECT * FROM trips) t JOIN w ON w.station = t.station AND w.hour = t.hour GROUP BY t.station"
    ),
    "two tables": (
        "SELECT s.town, count(*) FROM trips t JOIN stations s ON s.code = t.station JOIN companies c ON c.code = t.company "
        "WHERE c.name LIKE '%7' GROUP BY 1"
    ),
    "three tables": (
        "SELECT count(*) FROM trips t JOIN stations s ON s.code = t.station JOIN companies c ON c.code = t.company "
        "JOIN weather w ON w.station = t.station AND w.hour = t.hour WHERE s.opened < 1950"
    ),
}


def policy() -> Policy:
    columns: dict[str, object] = {
        "id": {},
        "taxi": {},
        "company": {},
        "station": {"values": ["s0", "s1", "s2"]},
        "hour": {},
        "minutes": {"bounds": [0, 59]},
    }
    generous = {"budget": {"epsilon": "1e27", "delta": "0.4"}, "query": {"epsilon": "1e20", "delta": "0.1"}}
    limits = {"max_rows": 20_000, "max_rows_per_group": 20_000}
    trips = {"unit": {"name": "taxi", "column": "taxi"}, "columns": columns, "contribution": limits, **generous}
    public = {f"public.{name}": {"public": True} for name in ("weather", "companies", "stations")}
    content = {**clinic.POLICY, "units": {"taxi": {}}, "tables": {"public.trips": trips, **public}}
    return Policy.model_validate(content)


@pytest.fixture(scope="module")
def both(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Connections]:
    with over_tables(TABLES, policy(), copy_clinic(), proxies) as found:
        yield found


@pytest.mark.parametrize("query", SAME.values(), ids=SAME)
def test_joins_by_columns_that_are_no_key_are_postgres_own(query: str, both: Connections) -> None:
    assert_same_answer(query, both)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM trips t JOIN weather w ON w.station = t.station JOIN weather x ON x.station = t.station",
        "SELECT count(*) FROM trips t JOIN weather w ON w.hour > t.hour",
    ],
)
def test_rows_that_are_equal_to_many_are_refused_before_anything_is_paid(query: str, both: Connections) -> None:
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="multiply the private rows too much"):
        both[0].execute(query.encode())
