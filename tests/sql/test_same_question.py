"""Which spellings are one question, and which settings a question is about.

That a spelling means what Postgres makes of it, for NULL and all types, is what the expressions of
`tests/fixtures/expressions/conditions.sql` show: they are computed in the form that is hashed.
"""

from __future__ import annotations

import pytest

from proxy.query.same_question import block_hash
from tests.planned import plan_of
from tests.plans.schema import SCHEMA

_STYLES = (("DateStyle", "ISO, MDY"), ("IntervalStyle", "postgres"))
_SHARED = (("TimeZone", "UTC"), *_STYLES)

ONE = {
    "a number in another form": ["cost > 100", "cost > 100.0", "visits.cost > 100.000", "cost > '100'::bigint"],
    "either direction": ["cost > 100", "100 < cost"],
    "columns on both sides": ["minutes > score", "score < minutes"],
    "equality of texts": ["note = diagnosis", "diagnosis = note"],
    "the order of conditions": [
        "cost > 1 AND minutes < 5 AND urgent",
        "urgent AND (minutes < 5 AND cost > 1)",
        "cost > 1 AND cost > 1 AND 5 > minutes AND urgent",
    ],
    "the order of alternatives": ["cost > 1 OR minutes < 5", "minutes < 5 OR cost > 1 OR cost > 1.0"],
    "BETWEEN": ["minutes BETWEEN 1 AND 5", "minutes <= 5 AND minutes >= 1", "5 >= minutes AND 1.0 <= minutes"],
    "BETWEEN of dates": [
        "visited_at BETWEEN '2024-03-01' AND '2024-04-01'",
        "visited_at <= '2024-04-01' AND visited_at >= '2024-03-01'",
    ],
    "one of a list": ["diagnosis = 'flu'", "diagnosis IN ('flu')", "'flu' = diagnosis", "diagnosis IN ('flu', 'flu')"],
    "not one of a list": ["minutes <> 3", "minutes NOT IN (3)", "NOT minutes IN (3.0)", "3 <> minutes"],
    "the order of a list": ["minutes IN (3, 4)", "minutes IN (4, 3, 4)", "minutes = ANY (ARRAY[4, 3])"],
}

SEVERAL = {
    "a quotient of another type": ["minutes / 4 > 2", "minutes / 4.0 > 2"],
    "strict or not": ["cost > 100", "cost >= 100", "cost < 100", "cost = 100", "cost <> 100"],
    "almost the same number": ["cost > 100", "cost > 100.001"],
    "symmetric or not": ["minutes BETWEEN 5 AND 1", "minutes BETWEEN SYMMETRIC 5 AND 1"],
    "where NULL matters": ["minutes <> 3", "minutes IS DISTINCT FROM 3", "(minutes = 3) IS NOT TRUE"],
    "AND or OR": ["cost > 1 AND minutes < 5", "cost > 1 OR minutes < 5"],
    "texts of numbers": ["diagnosis = '1'", "diagnosis = '1.0'", "note = '1'"],
}


def _hash(text: str, shared: tuple[tuple[str, str], ...] = _SHARED) -> str:
    return block_hash(plan_of(text, SCHEMA), shared, SCHEMA)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM visits WHERE {}",
        "SELECT diagnosis, date_trunc('month', visited_at), avg(minutes) FROM visits WHERE {} GROUP BY 1, 2",
        "SELECT count(*) FILTER (WHERE {}) FROM visits",
    ],
)
@pytest.mark.parametrize("spellings", ONE.values(), ids=ONE.keys())
def test_spellings_are_one_question(spellings: list[str], query: str) -> None:
    assert len({_hash(query.format(spelling)) for spelling in spellings}) == 1


@pytest.mark.parametrize("others", SEVERAL.values(), ids=SEVERAL.keys())
def test_other_conditions_are_other_questions(others: list[str]) -> None:
    assert len({_hash(f"SELECT count(*) FROM visits WHERE {other}") for other in others}) == len(others)


@pytest.mark.parametrize(
    ("text", "zone", "style"),
    [
        ("SELECT count(*) FROM visits", False, False),
        ("SELECT region, avg(cost) FROM visits WHERE diagnosis = 'flu' GROUP BY 1", False, False),
        ("SELECT zone, count(*) FROM visits JOIN regions ON name = region GROUP BY 1", False, False),
        ("SELECT date_trunc('month', visited_at), count(*) FROM visits GROUP BY 1", False, True),
        ("SELECT to_char(visited_at, 'YYYY-MM'), count(*) FROM visits GROUP BY 1", False, True),
        ("SELECT count(*) FROM visits WHERE visited_at > '2024-03-01'", False, True),
        ("SELECT count(*) FROM visits WHERE visited_at > timestamp 'epoch'", False, True),
        ("SELECT count(*) FROM visits WHERE visited_at > '2024-03-01'::timestamptz", True, True),
        ("SELECT count(*) FROM visits WHERE visited_at > paid_at", True, True),
        ("SELECT count(*) FROM visits WHERE to_timestamp(minutes) > '1970-01-01'", True, True),
        ("SELECT count(*) FROM visits WHERE note::date > '2020-01-01'", True, True),
        ("SELECT count(*) FROM visits WHERE details ->> 'at' = '1'", True, True),
        ("SELECT date_trunc('month', paid_at), count(*) FROM visits GROUP BY 1", True, True),
        ("SELECT day, count(*) FROM visits GROUP BY 1", True, True),
        ("SELECT count(*) FROM visits JOIN holidays USING (day)", True, True),
        ("SELECT count(*) FROM visits WHERE took > '1 day'", True, True),
    ],
)
def test_settings_count_where_the_block_reads_them(text: str, zone: bool, style: bool) -> None:
    elsewhere = (("TimeZone", "Europe/Paris"), *_STYLES)
    otherwise = (("TimeZone", "UTC"), ("DateStyle", "ISO, DMY"), ("IntervalStyle", "iso_8601"))
    assert (_hash(text) != _hash(text, elsewhere), _hash(text) != _hash(text, otherwise)) == (zone, style)
