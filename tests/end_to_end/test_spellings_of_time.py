"""Units of time under all their names, intervals in all their forms, and dates that are texts."""

from __future__ import annotations

import itertools

import psycopg
import pytest

from proxy.sql.terms.datetimes import TRUNCATION_FIELDS, field_range
from proxy.sql.terms.intervals import interval_parts, plain_interval
from proxy.sql.terms.text_casts import TIMESTAMP_PATTERN
from proxy.sql.terms.time_units import UNIT_NAMES, unit_named
from tests.end_to_end.comparing import Connections, assert_same_answer

STYLES = ("postgres", "postgres_verbose", "sql_standard", "iso_8601")

SAME = {
    "units in capitals": "SELECT date_trunc('MONS', visited_at), count(*) FROM visits GROUP BY 1",
    "units of zones": "SELECT date_trunc('days', seen_at, 'Asia/Tokyo')::date, count(*) FROM visits WHERE seen_at < '2024-02-01' "
    "GROUP BY 1",
    "fields": "SELECT extract(mon FROM visited_at), date_part('yrs', visited_at), count(*) FROM visits GROUP BY 1, 2",
    "parts of one interval": "SELECT count(*) FROM visits WHERE visited_at + make_interval(weeks => 1, hours := minutes) > '2025-03-01'",
    "arguments by place": "SELECT count(*) FROM visits WHERE visited_at - make_interval(0, 1, 0, minutes) > '2025-03-01'",
    "seconds": "SELECT sum(extract(epoch FROM make_interval(mins => minutes, secs => 1.5))) FROM visits",
    "no parts": "SELECT count(*) FROM visits WHERE visited_at + make_interval() > '2025-03-01'",
    "a number and a unit as text": "SELECT count(*) FROM visits WHERE visited_at + (minutes || ' days')::interval > '2025-03-01'",
    "so with CAST": "SELECT count(*) FROM visits WHERE visited_at + CAST(minutes::varchar || 'hr' AS interval) > '2025-03-01'",
    "a text beside a timestamp": "SELECT count(*) FROM visits WHERE visited_at + '1 mon' > '2025-03-01'",
    "a text before a timestamp": "SELECT count(*) FROM visits WHERE '1 mon' + seen_at > '2025-03-01'",
    "a text beside an interval": "SELECT count(*) FROM visits WHERE visited_at - timestamp '2024-01-01' - '1 mon' > '2 mons'",
    "texts of one digit": "SELECT (extract(year FROM visited_at) || '-' || extract(month FROM visited_at) || '-1')::date, count(*) "
    "FROM visits GROUP BY 1",
    "texts with slashes": "SELECT count(*) FROM visits WHERE to_char(visited_at, 'YYYY/FMMM/FMDD HH24:MI')::timestamp > '2025-03-01'",
    "texts of eight digits": "SELECT count(*) FROM visits WHERE to_char(visited_at, 'YYYYMMDD')::date > '2025-03-01'",
    "the time between visits": "SELECT count(*), max(gap) FROM (SELECT visited_at - lag(visited_at) OVER "
    "(PARTITION BY patient_id ORDER BY visited_at, visit_id) AS gap FROM visits) x WHERE gap > interval '1 week'",
    "beside all columns": "SELECT region, count(*) FROM (SELECT *, minutes - lag(minutes) OVER (PARTITION BY patient_id ORDER BY "
    "visited_at, visit_id) AS more FROM visits) x WHERE more > 5 GROUP BY 1",
    "over a join": "SELECT count(*) FROM (SELECT DISTINCT v.patient_id, p.patient_id AS again, v.minutes - max(v.minutes) OVER "
    "(PARTITION BY v.patient_id) AS less FROM visits v JOIN patients p ON p.patient_id = v.patient_id) x WHERE less > -20",
}


@pytest.mark.parametrize("query", SAME.values(), ids=SAME)
def test_answers_equal_those_of_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "interval", ["P1M2DT3H", "1-2", "@ 1 mon 2 days ago", "-1 mon +2 days -3:00", "2 h 1 century", "-5 d 3 h"]
)
def test_an_interval_means_the_same_under_each_style_for_the_proxy_and_for_postgres(
    interval: str, style: str, connections: Connections
) -> None:
    for connection in connections:
        connection.execute(f"SET IntervalStyle = {style}".encode())
    try:
        typed = (f"interval '{interval}'", f"('{interval}' || '')::interval")
        for written in (*typed, f"'{interval}'") if interval_parts(interval) else typed:
            assert_same_answer(f"SELECT count(*) FROM visits WHERE visited_at + {written} > '2025-03-01'", connections)
    finally:
        for connection in connections:
            connection.execute("RESET IntervalStyle")


def test_each_name_of_a_unit_is_one_for_postgres(connections: Connections) -> None:
    source = connections[1]
    for name, moment in itertools.product(UNIT_NAMES, ("timestamp '2013-05-17 11:22:33.123456'",)):
        unit = unit_named(name)
        for asked in ("date_trunc('{}', {})", "date_part('{}', {})"):
            assert _value(source, f"SELECT {asked.format(name, moment)} = {asked.format(unit, moment)}"), name
        if interval_parts(f"3 {name}"):
            assert _value(source, f"SELECT interval '3 {name}' = interval '3 {unit}'"), name
    assert {unit_named(name) for name in UNIT_NAMES} > TRUNCATION_FIELDS
    assert field_range("month") == (1, 12)


def test_a_plain_interval_has_the_parts_of_its_text_under_each_style(connections: Connections) -> None:
    source = connections[1]
    for text in ("3 mons -2 days 1.5 seconds", "-3 months -2 days", "-1 day 2 hours", "1 month", "0 days 0 seconds"):
        expected = _value(source, f"SELECT interval '{text}'::text")
        for style in STYLES:
            source.execute(f"SET IntervalStyle = {style}".encode())
            read = _value(source, f"SELECT to_json(extract(epoch FROM interval '{plain_interval(text)}'))")
            source.execute("RESET IntervalStyle")
            assert read == _value(source, f"SELECT to_json(extract(epoch FROM interval '{text}'))"), (
                text,
                style,
                expected,
            )
    assert plain_interval("P1D") == "P1D"


def test_texts_that_count_as_dates_are_dates_under_each_datestyle(connections: Connections) -> None:
    source = connections[1]
    source.execute("CREATE TEMP TABLE texts AS " + TEXTS, (rf"^({TIMESTAMP_PATTERN})$",))
    assert _value(source, "SELECT count(*) > 20000 FROM texts")
    for style in ("ISO, MDY", "ISO, DMY", "ISO, YMD", "German, DMY", "SQL, MDY", "Postgres, DMY"):
        source.execute(f"SET DateStyle = '{style}'".encode())
        wrong = "SELECT count(*) FROM texts WHERE text::{} <> make_date(y, m, d) + coalesce(clock::time, '0:00')"
        for type_ in ("date", "timestamp", "timestamptz"):
            clock = " - coalesce(clock::time, '0:00')" if type_ == "date" else ""
            assert _value(source, wrong.format(type_) + clock) == 0, (style, type_)
    source.execute("RESET DateStyle")


TEXTS = """
SELECT concat(t, ' ' || clock) AS text, y, m, d, clock FROM (
    SELECT concat_ws(s, lpad(y::text, 4, '0'), lpad(m::text, greatest(w, length(m::text)), '0'),
        lpad(d::text, greatest(w, length(d::text)), '0')) AS t, y, m, d
    FROM unnest(ARRAY[1, 99, 400, 1000, 1900, 2000, 2023, 2024, 9999]) y, generate_series(0, 13) m, generate_series(0, 32) d,
        unnest(ARRAY['-', '/', '']) s, generate_series(1, 2) w
) x, unnest(ARRAY[NULL, '10:00', '23:59:59.999999']) clock
WHERE concat(t, ' ' || clock) ~ %s
"""


def _value(connection: psycopg.Connection, query: str) -> object:
    (row,) = connection.execute(query.encode()).fetchall()
    return row[0]
