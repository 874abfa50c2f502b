"""The way to a proxy in front of one's own database, as policies/README.md has it, and with the files of the containers."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from proxy.commands import ExitCode
from proxy.demo.clinic import clinic_dsn, load_clinic
from proxy.postgres.databases import ensure_database
from proxy.postgres.embedded import EmbeddedPostgres
from tests.docs.markdown import CHECKOUT, POLICIES
from tests.docs.running import commands_and_output, run_command, serving

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedPostgres]:
    """The owner's server: one of its own, since the files make roles with fixed names."""
    with EmbeddedPostgres(tmp_path_factory.mktemp("owner"), durable=False) as postgres:
        yield postgres


def ask(port: int, database: str, password: str, query: str) -> int:
    with psycopg.connect(
        host="127.0.0.1", port=port, dbname=database, user="ana", password=password, autocommit=True
    ) as connection:
        row = connection.execute(query.encode()).fetchone()
    assert row is not None
    return int(row[0])


def test_own_database_is_checked_and_served_as_described(server: EmbeddedPostgres, tmp_path: Path) -> None:
    load_clinic(server.dsn(), 5_000)
    with psycopg.connect(clinic_dsn(server.dsn())) as owner:
        owner.execute(POLICIES.block("sql", "owner").encode())
    (tmp_path / "clinic.yaml").write_text(POLICIES.block("yaml", "policy"), encoding="utf-8")
    source = make_conninfo(clinic_dsn(server.dsn()), user="clinic_reader", password="change me")
    (tmp_path / "draft.yaml").write_text(POLICIES.block("yaml", "start"), encoding="utf-8")
    ((first, first_output),) = commands_and_output(POLICIES.block("console", "start"))
    ((check, check_output), (serve, serve_output)) = commands_and_output(POLICIES.block("console", "serve"))

    for command, output in commands_and_output(POLICIES.block("console", "init")):
        assert run_command(command, tmp_path, DATABASE_URL=source) == output
    assert run_command(first, tmp_path, DATABASE_URL=source) == first_output
    assert run_command(check, tmp_path, DATABASE_URL=source) == check_output

    (catalog, _), (explain, explained) = commands_and_output(POLICIES.block("console", "explain"))
    assert run_command(catalog, tmp_path, DATABASE_URL=source) == ""
    (tmp_path / "dashboard.sql").write_text(POLICIES.block("sql", "queries"), encoding="utf-8")
    ((queries, as_expected),) = commands_and_output(POLICIES.block("console", "queries"))
    assert run_command(queries, tmp_path, DATABASE_URL="host=/nowhere") == as_expected
    assert run_command(f"{queries} --record", tmp_path, DATABASE_URL="host=/nowhere") == as_expected
    assert (tmp_path / "dashboard.sql").read_text(encoding="utf-8") == POLICIES.block("sql", "queries")
    ((dummy, dummy_output),) = commands_and_output(POLICIES.block("console", "dummy"))
    with serving(shlex.split(dummy.replace(":5433", ":0")), tmp_path, "listening", {"DATABASE_URL": ""}) as proxy:
        assert proxy.printed.replace(f":{proxy.port}", ":5433") == dummy_output
        assert 1_000 < ask(proxy.port, "clinic", "dummy", "SELECT count(*) FROM visits") < 4_000
    assert run_command(explain, tmp_path, ExitCode.FAILED, DATABASE_URL="host=/nowhere") == explained

    assert serve.endswith("127.0.0.1:5433")
    free_port = serve.replace(":5433", ":0")
    with serving(shlex.split(free_port), tmp_path, "listening", {"DATABASE_URL": source}) as proxy:
        # The log says beside it that a new ledger begins.
        logged, _, printed = proxy.printed.partition("a new ledger begins in dpproxy-state\n")
        assert (logged.count("\n"), printed.replace(f":{proxy.port}", ":5433")) == (0, serve_output)
        assert 3_000 < ask(proxy.port, "clinic", "demo", "SELECT count(*) FROM visits") < 7_000
        count = ask(proxy.port, "clinic", "demo", "SELECT count(*) FROM visits")
    assert (tmp_path / "dpproxy-state" / "data").is_dir()

    # What docker/README.md advises where an old copy of the ledger is all that is left.
    lower = POLICIES.block("yaml", "policy").replace("budget: {epsilon: 4,", "budget: {epsilon: 0.01,")
    (tmp_path / "clinic.yaml").write_text(lower, encoding="utf-8")
    with serving(shlex.split(free_port), tmp_path, "listening", {"DATABASE_URL": source}) as proxy:
        assert ask(proxy.port, "clinic", "demo", "SELECT count(*) FROM visits") == count
        with pytest.raises(psycopg.errors.ConfigurationLimitExceeded):
            ask(proxy.port, "clinic", "demo", "SELECT count(*) FROM visits WHERE cost > 100")


def test_password_prints_a_line_like_the_one_in_the_policy(tmp_path: Path) -> None:
    printed = run_command("dpproxy password --user ana <<<demo", tmp_path)
    (line,) = [line.strip() for line in POLICIES.block("yaml", "policy").splitlines() if "password" in line]
    base64 = re.compile(r"[A-Za-z0-9+/=]{20,}")
    assert base64.sub("…", printed.strip()) == base64.sub("…", line)
    assert printed.strip() != line


def test_compose_source_serves_the_example_policy(server: EmbeddedPostgres, tmp_path: Path) -> None:
    dsn = ensure_database(server.dsn(), "compose")
    with psycopg.connect(dsn) as owner:
        owner.execute((CHECKOUT / "docker" / "source.sql").read_text(encoding="utf-8").encode())
    source = make_conninfo(dsn, user="reader", password="reader")
    shutil.copy(CHECKOUT / "policies" / "example.yaml", tmp_path)
    command = ["dpproxy", "serve", "--policy", "example.yaml", "--listen", "127.0.0.1:0"]
    with serving(command, tmp_path, "listening", {"DATABASE_URL": source}) as proxy:
        assert 38_000 < ask(proxy.port, "compose", "example", "SELECT count(*) FROM visits") < 42_000
