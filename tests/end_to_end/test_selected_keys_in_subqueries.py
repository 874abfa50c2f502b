"""Keys that nobody declared, in a question that looks at the other rows of the same person by that very key."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proxy.policy.model import Policy
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy

SAME = {
    "another row of the person with the key": "SELECT v.minutes, count(*), sum(v.minutes) FROM visits v WHERE EXISTS (SELECT FROM visits w "
    "WHERE w.minutes = v.minutes AND w.patient_id = v.patient_id AND w.visit_id <> v.visit_id) GROUP BY v.minutes",
    "no other row of the person with the key": "SELECT v.minutes, count(*) FROM visits v WHERE NOT EXISTS (SELECT FROM visits w "
    "WHERE w.minutes = v.minutes AND w.patient_id = v.patient_id AND w.visit_id < v.visit_id) GROUP BY v.minutes",
    "the person's average for the key": "SELECT v.diagnosis, count(*) FROM visits v WHERE v.cost >= (SELECT avg(w.cost) FROM visits w "
    "WHERE w.diagnosis = v.diagnosis AND w.patient_id = v.patient_id) GROUP BY v.diagnosis",
    "the key among the person's own": "SELECT v.diagnosis, count(*) FROM visits v WHERE (v.patient_id, v.diagnosis) IN "
    "(SELECT w.patient_id, w.diagnosis FROM visits w WHERE w.urgent) AND NOT v.urgent GROUP BY v.diagnosis",
}
EVERYBODYS_AVERAGE = (
    "SELECT count(*) FROM visits v WHERE v.cost > (SELECT avg(w.cost) FROM visits w WHERE w.diagnosis = v.diagnosis)"
)
ONE_AVERAGE_PER_KEY = (
    "SELECT count(*) FROM visits v JOIN (SELECT diagnosis, avg(cost) AS mean FROM visits GROUP BY diagnosis) AS w "
    "USING (diagnosis) WHERE v.cost > w.mean"
)
"""The same of a Postgres, which would take the average once for each visit."""


@pytest.fixture(scope="module")
def connections(proxies: StartProxy) -> Iterator[Connections]:
    """An exact proxy on which each search for keys costs little delta, and its source."""
    policy = clinic.exact_policy().model_dump(exclude_none=True)
    for table in ("public.visits", "public.patients"):
        policy["tables"][table]["query"]["delta"] = "1e-3"
    with client_and_source(proxies(Policy.model_validate(policy))) as both:
        yield both


@pytest.mark.parametrize("query", SAME.values(), ids=SAME.keys())
def test_subquery_by_a_selected_key_equals_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


def test_subquery_about_everybody_by_a_selected_key_equals_postgres(connections: Connections) -> None:
    assert_same_answer(EVERYBODYS_AVERAGE, connections, ONE_AVERAGE_PER_KEY)
