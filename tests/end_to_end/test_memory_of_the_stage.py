"""A statement that would fill the memory of the stage's server fails by itself: nobody else loses a session."""

from __future__ import annotations

import sys

import psycopg
import pytest

from tests.end_to_end.running import RunningProxy

GREEDY = {
    "one text": "SELECT octet_length(repeat('x', 1000000000) || repeat('y', 70000000))",
    "what work_mem allows": "SELECT count(*) FROM (SELECT DISTINCT repeat(md5(i::text), 300) FROM generate_series(1, 400000) i) t",
}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process so")
@pytest.mark.parametrize("statement", GREEDY.values(), ids=GREEDY.keys())
def test_a_greedy_statement_fails_alone(statement: str, exact_proxy: RunningProxy) -> None:
    with exact_proxy.connect() as client, exact_proxy.connect(user="bob") as other:
        client.execute("SET work_mem = '100GB'")
        with pytest.raises(psycopg.errors.OutOfMemory):
            client.execute(statement.encode())
        assert client.execute("SELECT 1").fetchone() == (1,)
        assert other.execute("SELECT 2").fetchone() == (2,)
