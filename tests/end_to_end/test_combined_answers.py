"""Questions that are answered from the numbers of others, through the wire: free, and at least as exact (theorem 25)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy
from tests.end_to_end.test_budget import ANA, BOB, PATIENTS, VISITS, Notices, charged, spent
from tests.end_to_end.test_precisions import PLENTY, ask, rho

FREE = "dpproxy answered from numbers that were released before, free of charge"


@pytest.fixture(scope="module")
def proxy(proxies: StartProxy) -> RunningProxy:
    own = PLENTY | {"per_analyst": PLENTY["budget"]}
    return proxies(clinic.policy(visits=own, patients=PLENTY))


@pytest.fixture
def ana(proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    with proxy.connect("ana") as connection:
        yield connection


@pytest.fixture
def bob(proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    with proxy.connect("bob") as connection:
        yield connection


def free(connection: psycopg.Connection, epsilon: str, query: str) -> list[tuple[object, ...]]:
    """The answer, which must cost nothing and say so."""
    before, notices = spent(connection), Notices(connection)
    answer = ask(connection, epsilon, query)
    assert notices.texts == [FREE], (query, notices.texts)
    assert charged(before, spent(connection)) == {}
    return answer


def test_some_of_the_aggregates_are_free_and_the_same_numbers(ana: psycopg.Connection) -> None:
    both = ask(ana, "1", "SELECT sex, count(*), avg(height) FROM patients WHERE birth_year > 1940 GROUP BY sex ORDER BY 1")
    counts = free(ana, "0.5", "SELECT sex, count(*) FROM patients WHERE birth_year > 1940 GROUP BY sex ORDER BY 1")
    assert counts == [row[:2] for row in both]


def test_a_total_is_the_sum_of_its_groups(ana: psycopg.Connection) -> None:
    parts = ask(ana, "2", "SELECT region, smoker, count(*) FROM patients GROUP BY 1, 2")
    (total,) = free(ana, "0.1", "SELECT count(*) FROM patients")
    assert total == (sum(row[2] for row in parts),)
    by_region = dict(free(ana, "0.2", "SELECT region, count(*) FROM patients GROUP BY 1"))
    assert by_region["north"] == sum(row[2] for row in parts if row[0] == "north")


def test_one_group_answers_a_condition_on_its_key(ana: psycopg.Connection) -> None:
    parts = dict(ask(ana, "1", "SELECT region, count(*) FROM patients WHERE smoker GROUP BY region"))
    (north,) = free(ana, "0.5", "SELECT count(*) FROM patients WHERE smoker AND region = 'north'")
    assert north == (parts["north"],)
    (two,) = free(ana, "0.5", "SELECT count(*) FROM patients WHERE region IN ('north', 'east') AND smoker")
    assert two == (parts["north"] + parts["east"],)
    ((north, south),) = free(
        ana,
        "0.5",
        "SELECT count(*) FILTER (WHERE region = 'north'), count(*) FILTER (WHERE region = 'south') "
        "FROM patients WHERE smoker",
    )
    assert (north, south) == (parts["north"], parts["south"])
