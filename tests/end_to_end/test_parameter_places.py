"""Parameters beyond WHERE, in LIMIT, OFFSET, HAVING, subqueries and FROM, through psycopg and asyncpg."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.end_to_end.comparing import Connections
from tests.end_to_end.running import RunningProxy
from tests.end_to_end.test_drivers import with_asyncpg
from tests.end_to_end.test_equals_postgres import assert_same

PLACES: dict[str, tuple[str, Sequence[object]]] = {
    "LIMIT and OFFSET": (
        "SELECT region, count(*) FROM visits GROUP BY region ORDER BY 2, 1 LIMIT $1 OFFSET $2",
        [2, 1],
    ),
    "HAVING": ("SELECT region, count(*) FROM visits GROUP BY region HAVING avg(cost) > $1 ORDER BY 1", [470]),
    "EXISTS": (
        "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id AND v.minutes > $1)",
        [110],
    ),
    "IN": ("SELECT count(*) FROM visits WHERE patient_id IN (SELECT patient_id FROM patients WHERE sex = $1)", ["F"]),
    "a list of rows": (
        "SELECT count(*) FROM visits WHERE (region, specialty_id) IN (($1, $2), ('south', 3))",
        ["north", 1],
    ),
    "a group per person": (
        "SELECT count(*) FROM (SELECT patient_id FROM visits GROUP BY patient_id HAVING count(*) > $1) x",
        [6],
    ),
    "a released number": (
        "SELECT count(*) FROM visits WHERE cost > (SELECT avg(cost) FROM visits WHERE minutes < $1)",
        [60],
    ),
    "the limit of a released result": (
        "SELECT count(*) FROM visits WHERE region IN (SELECT region FROM visits GROUP BY region ORDER BY count(*) DESC LIMIT $1)",
        [2],
    ),
    "the latest of each person": (
        "SELECT count(*), sum(l.cost) FROM patients p, LATERAL (SELECT cost FROM visits v WHERE v.patient_id = p.patient_id "
        "AND v.minutes > $1 ORDER BY v.visit_id DESC LIMIT 1) l",
        [30],
    ),
    "VALUES": (
        "SELECT w.label, count(*) FROM visits v JOIN (VALUES ($1, 1), ('south', 2)) AS w(code, label) ON w.code = v.region "
        "GROUP BY 1 ORDER BY 1",
        ["north"],
    ),
    "a series": (
        "SELECT g.n, count(*) FROM visits v JOIN generate_series(1, $1) AS g(n) ON g.n = v.specialty_id GROUP BY 1 ORDER BY 1",
        [2],
    ),
    "an array": (
        "SELECT u.x, count(*) FROM visits v JOIN unnest($1::text[]) AS u(x) ON u.x = v.region GROUP BY 1 ORDER BY 1",
        [["north", "east"]],
    ),
}


def assert_same_rows(rows: Sequence[Sequence[object]], expected: Sequence[Sequence[object]]) -> None:
    assert len(rows) == len(expected)
    assert expected
    for row, wanted in zip(rows, expected, strict=True):
        assert_same(row, wanted)


@pytest.mark.parametrize(("query", "values"), PLACES.values(), ids=PLACES.keys())
def test_psycopg_parameters_everywhere(query: str, values: Sequence[object], connections: Connections) -> None:
    for number in range(len(values), 0, -1):
        query = query.replace(f"${number}", "%s")
    client, source = connections
    assert_same_rows(client.execute(query, values).fetchall(), source.execute(query, values).fetchall())


def test_asyncpg_parameters_everywhere(exact_proxy: RunningProxy) -> None:
    async def ask(client: Any, source: Any) -> None:
        for query, values in PLACES.values():
            rows, expected = [await connection.fetch(query, *values) for connection in (client, source)]
            assert_same_rows([tuple(row) for row in rows], [tuple(row) for row in expected])

    with_asyncpg(exact_proxy, ask)
