"""The README's psql sessions and queries against the demo that it tells people to start."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

import psycopg
import pytest

from proxy.demo.client import psql_command
from proxy.demo.data import REGIONS, generate_clinic
from proxy.dp.accounting import Account, Price
from tests.docs.markdown import README, block, blocks, table
from tests.docs.running import environment, serving
from tests.programs import find_program

SHELL_PROMPT = "$ "
PROMPT = re.compile(r"^clinic[=-]> ", re.MULTILINE)


@pytest.fixture(scope="module")
def demo_port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    command = (sys.executable, "-m", "proxy.cli", "demo", "--listen", "127.0.0.1:0")
    with serving(command, tmp_path_factory.mktemp("demo"), "dp.budget", {}) as demo:
        yield demo.port


@pytest.fixture(scope="module")
def replayed(demo_port: int, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What psql prints for each session, right after the demo's own questions, as the README's remainders say."""
    return [
        subprocess.run(
            [find_program("psql"), "-X", "--echo-all", *psql_command("127.0.0.1", demo_port).split()[1:]],
            input=PROMPT.sub("", "\n".join(line for line in session.text.splitlines() if PROMPT.match(line))) + "\n",
            env=environment(tmp_path_factory.mktemp("psql"), LC_ALL="C.UTF-8"),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=60,
            check=True,
        ).stdout
        for session in blocks("psql")
    ]


@pytest.fixture(scope="module")
def analyst(demo_port: int, replayed: list[str]) -> Iterator[psycopg.Connection]:
    """A connection that charges nothing before the sessions were replayed."""
    assert replayed
    dsn = psql_command("127.0.0.1", demo_port).split()[1]
    with psycopg.connect(dsn, autocommit=True) as connection:
        yield connection


def shape(session: str) -> list[str]:
    """Lines without widths, and without the digits of answers. EXPLAIN's numbers, prices and row counts stay."""
    lines: list[str] = []
    in_answer = False
    for line in session.splitlines():
        words = re.sub("-{2,}", "--", " ".join(line.split()))
        if set(words) <= set("-+") and words:
            in_answer = lines[-1] != "QUERY PLAN"
        elif words.startswith("("):
            in_answer = False
        elif in_answer:
            words = re.sub(r"-?\d+(\.\d+)?", "#", words)
        if words:
            lines.append(words)
    return lines


def test_sessions_show_what_psql_shows(replayed: list[str]) -> None:
    for session, printed in zip(blocks("psql"), replayed, strict=True):
        lines = [line for line in session.text.splitlines() if not line.startswith(SHELL_PROMPT)]
        assert shape(printed) == shape(PROMPT.sub("", "\n".join(lines)))


def test_shape_tells_sessions_apart() -> None:
    """Another price, another row count, another error and another column are differences; another noise is none."""
    session = blocks("psql")[0].text
    for old, new in (("0.03125", "0.03124"), ("(2 rows)", "(3 rows)"), ("would return", "returns"), ("average", "a")):
        assert old in session
        assert shape(session.replace(old, new)) != shape(session)
    assert shape(session.replace("68640", "1")) == shape(session)


def test_command_of_the_session_is_what_the_demo_prints() -> None:
    assert blocks("psql")[0].text.splitlines()[0] == SHELL_PROMPT + psql_command("127.0.0.1", 5433)


def test_exact_numbers_of_the_session_are_those_of_the_clinic() -> None:
    clinic = generate_clinic()
    expected = []
    for zone in ("coast", "inland"):
        costs = [
            int(cents) for region, cents in zip(clinic.region, clinic.cost, strict=True) if REGIONS[region].zone == zone
        ]
        expected.append(f"{len(costs)} at {sum(costs) / len(costs) / 100:.2f}")
    assert f"The exact numbers are {' and '.join(expected)};" in README


def statements(text: str) -> list[str]:
    return [statement.strip() for statement in text.split(";\n") if statement.strip()]


@pytest.mark.parametrize("query", statements(block("sql", "SELECT count(*), count(minutes)")))
def test_what_can_be_asked_is_answered(query: str, analyst: psycopg.Connection) -> None:
    analyst.execute("SET dp.epsilon = 0.1")
    assert analyst.execute(query.encode()).fetchall()


@pytest.mark.parametrize("line", block("sql", "SELECT * FROM visits LIMIT 10;").splitlines())
def test_what_is_refused_is_refused_with_the_code_beside_it(line: str, analyst: psycopg.Connection) -> None:
    query, _, comment = line.partition("--")
    before = analyst.execute("SELECT count(*) FROM dp.ledger").fetchone()
    with pytest.raises(psycopg.Error) as refusal:
        analyst.execute(query.encode())
    assert refusal.value.sqlstate == comment.split()[0]
    assert refusal.value.diag.message_hint or refusal.value.diag.message_detail
    assert analyst.execute("SELECT count(*) FROM dp.ledger").fetchone() == before


ACCURACY = table("`dp.epsilon`", "ρ", "`count(*)` of visits", "`sum(cost)`", "`count(*)` of patients", "queries")


@pytest.mark.parametrize("row", ACCURACY, ids=[row[0] for row in ACCURACY])
def test_accuracy_table_is_what_explain_says(row: tuple[str, ...], analyst: psycopg.Connection) -> None:
    epsilon, rho, *widths, queries = row
    analyst.execute(f"SET dp.epsilon = {epsilon}".encode())
    for width, asked in zip(
        widths, ("count(*) FROM visits", "sum(cost) FROM visits", "count(*) FROM patients"), strict=True
    ):
        aggregate, table_name = asked.split(" FROM ")
        plan = analyst.execute(
            f"EXPLAIN SELECT region, {aggregate} FROM {table_name} GROUP BY region".encode()
        ).fetchall()
        text = "\n".join(line for (line,) in plan)
        assert re.findall("95 % of the noise within (.*)", text) == [width]
        assert re.findall("Price: rho (.*)", text) == [rho]
    account = Account(Fraction(10), Fraction(Decimal("1e-6")))
    assert queries == str(account.queries_left(Price.zero(), Price.gaussian(Fraction(Decimal(rho)))))
