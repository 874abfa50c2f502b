"""Who is shown a recalled answer is told the same about how good it is as who paid for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import psycopg
import pytest

from proxy.postgres.databases import ensure_database
from proxy.postgres.embedded import EmbeddedPostgres
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy
from tests.end_to_end.test_session_settings import plan_of

pytestmark = pytest.mark.postgres

PLENTY = {
    "budget": {"epsilon": "1e6", "delta": "1e-6"},
    "per_analyst": None,
    "query": {"epsilon": "1", "min_epsilon": "1e-5", "max_epsilon": "1e4", "delta": "1e-8"},
}
CHOOSING = PLENTY | {"contribution": {}}
OF_THE_CHARGE = (
    r"Left: .*? at this price\. ?",
    r"Part of the price counts rows, which tells empty groups \(dp\.empty_groups = hide\)\. ?",
)
"""Sentences that concern what was paid."""


@dataclass(frozen=True)
class Told:
    """A notice without what concerns its charge."""

    text: str
    severity: str
    sqlstate: str
    good: str
    hint: str | None

    @property
    def of_numbers(self) -> tuple[str, str, str, str | None]:
        return self.severity, self.sqlstate, self.good, self.hint


def asked(client: psycopg.Connection, query: str, epsilon: str) -> list[Told]:
    """What is told of a statement, a notice for each block."""
    notices: list[Told] = []

    def note(told: psycopg.errors.Diagnostic) -> None:
        good = told.message_detail or ""
        for charge in OF_THE_CHARGE:
            good = re.sub(charge, "", good)
        severity, sqlstate = str(told.severity), str(told.sqlstate)
        notices.append(Told(str(told.message_primary), severity, sqlstate, good.strip(), told.message_hint))

    client.execute(f"SET dp.epsilon = '{epsilon}'".encode())
    client.add_notice_handler(note)
    try:
        client.execute(query.encode()).fetchall()
    finally:
        client.remove_notice_handler(note)
    return notices


def assert_same_when_recalled(paid: list[Told], recalled: list[Told]) -> None:
    assert [told.text.startswith("dpproxy charged") for told in paid] == [True] * len(paid)
    assert [told.text.startswith("dpproxy recalled") for told in recalled] == [True] * len(paid)
    assert [told.of_numbers for told in recalled] == [told.of_numbers for told in paid]


@pytest.fixture(scope="module")
def proxy(proxies: StartProxy) -> RunningProxy:
    """Queries about visits choose how much of a unit counts; a unit has one row among patients."""
    return proxies(clinic.policy(visits=CHOOSING, patients=PLENTY))


LOUD = "Noise goes farther than the numbers themselves, which say little"


@pytest.mark.parametrize(
    ("query", "epsilon", "said"),
    [
        ("SELECT count(*) FROM visits WHERE patient_id < 9", "0.05", "95 % of the noise: count(*) within ±"),
        ("SELECT region, specialty_id, count(*) FROM visits WHERE patient_id < 9 GROUP BY 1, 2", "0.05", LOUD),
        ("SELECT region, count(*), sum(cost), avg(minutes) FROM visits GROUP BY 1", "1", "scaled down"),
        ("SELECT specialty_id, region, count(*) FROM visits GROUP BY 1, 2", "0.5", "scaled down"),
        ("SELECT sum(score * score * score) FROM visits", "1", "scaled down"),
        ("SELECT sex, count(*), avg(height) FROM patients GROUP BY sex", "1", "95 % of the noise: count(*) within ±"),
        ("SELECT stddev(height), corr(height, birth_year) FROM patients", "1", "dp.low and dp.high tell it"),
        ("SELECT region, smoker, count(*) FROM patients GROUP BY 1, 2", "0.0005", LOUD),
        ("SELECT region, urgent, count(*), sum(cost) FROM visits GROUP BY ROLLUP (1, 2)", "1", "scaled down"),
        (
            "SELECT region, percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes) FROM visits GROUP BY region",
            "1",
            "NULL where no row has a value, or too few to tell",
        ),
        ("SELECT mode() WITHIN GROUP (ORDER BY sex) FROM patients", "1", "fewer than the most frequent one"),
        ("SELECT diagnosis, count(*) FROM visits GROUP BY diagnosis", "5", "Groups of fewer than about"),
        ("SELECT diagnosis FROM visits GROUP BY diagnosis", "5", "Groups of fewer than about"),
        (
            "SELECT max(n) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY 1) AS each",
            "1",
            "count as its ends",
        ),
        ("SELECT count(*) FROM visits AS v JOIN visits AS w USING (patient_id)", "1", "take part, as they meet others"),
        ("SELECT count(*) FROM patients WHERE region = 'North'", "1", "region has no declared value 'North'"),
        ("SELECT date_trunc('month', visited_at), count(*) FROM visits GROUP BY 1", "1", "are in no group"),
    ],
)
def test_the_payer_and_whoever_recalls_the_answer_are_told_the_same(
    proxy: RunningProxy, query: str, epsilon: str, said: str
) -> None:
    with proxy.connect("ana") as ana, proxy.connect("bob") as bob:
        paid = asked(ana, query, epsilon)
        assert said in paid[0].good
        assert_same_when_recalled(paid, asked(bob, query, epsilon))
        for client in (ana, bob):
            assert_same_when_recalled(paid, asked(client, query, epsilon))
            assert "free of charge" in asked(client, query, epsilon)[0].text


@pytest.mark.parametrize(
    ("query", "epsilon"),
    [
        ("SELECT count(*) FROM visits WHERE patient_id < 10", "0.05"),
        ("SELECT region, count(*), sum(cost) FROM visits WHERE minutes > 7 GROUP BY 1", "1"),
        ("SELECT max(minutes) FROM visits WHERE minutes > 7", "1"),
    ],
)
def test_dp_last_and_explain_say_it_too(proxy: RunningProxy, query: str, epsilon: str) -> None:
    with proxy.connect("ana") as ana, proxy.connect("bob") as bob:
        asked(ana, query, epsilon)
        (told,) = asked(bob, query, epsilon)
        rows = bob.execute("SELECT answer, noise, clipping FROM dp.last").fetchall()
        plan = plan_of(bob, query)
    assert rows
    for answer, noise, clipping in rows:
        assert answer == "recalled"
        error, _, few = noise.partition("; of ")
        assert error in told.good
        assert few.partition(" it may be ")[0] in told.good
        assert clipping is None or clipping in told.good
        assert clipping is None or f"Clipping: {clipping}" in plan
        assert noise in plan
    assert (LOUD in told.good) == (LOUD in plan)
    assert ("Half the noise: dp.epsilon = " in plan) == ("Noisy number" in plan), "as the hint about noise promises"


def test_of_several_blocks_each_is_told_as_it_was_answered(proxy: RunningProxy) -> None:
    known = "SELECT count(*) FROM visits WHERE patient_id < 11"
    fresh = "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes) FROM visits WHERE urgent"
    with proxy.connect("ana") as ana, proxy.connect("bob") as bob:
        (first,) = asked(ana, known, "0.05")
        both = asked(bob, f"SELECT ({known}), ({fresh})", "0.05")
        assert [told.text.split()[1] for told in both] == ["recalled", "charged"]
        assert both[0].of_numbers == first.of_numbers
        again = asked(ana, f"SELECT ({known}), ({fresh})", "0.05")
        assert [told.text.split()[1] for told in again] == ["recalled", "recalled"]
        assert [told.of_numbers for told in again] == [told.of_numbers for told in both]


def test_a_restarted_proxy_says_it_too(
    stage_cluster: EmbeddedPostgres, proxies: StartProxy, copy_clinic: Callable[[], str]
) -> None:
    source, ledger = copy_clinic(), ensure_database(stage_cluster.dsn(), "ledger_of_goodness")
    queries = [
        "SELECT count(*) FROM visits WHERE patient_id < 9",
        "SELECT region, count(*), max(cost) FROM visits GROUP BY region",
    ]
    policy = clinic.policy(visits=CHOOSING, patients=PLENTY)
    with proxies(policy, source=source, ledger=ledger).connect() as client:
        paid = [told for query in queries for told in asked(client, query, "0.05")]
    with proxies(policy, source=source, ledger=ledger).connect() as client:
        recalled = [told for query in queries for told in asked(client, query, "0.05")]
    assert_same_when_recalled(paid, recalled)


def test_who_pays_for_another_analysts_answer_is_told_the_same(proxies: StartProxy) -> None:
    own = CHOOSING | {"per_analyst": PLENTY["budget"]}
    proxy = proxies(clinic.policy(visits=own, patients=PLENTY))
    query = "SELECT count(*) FROM visits WHERE patient_id < 9"
    with proxy.connect("ana") as ana, proxy.connect("bob") as bob:
        paid, bobs, again = (asked(client, query, "0.05") for client in (ana, bob, bob))
    assert "recalled another analyst's answer and charged" in bobs[0].text
    assert_same_when_recalled(paid, bobs)
    assert_same_when_recalled(paid, again)


def test_a_more_precise_answer_is_told_as_precise_as_it_is(proxy: RunningProxy) -> None:
    query = "SELECT sex, count(*) FROM patients WHERE smoker GROUP BY sex"
    with proxy.connect("ana") as ana, proxy.connect("bob") as bob:
        paid, recalled = asked(ana, query, "0.5"), asked(bob, query, "0.0005")
    assert "more precise than asked for" in recalled[0].text
    assert_same_when_recalled(paid, recalled)
    assert recalled[0].severity == "NOTICE"


def test_what_concerns_the_charge_is_told_to_the_payer_alone(proxy: RunningProxy) -> None:
    query = "SELECT region, sum(cost) FROM visits WHERE minutes > 3 GROUP BY region"
    details: list[str] = []
    with proxy.connect("ana") as ana:
        ana.execute("SET dp.empty_groups = 'hide'")
        ana.add_notice_handler(lambda notice: details.append(notice.message_detail or ""))
        paid, recalled = asked(ana, query, "1"), asked(ana, query, "1")
    assert_same_when_recalled(paid, recalled)
    assert [re.search(sentence, details[0]) is not None for sentence in OF_THE_CHARGE] == [True, True]
    assert [re.search(sentence, details[1]) for sentence in OF_THE_CHARGE] == [None, None]


def test_numbers_that_are_made_of_loud_ones_warn_as_these_do(proxy: RunningProxy) -> None:
    parts = "SELECT birth_year, smoker, count(*) FROM patients WHERE sex = 'F' GROUP BY 1, 2"
    by_year = "SELECT birth_year, count(*) FROM patients WHERE sex = 'F' GROUP BY 1"
    with proxy.connect("ana") as ana:
        (paid,), (made,), (again,) = (
            asked(ana, query, epsilon)
            for query, epsilon in ((parts, "0.0004"), (by_year, "0.0001"), (by_year, "0.0001"))
        )
    assert paid.severity == "WARNING"
    assert "answered from numbers that were released before" in made.text
    assert "recalled an earlier answer" in again.text
    for told in (made, again):
        assert (told.severity, told.hint) == (paid.severity, paid.hint)
        assert told.good.startswith(LOUD)
    (width,) = re.findall(r"95 % of the noise: [^;]*?(?=[;.] )", f"{made.good} ")
    assert width in again.good


def test_noise_of_groups_that_are_hidden_is_not_told(proxy: RunningProxy) -> None:
    """Numbers without noise to speak of are those of the groups that show; most declared groups are empty."""
    query = "SELECT region, specialty_id, sum(cost) FROM visits WHERE patient_id = 2 GROUP BY 1, 2"
    with proxy.connect("ana") as ana, proxy.connect("bob") as bob:
        (shown,) = asked(ana, query, "9000")
        assert shown.severity == "WARNING"
        assert LOUD in shown.good
        for client in (ana, bob):
            client.execute("SET dp.empty_groups = 'hide'")
            for _ in range(2):
                (told,) = asked(client, query, "9000")
                assert LOUD not in told.good
            assert LOUD not in plan_of(client, query)
        ana.execute("SET dp.empty_groups = 'show'")
        assert LOUD in plan_of(ana, query)
