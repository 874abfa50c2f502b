"""One question at several precisions, through the wire: the table pays the maximum, each login what it sees (theorem 23)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import psycopg
import pytest

from proxy.budget.database import unavailable
from proxy.budget.ledger import Ledger
from proxy.budget.precisions import Precisions
from proxy.postgres.embedded import EmbeddedPostgres
from tests.budget.support import with_ledger
from tests.conftest import copy_database
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy
from tests.end_to_end.test_budget import ANA, BOB, PATIENTS, VISITS, Notices, charged, spent

PLENTY = {"budget": {"epsilon": "1000", "delta": "1e-6"}, "query": {"epsilon": "0.5", "max_epsilon": "100"}}


def rho(epsilon: str) -> Decimal:
    """What Gaussian noise at epsilon <= 2 costs."""
    return Decimal(epsilon) ** 2 / 2


@pytest.fixture(scope="module")
def proxy(proxies: StartProxy) -> RunningProxy:
    own = PLENTY | {"per_analyst": PLENTY["budget"]}
    return proxies(clinic.policy(visits=own, patients=PLENTY))


@pytest.fixture
def ana(proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    with proxy.connect("ana") as connection:
        yield connection


@pytest.fixture
def bob(proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    with proxy.connect("bob") as connection:
        yield connection


def ask(connection: psycopg.Connection, epsilon: str, query: str) -> list[Any]:
    connection.execute(f"SET dp.epsilon = {epsilon}".encode())
    return connection.execute(query.encode()).fetchall()


def test_a_sharper_question_costs_the_table_and_the_login_the_difference(ana: psycopg.Connection) -> None:
    query, before, notices = "SELECT region, sum(cost) FROM visits GROUP BY region", spent(ana), Notices(ana)
    first = ask(ana, "0.2", query)
    assert charged(before, spent(ana)) == {VISITS: rho("0.2"), ANA: rho("0.2")}
    second = ask(ana, "0.6", query)
    assert second != first
    assert charged(before, spent(ana)) == {VISITS: rho("0.6"), ANA: rho("0.6")}
    assert notices.texts == [
        "dpproxy charged epsilon 0.2 (rho 0.02)",
        "dpproxy charged rho 0.16, what was missing of epsilon 0.6 (rho 0.18)",
    ]
    assert (ask(ana, "0.2", query), ask(ana, "0.6", query)) == (first, second)
    assert charged(before, spent(ana)) == {VISITS: rho("0.6"), ANA: rho("0.6")}


def test_five_precisions_by_two_logins_cost_the_table_what_the_largest_costs(
    ana: psycopg.Connection, bob: psycopg.Connection
) -> None:
    query, before = "SELECT region, count(*), avg(minutes) FROM visits GROUP BY region", spent(ana) | spent(bob)
    for epsilon in ("0.3", "0.1", "0.7", "0.5", "0.2"):
        ask(ana, epsilon, query)
        ask(bob, epsilon, query)
    after = charged(before, spent(ana) | spent(bob))
    assert after == {VISITS: rho("0.7"), ANA: rho("0.7"), BOB: rho("0.7")}


def test_a_blunter_question_of_another_login_costs_the_table_nothing(
    ana: psycopg.Connection, bob: psycopg.Connection
) -> None:
    query = "SELECT region, sum(minutes) FROM visits GROUP BY region ORDER BY region"
    sharp, before, notices = ask(ana, "1", query), spent(bob), Notices(bob)
    blunt = ask(bob, "0.1", query)
    assert blunt != sharp
    paid = charged(before, spent(bob))
    assert list(paid) == [BOB]
    assert 0 <= paid[BOB] - rho("0.1") < Decimal("1e-9")
    assert "to your own account" in (notices.texts[0] or "")
    sharper = ask(bob, "0.4", query)
    assert sharper not in (blunt, sharp)
    assert 0 <= charged(before, spent(bob))[BOB] - rho("0.4") < Decimal("1e-9")
    assert (ask(bob, "0.1", query), ask(bob, "1", query)) == (blunt, sharp)
    paid = charged(before, spent(bob))
    assert list(paid) == [BOB]
    assert 0 <= paid[BOB] - rho("1") < Decimal("1e-9")


def test_each_login_has_its_own_blunter_numbers(proxies: StartProxy) -> None:
    """Who saw those of another, too, would know more than either has paid for."""
    own = PLENTY | {"per_analyst": PLENTY["budget"]}
    logins = dict.fromkeys(("ana", "bob", "eve"), clinic.POLICY["analysts"]["ana"])  # type: ignore[index]
    started = proxies(clinic.policy(visits=own, patients=PLENTY, analysts=logins))
    query = "SELECT specialty_id, sum(minutes) FROM visits GROUP BY specialty_id ORDER BY specialty_id"
    with started.connect("ana") as ana, started.connect("bob") as bob, started.connect("eve") as eve:
        sharp = ask(ana, "1", query)
        first, second = ask(bob, "0.1", query), ask(eve, "0.1", query)
        assert first != second
        assert sharp not in (first, second)
        assert (ask(bob, "0.1", query), ask(eve, "0.1", query)) == (first, second)


def test_what_is_too_old_is_measured_anew_as_a_whole(ana: psycopg.Connection) -> None:
    query, before = "SELECT count(*) FROM visits WHERE minutes > 12", spent(ana)
    old = [ask(ana, epsilon, query) for epsilon in ("0.2", "0.4")]
    ana.execute("SET dp.recall = off")
    new = ask(ana, "0.3", query)
    assert new not in old
    ana.execute("RESET dp.recall")
    assert ask(ana, "0.3", query) == new, "the newest is recalled"
    both = rho("0.4") + rho("0.3")
    assert charged(before, spent(ana)) == {VISITS: both, ANA: both}
    assert ask(ana, "0.4", query) == old[1], "unless only an older one was paid for"
    assert charged(before, spent(ana)) == {VISITS: both, ANA: both}


def test_without_an_own_account_the_sharper_answer_is_recalled(proxy: RunningProxy) -> None:
    query = "SELECT sex, count(*) FROM patients GROUP BY sex ORDER BY sex"
    with proxy.connect("ana") as ana, proxy.connect("bob") as bob:
        before, notices = spent(ana), Notices(bob)
        sharp = ask(ana, "0.8", query)
        assert ask(bob, "0.3", query) == sharp
        assert notices.texts == ["dpproxy recalled an earlier answer, more precise than asked for, free of charge"]
        assert charged(before, spent(ana)) == {PATIENTS: rho("0.8")}
        widths = "SELECT dp.high(count(*)) - dp.low(count(*)), dp.stddev(count(*)) FROM patients GROUP BY sex"
        assert ask(bob, "0.3", widths) == ask(ana, "0.8", widths), "intervals are those of the answer that is shown"


def test_explain_of_what_is_held_more_precisely_says_so(ana: psycopg.Connection) -> None:
    query = "SELECT region, sum(cost) FROM visits WHERE minutes > 100 GROUP BY region"
    ask(ana, "0.5", query)
    ana.execute("SET dp.epsilon = 0.1")
    lines = [line for (line,) in ana.execute(f"EXPLAIN {query}".encode())]
    assert "  Price: rho 0.005" in lines
    (told,) = [
        line for line in lines if line.startswith("  Already answered: asking recalls more precise numbers, 95 %")
    ]
    asked = [line for line in lines if line.startswith("  95 % of the noise")]
    assert asked
    assert asked[0].strip() not in told


def test_explain_tells_what_is_held_and_what_more_costs(ana: psycopg.Connection, bob: psycopg.Connection) -> None:
    query = "SELECT sum(cost) FROM visits WHERE urgent"
    ask(ana, "0.2", query)
    for connection, told in ((ana, True), (bob, False)):
        connection.execute("SET dp.epsilon = 0.4")
        lines = [line for (line,) in connection.execute(f"EXPLAIN {query}".encode())]
        held = [line for line in lines if line.startswith("  Held: ")]
        assert bool(held) is told, "what only others have paid for is not told (attack 53)"
        if held:
            assert held[0].startswith("  Held: 95 % of the noise: sum(cost) within ±")
            assert held[0].endswith("; asked as here it costs rho 0.06 more")


@pytest.mark.parametrize(
    "query",
    [
        "SELECT diagnosis, count(*) FROM visits GROUP BY diagnosis",
        "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY minutes) FROM visits",
    ],
)
def test_what_has_no_proof_is_paid_each_time(query: str, ana: psycopg.Connection) -> None:
    before = spent(ana)
    ask(ana, "0.2", query)
    ask(ana, "0.4", query)
    assert charged(before, spent(ana))[VISITS] >= rho("0.2") + rho("0.4")


def test_laplace_noise_has_no_precisions(ana: psycopg.Connection) -> None:
    ana.execute("SET dp.mechanism = 'laplace'")
    before = spent(ana)
    query = "SELECT region, count(*) FROM visits WHERE minutes > 7 GROUP BY region"
    first, second = ask(ana, "0.2", query), ask(ana, "0.4", query)
    assert first != second
    assert charged(before, spent(ana))[VISITS] > rho("0.4") + rho("0.2") - Decimal("0.01")


def test_totals_are_sharpened_with_their_parts(ana: psycopg.Connection, bob: psycopg.Connection) -> None:
    query, before = "SELECT region, count(*) FROM visits GROUP BY ROLLUP (region)", spent(ana)
    ask(ana, "0.2", query)
    ask(ana, "0.9", query)
    ask(bob, "0.5", query)
    assert charged(before, spent(ana)) == {VISITS: rho("0.9"), ANA: rho("0.9")}


def test_a_difference_below_the_least_price_costs_the_least_price(proxies: StartProxy) -> None:
    least = PLENTY | {"query": {"epsilon": "0.5", "max_epsilon": "2", "min_epsilon": "0.1"}}
    with proxies(clinic.policy(patients=least)).connect() as client:
        before = spent(client)
        ask(client, "0.5", "SELECT count(*) FROM patients WHERE smoker")
        ask(client, "0.5001", "SELECT count(*) FROM patients WHERE smoker")
        assert charged(before, spent(client)) == {PATIENTS: rho("0.5") + rho("0.1")}


@pytest.mark.parametrize("place", ["measure", "keep"])
def test_a_ledger_that_fails_on_the_way_loses_no_charge_shows_nothing_unpaid_and_charges_nothing_twice(
    place: str, ana: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    query, before = f"SELECT count(*), sum(cost) FROM visits WHERE minutes > {len(place)}", spent(ana)
    ask(ana, "0.2", query)
    original, failed = getattr(Precisions, place), list[str]()

    async def fails(self: Precisions, *arguments: Any) -> Any:
        if not failed:
            failed.append(place)
            raise unavailable(None)
        return await original(self, *arguments)

    monkeypatch.setattr(Precisions, place, fails)
    with pytest.raises(psycopg.errors.CannotConnectNow):
        ask(ana, "0.4", query)
    after = {VISITS: rho("0.4"), ANA: rho("0.4")}
    assert charged(before, spent(ana)) == after
    sharp = ask(ana, "0.4", query)
    assert charged(before, spent(ana)) == after
    assert ask(ana, "0.4", query) == sharp


def test_two_proxies_at_once_charge_each_login_for_what_it_sees_and_the_table_for_all(
    proxies: StartProxy, copy_clinic: Callable[[], str], stage_cluster: EmbeddedPostgres
) -> None:
    source, ledger = copy_clinic(), copy_database(stage_cluster.dsn(), "template1", "ledger_of_precisions")
    policy = clinic.policy(visits=PLENTY | {"per_analyst": PLENTY["budget"]})
    pair = [proxies(policy, source=source, ledger=ledger) for _ in range(2)]
    queries = [f"SELECT region, count(*) FROM visits WHERE minutes > {number} GROUP BY region" for number in range(3)]
    epsilons = ["0.1", "0.3", "0.2", "0.7", "0.5", "0.6"]

    def session(number: int) -> list[object]:
        login = ("ana", "bob")[number % 2]
        with pair[number // 2 % 2].connect(login) as connection:
            return [ask(connection, epsilons[(number + turn) % 6], query) for turn in range(6) for query in queries]

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(session, range(8)))
    with pair[0].connect("ana") as ana, pair[1].connect("bob") as bob:
        final = spent(ana) | spent(bob)
        assert final[VISITS] >= 3 * rho("0.7")
        for own in (ANA, BOB):
            assert 0 <= final[own] - 3 * rho("0.7") < Decimal("1e-8"), "who sees 0.7 has paid for 0.7, once"
        for query in queries:
            assert ask(ana, "0.7", query) == ask(bob, "0.7", query)
        assert spent(ana) | spent(bob) == final
    assert with_ledger(ledger, Ledger.verify) == []
