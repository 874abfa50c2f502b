"""attacks 13 to 15: what exact values of several people decide never enters a source query: windows, DISTINCT, LIMIT.

Within one person's rows windows and limits are answered, and a planted value shows in none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from proxy.policy.model import Policy
from tests.attacks.attacker import DENIED, UNSUPPORTED, Attacker, attacking, exact_policy
from tests.end_to_end.charging import all_spent
from tests.end_to_end.conftest import StartProxy

PLANTED = 1987.65
PLANT = f"UPDATE visits SET cost = {PLANTED} WHERE visit_id = 7"

OF_SEVERAL_PEOPLE = {
    "14 maximum of a group in a CTE": (
        "WITH w AS (SELECT region, max(cost) OVER (PARTITION BY region) AS m FROM visits) SELECT m, count(*) FROM w GROUP BY m",
        "window-over-units",
    ),
    "14 maximum of all": ("SELECT m, count(*) FROM (SELECT max(cost) OVER () AS m FROM visits) w GROUP BY m", "window-over-units"),
    "14 maximum in two levels": (
        "WITH a AS (SELECT * FROM visits), b AS (SELECT max(cost) OVER (PARTITION BY region) AS m FROM a) SELECT m, count(*) FROM b GROUP BY m",
        "window-over-units",
    ),
    "14 maximum over many people's identities": (
        "SELECT m, count(*) FROM (SELECT max(cost) OVER (PARTITION BY patient_id % 2) AS m FROM visits) w GROUP BY m",
        "window-over-units",
    ),
    "14 maximum ordered by the person": (
        "SELECT m, count(*) FROM (SELECT max(cost) OVER (ORDER BY patient_id) AS m FROM visits) w GROUP BY m",
        "window-over-units",
    ),
    "14 first of a group": (
        "SELECT m, count(*) FROM (SELECT first_value(cost) OVER (PARTITION BY region ORDER BY cost DESC) AS m FROM visits) w GROUP BY m",
        "window-over-units",
    ),
    "14 neighbour": ("SELECT count(*) FROM (SELECT lead(cost) OVER (ORDER BY visit_id) AS m FROM visits) w WHERE m > 1900", "window-over-units"),
    "14 maximum through a named window": (
        "SELECT m, count(*) FROM (SELECT max(cost) OVER w AS m FROM visits WINDOW w AS (PARTITION BY region)) x GROUP BY m",
        "window-over-units",
    ),
    "14 maximum through a named window that is completed": (
        "SELECT count(*) FROM (SELECT max(cost) OVER (w ORDER BY cost) AS m FROM visits WINDOW w AS (PARTITION BY region)) x WHERE m > 1900",
        "window-over-units",
    ),
    "14 maximum through a window named after another": (
        "SELECT count(*) FROM (SELECT max(cost) OVER v AS m FROM visits WINDOW w AS (PARTITION BY region), v AS (w ORDER BY cost)) x WHERE m > 1900",
        "window-over-units",
    ),
    "14 maximum in a branch": (
        "SELECT m, count(*) FROM (SELECT cost AS m FROM visits UNION ALL SELECT max(height) OVER (PARTITION BY region) FROM patients) w GROUP BY m",
        "window-over-units",
    ),
    "14 maximum in IN": (
        "SELECT count(*) FROM patients WHERE height IN (SELECT max(cost) OVER (PARTITION BY region) FROM visits)",
        "window-over-units",
    ),
    "14 maximum of a group by LATERAL": (
        "SELECT count(*) FROM regions r, LATERAL (SELECT cost FROM visits v WHERE v.region = r.name ORDER BY cost DESC LIMIT 1) x",
        "window-over-units",
    ),
    "14 bits of a group by a subquery": (
        "SELECT count(*) FROM visits v WHERE minutes = (SELECT bit_or(w.minutes) FROM visits w WHERE w.region = v.region)",
        "aggregate",
    ),
    "14 bits of a group by GROUP BY": ("SELECT m, count(*) FROM (SELECT region, bit_or(minutes) AS m FROM visits GROUP BY region) x GROUP BY m", "aggregate"),
    "13 rank of all": ("SELECT count(*) FROM (SELECT rank() OVER (ORDER BY cost DESC) AS r FROM visits) x WHERE r = 1", "window-over-units"),
    "13 shares of all": ("SELECT count(*) FROM (SELECT ntile(100) OVER (ORDER BY cost) AS r FROM visits) x WHERE r = 100", "window-over-units"),
    "13 limit": ("SELECT avg(cost) FROM (SELECT cost FROM visits ORDER BY cost DESC LIMIT 1) x", "row-clause"),
    "13 limit in a row-level CTE": ("WITH x AS (SELECT cost FROM visits ORDER BY cost DESC LIMIT 1) SELECT avg(cost) FROM x", "row-clause"),
    "13 limit of people": (
        "SELECT avg(n) FROM (SELECT count(*) AS n FROM visits GROUP BY patient_id ORDER BY count(*) DESC LIMIT 1) x",
        "row-clause",
    ),
    "13 limit in IN": ("SELECT count(*) FROM visits WHERE patient_id IN (SELECT patient_id FROM visits ORDER BY cost DESC LIMIT 1)", "row-clause"),
    "13 limit after UNION ALL": (
        "SELECT count(*) FROM (SELECT patient_id FROM visits UNION ALL SELECT patient_id FROM patients ORDER BY 1 LIMIT 3) u",
        "subquery",
    ),
    "13 ties": ("SELECT avg(cost) FROM (SELECT cost FROM visits ORDER BY cost DESC FETCH FIRST 1 ROW WITH TIES) x", "row-clause"),
    "13 HAVING of all rows": ("SELECT count(*) FROM (SELECT 1 FROM visits HAVING bit_or(minutes) > 100) x", "aggregate"),
    "15 offset": ("SELECT count(*) FROM (SELECT * FROM visits ORDER BY cost OFFSET 11999) x", "row-clause"),
    "15 offset within the person": (
        "SELECT count(*) FROM patients p JOIN LATERAL (SELECT cost FROM visits v WHERE v.patient_id = p.patient_id OFFSET 2) x ON true",
        "correlation",
    ),
    "15 one row of each group": ("SELECT avg(cost) FROM (SELECT DISTINCT ON (region) cost FROM visits ORDER BY region, cost DESC) x", "distinct-on"),
    "15 one row of many people": (
        "SELECT avg(cost) FROM (SELECT DISTINCT ON (patient_id % 2) cost FROM visits ORDER BY patient_id % 2, cost) x",
        "distinct-on",
    ),
    "15 one row of each person, taken from anybody": (
        "SELECT avg(cost) FROM (SELECT DISTINCT ON (p.patient_id) v.cost FROM patients p, visits v ORDER BY p.patient_id, v.cost DESC) x",
        "private-join",
    ),
    "15 sample": ("SELECT count(*) FROM (SELECT * FROM visits TABLESAMPLE BERNOULLI (50)) x", "from-decoration"),
    "15 sample that repeats": ("SELECT count(*) FROM visits v JOIN patients p TABLESAMPLE SYSTEM (50) REPEATABLE (1) USING (patient_id)", "from-decoration"),
    "15 totals below a block": ("SELECT sum(n) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY patient_id, ROLLUP (region)) x", "row-clause"),
}  # fmt: skip

SINGLE_ROWS = {
    "15 place in a derived table": ("SELECT count(*) FROM (SELECT ctid AS c FROM visits) x WHERE c = '(0,1)'", "unknown-column"),
    "15 place in ON": ("SELECT count(*) FROM visits v JOIN patients p ON p.patient_id = v.patient_id AND p.ctid = '(0,1)'", "unknown-column"),
    "15 place in EXISTS": (
        "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id AND v.ctid = '(0,1)')",
        "unknown-column",
    ),
    "15 version in a window": (
        "SELECT count(*) FROM (SELECT row_number() OVER (PARTITION BY patient_id ORDER BY xmin::text) AS n FROM visits) x WHERE n = 1",
        "unknown-column",
    ),
    "15 whole rows": ("SELECT count(DISTINCT v) FROM visits v", "unknown-column"),
    "15 whole rows as texts": ("SELECT v::text, count(*) FROM visits v GROUP BY 1", "unknown-column"),
    "15 rows below a public query": ("SELECT name FROM regions WHERE population > (SELECT cost FROM visits LIMIT 1)", "rows"),
    "15 rows beside constants": ("SELECT * FROM (VALUES ((SELECT cost FROM visits LIMIT 1))) x", "rows"),
    "15 rows as an array": ("SELECT array(SELECT cost FROM visits)", "rows"),
    "15 rows through a released query": ("SELECT count(*) FROM visits WHERE cost = (SELECT w.cost FROM visits w ORDER BY cost DESC LIMIT 1)", "rows"),
    "15 rows in a public list": ("SELECT name FROM regions WHERE name NOT IN (SELECT region FROM visits)", "rows"),
    "15 whether there is a second row": ("SELECT EXISTS (SELECT FROM visits WHERE cost > 1900 OFFSET 1)", "rows"),
    "15 one of two constant rows": ("SELECT 1 FROM visits WHERE cost > 1900 LIMIT 2", "rows"),
}  # fmt: skip

WITHIN_THE_PERSON = {
    "maximum": "SELECT max(cost) OVER (PARTITION BY patient_id) AS m FROM visits",
    "maximum beside another key": "SELECT max(cost) OVER (PARTITION BY region, patient_id) AS m FROM visits",
    "first": "SELECT first_value(cost) OVER (PARTITION BY patient_id ORDER BY cost DESC NULLS LAST) AS m FROM visits",
    "grouped": "SELECT max(cost) AS m FROM visits GROUP BY patient_id",
    "latest": "SELECT x.cost AS m FROM patients p, LATERAL (SELECT cost FROM visits v WHERE v.patient_id = p.patient_id ORDER BY cost DESC NULLS LAST LIMIT 1) x",
    "distinct": "SELECT DISTINCT patient_id, cost AS m FROM visits",
    "maximum through a named window": "SELECT max(cost) OVER w AS m FROM visits WINDOW w AS (PARTITION BY patient_id)",
    "one row of each person": "SELECT DISTINCT ON (patient_id) patient_id, cost AS m FROM visits ORDER BY patient_id, cost DESC NULLS LAST",
}


@pytest.fixture(scope="module")
def attacker(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Attacker]:
    with attacking(proxies, copy_clinic, changes=PLANT) as attacker:
        yield attacker


@pytest.fixture(scope="module")
def noisy(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Attacker]:
    """A proxy with noise, where a budget is left for every test here."""
    content = exact_policy().model_dump(exclude_none=True)
    content["tables"]["public.visits"] |= {
        "budget": {"epsilon": "1000", "delta": "0.1"},
        "query": {"epsilon": "0.1", "max_epsilon": "0.1", "delta": "1e-9"},
    }
    with attacking(proxies, copy_clinic, Policy.model_validate(content), changes=PLANT) as attacker:
        yield attacker


@pytest.mark.parametrize(("query", "rule"), OF_SEVERAL_PEOPLE.values(), ids=OF_SEVERAL_PEOPLE.keys())
def test_rows_that_several_people_decide_are_refused(query: str, rule: str, attacker: Attacker) -> None:
    attacker.assert_refused(query, UNSUPPORTED, rule)


@pytest.mark.parametrize(("query", "rule"), SINGLE_ROWS.values(), ids=SINGLE_ROWS.keys())
def test_single_rows_are_denied(query: str, rule: str, attacker: Attacker) -> None:
    attacker.assert_refused(query, DENIED, rule)


@pytest.mark.parametrize("rows", WITHIN_THE_PERSON.values(), ids=WITHIN_THE_PERSON.keys())
def test_planted_value_is_counted_but_shows_as_no_group(rows: str, attacker: Attacker) -> None:
    planted = f"SELECT count(*) FROM ({rows}) w WHERE m > 1900"
    assert attacker.ask(planted) == attacker.ask_source(planted) != [(0,)]
    grouped = f"SELECT m + 0, count(*) FROM ({rows}) w GROUP BY 1"
    assert PLANTED in [float(value) for value, _ in attacker.ask_source(grouped) if value is not None]
    assert PLANTED not in [float(value) for value, _ in attacker.ask(grouped) if value is not None]


WHETHER_THERE_ARE_ROWS = {
    "EXISTS": "SELECT EXISTS (SELECT FROM visits WHERE cost > 1900 AND minutes >= -{})",
    "one constant row": "SELECT 1 FROM visits WHERE cost > 1900 AND minutes > -{} - 20 LIMIT 1",
    "beside public rows": "SELECT bool_and(e) FROM (SELECT EXISTS (SELECT FROM visits WHERE cost > 1900 AND minutes > -{} - 40) AS e FROM regions) x",
}


@pytest.mark.parametrize("query", WHETHER_THERE_ARE_ROWS.values(), ids=WHETHER_THERE_ARE_ROWS.keys())
def test_whether_one_person_has_a_planted_row_is_paid_for_and_noise_decides(query: str, noisy: Attacker) -> None:
    """With nobody an answer is true in 2.5 % of all cases at most, with one person at an epsilon of 0.1 in 3 %: more
    than five of twelve have odds below 1e-6."""
    answers = []
    for number in range(1, 13):
        before = all_spent(noisy.observer)
        answers += noisy.ask(query.format(number))
        assert all_spent(noisy.observer) != before
    assert noisy.ask_source(query.format(1)) == [(True,)]
    assert answers.count((True,)) <= 5
