"""Extremes and percentiles of counts and sums over a unit's rows answer as Postgres, though nobody states bounds."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy

_COUNTS = "SELECT patient_id, count(*) AS n, count(*) FILTER (WHERE urgent) AS urgent FROM visits GROUP BY patient_id"
_SUMS = "SELECT patient_id, sum(minutes) AS s, sum(DISTINCT minutes) AS d FROM visits GROUP BY patient_id"

SAME = {
    "the median of counts": f"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY n) FROM ({_COUNTS}) AS v",
    "extremes of counts": f"SELECT min(n), max(n), max(urgent) FROM ({_COUNTS}) AS v",
    "behind another subquery": f"SELECT max(m) FROM (SELECT n AS m FROM ({_COUNTS}) AS v WHERE n > 2) AS w",
    "casts": f"SELECT max(n::numeric), percentile_disc(0.9) WITHIN GROUP (ORDER BY n::integer) FROM ({_COUNTS}) AS v",
    "units without rows": "SELECT percentile_disc(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY coalesce(v.n, 0)) "
    f"FROM patients p LEFT JOIN ({_COUNTS} HAVING count(*) > 9) AS v USING (patient_id)",
    "sums": f"SELECT min(s), max(s), percentile_disc(0.5) WITHIN GROUP (ORDER BY d) FROM ({_SUMS}) AS v",
    "ranks": "SELECT max(r) FROM (SELECT row_number() OVER (PARTITION BY patient_id ORDER BY visited_at) AS r FROM visits) AS v",
    "running sums": "SELECT max(s) FROM (SELECT sum(minutes) OVER (PARTITION BY patient_id ORDER BY visited_at) AS s FROM visits) AS v",
    "the row before the last": "SELECT max(l) FROM (SELECT lag(minutes, 2) OVER (PARTITION BY patient_id ORDER BY visited_at) AS l "
    "FROM visits) AS v",
    "a number for no sum": "SELECT max(r), percentile_disc(0.5) WITHIN GROUP (ORDER BY r) FROM (SELECT patient_id, coalesce(sum(minutes), 0) AS r "
    "FROM visits GROUP BY patient_id) AS v",
    "casts of sums": "SELECT max(r), min(q) FROM (SELECT patient_id, sum(minutes)::float AS r, round(sum(minutes) * 1.0) AS q FROM visits GROUP BY 1) AS v",
    "a CASE": "SELECT max(r) FROM (SELECT patient_id, CASE WHEN count(*) > 3 THEN sum(minutes) ELSE 0 END AS r FROM visits GROUP BY 1) AS v",
    "groups": f"SELECT p.region, max(n) FROM patients p JOIN ({_COUNTS}) AS v USING (patient_id) GROUP BY p.region",
}

NEAR = {
    "differences": "SELECT min(r), max(r) FROM (SELECT patient_id, sum(minutes) - 2 * count(*) AS r FROM visits GROUP BY patient_id) AS v",
    "differences outside": f"SELECT min(n - urgent), max(2 * n + 1) FROM ({_COUNTS}) AS v",
}
"""There are up to three times as many values as are told apart."""

REFUSED = {
    "a sum of values without bounds": "SELECT max(s) FROM (SELECT patient_id, sum(visit_id) AS s FROM visits GROUP BY patient_id) AS v",
    "what is computed of a count": f"SELECT max(n * n) FROM ({_COUNTS}) AS v",
    "a count that another number may stand for": f"SELECT max(coalesce(v.n, w.visit_id)) FROM visits w JOIN ({_COUNTS}) AS v "
    "USING (patient_id)",
    "no count": "SELECT max(visit_id) FROM visits",
}


@pytest.fixture(scope="module")
def connections(proxies: StartProxy) -> Iterator[Connections]:
    """A client of a proxy whose queries choose how much of a unit counts, with exact answers, and the clinic itself."""
    with client_and_source(proxies(clinic.exact_policy(chooses=True))) as both:
        yield both


@pytest.mark.parametrize("query", SAME.values(), ids=SAME.keys())
def test_extremes_of_counts_and_sums_answer_as_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize("query", NEAR.values(), ids=NEAR.keys())
def test_what_is_made_of_several_is_told_in_steps(query: str, connections: Connections) -> None:
    (shown,), (exact,) = ([*connection.execute(query.encode())] for connection in connections)
    assert all(abs(ours - theirs) <= 3 for ours, theirs in zip(shown, exact, strict=True))


@pytest.mark.parametrize("query", REFUSED.values(), ids=REFUSED.keys())
def test_other_values_without_bounds_are_refused(query: str, connections: Connections) -> None:
    client, source = connections
    assert source.execute(query.encode()).description
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="requires bounds"):
        client.execute(query.encode())


@pytest.mark.parametrize(
    ("call", "limit"),
    [
        ("max(n)", "values outside 0 to 1000000 count as its ends in max(n)"),
        ("max(s)", "values outside 0 to 999840 count as its ends in max(s)"),
    ],
)
def test_explain_says_where_values_are_cut(call: str, limit: str, connections: Connections) -> None:
    client, _ = connections
    query = f"EXPLAIN SELECT {call} FROM ({_COUNTS if call == 'max(n)' else _SUMS}) AS v"
    assert f"  Limits: {limit}" in [line for (line,) in client.execute(query.encode())]


def test_the_notice_says_where_values_are_cut(connections: Connections) -> None:
    client, _ = connections
    notes: list[str] = []
    client.add_notice_handler(lambda diagnostic: notes.append(diagnostic.message_detail or ""))
    client.execute("SET dp.notices = on")
    client.execute(f"SELECT min(n) FROM ({_COUNTS}) AS v WHERE n > 1".encode())
    client.execute("SET dp.notices = off")
    assert any("alues outside 2 to 1000000 count as its ends in min(n)" in note for note in notes)
