"""Queries that have no row are answered as Postgres does, with names and types, without the source and for free."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy
from tests.sql.test_constant_conditions import NEVER

QUERIES = {
    "limit": "SELECT * FROM patients LIMIT 0",
    "limit and offset": "SELECT region, cost * 2 FROM visits ORDER BY cost LIMIT 0 OFFSET 3",
    "fetch": "SELECT cost::numeric(9, 3), region FROM visits FETCH FIRST 0 ROWS ONLY",
    "dbplyr": 'SELECT * FROM (SELECT region, minutes FROM "visits") AS "q01" WHERE (0 = 1)',
    "Metabase": 'SELECT TRUE AS "_" FROM "public"."visits" WHERE 1 <> 1 LIMIT 0',
    "Spark": "SELECT * FROM (SELECT region, cost FROM visits) AS spark_gen WHERE 1=0",
    "dbt": "select * from (with recent as (select patient_id, cost from visits) select * from recent) as __dbt_sbq "
    "where false limit 0",
    "Tableau": 'SELECT * FROM (SELECT region, count(*) AS n FROM visits GROUP BY 1) "Custom SQL Query" LIMIT 0',
    "jupysql": "SELECT 1 FROM visits WHERE 1 <> 1",
    "joined": "SELECT v.region, p.*, r.zone FROM visits v LEFT JOIN patients p USING (patient_id) "
    "JOIN regions r ON r.name = v.region WHERE false",
    "set operation": "SELECT cost FROM visits WHERE false UNION ALL SELECT minutes FROM visits WHERE NULL",
    "beside rows of public tables": "SELECT region FROM visits WHERE false UNION ALL SELECT name FROM regions ORDER BY 1",
    "an aggregate of nothing": "SELECT count(*), sum(cost), max(region) FROM visits WHERE 1 = 0",
    "groups of nothing": "SELECT region, count(*) FROM visits WHERE 1 = 0 GROUP BY region",
    "a total of nothing": "SELECT region, count(*) FROM visits WHERE 1 = 0 GROUP BY ROLLUP (region)",
    "everything that the group has": "SELECT count(*) FROM (SELECT * FROM visits LIMIT 0) AS q",
    "where what is NOT NULL is NULL": "SELECT count(*), count(minutes) FROM visits WHERE patient_id IS NULL",
    "where one of two is NOT NULL": "SELECT region, count(*) FROM visits AS v WHERE (v.urgent) IS NULL AND cost > 5 GROUP BY 1",
    "where the first of joined rows is NOT NULL": "SELECT count(*) FROM visits LEFT JOIN specialties USING (specialty_id) "
    "WHERE visited_at IS NULL",
    "dbt's test of a unique key": "select count(*) as failures, count(*) != 0 as should_warn, count(*) != 0 as should_error from ("
    "select patient_id as unique_field, count(*) as n_records from patients where patient_id is not null "
    "group by patient_id having count(*) > 1) dbt_internal_test",
    "a key of which a value comes twice": "SELECT count(*) FROM (SELECT v.visit_id, region FROM visits v WHERE cost > 9 GROUP BY 1, region "
    "HAVING 2 <= count(region) AND region > 'a') x",
    "dbt's test of relationships": "select count(*) as failures, count(*) != 0 as should_warn, count(*) != 0 as should_error from ("
    "with child as (select specialty_id as from_field from visits where specialty_id is not null), parent as (select specialty_id as to_field "
    "from specialties) select from_field from child left join parent on child.from_field = parent.to_field where parent.to_field is null"
    ") dbt_internal_test",
    "dbt's test of relationships of units": "select count(*) as failures from (with child as (select patient_id as from_field from "
    '"public"."visits" where patient_id is not null), parent as (select patient_id as to_field from "public"."patients") select from_field '
    "from child left join parent on child.from_field = parent.to_field where parent.to_field is null) dbt_internal_test",
    "a foreign key that leads nowhere": "SELECT count(*), max(v.region) FROM visits v LEFT JOIN patients p ON p.patient_id = v.patient_id "
    "WHERE p.patient_id IS NULL AND v.urgent",
    "a foreign key of all columns that are handed on": "SELECT count(*) FROM (SELECT * FROM visits) v LEFT JOIN patients p ON v.patient_id = "
    "p.patient_id LEFT JOIN regions r ON r.name = v.region WHERE p.patient_id IS NULL",
    "a foreign key behind another": "SELECT count(*) FROM visits v JOIN patients q ON q.patient_id = v.patient_id LEFT JOIN regions r "
    "ON q.region = r.name WHERE r.name IS NULL AND q.region IS NOT NULL AND v.patient_id IS NULL",
    "no group": "SELECT region, count(*) FROM visits GROUP BY region HAVING false",
    "no group by a comparison": "SELECT count(*) AS n, sum(cost) FROM visits HAVING 1 = 0 AND count(*) > 5",
    "no group by NULL": "SELECT region FROM visits WHERE cost > 5 GROUP BY ROLLUP (region) HAVING NULL",
    "no group inside": "SELECT count(*) FROM (SELECT region, count(*) AS n FROM visits GROUP BY 1 HAVING false) AS q",
    "a CTE with groups": "WITH a AS (SELECT region, avg(cost) AS usual FROM visits GROUP BY 1) SELECT * FROM a LIMIT 0",
}


_LEFT_JOIN = "SELECT count(*) FROM {} AS v LEFT JOIN {} AS p ON {} WHERE {} IS NULL"
_KEY = "v.patient_id = p.patient_id"
LEADING_NOWHERE = [
    # Patients that are left out, a key that can be NULL, another condition, a column that can be NULL.
    _LEFT_JOIN.format("visits", "(SELECT patient_id FROM patients WHERE smoker)", _KEY, "p.patient_id"),
    _LEFT_JOIN.format("visits", "(SELECT patient_id FROM patients LIMIT 5)", _KEY, "p.patient_id"),
    _LEFT_JOIN.format(
        "visits",
        "(SELECT DISTINCT ON (region) patient_id FROM patients ORDER BY region, patient_id)",
        _KEY,
        "p.patient_id",
    ),
    _LEFT_JOIN.format(
        "visits", "(SELECT p.patient_id FROM patients p JOIN regions r ON r.name = p.region)", _KEY, "p.patient_id"
    ),
    _LEFT_JOIN.format("visits", "specialties", "v.specialty_id = p.specialty_id", "p.specialty_id"),
    _LEFT_JOIN.format("visits", "regions", "v.region = p.name", "p.name"),
    _LEFT_JOIN.format("visits", "patients", f"{_KEY} AND p.smoker", "p.patient_id"),
    _LEFT_JOIN.format("visits", "visits", _KEY, "p.patient_id"),
    _LEFT_JOIN.format("visits", "patients", _KEY, "p.region"),
    _LEFT_JOIN.format("(SELECT patient_id + 1 AS patient_id FROM visits)", "patients", _KEY, "p.patient_id"),
    "SELECT count(*) FROM patients q LEFT JOIN visits v ON v.patient_id = q.patient_id LEFT JOIN patients p ON p.patient_id = v.patient_id "
    "WHERE p.patient_id IS NULL",
    "SELECT count(*) FROM visits v LEFT JOIN patients p ON v.patient_id = p.patient_id RIGHT JOIN patients q ON q.patient_id = v.patient_id "
    "WHERE p.patient_id IS NULL",
]
"""Counts of rows without another one, which there may be."""


@pytest.fixture(scope="module")
def free(proxies: StartProxy) -> Iterator[Connections]:
    """A client whose budget cannot pay for anything, and one of the source."""
    budget = {"epsilon": "0.0001", "delta": "0"}
    poor = proxies(clinic.policy(visits={"budget": budget, "per_analyst": None}, patients={"budget": budget}))
    with poor.connect() as client, psycopg.connect(poor.options.source_dsn, autocommit=True) as source:
        yield client, source


def _answer(connection: psycopg.Connection, query: str) -> tuple[list[tuple[str, int]], list[tuple[object, ...]]]:
    cursor = connection.execute(query.encode())
    return [(column.name, column.type_code) for column in cursor.description or ()], cursor.fetchall()


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_names_types_and_no_row(query: str, free: Connections) -> None:
    client, source = free
    assert _answer(client, query) == _answer(source, query)


@pytest.mark.parametrize("condition", NEVER)
def test_postgres_agrees_that_a_condition_is_never_true(condition: str, free: Connections) -> None:
    client, source = free
    query = f"SELECT region, minutes FROM visits WHERE {condition}"
    columns, rows = _answer(source, query)
    assert _answer(client, query) == (columns, rows)
    assert not rows


def test_parameters_count_as_literals(free: Connections) -> None:
    client, _ = free
    cursor = client.execute("SELECT region FROM visits WHERE %s = %s", (1, 0))
    assert (cursor.rowcount, [column.name for column in cursor.description or ()]) == (0, ["region"])


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM visits WHERE minutes IS NULL",
        "SELECT count(*) FROM visits WHERE patient_id IS NOT NULL AND 1 IS NOT NULL",
        "SELECT count(*) FROM visits WHERE NOT (patient_id IS NULL)",
        "SELECT count(*) FROM visits WHERE patient_id IS NULL OR minutes IS NULL",
        "SELECT count(*) FROM patients AS p LEFT JOIN visits AS v USING (patient_id) WHERE v.urgent IS NULL",
        "SELECT count(*) FROM visits RIGHT JOIN patients USING (patient_id) WHERE urgent IS NULL",
    ],
)
def test_a_count_that_need_not_be_zero_is_paid(query: str, proxy: RunningProxy) -> None:
    with proxy.connect() as client:
        assert "Price: " in "\n".join(row[0] for row in client.execute(f"EXPLAIN {query}".encode()).fetchall())


@pytest.mark.parametrize("query", LEADING_NOWHERE)
def test_a_count_of_rows_that_may_have_no_other_one_is_not_free(query: str, proxy: RunningProxy) -> None:
    with proxy.connect() as client:
        try:
            text = "\n".join(row[0] for row in client.execute(f"EXPLAIN {query}".encode()).fetchall())
        except psycopg.errors.FeatureNotSupported:
            return
    assert "Price: " in text


@pytest.mark.parametrize(
    "query",
    [
        "SELECT region FROM visits WHERE 1 = 0 OR cost > 5",
        "SELECT region FROM visits WHERE false UNION ALL SELECT region FROM visits",
        "SELECT * FROM (SELECT * FROM visits WHERE 1 = 0) AS q RIGHT JOIN visits v USING (visit_id)",
        "SELECT region FROM visits LIMIT 1",
    ],
)
def test_a_query_that_may_have_rows_is_refused(query: str, free: Connections) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="would return rows"):
        free[0].execute(query.encode())


def test_another_name_of_a_column_says_nothing_about_it(free: Connections) -> None:
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="column aliases"):
        free[0].execute("SELECT count(*) FROM visits AS v (a, b, patient_id) WHERE patient_id IS NULL")


def test_the_rest_of_a_statement_is_paid(proxy: RunningProxy) -> None:
    query = "EXPLAIN SELECT count(*), (SELECT count(*) FROM patients) FROM visits WHERE false"
    with proxy.connect() as client:
        text = "\n".join(row[0] for row in client.execute(query.encode()).fetchall())
    assert "aggregate of public.patients" in text
    assert "aggregate of public.visits" not in text


def test_explain_says_that_it_is_free(free: Connections) -> None:
    assert free[0].execute("EXPLAIN SELECT * FROM visits LIMIT 0").fetchall() == [("Reads no private rows; free",)]


SEVERAL = {
    "of another column": "SELECT count(*) FROM (SELECT patient_id FROM visits GROUP BY patient_id HAVING count(*) > 1) x",
    "once": "SELECT count(*) FROM (SELECT visit_id, patient_id FROM visits GROUP BY 1, 2 HAVING count(*) > 0) x",
    "of joined rows": "SELECT count(*) FROM (SELECT p.patient_id FROM patients p JOIN visits v ON v.patient_id = p.patient_id "
    "GROUP BY p.patient_id HAVING count(*) > 1) x",
    "or something else": "SELECT count(*) FROM (SELECT visit_id, patient_id FROM visits GROUP BY 1, 2 HAVING count(*) > 1 OR max(cost) > 5) x",
    "of what a key is computed into": "SELECT count(*) FROM (SELECT patient_id, visit_id / 2 AS h FROM visits GROUP BY 1, 2 HAVING count(*) > 1) x",
    "fewer than two": "SELECT count(*) FROM (SELECT visit_id, patient_id FROM visits GROUP BY 1, 2 HAVING count(*) < 2) x",
    "a number of others": "SELECT count(*) FROM (SELECT visit_id, patient_id FROM visits GROUP BY 1, 2 HAVING count(*) = 1) x",
}


@pytest.mark.parametrize("query", SEVERAL.values(), ids=SEVERAL.keys())
def test_other_searches_for_what_comes_twice_are_questions_about_rows(query: str, free: Connections) -> None:
    client, source = free
    with pytest.raises(psycopg.errors.lookup("53400")):
        client.execute(query.encode())
    assert source.execute(query.encode()).fetchone() != (0,)
