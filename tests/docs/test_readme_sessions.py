"""The README's psql sessions and queries against the demo that it tells people to start."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

import psycopg
import pytest

from proxy.demo.client import psql_command
from proxy.demo.data import REGIONS, generate_clinic
from proxy.dp.accounting import Account, Price
from tests.docs.markdown import README, between, block, blocks, table
from tests.docs.sessions import SHELL_PROMPT, echoed, shape


def test_sessions_show_what_psql_shows(replayed: list[str]) -> None:
    for session, printed in zip(blocks("psql"), replayed, strict=True):
        assert shape(printed) == shape(echoed(session.text))


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


def test_where_postgres_stops_with_an_error_a_value_is_null_and_whole_numbers_do_not_overflow(
    analyst: psycopg.Connection,
) -> None:
    failing = re.findall("`(.*?)`", between("the value is NULL:\n", ", and in casts"))
    failing = [re.sub(r"\bx\b", "birth_year", expression) for expression in failing]
    failing += [
        "sex::numeric",
        "sex::date",
        "power(birth_year, 100)",
        "extract(year FROM date '9000-01-01' + birth_year * 400)",
    ]
    counted = [f"count(*) FILTER (WHERE ({expression}) IS NULL)" for expression in [*failing, "birth_year * 2000000"]]
    analyst.execute("SET dp.epsilon = 0.1")
    counts = analyst.execute(f"SELECT {', '.join(counted)} FROM patients".encode()).fetchone()
    assert counts is not None
    # Noise with a standard deviation of 32: this fails by chance less than once in 10^100 runs.
    assert [round(count / 20_000) for count in counts] == [1] * len(failing) + [0]


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
