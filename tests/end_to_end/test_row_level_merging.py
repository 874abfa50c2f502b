"""Derived tables and CTEs over private rows mean what Postgres says they mean, or they are refused.

The names of the clinic invite mistakes: a derived table hides columns, and shows others under their names.
"""

from __future__ import annotations

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.end_to_end.comparing import Connections, assert_same_answer

SAME = {
    "an output named like the column it is made of": "SELECT count(*), sum(minutes) FROM "
    "(SELECT minutes + 1 AS minutes FROM visits WHERE minutes > 30) d WHERE minutes < 60",
    "the same through two levels": "SELECT count(*) FROM (SELECT * FROM (SELECT minutes + 1 AS minutes FROM visits) a "
    "WHERE minutes > 30) b WHERE minutes < 60",
    "swapped names": "SELECT sum(minutes), sum(cost) FROM (SELECT cost AS minutes, minutes AS cost FROM visits) d",
    "a cast keeps its column's name": "SELECT sum(cost) FROM (SELECT cost::int FROM visits) d",
    "another item's column of a hidden name": "SELECT sum(cost) FROM (SELECT patient_id FROM visits) d "
    "JOIN (SELECT patient_id AS pid, birth_year AS cost FROM patients) e ON d.patient_id = e.pid",
    "a hidden column is not ambiguous": "SELECT region, count(*) FROM (SELECT patient_id FROM visits) d "
    "JOIN patients p ON p.patient_id = d.patient_id GROUP BY region",
    "an alias in GROUP BY named like a hidden column": "SELECT date_trunc('year', x) AS cost, count(*) "
    "FROM (SELECT visited_at AS x FROM visits) d GROUP BY cost",
    "a column in GROUP BY named like an alias": "SELECT upper(r) AS region, count(*) "
    "FROM (SELECT region AS r, urgent AS region FROM visits) d GROUP BY r, region",
    "windows above": "SELECT region, count(*), rank() OVER (ORDER BY region) "
    "FROM (SELECT upper(region) AS region FROM visits) d GROUP BY region",
    "a later CTE of the table's name": "WITH d AS (SELECT * FROM visits WHERE urgent), "
    "visits AS (SELECT region, count(*) AS n FROM d GROUP BY 1) SELECT count(*), (SELECT count(*) FROM visits) FROM d",
    "an earlier CTE of the table's name": "WITH visits AS (SELECT region, count(*) AS n FROM visits GROUP BY 1), "
    "d AS (SELECT region FROM visits) SELECT count(*) FROM d",
    "a CTE of its own table's name": "WITH visits AS (SELECT * FROM visits WHERE urgent) SELECT count(*) FROM visits",
    "a recursive CTE of the table's name": "WITH RECURSIVE visits AS (SELECT 1 AS a UNION ALL "
    "SELECT a + 1 FROM visits WHERE a < 5) SELECT count(*) FROM visits",
    "a forward reference": "WITH RECURSIVE d AS (SELECT * FROM visits), visits AS (SELECT 1 AS a) SELECT count(*) FROM d",
    "a comma before an outer join": "SELECT count(*), count(r.zone) FROM (SELECT v.region FROM visits v, patients p "
    "WHERE p.patient_id = v.patient_id) d LEFT JOIN regions r ON r.name = d.region",
    "between an item and an outer join on it": "SELECT count(r.name) FROM patients p "
    "JOIN (SELECT patient_id FROM visits) d ON d.patient_id = p.patient_id LEFT JOIN regions r ON r.name = p.region",
    "a condition on the right of an outer join": "SELECT count(*), count(d.height) FROM visits v LEFT JOIN "
    "(SELECT patient_id, height FROM patients WHERE smoker) d ON d.patient_id = v.patient_id AND d.height < 170",
    "a condition on the left of an outer join": "SELECT g.zone, count(*) FROM (SELECT region FROM visits WHERE urgent) d "
    "LEFT JOIN regions g ON g.name = d.region AND g.population > 600 GROUP BY 1",
    "a text constant is a text": "SELECT count(*) FROM (SELECT sex, 'F ' AS f FROM patients) d WHERE sex = f",
    "constants as keys": "SELECT a, b, c, d, count(*) FROM (SELECT 2 AS a, 'x' AS b, true AS c, NULL AS d FROM visits) x "
    "GROUP BY a, b, c, d ORDER BY a, b",
    "USING over a plain output": "SELECT title, count(*) FROM (SELECT * FROM visits WHERE urgent) d "
    "JOIN specialties s USING (specialty_id) GROUP BY title",
    "an output in a subquery": "SELECT count(*) FROM (SELECT patient_id, minutes AS cost FROM visits) d "
    "WHERE EXISTS (SELECT FROM regions r WHERE r.population < d.cost + 700)",
    "an unqualified output in a subquery": "SELECT count(*) FROM (SELECT patient_id, minutes AS height FROM visits) d "
    "WHERE EXISTS (SELECT FROM regions r WHERE r.population < height + 700)",
    "a released CTE beside": "WITH d AS (SELECT * FROM visits), r AS (SELECT region, count(*) AS n FROM d GROUP BY 1) "
    "SELECT region, count(*) FROM d GROUP BY region HAVING count(*) > (SELECT avg(n) - 1 FROM r)",
    "a column of the query around it": "SELECT (SELECT count(*) FROM (SELECT minutes AS m FROM visits) d WHERE d.m > cost) "
    "FROM (VALUES (5)) AS x(cost)",
    "names in capitals": 'SELECT sum("Minutes") FROM (SELECT minutes AS "Minutes", cost AS minutes FROM visits) AS "D"',
    "renamed by the CTE": "WITH d(minutes, cost) AS (SELECT cost, minutes FROM visits) SELECT sum(minutes) FROM d",
    "renamed by FROM": "SELECT sum(a) FROM (SELECT minutes, cost FROM visits) d(a, b)",
    "NATURAL beside hidden columns": "SELECT count(*) FROM (SELECT patient_id FROM visits) d NATURAL JOIN patients",
    "a subquery that reuses the name": "SELECT count(*) FROM (SELECT minutes AS height FROM visits) r "
    "WHERE EXISTS (SELECT FROM regions r WHERE r.population < height + 700)",
    "a constant on the right of an outer join": "SELECT count(x) FROM visits v LEFT JOIN (SELECT patient_id, 1 AS x "
    "FROM patients WHERE smoker) d ON d.patient_id = v.patient_id",
    "a window": "SELECT count(*) FROM (SELECT row_number() OVER (PARTITION BY patient_id) AS r FROM visits) d WHERE r < 2",
    "a named window": "SELECT count(*), sum(minutes) FROM (SELECT minutes, row_number() OVER w AS r FROM visits "
    "WINDOW w AS (PARTITION BY patient_id ORDER BY minutes, visit_id)) d WHERE r < 3",
    "a named window that nothing uses": "SELECT count(*) FROM (SELECT * FROM visits WINDOW w AS (ORDER BY cost)) d",
    "DISTINCT ON the unit": "SELECT count(*), count(DISTINCT patient_id) FROM (SELECT DISTINCT ON (patient_id) * FROM visits) d",
    "DISTINCT ON the unit in order": "SELECT region, count(*), sum(minutes) FROM (SELECT DISTINCT ON (patient_id) region, minutes "
    "FROM visits ORDER BY patient_id, minutes DESC NULLS LAST, visit_id) d GROUP BY region",
    "a union": "SELECT count(*) FROM (SELECT patient_id FROM visits UNION ALL SELECT patient_id FROM patients) d",
    "LATERAL": "SELECT count(*) FROM patients p CROSS JOIN LATERAL (SELECT cost FROM visits v WHERE v.patient_id = p.patient_id) d",
    "a name for two items": "SELECT v.x FROM (SELECT count(*) AS x FROM (SELECT region AS x FROM visits) v) v",
}

REFUSED = {
    "rows from a function": "SELECT count(*) FROM (SELECT patient_id, generate_series(1, 3) AS g FROM visits) d",
    "rows from a function without a name": "SELECT count(*) FROM (SELECT patient_id, unnest('{1,2}'::int[]) FROM visits) d",
    "USING over a renamed output": "SELECT count(*) FROM (SELECT visit_id::int AS patient_id FROM visits) d "
    "JOIN patients p USING (patient_id)",
    "USING beside a hidden column": "SELECT count(*) FROM (SELECT visit_id AS v FROM visits) d "
    "JOIN patients p ON p.patient_id = d.v JOIN (SELECT patient_id FROM visits) e USING (patient_id)",
    "a name of Postgres's making": "SELECT sum(minutes) FROM (SELECT CASE WHEN urgent THEN 1 ELSE minutes END FROM visits) d",
    "LIMIT": "SELECT count(*) FROM (SELECT * FROM visits LIMIT 5) d",
    "OFFSET": "SELECT count(*) FROM (SELECT * FROM visits OFFSET 5) d",
    "FETCH FIRST": "SELECT count(*) FROM (SELECT * FROM visits FETCH FIRST 5 ROWS ONLY) d",
    "DISTINCT ON without the unit": "SELECT count(*) FROM (SELECT DISTINCT ON (region) * FROM visits) d",
    "TABLESAMPLE": "SELECT count(*) FROM (SELECT * FROM visits TABLESAMPLE BERNOULLI (10)) d",
    "a named window of several units": "SELECT count(*) FROM (SELECT rank() OVER w AS r FROM visits WINDOW w AS (ORDER BY cost)) d "
    "WHERE r < 9",
    "a row lock": "SELECT count(*) FROM (SELECT * FROM visits FOR UPDATE) d",
}

EXAMPLES = 60


@pytest.mark.parametrize("query", SAME.values(), ids=SAME.keys())
def test_query_over_a_derived_table_equals_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize("query", REFUSED.values(), ids=REFUSED.keys())
def test_query_without_a_proof_is_refused(query: str, connections: Connections) -> None:
    client, source = connections
    assert source.execute(query.encode()).fetchall()
    with pytest.raises((psycopg.errors.FeatureNotSupported, psycopg.errors.InsufficientPrivilege)):
        client.execute(query.encode())


@st.composite
def levels(draw: st.DrawFn) -> str:
    """A visit's columns through one to three levels that permute, compute and filter them under the same few names."""
    names = ["minutes", "specialty_id", "cost"]
    text = "visits"
    columns = {"minutes": "minutes", "specialty_id": "specialty_id", "cost": "visit_id"}
    shown = dict(columns)
    for level in range(draw(st.integers(1, 3))):
        chosen = draw(st.permutations(names))
        change = draw(st.sampled_from(["{}", "{} + 1", "coalesce({}, 5)", "{} * 2", "({})::int"]))
        qualifier = draw(st.sampled_from(["", f"s{level}."]))
        taken = [shown[name] if level == 0 else name for name in names]
        outputs = [f"{change.format(qualifier + column)} AS {name}" for column, name in zip(taken, chosen, strict=True)]
        outputs += [f"{qualifier}patient_id", f"{qualifier}region"]
        where = draw(st.sampled_from(["", " WHERE {} > 2", " WHERE {} < 50 OR {} > 100"]))
        condition = where.replace("{}", qualifier + draw(st.sampled_from(taken)))
        alias = f"s{level}" if level == 0 else f"AS s{level}"
        text = f"(SELECT {', '.join(outputs)} FROM {text} {alias}{condition})"
    return text


@st.composite
def nested_queries(draw: st.DrawFn) -> str:
    """An aggregate over levels of derived tables, as such or as CTEs, alone, joined, or with a subquery on them."""
    inner = draw(levels())
    shape = draw(st.sampled_from(["derived", "cte", "shadowing cte"]))
    alias = "visits" if shape == "shadowing cte" else "d"
    from_ = f"{inner} AS {alias}" if shape == "derived" else alias
    value = draw(st.sampled_from(["minutes", f"{alias}.specialty_id", f"{alias}.cost", "cost"]))
    keys, where = [f"{alias}.region"], ""
    match draw(st.integers(0, 4)):
        case 1:
            from_ += f" JOIN (SELECT patient_id, birth_year AS height FROM patients WHERE smoker) p ON p.patient_id = {alias}.patient_id"
            keys = draw(st.sampled_from([["height % 3 = 1"], [f"{alias}.region"]]))
        case 2:
            from_ += (
                f" LEFT JOIN (SELECT patient_id, sex FROM patients WHERE smoker) p ON p.patient_id = {alias}.patient_id"
            )
            keys = ["sex"]
        case 3:
            from_ = f"regions r JOIN {from_} ON r.name = {alias}.region"
            keys = ["zone"]
        case 4:
            where = f" WHERE EXISTS (SELECT FROM specialties x WHERE x.specialty_id = {value})"
        case _:
            keys = draw(st.sampled_from([["region"], ["upper(region) || 'x'"], []]))
    outputs = [*keys, "count(*)", f"coalesce(sum({value} % 100), 0)", f"count({value})"]
    group = " GROUP BY 1" if keys else ""
    query = f"SELECT {', '.join(outputs)} FROM {from_}{where}{group}"
    return query if shape == "derived" else f"WITH {alias} AS {inner} {query}"


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(query=nested_queries())
def test_any_nesting_equals_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)
