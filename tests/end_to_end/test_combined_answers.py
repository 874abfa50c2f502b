"""Questions that are answered from the numbers of others, through the wire: free, or cheaper, and as exact as asked
(theorem 25)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import psycopg
import pytest

from proxy.budget.ledger import Ledger
from tests.budget.support import with_ledger
from tests.end_to_end import clinic
from tests.end_to_end.comparing import assert_same_answer, client_and_source
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy
from tests.end_to_end.test_budget import ANA, BOB, VISITS, Notices, charged, spent
from tests.end_to_end.test_precisions import PLENTY, ask, rho

FREE = "dpproxy answered from numbers that were released before, free of charge"
AGAIN = "dpproxy recalled an earlier answer, free of charge"


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


def free(connection: psycopg.Connection, epsilon: str, query: str, told: str = FREE) -> list[Any]:
    """The answer, which must cost nothing and say so."""
    before, notices = spent(connection), Notices(connection)
    answer = ask(connection, epsilon, query)
    assert notices.texts == [told], (query, notices.texts)
    assert charged(before, spent(connection)) == {}
    return answer


def test_some_of_the_aggregates_are_free_and_the_same_numbers(ana: psycopg.Connection) -> None:
    both = ask(
        ana, "1", "SELECT sex, count(*), avg(height) FROM patients WHERE birth_year > 1940 GROUP BY sex ORDER BY 1"
    )
    counts = free(ana, "0.5", "SELECT sex, count(*) FROM patients WHERE birth_year > 1940 GROUP BY sex ORDER BY 1")
    assert counts == [row[:2] for row in both]


def test_a_total_is_the_sum_of_its_groups(ana: psycopg.Connection) -> None:
    parts = ask(ana, "2", "SELECT region, smoker, count(*) FROM patients GROUP BY 1, 2")
    (total,) = free(ana, "0.1", "SELECT count(*) FROM patients")
    assert total == (sum(row[2] for row in parts),)
    by_region = dict(free(ana, "0.2", "SELECT region, count(*) FROM patients GROUP BY 1"))
    assert by_region["north"] == sum(row[2] for row in parts if row[0] == "north")


def test_one_group_answers_a_condition_on_its_key(ana: psycopg.Connection) -> None:
    parts = dict(ask(ana, "1", "SELECT region, count(*) FROM patients WHERE smoker GROUP BY region"))
    (north,) = free(ana, "0.5", "SELECT count(*) FROM patients WHERE smoker AND region = 'north'")
    assert north == (parts["north"],)
    (two,) = free(ana, "0.5", "SELECT count(*) FROM patients WHERE region IN ('north', 'east') AND smoker")
    assert two == (parts["north"] + parts["east"],)
    ((north, south),) = free(
        ana,
        "0.5",
        "SELECT count(*) FILTER (WHERE region = 'north'), count(*) FILTER (WHERE region = 'south') "
        "FROM patients WHERE smoker",
    )
    assert (north, south) == (parts["north"], parts["south"])


def test_what_was_released_makes_a_question_cheaper(ana: psycopg.Connection) -> None:
    """Half of the price of two numbers is for the count: the other half is what it costs to count as exactly as asked."""
    condition = "FROM visits WHERE minutes > 30 GROUP BY region ORDER BY 1"
    ask(ana, "0.6", f"SELECT region, count(*), sum(cost) {condition}")
    before, notices = spent(ana), Notices(ana)
    first = ask(ana, "0.6", f"SELECT region, count(*) {condition}")
    assert charged(before, spent(ana)) == {VISITS: rho("0.6") / 2, ANA: rho("0.6") / 2}
    assert notices.texts == ["dpproxy charged rho 0.09, what was missing of epsilon 0.6 (rho 0.18)"]
    assert "Part of each number is one number of an answer over public.visits by region" in (notices.details[0] or "")
    again = free(ana, "0.6", f"SELECT region, count(*) {condition}", AGAIN)
    assert again == first


def test_only_the_numbers_that_are_missing_are_measured(ana: psycopg.Connection) -> None:
    """Each of two numbers has half of the price. A count at a quarter of it is half of what the count here takes."""
    condition = "FROM visits WHERE minutes > 37 GROUP BY region ORDER BY 1"
    counts = ask(ana, "0.6", f"SELECT region, count(*) {condition}")
    before, notices = spent(ana), Notices(ana)
    both = ask(ana, "0.6", f"SELECT region, count(*), sum(cost) {condition}")
    assert charged(before, spent(ana)) == {VISITS: rho("0.6") / 2, ANA: rho("0.6") / 2}
    assert [row[:2] for row in both] == counts, "which was exact enough"
    assert notices.texts == ["dpproxy charged rho 0.09, what was missing of epsilon 0.6 (rho 0.18)"]
    assert "What is known of some of the numbers was not measured again: one number of an answer" in (
        notices.details[0] or ""
    )
    assert free(ana, "0.6", f"SELECT region, count(*), sum(cost) {condition}", AGAIN) == both
    sums = free(ana, "0.1", f"SELECT region, sum(cost) {condition}")
    assert sums == [(row[0], row[2]) for row in both], "what was measured alone is a part of others"


def test_a_number_that_is_held_is_shown_as_precisely_as_it_is_held(ana: psycopg.Connection) -> None:
    """At the least price nothing is saved by measuring the sum alone, and the count would be shown less precisely."""
    condition = "FROM visits WHERE minutes > 43 GROUP BY region ORDER BY 1"
    counts = ask(ana, "0.1", f"SELECT region, count(*) {condition}")
    before = spent(ana)
    both = ask(ana, "0.1", f"SELECT region, count(*), sum(cost) {condition}")
    assert charged(before, spent(ana)) == {VISITS: rho("0.1"), ANA: rho("0.1")}
    assert [row[:2] for row in both] == counts


def test_each_number_is_told_as_precisely_as_it_is_known(ana: psycopg.Connection) -> None:
    """By dp.stddev, the notice, dp.last and EXPLAIN, as it is measured and as it is recalled."""
    condition = "FROM visits WHERE minutes > 44"
    noise = "SELECT count(*), dp.stddev(count(*)), dp.high(count(*)) - count(*)"
    ((_, exact, reach),) = ask(ana, "0.8", f"{noise} {condition}")
    both, notices = f"{noise}, dp.stddev(sum(cost)) {condition}", Notices(ana)
    (asked,) = ask(ana, "0.2", both)
    ((alone,),) = ask(ana, "0.2", "SELECT dp.stddev(sum(cost)) FROM visits WHERE minutes > 45")
    assert asked[1:3] == (exact, reach)
    assert asked[3] == pytest.approx(alone * 2**0.5), "a half of the price"
    within = f"count(*) within ±{reach:.6g} rows"
    assert within in (notices.details[0] or "")
    ask(ana, "0.2", both)
    ((told,),) = ana.execute("SELECT error FROM dp.last WHERE result = 'count(*)'").fetchall()
    assert told == pytest.approx(reach)
    assert within in "\n".join(line for (line,) in ask(ana, "0.2", f"EXPLAIN {both}"))


def test_what_is_missing_more_of_some_numbers_is_measured_so(ana: psycopg.Connection) -> None:
    condition = "FROM visits WHERE minutes > 38 GROUP BY region"
    ask(ana, "0.6", f"SELECT region, count(*) {condition}")
    before = spent(ana)
    ask(ana, "1.2", f"SELECT region, count(*), sum(cost) {condition}")
    missing = (rho("1.2") / 2 - rho("0.6")) + rho("1.2") / 2
    assert charged(before, spent(ana)) == {VISITS: missing, ANA: missing}
    before = spent(ana)
    free(ana, "1.2", f"SELECT region, sum(cost), count(*) {condition}")
    sharper = rho("1.8") / 2 - rho("1.2") / 2
    ask(ana, "1.8", f"SELECT region, count(*), sum(cost) {condition}")
    assert charged(before, spent(ana)) == {VISITS: 2 * sharper, ANA: 2 * sharper}, "as much of both is missing now"


def test_numbers_of_a_question_itself_count_when_others_have_more(ana: psycopg.Connection) -> None:
    condition = "FROM visits WHERE minutes > 39 GROUP BY region"
    ask(ana, "0.3", f"SELECT region, count(*), sum(cost) {condition}")
    ask(ana, "0.6", f"SELECT region, count(*) {condition}")
    before = spent(ana)
    ask(ana, "0.6", f"SELECT region, count(*), sum(cost) {condition}")
    missing = (rho("0.6") - rho("0.3")) / 2
    assert charged(before, spent(ana)) == {VISITS: missing, ANA: missing}


def test_as_much_that_is_missing_again_is_measured_again(ana: psycopg.Connection) -> None:
    """Of the sum 0.035 is missing beside 0.01, and then beside 0.045."""
    condition = "FROM visits WHERE minutes > 41 GROUP BY region"
    ask(ana, "0.6", f"SELECT region, count(*) {condition}")
    ask(ana, "0.1", f"SELECT region, sum(cost) {condition}")
    for epsilon in ("0.3", "0.4"):
        before = spent(ana)
        ask(ana, epsilon, f"SELECT region, count(*), sum(cost) {condition}")
        assert charged(before, spent(ana)) == {VISITS: Decimal("0.0175"), ANA: Decimal("0.0175")}


def test_what_is_missing_follows_from_what_a_login_has_seen(ana: psycopg.Connection, bob: psycopg.Connection) -> None:
    condition = "FROM visits WHERE minutes > 40 GROUP BY region"
    both = f"SELECT region, count(*), sum(cost) {condition}"
    ask(ana, "0.6", f"SELECT region, count(*) {condition}")

    def explained(connection: psycopg.Connection) -> str:
        return "\n".join(line for (line,) in ask(connection, "0.6", f"EXPLAIN {both}"))

    half = "Known of some of the numbers: one number of an answer over public.visits by region"
    assert half in explained(ana)
    assert "asked now it costs rho 0.09" in explained(ana)
    assert half not in explained(bob)
    before = spent(ana) | spent(bob)
    ask(bob, "0.6", both)
    assert charged(before, spent(ana) | spent(bob)) == {VISITS: rho("0.6"), BOB: rho("0.6")}
    before = spent(ana) | spent(bob)
    ana.execute("SET dp.max_price = '0.0001 %'")
    with pytest.raises(psycopg.Error, match=r"dp\.max_price"):
        ask(ana, "0.6", both)
    ana.execute("RESET dp.max_price")
    ask(ana, "0.6", both)
    assert charged(before, spent(ana) | spent(bob))[ANA] == rho("0.6") / 2


def test_what_is_measured_beside_parts_is_not_paid_as_the_question_alone(
    proxy: RunningProxy, ana: psycopg.Connection, bob: psycopg.Connection
) -> None:
    """Who paid for less must not be taken for one who paid for an answer that stands alone."""
    condition = "FROM visits WHERE minutes > 35 GROUP BY region"
    ask(ana, "0.6", f"SELECT region, count(*), sum(cost) {condition}")
    with psycopg.connect(proxy.options.ledger_dsn) as ledger:
        sequence = "SELECT max(sequence) FROM dpproxy.charge"
        before = ledger.execute(sequence).fetchone()
    for connection in (ana, bob):
        ask(connection, "0.6", f"SELECT region, count(*) {condition}")
    with psycopg.connect(proxy.options.ledger_dsn) as ledger:
        paid = "SELECT analyst, block FROM dpproxy.charge JOIN dpproxy.payment USING (charge_id, analyst, block)"
        found: dict[str, str] = dict(ledger.execute(f"{paid} WHERE sequence > %s".encode(), before).fetchall())
    assert set(found) == {"ana", "bob"}
    assert found["ana"] != found["bob"]


def test_what_was_measured_of_a_question_is_no_part_of_it_under_another_name(ana: psycopg.Connection) -> None:
    condition = "FROM visits AS v WHERE v.minutes > 36"
    ask(ana, "0.3", "SELECT region, count(*) FROM visits WHERE minutes > 36 GROUP BY region")
    before = spent(ana)
    ask(ana, "0.6", f"SELECT v.region, count(*) {condition} GROUP BY v.region")
    assert charged(before, spent(ana)) == {VISITS: rho("0.6") - rho("0.3"), ANA: rho("0.6") - rho("0.3")}
    ana.execute("SET dp.recall = off")
    before = spent(ana)
    ask(ana, "0.3", "SELECT region, count(*) FROM visits WHERE minutes > 36 GROUP BY region")
    ana.execute("RESET dp.recall")
    ask(ana, "0.7", f"SELECT v.region, count(*) {condition} GROUP BY v.region")
    assert charged(before, spent(ana)) == {VISITS: rho("0.7"), ANA: rho("0.7")}, "nor is what was measured before"


def test_a_login_sees_nothing_that_only_another_has_paid_for(
    proxy: RunningProxy, ana: psycopg.Connection, bob: psycopg.Connection
) -> None:
    condition = "FROM visits WHERE minutes > 31"
    parts = ask(ana, "0.6", f"SELECT region, count(*) {condition} GROUP BY region")
    before = spent(ana) | spent(bob)
    (blunt,) = ask(bob, "0.1", f"SELECT count(*) FILTER (WHERE region = 'north') {condition}")
    assert blunt != (dict(parts)["north"],)
    assert charged(before, spent(ana) | spent(bob)) == {VISITS: rho("0.1"), BOB: rho("0.1")}
    notices, before = Notices(bob), spent(ana) | spent(bob)
    (sharp,) = ask(bob, "0.6", f"SELECT count(*) FILTER (WHERE region = 'south') {condition}")
    assert sharp == (dict(parts)["south"],)
    assert charged(before, spent(ana) | spent(bob)) == {BOB: rho("0.6")}
    assert "dpproxy answered from another analyst's numbers" in (notices.texts[0] or "")
    assert with_ledger(proxy.options.ledger_dsn, Ledger.verify) == []


def test_ages_and_recall_off_hold_for_what_answers_are_made_of(ana: psycopg.Connection) -> None:
    condition = "FROM visits WHERE minutes > 32"
    ask(ana, "0.6", f"SELECT urgent, count(*) {condition} GROUP BY 1")
    total = f"SELECT count(*) {condition}"
    before = spent(ana)
    ana.execute("SET dp.recall = off")
    first = ask(ana, "0.2", total)
    assert charged(before, spent(ana)) == {VISITS: rho("0.2"), ANA: rho("0.2")}
    ana.execute("RESET dp.recall")
    assert free(ana, "0.2", total, AGAIN) == first, "the answer of its own comes first"
    (made,) = free(ana, "0.4", total)
    ana.execute("SET dp.recall = '1 hour'")
    precise = AGAIN.replace("answer,", "answer, more precise than asked for,")
    assert free(ana, "0.4", total, precise) == [made]
    ana.execute("SET dp.recall = off")
    before = spent(ana)
    assert ask(ana, "0.4", total) != [made]
    assert charged(before, spent(ana)) == {VISITS: rho("0.4"), ANA: rho("0.4")}


def test_what_was_asked_anew_is_not_combined_with_what_is_older(
    ana: psycopg.Connection, bob: psycopg.Connection
) -> None:
    condition = "FROM visits WHERE minutes > 42"
    by_urgent = f"SELECT urgent, count(*) {condition} GROUP BY 1"
    for connection in (ana, bob):
        ask(connection, "0.6", f"SELECT specialty_id, count(*) {condition} GROUP BY 1")
        ask(connection, "0.6", by_urgent)
    ana.execute("SET dp.recall = off")
    ask(ana, "0.6", by_urgent)
    ana.execute("RESET dp.recall")
    for connection, parts in ((ana, {"urgent"}), (bob, {"specialty_id", "urgent"})):
        told = str(ask(connection, "1.5", f"EXPLAIN SELECT count(*) {condition}"))
        assert set(re.findall(r"an answer over public\.visits by (\w+)", told)) == parts


def test_a_share_is_of_what_others_numbers_make(ana: psycopg.Connection) -> None:
    condition = "FROM visits WHERE minutes > 43"
    parts = ask(ana, "0.6", f"SELECT urgent, count(*) {condition} GROUP BY 1")
    ana.execute("SET dp.error = '50 %'")
    with pytest.raises(psycopg.Error, match="nothing was released"):
        ask(ana, "DEFAULT", f"SELECT sum(cost) {condition}")
    ((made,),) = free(ana, "DEFAULT", f"SELECT count(*) {condition}")
    # Each is rounded by itself, once it is added up.
    assert abs(made - sum(row[1] for row in parts)) <= len(parts) / 2
    ana.execute("RESET dp.error")


def test_a_statement_for_free_passes_any_limit_of_prices(ana: psycopg.Connection) -> None:
    condition = "FROM visits WHERE minutes > 33"
    ask(ana, "0.6", f"SELECT urgent, count(*) {condition} GROUP BY 1")
    ana.execute("SET dp.max_price = '0.0001 %'")
    free(ana, "0.4", f"SELECT count(*) {condition}")
    with pytest.raises(psycopg.Error, match=r"dp\.max_price"):
        ask(ana, "0.6", f"SELECT count(*) {condition}")


def test_explain_tells_of_what_an_answer_is_made(ana: psycopg.Connection, bob: psycopg.Connection) -> None:
    condition = "FROM visits WHERE minutes > 34"
    ask(ana, "0.6", f"SELECT urgent, count(*) {condition} GROUP BY 1")

    def explained(connection: psycopg.Connection, epsilon: str) -> str:
        return "\n".join(line for (line,) in ask(connection, epsilon, f"EXPLAIN SELECT count(*) {condition}"))

    made = explained(ana, "0.4")
    assert (
        "Already answered: each number is the sum of 2 numbers of an answer over public.visits by urgent, asked" in made
    )
    assert "asking anew would cost rho 0.08 and be count(*) within" in made
    part = explained(ana, "0.6")
    assert "worth 50 % of the price; asked now it costs rho 0.09" in part
    for epsilon in ("0.4", "0.6"):
        assert "by urgent" not in explained(bob, epsilon), "what only another has paid for"
    ask(ana, "0.6", f"SELECT count(*) {condition}")
    assert "Already answered" in explained(ana, "0.6")


RECENT = "visited_at >= '2024-03-01' AND visited_at < '2024-09-15'"

MADE_OF = {
    "some aggregates": (
        "SELECT region, count(*), sum(cost), avg(minutes) FROM visits WHERE cost > 3 GROUP BY 1",
        "SELECT region, avg(minutes) FROM visits WHERE 3 < cost GROUP BY region",
    ),
    "a total": (
        "SELECT specialty_id, urgent, count(*), sum(cost), avg(cost), count(minutes) FROM visits GROUP BY 1, 2",
        "SELECT count(*), sum(cost), avg(cost), count(minutes) FROM visits",
    ),
    "coarser groups": (
        "SELECT specialty_id, urgent, count(*), sum(minutes) FROM visits WHERE region = 'north' GROUP BY 1, 2",
        "SELECT urgent, sum(minutes), count(*) FROM visits WHERE region = 'north' GROUP BY 1",
    ),
    "a level of a rollup": (
        "SELECT specialty_id, urgent, count(*), sum(cost) FROM visits WHERE minutes > 3 GROUP BY ROLLUP (1, 2)",
        "SELECT sum(cost) FROM visits WHERE minutes > 3",
    ),
    "one group": (
        "SELECT region, sex, count(*), avg(height) FROM patients GROUP BY 1, 2",
        "SELECT sex, count(*), avg(height) FROM patients WHERE region IN ('north', 'west') GROUP BY 1",
    ),
    "a value that occurs nowhere": (
        "SELECT region, count(*) FROM patients WHERE smoker GROUP BY 1",
        "SELECT count(*) FROM patients WHERE region = 'nowhere' AND smoker",
    ),
    "one number for each group": (
        "SELECT specialty_id, urgent, count(*), sum(cost) FROM visits WHERE minutes > 4 GROUP BY 1, 2",
        "SELECT urgent, count(*) FILTER (WHERE specialty_id = 1), sum(cost) FILTER (WHERE specialty_id IN (2, 3)) "
        "FROM visits WHERE minutes > 4 GROUP BY 1",
    ),
    "quarters of months": (
        "SELECT date_trunc('month', visited_at), urgent, count(*), sum(minutes) FROM visits "
        "WHERE visited_at < '2026-01-01' GROUP BY 1, 2",
        "SELECT date_trunc('quarter', visited_at), count(*), sum(minutes) FROM visits "
        "WHERE visited_at < '2026-01-01' GROUP BY 1",
    ),
    "weeks of dates": (
        "SELECT visited_at::date, count(*) FROM visits GROUP BY 1",
        "SELECT date_trunc('week', visited_at), count(*) FROM visits "
        "WHERE visited_at >= '2024-03-04' AND visited_at < '2024-09-16' GROUP BY 1",
    ),
    "a total of days": (
        f"SELECT date_trunc('day', visited_at), count(*), sum(cost) FROM visits WHERE {RECENT} GROUP BY 1",
        f"SELECT count(*), sum(cost) FROM visits WHERE {RECENT}",
    ),
    "months of days of moments": (
        "SELECT date_trunc('day', seen_at), count(*) FROM visits WHERE seen_at < '2025-12-01' GROUP BY 1",
        "SELECT date_trunc('month', seen_at), count(*) FROM visits WHERE seen_at < '2025-12-01' GROUP BY 1",
    ),
    "joined rows": (
        "SELECT p.sex, v.urgent, count(*), sum(v.cost) FROM visits v JOIN patients p USING (patient_id) GROUP BY 1, 2",
        "SELECT p.sex, count(*) FROM visits v JOIN patients p ON p.patient_id = v.patient_id GROUP BY 1",
    ),
}
NOT_MADE = {"weeks of dates", "joined rows"}
"""Another condition than that of its parts; and another text of FROM."""


@pytest.mark.parametrize("name", MADE_OF)
def test_what_is_made_of_others_is_postgres_own_answer(name: str, exact_proxy: RunningProxy) -> None:
    parts, query = MADE_OF[name]
    with client_and_source(exact_proxy) as both:
        client, _ = both
        client.execute("SET dp.notices = on")
        client.execute("SET dp.mechanism = gaussian")
        ask(client, "1e22", parts)
        notices = Notices(client)
        client.execute("SET dp.epsilon = '1e19'")
        assert_same_answer(query, both)
        assert (notices.texts[0] == FREE) == (name not in NOT_MADE), notices.texts


def test_what_some_numbers_were_missing_is_postgres_own_answer(exact_proxy: RunningProxy) -> None:
    condition = "FROM visits WHERE minutes > 5 GROUP BY specialty_id, urgent"
    with client_and_source(exact_proxy) as both:
        client, _ = both
        client.execute("SET dp.notices = on")
        client.execute("SET dp.mechanism = gaussian")
        ask(client, "1e20", f"SELECT specialty_id, urgent, count(*), sum(minutes) {condition}")
        notices = Notices(client)
        client.execute("SET dp.epsilon = '1e20'")
        assert_same_answer(
            f"SELECT specialty_id, urgent, sum(cost), count(*), sum(minutes), avg(cost) {condition}", both
        )
        assert "some of the numbers was not measured again" in (notices.details[0] or "")


def test_members_of_a_group_with_accounts_of_their_own_pay_for_what_each_sees(proxies: StartProxy) -> None:
    plenty = PLENTY["budget"]
    groups = {"bi": {"members": ["ana", "bob"], "budget": plenty}}
    own = {"query": {"epsilon": "0.6", "max_epsilon": "2"}, "budget": plenty, "per_analyst": plenty}
    proxy = proxies(clinic.policy(patients=own, groups=groups))
    with proxy.connect("ana") as ana, proxy.connect("bob") as bob:
        parts = dict(ask(ana, "0.6", "SELECT region, count(*) FROM patients GROUP BY region"))
        before = spent(ana) | spent(bob)
        assert ask(bob, "0.6", "SELECT count(*) FROM patients WHERE region = 'north'") == [(parts["north"],)]
        assert charged(before, spent(ana) | spent(bob)) == {"analyst:bob:public.patients": rho("0.6")}
        assert free(bob, "0.6", "SELECT count(*) FROM patients WHERE region = 'north'") == [(parts["north"],)]
        assert free(bob, "0.6", "SELECT count(*) FROM patients WHERE region = 'east'") == [(parts["east"],)]
        assert free(ana, "0.6", "SELECT count(*) FROM patients WHERE region = 'east'") == [(parts["east"],)]


def test_the_ledger_keeps_no_constants_of_a_question(ana: psycopg.Connection) -> None:
    ask(ana, "0.5", "SELECT count(*) FILTER (WHERE region = 'Jane Q Doe'), region = 'John' FROM patients GROUP BY 2")
    ((label,),) = ana.execute("SELECT DISTINCT statement FROM dp.ledger WHERE statement LIKE '%region = %'").fetchall()
    assert "Jane" not in label
    assert "John" not in label
