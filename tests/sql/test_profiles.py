"""Blocks that only describe columns have a price of their own, unless the session states one."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proxy.policy.catalog import Catalog
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.settings import QuerySettings
from proxy.sql.explain import explain_block
from tests.conftest import PostgresCluster
from tests.end_to_end import clinic
from tests.sql.test_planning import plan

USUAL, QUARTER = Fraction("0.5"), Fraction("0.125")

DESCRIPTIONS = [
    "SELECT min(cost) FROM visits",
    "SELECT max(v.visited_at) FROM public.visits AS v",
    "SELECT count(DISTINCT diagnosis) FROM visits",
    "SELECT approx_count_distinct(diagnosis) FROM visits",
    "SELECT count(*) FROM visits WHERE diagnosis IS NULL",
    "SELECT count(*) FROM visits WHERE NOT (diagnosis IS NULL)",
    "SELECT count(*) FILTER (WHERE diagnosis IS NOT NULL) FROM visits",
    "SELECT sum(CASE WHEN diagnosis IS NULL THEN 1 ELSE 0 END) FROM visits",
    "SELECT count(CASE WHEN diagnosis IS NULL THEN 1 END) FROM visits",
    "SELECT count(*) - count(diagnosis) AS nulls FROM visits",
    "SELECT count(*), count(cost), count(DISTINCT cost), min(cost), max(cost) FROM visits",
    "SELECT count(*) AS failures, count(*) <> 0 AS should_warn FROM (SELECT diagnosis FROM visits WHERE diagnosis IS NULL) AS t",
    "WITH v AS (SELECT * FROM visits) SELECT min(c), max(c) FROM (SELECT cost AS c FROM v) AS w",
]
OTHERS = [
    "SELECT count(*) FROM visits",
    "SELECT count(diagnosis) FROM visits",
    "SELECT count(DISTINCT patient_id) FROM visits",
    "SELECT min(cost), avg(cost) FROM visits",
    "SELECT min(cost) FROM visits WHERE urgent",
    "SELECT count(*) FROM visits WHERE diagnosis IS NULL AND urgent",
    "SELECT count(*) FILTER (WHERE urgent) FROM visits",
    "SELECT sum(CASE WHEN diagnosis IS NULL THEN minutes ELSE 0 END) FROM visits",
    "SELECT sum(CASE WHEN urgent THEN 1 ELSE 0 END) FROM visits",
    "SELECT max(cost * 2) FROM visits",
    "SELECT region, min(cost) FROM visits GROUP BY region",
    "SELECT min(cost) FROM visits JOIN patients USING (patient_id)",
    "SELECT min(cost) FROM (SELECT cost FROM visits WHERE urgent) AS urgent",
    "SELECT min(c) FROM (SELECT cost * 2 AS c FROM visits) AS v",
    "SELECT min(cost) FROM (SELECT DISTINCT patient_id, cost FROM visits) AS v",
    "SELECT count(*) FROM (SELECT patient_id FROM visits) AS v",
    "SELECT count(DISTINCT p) FROM (SELECT patient_id AS p FROM visits) AS v",
    "SELECT percentile_disc(0) WITHIN GROUP (ORDER BY cost) FROM visits",
]


@pytest.fixture(scope="module")
def catalog(postgres_cluster: PostgresCluster) -> Catalog:
    dsn = postgres_cluster.create_database("profiles")
    clinic.create(dsn)
    return read_catalog(dsn, list(clinic.policy().tables), ["public.regions", "public.specialties"])


def priced(**query: object) -> Policy:
    return clinic.policy(visits={"query": {"epsilon": "0.5", "max_epsilon": "2"} | query})


@pytest.mark.parametrize("statement", DESCRIPTIONS)
def test_what_describes_columns_costs_a_quarter_of_epsilon(statement: str, catalog: Catalog) -> None:
    found = plan(statement, catalog, policy=priced())
    assert found.guarantee.epsilon == QUARTER
    assert found.price.rho <= QUARTER**2 / 2
    assert any("SET dp.epsilon = 0.5 asks as usual" in line for line in explain_block(found))


@pytest.mark.parametrize("statement", OTHERS)
def test_other_questions_cost_as_usual(statement: str, catalog: Catalog) -> None:
    found = plan(statement, catalog, policy=priced())
    assert found.guarantee.epsilon == USUAL
    assert not any("asks as usual" in line for line in explain_block(found))


def test_the_epsilon_of_a_session_is_the_price_of_everything(catalog: Catalog) -> None:
    settings = QuerySettings(epsilon=Fraction(1))
    assert plan(DESCRIPTIONS[0], catalog, policy=priced(), settings=settings).guarantee.epsilon == 1


@pytest.mark.parametrize(
    ("query", "expected"),
    [({"profile_epsilon": "0.2"}, "0.2"), ({"profile_epsilon": "0.5"}, "0.5"), ({"min_epsilon": "0.3"}, "0.3")],
)
def test_the_policy_states_it_and_it_is_no_less_than_the_least(
    query: dict[str, str], expected: str, catalog: Catalog
) -> None:
    assert plan(DESCRIPTIONS[0], catalog, policy=priced(**query)).guarantee.epsilon == Fraction(expected)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT count(*) FILTER (WHERE region IN (SELECT name FROM regions)) FROM visits",
        "SELECT sum(CASE WHEN minutes > ANY (SELECT population / 100 FROM regions) THEN 1 END) FROM visits",
    ],
)
def test_columns_of_subqueries_are_none_of_the_tables(statement: str, catalog: Catalog) -> None:
    assert plan(statement, catalog, policy=priced()).guarantee.epsilon == USUAL
