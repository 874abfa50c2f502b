"""Elements of arrays of a unit's ordered values, and nth_value, are Postgres's own; of several units they are refused."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy

_ORDER = "ORDER BY visited_at, visit_id"

SAME = {
    "first": f"SELECT r, count(*) FROM (SELECT patient_id, (array_agg(region {_ORDER}))[1] AS r FROM visits GROUP BY 1) x GROUP BY 1",
    "last": "SELECT r, count(*) FROM (SELECT patient_id, (array_agg(diagnosis ORDER BY visited_at DESC, visit_id))[1] AS r "
    "FROM visits GROUP BY 1) x GROUP BY 1",
    "second, a boolean, by the name that it has": "SELECT array_agg, count(*) FROM (SELECT v.patient_id, (array_agg(v.urgent "
    "ORDER BY v.visited_at DESC, v.visit_id))[2] FROM visits v WHERE v.cost > 100 GROUP BY v.patient_id) x GROUP BY 1",
    "cast, by the name that it has": f"SELECT sum(array_agg) FROM (SELECT patient_id, (array_agg(cost {_ORDER}))[1]::int FROM visits GROUP BY 1) x",
    "with FILTER, in expressions and HAVING": "SELECT r, d, avg(n), count(*) FROM (SELECT patient_id p, "
    f"(array_agg(region {_ORDER}) FILTER (WHERE urgent))[1] AS r, (array_agg(minutes ORDER BY visit_id))[1] / 30 AS d, "
    "count(*) n FROM public.visits GROUP BY p HAVING (array_agg(specialty_id ORDER BY visit_id))[1] > 1) x GROUP BY 1, 2",
    "a condition that is NULL": f"SELECT avg(m) FROM (SELECT patient_id, (array_agg(minutes {_ORDER}) FILTER (WHERE discount > 0))[1] AS m "
    "FROM visits GROUP BY 1) x",
    "NULL elements": f"SELECT count(m), count(*) FROM (SELECT patient_id, (array_agg(diagnosis {_ORDER}))[3] AS m FROM visits GROUP BY 1) x",
    "first and last of a CTE": f"WITH f AS (SELECT patient_id, (array_agg(specialty_id {_ORDER}))[1] AS first, (array_agg(specialty_id "
    "ORDER BY visited_at DESC, visit_id DESC))[1] AS last FROM visits GROUP BY patient_id) SELECT first, last, count(*) FROM f GROUP BY 1, 2",
    "joined": f"SELECT p.sex, r, count(*) FROM patients p JOIN (SELECT patient_id, (array_agg(region {_ORDER}))[1] AS r FROM visits GROUP BY 1) "
    "x USING (patient_id) GROUP BY 1, 2",
    "of a subquery": f"SELECT avg(c) FROM (SELECT patient_id, (array_agg(c {_ORDER}))[1] AS c FROM (SELECT *, cost * 2 AS c FROM visits) v GROUP BY 1) x",
    "of groups of a unit": f"SELECT avg(a), count(*) FROM (SELECT patient_id, region, (array_agg(cost {_ORDER}))[1] AS a FROM visits GROUP BY 1, 2) x",
    "nth_value": f"SELECT r, count(*) FROM (SELECT nth_value(region, 2) OVER (PARTITION BY patient_id {_ORDER} ROWS BETWEEN UNBOUNDED "
    "PRECEDING AND UNBOUNDED FOLLOWING) AS r FROM visits) x GROUP BY 1",
    "nth_value of a short frame": f"SELECT r, count(*) FROM (SELECT nth_value(region, 2) OVER (PARTITION BY patient_id {_ORDER} ROWS 2 PRECEDING) "
    "AS r FROM visits) x GROUP BY 1",
}

REFUSED = {
    "of several units": (
        "SELECT region, (array_agg(cost ORDER BY cost))[1] FROM visits GROUP BY 1",
        "array_agg() would show individual values",
    ),
    "of several units in a subquery": (
        "SELECT avg(c) FROM (SELECT region, (array_agg(cost ORDER BY cost))[1] AS c FROM visits GROUP BY 1) x",
        "array_agg() would show individual values",
    ),
    "the whole array": (
        "SELECT count(*) FROM (SELECT patient_id, array_agg(cost ORDER BY cost) AS c FROM visits GROUP BY 1) x WHERE c[1] > 5",
        "this array_agg() is not supported over the rows of one patient",
    ),
    "no constant place": (
        "SELECT count(*) FROM (SELECT patient_id, (array_agg(cost ORDER BY cost))[count(*)] AS c FROM visits GROUP BY 1) x WHERE c > 5",
        "this array_agg() is not supported over the rows of one patient",
    ),
    "nth_value of what ties leave open": (
        "SELECT count(*) FROM (SELECT nth_value(cost, 2) OVER (PARTITION BY patient_id ORDER BY region) AS c FROM visits) x WHERE c > 5",
        "this window function is not supported over the rows of one patient",
    ),
}


@pytest.fixture(scope="module")
def connections(proxies: StartProxy) -> Iterator[Connections]:
    with client_and_source(proxies(clinic.exact_policy(chooses=True))) as both:
        yield both


@pytest.mark.parametrize("query", SAME.values(), ids=SAME)
def test_elements_of_a_units_ordered_values_equal_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize(("query", "message"), REFUSED.values(), ids=REFUSED)
def test_other_arrays_of_values_are_refused(query: str, message: str, connections: Connections) -> None:
    with pytest.raises((psycopg.errors.FeatureNotSupported, psycopg.errors.InsufficientPrivilege)) as refusal:
        connections[0].execute(query.encode())
    assert message in str(refusal.value)
