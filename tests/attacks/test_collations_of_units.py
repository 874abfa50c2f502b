"""One unit in tables of different collations: no error tells of a row that has to be brought together with others.

A foreign key may lead from a text of one collation to a text of another, and tables of one unit may hold it under
different ones. Postgres has no collation for their comparison in a query, and says so at the first row.
"""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from proxy.errors import UnsupportedError
from proxy.policy.findings import PolicyError
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.sql.planning.statistic import UnitCount
from proxy.sql.schema import Schema
from tests.conftest import PostgresCluster
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.planned import plan_of

SCHEMA = """
CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE people (id integer, name text COLLATE "de-x-icu" PRIMARY KEY);
CREATE TABLE letters (letter integer PRIMARY KEY, name text COLLATE "C" REFERENCES people);
CREATE TABLE german (person text COLLATE "de-x-icu" NOT NULL, number integer);
CREATE TABLE plain (person text COLLATE "C" NOT NULL, number integer);
CREATE TABLE usual (person varchar(9) NOT NULL, number integer);
CREATE TABLE loose (person text COLLATE any_case NOT NULL, number integer);
CREATE TABLE folk (id integer, name text COLLATE any_case PRIMARY KEY);
CREATE TABLE cards (card integer PRIMARY KEY, name text COLLATE any_case REFERENCES folk);
INSERT INTO folk SELECT i, 'person ' || i FROM generate_series(1, 20) AS i;
INSERT INTO cards SELECT i, 'PERSON ' || i FROM generate_series(1, 20) AS i;
INSERT INTO people SELECT i, 'person ' || i FROM generate_series(1, 20) AS i;
INSERT INTO letters SELECT i, 'person ' || i FROM generate_series(1, 20) AS i;
INSERT INTO german SELECT 'person ' || i, i FROM generate_series(1, 20) AS i;
INSERT INTO plain SELECT 'person ' || i, i FROM generate_series(1, 20) AS i;
INSERT INTO usual SELECT 'person ' || i, i FROM generate_series(1, 20) AS i;
"""


def private(unit: dict[str, str], *columns: str) -> dict[str, object]:
    return {
        "unit": unit,
        "budget": {"epsilon": "1e27", "delta": "0.4"},
        "query": {"epsilon": "1e20", "delta": "1e-6"},
        "contribution": {"max_rows": 9},
        "columns": {column: {} for column in columns},
    }


def policy(*texts: str) -> Policy:
    """Of the tables with a text as unit that are named."""
    tables = {
        "public.people": private({"name": "citizen", "column": "id"}, "id", "name"),
        "public.letters": private({"name": "citizen", "via": "name -> public.people.name"}, "letter", "name"),
        "public.folk": private({"name": "citizen", "column": "id"}, "id", "name"),
        "public.cards": private({"name": "citizen", "via": "name -> public.folk.name"}, "card", "name"),
    }
    for name in texts:
        tables[f"public.{name}"] = private({"name": "person", "column": "person"}, "person", "number")
    return Policy.model_validate(
        {
            "version": 1,
            "analysts": {"ana": {"password": clinic.VERIFIER}},
            "units": {"citizen": {}, "person": {}},
            "tables": tables,
        }
    )


@pytest.fixture(scope="module")
def source(postgres_cluster: PostgresCluster) -> str:
    dsn = postgres_cluster.create_database("collated_units")
    with psycopg.connect(dsn, autocommit=True) as connection:
        try:
            connection.execute(SCHEMA)
        except (psycopg.errors.FeatureNotSupported, psycopg.errors.UndefinedObject):
            pytest.skip("this server has no ICU collations")
    return dsn


@pytest.fixture(scope="module")
def client(source: str, proxies: StartProxy) -> Iterator[psycopg.Connection]:
    with proxies(policy("german", "plain", "usual"), source=source).connect() as connection:
        connection.execute("SET dp.notices = off")
        yield connection


ASKED = {
    "a foreign key": "SELECT count(*) FROM letters WHERE letter {chosen}",
    "a foreign key beside a join": "SELECT count(*) FROM letters JOIN people USING (name) WHERE letter {chosen}",
    "a foreign key of equal texts that are spelled differently": "SELECT count(*) FROM cards WHERE card {chosen}",
    "two collations": "SELECT count(*) FROM (SELECT number FROM german WHERE number {chosen} UNION ALL "
    "SELECT number FROM plain WHERE number < 0) AS together",
    "three types and collations": "SELECT count(*) FROM (SELECT number FROM german UNION ALL SELECT number FROM plain "
    "UNION ALL SELECT number FROM usual) AS all_rows WHERE number {chosen}",
    "the rows of one side": "SELECT count(*) FROM (SELECT person, number FROM german INTERSECT "
    "SELECT person, number FROM plain) AS together WHERE number {chosen}",
    "a full join": "SELECT count(*) FROM german FULL JOIN plain ON plain.person = german.person "
    "WHERE german.number {chosen}",
}


@pytest.mark.parametrize("query", ASKED.values(), ids=ASKED.keys())
def test_an_answer_with_a_row_is_an_answer_as_one_without_is(query: str, client: psycopg.Connection) -> None:
    (none,) = client.execute(query.format(chosen="= 99").encode()).fetchall()
    (some,) = client.execute(query.format(chosen="= 7").encode()).fetchall()
    assert (none, some) == ((0,), (3 if "usual" in query else 1,))


@pytest.mark.parametrize("texts", [("german", "loose"), ("loose", "plain", "usual")], ids=str)
def test_tables_that_disagree_in_which_units_are_the_same_are_an_error(
    texts: tuple[str, ...], source: str, proxies: StartProxy
) -> None:
    """Together with the rows of `loose`, two people of `plain` would be one, and share the bound of one."""
    with pytest.raises(PolicyError, match="differ in which texts are equal"):
        proxies(policy(*texts), source=source)


@pytest.mark.parametrize(
    ("rows", "rule"),
    [
        ("{0} AS a JOIN {0} AS b ON b.u = a.u", "private-join"),
        ("(SELECT person::text AS u, count(*) FROM loose GROUP BY 1) AS each", "mixed-rows"),
    ],
)
def test_no_cast_of_a_unit_of_which_several_texts_are_one_tells_it(rows: str, rule: str, source: str) -> None:
    schema = Schema(policy("loose"), read_catalog(source, ["public.loose"]))
    with pytest.raises(UnsupportedError) as refusal:
        plan_of(f"SELECT count(*) FROM {rows.format('(SELECT person::text AS u FROM loose)')}", schema)
    assert refusal.value.rule == rule


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM (SELECT DISTINCT ON (person) person, number FROM loose ORDER BY person, number) AS x",
        "SELECT sum(least(greatest(number, 0), 9)) FROM (SELECT DISTINCT ON (person) person, number FROM loose) AS x",
        "SELECT count(*) FROM (SELECT * FROM (SELECT person, row_number() OVER (PARTITION BY person ORDER BY number)"
        " AS r FROM loose) AS y WHERE r = 1) AS x",
        "SELECT count(*) FROM (SELECT person, min(number) AS n FROM loose GROUP BY person) AS x",
        "SELECT count(*) FROM (SELECT DISTINCT person FROM loose) AS x",
        "SELECT count(*) FROM (SELECT person AS u, count(*) AS n FROM loose GROUP BY person) AS x"
        " JOIN (SELECT DISTINCT ON (person) person AS u, number FROM loose) AS y ON x.u = y.u",
    ],
)
def test_no_query_has_one_row_of_each_text_of_a_unit_for_one_of_each_unit(query: str, source: str) -> None:
    """A unit whose texts differ in capitals has as many texts as it likes."""
    schema = Schema(policy("loose"), read_catalog(source, ["public.loose"]))
    plan = plan_of(query, schema)
    assert plan.path != "unique"
    assert plan.contribution.max_rows == 9


@pytest.mark.parametrize(
    "rows",
    [
        "loose",
        "(SELECT person, number FROM loose) AS x",
        "(SELECT DISTINCT person FROM (SELECT person FROM loose WHERE number > 2) AS y) AS x",
        "(SELECT person FROM loose UNION ALL SELECT person FROM loose) AS x",
        "(SELECT person, max(number) AS n FROM loose GROUP BY person) AS x",
    ],
)
def test_distinct_units_of_which_several_texts_are_one_are_counted_as_units(rows: str, source: str) -> None:
    schema = Schema(policy("loose"), read_catalog(source, ["public.loose"]))
    (statistic,) = plan_of(f"SELECT count(DISTINCT person) FROM {rows}", schema).statistics
    assert isinstance(statistic, UnitCount)
