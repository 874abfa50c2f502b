"""attack 17: UNION, INTERSECT and EXCEPT compare one person's rows among themselves, or released results, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.attacks.attacker import DENIED, UNSUPPORTED, Attacker, attacking
from tests.end_to_end.conftest import StartProxy

PLANT = "INSERT INTO patients (patient_id, region, height) VALUES (2001, 'nowhere', 99.5)"
"""The only person of a region, with a height of their own."""

SIDES = {
    "the person is on neither side": ("SELECT region FROM visits", "SELECT region FROM patients"),
    "the person is on the left": ("SELECT patient_id, region FROM visits", "SELECT birth_year, region FROM patients"),
    "the person is on the right": ("SELECT specialty_id, region FROM visits", "SELECT patient_id, region FROM patients"),
    "the person is in different columns": ("SELECT patient_id, visit_id FROM visits", "SELECT birth_year, patient_id FROM patients"),
    "the person is computed": ("SELECT patient_id + 0, region FROM visits", "SELECT patient_id, region FROM patients"),
    "the person's type differs": ("SELECT patient_id, region FROM visits", "SELECT visit_id, region FROM visits"),
    "the person is grouped away": (
        "SELECT region FROM (SELECT patient_id, region FROM visits GROUP BY 1, 2) x",
        "SELECT region FROM patients",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def attacker(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Attacker]:
    with attacking(proxies, copy_clinic, changes=PLANT) as attacker:
        yield attacker


@pytest.mark.parametrize("operation", ["UNION", "INTERSECT", "INTERSECT ALL", "EXCEPT", "EXCEPT ALL"])
@pytest.mark.parametrize("sides", SIDES.values(), ids=SIDES.keys())
def test_set_operation_over_several_peoples_rows_is_refused(
    sides: tuple[str, str], operation: str, attacker: Attacker
) -> None:
    left, right = sides
    attacker.assert_refused(f"SELECT count(*) FROM ({left} {operation} {right}) u", UNSUPPORTED, "row-set-operation")


ROWS_OUTSIDE = {
    "whose regions are not all there": "SELECT name FROM regions EXCEPT SELECT region FROM patients",
    "rows beside released ones": "SELECT region, count(*) FROM visits GROUP BY 1 UNION SELECT region, 1 FROM patients",
    "rows beside constants": "SELECT height FROM patients UNION ALL SELECT 1",
}


@pytest.mark.parametrize("query", ROWS_OUTSIDE.values(), ids=ROWS_OUTSIDE.keys())
def test_set_operation_of_peoples_rows_with_others_is_denied(query: str, attacker: Attacker) -> None:
    attacker.assert_refused(query, DENIED, "rows")


ROWS_BELOW = {
    "whose regions are there": "SELECT count(*) FROM (SELECT name FROM regions INTERSECT SELECT region FROM patients) u",
    "public rows among people's": "SELECT count(*) FROM (SELECT region FROM patients UNION ALL SELECT name FROM regions) u",
    "public rows taken away": "SELECT count(*) FROM (SELECT region FROM patients EXCEPT SELECT name FROM regions) u",
    "through a recursive query": "WITH RECURSIVE r AS (SELECT patient_id FROM visits UNION SELECT patient_id FROM r) SELECT count(*) FROM r",
}


@pytest.mark.parametrize("query", ROWS_BELOW.values(), ids=ROWS_BELOW.keys())
def test_set_operation_of_peoples_rows_with_others_below_an_aggregate_is_refused(
    query: str, attacker: Attacker
) -> None:
    attacker.assert_refused(query, UNSUPPORTED, "row-set-operation")


WITHIN = {
    "union": "SELECT patient_id, region FROM visits UNION SELECT patient_id, region FROM patients",
    "intersection": "SELECT patient_id, region FROM visits INTERSECT SELECT patient_id, region FROM patients",
    "difference": "SELECT patient_id, region FROM patients EXCEPT SELECT patient_id, region FROM visits",
    "difference with repetitions": "SELECT region, patient_id FROM visits EXCEPT ALL SELECT region, patient_id FROM patients",
    "three sides": "SELECT patient_id, region FROM visits UNION ALL SELECT patient_id, region FROM patients UNION SELECT patient_id, 'north' FROM insurances",
}


@pytest.mark.parametrize("rows", WITHIN.values(), ids=WITHIN.keys())
def test_set_operation_within_the_person_equals_postgres(rows: str, attacker: Attacker) -> None:
    query = f"SELECT count(*), count(DISTINCT patient_id) FROM ({rows}) u"
    assert attacker.ask(query) == attacker.ask_source(query)


def test_released_results_are_compared_with_anything_public(attacker: Attacker) -> None:
    query = "SELECT name FROM regions EXCEPT SELECT region FROM visits GROUP BY region HAVING count(*) > 100"
    assert attacker.ask(query) == attacker.ask_source(query) == [("nowhere",)]
