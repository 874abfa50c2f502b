"""attack 8: no query multiplies private rows, or reads so much back, that its time or memory would tell of a person.

What a join or a released result does to the number of rows is limited by public numbers before the source is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.attacks.attacker import UNSUPPORTED, Attacker, attacking
from tests.end_to_end.conftest import StartProxy

EVERY_REGION = ", ".join(f"regions r{index}" for index in range(6))

REFUSED = {
    "series beside private rows": ("SELECT count(*) FROM visits, generate_series(1, 1000000)", "multiplying-joins"),
    "two series beside private rows": ("SELECT count(*) FROM visits, generate_series(1, 101) a, generate_series(1, 100) b", "multiplying-joins"),
    "a long series beside another": (
        "SELECT count(*) FROM visits, generate_series(date '2024-01-01', date '2025-01-03', '1 day') a, generate_series(1, 90) b",
        "multiplying-joins",
    ),
    "a series that is longer than any may be": (
        "SELECT count(*) FROM visits v JOIN generate_series(timestamp '2020-01-01', '2025-07-01', '1 hour') AS g(h) ON g.h = v.visited_at",
        "feedback-size",
    ),
    "a series with a value twice": (
        "SELECT count(*) FROM patients p JOIN (SELECT generate_series(0.0, 2.0, 0.4)::int AS n) AS g ON g.n = p.patient_id",
        "feedback-keys",
    ),
    "many values for each row": (
        f"SELECT sum(u.x + w.x) FROM visits v CROSS JOIN LATERAL (VALUES {', '.join(['(v.cost)'] * 101)}) AS u(x) "
        f"CROSS JOIN LATERAL (VALUES {', '.join(['(v.minutes)'] * 100)}) AS w(x)",
        "multiplying-joins",
    ),
    "arrays by arrays by arrays of each row": (
        "SELECT count(*) FROM visits v, unnest(string_to_array(v.diagnosis, ' ')) AS u(x), unnest(string_to_array(v.diagnosis, 'a')) AS w(x), "
        "string_to_table(v.region, 'o') AS y(x)",
        "multiplying-joins",
    ),
    "rows joined anew with the elements of each row around them": (
        "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM string_to_table(p.region, 'o') AS h(x) JOIN visits v "
        "ON v.patient_id = p.patient_id AND v.diagnosis > h.x)",
        "multiplying-joins",
    ),
    "elements of a row and of the one around it": (
        "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v, string_to_table(v.diagnosis || p.region, 'o') AS h(x) "
        "WHERE v.patient_id = p.patient_id AND h.x > 'a')",
        "from-item",
    ),
    "elements by public rows": (
        f"SELECT count(*) FROM visits v, unnest(string_to_array(v.diagnosis, ' ')) AS u(x), {', '.join(f'regions r{index}' for index in range(4))}",
        "multiplying-joins",
    ),
    "series for each row": ("SELECT count(*) FROM visits v JOIN LATERAL generate_series(1, v.minutes) g ON true", "from-item"),
    "series for each row, selected": ("SELECT count(*) FROM visits v, LATERAL (SELECT generate_series(1, v.minutes)) g", "correlation"),
    "series counted for each row": ("SELECT count(*) FROM visits v WHERE (SELECT count(*) FROM generate_series(1, v.minutes)) > 5", "correlation"),
    "series looked up for each row": (
        "SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM generate_series(1, 100000000) s WHERE s > v.minutes)",
        "from-item",
    ),
    "series among the columns": ("SELECT count(*) FROM (SELECT patient_id, generate_series(1, 1000000) FROM visits) x", "function"),
    "series as a group key": ("SELECT generate_series(1, 10), count(*) FROM visits GROUP BY 1", "function"),
    "cross joins": (f"SELECT count(*) FROM visits, {EVERY_REGION}", "multiplying-joins"),
    "cross joins at two levels": (
        "SELECT count(*) FROM (SELECT visit_id FROM visits, regions a, regions b, regions c) x, regions d, regions e, regions f",
        "multiplying-joins",
    ),
    "cross joins in a row-level CTE": (
        f"WITH x AS (SELECT r0.name FROM visits, {EVERY_REGION}) SELECT name, count(*) FROM x GROUP BY name",
        "multiplying-joins",
    ),
    "cross joins in EXISTS": (f"SELECT count(*) FROM visits WHERE EXISTS (SELECT FROM {EVERY_REGION} WHERE r0.population > minutes)", "multiplying-joins"),
    "cross joins in an EXISTS inside another": (
        "SELECT count(*) FROM visits WHERE EXISTS (SELECT FROM regions a, regions b, regions c WHERE a.population + b.population + c.population < minutes "
        "AND EXISTS (SELECT FROM regions d, regions e, regions f WHERE a.population + d.population + e.population < minutes))",
        "multiplying-joins",
    ),
    "cross joins in one branch": (
        f"SELECT count(*) FROM (SELECT visit_id FROM visits, {EVERY_REGION} UNION ALL SELECT patient_id FROM patients) x",
        "multiplying-joins",
    ),
    "a released result of unknown size": ("SELECT count(*) FROM visits, (SELECT g FROM generate_series(1, 100000) g) x", "multiplying-joins"),
    "a large released result": ("SELECT count(*) FROM visits, (SELECT g FROM generate_series(1, 100000) g LIMIT 20000) x", "multiplying-joins"),
    "a released result joined by no key": ("SELECT count(*) FROM visits v JOIN (SELECT diagnosis AS d, count(*) FROM visits GROUP BY 1) x ON x.d > v.region", "multiplying-joins"),
    "more rows than may be met without FROM": ("SELECT count(*) FROM visits CROSS JOIN (SELECT generate_series(1, 10001) AS g) x", "multiplying-joins"),
    "more rows than one for an aggregate": (
        "SELECT count(*) FROM visits v JOIN (SELECT max(population), generate_series(1, 15000) FROM regions) x ON true",
        "multiplying-joins",
    ),
    "more rows than one for a key": (
        "SELECT count(*) FROM visits v JOIN (SELECT zone, generate_series(1, 1000) FROM regions GROUP BY zone) x ON x.zone = v.region",
        "row-work",
    ),
    "a key that is none": (
        "SELECT count(*) FROM visits v JOIN (SELECT left(name, 0) AS name FROM regions GROUP BY name) x ON x.name = v.region",
        "feedback-keys",
    ),
    "a huge list": ("SELECT count(*) FROM visits WHERE minutes IN (SELECT generate_series(1, 1000000000))", "feedback-size"),
    "a huge relation": ("SELECT count(*) FROM visits v JOIN (SELECT g FROM generate_series(1, 200000) g GROUP BY g) x ON x.g = v.minutes", "feedback-size"),
    "many rows of a function, each of which compares a text": (
        "SELECT count(*) FROM visits JOIN unnest(string_to_array(repeat('a,', 4000), ',')) AS u(x) ON u.x = region",
        "row-work",
    ),
    "rows of constants that all meet one row": (
        "SELECT count(*) FROM (SELECT g / 5000 AS n FROM generate_series(1, 9000) AS g) AS x JOIN patients ON patient_id = x.n "
        "WHERE regexp_count(lpad(region || x.n, 10000, 'a'), 'a.*?b|a') > 5",
        "row-work",
    ),
    "rows of constants beside one row": (
        "SELECT count(*) FROM patients CROSS JOIN generate_series(1, 9000) AS g "
        "WHERE patient_id = 77 AND regexp_count(lpad(region || g, 10000, 'a'), 'a.*?b|a') > 5",
        "row-work",
    ),
    "huge texts": ("SELECT count(*) FROM visits WHERE diagnosis IN (SELECT repeat('x', 100000) FROM regions LIMIT 3)", "feedback-size"),
    "many aggregates of many rows": (
        f"SELECT {', '.join(f'count(DISTINCT v.minutes + {i})' for i in range(5))} FROM visits v CROSS JOIN generate_series(1, 5000) AS g",
        "row-work",
    ),
    "sums of many rows": ("SELECT region, sum(cost), avg(minutes) FROM visits CROSS JOIN generate_series(1, 5000) AS g GROUP BY region", "row-work"),
    "visits by visits by visits": (
        "SELECT count(*) FROM visits a JOIN visits b USING (patient_id) JOIN visits c USING (patient_id)",
        "multiplying-joins",
    ),
    "visits by visits, derived, by visits": (
        "SELECT count(*) FROM (SELECT a.patient_id FROM visits a JOIN visits b USING (patient_id)) x JOIN visits c ON c.patient_id = x.patient_id",
        "multiplying-joins",
    ),
    "too many declared keys": (
        "SELECT a, b, count(*) FROM (SELECT registered AS a, birth_year AS b FROM patients) x GROUP BY a, b",
        "too-many-keys",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def attacker(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Attacker]:
    with attacking(proxies, copy_clinic) as attacker:
        yield attacker


@pytest.mark.parametrize(("query", "rule"), REFUSED.values(), ids=REFUSED.keys())
def test_query_that_would_multiply_rows_is_refused(query: str, rule: str, attacker: Attacker) -> None:
    attacker.assert_refused(query, UNSUPPORTED, rule)


ANSWERED = {
    "a short series of days beside another": "SELECT count(*) FROM visits, generate_series(date '2025-01-01', date '2025-01-03', '1 day') a, "
    "generate_series(1, 2) b",
    "groups of public rows": "SELECT count(*) FROM visits v JOIN (SELECT zone FROM regions GROUP BY zone) x ON x.zone > v.region",
    "a limited series": "SELECT count(*) FROM visits, (SELECT g FROM generate_series(1, 100000) g LIMIT 5) x",
    "a series by its key": "SELECT count(*) FROM visits v JOIN (SELECT DISTINCT g FROM generate_series(1, 100) g) x ON x.g = v.minutes",
    "a calendar of years": "SELECT g.y, count(*) FROM visits v JOIN generate_series(2024, 2025) AS g(y) ON extract(year FROM v.visited_at) = g.y GROUP BY g.y ORDER BY 1",
    "a calendar beside a long text": "SELECT count(*) FROM visits v JOIN generate_series(1, 5000) AS g(y) ON g.y = extract(year FROM v.visited_at) WHERE lower(diagnosis) LIKE '%1%'",
    "a few values for each row": "SELECT count(*), count(x), sum(x) FROM visits v CROSS JOIN LATERAL "
    "(VALUES (v.minutes), (v.minutes + 1)) AS u(x)",
    "periods": "SELECT g.w, count(*) FROM visits v JOIN generate_series(1, 100) AS g(w) ON v.visited_at >= date '2024-01-01' + 7 * g.w "
    "AND v.visited_at < date '2024-01-08' + 7 * g.w GROUP BY g.w ORDER BY 1",
    "a list": f"SELECT count(*) FROM visits WHERE minutes IN ({', '.join(map(str, range(100)))}) AND diagnosis NOT IN ({', '.join(map(repr, map(str, range(100))))})",
    "a released list": "SELECT count(*) FROM visits WHERE minutes IN (SELECT g FROM generate_series(1, 4000) g)",
    "a released list of no key": "SELECT count(*) FROM visits v JOIN (SELECT g / 4 AS n FROM generate_series(1, 4000) g) AS x ON x.n = v.minutes",
    "what is on no released list": "SELECT count(*) FROM visits v WHERE v.minutes NOT IN (SELECT g FROM generate_series(1, 4000) g)",
    "later visits": "SELECT count(*) FROM visits a JOIN visits b ON b.patient_id = a.patient_id AND b.visited_at > a.visited_at WHERE a.patient_id > 500",
    "the same again": "SELECT count(*) FROM visits a JOIN visits b ON b.patient_id = a.patient_id AND b.diagnosis = a.diagnosis "
    "AND b.visited_at BETWEEN a.visited_at AND a.visited_at + interval '30 days' WHERE a.patient_id > 500",
    "a later visit": "SELECT count(*) FROM visits a WHERE EXISTS (SELECT FROM visits b WHERE b.patient_id = a.patient_id AND b.visited_at > a.visited_at) AND a.patient_id > 500",
    "no later visit with the same text": "SELECT count(*) FROM visits a WHERE NOT EXISTS "
    "(SELECT FROM visits b WHERE b.patient_id = a.patient_id AND b.visited_at > a.visited_at AND b.diagnosis = a.diagnosis) AND a.patient_id > 500",
    "public tables by their keys": "SELECT count(*) FROM visits v, specialties s, regions r, regions q "
    "WHERE s.specialty_id = v.specialty_id AND r.name = v.region AND q.name = r.name",
}


@pytest.mark.parametrize("query", ANSWERED.values(), ids=ANSWERED.keys())
def test_query_whose_rows_are_limited_equals_postgres(query: str, attacker: Attacker) -> None:
    """The limits are not simply refusals of everything."""
    assert attacker.ask(query) == attacker.ask_source(query)
