"""Aggregates of DISTINCT values: exact with loose bounds, and bounded for each unit otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy
from tests.end_to_end.test_equals_postgres import assert_same

_HASH = "('x' || MD5({key} ::varchar))::bit(64)::bigint::DECIMAL(65)  *18446744073709551616 + ('x' || SUBSTR(MD5({key} ::varchar),17))::bit(64)::bigint::DECIMAL(65)"


def symmetric(value: str, key: str) -> str:
    """What Looker writes for the sum of a value whose rows a join repeats."""
    hashed = _HASH.format(key=key)
    scaled = f"(CAST(FLOOR(COALESCE({value} ,0)*(1000000*1.0)) AS DECIMAL(65,0)))"
    return (
        f"COALESCE(COALESCE(CAST( ( SUM(DISTINCT {scaled} + {hashed} ) - SUM(DISTINCT {hashed}) )  AS DOUBLE PRECISION) "
        "/ CAST((1000000*1.0) AS DOUBLE PRECISION), 0), 0)"
    )


QUERIES = {
    "sums and averages": "SELECT sum(DISTINCT minutes), avg(DISTINCT minutes), sum(DISTINCT cost), sum(minutes) FROM visits",
    "variances": "SELECT var_pop(DISTINCT minutes), stddev(DISTINCT minutes), variance(DISTINCT minutes / 7), count(DISTINCT minutes) FROM visits",
    "sums of floats": "SELECT sum(DISTINCT score::numeric(9, 2)), avg(DISTINCT ratio) FROM visits",
    "sums with a filter": "SELECT sum(DISTINCT minutes) FILTER (WHERE urgent), sum(DISTINCT minutes), avg(DISTINCT cost) FILTER (WHERE minutes > 50) FROM visits",
    "sums by declared keys": "SELECT region, urgent, sum(DISTINCT minutes), avg(DISTINCT minutes), count(*) FROM visits GROUP BY 1, 2",
    "sums by selected keys": "SELECT diagnosis, avg(DISTINCT cost), stddev(DISTINCT minutes) FROM visits GROUP BY diagnosis",
    "sums where a unit has one row": "SELECT sex, sum(DISTINCT height), avg(DISTINCT height), var_samp(DISTINCT birth_year), count(*), avg(height) FROM patients GROUP BY sex",
    "sums of keys": "SELECT sum(DISTINCT visit_id), sum(visit_id) FROM visits WHERE visit_id BETWEEN 1 AND 12000",
    "sums of units": "SELECT sum(DISTINCT patient_id), avg(DISTINCT patient_id), sum(DISTINCT cost) FROM visits WHERE patient_id BETWEEN 1 AND 500",
    "sums of expressions": "SELECT sum(DISTINCT minutes % 7 - 3), avg(DISTINCT 2 * minutes + 0.5), sum(DISTINCT CASE WHEN urgent THEN 1 ELSE 2 END) FROM visits",
    "sums over joins": "SELECT p.sex, sum(DISTINCT v.minutes), sum(DISTINCT p.height) FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id GROUP BY p.sex",
    "sums in expressions": "SELECT region, sum(DISTINCT minutes) / count(DISTINCT minutes) FROM visits GROUP BY region HAVING sum(DISTINCT minutes) > 5 ORDER BY sum(DISTINCT cost), region",
    "sums over nothing": "SELECT sum(DISTINCT minutes), avg(DISTINCT minutes) FROM visits WHERE minutes < -5",
    "sums over nothing in groups": "SELECT region, count(*), count(minutes) FILTER (WHERE minutes > 200), sum(DISTINCT minutes) FILTER (WHERE minutes > 200) FROM visits GROUP BY region",
    "Looker's sum over repeated units": f"SELECT p.sex, {symmetric('p.height', 'p.patient_id')} AS total, COUNT(*) FROM visits v LEFT JOIN patients p ON p.patient_id = v.patient_id GROUP BY 1",
    "Looker's sums of repeated rows": f"SELECT {symmetric('v.cost', 'v.visit_id')}, {symmetric('v.minutes', 'v.visit_id')} / NULLIF(COUNT(DISTINCT CASE WHEN v.minutes IS NOT NULL THEN v.visit_id END), 0) "
    "FROM patients p JOIN visits v USING (patient_id) JOIN (SELECT patient_id, minutes FROM visits WHERE urgent) u USING (patient_id)",
    "Looker's sum of public rows": f"SELECT {symmetric('r.population', 'r.name')} FROM visits v JOIN regions r ON r.name = v.region WHERE r.population < 3000",
    "Looker's sum without repetition": f"SELECT {symmetric('v.cost', 'v.visit_id')} FROM visits v",
    "text": "SELECT count(DISTINCT diagnosis) FROM visits",
    "several types": "SELECT count(DISTINCT region), count(DISTINCT minutes), count(DISTINCT cost), count(DISTINCT ratio), "
    "count(DISTINCT visited_at), count(DISTINCT seen_at), count(DISTINCT urgent) FROM visits",
    "one number in several spellings": "SELECT count(DISTINCT d), count(DISTINCT d * 2.00) FROM (SELECT NULLIF(discount, 'NaN') AS d FROM visits) AS x",
    "expression": "SELECT count(DISTINCT minutes / 7), count(DISTINCT upper(region) || minutes::text) FROM visits",
    "filter": "SELECT count(DISTINCT minutes) FILTER (WHERE urgent AND cost > 10), count(DISTINCT minutes) FROM visits",
    "where": "SELECT count(DISTINCT cost) FROM visits WHERE region = 'north' AND minutes > 50",
    "beside other aggregates": "SELECT count(*), count(DISTINCT patient_id), sum(cost), count(DISTINCT minutes), avg(minutes) FROM visits",
    "among others, out of order": "SELECT count(DISTINCT minutes), avg(cost), count(DISTINCT diagnosis), count(minutes) FROM visits",
    "declared keys": "SELECT region, count(DISTINCT minutes), count(*) FROM visits GROUP BY region",
    "declared keys alone": "SELECT region, urgent, count(DISTINCT specialty_id) FROM visits GROUP BY 1, 2",
    "selected keys": "SELECT diagnosis, count(DISTINCT minutes), sum(cost) FROM visits GROUP BY diagnosis",
    "selected keys alone": "SELECT diagnosis, region, count(DISTINCT minutes) FROM visits GROUP BY diagnosis, region",
    "numbers as selected keys": "SELECT minutes, count(DISTINCT region) FROM visits GROUP BY minutes",
    "a key as value": "SELECT region, count(DISTINCT region) FROM visits GROUP BY region",
    "unit unique": "SELECT count(DISTINCT region), count(DISTINCT height), count(DISTINCT birth_year) FILTER (WHERE smoker), count(*) FROM patients",
    "unit unique with keys": "SELECT sex, count(DISTINCT height), avg(height) FROM patients GROUP BY sex",
    "padded text": "SELECT count(DISTINCT sex), count(DISTINCT sex || ' ') FROM patients",
    "join with a public table": "SELECT r.zone, count(DISTINCT v.minutes), count(DISTINCT r.name) FROM visits v JOIN regions r ON r.name = v.region GROUP BY r.zone",
    "left join": "SELECT count(DISTINCT s.title), count(DISTINCT s.code) FROM visits v LEFT JOIN specialties s ON s.specialty_id = v.specialty_id",
    "private join": "SELECT p.sex, count(DISTINCT v.diagnosis) FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id GROUP BY p.sex",
    "derived table": "SELECT region, count(DISTINCT m) FROM (SELECT region, minutes * 2 AS m FROM visits WHERE urgent) AS v GROUP BY region",
    "rows of each unit aggregated": "SELECT count(DISTINCT n), count(DISTINCT least(n, 3)) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY patient_id) AS v",
    "union": "SELECT count(DISTINCT x) FROM (SELECT patient_id, minutes AS x FROM visits UNION ALL SELECT patient_id, birth_year FROM patients) AS u",
    "groups that nobody is in": "SELECT r.name, count(DISTINCT v.minutes) FROM regions r LEFT JOIN visits v ON v.region = r.name GROUP BY r.name",
    "feedback": "SELECT count(DISTINCT minutes) FROM visits WHERE cost > (SELECT avg(cost) FROM visits)",
    "inside expressions": "SELECT region, 100.0 * count(DISTINCT minutes) / greatest(count(minutes), 1) + 1 FROM visits GROUP BY region",
    "having and order": "SELECT region FROM visits GROUP BY region HAVING count(DISTINCT minutes) > 5 ORDER BY count(DISTINCT cost) DESC, region",
    "subquery above": "SELECT max(n) FROM (SELECT region, count(DISTINCT minutes) AS n FROM visits GROUP BY region) AS g",
    "nothing": "SELECT count(DISTINCT minutes), count(DISTINCT NULL), count(DISTINCT 'a') FROM visits WHERE minutes < -5",
    "constants": "SELECT count(DISTINCT 'a'), count(DISTINCT 5), count(DISTINCT NULL::integer), count(DISTINCT NULL) FROM visits",
}
"""Queries that a huge epsilon answers as Postgres does. No NaN is counted: it stands for NULL everywhere."""


EXACT = {
    "budget": {"epsilon": "1e18", "delta": "0.4"},
    "per_analyst": None,
    "query": {"epsilon": "1e13", "delta": "1e-3"},
    "contribution": {"max_rows": 2000, "max_rows_per_group": 2000},
}


@pytest.fixture(scope="module")
def exact(proxies: StartProxy) -> RunningProxy:
    """Answers exactly; its delta is enough for every selection of keys here."""
    return proxies(clinic.policy(visits=EXACT, patients=EXACT))


@pytest.fixture(scope="module")
def connections(exact: RunningProxy) -> Iterator[tuple[psycopg.Connection, psycopg.Connection]]:
    """A client of the proxy, and one of the source itself."""
    with _clients_of(exact) as both:
        yield both


@contextmanager
def _clients_of(proxy: RunningProxy) -> Iterator[tuple[psycopg.Connection, psycopg.Connection]]:
    with proxy.connect() as client, psycopg.connect(proxy.options.source_dsn, autocommit=True) as source:
        client.execute("SET dp.empty_groups = 'hide'")
        yield client, source


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_distinct_values_are_counted_as_postgres_does(
    query: str, connections: tuple[psycopg.Connection, psycopg.Connection]
) -> None:
    assert_equal_answers(query, *connections)


COUNTS = {name: query for name, query in QUERIES.items() if not re.search("(sum|avg|variance|SUM)[(]", query)}
"""Gaussian noise of the clinic's largest epsilon is far below 1 in counts, but not in sums of cents."""


@pytest.mark.parametrize("query", COUNTS.values(), ids=COUNTS.keys())
def test_distinct_values_are_counted_as_postgres_does_with_gaussian_noise(
    query: str, connections: tuple[psycopg.Connection, psycopg.Connection]
) -> None:
    client, source = connections
    client.execute("SET dp.mechanism = 'gaussian'")
    try:
        assert_equal_answers(query, client, source)
    finally:
        client.execute("RESET dp.mechanism")


@pytest.fixture(scope="module")
def choosing(proxies: StartProxy) -> Iterator[tuple[psycopg.Connection, psycopg.Connection]]:
    """As `connections`, of a proxy whose queries choose how many values of a unit count."""
    proxy = proxies(clinic.policy(**dict.fromkeys(("visits", "patients"), EXACT | {"contribution": {}})))
    with _clients_of(proxy) as both:
        yield both


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_distinct_values_are_counted_as_postgres_does_where_queries_choose(
    query: str, choosing: tuple[psycopg.Connection, psycopg.Connection]
) -> None:
    assert_equal_answers(query, *choosing)


def assert_equal_answers(query: str, client: psycopg.Connection, source: psycopg.Connection) -> None:
    rows, expected = client.execute(query).fetchall(), source.execute(query).fetchall()
    if "ORDER BY" not in query:
        rows, expected = sorted(rows, key=repr), sorted(expected, key=repr)
    assert len(rows) == len(expected)
    for row, wanted in zip(rows, expected, strict=True):
        assert_same(row, wanted)


def test_nan_is_not_counted_as_it_stands_for_null(
    connections: tuple[psycopg.Connection, psycopg.Connection],
) -> None:
    client, source = connections
    (counted,) = client.execute("SELECT count(DISTINCT discount) FROM visits").fetchone() or ()
    (numbers,) = source.execute("SELECT count(DISTINCT discount) FROM visits WHERE discount <> 'NaN'").fetchone() or ()
    assert counted == numbers


def test_several_distinct_values_at_once_are_postgres_own_error(
    connections: tuple[psycopg.Connection, psycopg.Connection],
) -> None:
    with pytest.raises(psycopg.errors.UndefinedFunction):
        connections[0].execute("SELECT count(DISTINCT minutes, cost) FROM visits")


def test_a_unit_with_many_values_counts_for_the_policys_limit(proxies: StartProxy) -> None:
    """Each visit has an identity of its own, so of a patient's visits only as many count as max_rows."""
    bounded = EXACT | {"contribution": {"max_rows": 3}}
    proxy = proxies(clinic.policy(visits=bounded))
    with proxy.connect() as client, psycopg.connect(proxy.options.source_dsn) as source:
        expected = source.execute(
            "SELECT sum(least(n, 3)) FROM (SELECT count(*) AS n FROM visits GROUP BY patient_id) AS g"
        )
        counted = client.execute("SELECT count(DISTINCT visit_id + 0), count(DISTINCT urgent) FROM visits").fetchone()
        assert counted == (*(expected.fetchone() or ()), 2)


def test_numbers_of_listed_values_stay_among_them(proxies: StartProxy) -> None:
    """Beside noise that is much wider, for values that the source guarantees."""
    proxy = proxies(clinic.policy(visits={"budget": {"epsilon": "10", "delta": "1e-6"}, "per_analyst": None}))
    with proxy.connect() as client:
        client.execute("SET dp.epsilon = 0.01")
        query = (
            "SELECT count(DISTINCT urgent), dp.low(count(DISTINCT urgent)), dp.high(count(DISTINCT urgent)) FROM visits"
        )
        for cost in range(12):
            ((shown, low, high),) = client.execute(f"{query} WHERE cost > {cost}".encode()).fetchall()
            assert 0 <= shown <= 2
            assert low < 0
            assert high > 2
