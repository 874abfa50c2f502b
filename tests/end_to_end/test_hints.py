"""What a refusal tells a client to write is answered when it is written: the hint has the text, and the text works."""

from __future__ import annotations

import psycopg
import pytest

from tests.end_to_end.comparing import Connections, assert_same_answer

_MOVED = "visited_at + visit_id * INTERVAL '1 day'"
_SINCE = "seen_at - to_timestamp(visit_id)"

HINTS = {
    "SELECT sum(visit_id) FROM visits": [
        "sum(least(greatest(visit_id, 0), 100))",
        "visit_id BETWEEN 0 AND 100",
    ],
    "SELECT corr(visit_id, cost) FROM visits": [
        "corr(least(greatest(visit_id, 0), 100), cost)",
        "visit_id BETWEEN 0 AND 100",
    ],
    "SELECT sum(DISTINCT visit_id) FILTER (WHERE urgent) FROM visits": [
        "sum(DISTINCT least(greatest(visit_id, 0), 100)) FILTER(WHERE urgent)"
    ],
    "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY visit_id) FROM visits": [
        "percentile_disc(0.5) WITHIN GROUP (ORDER BY least(greatest(visit_id, 0), 100))",
        "visit_id BETWEEN 0 AND 100",
    ],
    "SELECT min(registered + visit_id::int) FROM patients JOIN visits USING (patient_id)": [
        "min(least(greatest(registered + CAST(visit_id AS INT), date '2020-01-01'), date '2030-01-01'))",
        "visit_id BETWEEN 0 AND 100",
    ],
    f"SELECT max({_MOVED}) FROM visits": [
        f"max(least(greatest({_MOVED}, timestamp '2020-01-01'), timestamp '2030-01-01'))",
        "visit_id BETWEEN 0 AND 100",
    ],
    "SELECT max(to_timestamp(visit_id)) FROM visits": [
        "max(least(greatest(to_timestamp(visit_id), timestamptz '2020-01-01'), timestamptz '2030-01-01'))",
        "visit_id BETWEEN 0 AND 100",
    ],
    f"SELECT max({_SINCE}) FROM visits": [
        f"make_interval(secs => max(least(greatest(extract(epoch FROM {_SINCE}), 0), 86400)))"
    ],
}
"""What is refused, and what its hint says: calls in its place, or conditions beside it."""

CASES = [(query, text) for query, texts in HINTS.items() for text in texts]


@pytest.mark.parametrize(("query", "text"), CASES)
def test_what_a_hint_says_is_answered(query: str, text: str, connections: Connections) -> None:
    with pytest.raises(psycopg.Error) as refusal:
        connections[0].execute(query.encode())
    assert text in (refusal.value.diag.message_hint or "")
    from_ = query[query.index(" FROM ") :]
    followed = f"{query} WHERE {text}" if text.endswith("AND 100") else f"SELECT {text}{from_}"
    assert_same_answer(followed, connections)


_BESIDE = "VALUES and functions in FROM cannot read the private rows beside them"
_OTHER_ROWS = "of rows of public.visits with other rows is not supported"
_NOT_SAID = "does not say that both rows belong to the same patient"

NAMED = {
    "SELECT count(*) FROM visits WHERE EXISTS (SELECT 1 FROM generate_series(1, minutes) g WHERE g = 3)": (_BESIDE,),
    "SELECT count(*) FROM visits v, LATERAL (SELECT * FROM generate_series(1, minutes) g) x": (_BESIDE,),
    "SELECT count(*) FROM visits v, generate_series(1, v.minutes) AS g (n)": (_BESIDE,),
    "SELECT count(*) FROM (SELECT region FROM visits EXCEPT SELECT name FROM regions) x": (
        f"EXCEPT {_OTHER_ROWS}",
        "NOT IN (SELECT …)",
        "SELECT count(*) FROM visits WHERE region NOT IN (SELECT name FROM regions)",
    ),
    "SELECT count(*) FROM (SELECT region FROM visits INTERSECT SELECT name FROM regions) x": (
        f"INTERSECT {_OTHER_ROWS}",
        "WHERE column IN (SELECT …)",
        "SELECT count(*) FROM visits WHERE region IN (SELECT name FROM regions)",
    ),
    "WITH t AS (SELECT region FROM visits UNION ALL SELECT name FROM regions) SELECT region, count(*) FROM t GROUP BY 1": (
        f"UNION {_OTHER_ROWS}",
        "SELECT … GROUP BY … UNION ALL SELECT …",
        "SELECT region, count(*) FROM visits WHERE region <> 'nowhere' GROUP BY 1 UNION ALL SELECT name, 1 FROM regions",
    ),
    "WITH RECURSIVE t AS (SELECT patient_id FROM visits UNION SELECT patient_id + 1 FROM t) SELECT count(*) FROM t": (
        "WITH RECURSIVE over rows of public.visits is not supported",
    ),
    "SELECT count(*) FROM visits WHERE random() < 0.1": (
        "the function random() is not supported over private rows",
        "WHERE id % 10 = 0",
        "SELECT count(*) FROM visits WHERE visit_id % 10 = 0",
    ),
    "SELECT count(*) FROM visits WHERE visited_at < clock_timestamp()": (
        "the function clock_timestamp() is not supported over private rows",
        "Use now()",
        "SELECT count(*) FROM visits WHERE visited_at < now()",
    ),
    "SELECT unnest(ARRAY[1, 2]) AS n, count(*) FROM visits GROUP BY 1": (
        "the function unnest(), which returns several rows, is not supported over private rows",
        "CROSS JOIN unnest(ARRAY[1, 2]) AS n",
        "SELECT n, count(*) FROM visits CROSS JOIN unnest(ARRAY[1, 2]) AS n GROUP BY n",
    ),
    "SELECT region, cost, rank() OVER (PARTITION BY region ORDER BY cost DESC) FROM visits": (
        "this query would return rows of public.visits; only aggregates are allowed",
        "SELECT column, sum(x), rank() OVER (ORDER BY sum(x) DESC) FROM … GROUP BY column",
        "SELECT region, sum(cost), rank() OVER (ORDER BY sum(cost) DESC) FROM visits WHERE region <> 'nowhere' GROUP BY region",
    ),
    "SELECT count(*) FROM visits WHERE to_tsvector(diagnosis) @@ to_tsquery('diagnosis')": (
        "to_tsvector(diagnosis) @@ to_tsquery('diagnosis') is not supported over private rows",
        "x ~* 'word'",
        "SELECT count(*) FROM visits WHERE diagnosis ~* 'diagnosis 1'",
    ),
    "SELECT count(*) FROM visits JOIN regions ON name = region WHERE to_tsvector('english', zone) @@ to_tsquery('coast')": (
        "to_tsvector('english', zone) @@ to_tsquery('coast') is not supported over private rows",
        "key IN (SELECT key FROM table WHERE x @@ y GROUP BY key)",
        "SELECT count(*) FROM visits WHERE region IN "
        "(SELECT name FROM regions WHERE to_tsvector('english', zone) @@ to_tsquery('coast') GROUP BY name)",
    ),
    "SELECT count(*) FROM (SELECT patient_id FROM visits GROUP BY 1 ORDER BY sum(cost) DESC LIMIT 10) AS t": (
        "LIMIT is not supported inside an aggregate over private rows",
        "WHERE x > (SELECT percentile_cont(0.9) WITHIN GROUP (ORDER BY x) FROM …)",
        "SELECT count(*) FROM (SELECT patient_id, sum(cost) AS n FROM visits GROUP BY 1) AS t WHERE n > (SELECT percentile_cont(0.9) "
        "WITHIN GROUP (ORDER BY n) FROM (SELECT patient_id, sum(cost) AS n FROM visits GROUP BY 1) AS u)",
    ),
    "SELECT count(*) FROM visits WHERE visited_at <@ tsrange('2024-01-01', '2024-02-01')": (
        "visited_at <@ tsrange('2024-01-01', '2024-02-01') is not supported over private rows",
        "x >= low AND x < high",
        "SELECT count(*) FROM visits WHERE visited_at >= '2024-01-01' AND visited_at < '2024-02-01'",
    ),
    "SELECT (ARRAY['a', 'b'])[1 + minutes % 2], count(*) FROM visits GROUP BY 1": (
        "ARRAY['a', 'b'] is not supported over private rows",
        "CASE x WHEN 1 THEN 'a' ELSE 'b' END",
        "SELECT CASE minutes % 2 WHEN 0 THEN 'a' ELSE 'b' END, count(*) FROM visits GROUP BY 1",
    ),
    "SELECT format('%s-%s', region, urgent), count(*) FROM visits WHERE region <> 'nowhere' GROUP BY 1": (
        "the function format() is not supported over private rows",
        "concat(x, '-', y)",
        "SELECT concat(region, '-', urgent), count(*) FROM visits WHERE region <> 'nowhere' GROUP BY 1",
    ),
    "SELECT count(*) FROM visits WHERE date_part(region, visited_at) > 3": (
        "date_part() requires a constant field",
        "one call per constant in a CASE",
        "SELECT count(*) FROM visits WHERE CASE region WHEN 'north' THEN date_part('hour', visited_at) ELSE "
        "date_part('day', visited_at) END > 3",
    ),
    "SELECT count(*) FROM visits WHERE to_char(visited_at, region) = '03'": (
        "to_char() requires a constant format",
        "one call per constant in a CASE",
        "SELECT count(*) FROM visits WHERE CASE region WHEN 'north' THEN to_char(visited_at, 'MM') ELSE "
        "to_char(visited_at, 'DD') END = '03'",
    ),
    "SELECT count(*) FROM visits WHERE width_bucket(cost, 0, minutes, 10) = 3": (
        "width_bucket() requires constant bounds",
        "one call per constant in a CASE",
        "SELECT count(*) FROM visits WHERE CASE minutes WHEN 7 THEN width_bucket(cost, 0, 7, 10) WHEN 9 THEN "
        "width_bucket(cost, 0, 9, 10) END = 3",
    ),
    "SELECT count(*) FROM visits WHERE to_date(diagnosis, 'YYYY') > '2024-01-01'": (
        "the function to_date() is not supported over private rows",
        "x::date",
        "SELECT count(*) FROM visits WHERE left(visited_at::text, 10)::date > '2024-03-01'",
    ),
    "SELECT count(*) FROM visits WHERE minutes > ALL (VALUES (3), (10))": (
        "VALUES (3), (10) is not supported over private rows",
        "x > ALL (ARRAY[1, 2])",
        "SELECT count(*) FROM visits WHERE minutes > ALL (ARRAY[3, 10])",
    ),
    "SELECT count(*) FROM visits WHERE (region, minutes) IN (VALUES ('north', 3), ('east', 4))": (
        "(region, minutes) IN (VALUES ('north', 3), ('east', 4)) is not supported over private rows",
        "(x, y) IN ((1, 2), (3, 4))",
        "SELECT count(*) FROM visits WHERE (region, minutes) IN (('north', 3), ('east', 4))",
    ),
    "SELECT count(*) FROM visits WHERE gcd(discount, 2) > 1": (
        "gcd() requires integers or numeric(p, s)",
        "gcd(x::numeric(10, 2), y)",
        "SELECT count(*) FROM visits WHERE discount <> 'NaN' AND gcd(discount::numeric(10, 2), 2) < 1",
    ),
    "SELECT count(*) FROM visits WHERE regexp_count(diagnosis, 'a', 1, 'i') > 2": (
        "regexp_count() with these arguments is not supported over private rows",
        "Leave out arguments that are optional.",
        "SELECT count(*) FROM visits WHERE regexp_count(diagnosis, 's') > 1",
    ),
    "SELECT count(*) FROM visits WHERE cost < 1e201": (
        "this number is too large",
        "Write a smaller number",
        "SELECT count(*) FROM visits WHERE cost < 1e100",
    ),
    "SELECT max(least(visited_at, timestamptz '2024-05-01')) FROM visits": (
        "the types timestamp with time zone, timestamp without time zone in least(",
        "CAST(… AS timestamp without time zone)",
        "SELECT max(least(visited_at, CAST(timestamptz '2024-05-01' AS timestamp without time zone))) FROM visits",
    ),
}
"""What is refused: how the message begins, what the hint says, and a query that follows it."""

UNTIED = {
    "SELECT count(*) FROM visits v JOIN patients p ON v.patient_id = p.patient_id OR v.region = p.region": _NOT_SAID,
    "SELECT count(*) FROM visits v JOIN patients p ON abs(v.patient_id) = p.patient_id": _NOT_SAID,
    "SELECT count(*) FROM visits v, patients p WHERE v.patient_id > p.patient_id": _NOT_SAID,
    "SELECT count(*) FROM visits v JOIN patients p ON v.region = p.region": "Nothing in the join says",
}
"""Joins of private tables, and what their refusal says of the conditions on both patients."""


@pytest.mark.parametrize("query", NAMED)
def test_what_is_wrong_is_named_and_the_hint_is_answered(query: str, connections: Connections) -> None:
    message, *instead = NAMED[query]
    with pytest.raises(psycopg.Error) as refusal:
        connections[0].execute(query.encode())
    assert (refusal.value.diag.message_primary or "").startswith(message)
    if instead:
        assert instead[0] in (refusal.value.diag.message_hint or "")
        assert_same_answer(instead[1], connections)


@pytest.mark.parametrize("query", UNTIED)
def test_a_join_says_which_condition_does_not_tie_its_tables(query: str, connections: Connections) -> None:
    with pytest.raises(psycopg.errors.FeatureNotSupported) as refusal:
        connections[0].execute(query.encode())
    assert UNTIED[query] in (refusal.value.diag.message_detail or "")
    assert refusal.value.diag.message_hint == "Join them on the patient: v.patient_id = p.patient_id."


def test_a_subquery_without_the_unit_is_named(connections: Connections) -> None:
    with pytest.raises(psycopg.errors.FeatureNotSupported) as refusal:
        connections[0].execute(
            "SELECT count(*) FROM visits v JOIN (SELECT region FROM patients) p ON v.region = p.region"
        )
    assert (refusal.value.diag.message_primary or "").endswith("of public.visits and of the subquery p")
    assert refusal.value.diag.message_hint == "Select the patient's column in the subquery p, too, and join on it."
    followed = (
        "SELECT count(*) FROM visits v JOIN (SELECT region, patient_id FROM patients) p ON v.patient_id = p.patient_id"
    )
    assert_same_answer(followed, connections)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT region, count(v) FROM visits v GROUP BY 1",
        "SELECT count(visits) FROM visits",
        "SELECT count(p), count(*) FROM visits v LEFT JOIN patients p ON p.patient_id = v.patient_id AND p.smoker",
        "SELECT count(region) FROM visits region",
    ],
)
def test_the_rows_of_a_table_are_counted_by_its_name(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)
