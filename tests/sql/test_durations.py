"""Bounds of dates, timestamps and intervals contain what Postgres computes, at the corners of the policy's bounds and in
every time zone (theorem 2): no value that keeps to the policy is moved."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator
from fractions import Fraction

import psycopg
import pytest
from sqlglot import exp

from proxy.sql.terms import clocks
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.intervals import interval_constant
from proxy.sql.terms.spans import DAY, MICROSECOND, Span
from proxy.sql.terms.types import Kind
from tests.conftest import PostgresCluster
from tests.expressions.cases import CASES
from tests.expressions.compiling import read
from tests.expressions.table import create, relation

ZONES = (
    "UTC", "Europe/Paris", "Pacific/Apia", "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/Sao_Paulo",
    "America/Juneau", "Asia/Kathmandu", "Asia/Manila", "Africa/Monrovia",
)  # fmt: skip
"""Zones far from UTC, with days that do not exist, midnights that do not, and offsets of seconds."""

CORNERS = {
    "born": ("date", ("1930-01-01", "2020-12-31", "2000-02-29", "1999-12-31", "1971-03-01", "2011-12-30")),
    "opened": ("timestamp", ("2024-01-01", "2024-12-31 23:59:59.999999", "2024-02-29 12:00", "2024-03-31 02:30")),
    "paid": ("timestamptz", ("2024-03-01", "2024-11-30 23:59:59.999999", "2024-07-31 12:34:56.789")),
    "age": ("integer", ("0", "1", "49", "100")),
    "price": ("numeric", ("0", "0.01", "500")),
    "truth": ("boolean", ("t", "f")),
}
RANDOM = """
INSERT INTO items (unit, born, opened, paid, age, price, truth, day, moment, instant, whole, clock, took, stay)
SELECT 2, date '1930-01-01' + (random() * 33237)::int, timestamp '2024-01-01' + random() * interval '365 days',
    timestamptz '2024-03-01' + random() * interval '274 days', (random() * 100)::int, round((random() * 500)::numeric, 2),
    random() < 0.5, date '2024-01-01' + (random() * 99 - 50)::int, timestamp '2024-01-01' + random() * interval '99 days',
    timestamptz '2024-01-01' + random() * interval '99 days', (random() * 9 - 5)::int, time '0:00' + random() * interval '1 day',
    (ARRAY['0', '08:30:00', '04:59:59.999999', '510 minutes', '1 hour'])[1 + (random() * 4)::int]::interval,
    (ARRAY['-2 days', '-48:00:00', '400 days', '9600:00:00', '13 mons 4 days', '1 year 1 mon 4 days 18:00:00', '1 mon', '30 days',
        '-1 day -23:59:59.5', '7 mons 200:00:00', '0'])[1 + (random() * 10)::int]::interval
FROM generate_series(1, 1000)
"""


@pytest.fixture(scope="module")
def server(postgres_cluster: PostgresCluster) -> Iterator[psycopg.Connection]:
    with psycopg.connect(postgres_cluster.create_database("durations"), autocommit=True) as connection:
        create(connection)
        connection.execute("SET jit = off")
        yield connection


@pytest.mark.postgres
@pytest.mark.parametrize("zone", ZONES)
def test_no_duration_that_keeps_to_the_policy_is_outside_of_its_bounds(zone: str, server: psycopg.Connection) -> None:
    server.execute("SET TimeZone = 'UTC'")  # by which the policy means its days
    server.execute("DELETE FROM items; SELECT setseed(0.5)")
    corners = ", ".join(f"unnest(ARRAY{list(texts)}::{type_}[]) AS {name}" for name, (type_, texts) in CORNERS.items())
    server.execute(f"INSERT INTO items (unit, {', '.join(CORNERS)}) SELECT 1, * FROM {corners}".encode())
    server.execute(RANDOM.encode())
    server.execute(f"SET TimeZone = '{zone}'".encode())
    scope = relation()
    checked = []
    for member in read([text for case in CASES if case.theme == "durations" for text in case.members], server):
        term = member.term(scope)
        if term is not None and term.type.is_number and term.bounds is not None:
            checked.append((member.text, term))
    columns = ", ".join(f"min({term.sql})::text, max({term.sql})::text" for _, term in checked)
    row = server.execute(f"SELECT {columns} FROM {scope.sql}".encode()).fetchone() or ()
    assert len(checked) > 80
    for (text, term), low, high in zip(checked, row[::2], row[1::2], strict=True):
        for value in (low, high):
            assert value is None or (term.bounds and term.bounds.contains(Fraction(value))), f"{text}: {value}"


DAY_OF = Bounds.point((dt.date(2024, 1, 1) - dt.date(1970, 1, 1)).days * DAY)
"""2024-01-01 as seconds since 1970."""
NEXT = DAY_OF + Bounds.point(DAY)


@pytest.mark.parametrize(
    ("text", "kind", "bounds"),
    [
        ("2024-01-01", Kind.DATE, DAY_OF),
        ("2024-01-01 23:59:59", Kind.DATE, DAY_OF),
        ("2024-01-02 00:00:00", Kind.TIMESTAMP, NEXT),
        ("2024-01-02T00:00:00.000001", Kind.TIMESTAMP, NEXT + Bounds.point(MICROSECOND)),
        ("2024-01-02 00:00:00+05", Kind.TIMESTAMP, NEXT),
        ("2024-01-02 05:30+05:30", Kind.TIMESTAMPTZ, NEXT),
        ("2024-01-01 19:00:00-05", Kind.TIMESTAMPTZ, NEXT),
        ("2024-01-02", Kind.TIMESTAMPTZ, NEXT.widened(DAY)),
        ("2024-01-02 Europe/Paris", Kind.TIMESTAMPTZ, None),
        ("2024-02-30", Kind.DATE, None),
        ("2024-01-01 24:00", Kind.TIMESTAMP, None),
        ("0044-03-15 BC", Kind.DATE, None),
        ("12024-01-01", Kind.DATE, None),
        ("infinity", Kind.TIMESTAMP, None),
        ("2024-01-01", Kind.TEXT, None),
    ],
)
def test_a_constant_is_the_moment_that_postgres_reads(text: str, kind: Kind, bounds: Bounds | None) -> None:
    assert clocks.constant(text, kind) == bounds


PARIS = dt.timezone(dt.timedelta(hours=1))


@pytest.mark.parametrize(
    ("low", "high", "kind", "bounds"),
    [
        (dt.date(2024, 1, 1), dt.date(2024, 1, 2), Kind.DATE, DAY_OF.hull(NEXT)),
        (
            dt.date(2024, 1, 1),
            dt.date(2024, 1, 1),
            Kind.TIMESTAMP,
            DAY_OF.hull(NEXT - Bounds.point(MICROSECOND)),
        ),
        (dt.datetime(2024, 1, 1), dt.datetime(2024, 1, 2), Kind.TIMESTAMP, DAY_OF.hull(NEXT)),
        (dt.datetime(2024, 1, 1), dt.datetime(2024, 1, 2), Kind.TIMESTAMPTZ, DAY_OF.hull(NEXT)),
        (
            dt.datetime(2024, 1, 1, 1, tzinfo=PARIS),
            dt.datetime(2024, 1, 2, 1, tzinfo=PARIS),
            Kind.TIMESTAMPTZ,
            DAY_OF.hull(NEXT),
        ),
        (
            dt.datetime(2024, 1, 1, tzinfo=PARIS),
            dt.datetime(2024, 1, 2, tzinfo=PARIS),
            Kind.TIMESTAMP,
            DAY_OF.hull(NEXT),
        ),
        (Fraction(0), Fraction(1), Kind.DATE, None),
        (dt.date(2024, 1, 1), dt.date(2024, 1, 2), Kind.TEXT, None),
    ],
)
def test_the_policys_limits_stand_for_their_days_and_without_a_zone_for_those_of_utc(
    low: object, high: object, kind: Kind, bounds: Bounds | None
) -> None:
    assert clocks.declared(low, high, kind) == bounds


CONSTANTS = (
    "1 day", "-1 day", "36 hours", "1.5 days", "1 week", "-1.5 weeks", "2 years", "18 years 3 months", "1 mon -2 days",
    "-1 day 02:03:04.5", "1 day -02:30", "-02:30", "-2 mons 3 days 04:05:06", "90 seconds", "0.25 hours", "1.25 secs",
)  # fmt: skip
FIELDS = ("year", "month", "day", "hour", "minute", "second", "millisecond", "microsecond", "epoch")


def _parts(sql: str, server: psycopg.Connection) -> dict[str, Fraction]:
    columns = ", ".join(f"extract({field} FROM {sql})" for field in FIELDS)
    row = server.execute(f"SELECT {columns}".encode()).fetchone() or ()
    return {field: Fraction(value) for field, value in zip(FIELDS, row, strict=True)}


def _span(text: str) -> Span:
    span = interval_constant(exp.Null(), text).span
    assert span is not None
    return span


@pytest.mark.postgres
@pytest.mark.parametrize("style", ["postgres", "sql_standard"])
@pytest.mark.parametrize("text", CONSTANTS)
def test_the_parts_of_a_constant_are_those_that_postgres_reads(
    text: str, style: str, server: psycopg.Connection
) -> None:
    server.execute(f"SET IntervalStyle = {style}".encode())
    span = _span(text)
    for field, value in _parts(f"interval '{text}'", server).items():
        bounds = span.field(field)
        assert bounds is not None
        assert bounds.contains(value), f"{field} of {text}"


def test_an_interval_with_a_fraction_of_a_month_has_no_parts() -> None:
    for text in ("0.5 months", "1.5 years"):
        assert interval_constant(exp.Null(), text).span is None


@pytest.mark.postgres
def test_computed_intervals_have_the_parts_that_postgres_computes(server: psycopg.Connection) -> None:
    dice = random.Random(5)
    server.execute("SET IntervalStyle = postgres")
    for _ in range(200):
        first, second = (_random_text(dice) for _ in range(2))
        whole, factor = dice.randint(-50, 50), Fraction(dice.randint(-5000, 5000) or 1, 100)
        short = f"{dice.randint(-9000, 9000)} days {dice.choice(['', '-'])}{dice.randint(0, 400)}:17:03.000001"
        left, right, of_days = _span(first), _span(second), _span(short)
        a, b, c = f"interval '{first}'", f"interval '{second}'", f"interval '{short}'"
        decimal = f"{float(factor)}::float8"
        for sql, span in (
            (f"({a} + {b})", left + right),
            (f"({a} - {b})", left - right),
            (f"(- {a})", -left),
            (f"justify_hours({a})", left.justified()),
            (f"({a} * {whole})", left.times(Bounds.point(whole), whole=True)),
            (f"({c} * {decimal})", of_days.times(Bounds.point(factor), whole=False)),
            (f"({c} / {decimal})", of_days.times(Bounds.point(1 / factor), whole=False)),
            (f"({a} * {decimal})", left.times(Bounds.point(factor), whole=False)),
        ):
            for field, value in _parts(sql, server).items() if span is not None else ():
                bounds = span.field(field) if span is not None else None
                assert bounds is not None
                assert bounds.contains(value), f"{field} of {sql}: {float(value)} is not in {bounds}"


def _random_text(dice: random.Random) -> str:
    months, days, hours = dice.randint(-300, 300), dice.randint(-400, 400), dice.randint(-99, 99)
    return f"{months} mons {days} days {hours} hours {dice.randint(0, 59)} minutes {dice.randint(0, 59)}.000001 seconds"


def test_what_is_unknown_of_one_operand_is_unknown_of_the_result() -> None:
    known, unknown = Span.apart(Bounds.point(90)), Span.apart(None)
    for span in (known + unknown, unknown - known, known.hull(unknown), -unknown):
        assert span.field("epoch") is None
        assert span.field("day") is None
        assert span.field("month") == Bounds.point(0)
    assert known.times(None, whole=True) is None


@pytest.mark.postgres
def test_days_that_double_precision_makes_a_little_less_than_whole_are_in_bounds(server: psycopg.Connection) -> None:
    cases = [
        (days, hundredths)
        for days in range(920_000, 928_000)
        for hundredths in (29, 57, 113)
        if days * hundredths % 100 == 0 and days * (hundredths / 100) < days * hundredths // 100
    ]
    assert cases
    for days, hundredths in cases[:50]:
        span = _span(f"{days} days").times(Bounds.point(Fraction(hundredths, 100)), whole=False)
        for field, value in _parts(f"(interval '{days} days' * {hundredths / 100}::float8)", server).items():
            bounds = span.field(field) if span is not None else None
            assert bounds is not None
            assert bounds.contains(value), f"{field} of {days} * {hundredths}"


def test_a_date_begins_before_the_moments_of_its_day() -> None:
    noon = DAY_OF + Bounds.point(DAY / 2)
    assert clocks.cast(noon, Kind.TIMESTAMP, Kind.DATE) == DAY_OF
    assert clocks.cast(noon.hull(NEXT), Kind.TIMESTAMP, Kind.DATE) == DAY_OF.hull(NEXT)
    assert clocks.cast(noon, Kind.TIMESTAMPTZ, Kind.DATE) == DAY_OF.widened(DAY)


def test_a_moment_at_new_year_may_be_in_the_year_before_on_the_sessions_clock() -> None:
    years = Bounds(Fraction(2023), Fraction(2024))
    assert clocks.field("year", DAY_OF, Kind.TIMESTAMPTZ) == years
    assert clocks.field("year", DAY_OF, Kind.TIMESTAMP) == Bounds.point(2024)
    assert clocks.field("epoch", DAY_OF, Kind.TIMESTAMPTZ) == DAY_OF


def test_months_that_leave_the_years_with_dates_have_no_bounds() -> None:
    for months in (12 * 8000, -12 * 3000):
        span = Span.constant(Fraction(months), Fraction(0), Fraction(0))
        assert clocks.moved(DAY_OF, Kind.TIMESTAMP, span) is None
    distant = Bounds.point(-10_000 * 366 * DAY)
    assert clocks.field("year", distant, Kind.TIMESTAMP) == Bounds.point(1)


@pytest.mark.postgres
def test_todays_date_is_one_constant_in_the_bounds_and_in_the_source_query(server: psycopg.Connection) -> None:
    server.execute("SET TimeZone = 'UTC'")
    (today,) = server.execute("SELECT current_date").fetchone() or (dt.date.min,)
    apart, years = (
        member.term(relation()) for member in read(["current_date - born", "extract(year from age(born))"], server)
    )
    assert apart is not None
    assert years is not None
    days = [Fraction((today - day).days) for day in (dt.date(2020, 12, 31), dt.date(1930, 1, 1))]
    assert apart.bounds == Bounds(days[0], days[1])
    assert years.bounds is not None
    assert years.bounds.low <= (days[0] / 365).__floor__() <= years.bounds.high
    for term in (apart, years):
        assert f"'{today}'::date" in term.sql
        assert "current" not in term.sql.lower()
