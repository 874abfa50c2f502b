"""Expressions that fail natively for some value must answer: an error would be an oracle for one row (attacks 5-7).

All of `tests/fixtures/expressions` goes through the wire, over rows that hold the worst values of every type. A family is
asked by one of its members; all of them are tried on the source in `tests/sql/test_expressions.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import psycopg
import pytest

from proxy.policy.model import Policy
from proxy.sql.terms.work import MOST_ROW_WORK
from tests.attacks.attacker import UNSUPPORTED
from tests.conftest import PostgresCluster
from tests.end_to_end import clinic
from tests.end_to_end.charging import all_spent
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.recording import recording
from tests.expressions.cases import CASES, Case, name
from tests.expressions.compiling import read
from tests.expressions.table import EXTREME, WIDE, create, policy, relation

SOMEBODY, NOBODY = 3, 999_999
ZONES = ("UTC", "FAR15:59", "FAR-15:59")
REFUSED = [case for case in CASES if case.refused and not case.ranges]
ANSWERED = [case for case in CASES if not case.refused]
FAILING = [case for case in ANSWERED if case.theme == "failing"]
"""Conditions that fail natively for some extreme value."""
THEMES = sorted({case.theme for case in ANSWERED})
ONE_STATEMENT = MOST_ROW_WORK // 4
"""Nanoseconds that the expressions of a statement may take for a row."""


@dataclass(frozen=True)
class Extreme:
    """A client of a proxy before the table of extreme rows, the source behind it, and the rules that refused."""

    client: psycopg.Connection
    source: psycopg.Connection
    rules: list[str | None]

    def answers(self, texts: Sequence[str], person: int) -> None:
        """All are answered, in few statements, whether a person has rows or not."""
        for some in _statements(texts):
            # A condition of FILTER is not estimated by the planner, which would make it fail always.
            counted = ", ".join(f"count(*) FILTER (WHERE ({text}) IS NOT NULL)" for text in some)
            query = f"SELECT {counted} FROM extremes WHERE unit = {person}"
            assert self.client.execute(query.encode()).fetchone() is not None


def _statements(texts: Sequence[str]) -> Iterator[list[str]]:
    """The expressions in lists for one statement each; without those that alone take too long for a row."""
    some, work, extremes = list[str](), 0, relation(EXTREME, WIDE)
    for text, member in zip(texts, read(texts), strict=True):
        term = member.term(extremes)
        own = 0 if term is None else 2 * term.work
        if own > MOST_ROW_WORK:
            continue
        if work + own > ONE_STATEMENT and some:
            yield some
            some, work = [], 0
        some, work = [*some, text], work + own
    yield some


@pytest.fixture(scope="module")
def extreme(postgres_cluster: PostgresCluster, proxies: StartProxy) -> Iterator[Extreme]:
    dsn = postgres_cluster.create_database("expressions")
    rules: list[str | None] = []
    with psycopg.connect(dsn, autocommit=True) as source:
        create(source)
        with recording(rules):
            proxy = proxies(_generous(), source=dsn)
        with proxy.connect() as client:
            client.execute("SET dp.notices = off")
            yield Extreme(client, source, rules)


def _generous() -> Policy:
    more = {"budget": {"epsilon": "1e27", "delta": "0.4"}, "query": {"epsilon": "1e20", "delta": "1e-5"}}
    content = policy(WIDE, **more).model_dump(exclude_none=True)
    return Policy.model_validate(content | {"analysts": {"ana": {"password": clinic.VERIFIER}}})


@pytest.mark.parametrize("case", FAILING, ids=name)
def test_condition_answers_whatever_the_rows_hold(case: Case, extreme: Extreme) -> None:
    query = f"SELECT count(*) FROM extremes WHERE {case.template}"
    assert extreme.client.execute(query.encode()).fetchone() is not None


@pytest.mark.parametrize("theme", THEMES)
def test_expressions_answer_for_somebody(theme: str, extreme: Extreme) -> None:
    extreme.answers([case.members[0] for case in ANSWERED if case.theme == theme], SOMEBODY)


@pytest.mark.parametrize("person", [SOMEBODY, NOBODY])
@pytest.mark.parametrize("zone", ZONES)
def test_expressions_answer_in_every_time_zone(zone: str, person: int, extreme: Extreme) -> None:
    extreme.client.execute("SELECT set_config('TimeZone', %s, false)", [zone])
    try:
        extreme.answers([case.template for case in FAILING], person)
    finally:
        extreme.client.execute("RESET TimeZone")


@pytest.mark.parametrize("case", REFUSED, ids=name)
def test_expression_is_refused_before_anything_is_charged(case: Case, extreme: Extreme) -> None:
    """By the rule that its comment names, unless it means nothing in Postgres either: then the stage refuses it first."""
    before = all_spent(extreme.client)
    extreme.rules.clear()
    with pytest.raises(psycopg.Error) as refusal:
        extreme.client.execute(f"SELECT count(*) FROM extremes WHERE {case.template}".encode())
    if extreme.rules:
        assert f"{extreme.rules[0]} {refusal.value.sqlstate}" == case.refused
    elif case.refused != refusal.value.sqlstate:
        with pytest.raises(psycopg.Error) as native:
            extreme.source.execute(f"SELECT count(*) FROM public.extremes WHERE {case.template}".encode())
        assert native.value.sqlstate == refusal.value.sqlstate
    assert all_spent(extreme.client) == before


TABLE_FUNCTIONS = {
    "table function": "minutes IN (SELECT generate_series(1, 1000000000))",
    "table function in FROM": "EXISTS (SELECT FROM generate_series(1, 1000000000) AS s WHERE s > minutes)",
}


@pytest.mark.parametrize("condition", TABLE_FUNCTIONS.values(), ids=TABLE_FUNCTIONS.keys())
def test_condition_over_rows_without_end_is_refused(condition: str, client: psycopg.Connection) -> None:
    before = all_spent(client)
    with pytest.raises(psycopg.Error) as refusal:
        client.execute(f"SELECT count(*) FROM visits WHERE {condition}")
    # The stage may refuse first, because the expression means nothing in Postgres either.
    assert refusal.value.sqlstate in (UNSUPPORTED, "42703", "42883")
    assert all_spent(client) == before


SUMS = {
    "smallint": ("patients", "sum(birth_year * birth_year)"),
    "NaN cast to integer": ("visits", "avg(cost::integer)"),
    "NaN": ("visits", "avg(cost)"),
    "huge numeric": ("visits", "avg(discount)"),
    "infinities": ("visits", "avg(score)"),
    "denormal": ("visits", "sum(score * 1000000)"),
    "extreme integers": ("visits", "sum(minutes * minutes)"),
}


@pytest.mark.parametrize(("table", "aggregate"), SUMS.values(), ids=SUMS.keys())
def test_sum_answers_whatever_the_rows_hold(table: str, aggregate: str, client: psycopg.Connection) -> None:
    assert client.execute(f"SELECT {aggregate} FROM {table}").fetchone() is not None


def test_nesting_without_end_is_refused_and_the_session_lives_on(client: psycopg.Connection) -> None:
    for depth in (300, 10_000):
        with pytest.raises(psycopg.errors.FeatureNotSupported, match="nested too deeply"):
            client.execute(f"SELECT count(*) FROM visits WHERE {'(' * depth}true{')' * depth}")
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="nested too deeply"):
        client.execute(f"SELECT count(*) FROM visits WHERE {' + '.join(['minutes'] * 3000)} > 3")
    assert client.execute("SELECT 1").fetchone() == (1,)
