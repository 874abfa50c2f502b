"""Logs of PostgreSQL's: each different query once, whatever surrounds it."""

from __future__ import annotations

from pathlib import Path

import pytest

from proxy.rehearsal.logs import queries_of_log, statement
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
2026-01-05 09:00:03.100 UTC [72] bi@clinic LOG:  00000: execute <unnamed>: SELECT count(*) FROM visits WHERE cost > $1
2026-01-05 09:00:03.100 UTC [72] bi@clinic DETAIL:  Parameters: $1 = '6'
2026-01-05 09:00:03.200 UTC [72] bi@clinic LOG:  execute <unnamed>: SELECT '$1', count(*) FROM visits WHERE region = $2 AND cost IS NOT DISTINCT FROM $1
2026-01-05 09:00:03.200 UTC [72] bi@clinic DETAIL:  parameters: $1 = NULL, $2 = 'it''s
\ttwo lines, $1 = ''3'''
2026-01-05 09:00:03.300 UTC [72] bi@clinic LOG:  execute <unnamed>: SELECT avg(cost) FROM visits WHERE region = $1
2026-01-05 09:00:03.300 UTC [72] bi@clinic DETAIL:  parameters: $1 = 'nort...'
2026-01-05 09:00:03.400 UTC [72] bi@clinic LOG:  execute <unnamed>: SELECT sum(cost) FROM visits WHERE region = $1
2026-01-05 09:00:03.500 UTC [72] bi@clinic LOG:  execute <unnamed>: INSERT INTO visits (cost) VALUES ($1)
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
    "SELECT count(*) FROM visits WHERE cost > '5'",
    "SELECT '$1', count(*) FROM visits WHERE region = 'it''s\ntwo lines, $1 = ''3''' AND cost IS NOT DISTINCT FROM NULL",
    "SELECT * FROM visits -- a comment",
]


OF_CSV = """\
2026-01-05 09:00:01.123 UTC,"bi","clinic",71,"[local]",6b04.24,5,"idle",2026-01-05 09:00:00 UTC,3/6,0,LOG,00000,"statement: SELECT region
  FROM visits -- ""quoted"", and a comma
 WHERE cost > 10",,,,,,,,,"psql","client backend",,0
2026-01-05 09:00:01.124 UTC,"bi","clinic",71,"[local]",6b04.24,6,"idle",2026-01-05 09:00:00 UTC,3/6,0,LOG,00000,"duration: 1.5 ms  execute S_1: SELECT $1::date","parameters: $1 = '2024-01-01'",,,,,,,,"psql","client backend",,0
2026-01-05 09:00:01.125 UTC,"bi","clinic",71,"[local]",6b04.24,7,"idle",2026-01-05 09:00:00 UTC,3/6,0,ERROR,42601,"statement: SELECT 2",,,,,,"SELECT 3",,,"psql","client backend",,0
"""
OF_JSON = """\
{"timestamp":"2026-01-05 09:00:01.123 UTC","user":"bi","error_severity":"LOG","message":"statement: SELECT region\\n  FROM visits -- \\"quoted\\", and a comma\\n WHERE cost > 10","query_id":0}
{"timestamp":"2026-01-05 09:00:01.124 UTC","user":"bi","error_severity":"LOG","message":"duration: 1.5 ms  execute S_1: SELECT $1::date","detail":"parameters: $1 = '2024-01-01'"}
{"timestamp":"2026-01-05 09:00:01.125 UTC","user":"bi","error_severity":"ERROR","message":"statement: SELECT 2"}
{"timestamp":"2026-01-05 09:00:01.126 UTC","user":"bi","error_sev
"""


def test_each_query_of_a_log_is_found_once() -> None:
    queries, left_out = queries_of_log(LOG)
    assert queries == QUERIES
    assert [line.partition(": ")[0] for line in left_out] == [
        "SELECT avg(cost) FROM visits WHERE region = $1",
        "SELECT sum(cost) FROM visits WHERE region = $1",
    ]


def test_parameters_that_are_cut_once_are_taken_from_a_later_entry() -> None:
    text = "LOG:  execute a: SELECT count(*) FROM visits WHERE region = $1\nDETAIL:  parameters: $1 = "
    assert queries_of_log(f"{text}'nort...'\n{text}'south'\n{text}'east'\n") == (
        ["SELECT count(*) FROM visits WHERE region = 'south'"],
        [],
    )


@pytest.mark.parametrize("log", [OF_CSV, OF_JSON], ids=["CSV", "JSON"])
def test_logs_in_other_formats(log: str) -> None:
    query = 'SELECT region\n  FROM visits -- "quoted", and a comma\n WHERE cost > 10'
    assert queries_of_log(log) == ([query, "SELECT '2024-01-01'::date"], [])


def test_a_text_that_mentions_commas_is_no_csv() -> None:
    first = "2026-01-05 09:00:01.123 UTC [71] LOG:  starting PostgreSQL 15, compiled by gcc, 64-bit\n"
    assert queries_of_log(first + LOG) == queries_of_log(LOG)


def test_a_comment_at_its_end_does_not_swallow_the_end_of_a_statement() -> None:
    assert statement("SELECT 1 -- one") == "SELECT 1 -- one\n;\n\n"
    assert statement("SELECT 1 -- one\n+ 2") == "SELECT 1 -- one\n+ 2;\n\n"


@pytest.mark.parametrize(
    "log", ["", "LOG:  statement: \n", "LOG:  statement: BEGIN\n", "LOG:  statement: SELECT 'open\n"]
)
def test_a_log_without_queries_has_none(log: str) -> None:
    assert queries_of_log(log) == ([], [])


def test_a_log_becomes_a_query_test(directory: Path) -> None:
    (directory / "bi.log").write_text(LOG)
    command = ("check", "policy.yaml", "--catalog", "catalog.json", "--queries", "bi.log")
    unread = dpproxy(*command, directory=directory)
    assert unread.returncode == 1
    assert "bi.log:1:1: error: cannot be read: it is for --record" in unread.stdout
    assert dpproxy(*command, "--record", directory=directory).returncode == 0
    text = (directory / "bi.sql").read_text()
    left_out, recorded = text.split("\n\n", 1)
    assert left_out.startswith("-- left out: SELECT avg(cost) FROM visits WHERE region = $1: the log cuts or lacks its")
    assert recorded.startswith("-- expect: answered\n-- max_epsilon: 0.5\n-- max_error: count(*) ±")
    assert text.count("-- expect: ") == 5
    assert text.count("-- expect: answered") == 3
    assert "-- expect: public\nwith a" in text
    assert "-- expect: refused rows\nSELECT * FROM visits" in text
    again = dpproxy(*command, "--record", directory=directory)
    assert "bi.log:1:1: error: cannot be read: bi.sql is there already" in again.stdout
    assert dpproxy(*command[:-1], "bi.sql", directory=directory).returncode == 0
