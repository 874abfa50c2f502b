"""What a profiler asks of every column costs a tenth of an analyst's budget at most, without any setting."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy

NUMBERS = ("cost", "minutes", "discount", "score")
OTHERS = ("region", "specialty_id", "visited_at", "diagnosis", "urgent")
PROFILE = [
    "count(*)",
    *(f"count({column})" for column in (*NUMBERS, *OTHERS)),
    *(f"count(DISTINCT {column})" for column in (*NUMBERS, *OTHERS)),
    *(f"{function}({column})" for column in NUMBERS for function in ("min", "max", "avg", "stddev")),
    "min(visited_at)",
    "max(visited_at)",
]

DESCRIPTIONS = [
    *(f"SELECT count(DISTINCT {column}) FROM visits" for column in (*NUMBERS, *OTHERS)),
    *(f"SELECT {function}({column}) FROM visits" for column in (*NUMBERS, "visited_at") for function in ("min", "max")),
    *(f"SELECT count(*) FROM visits WHERE {column} IS NULL" for column in (*NUMBERS, *OTHERS)),
    *(f"SELECT sum(CASE WHEN {column} IS NULL THEN 1 ELSE 0 END) FROM visits" for column in NUMBERS),
    *(f"SELECT DISTINCT {column} FROM visits" for column in ("region", "specialty_id", "diagnosis", "urgent")),
]


@pytest.fixture
def client(proxies: StartProxy) -> Iterator[psycopg.Connection]:
    # The budget and the price of the demo.
    visits = {
        "budget": {"epsilon": "4", "delta": "1e-6"},
        "per_analyst": {"epsilon": "3.5", "delta": "8e-7"},
        "query": {"epsilon": "0.1", "max_epsilon": "1", "delta": "1e-9"},
    }
    with proxies(clinic.policy(visits=visits)).connect() as connection:
        yield connection


def spent(client: psycopg.Connection) -> float:
    (found,) = (
        client.execute("SELECT max(100 - percent_left) FROM dp.budget WHERE account LIKE '%visits'").fetchone() or ()
    )
    return float(found)


def test_one_question_for_each_number_at_a_small_epsilon(client: psycopg.Connection) -> None:
    client.execute("SET dp.epsilon = 0.02")
    for number in PROFILE:
        assert client.execute(f"SELECT {number} FROM visits".encode()).rowcount == 1
    assert 1 < spent(client) < 10
    (rows, average, low, high) = (
        client.execute("SELECT count(*), avg(cost), dp.low(avg(cost)), dp.high(avg(cost)) FROM visits").fetchone() or ()
    )
    assert 5_000 < rows < 20_000
    assert low < average < high


def test_descriptions_of_all_columns_without_any_setting(client: psycopg.Connection) -> None:
    for statement in DESCRIPTIONS:
        client.execute(statement.encode())
    assert 1 < spent(client) < 10


def test_one_statement_for_all_numbers_at_the_usual_epsilon(client: psycopg.Connection) -> None:
    client.execute(f"SELECT {', '.join(PROFILE)} FROM visits".encode())
    assert 1 < spent(client) < 5
