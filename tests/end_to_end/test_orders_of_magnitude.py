"""A stranger's first question has the right order of magnitude: how much of a unit counts is chosen among some hundred
thresholds, and of a few hundred units the choice must not be lost far below what they have (theorem 22)."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, client_and_source
from tests.end_to_end.conftest import StartProxy

QUESTIONS = {
    "a sum of doubles": "SELECT sum(score) FROM visits WHERE patient_id < 400",
    "an average of quotients": "SELECT avg(score / (minutes + 7)) FROM visits WHERE patient_id < 600",
    "doubles of which most are 0": "SELECT avg(greatest(score - 135, 0)) FROM visits WHERE minutes > 3",
    "one row of each unit": "SELECT avg(height::float / 7) FROM patients WHERE patient_id < 250",
    "values far from 0": "SELECT sum(height::float) FROM patients WHERE patient_id < 250",
}
TRIES = 40
NEAR = TRIES // 2
"""Of the hardest question 83 % of 150 answers were near: fewer than half of 40 come by chance less than once in 100 000 runs."""


@pytest.fixture(scope="module")
def connections(proxies: StartProxy) -> Iterator[Connections]:
    plenty = clinic.PLENTY | {"contribution": {}}
    with client_and_source(proxies(clinic.policy(visits=plenty, patients=plenty))) as both:
        both[0].execute("SET dp.recall = off")
        both[0].execute("SET dp.epsilon = 0.25")
        yield both


@pytest.mark.parametrize("query", QUESTIONS.values(), ids=QUESTIONS)
def test_most_answers_are_near_the_exact_one(query: str, connections: Connections) -> None:
    client, source = connections
    exact = _number(source, query)
    near = [0.5 * exact < _number(client, query) < 2 * exact for _ in range(TRIES)]
    assert sum(near) >= NEAR


def _number(connection: psycopg.Connection, query: str) -> float:
    ((number,),) = connection.execute(query.encode()).fetchall()
    return float(number or 0)
