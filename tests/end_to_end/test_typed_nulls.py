"""The least integers beside typed NULLs, in one row that a condition picks: nothing fails at it, so no failure tells that
it exists."""

from __future__ import annotations

import pytest

from tests.end_to_end.comparing import Connections, assert_same_answer

LEAST = {"int": "-2147483648", "smallint": "(-32768)::smallint", "bigint": "(-9223372036854775807 - 1)"}
SAME = {
    "a comparison": "SELECT count(*) FROM visits WHERE CASE WHEN {one} THEN {least} ELSE NULL::{type} END < 0.1::float8",
    "a function": "SELECT count(*) FROM visits WHERE floor(coalesce(CASE WHEN {one} THEN {least} END, NULL::{type})) < 4",
    "the greatest": "SELECT count(*) FROM visits WHERE ceil(greatest(CASE WHEN {one} THEN {least} END, NULL::{type})) < 6",
    "a group's condition": "SELECT region, count(*) FROM visits, LATERAL (VALUES (NULL::{type}), (CASE WHEN {one} THEN {least} "
    "END)) AS q(x) WHERE q.x < 0.5::float8 GROUP BY region",
    "nullif": "SELECT count(*) FROM visits WHERE round(CASE WHEN {one} THEN {least} ELSE nullif(1, 1) END) < 6",
    "a subquery": "SELECT count(*) FROM visits WHERE CASE WHEN {one} THEN {least} ELSE (SELECT NULL::{type}) END < 2.5::real",
    "a union": "SELECT count(*) FROM (SELECT patient_id, CASE WHEN {one} THEN {least} END AS x FROM visits UNION ALL "
    "SELECT patient_id, NULL::{type} FROM visits) u WHERE x * 0.5::float8 < 1",
}


@pytest.mark.parametrize("type_", LEAST)
@pytest.mark.parametrize("query", SAME.values(), ids=SAME)
def test_the_least_integer_beside_a_typed_null_does_not_fail(query: str, type_: str, connections: Connections) -> None:
    one = "visit_id BETWEEN 5 AND 9"
    assert_same_answer(query.format(one=one, least=LEAST[type_], type=type_), connections)


@pytest.mark.parametrize("type_", LEAST)
def test_nor_does_it_beside_a_parameter_that_is_null(type_: str, connections: Connections) -> None:
    statement = f"SELECT count(*) FROM visits WHERE floor(CASE WHEN visit_id < 9 THEN {LEAST[type_]} ELSE $1 END) < 6"
    answers = []
    for connection in connections:
        connection.execute(f"PREPARE least_{type_} ({type_}) AS {statement}".encode())
        answers.append(connection.execute(f"EXECUTE least_{type_} (NULL)".encode()).fetchone())
    assert answers[0] == answers[1]
