"""Logs of PostgreSQL's: each different query once, whatever surrounds it."""

from __future__ import annotations

from pathlib import Path

import pytest

from proxy.rehearsal.logs import script_of_log
from tests.policy.test_cli import dpproxy
from tests.rehearsal.test_commands import directory

pytestmark = pytest.mark.postgres
__all__ = ["directory"]

LOG = """\
2026-01-05 09:00:01.123 UTC [71] bi@clinic LOG:  statement: SELECT count(*)
\tFROM visits
\tWHERE cost > 10;
2026-01-05 09:00:01.130 UTC [71] bi@clinic LOG:  duration: 6.021 ms
2026-01-05 09:00:02.000 UTC [72] bi@clinic LOG:  duration: 1.5 ms  statement: with a as (select 1) select * from a
2026-01-05 09:00:03.000 UTC [72] bi@clinic LOG:  execute <unnamed>: SELECT count(*) FROM visits WHERE cost > $1
2026-01-05 09:00:03.000 UTC [72] bi@clinic DETAIL:  parameters: $1 = '5'
2026-01-05 09:00:04.000 UTC [72] bi@clinic LOG:  statement: SET search_path = public
2026-01-05 09:00:04.000 UTC [72] bi@clinic LOG:  statement: SELECT 1; SELECT 2
2026-01-05 09:00:05.000 UTC [72] bi@clinic ERROR:  syntax error at or near "x"
2026-01-05 09:00:05.000 UTC [72] bi@clinic STATEMENT:  SELECT x x x
2026-01-05 09:00:06.000 UTC [73] bi@clinic LOG:  statement: SELECT count(*)
\tFROM visits
\tWHERE cost > 10
2026-01-05 09:00:07.000 UTC [73] bi@clinic LOG:  execute S_1: SELECT * FROM visits -- a comment
"""
QUERIES = [
    "SELECT count(*)\nFROM visits\nWHERE cost > 10",
    "with a as (select 1) select * from a",
    "SELECT * FROM visits -- a comment",
]


def test_each_query_of_a_log_is_found_once() -> None:
    assert script_of_log(LOG) == "".join(f"{query}\n;\n\n" if "--" in query else f"{query};\n\n" for query in QUERIES)


@pytest.mark.parametrize(
    "log", ["", "LOG:  statement: \n", "LOG:  statement: BEGIN\n", "LOG:  statement: SELECT 'open\n"]
)
def test_a_log_without_queries_has_no_script(log: str) -> None:
    assert script_of_log(log) == ""


def test_a_log_becomes_a_query_test(directory: Path) -> None:
    (directory / "bi.log").write_text(LOG)
    command = ("check", "policy.yaml", "--catalog", "catalog.json", "--queries", "bi.log")
    unread = dpproxy(*command, directory=directory)
    assert unread.returncode == 1
    assert "bi.log:1:1: error: cannot be read: a log is for --record" in unread.stdout
    assert dpproxy(*command, "--record", directory=directory).returncode == 0
    text = (directory / "bi.sql").read_text()
    assert text.startswith("-- expect: answered\n-- max_epsilon: 0.5\n-- max_error: count(*) ±")
    assert text.count("-- expect: ") == 3
    assert "-- expect: public\nwith a" in text
    assert "-- expect: refused rows\nSELECT * FROM visits" in text
    again = dpproxy(*command, "--record", directory=directory)
    assert "bi.log:1:1: error: cannot be read: bi.sql is there already" in again.stdout
    assert dpproxy(*command[:-1], "bi.sql", directory=directory).returncode == 0
