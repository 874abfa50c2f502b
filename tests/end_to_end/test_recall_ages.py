"""Answers that are too old are asked and paid anew, once for everybody; others stay free."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import psycopg
import pytest

from proxy.query import recalling
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy
from tests.end_to_end.test_budget import Notices

pytestmark = pytest.mark.postgres

QUERY = "SELECT count(*) FROM visits WHERE minutes < 50"
FREE = "dpproxy recalled an earlier answer, free of charge"
LARGE = {"budget": {"epsilon": "100", "delta": "1e-6"}, "per_analyst": None, "query": {"epsilon": "0.1"}}


@pytest.fixture
def proxy(proxies: StartProxy) -> RunningProxy:
    return proxies(clinic.policy(visits=LARGE))


@pytest.fixture
def client(proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    with proxy.connect() as connection:
        yield connection


def charges(client: psycopg.Connection, account: str = "table:public.visits") -> int:
    row = client.execute("SELECT count(*) FROM dp.ledger WHERE account = %s", (account,)).fetchone()
    assert row is not None
    return int(row[0])


def test_a_policy_says_how_long_answers_are_recalled(proxies: StartProxy) -> None:
    with proxies(clinic.policy(visits={**LARGE, "clock": "1 s", "recall": {"for": "2 s"}})).connect() as client:
        begun = time.monotonic()
        first = client.execute(QUERY).fetchone()
        again = client.execute(QUERY).fetchone()
        if time.monotonic() - begun < 1.9:
            assert (again, charges(client)) == (first, 1)
        assert "which are" not in str(client.execute(f"EXPLAIN {QUERY}").fetchall())
        before = charges(client)
        time.sleep(2.1)
        client.execute("SET dp.recall = '1 day'")
        client.execute(QUERY)
        assert charges(client) == before + 1, "a session cannot have older ones than the policy allows"


def test_a_session_says_how_old_answers_may_be(client: psycopg.Connection) -> None:
    notices = Notices(client)
    answers = []
    for setting in ("", "", "", "1 hour", "off", "off", "1 hour", ""):
        client.execute("SELECT set_config('dp.recall', %s, false)", (setting,))
        answers.append(client.execute(QUERY).fetchone())
    assert charges(client) == 3
    assert [text == FREE for text in notices.texts] == [False, True, True, True, False, False, True, True]
    assert answers[1] == answers[2] == answers[3] == answers[0]
    assert answers[5] == answers[6] == answers[7] != answers[0], "the newest is recalled"
    price = client.execute("SELECT DISTINCT rho FROM dp.ledger").fetchall()
    assert len(price) == 1


def test_how_old_an_answer_is_is_told_each_time(client: psycopg.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recalling, "_TOLD_FROM", dt.timedelta(seconds=1))
    ages: list[str | None] = []
    client.add_notice_handler(lambda notice: ages.append(notice.message_detail))
    for seconds in (0, 0, 0, 1.1, 1):
        time.sleep(seconds)
        client.execute(QUERY)
    assert None not in ages[-2:]
    assert ages[-1] != ages[-2]


def test_a_block_that_occurs_twice_is_one_question(client: psycopg.Connection) -> None:
    client.execute("SET dp.recall = off")
    row = client.execute(f"SELECT a.count - b.count FROM ({QUERY}) AS a, ({QUERY}) AS b").fetchone()
    assert row == (0,)
    assert charges(client) == 1


def test_max_price_counts_what_is_asked_anew(client: psycopg.Connection) -> None:
    client.execute(QUERY)
    client.execute("SET dp.max_price = '0.0001 %'")
    client.execute(QUERY)
    client.execute("SET dp.recall = off")
    with pytest.raises(psycopg.errors.ConfigurationLimitExceeded):
        client.execute(QUERY)


def test_many_sessions_renew_an_old_answer_once(proxy: RunningProxy) -> None:
    with proxy.connect() as client:
        client.execute(QUERY)
        time.sleep(1.1)

        def ask(_: int) -> object:
            with proxy.connect() as other:
                other.execute("SET dp.recall = '1 second'")
                return other.execute(QUERY).fetchone()

        with ThreadPoolExecutor(6) as threads:
            answers = set(threads.map(ask, range(6)))
        assert len(answers) == 1
        assert charges(client) == 2


def test_what_an_analyst_has_paid_for_stays_free(proxies: StartProxy) -> None:
    changed = {**LARGE, "per_analyst": {"epsilon": "50", "delta": "1e-7"}}
    proxy = proxies(clinic.policy(visits=changed))
    with proxy.connect() as ana, proxy.connect("bob") as bob:
        bob.execute("SET dp.recall = off")
        first, second = ana.execute(QUERY).fetchone(), bob.execute(QUERY).fetchone()
        notices = Notices(ana)
        assert ana.execute(QUERY).fetchone() == first
        assert notices.texts == [FREE]
        bob.execute("SET dp.recall = ''")
        assert bob.execute(QUERY).fetchone() == second
        assert Fraction(charges(ana, "analyst:ana:public.visits")) == 1


@pytest.mark.parametrize("value", ["never", "-1 hour", "1 month", "5"])
def test_other_values_are_refused(client: psycopg.Connection, value: str) -> None:
    client.execute("SELECT set_config('dp.recall', %s, false)", (value,))
    with pytest.raises(psycopg.errors.InvalidParameterValue, match=r"dp\.recall"):
        client.execute(QUERY)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("SELECT diagnosis, count(*) FROM visits GROUP BY diagnosis", "do not show"),
        ("SELECT count(*) FROM visits v JOIN regions r ON r.zone > v.region", "as FROM repeats it"),
    ],
)
def test_what_an_answer_leaves_out_is_told_again_where_it_is_recalled(
    query: str, told: str, client: psycopg.Connection
) -> None:
    details: list[tuple[str, str]] = []
    client.add_notice_handler(
        lambda notice: details.append((notice.message_primary or "", notice.message_detail or ""))
    )
    client.execute(query.encode())
    client.execute(query.encode())
    (_, first), (recalled, second) = details
    assert told in first
    assert recalled == FREE
    assert told in second
    assert "Left:" not in second
