"""Subqueries that compare their rows with those of the unit around them in any way, and those that have one row of each."""

from __future__ import annotations

import psycopg
import pytest

from tests.end_to_end.comparing import Connections, assert_same_answer

OWN = {
    "a sum until a time of the unit": "SELECT sex, sum((SELECT sum(minutes) FROM visits v WHERE v.patient_id = p.patient_id "
    "AND v.visited_at < p.registered + 1000)) FROM patients p GROUP BY 1",
    "a count in WHERE": "SELECT count(*) FROM patients p WHERE (SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id "
    "AND minutes > birth_year - 1930) > 2",
    "the second visit": "SELECT count(*) FROM visits p WHERE (SELECT count(*) FROM visits q WHERE q.patient_id = p.patient_id "
    "AND q.visit_id < p.visit_id) = 1",
    "counts of none": "SELECT sum((SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id AND v.minutes > p.birth_year)) "
    "FROM patients p",
    "a key": "SELECT (SELECT count(*) FROM visits q WHERE q.patient_id = p.patient_id AND q.visit_id > p.visit_id) > 3 AS many, "
    "count(*) FROM visits p GROUP BY 1",
    "time since the last visit": "SELECT sum(extract(epoch FROM p.visited_at - (SELECT max(q.visited_at) FROM visits q WHERE "
    "q.patient_id = p.patient_id AND q.visited_at < p.visited_at)) / 86400 > 30 OR p.minutes IS NULL)::int FROM visits p".replace(
        "sum(", "count(*) FILTER (WHERE ", 1
    ).replace(")::int", ")"),
    "what both have": "SELECT sum((SELECT sum(v.minutes + p.birth_year - p.birth_year) FROM visits v WHERE v.patient_id = p.patient_id)) "
    "FROM patients p",
    "a lateral item": "SELECT count(*), sum(n) FROM patients p CROSS JOIN LATERAL (SELECT count(*) AS n FROM visits v WHERE "
    "v.patient_id = p.patient_id AND v.visited_at >= p.registered + 500) AS x WHERE n > 1",
    "a condition on the row alone": "SELECT count(*) FROM patients p, LATERAL (SELECT count(*) AS n FROM visits v WHERE "
    "v.patient_id = p.patient_id AND p.smoker) AS x WHERE n > 1",
    "beside public rows": "SELECT r.zone, sum((SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id AND v.minutes > "
    "p.birth_year - 1940)) FROM patients p JOIN regions r ON r.name = p.region GROUP BY 1",
    "on the optional side": "SELECT sum((SELECT count(*) FROM visits w WHERE w.patient_id = v.patient_id AND w.minutes > v.minutes)) "
    "FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id AND v.minutes > 118",
    "whether one exists, in FILTER": "SELECT sex, count(*) FILTER (WHERE NOT EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id "
    "AND v.visited_at < p.registered + 1000)), count(*) FROM patients p GROUP BY 1",
    "whether one exists, in CASE": "SELECT avg(CASE WHEN EXISTS (SELECT 1 FROM visits w WHERE w.patient_id = v.patient_id AND w.visited_at > "
    "v.visited_at AND w.visited_at < v.visited_at + interval '30 days' ORDER BY 1 LIMIT 1) THEN 1 ELSE 0 END) FROM visits v",
    "whether one exists, in OR": "SELECT sum(minutes) FROM visits v WHERE urgent OR EXISTS (SELECT FROM visits w WHERE w.patient_id = "
    "v.patient_id AND w.minutes > v.minutes AND w.urgent)",
    "whether one exists, as a key": "SELECT EXISTS (SELECT FROM visits w WHERE w.patient_id = v.patient_id AND w.visit_id < v.visit_id) AS again, "
    "count(*), sum(minutes) FROM visits v GROUP BY 1",
    "membership in OR": "SELECT count(*) FROM visits v WHERE urgent OR v.minutes IN (SELECT w.minutes FROM visits w WHERE w.patient_id = "
    "v.patient_id AND w.visit_id < v.visit_id)",
    "a number in a list": "SELECT count(*) FROM patients p WHERE (SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id) IN (1, 4)",
    "a number in no list": "SELECT sex, count(*) FROM patients p WHERE (SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id) "
    "NOT IN (1, 4) GROUP BY 1",
    "a number in a list, in CASE": "SELECT sum(CASE WHEN (SELECT max(minutes) FROM visits v WHERE v.patient_id = p.patient_id) IN (118, 119) "
    "THEN 1 ELSE 0 END) FROM patients p",
    "the latest value in a list": "SELECT count(*) FROM patients p WHERE (SELECT region FROM visits v WHERE v.patient_id = p.patient_id "
    "ORDER BY visited_at DESC, visit_id LIMIT 1) IN ('north', 'south')",
    "a public value in a list": "SELECT count(*) FROM visits v WHERE (SELECT zone FROM regions r WHERE r.name = v.region) IN ('cold', 'x')",
    "a list with a number": "SELECT count(*) FROM patients p WHERE 4 IN (1, (SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id))",
    "a constant among characters": "SELECT count(*) FROM visits v WHERE 'F' IN (SELECT p.sex FROM patients p WHERE p.patient_id = v.patient_id)",
    "a constant in OR": "SELECT count(*) FROM visits v WHERE urgent OR 'F' IN (SELECT p.sex FROM patients p WHERE p.patient_id = v.patient_id)",
    "a constant in CASE": "SELECT CASE WHEN 30 IN (SELECT v.minutes FROM visits v WHERE v.patient_id = p.patient_id) THEN 'once' END AS half, "
    "count(*) FROM patients p GROUP BY 1",
    "a constant in no list": "SELECT count(*) FROM patients p WHERE 30 NOT IN (SELECT v.minutes FROM visits v WHERE v.patient_id = p.patient_id "
    "AND v.minutes IS NOT NULL)",
    "a text in no list": "SELECT count(*) FROM visits v WHERE 'F' <> ALL (SELECT p.sex FROM patients p WHERE p.patient_id = v.patient_id AND "
    "sex IS NOT NULL)",
    "a constant among dates": "SELECT count(*) FROM visits v WHERE '2021-03-07' IN (SELECT p.registered FROM patients p WHERE "
    "p.patient_id = v.patient_id)",
    "a moment among dates": "SELECT count(*) FROM visits v WHERE timestamp '2021-03-07' IN (SELECT p.registered FROM patients p WHERE "
    "p.patient_id = v.patient_id)",
    "a constant among numbers": "SELECT count(*) FROM patients p WHERE 30 IN (SELECT v.minutes FROM visits v WHERE v.patient_id = p.patient_id)",
    "a row with a constant": "SELECT count(*) FROM visits v WHERE (v.patient_id, 'M') IN (SELECT p.patient_id, p.sex FROM patients p)",
    "names without a table": "SELECT count(*) FROM visits p WHERE (SELECT max(minutes) FROM visits WHERE patient_id = p.patient_id "
    "AND visited_at < p.visited_at) > 100",
}

GROUPED = {
    "a count by what ties it": "SELECT sum((SELECT count(visit_id) FROM visits v WHERE v.patient_id = p.patient_id AND minutes > 100 "
    "GROUP BY v.patient_id)) FROM patients p",
    "no rows are NULL": "SELECT count(*) FROM patients p WHERE (SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id "
    "AND minutes > 100 GROUP BY v.patient_id) IS NULL",
    "zero without GROUP BY": "SELECT count(*) FROM patients p WHERE (SELECT count(*) FROM visits v WHERE v.patient_id = p.patient_id "
    "AND minutes > 100) = 0",
}

FIRST = {
    "a key": "SELECT (SELECT v.region FROM visits v WHERE v.patient_id = p.patient_id ORDER BY v.visited_at DESC, v.visit_id LIMIT 1) "
    "AS last, count(*) FROM patients p GROUP BY 1",
    "an average": "SELECT sex, sum((SELECT minutes FROM visits v WHERE v.patient_id = p.patient_id ORDER BY visit_id LIMIT 1)) "
    "FROM patients p GROUP BY 1",
    "a condition": "SELECT count(*) FROM patients p WHERE (SELECT region FROM visits v WHERE v.patient_id = p.patient_id "
    "ORDER BY visited_at, 1, visit_id LIMIT 1) = 'north'",
    "first visits": "SELECT region, count(*) FROM visits v WHERE visit_id = (SELECT w.visit_id FROM visits w WHERE w.patient_id = "
    "v.patient_id ORDER BY w.visited_at, w.visit_id LIMIT 1) GROUP BY 1",
}

OTHER = {
    "a key written twice": "SELECT EXISTS (SELECT 1 FROM visits v WHERE v.patient_id = p.patient_id AND minutes > 110) AS long, "
    "count(*) FROM patients p GROUP BY EXISTS (SELECT 1 FROM visits v WHERE v.patient_id = p.patient_id AND minutes > 110)",
    "a CASE written twice": "SELECT sex, CASE WHEN EXISTS (SELECT 1 FROM visits v WHERE v.patient_id = p.patient_id AND urgent) "
    "THEN 'yes' ELSE 'no' END, count(*) FROM patients p GROUP BY sex, CASE WHEN EXISTS (SELECT 1 FROM visits v WHERE "
    "v.patient_id = p.patient_id AND urgent) THEN 'yes' ELSE 'no' END",
    "OFFSET 0": "SELECT count(*) FROM (SELECT visit_id FROM visits WHERE 1 = 1 OFFSET 0) AS sub",
    "OFFSET 0 of a type": "SELECT region, sum(minutes) FROM (SELECT * FROM visits ORDER BY minutes OFFSET 0::bigint) AS s GROUP BY 1",
    "no OFFSET": "SELECT count(*) FROM (SELECT visit_id FROM visits OFFSET NULL) AS sub",
}


@pytest.mark.parametrize("query", [*OWN.values(), *GROUPED.values()], ids=[*OWN, *GROUPED])
def test_a_subquery_may_compare_with_the_row_around_it(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize("query", FIRST.values(), ids=FIRST)
def test_the_first_row_of_each_unit_gives_its_value(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize("query", OTHER.values(), ids=OTHER)
def test_what_orms_write_is_what_it_means(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


def test_a_parameter_may_be_the_offset(connections: Connections) -> None:
    query = b"SELECT count(*) FROM (SELECT visit_id FROM visits OFFSET %s) AS sub"
    client, source = connections
    assert client.execute(query, [0], binary=True).fetchall() == source.execute(query, [0]).fetchall()
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="OFFSET"):
        client.execute(query, [1], binary=True)


def test_rows_of_people_are_not_shown_beside_public_rows(connections: Connections) -> None:
    query = "SELECT r.name, (SELECT v.minutes FROM visits v WHERE v.region = r.name ORDER BY visited_at LIMIT 1) FROM regions r"
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="no aggregate"):
        connections[0].execute(query.encode())


def test_notices_call_rows_by_the_names_of_their_tables(connections: Connections) -> None:
    """A subquery that compares with the unit's row reads the table once more, under a name that no client knows."""
    client, details = connections[0], list[str]()
    client.add_notice_handler(lambda notice: details.append(notice.message_detail or ""))
    client.execute("SET dp.notices = on")
    client.execute(
        "SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM visits w WHERE w.patient_id = v.patient_id AND w.minutes > "
        "v.minutes + 7)) FROM visits v"
    )
    client.execute("SET dp.notices = off")
    assert any("Of public.visits at most" in detail for detail in details)
    assert not any("dpown" in detail for detail in details)
