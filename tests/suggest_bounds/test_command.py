"""`dpproxy suggest-bounds` as a steward uses it: what is asked, paid, printed and written."""

from __future__ import annotations

import datetime as dt
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from proxy.cli import main
from proxy.commands import ExitCode
from proxy.policy.model import Bound, ColumnPolicy
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.sql.suggesting.questions import Balance
from proxy.suggest_bounds.choosing import STEWARD
from tests.end_to_end import clinic
from tests.suggest_bounds.conftest import POLICY, Steward

VISITS = "public.visits"
DEADLINE_SECONDS = 40.0


def column(steward: Steward, name: str) -> ColumnPolicy:
    return (steward.loaded().tables[VISITS].columns or {})[name]


def numbers(bounds: tuple[Bound, Bound] | None) -> tuple[Decimal, Decimal]:
    assert bounds is not None
    low, high = bounds
    assert isinstance(low, Decimal)
    assert isinstance(high, Decimal)
    return low, high


def source_as_role(owner: psycopg.Connection, steward: Steward, role: str) -> str:
    """A connection string of a new role for the steward's source."""
    owner.execute(sql.SQL("CREATE ROLE {} LOGIN PASSWORD 'x'").format(sql.Identifier(role)))
    return make_conninfo(steward.source, user=role, password="x")


def test_what_is_missing_is_chosen_paid_and_written(steward: Steward, capsys: pytest.CaptureFixture[str]) -> None:
    assert steward.run("--group-by", "region", "--write") == ExitCode.OK
    printed = capsys.readouterr().out

    # 2 000 patients with 6 visits on average, at most about 60. Costs are below 1 000, scores below 143, but for five
    # planted extremes. Where nobody is, the penalty alone decides (theorem 17), whatever ε is: odds of bounds beyond each
    # of these limits are 1e-6 at most, by the law of both choices. Lows below -500 and -70 have odds of 0.002 each.
    policy = steward.loaded().tables[VISITS]
    assert 6 <= (policy.contribution.max_rows or 0) <= 6000
    assert 1 <= (policy.contribution.max_rows_per_group or 0) <= (policy.contribution.max_rows or 0)
    low_cost, high = numbers(column(steward, "cost").bounds)
    assert -1700 <= low_cost <= 100
    assert 900 <= high <= 3000
    low, high = numbers(column(steward, "score").bounds)
    assert -250 <= low <= 20
    assert 120 <= high <= 440
    assert low_cost >= -500 or low >= -70
    first, last = column(steward, "visited_at").bounds or (None, None)
    assert isinstance(first, dt.date)
    assert isinstance(last, dt.date)
    assert first <= dt.date(2024, 1, 1) <= dt.date(2025, 12, 1) <= last
    assert numbers(column(steward, "minutes").bounds) == (Decimal(7), Decimal(9))

    # Only values have come into the file.
    text = re.sub(r"\{bounds: \[(?!7, 9).*?\]\}", "{}", steward.policy.read_text())
    assert re.sub(r"    contribution: .*\n", "", text) == POLICY
    assert f"max_rows: {policy.contribution.max_rows}\n" in printed
    assert f"bounds of score: [{low}, {high}]" in printed
    assert f"written to {steward.policy}" in printed

    # All accounts have paid, every analyst's too: all of them see the bounds.
    paid = steward.charges()
    accounts = ["analyst:ana:public.visits", "analyst:bob:public.visits", "table:public.visits", "unit:patient"]
    assert sorted(str(row[0]) for row in paid) == accounts
    assert {row[1] for row in paid} == {STEWARD}
    assert {row[4] for row in paid} == {
        "suggest-bounds: max_rows, max_rows_per_group, bounds of cost, bounds of score, bounds of visited_at "
        "over public.visits"
    }
    (epsilon, rho) = {(row[2], row[3]) for row in paid}.pop()
    assert isinstance(rho, Decimal)
    assert Decimal("0.499") < rho <= Decimal("0.5000001")  # that of a query at epsilon 1
    assert re.search(rf"rho {float(rho):.6g}\), charged to table:public\.visits \(\d+\.\d% of it\), ", printed)
    assert f"epsilon {float(str(epsilon)):.6g}, rho" in printed

    assert main(["check", str(steward.policy), "--source", steward.source]) == ExitCode.OK
    warnings = [line for line in capsys.readouterr().out.splitlines() if ": warning: " in line]
    places = sorted(re.split(": ", line, maxsplit=3)[2] for line in warnings)
    assert places == [
        "analysts.bob.password",
        "source",
        "tables.public.visits.budget.epsilon",
        "tables.public.visits.columns.region.values_from",
        "tables.public.visits.per_analyst.epsilon",
        "tables.public.visits.unit.column",
        "timing",
        "units.patient.budget.epsilon",
    ]
    assert steward.run("--write") == ExitCode.WRONG_INPUT
    assert "nothing is missing" in capsys.readouterr().err
    assert steward.charges() == paid


def test_named_columns_are_asked_again_and_paid_again(steward: Steward) -> None:
    for _ in range(2):
        assert steward.run("--column", "minutes", "--epsilon", "2", "--write") == ExitCode.OK
    low, high = numbers(column(steward, "minutes").bounds)
    # Odds of bounds beyond these, below 0 or above 120, are 1e-6 at most, by the law of both choices.
    assert -210 <= low <= 20
    assert 110 <= high <= 350
    assert column(steward, "cost").bounds is None
    assert len(steward.charges()) == 2 * 4


def test_rows_of_a_query_are_asked_without_a_place_in_the_policy(
    steward: Steward, capsys: pytest.CaptureFixture[str]
) -> None:
    query = (
        "SELECT patient_id, count(*) AS n, sum(minutes) AS total FROM visits WHERE minutes < 1000 GROUP BY patient_id"
    )
    assert steward.run("--query", query, "--epsilon", "2") == ExitCode.OK
    printed = capsys.readouterr().out
    found = re.findall(r"bounds of (\w+): \[\S+, (\d+)\]", printed)
    assert [name for name, _ in found] == ["n", "total"]
    assert 6 <= int(found[0][1]) <= 600
    assert 300 <= int(found[1][1]) <= 40_000
    assert steward.run("--query", query, "--write") == ExitCode.WRONG_INPUT
    assert len(steward.charges()) == 4
    assert steward.policy.read_text() == POLICY


def test_a_cap_for_counts_in_many_groups_is_lower(steward: Steward) -> None:
    """Of 1 029 patients with visits 501 have more than 10, and 126 groups allow for 504; 17 have more than 40.

    At an ε of 2, a cap of at most 40 has odds below exp(-28) without --groups, and any other below 0.0005 with it.
    """

    def max_rows(*options: str) -> int:
        assert steward.run("--max-rows", "--write", *options) == ExitCode.OK
        return steward.loaded().tables[VISITS].contribution.max_rows or 0

    assert max_rows() > 40
    assert min(max_rows("--groups", "126") for _ in range(3)) <= 40


def test_the_balance_of_clipping_and_noise_is_that_of_its_formula() -> None:
    gaussian, laplace = Balance(30, Fraction(1, 10), pure=False), Balance(30, Fraction(1, 10), pure=True)
    assert gaussian.rows_outside() == laplace.rows_outside() == 1200  # 4·30·10: σ = 1/√(2ρ) with ρ = ε²/2, and 1/ε
    assert gaussian.values_outside(40, 10) == 450 * 20
    assert laplace.values_outside(40, 10) == 450 * 40
    assert Balance(0, Fraction(1, 10), pure=True).values_outside(40, 10) == 0


def test_with_a_pure_account_the_price_is_the_epsilon(steward: Steward) -> None:
    pure = POLICY.replace("epsilon: 50, delta: 1e-6", "epsilon: 50")
    assert pure != POLICY
    steward.policy.write_text(pure)
    assert steward.run("--max-rows", "--column", "cost", "--epsilon", "0.9") == ExitCode.OK
    assert {row[2] for row in steward.charges()} == {Decimal("0.9")}


def test_a_dry_run_needs_no_ledger_and_asks_nothing(steward: Steward, capsys: pytest.CaptureFixture[str]) -> None:
    steward.ledger = "host=127.0.0.1 port=1 dbname=nowhere"
    assert steward.run("--dry-run", "--write") == ExitCode.OK
    printed = capsys.readouterr().out
    assert "public.visits: bounds of cost, bounds of score, bounds of visited_at\n" in printed
    assert "dp.epsilon = 1 " in printed
    assert printed.endswith("nothing was charged or asked\n")
    assert steward.policy.read_text() == POLICY


def test_an_exhausted_budget_is_a_plain_error_and_nothing_happens(
    steward: Steward, capsys: pytest.CaptureFixture[str]
) -> None:
    assert steward.run("--epsilon", "500", "--write") == ExitCode.FAILED
    error = capsys.readouterr().err
    assert 'the budget of "analyst:ana:public.visits" cannot pay' in error
    assert "nothing was charged" in error
    assert steward.charges() == []
    assert steward.policy.read_text() == POLICY


def test_a_file_that_cannot_be_rewritten_costs_nothing(steward: Steward, capsys: pytest.CaptureFixture[str]) -> None:
    text = POLICY.replace("cost: {}", "cost: &free {}").replace("score: {}", "score: *free")
    steward.policy.write_text(text)
    assert steward.run("--column", "cost", "--write") == ExitCode.WRONG_INPUT
    assert "has an anchor: enter it by hand" in capsys.readouterr().err
    assert steward.charges() == []
    assert steward.policy.read_text() == text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--table", "public.regions"],
            "public.regions is not a private table of the policy; private tables are public.visits",
        ),
        (["--column", "nonsense"], "there is no column 'nonsense'"),
        (["--column", "diagnosis"], "there is no column 'diagnosis'"),
        (["--column", "region"], "region is not a number, date or timestamp"),
        (["--group-by", "region,nonsense"], "there is no column 'nonsense'"),
        (["--all", "--max-rows"], "--all includes everything: leave"),
        (["--epsilon", "0"], "--epsilon: expected a positive number, got 0"),
        (["--epsilon", "NaN"], "--epsilon: expected a positive number, got NaN"),
        (["--epsilon", "much"], "--epsilon: expected a positive number, got much"),
        (["--epsilon", "1e-6"], "--epsilon is 1e-06, but the policy requires at least 0.001 here"),
        (["--groups", "-1"], "--groups: expected a number of groups, got -1"),
        (["--state", "x"], "--state and --ledger exclude each other"),
        (["--query", "SELECT 1", "--table", VISITS], "--table and --query exclude each other"),
        (["--query", "SELECT name FROM regions"], "the query reads no private table"),
        (["--query", "DROP TABLE visits"], "--query requires a SELECT"),
        (["--query", "SELECT cost FROM visits LIMIT 3"], "LIMIT is not supported inside an aggregate"),
        (["--query", "SELECT sum(cost) AS s FROM visits"], "aggregate"),
        (["--query", "SELECT patient_id FROM visits GROUP BY 1", "--max-rows"], "a unit has only one row"),
    ],
)
def test_wrong_input_is_a_plain_error(
    steward: Steward, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert steward.run(*options) == ExitCode.WRONG_INPUT
    printed = capsys.readouterr()
    assert (printed.out, message in printed.err) == ("", True), printed
    assert printed.err.startswith("dpproxy suggest-bounds: ")
    assert steward.charges() == []


def test_unreachable_databases_are_plain_errors(steward: Steward, capsys: pytest.CaptureFixture[str]) -> None:
    nowhere = "host=127.0.0.1 port=1 dbname=x user=y password=secret-of-the-owner"
    assert steward.run("--source", nowhere) == ExitCode.UNREACHABLE
    steward.ledger = nowhere
    assert steward.run() == ExitCode.UNREACHABLE
    printed = capsys.readouterr()
    assert "secret-of-the-owner" not in printed.err
    assert "the private database was not queried" in printed.err


def test_the_ledger_of_a_running_proxy_is_not_opened(
    steward: Steward, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "state"
    with EmbeddedPostgres(state, durable=False):
        code = main(["suggest-bounds", str(steward.policy), "--state", str(state)])
    assert code == ExitCode.FAILED
    error = capsys.readouterr().err
    assert f"the ledger in {state} is in use by a running dpproxy (process {os.getpid()}). Stop it first" in error
    # To choose another directory would be to forget what was spent.
    assert "choose another" not in error


def test_a_reader_without_select_is_a_finding_and_costs_nothing(
    steward: Steward, capsys: pytest.CaptureFixture[str]
) -> None:
    """A role that may read the catalog, and not the rows: as `dpproxy check` says it, before a row is asked for."""
    with psycopg.connect(steward.source, autocommit=True) as owner:
        source = source_as_role(owner, steward, f"blind_{os.getpid()}")
    assert steward.run("--source", source, "--write") == ExitCode.WRONG_INPUT
    printed = capsys.readouterr()
    assert "tables.public.visits: the source's user may not read it" in printed.err
    assert "GRANT SELECT ON public.visits" in printed.err
    assert printed.out == ""
    assert steward.charges() == []
    assert steward.policy.read_text() == POLICY


def test_a_source_that_cannot_be_asked_costs_nothing(
    steward: Steward, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """A role that may read a view whose owner, itself, may not read the rows below."""
    role = f"half_blind_{os.getpid()}"
    with psycopg.connect(steward.source, autocommit=True) as owner:
        source = source_as_role(owner, steward, role)
        owner.execute("ALTER TABLE visits RENAME TO stays")
        owner.execute("CREATE VIEW visits AS SELECT * FROM stays")
        owner.execute(sql.SQL("ALTER VIEW visits OWNER TO {}").format(sql.Identifier(role)))
        owner.execute(sql.SQL("GRANT SELECT ON regions TO {}").format(sql.Identifier(role)))
        try:
            assert steward.run("--source", source, "--write") == ExitCode.FAILED
        finally:
            owner.execute("DROP VIEW visits")
            owner.execute("ALTER TABLE stays RENAME TO visits")
    error = capsys.readouterr().err
    assert error.startswith("dpproxy suggest-bounds: the tables of the private database have changed")
    assert "\nNothing was charged" in error
    assert "permission denied for table stays" in caplog.text
    assert steward.charges() == []
    assert steward.policy.read_text() == POLICY


@pytest.mark.parametrize("condition", ["region ~ '['", "visited_at AT TIME ZONE 'Europe/Atlantis' > '2024-01-01'"])
def test_a_constant_that_the_source_cannot_compute_costs_nothing(
    steward: Steward, condition: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would fail at the first row that meets it, after the charge."""
    assert steward.run("--query", f"SELECT patient_id, cost FROM visits WHERE {condition}") == ExitCode.FAILED
    error = capsys.readouterr().err
    assert error.startswith("dpproxy suggest-bounds: the private database cannot compute this\nNothing was charged")
    assert steward.charges() == []


def test_a_budget_that_is_exhausted_is_told_before_the_source_is_asked(
    steward: Steward, capsys: pytest.CaptureFixture[str]
) -> None:
    with psycopg.connect(steward.source) as somebody:
        somebody.execute("LOCK TABLE visits IN ACCESS EXCLUSIVE MODE")
        assert steward.run("--epsilon", "500") == ExitCode.FAILED
    assert "cannot pay" in capsys.readouterr().err


@pytest.fixture
def slow_visits(steward: Steward) -> Iterator[None]:
    """Rows of the source that come slowly, so that the source query waits."""
    with psycopg.connect(steward.source, autocommit=True) as owner:
        owner.execute("ALTER TABLE visits RENAME TO stays")
        owner.execute("CREATE VIEW visits AS SELECT stays.* FROM stays, (SELECT pg_sleep(30) OFFSET 0) AS slow")
        yield
        owner.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
        owner.execute("DROP VIEW visits")
        owner.execute("ALTER TABLE stays RENAME TO visits")


@pytest.mark.usefixtures("slow_visits")
def test_killed_between_charge_and_answer_the_charge_stays(steward: Steward) -> None:
    path = os.pathsep.join(filter(None, sys.path))
    arguments = ["suggest-bounds", str(steward.policy), "--ledger", steward.ledger, "--write"]
    with subprocess.Popen(
        [sys.executable, "-m", "proxy.cli", *arguments],
        env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.DEVNULL,
    ) as process:
        deadline = time.monotonic() + DEADLINE_SECONDS
        while len(steward.charges()) < 4:
            assert process.poll() is None
            assert time.monotonic() < deadline, "nothing was charged"
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        assert process.wait(DEADLINE_SECONDS) == -signal.SIGKILL
    assert len(steward.charges()) == 4
    assert steward.policy.read_text() == POLICY
    assert clinic.VERIFIER in steward.policy.read_text()
