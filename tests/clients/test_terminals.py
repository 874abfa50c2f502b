"""psql of every version that this machine has, and pgcli: what they print of plain Postgres and through dpproxy."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from proxy.postgres.binaries import system_directories, wheel_directory
from tests.clients import target as asked
from tests.clients.conftest import Targets
from tests.clients.target import Target


def programs() -> dict[str, Path]:
    """psql by its version."""
    found: dict[str, Path] = {}
    directories = [*system_directories(), wheel_directory(), Path(shutil.which("psql") or "/nonexistent").parent]
    for directory in filter(None, directories):
        program = directory / "psql"
        if program.is_file():
            printed = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
            found.setdefault(re.findall(r"[0-9.]+", printed)[0], program)
    return found


@pytest.fixture(scope="module", params=programs().items(), ids=lambda program: f"psql {program[0]}")
def psql(request: pytest.FixtureRequest) -> Path:
    return Path(request.param[1])


def printed(program: Path, target: Target, *script: str) -> tuple[int, str, str]:
    """Status and both outputs of psql with a script."""
    done = subprocess.run(
        [program, "-X", "-P", "pager=off"],
        input="\n".join(script) + "\n",
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": "/nonexistent", **target.environment()},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


SCRIPTS: dict[str, Sequence[str]] = {
    "types": [asked.TYPES + ";", "\\x", asked.TYPES + ";"],
    "groups": ["\\pset null '(none)'", asked.GROUPED + ";", asked.GROUPED + " \\gdesc"],
    "pages": ["\\set FETCH_COUNT 7", asked.PAGED + ";", "\\pset format csv", asked.PAGED + ";"],
    "prepared": ["SELECT count(*) FROM regions \\gset", "\\echo :count", "SELECT :count + count(*) FROM visits;"],
    "copy": [asked.COPIED + ";", f"\\copy ({asked.PAGED}) TO STDOUT"],
    "crosstab": ["SELECT region, urgent, count(*) FROM visits GROUP BY 1, 2 ORDER BY 1, 2 \\crosstabview"],
    "transaction": ["BEGIN;", asked.WRONG + ";", "SELECT 1;", "ROLLBACK;", asked.PAGED + ";", "\\errverbose"],
    "several statements": ["BEGIN\\; SELECT count(*) FROM visits\\; SELECT 2\\; COMMIT;"],
    "syntax": ["SELECT count(*) FROM visits WHERE (cost > 3;", "SELECT coun(*) FROM visits;"],
    "execute": ["SELECT format('SELECT count(*) FROM %I', t) FROM (VALUES ('visits'), ('regions')) AS v(t) \\gexec"],
    "tables": ["\\dt public.*", "\\di public.visits*", "\\d regions", "\\d specialties", "\\dv public.*"],
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS.keys())
def test_psql_prints_the_same(psql: Path, targets: Targets, script: Sequence[str]) -> None:
    here, there = (printed(psql, target, *script) for target in (targets.proxied, targets.plain))
    assert here == there
    assert here[1] or here[2]


def test_psql_describes_a_private_table_as_on_the_source_with_its_policy(psql: Path, targets: Targets) -> None:
    here, there = (printed(psql, target, "\\d visits", "\\d patients") for target in (targets.proxied, targets.plain))
    policies = 'Policies:\n    POLICY "aggregates with noise only"\n      USING (dp.refuse_rows())\n'
    assert there == (0, here[1].replace(policies, ""), here[2])
    assert here[1].count(policies) == 2


def test_psql_lists_databases_of_any_stage(psql: Path, targets: Targets) -> None:
    status, output, errors = printed(psql, targets.proxied, "\\set ON_ERROR_STOP 1", "\\l", "\\dn", "\\du", "\\df dp.*")
    assert (status, errors) == (0, "")
    assert targets.proxied.database in output


@pytest.fixture(scope="module")
def pgcli(targets: Targets) -> Iterator[tuple[Any, Any]]:
    executor = pytest.importorskip("pgcli.pgexecute", reason="pip install 'dpproxy[clients]'")
    with ExitStack() as stack:
        opened = []
        for target in (targets.proxied, targets.plain):
            known = target.libpq()
            names = {"database": "dbname", "user": "user", "password": "password", "host": "host", "port": "port"}
            rest = {"options": known["options"], "sslmode": known["sslmode"]}
            run = executor.PGExecute(**{name: known.get(key) for name, key in names.items()}, **rest)
            stack.callback(run.conn.close)
            opened.append(run)
        yield opened[0], opened[1]


COMPLETED = {
    "schemata": lambda run: sorted(set(run.schemata()) - {"dp"}),
    "tables": lambda run: sorted(table for table in run.tables() if table[0] == "public"),
    "columns": lambda run: sorted(column for column in run.table_columns() if column[0] == "public"),
    "foreign keys": lambda run: sorted(run.foreignkeys()),
    "search path": lambda run: run.search_path(),
}


@pytest.mark.parametrize("read", COMPLETED.values(), ids=COMPLETED.keys())
def test_pgcli_completes_the_same_names(pgcli: tuple[Any, Any], read: Any) -> None:
    here, there = map(read, pgcli)
    assert here == there
    assert here


@pytest.mark.parametrize("text", [asked.TYPES, asked.GROUPED, asked.WRONG, "\\dt public.*", "\\dv"])
def test_pgcli_runs_the_same(pgcli: tuple[Any, Any], text: str) -> None:
    special = pytest.importorskip("pgspecial.main")
    outcomes = []
    for run in pgcli:
        results = run.run(text, special.PGSpecial(), exception_formatter=str)
        outcomes.append(
            [
                (title, [tuple(row) for row in rows or ()], headers, status, success)
                for title, rows, headers, status, _, success, _ in results
            ]
        )
    assert outcomes[0] == outcomes[1]
