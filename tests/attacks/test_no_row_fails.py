"""attacks 5 to 7: what fails natively for some row answers below every kind of subquery, or is refused beforehand.

tests/attacks/test_total.py has the expressions; here are the places that derived relations, windows, aggregates within
the person, set operations and released results give them. The clinic holds the worst values of its types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from tests.attacks.attacker import UNSUPPORTED, Attacker, attacking
from tests.attacks.conftest import EXTREMES
from tests.end_to_end.conftest import StartProxy

MANY_EXTREMES = (
    EXTREMES
    + """
UPDATE visits SET minutes = 2147483647, score = '1e308', discount = ('1e' || 100000)::numeric, visited_at = '294276-12-31'
WHERE patient_id = 1;
UPDATE visits SET diagnosis = '9e999999' WHERE visit_id = 7;
"""
)

TOTAL = {
    "sums within the person beyond integers": "SELECT count(*) FROM (SELECT patient_id, sum(minutes) AS a, sum(minutes * minutes * minutes) AS b, "
    "sum(visit_id * 9223372036854775807) AS c FROM visits GROUP BY 1) x WHERE a + b * c > 0",
    "sums within the person beyond floats": "SELECT count(*) FROM (SELECT patient_id, sum(score) AS a, avg(score * score) AS b, sum(discount * discount) AS c "
    "FROM visits GROUP BY 1) x WHERE a * b > c",
    "deviations within the person beyond floats": "SELECT count(*) FROM (SELECT patient_id, stddev(score * score) AS a, var_pop(DISTINCT score * 1e100) AS b "
    "FROM visits GROUP BY 1) x WHERE a * b > 1",
    "percentiles within the person of numbers beyond floats": "SELECT count(*) FROM (SELECT patient_id, percentile_cont(0.3) WITHIN GROUP (ORDER BY discount) AS a, "
    "mode() WITHIN GROUP (ORDER BY discount) AS b FROM visits GROUP BY 1) x WHERE a * b > 1",
    "running sums": "SELECT count(*) FROM (SELECT sum(score) OVER (PARTITION BY patient_id ORDER BY visit_id) AS a, avg(discount) OVER "
    "(PARTITION BY patient_id) AS b FROM visits) x WHERE a > b",
    "moving sums": "SELECT count(*) FROM (SELECT sum(minutes * minutes) OVER (PARTITION BY patient_id ORDER BY visit_id ROWS 3 PRECEDING) AS a FROM visits) x WHERE a > 1",
    "differences of neighbours": "SELECT count(*) FROM (SELECT minutes - lag(minutes) OVER (PARTITION BY patient_id ORDER BY visit_id) AS d, "
    "visited_at - lag(visited_at) OVER (PARTITION BY patient_id ORDER BY visit_id) AS t FROM visits) x WHERE d > 0 OR t > interval '1 day'",
    "spans": "SELECT count(*) FROM (SELECT max(visited_at) - min(visited_at) AS d, max(score) - min(score) AS s, max(diagnosis)::integer AS n "
    "FROM visits GROUP BY patient_id) x WHERE d > interval '3 days' AND s > 1 OR n > 3",
    "the least bigint as a constant": "SELECT count(*) FILTER (WHERE minutes - -9223372036854775808 > 0), "
    "count(*) FILTER (WHERE visit_id * -9223372036854775808 < 0), count(*) FILTER (WHERE -(-9223372036854775808) + visit_id > 0) FROM visits",
    "a text as a number in a derived table": "SELECT count(*), sum(s) FROM (SELECT diagnosis::integer % 100 AS s FROM visits) x WHERE s > 0",
    "a quotient in a derived table": "SELECT count(*) FROM (SELECT 1 / (minutes - 42) AS s FROM visits) x WHERE s > 0",
    "a quotient in HAVING": "SELECT count(*) FROM (SELECT FROM visits GROUP BY patient_id HAVING 1 / (count(*) - 6) > 0 OR sum(minutes) / min(minutes) > 1) x",
    "a quotient in ON": "SELECT count(*) FROM visits v JOIN patients p ON p.patient_id = v.patient_id AND 1 / (v.minutes - p.birth_year + 1888) = 0",
    "a root and a cast in EXISTS": "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id "
    "AND sqrt(v.minutes - 42) > 1 AND v.diagnosis::date > p.registered + v.minutes)",
    "a quotient in a scalar subquery": "SELECT count(*) FROM visits v WHERE cost > (SELECT sum(w.minutes / (w.minutes - 42)) FROM visits w WHERE w.patient_id = v.patient_id)",
    "a product in LATERAL": "SELECT count(*) FROM patients p, LATERAL (SELECT v.minutes * v.minutes AS q FROM visits v WHERE v.patient_id = p.patient_id) x WHERE q > 0",
    "a branch that overflows": "SELECT count(*) FROM (SELECT patient_id, minutes AS m FROM visits UNION ALL SELECT patient_id, birth_year * 30000 * 30000 FROM patients) u WHERE m > 0",
    "compared branches": "SELECT count(*) FROM (SELECT patient_id, score::integer AS m FROM visits EXCEPT SELECT patient_id, birth_year * birth_year FROM patients) u",
    "a key that overflows": "SELECT date_trunc('year', d), count(*) FROM (SELECT visited_at + minutes * interval '1 day' AS d FROM visits) x GROUP BY 1",
    "distinct quotients": "SELECT count(DISTINCT 100 / minutes), count(DISTINCT diagnosis::numeric) FROM visits",
    "a released divisor": "SELECT count(*) FROM visits v JOIN (SELECT region, count(*) - 3000 AS n FROM visits GROUP BY region) r USING (region) WHERE v.minutes / n > 0",
    "a released factor": "SELECT count(*) FROM visits v JOIN (SELECT max('1e308'::float8) AS f, max(9223372036854775807) AS i FROM generate_series(1, 1)) r "
    "ON r.f * v.score > 0 OR r.i * v.minutes > 0",
    "a released date": "SELECT count(*) FROM visits v JOIN (SELECT max(date '5874897-12-31') AS d FROM generate_series(1, 1)) r ON r.d + v.minutes > v.visited_at",
    "a released text as a number": "SELECT count(*) FROM visits v JOIN (SELECT max('abc') AS f FROM generate_series(1, 1)) r ON r.f::integer > v.minutes",
    "a released number of many digits": "SELECT count(*) FROM visits v JOIN (SELECT max(repeat('9', 100)::numeric) AS f FROM generate_series(1, 1)) r "
    "ON r.f * v.discount * v.discount > 0",
}

REFUSED = {
    "7 pattern from a derived column": ("SELECT count(*) FROM (SELECT diagnosis ~ region AS b FROM visits) x WHERE b", "constant-pattern"),
    "7 pattern from another table of the person": (
        "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id AND v.diagnosis LIKE p.region)",
        "constant-pattern",
    ),
    "7 pattern from a public table": ("SELECT count(*) FROM visits v JOIN regions r ON v.diagnosis ~ r.name", "constant-pattern"),
    "7 pattern from a released result": (
        "SELECT count(*) FROM visits v JOIN (SELECT '(' AS p FROM generate_series(1, 1) GROUP BY 1) r ON v.diagnosis ~ r.p",
        "constant-pattern",
    ),
    "7 field from a released result": (
        "SELECT count(*) FROM visits v JOIN (SELECT 'epoch' AS f FROM generate_series(1, 1) GROUP BY 1) r ON date_trunc(r.f, v.visited_at) > now()",
        "constant-argument",
    ),
    "5 repetition in a derived table": ("SELECT count(*) FROM (SELECT repeat(diagnosis, minutes) AS r FROM visits) x WHERE r > 'a'", "constant-argument"),
    "5 frame that is added to values": (
        "SELECT count(*) FROM (SELECT sum(cost) OVER (PARTITION BY patient_id ORDER BY visit_id RANGE 5 PRECEDING) AS s FROM visits) x WHERE s > 0",
        "per-unit-window",
    ),
    "5 buckets of nothing": ("SELECT count(*) FROM (SELECT ntile(0) OVER (PARTITION BY patient_id) AS n FROM visits) x WHERE n > 0", "per-unit-window"),
    "5 buckets from a column": ("SELECT count(*) FROM (SELECT ntile(minutes) OVER (PARTITION BY patient_id) AS n FROM visits) x WHERE n > 0", "per-unit-window"),
    "5 offset from a column": (
        "SELECT count(*) FROM (SELECT lag(cost, minutes) OVER (PARTITION BY patient_id ORDER BY visit_id) AS n FROM visits) x WHERE n > 0",
        "per-unit-window",
    ),
    "5 place from a column": ("SELECT count(*) FROM (SELECT nth_value(cost, minutes) OVER (PARTITION BY patient_id) AS n FROM visits) x WHERE n > 0", "per-unit-window"),
    "5 aggregates without a form that cannot fail": (
        "SELECT count(*) FROM (SELECT regr_sxx(score, ratio) AS n FROM visits GROUP BY patient_id) x WHERE n > 0",
        "per-unit-aggregate",
    ),
}  # fmt: skip

CONSTANTS = {
    "5 division": ("SELECT count(*) FROM (SELECT 1 / 0 AS s FROM visits) x WHERE s > 0", "22012"),
    "6 cast": ("SELECT count(*) FROM (SELECT upper('ab')::integer AS s FROM visits) x WHERE s > 0", "22P02"),
    "7 expression in EXISTS": (
        "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id AND v.diagnosis ~ '(')",
        "2201B",
    ),
    "7 expression within the person": (
        "SELECT count(*) FROM (SELECT FROM visits GROUP BY patient_id HAVING bool_or(diagnosis ~ '[')) x",
        "2201B",
    ),
}


@pytest.fixture(scope="module")
def attacker(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Attacker]:
    with attacking(proxies, copy_clinic, changes=MANY_EXTREMES) as attacker:
        yield attacker


@pytest.mark.parametrize("query", TOTAL.values(), ids=TOTAL.keys())
def test_query_that_fails_for_some_row_answers_through_the_proxy(query: str, attacker: Attacker) -> None:
    with pytest.raises(psycopg.errors.DataError):
        attacker.ask_source(query)
    assert attacker.client.execute(query.encode()).rowcount > 0


@pytest.mark.parametrize(("query", "rule"), REFUSED.values(), ids=REFUSED.keys())
def test_query_without_a_total_form_is_refused(query: str, rule: str, attacker: Attacker) -> None:
    attacker.assert_refused(query, UNSUPPORTED, rule)


@pytest.mark.parametrize(("query", "sqlstate"), CONSTANTS.values(), ids=CONSTANTS.keys())
def test_constant_that_fails_is_postgres_own_error_and_free(query: str, sqlstate: str, attacker: Attacker) -> None:
    attacker.assert_refused(query, sqlstate, None)


@pytest.mark.parametrize("rows", ["patient_id = 7", "patient_id = 7 AND cost > 5000", "true"])
@pytest.mark.parametrize("function", ["percentile_cont", "percentile_disc"])
@pytest.mark.parametrize("fractions", ["0.1234567, 0.9876543", "0.000001, 0.3333333, 0.999999"])
def test_percentiles_of_fine_fractions_fail_for_no_row(
    fractions: str, function: str, rows: str, attacker: Attacker
) -> None:
    """An error if and only if there is a row is an answer without noise."""
    attacker.client.execute(
        f"SELECT {function}(ARRAY[{fractions}]) WITHIN GROUP (ORDER BY cost) FROM visits WHERE {rows}".encode()
    ).fetchall()


def test_variances_too_small_for_a_float_fail_for_no_row(attacker: Attacker) -> None:
    """Numbers near 1e-150 that differ in their last digits have variances near 1e-328."""
    query = (
        "SELECT count(*) FROM (SELECT patient_id, var_samp((1 + score * 1e-14) * 1e-150::float8) AS a FROM visits "
        "GROUP BY 1) x WHERE a < 1"
    )
    assert attacker.client.execute(query.encode()).rowcount == 1
