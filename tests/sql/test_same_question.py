"""Which spellings are one question, and which settings a question is about.

That a spelling means what Postgres makes of it, for NULL and all types, is what the expressions of
`tests/fixtures/expressions/conditions.sql` show: they are computed in the form that is hashed.
"""

from __future__ import annotations

import re

import pytest

from proxy.query.same_question import block_hash
from proxy.sql.analysis import query_text
from tests.planned import analysed, plan_of
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
    "what is true anyway": [
        "cost > 1",
        "true AND cost > 1",
        "1 = 1 AND (cost > 1 AND 'a' = 'a')",
        "cost > 1 OR false",
        "1 = 0 OR (cost > 1) OR NOT true",
        "NOT false AND cost > 1",
    ],
    "a condition that is true": [
        "urgent",
        "urgent = true",
        "true = urgent",
        "urgent = 't'",
        "urgent = 'true'::boolean",
        "urgent <> false",
        "urgent IN (true)",
        "urgent IS TRUE",
        "urgent IS NOT DISTINCT FROM true",
        "NOT (urgent = false)",
        "NOT NOT urgent",
        "(urgent = true) IS TRUE AND true",
    ],
    "a condition that is false": [
        "NOT urgent",
        "urgent = false",
        "urgent <> true",
        "urgent = 'off'",
        "urgent IS FALSE",
        "NOT (urgent = true)",
        "(NOT urgent) IS TRUE",
    ],
    "a comparison that is true": ["cost > 1", "(cost > 1) = true", "(cost > 1) IS TRUE", "(cost <= 1) IS FALSE"],
    "truth within AND and OR": [
        "urgent AND cost > 1 OR minutes < 5 AND NOT urgent",
        "urgent IS TRUE AND cost > 1 OR minutes < 5 AND urgent IS FALSE",
    ],
    "a negation": ["minutes > 35", "NOT minutes <= 35", "NOT (35 >= minutes)", "NOT NOT minutes > 35"],
    "a negated equality": ["diagnosis <> 'flu'", "NOT diagnosis = 'flu'", "NOT ('flu' = diagnosis)"],
    "a negated inequality": ["cost = 7", "NOT cost <> 7"],
    "a negated text": ["note < 'b'", "NOT note >= 'b'"],
    "negated columns": ["visited_at < paid_at", "NOT visited_at >= paid_at"],
    "not missing": ["note IS NOT NULL", "NOT note IS NULL", "NOT (note IS NULL)", "(note IS NULL) = false"],
    "missing": ["note IS NULL", "NOT (note IS NOT NULL)"],
    "from a number to itself": ["minutes = 7", "minutes BETWEEN 7 AND 7", "minutes <= 7 AND minutes >= 7"],
    "from a date to itself": ["day = date '2024-03-01'", "day BETWEEN date '2024-03-01' AND date '2024-03-01'"],
    "a text that is a whole number": [
        "minutes = 7",
        "minutes = '7'",
        "'+007' = minutes",
        "minutes = ' 7 '",
        "minutes IN ('7')",
        "minutes = ANY ('{7}')",
        "minutes BETWEEN '7' AND 7",
    ],
    "a text that is a negative number": ["minutes > -7", "minutes > '-7'"],
    "a text that is a number": ["cost < 0.5", "cost < '0.5'", "cost < '00.50'", "cost < '.5'::numeric"],
    "a text that is a double precision": ["score < 0.5", "score < '0.5'"],
    "texts of a list": ["minutes IN (3, 4)", "minutes IN ('3', 4)", "minutes = ANY ('{4,3}')"],
    "no text of a list": ["minutes NOT IN (3, 4)", "NOT minutes = ANY ('{4,3}')", "minutes <> ALL (ARRAY[3, 4])"],
    "a date": [
        "day >= date '2024-03-05'",
        "day >= '2024-03-05'",
        "day >= '2024-03-05'::date",
        "'2024-03-05 00:00:00' <= day",
        "day >= timestamp '2024-03-05'",
        "day >= '2024-03-05T10:00:00Z'",
    ],
    "dates of a list": ["day IN ('2024-03-05', '2024-03-06')", "day IN (date '2024-03-06', date '2024-03-05')"],
    "a timestamp": [
        "visited_at >= '2024-03-05'",
        "visited_at >= timestamp '2024-03-05'",
        "visited_at >= '2024-03-05 00:00'",
        "visited_at >= '2024-03-05 00:00:00.000000'",
        "visited_at >= '2024-03-05T00:00:00Z'",
        "visited_at >= '2024-03-05 00:00:00+05:30'",
        "visited_at >= date '2024-03-05'",
    ],
    "a time of day": [
        "visited_at BETWEEN '2024-03-05 10:00:00' AND '2024-03-06 00:00:00.500'",
        "visited_at BETWEEN timestamp '2024-03-05T10:00' AND '2024-03-06 00:00:00.5'",
    ],
    "a moment": [
        "paid_at >= '2024-03-05 10:00:00+00'",
        "paid_at >= '2024-03-05T10:00:00Z'",
        "paid_at >= '2024-03-05 15:30+0530'",
        "paid_at >= timestamptz '2024-03-05 09:00:00.000-01'",
    ],
    "a moment of the session's clock": [
        "paid_at >= '2024-03-05'",
        "paid_at >= '2024-03-05 00:00:00'",
        "paid_at >= timestamptz '2024-03-05'",
        "paid_at >= timestamp '2024-03-05 00:00'",
        "paid_at >= date '2024-03-05'",
    ],
    "the order of a list": ["minutes IN (3, 4)", "minutes IN (4, 3, 4)", "minutes = ANY (ARRAY[4, 3])"],
}

SEVERAL = {
    "a quotient of another type": ["minutes / 4 > 2", "minutes / 4.0 > 2"],
    "strict or not": ["cost > 100", "cost >= 100", "cost < 100", "cost = 100", "cost <> 100"],
    "almost the same number": ["cost > 100", "cost > 100.001"],
    "symmetric or not": ["minutes BETWEEN 5 AND 1", "minutes BETWEEN SYMMETRIC 5 AND 1"],
    "where NULL matters": ["minutes <> 3", "minutes IS DISTINCT FROM 3", "(minutes = 3) IS NOT TRUE"],
    "AND or OR": ["cost > 1 AND minutes < 5", "cost > 1 OR minutes < 5"],
    "where NULL is not false": [
        "NOT (urgent IS TRUE)",
        "NOT (urgent IS FALSE)",
        "NOT urgent",
        "urgent",
        "(urgent IS TRUE) IS FALSE AND cost > 1",
        "(urgent IS TRUE) = false AND cost > 2",
        "urgent IS DISTINCT FROM true AND cost > 3",
    ],
    "below NOT": [
        "NOT (urgent IS TRUE AND cost > 1)",
        "NOT (urgent AND cost > 1)",
        "NOT (urgent IS TRUE OR cost > 1)",
        "NOT (urgent OR cost > 1)",
    ],
    "of some or of all": ["NOT minutes = ANY (ARRAY[1, 2])", "minutes <> ANY (ARRAY[1, 2])"],
    "what is always true": ["cost > 1 OR true", "cost > 1", "cost > 1 OR NULL"],
    "between texts": ["note BETWEEN 'b' AND 'b'", "note = 'b'"],
    "between others": ["minutes BETWEEN 7 AND 8", "minutes BETWEEN SYMMETRIC 7 AND 7", "minutes = 7", "minutes >= 7"],
    "other times": [
        "visited_at >= '2024-03-05'",
        "visited_at >= '2024-03-05 00:00:00.000001'",
        "visited_at >= timestamptz '2024-03-05'",
        "visited_at >= '2024-03-06'",
    ],
    "other days": ["day >= '2024-03-05'", "day >= timestamp '2024-03-05 10:00'", "day >= timestamptz '2024-03-05'"],
    "other moments": ["paid_at >= '2024-03-05'", "paid_at >= '2024-03-05Z'", "paid_at >= '2024-03-05 00:00Z'"],
    "by the session's DateStyle": ["day = '2024-03-05'", "day = '03/05/2024'", "day = '05.03.2024'"],
    "among others of a list": [
        "day IN ('2024-03-05 10:00', '2024-03-06')",
        "day IN ('2024-03-05 10:00', timestamp '2024-03-06 00:00')",
    ],
    "numbers that are none": ["cost = 'NaN'", "cost = '1e2'", "cost = 100", "score = 'infinity'"],
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


@pytest.mark.parametrize(
    "spellings",
    [
        ["SELECT count(*) FROM visits", "SELECT count(*) FROM visits WHERE true AND 1 = 1"],
        ["SELECT count(*) FROM visits", "SELECT count(*) FILTER (WHERE true) FROM visits WHERE NOT (1 = 0)"],
        [
            "SELECT sum(CASE WHEN urgent THEN 1 ELSE 0 END) FROM visits",
            "SELECT sum(CASE WHEN urgent = true THEN 1 ELSE 0 END) FROM visits",
            "SELECT sum(CASE WHEN urgent IS TRUE AND true THEN 1 ELSE 0 END) FROM visits",
        ],
        [
            "SELECT count(*) FROM visits v JOIN patients p ON p.patient_id = v.patient_id AND p.smoker",
            "SELECT count(*) FROM visits v JOIN patients p ON p.patient_id = v.patient_id AND p.smoker = true AND 1 = 1",
        ],
        [
            "SELECT count(v.cost) FROM patients p LEFT JOIN visits v ON p.patient_id = v.patient_id AND v.urgent",
            "SELECT count(v.cost) FROM patients p LEFT JOIN visits v ON p.patient_id = v.patient_id AND v.urgent IS TRUE",
        ],
        [
            "SELECT count(*) FROM (SELECT patient_id FROM visits WHERE urgent GROUP BY 1 HAVING count(*) > 2) q",
            "SELECT count(*) FROM (SELECT patient_id FROM visits WHERE urgent = 'yes' GROUP BY 1 "
            "HAVING (count(*) > 2) IS TRUE AND true) q",
        ],
        [
            "SELECT count(*) FROM (SELECT urgent AS u, cost FROM visits) q WHERE u",
            "SELECT count(*) FROM (SELECT urgent AS u, cost FROM visits) q WHERE u = true",
        ],
        [
            "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id AND urgent)",
            "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id "
            "AND urgent = true) AND true",
        ],
        [
            "SELECT urgent, count(*) FROM visits WHERE urgent GROUP BY 1",
            "SELECT urgent, count(*) FROM visits WHERE urgent = true GROUP BY 1",
        ],
        [
            "SELECT diagnosis, avg(minutes) FROM visits WHERE cost > 1 AND urgent GROUP BY 1",
            "SELECT diagnosis, avg(minutes) FROM (SELECT * FROM visits) v WHERE cost > 1 AND v.urgent GROUP BY 1",
            "SELECT diagnosis, avg(minutes) FROM (SELECT * FROM visits WHERE cost > 1 AND urgent) AS v GROUP BY 1",
            "SELECT v.diagnosis, avg(v.minutes) FROM (SELECT w.* FROM visits w WHERE w.urgent) v WHERE cost > 1 GROUP BY 1",
            "SELECT diagnosis, avg(minutes) FROM (SELECT minutes, urgent AS urgent, diagnosis FROM visits WHERE cost > 1) v "
            "WHERE urgent GROUP BY diagnosis",
            "WITH w AS (SELECT * FROM visits WHERE urgent) "
            "SELECT diagnosis, avg(minutes) FROM (SELECT * FROM w) v WHERE cost > 1 GROUP BY 1",
        ],
        [
            "SELECT sex.region, count(*) FROM visits v JOIN patients sex USING (patient_id) WHERE v.urgent GROUP BY 1",
            "SELECT sex.region, count(*) FROM (SELECT * FROM visits WHERE urgent) v JOIN (SELECT * FROM patients) sex "
            "USING (patient_id) GROUP BY 1",
        ],
        [
            "SELECT count(v.cost) FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id",
            "SELECT count(v.cost) FROM patients p LEFT JOIN (SELECT cost, patient_id FROM visits) v "
            "ON v.patient_id = p.patient_id",
        ],
        [
            "SELECT zone, sum(cost) FROM visits v JOIN regions r ON v.region = r.name GROUP BY 1",
            "SELECT zone, sum(cost) FROM (SELECT region, cost FROM visits) v JOIN regions r ON v.region = r.name GROUP BY 1",
        ],
        ["SELECT sum(minutes) FROM visits WHERE minutes < 9", "SELECT sum(minutes) FROM visits WHERE minutes < '9'"],
        [
            "SELECT date_trunc('month', visited_at), avg(cost) FROM visits WHERE visited_at >= '2024-03-05' GROUP BY 1",
            "SELECT date_trunc('month', visited_at), avg(cost) FROM visits WHERE visited_at >= date '2024-03-05' GROUP BY 1",
        ],
        [
            "SELECT count(*) FROM (SELECT minutes AS m FROM visits) q WHERE m < 9",
            "SELECT count(*) FROM (SELECT minutes AS m FROM visits) q WHERE m < '9'",
        ],
        ["SELECT sum(minutes) FROM visits WHERE minutes < 9", "SELECT sum(minutes) FROM visits WHERE NOT minutes >= 9"],
    ],
)
def test_statements_are_one_question(spellings: list[str]) -> None:
    assert len({_hash(spelling) for spelling in spellings}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # As a real, 0.1 is another number.
        ("readings WHERE ratio = 0.1", "readings WHERE ratio = '0.1'"),
        # Blanks count in texts.
        ("readings WHERE short = '7'", "readings WHERE short = ' 7'"),
    ],
)
def test_texts_are_other_values(one: str, other: str) -> None:
    assert _hash(f"SELECT count(*) FROM {one}") != _hash(f"SELECT count(*) FROM {other}")


@pytest.mark.parametrize(
    "text",
    [
        # The same columns of another FROM, and a name of an output that would be a column.
        "SELECT count(*) FROM (SELECT DISTINCT * FROM (SELECT patient_id, region FROM visits) v) q",
        "SELECT count(*) FROM (SELECT v.* FROM (SELECT patient_id FROM visits) v UNION SELECT patient_id FROM stays) q",
        "SELECT region AS note, count(*) FROM (SELECT region FROM visits) v GROUP BY note",
        "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM (SELECT patient_id FROM visits) v "
        "WHERE v.patient_id = p.patient_id AND region = 'north')",
        "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM (SELECT * FROM visits v WHERE v.cost > p.height) v "
        "WHERE v.patient_id = p.patient_id)",
        "SELECT count(*) FROM (SELECT patient_id FROM visits) v JOIN (SELECT * FROM stays) s USING (patient_id) WHERE ward = 'a'",
        "SELECT count(*) FROM (SELECT patient_id FROM visits) v NATURAL JOIN patients p",
        "SELECT count(v.note) FROM (SELECT patient_id FROM visits) v",
        "SELECT count(*) FROM (SELECT patient_id FROM visits) v WHERE v IS NOT NULL",
        # Of a private table without its unit: the refusal says what is missing.
        "SELECT count(*) FROM (SELECT region FROM visits) v JOIN patients p ON v.region = p.region",
        # Rows that an outer join keeps without them.
        "SELECT count(v.cost) FROM patients p LEFT JOIN (SELECT * FROM visits WHERE urgent) v ON v.patient_id = p.patient_id",
        "SELECT count(*) FROM (SELECT * FROM visits WHERE urgent) v FULL JOIN stays s ON s.patient_id = v.patient_id",
        # Other rows.
        "SELECT count(*) FROM (SELECT DISTINCT patient_id FROM visits) v",
        "SELECT count(*) FROM (SELECT patient_id FROM visits LIMIT 9) v",
        "SELECT count(*) FROM (SELECT * FROM visits WHERE EXISTS (SELECT FROM holidays h WHERE h.day = visits.day)) v",
        # Other columns.
        "SELECT count(*) FROM (SELECT *, cost * 2 AS twice FROM visits) v",
        "SELECT count(*) FROM (SELECT cost AS minutes FROM visits) v WHERE minutes > 2",
        "SELECT count(*) FROM (SELECT * FROM visits) v (a, b)",
        "SELECT count(*) FROM (SELECT * FROM visits w (a, b)) v",
        "SELECT count(*) FROM regions r JOIN (SELECT * FROM prices) v ON v.code = r.name",
    ],
)
def test_a_subquery_that_does_more_or_hides_a_column_stays(text: str) -> None:
    found = query_text(analysed(text, SCHEMA).query)
    # Of a plain subquery only the table is left, under its name.
    assert re.search(r"""(visits|prices)\"? AS v\b(?!\.)(?! WHERE v\.cost)""", found) is None, found


@pytest.mark.parametrize("join", ["JOIN {} USING (day)", "NATURAL JOIN {}"])
def test_a_constant_beside_a_column_that_a_join_makes_stays(join: str) -> None:
    # Of a date and a timestamp it makes a timestamp.
    items = f"(SELECT visited_at AS day FROM visits) v {join.format('(SELECT day FROM visits) w')}"
    found = analysed(f"SELECT count(*) FROM {items} WHERE day = '2024-03-05 10:00'", SCHEMA)
    assert "day = '2024-03-05 10:00'" in query_text(found.query)


@pytest.mark.parametrize("expression", ["urgent IS TRUE", "NOT urgent", "urgent IS NOT FALSE"])
def test_what_is_shown_is_another_question_where_null_is_another_value(expression: str) -> None:
    queries = [
        "SELECT {}, count(*) FROM visits GROUP BY 1",
        "SELECT count(DISTINCT {}) FROM visits",
        "SELECT count({}) FROM visits",
    ]
    for query in queries:
        assert _hash(query.format(expression)) != _hash(query.format("urgent"))


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
