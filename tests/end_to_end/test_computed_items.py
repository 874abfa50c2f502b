"""LATERAL items that only compute columns mean what Postgres takes them for, wherever their columns are read."""

from __future__ import annotations

import psycopg
import pytest

from tests.end_to_end.comparing import Connections, assert_same_answer

SAME = {
    "WHERE": "SELECT count(*) FROM visits v, LATERAL (SELECT v.cost * 2 AS double) d WHERE d.double > 500",
    "a row of VALUES": "SELECT count(*) FROM visits v CROSS JOIN LATERAL (VALUES (v.cost * 2)) AS d(double) WHERE double > 500",
    "columns of VALUES without names": "SELECT count(*) FROM visits v CROSS JOIN LATERAL (VALUES (v.cost * 2, v.minutes)) AS d "
    "WHERE column1 > 500 AND d.column2 < 60",
    "aggregates": "SELECT avg(d.double), sum(m) FROM visits v CROSS JOIN LATERAL (SELECT cost * 2 AS double, minutes + 1 AS m) d",
    "a key, by LEFT JOIN": "SELECT band, count(*) AS n FROM visits v LEFT JOIN LATERAL "
    "(SELECT CASE WHEN minutes < 30 THEN 'short' ELSE 'long' END AS band) b ON true GROUP BY band ORDER BY n",
    "one after the other": "SELECT e.b, count(*) FROM visits v, LATERAL (SELECT v.minutes / 60 AS a) d, "
    "LATERAL (SELECT d.a + 1 AS b) e WHERE d.a IS NOT NULL GROUP BY e.b",
    "all columns": "SELECT r, sum(x) FROM (SELECT * FROM visits v, LATERAL (SELECT v.minutes / 60 AS x, v.region AS r) d) t "
    "WHERE x IS NOT NULL GROUP BY r",
    "columns of several tables": "SELECT p.sex, count(*) FROM patients p JOIN visits v USING (patient_id) CROSS JOIN LATERAL "
    "(SELECT extract(year FROM v.visited_at) - p.birth_year AS age) a WHERE a.age >= 18 GROUP BY p.sex",
    "the unit": "SELECT n, count(*) FROM (SELECT d.pid, count(*) AS n FROM visits v CROSS JOIN LATERAL "
    "(SELECT v.patient_id AS pid) d GROUP BY d.pid) t WHERE n < 8 GROUP BY n",
    "a cast keeps the name": "SELECT sum(twice) FROM (SELECT d.twice::int, v.minutes FROM visits v, "
    "LATERAL (SELECT v.cost * 2 AS twice) AS d) AS t",
    "what stands before it does not see it": "SELECT count(*) FROM patients p JOIN visits v ON smoker AND v.patient_id = "
    "p.patient_id, LATERAL (SELECT v.cost > 500 AS smoker) d WHERE d.smoker",
    "a name of its table's own": "SELECT count(*), sum(d.cost) FROM visits v, LATERAL (SELECT v.cost * 2 AS cost) d "
    "WHERE d.cost > 500 AND v.cost < 400",
    "windows read columns, not outputs": "SELECT count(*) FROM (SELECT row_number() OVER (PARTITION BY v.patient_id "
    "ORDER BY twice, v.visit_id) AS r, minutes AS twice FROM visits v, LATERAL (SELECT v.cost * 2 AS twice) AS d) AS t "
    "WHERE r = 1 AND twice > 60",
}
ROWS = {
    "a key": "SELECT x.kind, count(*), sum(x.v), avg(x.v) FROM visits v CROSS JOIN LATERAL "
    "(VALUES ('twice', v.minutes * 2), ('time', v.minutes)) AS x(kind, v) GROUP BY x.kind",
    "by LEFT JOIN and UNION ALL": "SELECT kind, count(v), count(*) FROM visits LEFT JOIN LATERAL (SELECT 'cost' AS kind, cost AS v "
    "UNION ALL SELECT 'time', minutes UNION ALL SELECT 'none', NULL) AS d ON true GROUP BY 1",
    "a condition": "SELECT region, column1, count(*) FROM visits v, LATERAL (VALUES (1, v.cost), (2, v.minutes)) x "
    "WHERE column2 > 60 GROUP BY region, column1",
    "no constant": "SELECT place, count(*) FROM visits v CROSS JOIN LATERAL (VALUES (v.region), (upper(v.region))) AS x(place) "
    "GROUP BY place",
    "constants among columns": "SELECT k, count(*) FROM visits v CROSS JOIN LATERAL (VALUES (v.region), ('nowhere'), (NULL)) AS x(k) "
    "GROUP BY k",
    "constants of several kinds": "SELECT day, weight, ok, sum(v * weight) FROM visits t CROSS JOIN LATERAL (VALUES (date '2024-01-01', "
    "-2, true, t.minutes + 1), ('2024-01-02'::date, (+2), false, t.minutes)) AS x(day, weight, ok, v) GROUP BY day, weight, ok",
    "all columns": "SELECT k, sum(v) FROM (SELECT x.* FROM visits v, LATERAL (VALUES (1, v.minutes / 2), (2, v.minutes)) x(k, v)) t "
    "GROUP BY k",
    "one after the other": "SELECT x.k, y.l, count(*) FROM visits v, LATERAL (VALUES ('a', v.cost), ('b', v.minutes)) x(k, v), "
    "LATERAL (VALUES (1, x.v + 1), (2, x.v * 2)) y(l, w) WHERE y.w > 100 GROUP BY 1, 2",
    "names that are taken": "SELECT place, place1, count(*) FROM (SELECT region AS place, urgent AS place1, cost, minutes FROM visits) v "
    "CROSS JOIN LATERAL (VALUES (cost), (minutes)) x(n) WHERE n > 60 GROUP BY place, place1",
    "several tables": "SELECT p.sex, x.k, avg(x.v) FROM visits v JOIN patients p USING (patient_id) CROSS JOIN LATERAL "
    "(VALUES ('height', p.height), ('minutes', v.minutes)) AS x(k, v) GROUP BY 1, 2",
    "units": "SELECT count(DISTINCT patient_id) FROM visits v CROSS JOIN LATERAL (VALUES (v.cost), (v.minutes)) AS x(v) WHERE x.v > 300",
    "a chosen value": "SELECT k, max(v) FROM visits t CROSS JOIN LATERAL (VALUES ('third', t.minutes / 3), ('time', t.minutes)) AS x(k, v) "
    "GROUP BY k",
    "inside a unit": "SELECT most, count(*) FROM (SELECT patient_id, max(v) AS most FROM visits t CROSS JOIN LATERAL "
    "(VALUES (t.minutes), (30)) AS x(v) GROUP BY patient_id) u GROUP BY most",
}
ROWS |= {
    "constants alone": "SELECT k, count(*) FROM visits v, LATERAL (VALUES (1), (2)) x(k) WHERE v.minutes > 10 * k GROUP BY k",
    "the same names": "SELECT x.k, y.k, count(*) FROM visits t, LATERAL (VALUES ('a', t.minutes), ('b', 30)) x(k, v), "
    "LATERAL (VALUES ('c', x.v), ('d', 60)) y(k, v) WHERE y.v > 20 GROUP BY 1, 2",
    "the names of a subquery beside it": "SELECT r.k, count(*) FROM visits t CROSS JOIN LATERAL (VALUES (t.minutes), (30)) x(k) "
    "JOIN (SELECT name, zone AS k FROM regions) r ON r.name = t.region WHERE x.k > 20 GROUP BY r.k",
    "the type of the first text": "SELECT count(*) FROM visits t, LATERAL (VALUES (left(t.region, 1)), (t.region::char(2))) x(v) "
    "WHERE x.v = 'n '",
    "the type of the first text, with blanks": "SELECT count(*) FROM visits t, LATERAL (VALUES (t.region::char(2)), (left(t.region, 1))) "
    "x(v) WHERE x.v = 'n '",
    "a real beside numerics": "SELECT count(*) FROM visits t, LATERAL (VALUES (0.1::real), (t.minutes / 600.0)) x(v) WHERE x.v = 0.1",
}
OTHER_NAMES = {
    "in a join in parentheses": "SELECT count(*) FROM visits v CROSS JOIN LATERAL (VALUES (v.minutes), (30)) x(m) "
    "CROSS JOIN (regions r CROSS JOIN LATERAL (SELECT count(*) AS n FROM patients p WHERE p.birth_year > x.m) l)",
    "in EXISTS": "SELECT count(*) FROM visits v CROSS JOIN LATERAL (VALUES (v.patient_id), (1)) x(i) "
    "WHERE EXISTS (SELECT FROM patients p WHERE p.patient_id = x.i)",
}
ARRAYS = {
    "two arrays": "SELECT k, count(*), count(v), sum(v) FROM visits t CROSS JOIN LATERAL "
    "unnest(ARRAY['a', 'b'], ARRAY[t.minutes, t.minutes * 2]) AS x(k, v) GROUP BY k",
    "without LATERAL, of a type": "SELECT k, count(*) FROM visits t, unnest(ARRAY['1', '2']::int[], ARRAY[minutes, 60]) AS x(k, v) "
    "WHERE v > 30 GROUP BY k",
    "an alias for the column": "SELECT place, count(*) FROM visits v LEFT JOIN LATERAL unnest(ARRAY[v.region, 'nowhere']) AS place "
    "ON true GROUP BY place",
    "numbered": "SELECT n, sum(v) FROM visits t, unnest(ARRAY[t.minutes, -t.minutes]) WITH ORDINALITY AS x(v, n) GROUP BY n",
    "numbered without a name": "SELECT ordinality, count(v) FROM visits t, unnest(ARRAY[t.minutes, NULL]) WITH ORDINALITY v "
    "GROUP BY 1",
    "a single element": "SELECT sum(m) FROM visits v, unnest(ARRAY[v.minutes + 1]) AS m WHERE m > 30",
}
OTHER_ARRAYS = {
    "of different lengths": "SELECT count(*) FROM visits v, unnest(ARRAY[v.minutes, 1], ARRAY[2]) AS x(a, b)",
    "of several and fewer elements": "SELECT sum(a) FROM visits v, unnest(ARRAY[v.minutes, 1, 2], ARRAY[v.minutes, 4]) AS x(a, b)",
    "without elements": "SELECT count(*) FROM visits v, unnest(ARRAY[]::int[], ARRAY[v.minutes]) AS x(a, b)",
    "of arrays": "SELECT count(*) FROM visits v, unnest(ARRAY[ARRAY[v.minutes, 1], ARRAY[2, 3]]) AS x(a)",
    "of arrays by their type": "SELECT count(*) FROM visits v, unnest(ARRAY[v.region, '{a,b}']::text[][]) AS x(a) WHERE a > 'b'",
    "of constant arrays": "SELECT count(*) FROM visits v, unnest(ARRAY['{1,2}'::int[], '{3,4}'], ARRAY[v.minutes, 1]) AS x(a, b)",
    "of those that a function makes": "SELECT count(*) FROM visits v, unnest(ARRAY[string_to_array(v.region, 'o')]) AS x(a)",
    "of columns that are arrays": "SELECT count(*) FROM (SELECT string_to_array(region, 'o') AS a FROM visits) v, "
    "unnest(ARRAY[v.a, v.a]) AS x(b)",
}
IN_ORDER = {
    "ORDER BY reads outputs first": "SELECT region AS twice, count(*) FROM visits v, LATERAL (SELECT v.minutes / 60 AS twice) "
    "AS d WHERE minutes IS NOT NULL GROUP BY region, d.twice ORDER BY twice, d.twice + 1",
    "DISTINCT ON reads outputs first": "SELECT DISTINCT ON (twice) region AS twice, count(*) FROM visits v, "
    "LATERAL (SELECT v.minutes / 60 AS twice) AS d GROUP BY region, d.twice ORDER BY twice, d.twice + 1",
}
OTHERS = {
    "rows": "SELECT count(*) FROM visits v, LATERAL (SELECT generate_series(1, v.minutes) AS g) d",
    "a window, which has one row": "SELECT sum(d.r) FROM visits v, LATERAL (SELECT row_number() OVER (ORDER BY v.cost) AS r) d",
    "an aggregate of its one row": "SELECT count(*) FROM visits v, LATERAL (SELECT count(*) + v.minutes AS n) d WHERE d.n > 9",
    "an aggregate of constants": "SELECT count(*) FROM visits v, LATERAL (SELECT string_agg('a', ',') || v.region AS s) d "
    "WHERE d.s > 'b'",
    "a subquery": "SELECT count(*) FROM visits v, LATERAL (SELECT v.minutes + (SELECT count(*) FROM visits w "
    "WHERE w.patient_id = v.patient_id) AS n) d WHERE d.n > 9",
    "merged with what follows": "SELECT count(*) FROM visits v, LATERAL (SELECT v.patient_id AS patient_id) d "
    "JOIN patients p USING (patient_id)",
    "read as a whole": "SELECT count(*) FROM visits v, LATERAL (SELECT v.cost AS x) d WHERE d IS NOT NULL",
    "read in a row": "SELECT count(*) FROM visits v, LATERAL (SELECT v.cost AS x) d WHERE ROW(d.*) IS NOT NULL",
    "read in a subquery": "SELECT count(*) FROM visits v, LATERAL (SELECT v.patient_id AS p) d "
    "WHERE EXISTS (SELECT 1 FROM patients p WHERE p.patient_id = d.p)",
}

OTHER_VALUES = {
    "read as a whole": "SELECT count(x) FROM visits v, LATERAL (VALUES (v.cost), (v.minutes)) AS x(v)",
    "a subquery": "SELECT count(*) FROM visits v, LATERAL (VALUES (v.cost), ((SELECT max(cost) FROM visits))) AS x(v)",
    "rows by chance": "SELECT count(*) FROM visits v, LATERAL (VALUES (v.cost), (random())) AS x(v) WHERE x.v > 0.5",
    "merged with what follows": "SELECT count(*) FROM visits v, LATERAL (VALUES (v.patient_id), (1)) x(patient_id) "
    "JOIN patients p USING (patient_id)",
    "lost by what follows": "SELECT count(*) FROM visits v CROSS JOIN LATERAL (VALUES (v.minutes), (1)) x(m) "
    "RIGHT JOIN regions r ON r.name = v.region",
}
OTHER_UNIONS = {
    "of distinct rows": "SELECT count(*) FROM visits v, LATERAL (SELECT v.minutes UNION SELECT 30) x(m) WHERE m > 5",
    "in an order": "SELECT count(*) FROM visits v, LATERAL (SELECT v.minutes AS m UNION ALL SELECT 30 ORDER BY 1 LIMIT 1) x",
    "of rows that a function returns": "SELECT count(*) FROM visits v, LATERAL (SELECT v.minutes UNION ALL SELECT generate_series(1, 2)) x(m)",
    "of rows of a table": "SELECT count(*) FROM visits v, LATERAL (SELECT v.region UNION ALL SELECT name FROM regions) x(m)",
}

WITH_CONDITION = {
    "of an inner join": (
        "SELECT count(*) FROM visits v JOIN LATERAL (SELECT v.minutes AS m) d ON d.m > 30",
        "Write the condition in WHERE, after CROSS JOIN LATERAL (SELECT …) AS name.",
    ),
    "of an outer join": (
        "SELECT count(d.m) FROM visits v LEFT JOIN LATERAL (SELECT v.minutes AS m) d ON d.m > 30",
        "Compute NULL where the condition does not hold: CASE WHEN condition THEN x END.",
    ),
    "of an inner join with several rows": (
        "SELECT count(*) FROM visits v JOIN LATERAL (VALUES (v.minutes), (30)) d(m) ON d.m > 30",
        "Write the condition in WHERE, after CROSS JOIN LATERAL (VALUES …) AS name.",
    ),
    "of an outer join with several rows": (
        "SELECT count(d.m) FROM visits v LEFT JOIN LATERAL (VALUES (v.minutes), (30)) d(m) ON d.m > 30",
        "Write the condition in WHERE, after CROSS JOIN LATERAL (VALUES …) AS name.",
    ),
    "of one of several rows": (
        "SELECT count(*) FROM visits v, LATERAL (SELECT v.minutes AS m WHERE v.urgent UNION ALL SELECT 30) d",
        "Write the condition in WHERE, after CROSS JOIN LATERAL (VALUES …) AS name.",
    ),
    "its own": (
        "SELECT count(*) FROM visits v, LATERAL (SELECT v.minutes AS m WHERE v.urgent) d",
        "Write the condition in WHERE, after CROSS JOIN LATERAL (SELECT …) AS name.",
    ),
}


@pytest.mark.parametrize(
    "query",
    [*SAME.values(), *ROWS.values(), *ARRAYS.values()],
    ids=[*SAME, *(f"rows, {name}" for name in ROWS), *(f"arrays, {name}" for name in ARRAYS)],
)
def test_computed_columns_are_what_they_compute(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize("query", IN_ORDER.values(), ids=IN_ORDER)
def test_names_mean_what_they_mean_to_postgres(query: str, connections: Connections) -> None:
    client, source = connections
    assert client.execute(query.encode()).fetchall() == source.execute(query.encode()).fetchall()


@pytest.mark.parametrize("query", OTHERS.values(), ids=OTHERS)
def test_items_that_do_more_are_refused(query: str, connections: Connections) -> None:
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="this correlated subquery is not supported"):
        connections[0].execute(query.encode())


@pytest.mark.parametrize("query", OTHER_NAMES.values(), ids=OTHER_NAMES)
def test_values_that_subqueries_read_are_refused(query: str, connections: Connections) -> None:
    with pytest.raises(psycopg.errors.FeatureNotSupported):
        connections[0].execute(query.encode())


@pytest.mark.parametrize("query", OTHER_VALUES.values(), ids=OTHER_VALUES)
def test_values_that_do_more_are_refused(query: str, connections: Connections) -> None:
    with pytest.raises(
        psycopg.errors.FeatureNotSupported, match="these VALUES cannot read the private rows beside them"
    ):
        connections[0].execute(query.encode())


@pytest.mark.parametrize("query", OTHER_ARRAYS.values(), ids=OTHER_ARRAYS)
def test_arrays_of_arrays_and_of_several_lengths_are_refused(query: str, connections: Connections) -> None:
    message = "VALUES and functions in FROM cannot read the private rows beside them|is not supported over private rows"
    with pytest.raises(psycopg.errors.FeatureNotSupported, match=message):
        connections[0].execute(query.encode())


@pytest.mark.parametrize("query", OTHER_UNIONS.values(), ids=OTHER_UNIONS)
def test_unions_that_do_more_than_write_rows_out_are_refused(query: str, connections: Connections) -> None:
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="this correlated subquery is not supported"):
        connections[0].execute(query.encode())


@pytest.mark.parametrize(("query", "hint"), WITH_CONDITION.values(), ids=WITH_CONDITION)
def test_a_condition_is_refused_with_the_place_where_it_belongs(
    query: str, hint: str, connections: Connections
) -> None:
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="a condition of a LATERAL item without FROM") as error:
        connections[0].execute(query.encode())
    assert error.value.diag.message_hint == hint


@pytest.mark.parametrize("written", ["avg(value)", "sum(x.value + 1)", "max((x.value))", "variance(abs(value))"])
def test_explain_names_columns_of_written_rows_as_the_query_does(written: str, connections: Connections) -> None:
    values = "(VALUES ('cost', v.cost), ('minutes', v.minutes)) AS x(kind, value)"
    query = f"EXPLAIN SELECT kind, {written} FROM visits v, LATERAL {values} GROUP BY kind"
    told = "\n".join(line for (line,) in connections[0].execute(query.encode()))
    assert "x.value" in told
    assert "CASE" not in told
