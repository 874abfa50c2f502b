"""What queries cost, through the wire: prices, recall, exhaustion, races, and failures of the source (decision 6)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import pairwise

import psycopg
import pytest

from proxy.postgres.databases import ensure_database
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.serving.options import ServiceOptions
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy

VISITS, PATIENTS, ANA, BOB = (
    "table:public.visits",
    "table:public.patients",
    "analyst:ana:public.visits",
    "analyst:bob:public.visits",
)
PRICE = Decimal("0.125")
"""rho of one block at epsilon 0.5 with Gaussian noise."""

Accounts = dict[str, Decimal]


class Notices:
    """The notices of a connection, in order: texts and details."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self.texts: list[str | None] = []
        self.details: list[str | None] = []
        connection.add_notice_handler(self._add)

    def _add(self, notice: psycopg.errors.Diagnostic) -> None:
        self.texts.append(notice.message_primary)
        self.details.append(notice.message_detail)


@pytest.fixture(scope="module")
def rich_proxy(proxies: StartProxy) -> RunningProxy:
    """Ordinary noise; budgets that these tests cannot exhaust."""
    plenty = {"budget": {"epsilon": "1000", "delta": "1e-6"}}
    return proxies(clinic.policy(visits=plenty | {"per_analyst": plenty["budget"]}, patients=plenty))


@pytest.fixture
def client(rich_proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    with rich_proxy.connect() as connection:
        yield connection


def spent(connection: psycopg.Connection) -> Accounts:
    """rho spent by each account that the analyst can charge."""
    return dict(connection.execute("SELECT account, rho_spent FROM dp.budget").fetchall())


def charged(before: Accounts, after: Accounts) -> Accounts:
    """The accounts that changed, and by how much."""
    return {name: after[name] - before[name] for name in after if after[name] != before[name]}


def test_notice_and_budget_view_tell_the_same_price(client: psycopg.Connection) -> None:
    notices, before = Notices(client), spent(client)
    client.execute("SELECT avg(cost) FROM visits WHERE minutes = 1")
    assert charged(before, spent(client)) == {VISITS: PRICE, ANA: PRICE}
    assert notices.texts == ["dpproxy charged epsilon 0.5 (rho 0.125)"]
    remaining = {
        account: f"{account} {float((rho - rho_spent) / rho):.1%}"
        for account, rho, rho_spent in client.execute("SELECT account, rho, rho_spent FROM dp.budget")
    }
    (detail,) = notices.details
    assert detail is not None
    shown = "SELECT min(queries_left) FROM dp.budget WHERE account = ANY (%s)"
    (further,) = client.execute(shown, [[VISITS, ANA]]).fetchone() or ()
    left = f"Left: {remaining[VISITS]}, {remaining[ANA]}. Enough for {further} more at this price. "
    assert f"{left}95 % of the noise: avg(cost) within ±" in detail
    percentages = client.execute("SELECT account, percent_left FROM dp.budget").fetchall()
    assert {account: f"{account} {percent}%" for account, percent in percentages} == remaining


def test_notice_of_a_choice_tells_its_pure_epsilon_from_the_one_that_was_stated(client: psycopg.Connection) -> None:
    notices = Notices(client)
    client.execute("SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY minutes) FROM visits WHERE minutes > 4")
    assert notices.texts == ["dpproxy charged epsilon 0.5 (pure epsilon 1, rho 0.125)"]


def test_notice_tells_how_many_units_a_selected_group_needs(client: psycopg.Connection) -> None:
    notices = Notices(client)
    query = "SELECT diagnosis, count(*) FROM visits WHERE minutes > 4 GROUP BY diagnosis"
    client.execute(query)
    plan = "\n".join(line for (line,) in client.execute(f"EXPLAIN {query}".encode()))
    threshold = re.search(r"with noise, reaches ([0-9.]+) ", plan)
    assert threshold is not None
    told = re.search(r" rows\. Groups of fewer than about ([0-9]+) units do not show; ", notices.details[0] or "")
    assert told is not None
    assert int(told[1]) - 1 < float(threshold[1]) <= int(told[1])


def test_ledger_view_lists_the_charge_of_each_account(client: psycopg.Connection) -> None:
    client.execute("SELECT region, sum(cost) FROM visits WHERE minutes = 2 GROUP BY region")
    query = "SELECT analyst, account, rho, statement FROM dp.ledger ORDER BY at DESC, account LIMIT 2"
    label = "sum(cost) over public.visits by region"
    assert client.execute(query).fetchall() == [("ana", ANA, PRICE, label), ("ana", VISITS, PRICE, label)]


def test_explain_and_distinct_over_declared_keys_are_free(client: psycopg.Connection) -> None:
    before = spent(client)
    plan = "\n".join(line for (line,) in client.execute("EXPLAIN SELECT region, sum(cost) FROM visits GROUP BY region"))
    assert "Price: rho 0.125" in plan
    rows = client.execute("SELECT DISTINCT region FROM visits ORDER BY region NULLS FIRST").fetchall()
    assert rows == [(None,), ("east",), ("north",), ("nowhere",), ("south",), ("west",)]
    assert spent(client) == before


def test_statement_with_two_blocks_pays_for_both(client: psycopg.Connection) -> None:
    notices, before = Notices(client), spent(client)
    client.execute(
        "SELECT (SELECT count(*) FROM visits WHERE minutes = 3), (SELECT count(*) FROM patients WHERE smoker)"
    )
    assert charged(before, spent(client)) == {VISITS: PRICE, ANA: PRICE, PATIENTS: PRICE}
    assert len(notices.texts) == 2


def test_cte_that_is_used_twice_pays_once(client: psycopg.Connection) -> None:
    before = spent(client)
    rows = client.execute(
        "WITH n AS (SELECT count(*) AS n FROM visits WHERE minutes = 4) SELECT a.n - b.n FROM n AS a CROSS JOIN n AS b"
    ).fetchall()
    assert rows == [(0,)]
    assert charged(before, spent(client)) == {VISITS: PRICE, ANA: PRICE}


SPELLINGS = [
    "SELECT region, count(*) FROM visits WHERE minutes < 50 GROUP BY region ORDER BY region",
    "select   REGION,COUNT( * )\nfrom PUBLIC.visits  where minutes<50 group by 1 order by 1;",
    'SELECT v."region" AS place, count(*) AS n FROM public."visits" AS v WHERE v.minutes < 50 GROUP BY place ORDER BY place',
    "SELECT region, count(*) /* the same */ FROM visits w WHERE ((w.minutes) < 50) GROUP BY w.region ORDER BY 1 -- again",
    "SELECT * FROM (SELECT region, count(*) FROM visits WHERE minutes < 50 GROUP BY 1) AS released ORDER BY 1",
]


def test_recall_is_free_and_identical_across_spellings_and_sessions(rich_proxy: RunningProxy) -> None:
    with rich_proxy.connect() as first:
        before = spent(first)
        answer = first.execute(SPELLINGS[0]).fetchall()
        after = spent(first)
    assert charged(before, after) == {VISITS: PRICE, ANA: PRICE}
    for spelling in SPELLINGS:
        with rich_proxy.connect() as other:
            notices = Notices(other)
            assert other.execute(spelling).fetchall() == answer, spelling
            assert notices.texts == ["dpproxy recalled an earlier answer, free of charge"]
            assert spent(other) == after


def test_recall_finds_the_same_parameter_in_both_formats(client: psycopg.Connection) -> None:
    query = "SELECT count(*) FROM visits WHERE minutes < %t AND cost > %t"
    answer = client.execute(query, (51, Decimal("2.50"))).fetchone()
    before = spent(client)
    assert client.execute(query.replace("%t", "%b"), (51, Decimal("2.50")), binary=True).fetchone() == answer
    assert spent(client) == before


def test_other_settings_or_constants_are_another_question(client: psycopg.Connection) -> None:
    answers = [client.execute("SELECT sum(cost) FROM visits WHERE minutes > 52").fetchone()]
    before = spent(client)
    answers.append(client.execute("SELECT sum(cost) FROM visits WHERE minutes > 53").fetchone())
    client.execute("SET dp.max_rows = 19")
    answers.append(client.execute("SELECT sum(cost) FROM visits WHERE minutes > 53").fetchone())
    assert charged(before, spent(client)) == {VISITS: 2 * PRICE, ANA: 2 * PRICE}
    assert all(answer != other for answer, other in pairwise(answers))


def test_recall_of_another_analysts_answer_charges_the_own_account_only(rich_proxy: RunningProxy) -> None:
    query = "SELECT count(*) FROM visits WHERE minutes < 60"
    with rich_proxy.connect("ana") as ana, rich_proxy.connect("bob") as bob:
        answer = ana.execute(query).fetchone()
        before, notices = spent(bob), Notices(bob)
        assert bob.execute(query).fetchone() == answer
        assert charged(before, spent(bob)) == {BOB: PRICE}
        assert notices.texts == [
            "dpproxy recalled another analyst's answer and charged epsilon 0.5 (rho 0.125) to your own account"
        ]
        assert bob.execute(query).fetchone() == answer
        assert charged(before, spent(bob)) == {BOB: PRICE}


def test_recall_and_budget_survive_a_restart(stage_cluster: EmbeddedPostgres, copy_clinic: Callable[[], str]) -> None:
    source, ledger = copy_clinic(), ensure_database(stage_cluster.dsn(), "ledger_of_a_restart")
    database = str(psycopg.conninfo.conninfo_to_dict(source)["dbname"])
    options = ServiceOptions(clinic.policy(), source, stage_cluster.dsn(), ledger, owns_stage_cluster=True, port=0)
    query = "SELECT region, avg(cost) FROM visits GROUP BY region ORDER BY 1"
    with RunningProxy(options, database) as before, before.connect() as client:
        answer, account = client.execute(query).fetchall(), spent(client)
    with RunningProxy(options, database) as after, after.connect() as client:
        assert spent(client) == account
        assert client.execute(query).fetchall() == answer
        assert spent(client) == account


def test_the_delta_for_selected_keys_is_told_where_less_of_it_is_left(proxies: StartProxy) -> None:
    visits = {
        "budget": {"epsilon": "4", "delta": "1e-6"},
        "query": {"epsilon": "0.01", "delta": "1e-7"},
        "per_analyst": None,
    }
    with proxies(clinic.policy(visits=visits)).connect() as client:
        details: list[str] = []
        client.add_notice_handler(lambda diagnostic: details.append(str(diagnostic.message_detail)))
        client.execute("SELECT diagnosis, count(*) FROM visits GROUP BY 1")
        client.execute("SELECT count(*) FROM visits")
    assert [
        re.sub(r"[\d.]+%", "%", detail.partition(".visits ")[2].partition(". ")[0], count=1) for detail in details
    ] == ["% (80.0% of the delta for selected keys)"] * 2
