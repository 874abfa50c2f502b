"""psql and pgbench ask private questions as they ask any Postgres, and show what dpproxy says about them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.programs import Terminal, client_environment, psql, run_program
from tests.end_to_end.running import RunningProxy
from tests.programs import find_program

VISITS_BY_REGION = "SELECT region, count(*) FROM visits GROUP BY region ORDER BY region"


@pytest.fixture(scope="module")
def rich_proxy(proxies: StartProxy) -> RunningProxy:
    """Ordinary noise and a budget for a few thousand queries."""
    plenty = {"budget": {"epsilon": "1e4", "delta": "1e-3"}, "per_analyst": None}
    return proxies(clinic.policy(visits=plenty, patients=plenty))


@pytest.fixture(scope="module")
def source(exact_proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    with psycopg.connect(exact_proxy.options.source_dsn, autocommit=True) as connection:
        yield connection


def test_psql_describes_a_private_table_with_its_keys_but_no_size(exact_proxy: RunningProxy) -> None:
    done = psql(exact_proxy, "\\d", "\\dt+", "\\d visits")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"public \| patients +\| table", done.stdout)
    sizes = dict(re.findall(r"public \| (\w+) +\| table .*\| (\d+ \w+) +\|", done.stdout))
    assert sizes["visits"] == sizes["patients"] == "8192 bytes"
    assert re.search(r"cost +\| numeric\(10,2\) +\|", done.stdout)
    assert '"visits_pkey" PRIMARY KEY, btree (visit_id)' in done.stdout
    assert "FOREIGN KEY (patient_id) REFERENCES patients(patient_id)" in done.stdout


def test_psql_shows_the_price_as_a_notice_with_the_remainder_as_detail(rich_proxy: RunningProxy) -> None:
    done = psql(rich_proxy, "SELECT count(*) FROM patients;", "SELECT count(*) FROM patients;")
    lines = done.stderr.splitlines()
    assert lines[0] == "NOTICE:  dpproxy charged epsilon 0.5 (rho 0.125)"
    assert re.fullmatch(
        r"DETAIL:  Left: table:public\.patients \d+\.\d%\. Enough for \d+ more at this price\. 95 % of the noise: count\(\*\) within ±\d+ rows\.",
        lines[1],
    )
    noise = lines[1].partition(" at this price. ")[2]
    assert lines[2:] == ["NOTICE:  dpproxy recalled an earlier answer, free of charge", f"DETAIL:  {noise}"]


def test_psql_is_silent_when_notices_are_off(rich_proxy: RunningProxy) -> None:
    done = psql(rich_proxy, "SET dp.notices = off;", "SELECT count(*) FROM patients WHERE smoker;")
    assert (done.returncode, done.stderr) == (0, "")


def test_psql_shows_position_detail_and_hint_of_a_refusal(exact_proxy: RunningProxy) -> None:
    query = "SELECT region, sum(visit_id) FROM visits GROUP BY region;"
    lines = psql(exact_proxy, query).stderr.splitlines()
    assert lines[0] == "ERROR:  sum(visit_id) requires bounds, but visit_id has none"
    assert lines[1] == f"LINE 1: {query}"
    assert lines[2].index("^") == lines[1].index("sum")
    assert lines[3].startswith("DETAIL:  The value of one patient")
    assert lines[4].startswith("HINT:  Ask the policy's steward for bounds")


def test_psql_shows_postgres_own_errors_of_private_queries(exact_proxy: RunningProxy) -> None:
    lines = psql(exact_proxy, "SELECT count(*) FROM visits", "WHERE reigon = 'north';").stderr.splitlines()
    assert lines[0] == 'ERROR:  column "reigon" does not exist'
    assert lines[1] == "LINE 2: WHERE reigon = 'north';"
    assert lines[2].index("^") == lines[1].index("reigon")
    assert lines[3] == 'HINT:  Perhaps you meant to reference the column "visits.region".'


def test_psql_points_at_a_syntax_error_in_a_private_query(exact_proxy: RunningProxy) -> None:
    lines = psql(exact_proxy, "SELECT count(*) FROM visits WHERE (cost > 3;").stderr.splitlines()
    assert lines[0] == 'ERROR:  syntax error at or near ";"'
    assert lines[2].index("^") == lines[1].index(";")


def test_psql_expands_rows(exact_proxy: RunningProxy, source: psycopg.Connection) -> None:
    row = source.execute("SELECT count(*) FROM visits WHERE region = 'east'").fetchone()
    done = psql(exact_proxy, "\\x", f"{VISITS_BY_REGION} LIMIT 1;")
    assert row is not None
    assert f"-[ RECORD 1 ]\nregion | east\ncount  | {row[0]}\n" in done.stdout


def test_psql_runs_several_statements_of_one_command(exact_proxy: RunningProxy) -> None:
    script = "SET dp.notices = off; BEGIN; SELECT count(*) > 0 FROM visits; SELECT 'two'; COMMIT; SELECT sum(cost) > 0 FROM visits"
    done = run_program(exact_proxy, "psql", "-XAt", "-c", script)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["SET", "BEGIN", "t", "two", "COMMIT", "t"]


def test_psql_stops_at_the_refused_statement_of_one_command(exact_proxy: RunningProxy) -> None:
    script = "SELECT 'one'; SELECT * FROM visits; SELECT 'three'"
    done = run_program(exact_proxy, "psql", "-XAt", "-c", script)
    assert (done.returncode, done.stdout) == (1, "one\n")
    lines = done.stderr.splitlines()
    assert lines[0].startswith("ERROR:  this query would return rows of public.visits")
    assert lines[2].index("^") == lines[1].index("* FROM")


def test_psql_describes_the_result_of_a_private_query(exact_proxy: RunningProxy) -> None:
    done = psql(exact_proxy, "SELECT region, count(*), avg(cost) AS mean FROM visits GROUP BY 1 \\gdesc")
    assert (done.returncode, done.stderr) == (0, "")
    types = dict(re.findall(r"^ (\w+) +\| (\w+) *$", done.stdout, re.MULTILINE))
    assert types == {"region": "text", "count": "bigint", "mean": "numeric"}


def test_psql_fetches_pages_and_copies(exact_proxy: RunningProxy) -> None:
    script = [
        "\\set QUIET on",
        "SET dp.notices = off;",
        "SET dp.empty_groups = hide;",
        "\\pset tuples_only",
        "\\pset format csv",
        "\\set FETCH_COUNT 2",
        f"{VISITS_BY_REGION};",
        f"\\copy ({VISITS_BY_REGION}) TO STDOUT (FORMAT csv)",
    ]
    done = psql(exact_proxy, *script)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line.split(",")[0] for line in lines[:4]] == ["east", "north", "south", "west"]
    assert lines[4:] == lines[:4]


def test_psql_completes_names_of_private_tables_and_columns(exact_proxy: RunningProxy, tmp_path: Path) -> None:
    if "history is not supported" in psql(exact_proxy, "\\s").stderr:
        pytest.skip("this psql was built without readline, and completes nothing")
    command = [find_program("psql"), "-X", "-P", "pager=off"]
    with Terminal(command, client_environment(exact_proxy), tmp_path) as terminal:
        # Completion starts with the prompt; what is typed before it, the terminal itself echoes.
        terminal.type("\\echo ready\n", "ready\r\n")
        terminal.type("SELECT count(*) FROM vis\t", "FROM visits ")
        terminal.type("WHERE diag\t", "diagnosis ")
        terminal.type("IS NULL AND 1 = 0;\n", "(1 row)")


@pytest.mark.parametrize("mode", ["simple", "extended", "prepared"])
def test_pgbench_runs_private_queries_in_every_mode(rich_proxy: RunningProxy, tmp_path: Path, mode: str) -> None:
    script = tmp_path / "script.sql"
    script.write_text(
        "\\set least random(1, 4)\n"
        "SELECT count(*), avg(cost) FROM visits WHERE minutes > :least;\n"
        "BEGIN;\n"
        "SELECT region, count(*) FROM patients WHERE birth_year > 1950 + :least GROUP BY region;\n"
        "SELECT zone FROM regions WHERE population > :least LIMIT 1;\n"
        "END;\n"
    )
    done = run_program(rich_proxy, "pgbench", "-n", "-M", mode, "-c", "2", "-t", "8", "-f", str(script))
    assert done.returncode == 0, done.stderr
    assert "number of transactions actually processed: 16/16" in done.stdout
    assert "ERROR" not in done.stderr
