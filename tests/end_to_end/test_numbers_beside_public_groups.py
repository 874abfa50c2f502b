"""A released number of private rows beside each group of a public table, tied to it by its keys."""

from __future__ import annotations

import psycopg
import pytest

from tests.end_to_end.charging import all_spent
from tests.end_to_end.comparing import Connections, assert_same_answer

NUMBER = "(SELECT count(*) FROM visits v WHERE v.region = r.name)"
SAME = [
    f"SELECT name, max(population), {NUMBER} FROM regions r GROUP BY name",
    f"SELECT zone, name, sum(population) FROM regions r GROUP BY zone, name HAVING {NUMBER} > 3",
    f"SELECT name, {NUMBER}, rank() OVER (ORDER BY {NUMBER} DESC, name) FROM regions r GROUP BY name HAVING {NUMBER} > 3",
    f"SELECT name, count(*) FROM regions r WHERE population > 600 GROUP BY ROLLUP (name) ORDER BY {NUMBER}, name",
    "SELECT name, (SELECT avg(cost) FROM visits v WHERE v.region = r.name AND urgent) FROM regions r GROUP BY name",
]


@pytest.mark.parametrize("query", SAME)
def test_it_is_answered_as_in_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


def test_a_column_that_is_no_key_fails_for_free(connections: Connections) -> None:
    client, source = connections
    spent = all_spent(client)
    for connection in (client, source):
        with pytest.raises(psycopg.errors.GroupingError):
            connection.execute(f"SELECT zone, {NUMBER} FROM regions r GROUP BY zone".encode())
    assert all_spent(client) == spent
