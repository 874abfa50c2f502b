"""attack 18: a subquery over private rows sees the rows of the same person, or is released first, or is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.attacks.attacker import DENIED, UNSUPPORTED, Attacker, attacking
from tests.end_to_end.conftest import StartProxy

OF_OTHERS = {
    "EXISTS": ("EXISTS (SELECT FROM visits w WHERE w.cost > v.cost)", "private-join"),
    "NOT EXISTS": ("NOT EXISTS (SELECT FROM visits w WHERE w.region = v.region AND w.cost > v.cost)", "private-join"),
    "EXISTS over one other person": ("EXISTS (SELECT FROM visits w WHERE w.patient_id = 42 AND w.urgent)", "private-join"),
    "EXISTS over all others": ("EXISTS (SELECT FROM visits w WHERE w.patient_id <> v.patient_id AND w.cost = v.cost)", "private-join"),
    "EXISTS over a neighbour": ("EXISTS (SELECT FROM visits w WHERE w.patient_id = v.patient_id + 1)", "private-join"),
    "EXISTS over the same person or others": ("EXISTS (SELECT FROM visits w WHERE w.patient_id = v.patient_id OR w.urgent)", "private-join"),
    "EXISTS by another key": ("EXISTS (SELECT FROM prescriptions r WHERE r.prescription_id = v.visit_id)", "private-join"),
    "EXISTS with a join that ties one table only": (
        "EXISTS (SELECT FROM visits w, patients p WHERE w.patient_id = v.patient_id AND p.region = w.region)",
        "private-join",
    ),
    "EXISTS over a derived table": ("EXISTS (SELECT FROM (SELECT patient_id, cost FROM visits) x WHERE x.cost > v.cost)", "private-join"),
    "EXISTS over a grouped table": (
        "EXISTS (SELECT FROM (SELECT patient_id, sum(cost) AS s FROM visits GROUP BY 1) x WHERE x.s > v.cost)",
        "private-join",
    ),
    "EXISTS in EXISTS": (
        "EXISTS (SELECT FROM patients p WHERE p.patient_id = v.patient_id AND EXISTS (SELECT FROM visits w WHERE w.region = p.region))",
        "private-join",
    ),
    "EXISTS with an outer join inside": (
        "EXISTS (SELECT FROM visits w LEFT JOIN patients p ON p.region = w.region WHERE w.patient_id = v.patient_id)",
        "private-join",
    ),
    "IN": ("cost IN (SELECT w.cost FROM visits w)", "private-join"),
    "IN of a moved unit": ("patient_id IN (SELECT p.patient_id + 1 FROM patients p)", "private-join"),
    "IN of another column": ("patient_id IN (SELECT w.specialty_id FROM visits w)", "private-join"),
    "NOT IN of units that can be NULL": ("patient_id NOT IN (SELECT i.patient_id FROM insurances i)", "private-join"),
    "CASE of IN of units that can be NULL": (
        "CASE WHEN patient_id IN (SELECT i.patient_id FROM insurances i) IS NULL THEN 1 ELSE 0 END = 1",
        "private-join",
    ),
    "IN of units that an outer join can make NULL": (
        "patient_id IN (SELECT w.patient_id FROM visits w RIGHT JOIN regions r ON r.name = w.region)",
        "subquery",
    ),
    "IN of a union": ("patient_id IN (SELECT patient_id FROM patients UNION ALL SELECT birth_year FROM patients)", "private-join"),
    "IN of many columns": ("(region, urgent) IN (SELECT p.region, p.smoker FROM patients p)", "private-join"),
    "IN of many columns, the person at another place": ("(minutes, patient_id) IN (SELECT p.patient_id, p.birth_year FROM patients p)", "private-join"),
    "NOT IN of many columns": ("(region, urgent) NOT IN (SELECT p.region, p.smoker FROM patients p)", "private-join"),
    "= ANY": ("cost = ANY (SELECT w.cost FROM visits w WHERE w.patient_id <> v.patient_id)", "private-join"),
    "<> ALL": ("cost <> ALL (SELECT w.cost FROM visits w)", "private-join"),
    "< ANY": ("cost < ANY (SELECT w.cost FROM visits w)", "private-join"),
    ">= ALL": ("cost >= ALL (SELECT w.cost FROM visits w)", "private-join"),
    "a scalar of all": ("minutes = (SELECT bit_or(w.minutes) FROM visits w)", "aggregate"),
    "a scalar of others": (
        "cost > (SELECT avg(w.cost) FROM visits w WHERE w.region = v.region AND w.patient_id <> v.patient_id)",
        "correlation",
    ),
    "a scalar of a neighbour": ("cost > (SELECT avg(w.cost) FROM visits w WHERE w.patient_id = v.patient_id + 1)", "correlation"),
    "a scalar of rows before": ("(SELECT count(*) FROM visits w WHERE w.visit_id < v.visit_id) > 5", "correlation"),
    "a scalar by another key": ("(SELECT count(*) FROM visits w WHERE w.patient_id = v.visit_id) > 0", "private-join"),
    "a scalar of one row": ("cost > (SELECT w.minutes FROM visits w WHERE w.visit_id = v.patient_id)", "private-join"),
}  # fmt: skip

PLACES = {
    "in CASE": "SELECT sum(CASE WHEN EXISTS (SELECT FROM visits w WHERE w.cost > v.cost) THEN 1 ELSE 0 END) FROM visits v",
    "in FILTER": "SELECT count(*) FILTER (WHERE NOT EXISTS (SELECT FROM visits w WHERE w.cost > v.cost)) FROM visits v",
    "in a derived table": "SELECT count(*) FROM (SELECT EXISTS (SELECT FROM visits w WHERE w.cost > v.cost) AS e FROM visits v) x WHERE e",
    "in HAVING within the person": "SELECT count(*) FROM (SELECT patient_id FROM visits v GROUP BY patient_id "
    "HAVING EXISTS (SELECT FROM patients p WHERE p.height > 190)) x",
}

OUTSIDE = {
    "rows looked up by public ones": "SELECT name, (SELECT v.cost FROM visits v WHERE v.cost > 999 LIMIT 1) FROM regions",
    "whether there is a second row": "SELECT name, EXISTS (SELECT FROM visits v WHERE v.cost > 999 OFFSET 1) FROM regions",
    "public rows chosen by people": "SELECT name FROM regions WHERE name NOT IN (SELECT region FROM patients)",
    "public rows counted if people are there": "SELECT count(*) FROM regions WHERE population > ANY (SELECT cost FROM visits)",
    "a constant compared with all": "SELECT 1 WHERE 5 < ALL (SELECT cost FROM visits)",
    "a scalar of the dearest": "SELECT count(*) FROM visits WHERE cost = (SELECT w.cost FROM visits w ORDER BY cost DESC LIMIT 1)",
}


@pytest.fixture(scope="module")
def attacker(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Attacker]:
    with attacking(proxies, copy_clinic) as attacker:
        yield attacker


@pytest.mark.parametrize(("condition", "rule"), OF_OTHERS.values(), ids=OF_OTHERS.keys())
def test_subquery_over_other_peoples_rows_is_refused(condition: str, rule: str, attacker: Attacker) -> None:
    attacker.assert_refused(f"SELECT count(*) FROM visits v WHERE {condition}", UNSUPPORTED, rule)


@pytest.mark.parametrize("query", PLACES.values(), ids=PLACES.keys())
def test_place_of_the_subquery_does_not_matter(query: str, attacker: Attacker) -> None:
    attacker.assert_refused(query, UNSUPPORTED, "private-join")


@pytest.mark.parametrize("query", OUTSIDE.values(), ids=OUTSIDE.keys())
def test_subquery_that_would_return_rows_is_denied(query: str, attacker: Attacker) -> None:
    attacker.assert_refused(query, DENIED, "rows")


WITHIN = {
    "EXISTS": "EXISTS (SELECT FROM visits w WHERE w.patient_id = v.patient_id AND w.cost > v.cost)",
    "NOT EXISTS": "NOT EXISTS (SELECT FROM visits w WHERE w.patient_id = v.patient_id AND w.cost > v.cost)",
    "IN": "patient_id IN (SELECT p.patient_id FROM patients p WHERE p.smoker)",
    "IN of units that can be NULL": "patient_id IN (SELECT i.patient_id FROM insurances i)",
    "= ANY": "patient_id = ANY (SELECT p.patient_id FROM patients p WHERE p.smoker)",
    "<> ALL": "patient_id <> ALL (SELECT p.patient_id FROM patients p WHERE p.smoker)",
    "> SOME": "cost > SOME (SELECT w.cost FROM visits w WHERE w.patient_id = v.patient_id)",
    ">= ALL": "cost >= ALL (SELECT w.cost FROM visits w WHERE w.patient_id = v.patient_id)",
    "EXISTS over a released group by its key": (
        "EXISTS (SELECT FROM (SELECT region, count(*) AS n FROM visits GROUP BY region) x WHERE x.region = v.region)"
    ),
    "a scalar": "cost > (SELECT avg(w.cost) FROM visits w WHERE w.patient_id = v.patient_id)",
    "public": "region = ANY (SELECT name FROM regions WHERE zone = 'cold')",
}


@pytest.mark.parametrize("condition", WITHIN.values(), ids=WITHIN.keys())
def test_subquery_over_the_same_persons_rows_equals_postgres(condition: str, attacker: Attacker) -> None:
    query = f"SELECT count(*) FROM visits v WHERE {condition}"
    assert attacker.ask(query) == attacker.ask_source(query)


def test_each_released_subquery_is_paid_for(attacker: Attacker) -> None:
    """The average of all is another question: what it read is charged beside what the count reads."""
    paid = "SELECT count(*) FROM dp.ledger"
    ((before,),) = attacker.ask(paid)
    attacker.ask("SELECT count(*) FROM patients WHERE height > (SELECT avg(cost) / 5 FROM visits WHERE minutes = 3)")
    ((after,),) = attacker.ask(paid)
    assert after - before == 2


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("SELECT EXISTS (SELECT FROM visits v WHERE v.cost > 999 AND v.minutes < 100)", 1),
        ("SELECT EXISTS (SELECT FROM visits v WHERE v.cost > 999 AND v.minutes < 101) FROM regions", 5),
    ],
)
def test_whether_anybody_has_such_a_row_is_one_released_number(query: str, rows: int, attacker: Attacker) -> None:
    """Beside public rows, too: it is asked and paid for once, however many rows show it."""
    paid = "SELECT count(*) FROM dp.ledger"
    ((before,),) = attacker.ask(paid)
    answer = attacker.ask(query)
    ((after,),) = attacker.ask(paid)
    assert (len(answer), len(set(answer)), after - before) == (rows, 1, 1)
