"""`dpproxy budget`: the accounts as `dp.budget` shows them, and a ledger that was changed by hand is found out."""

from __future__ import annotations

import io
import re
import socket
from decimal import Decimal
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from ruamel.yaml import YAML

from proxy.cli import main
from proxy.commands import ExitCode
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy

SHOWN = "epsilon, epsilon_spent, rho, rho_spent, delta, delta_spent, percent_left, queries_left"
UNGUARDED = "ALTER TABLE dpproxy.charge DISABLE TRIGGER ALL; {}; ALTER TABLE dpproxy.charge ENABLE TRIGGER ALL"


@pytest.fixture
def policy_file(tmp_path: Path) -> Path:
    path = tmp_path / "policy.yaml"
    text = io.StringIO()
    YAML(typ="safe", pure=True).dump(clinic.POLICY, text)
    path.write_text(re.sub(r"'([\d.e-]+)'", r"\1", text.getvalue()))  # numbers are texts there
    return path


@pytest.fixture
def ledger(proxies: StartProxy) -> str:
    """The connection string of a ledger in which ana and bob have paid, with Laplace and with Gaussian noise."""
    proxy = proxies(clinic.policy())
    with proxy.connect() as ana, proxy.connect("bob") as bob:
        ana.execute("SELECT count(*) FROM patients")
        ana.execute("SELECT count(*) FROM visits")
        bob.execute("SET dp.mechanism = laplace")
        bob.execute("SELECT count(*) FROM visits WHERE minutes > 9")
    return proxy.options.ledger_dsn


def execute(dsn: str, statement: str) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(statement.encode())


def test_accounts_are_listed_as_dp_budget_shows_them_to_each_analyst(
    proxies: StartProxy, policy_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proxy = proxies(clinic.policy())
    shown: dict[str, list[Decimal | None]] = {}
    with proxy.connect() as ana, proxy.connect("bob") as bob:
        ana.execute("SELECT count(*) FROM visits")
        bob.execute("SET dp.mechanism = laplace")
        bob.execute("SELECT count(*) FROM visits WHERE minutes > 9")
        for client in (ana, bob):
            shown |= {
                name: numbers for name, *numbers in client.execute(f"SELECT account, {SHOWN} FROM dp.budget".encode())
            }
    assert {"analyst:ana:public.visits", "analyst:bob:public.visits"} <= shown.keys()
    assert main(["budget", "--policy", str(policy_file), "--ledger", proxy.options.ledger_dsn]) == ExitCode.OK
    titles, _, *lines = capsys.readouterr().out.splitlines()
    assert titles.split() == ["account", *SHOWN.split(", ")]
    listed = {name: numbers for name, *numbers in map(str.split, lines)}
    assert listed == {
        name: ["-" if number is None else f"{float(number):.4g}" for number in numbers]
        for name, numbers in shown.items()
    }


def test_an_untouched_ledger_verifies(ledger: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["budget", "--verify", "--ledger", ledger]) == ExitCode.OK
    assert capsys.readouterr().out == "the totals and the charges of the ledger agree (accounts: 4)\n"


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("UPDATE dpproxy.account SET rho = rho / 2 WHERE account = 'table:public.visits'", "account table:public.visits: the total is"),
        ("INSERT INTO dpproxy.account VALUES ('table:invented', 1, 1, 0)", "account table:invented: the total is"),
        (UNGUARDED.format("UPDATE dpproxy.charge SET rho = 0 WHERE account = 'analyst:bob:public.visits'"), "account analyst:bob:public.visits: the total is"),
        ("INSERT INTO dpproxy.payment VALUES ('block', 'eve', gen_random_uuid())", "block block: marked as paid by eve without a charge"),
    ],
    ids=["total", "account", "charge", "payment"],
)  # fmt: skip
def test_what_was_changed_by_hand_is_told_and_fails(
    ledger: str, change: str, found: str, capsys: pytest.CaptureFixture[str]
) -> None:
    execute(ledger, change)
    assert main(["budget", "--verify", "--ledger", ledger]) == ExitCode.FAILED
    printed = capsys.readouterr()
    (line,) = printed.out.splitlines()
    assert line.startswith(found)
    assert printed.err == "dpproxy budget: the ledger's sums do not agree: it was changed by hand\n"


def test_where_there_is_no_ledger_none_begins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = tmp_path / "mistyped"
    assert main(["budget", "--verify", "--state", str(state)]) == ExitCode.WRONG_INPUT
    assert capsys.readouterr().err == f"dpproxy budget: no ledger in {state}: name it with --state or --ledger\n"
    assert not state.exists()


def test_wrong_input_and_absent_servers_have_their_exit_codes(
    tmp_path: Path, policy_file: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    absent = make_conninfo(host="127.0.0.1", port=port, dbname="ledger", user="nobody")
    assert main(["budget", "--verify", "--ledger", absent]) == ExitCode.UNREACHABLE
    (cause,) = [record.getMessage() for record in caplog.records if record.name == "dpproxy.ledger"]
    assert "Connection refused" in cause
    assert main(["budget", "--policy", str(tmp_path / "none.yaml"), "--ledger", absent]) == ExitCode.WRONG_INPUT
    assert main(["budget", "--verify", "--ledger", absent, "--state", str(tmp_path)]) == ExitCode.WRONG_INPUT
    assert "--state and --ledger: give one of them" in capsys.readouterr().err
    for options in ([], ["--verify", "--policy", str(policy_file)]):
        with pytest.raises(SystemExit):
            main(["budget", *options, "--ledger", absent])
