"""A cast of a column to the type that it has is the column, as in Postgres, and another cast is another expression."""

from __future__ import annotations

import psycopg
import pytest

from tests.end_to_end.comparing import Connections, assert_same_answer

SAME = [
    "SELECT region, urgent, count(*) FROM visits GROUP BY GROUPING SETS ((region::text, urgent), (region), ())",
    "SELECT specialty_id, specialty_id::int, count(*) FROM visits GROUP BY GROUPING SETS ((specialty_id::int), (specialty_id))",
    "SELECT specialty_id, specialty_id::bigint, count(*) FROM visits "
    "GROUP BY GROUPING SETS ((specialty_id::bigint), (specialty_id))",
    "SELECT region, count(*) FROM visits GROUP BY region::text HAVING region::text <> 'north'",
    "SELECT region::varchar, region::text, count(*) FROM visits GROUP BY region",
    "SELECT sex, sex::char, count(*) FROM patients GROUP BY sex::char(1)",
    "SELECT date_trunc('month', visited_at::timestamp), count(*) FROM visits GROUP BY date_trunc('month', visited_at)",
    "SELECT urgent AS region, count(*) FROM visits GROUP BY urgent, region::text",
    "SELECT region, rank() OVER (ORDER BY count(*)::bigint DESC, region::text) FROM visits GROUP BY region",
    "SELECT title::varchar(40), title::varchar, count(*) FROM visits JOIN specialties s USING (specialty_id) GROUP BY s.title",
    "SELECT n > 5, count(*) FROM (SELECT patient_id, count(*)::int AS n FROM visits GROUP BY patient_id::int) AS q GROUP BY n::int > 5",
    "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id::int = p.patient_id::int AND urgent)",
]


@pytest.mark.parametrize("query", SAME)
def test_it_is_answered_as_in_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


def test_a_name_that_an_output_has_too_is_still_that_of_the_column(connections: Connections) -> None:
    text = b"SELECT urgent AS region, count(*) FROM visits GROUP BY urgent, region ORDER BY region::text, count(*)"
    client, source = (connection.execute(text).fetchall() for connection in connections)
    assert client == source


@pytest.mark.parametrize(
    "text",
    [
        "SELECT region, count(*) FROM visits GROUP BY region::varchar",
        "SELECT specialty_id, count(*) FROM visits GROUP BY specialty_id::bigint",
        "SELECT height, count(*) FROM patients GROUP BY height::numeric",
        "SELECT s.title, count(*) FROM visits JOIN specialties s USING (specialty_id) GROUP BY s.title::varchar",
    ],
)
def test_another_cast_does_not_group_by_the_column(text: str, connections: Connections) -> None:
    for connection in connections:
        with pytest.raises(psycopg.Error) as refusal:
            connection.execute(text.encode())
        assert refusal.value.sqlstate in ("42803", "0A000")
