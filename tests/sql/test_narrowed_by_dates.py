"""Generated conditions on dates: in every row that meets one, what it narrows lies inside its bounds (theorem 2)."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.expressions.compiling import read
from tests.expressions.table import relation, source

__all__ = ["source"]

pytestmark = pytest.mark.postgres

FIRST_DAYS = {"day": dt.date(2023, 12, 18), "moment": dt.date(2024, 2, 18), "instant": dt.date(2024, 3, 18)}
"""From about here on ordinary rows have values, for two weeks at least."""
SESSION_ZONES = ("UTC", "America/New_York", "Pacific/Kiritimati", "Asia/Kathmandu")
OF_ROWS = [
    *("{}", "{}", "{}::date", "date_trunc('day', {})", "date_trunc('week', {})", "date_trunc('month', {})"),
    *("date_trunc('month', {})::date", "date_trunc('day', {}::date)", "{}::timestamp", "{}::timestamptz"),
    *("({} AT TIME ZONE 'UTC')", "date_trunc('hour', {} AT TIME ZONE 'UTC')", "date_trunc('quarter', {}::date)::date"),
]
OF_FIELDS = [
    *("extract(year from {}) = {year}", "date_part('year', {}) >= {year}", "extract(year from {}) <= {year}"),
    *("extract(year from date_trunc('week', {})) < {year} + 1", "extract(epoch from {}) >= {epoch}"),
    *("floor(extract(epoch from {})) BETWEEN {epoch} AND {epoch} + 90000", "{epoch} >= extract(epoch from {})::bigint"),
    *("round(extract(epoch from {})) = {epoch}", "floor(extract(epoch from {})::int) < {epoch} + 40000"),
    "extract(epoch from date_trunc('month', {}::date)) BETWEEN {epoch} AND {epoch} + 2000000",
    *("to_char({}, 'YYYY-MM') = '{day:%Y-%m}'", "'{year}' = to_char({}, 'YYYY')"),
    "to_char({}, 'YYYY-MM-DD') IN ('{day}', '2024-02-29')",
]
KEPT = ["extract(epoch from {})", "extract(epoch from {})", "{}::date - date '2024-01-01'", "extract(year from {})"]
CLOCKS = ["", " 00:00", " 12:00", " 23:59:59.999999", " 02:30"]
ZONES = ["", "+00", "+05:30", "-08"]
TYPES = ["", "date ", "timestamp ", "timestamptz "]


@st.composite
def constants(draw: st.DrawFn, first: dt.date) -> str:
    day = first + dt.timedelta(days=draw(st.integers(0, 16)))
    clock = draw(st.sampled_from(CLOCKS))
    zone = draw(st.sampled_from(ZONES)) if clock else ""
    written = f"{draw(st.sampled_from(TYPES))}'{day}{clock}{zone}'"
    return draw(st.sampled_from([*[written] * 12, "date 'infinity'", "timestamp '-infinity'"]))


@st.composite
def conditions(draw: st.DrawFn, value: str, first: dt.date, depth: int = 2) -> str:
    joined = ["and", "and", "or", "not"] if depth else []
    kind = draw(st.sampled_from(["<", "<=", ">", ">=", "=", "between", "between", "symmetric", "in", *joined]))
    one = constants(first)
    if kind in ("and", "or"):
        return f"({draw(conditions(value, first, depth - 1))} {kind} {draw(conditions(value, first, depth - 1))})"
    if kind == "not":
        return f"NOT ({draw(conditions(value, first, depth - 1))})"
    if kind in ("between", "symmetric"):
        return f"{value} BETWEEN {'SYMMETRIC' if kind == 'symmetric' else ''} {draw(one)} AND {draw(one)}"
    if kind == "in":
        return f"{value} IN ({', '.join(draw(st.lists(one, min_size=1, max_size=3)))})"
    mirrored = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}[kind]
    return f"{value} {kind} {draw(one)}" if draw(st.booleans()) else f"{draw(one)} {mirrored} {value}"


@st.composite
def fields(draw: st.DrawFn, column: str, first: dt.date) -> str:
    day = first + dt.timedelta(days=draw(st.integers(0, 16)))
    epoch = (day - dt.date(1970, 1, 1)).days * 86_400
    return draw(st.sampled_from(OF_FIELDS)).format(column, day=day, year=day.year, epoch=epoch)


@st.composite
def examples(draw: st.DrawFn) -> str:
    column, first = draw(st.sampled_from(sorted(FIRST_DAYS.items())))
    value, kept = draw(st.sampled_from(OF_ROWS)).format(column), draw(st.sampled_from(KEPT)).format(column)
    met, other = (draw(st.one_of(conditions(value, first), fields(column, first))) for _ in range(2))
    return draw(
        st.sampled_from(
            [
                f"CASE WHEN {met} THEN {kept} END",
                f"CASE WHEN {met} AND {other} THEN {kept} END",
                f"CASE WHEN {met} THEN 0 ELSE {kept} END",
                f"CASE WHEN {met} THEN 0 WHEN {other} THEN {kept} END",
            ]
        )
    )


@settings(deadline=None, max_examples=600, suppress_health_check=list(HealthCheck))
@given(text=examples(), zone=st.sampled_from(SESSION_ZONES))
def test_what_meets_a_condition_lies_inside_its_bounds(source: psycopg.Connection, text: str, zone: str) -> None:
    check(source, text, zone)


@pytest.mark.parametrize("zone", SESSION_ZONES)
@pytest.mark.parametrize(
    "condition", ["date_trunc('month', day)::date = '2024-01-01'", "to_char(day, 'YYYY') = '2024'"]
)
def test_moments_that_a_clock_makes_of_dates_lie_inside_theirs(
    source: psycopg.Connection, condition: str, zone: str
) -> None:
    for kept in ("date_trunc('month', day)", "day::timestamptz"):
        made = condition.replace("day", kept) if "char" in condition else condition
        check(source, f"CASE WHEN {made} THEN extract(epoch from {kept}) END", zone)


def check(source: psycopg.Connection, text: str, zone: str) -> None:
    source.execute(f"SET TimeZone = '{zone}'".encode())
    (member,) = read([text])
    rows = relation()
    term = member.term(rows)
    assert term is not None
    if term.bounds is None:
        return
    query = f"SELECT min(x)::text, max(x)::text FROM (SELECT {term.sql} AS x FROM {rows.sql}) AS v"
    (row,) = source.execute(query.encode()).fetchall()
    for found in row:
        assert found is None or term.bounds.contains(Fraction(found)), term.bounds
