"""attacks 20 to 22: NULL and NaN are no values, so they count and sum as nothing; extremes lie inside the
bounds, and lists are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal

import pytest

from tests.attacks.attacker import DENIED, UNSUPPORTED, Attacker, attacking
from tests.end_to_end.conftest import StartProxy

MISSING = """
UPDATE visits SET discount = NULL, score = NULL, ratio = NULL;
UPDATE visits SET discount = 'NaN', score = 'NaN', ratio = 'NaN' WHERE visit_id % 2 = 0;
UPDATE patients SET birth_year = NULL, height = NULL, registered = NULL;
UPDATE patients SET height = 'NaN' WHERE patient_id % 2 = 0;
UPDATE patients SET height = 999.9, birth_year = 32767 WHERE patient_id = 1;
UPDATE patients SET height = -999, birth_year = -32768 WHERE patient_id = 3;
"""
"""Bounds: height 100 to 230, birth_year 1900 to 2026; two people are beyond them, all others have none."""


@pytest.fixture(scope="module")
def attacker(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Attacker]:
    with attacking(proxies, copy_clinic, changes=MISSING) as attacker:
        yield attacker


NUMBERS = {
    "NULL is not raised to the lower bound": ("SELECT sum(birth_year) FROM patients", 1900 + 2026),
    "NaN is not lowered to the upper bound": ("SELECT sum(height) FROM patients", Decimal("330")),
    "NULL and NaN are not counted in an average": ("SELECT avg(height) FROM patients", 165),
    "NULL is not counted": ("SELECT count(birth_year) FROM patients", 2),
    "rows are counted": ("SELECT count(*) FROM patients", 2000),
    "NULL through arithmetic": ("SELECT sum(birth_year + 1) FROM patients WHERE patient_id > 3", 0),
    "NULL in a derived table": ("SELECT sum(y) FROM (SELECT birth_year AS y FROM patients) x", 1900 + 2026),
    "NULL on the right of an outer join": (
        "SELECT sum(p.birth_year) FROM insurances i LEFT JOIN patients p ON p.patient_id = i.patient_id AND false",
        0,
    ),
    "NULL of a maximum of the person": ("SELECT sum(y) FROM (SELECT max(birth_year) AS y FROM patients GROUP BY patient_id) x", 1900 + 2026),
    "NULL of a neighbour": (
        "SELECT sum(y) FROM (SELECT lag(birth_year) OVER (PARTITION BY patient_id ORDER BY height) AS y FROM patients) x",
        0,
    ),
    "NULL that the client clamps": ("SELECT sum(least(greatest(birth_year, 1950), 1960)) FROM patients WHERE patient_id > 3", 1950 * 1997),
    "NULL that the client replaces": ("SELECT sum(coalesce(birth_year, 1950)) FROM patients WHERE patient_id > 3", 1950 * 1997),
    "NaN as a float": ("SELECT round(sum(score)::numeric, 3) FROM visits", 0),
    "NaN as a decimal of no fixed size": ("SELECT sum(discount) FROM visits", 0),
    "NaN as a real": ("SELECT round(sum(ratio)::numeric, 3) FROM visits", 0),
}  # fmt: skip


@pytest.mark.parametrize(("query", "first"), NUMBERS.values(), ids=NUMBERS.keys())
def test_missing_value_adds_nothing(query: str, first: int | Decimal, attacker: Attacker) -> None:
    assert attacker.ask(query)[0][0] == first


NO_ANSWER = {
    "21 of a text": ("SELECT max(diagnosis) FROM visits", UNSUPPORTED, "aggregate-type"),
    "21 without bounds": ("SELECT max(visit_id) FROM visits", DENIED, "bounds"),
    "21 by group": ("SELECT region, min(cost), max(visit_id) FROM visits GROUP BY region", DENIED, "bounds"),
    "21 in HAVING": ("SELECT region, count(*) FROM visits GROUP BY region HAVING max(visit_id) > 999", DENIED, "bounds"),
    "21 in ORDER BY": ("SELECT region, count(*) FROM visits GROUP BY region ORDER BY max(visit_id)", DENIED, "bounds"),
    "21 with FILTER": ("SELECT max(visit_id) FILTER (WHERE urgent) FROM visits", DENIED, "bounds"),
    "21 in a scalar subquery": ("SELECT name, (SELECT max(visit_id) FROM visits v WHERE v.region = r.name) FROM regions r", DENIED, "bounds"),
    "21 fed back": ("SELECT count(*) FROM visits WHERE visit_id > (SELECT max(visit_id) - 1 FROM visits)", DENIED, "bounds"),
    "21 median": ("SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY visit_id) FROM visits", DENIED, "bounds"),
    "21 fraction of a row": ("SELECT percentile_cont(3) WITHIN GROUP (ORDER BY cost) FROM visits", UNSUPPORTED, "percentile-fraction"),
    "21 fraction of endless digits": ("SELECT percentile_cont(1e-90) WITHIN GROUP (ORDER BY cost) FROM visits", UNSUPPORTED, "percentile-fraction"),
    "21 mode": ("SELECT mode() WITHIN GROUP (ORDER BY diagnosis) FROM visits", DENIED, "undeclared-mode"),
    "21 rank of a value": ("SELECT rank(5) WITHIN GROUP (ORDER BY minutes) FROM visits", UNSUPPORTED, "aggregate"),
    "21 bits": ("SELECT bit_or(minutes) FROM visits", UNSUPPORTED, "aggregate"),
}  # fmt: skip


@pytest.mark.parametrize(("query", "sqlstate", "rule"), NO_ANSWER.values(), ids=NO_ANSWER.keys())
def test_aggregate_that_would_show_a_persons_value_is_refused(
    query: str, sqlstate: str, rule: str, attacker: Attacker
) -> None:
    attacker.assert_refused(query, sqlstate, rule)


CHOSEN = {
    "21 minimum and maximum stay inside the bounds": (
        "SELECT min(height), max(height), min(birth_year), max(birth_year) FROM patients",
        (Decimal("100.0"), Decimal("230.0"), 1900, 2026),
    ),
    "NaN is neither a maximum nor in the middle": (
        "SELECT max(height), percentile_disc(0.5) WITHIN GROUP (ORDER BY height DESC) FROM patients WHERE patient_id <> 1",
        (Decimal("100.0"), Decimal("100.0")),
    ),
    "NULL decides nothing": ("SELECT bool_and(birth_year > 0), bool_or(birth_year IS NULL) FROM patients WHERE patient_id > 2", (False, True)),
    "NULL is not the most frequent value": (
        "SELECT mode() WITHIN GROUP (ORDER BY smoker) FROM patients WHERE smoker IS NULL OR patient_id = 1",
        (True,),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("query", "chosen"), CHOSEN.values(), ids=CHOSEN.keys())
def test_choices_are_made_from_present_values_inside_the_bounds(
    query: str, chosen: tuple[object, ...], attacker: Attacker
) -> None:
    assert attacker.ask(query) == [chosen]


LISTING = {
    "22 list": "SELECT array_agg(cost) FROM visits",
    "22 text": "SELECT string_agg(diagnosis, ',') FROM visits",
    "22 document": "SELECT json_agg(v.cost) FROM visits v",
}


@pytest.mark.parametrize("query", LISTING.values(), ids=LISTING.keys())
def test_aggregate_that_lists_values_is_refused(query: str, attacker: Attacker) -> None:
    attacker.assert_refused(query, DENIED, "listing-aggregate")


UNBOUNDED = {
    "21 sum": "SELECT sum(visit_id) FROM visits",
    "21 average": "SELECT avg(visit_id) FROM visits",
    "21 sum of maxima": "SELECT stddev(DISTINCT m) FROM (SELECT max(visit_id) AS m FROM visits GROUP BY patient_id) x",
    "21 sum of sums": "SELECT stddev(DISTINCT s) FROM (SELECT sum(visit_id) AS s FROM visits GROUP BY patient_id) x",
    "21 sum of neighbours": "SELECT sum(m) FROM (SELECT lag(visit_id) OVER (PARTITION BY patient_id) AS m FROM visits) x",
    "21 sum of a branch": "SELECT sum(m) FROM (SELECT minutes AS m FROM visits UNION ALL SELECT patient_id FROM patients) x",
    "21 quotient": "SELECT sum(cost / sqrt(minutes)) FROM visits",
    "21 released factor": "SELECT sum(n * minutes) FROM visits v JOIN (SELECT region, count(*) AS n FROM visits GROUP BY region) r USING (region)",
    "21 length of a text": "SELECT sum(diagnosis::numeric) FROM visits",
}


@pytest.mark.parametrize("query", UNBOUNDED.values(), ids=UNBOUNDED.keys())
def test_sum_of_what_has_no_bounds_is_denied(query: str, attacker: Attacker) -> None:
    attacker.assert_refused(query, DENIED, "bounds")
