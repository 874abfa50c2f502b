"""A released list narrows declared keys: what BI tools send as "top N" shows no group that the list leaves out."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end.running import RunningProxy

TOP = "SELECT region, count(*) AS n FROM visits GROUP BY region ORDER BY count(*) DESC, region LIMIT 2"
REGIONS = 6
"""With NULL."""


@pytest.fixture(scope="module")
def client(rich_proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    with rich_proxy.connect() as connection:
        yield connection


def keys(client: psycopg.Connection, query: str) -> set[object]:
    return {row[0] for row in client.execute(query.encode()).fetchall()}


@pytest.mark.parametrize(
    "query",
    [
        "SELECT region, avg(cost) FROM visits WHERE region IN (SELECT region FROM ({top}) AS t) GROUP BY region",
        "SELECT region, avg(cost) FROM visits WHERE region = ANY (SELECT region FROM ({top}) AS t) GROUP BY region",
        "SELECT v.region, avg(cost) FROM visits v JOIN ({top}) AS t ON t.region = v.region GROUP BY v.region",
        "SELECT region, avg(cost) FROM visits JOIN ({top}) AS t USING (region) GROUP BY region",
        "SELECT v.region, avg(cost) FROM visits v, ({top}) AS t WHERE t.region = v.region GROUP BY 1",
        "WITH t AS ({top}) SELECT v.region, avg(cost) FROM visits v JOIN t ON v.region IS NOT DISTINCT FROM t.region "
        "GROUP BY v.region",
        "SELECT region, urgent, sum(cost) FROM visits WHERE region IN (SELECT region FROM ({top}) AS t) GROUP BY 1, 2",
        "SELECT upper(region), sum(minutes) FROM visits WHERE region IN (SELECT region FROM ({top}) AS t) GROUP BY 1",
        "SELECT region || '', count(*) FROM visits WHERE region || '' IN (SELECT region FROM ({top}) AS t) GROUP BY 1",
    ],
)
def test_only_groups_of_the_list_show(client: psycopg.Connection, query: str) -> None:
    top = keys(client, TOP)
    assert len(top) == 2
    assert {str(key).lower() for key in keys(client, query.format(top=TOP))} == top


@pytest.mark.parametrize(
    "query",
    [
        "SELECT v.region, sum(cost) FROM visits v LEFT JOIN ({top}) AS t ON t.region = v.region GROUP BY v.region",
        "SELECT region, sum(cost) FROM visits WHERE region IN (SELECT region FROM ({top}) AS t) OR urgent GROUP BY region",
    ],
)
def test_a_list_that_rows_need_not_be_in_leaves_no_group_out(client: psycopg.Connection, query: str) -> None:
    assert len(keys(client, query.format(top=TOP))) == REGIONS


def test_a_list_without_rows_leaves_no_group(client: psycopg.Connection) -> None:
    nobody = "SELECT region FROM visits GROUP BY region HAVING count(*) < -1000000"
    assert keys(client, f"SELECT region, sum(cost) FROM visits WHERE region IN ({nobody}) GROUP BY region") == set()


def test_too_many_keys_are_refused_before_the_list_is_paid_for(client: psycopg.Connection) -> None:
    years = "SELECT birth_year FROM patients WHERE sex = 'F' GROUP BY 1 ORDER BY count(*) DESC LIMIT 92"
    query = f"SELECT birth_year, registered, count(*) FROM patients WHERE birth_year IN ({years}) GROUP BY 1, 2"
    charges = "SELECT count(*) FROM dp.ledger"
    before = client.execute(charges).fetchone()
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="more than 100000 declared combinations"):
        client.execute(query.encode())
    assert client.execute(charges).fetchone() == before
