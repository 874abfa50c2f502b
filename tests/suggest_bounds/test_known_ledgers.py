"""Commands that charge a ledger, or look at it, take only the one that the policy remembers, as `serve` does."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from proxy.budget.ledger import Ledger
from proxy.cli import main
from proxy.commands import ExitCode
from tests.budget.support import execute, with_ledger
from tests.conftest import PostgresCluster, copy_database
from tests.suggest_bounds.conftest import Steward

Command = Callable[[Steward, Path], list[str]]

CHARGING: Mapping[str, Command] = {
    "suggest-bounds": lambda steward, _: ["suggest-bounds", str(steward.policy), "--column", "cost", "--table", "public.visits"],
    "export-local": lambda steward, out: ["export-local", str(steward.policy), "--table", "public.visits", "--columns", "region", "--epsilon", "0.3", "--out", str(out)],
    "budget grant": lambda steward, _: ["budget", "grant", "--policy", str(steward.policy), "--account", "unit:patient", "--epsilon", "1", "--reason", "x"],
}  # fmt: skip
LOOKING: Mapping[str, Command] = {
    "budget": lambda steward, _: ["budget", "--policy", str(steward.policy)],
    "report": lambda steward, _: ["report", str(steward.policy)],
}
WITHOUT_POLICY = (["budget", "--verify"], ["budget", "--by", "table"], ["budget", "--export"], ["suspensions"])


def run(command: Command, steward: Steward, directory: Path) -> int:
    return main([*command(steward, directory / "out.txt"), "--ledger", steward.ledger])


def charged(steward: Steward) -> list[tuple[object, ...]]:
    return execute(
        steward.ledger,
        "SELECT account, rho FROM dpproxy.account WHERE rho > 0 UNION ALL SELECT account, epsilon FROM dpproxy.granted",
    )


def pay(steward: Steward) -> None:
    assert steward.run("--column", "cost", "--table", "public.visits") == ExitCode.OK


def replaced(steward: Steward, name: str) -> None:
    """The ledger's database has another one in its place: an empty one, or a copy."""
    server = make_conninfo(steward.ledger, dbname="postgres")
    own = str(conninfo_to_dict(steward.ledger)["dbname"])
    execute(server, f"DROP DATABASE {own}")
    execute(server, f"ALTER DATABASE {name} RENAME TO {own}")


@pytest.mark.parametrize("command", [*CHARGING.values(), *LOOKING.values()], ids=[*CHARGING, *LOOKING])
def test_another_ledger_and_an_older_one_are_refused(
    command: Command, steward: Steward, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server, own = make_conninfo(steward.ledger, dbname="postgres"), str(conninfo_to_dict(steward.ledger)["dbname"])
    pay(steward)
    assert json.loads(Path(f"{steward.policy}.ledger").read_text(encoding="utf-8"))["state"] is None
    copy_database(server, own, f"{own}_older")
    pay(steward)
    replaced(steward, f"{own}_older")
    before = charged(steward)
    assert run(command, steward, tmp_path) == ExitCode.WRONG_INPUT
    assert "remembers another ledger: this one is an older copy, in which charge" in capsys.readouterr().err
    assert charged(steward) == before
    execute(server, f"CREATE DATABASE {own}_empty")
    replaced(steward, f"{own}_empty")
    for _ in range(2):
        assert run(command, steward, tmp_path) == ExitCode.WRONG_INPUT
        assert "remembers another ledger: this database has none" in capsys.readouterr().err
    assert execute(steward.ledger, "SELECT to_regclass('dpproxy.charge')") == [(None,)]
    with_ledger(steward.ledger, Ledger.accounts)
    assert run(command, steward, tmp_path) == ExitCode.WRONG_INPUT
    assert re.search(r"remembers another ledger: this one is [0-9a-f-]{36}, and not", capsys.readouterr().err)


@pytest.mark.parametrize("command", CHARGING.values(), ids=CHARGING)
def test_what_was_changed_or_would_not_count_is_charged_no_more(
    command: Command, steward: Steward, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pay(steward)
    text, budget = steward.policy.read_text(encoding="utf-8"), "budget: {epsilon: 20, delta: 1e-6"
    steward.policy.write_text(text.replace(budget, f"{budget}, renew: {{every: day}}"), encoding="utf-8")
    before = charged(steward)
    assert run(command, steward, tmp_path) == ExitCode.WRONG_INPUT
    assert "the policy does not fit the ledger" in capsys.readouterr().err
    steward.policy.write_text(text, encoding="utf-8")
    execute(steward.ledger, "UPDATE dpproxy.account SET rho = rho / 2")
    assert run(command, steward, tmp_path) == ExitCode.FAILED
    assert "somebody has changed the ledger" in capsys.readouterr().err
    execute(steward.ledger, "UPDATE dpproxy.account SET rho = rho * 2")
    assert charged(steward) == before


def test_who_only_looks_begins_no_ledger(
    steward: Steward, tmp_path: Path, postgres_cluster: PostgresCluster, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither in an empty database nor in an empty directory, as of a mount that was forgotten."""
    grant = CHARGING["budget grant"](steward, tmp_path)
    looking = [*WITHOUT_POLICY, *(command(steward, tmp_path) for command in LOOKING.values()), grant]
    empty, state = postgres_cluster.create_database("empty"), tmp_path / "state"
    for arguments in looking:
        assert main([*arguments, "--ledger", empty]) == ExitCode.UNREACHABLE, arguments
        assert "the database has no ledger" in capsys.readouterr().err
    with psycopg.connect(empty) as connection:
        assert connection.execute("SELECT FROM pg_namespace WHERE nspname = 'dpproxy'").fetchone() is None
    state.mkdir()
    for arguments in looking:
        assert main([*arguments, "--state", str(state)]) == ExitCode.WRONG_INPUT, arguments
        assert f"no ledger in {state}" in capsys.readouterr().err
    assert not list(state.iterdir())
    assert not Path(f"{steward.policy}.ledger").exists()
