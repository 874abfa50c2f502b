"""Repeating, varying and differencing: every fresh look is paid, and nothing unpaid is fresh (attacks 3, 26-28, 30)."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy


@pytest.fixture(scope="module")
def noisy(proxies: StartProxy) -> RunningProxy:
    generous = {"epsilon": "1000", "delta": "1e-4"}
    return proxies(clinic.policy(visits={"budget": generous, "per_analyst": generous}))


@pytest.fixture
def ana(noisy: RunningProxy) -> Iterator[psycopg.Connection]:
    with noisy.connect() as connection:
        yield connection


def paid(connection: psycopg.Connection) -> dict[str, object]:
    """What the accounts of public.visits have spent."""
    return dict(
        connection.execute("SELECT account, rho_spent FROM dp.budget WHERE table_name = 'public.visits'").fetchall()
    )


SPELLINGS = [
    "SELECT count(*) FROM visits WHERE cost > 100",
    "select COUNT( * ) from public.visits /* again */ where (visits.cost > 100)",
    'SELECT count(*) AS "n" FROM "visits" AS v WHERE "v"."cost" > 100 ORDER BY 1 LIMIT 5',
    "WITH w AS (SELECT count(*) FROM visits WHERE cost > 100) SELECT * FROM w",
    "SELECT count(*) FROM visits WHERE 100.0 < cost AND cost > 100",
]
ZONES = ("UTC", "Europe/Paris", "America/New_York")


def test_the_same_question_has_one_answer_and_one_price(ana: psycopg.Connection) -> None:
    first = ana.execute(SPELLINGS[0]).fetchone()
    before = paid(ana)
    assert [ana.execute(text).fetchone() for text in SPELLINGS * 3] == [first] * 3 * len(SPELLINGS)
    assert paid(ana) == before


def test_a_question_without_times_is_the_same_in_every_zone(ana: psycopg.Connection) -> None:
    first = ana.execute(SPELLINGS[0]).fetchone()
    before = paid(ana)
    for zone in ZONES:
        ana.execute(f"SET TimeZone = '{zone}'")
        assert ana.execute(SPELLINGS[0]).fetchone() == first
    assert paid(ana) == before


def test_a_question_of_moments_is_another_one_in_another_zone(ana: psycopg.Connection) -> None:
    question = "SELECT date_trunc('year', seen_at) AS year, count(*) FROM visits GROUP BY 1"
    ana.execute(question)
    before = paid(ana)
    ana.execute("SET TimeZone = 'Asia/Tokyo'")
    ana.execute(question)
    assert paid(ana) != before


def test_a_parameter_and_a_literal_are_the_same_question(ana: psycopg.Connection) -> None:
    first = ana.execute("SELECT count(*) FROM visits WHERE minutes > 17 AND region = 'east'").fetchone()
    before = paid(ana)
    query = "SELECT count(*) FROM visits WHERE minutes > %s AND region = %s"
    assert ana.execute(query, (17, "east")).fetchone() == first
    assert paid(ana) == before


VARIATIONS = [
    (
        "SELECT count(*) FROM visits WHERE minutes > 10",
        "SELECT count(*) FROM visits WHERE minutes > 10 AND minutes > 9",
    ),
    ("SELECT count(*) FROM visits WHERE patient_id <> 41", "SELECT count(*) FROM visits WHERE patient_id <> 42"),
    ("SELECT count(*) FROM visits", "SELECT sum(1) FROM visits"),
    ("SELECT sum(minutes) FROM visits", "SELECT sum(minutes + 1) FROM visits"),
]


@pytest.mark.parametrize(("first", "other"), VARIATIONS)
def test_another_question_is_charged_again(first: str, other: str, ana: psycopg.Connection) -> None:
    ana.execute(first)
    before = paid(ana)
    ana.execute(other)
    assert all(spent > before[name] for name, spent in paid(ana).items())  # type: ignore[operator]


@pytest.mark.parametrize(
    "setting", ["dp.epsilon = 0.7", "dp.max_rows = 3", "dp.max_rows_per_group = 2", "dp.mechanism = 'laplace'"]
)
def test_another_setting_is_another_question(setting: str, ana: psycopg.Connection) -> None:
    ana.execute("SELECT region, avg(cost) FROM visits GROUP BY region")
    before = paid(ana)
    ana.execute(f"SET {setting}")
    ana.execute("SELECT region, avg(cost) FROM visits GROUP BY region")
    assert paid(ana) != before


def test_recalling_another_analysts_answer_costs_ones_own_account(noisy: RunningProxy, ana: psycopg.Connection) -> None:
    question = "SELECT urgent, count(*) FROM visits GROUP BY urgent ORDER BY 1"
    answer = ana.execute(question).fetchall()
    with noisy.connect("bob") as bob:
        before = paid(bob)
        assert bob.execute(question).fetchall() == answer
        once = paid(bob)
        assert once["table:public.visits"] == before["table:public.visits"]
        assert once["analyst:bob:public.visits"] > before["analyst:bob:public.visits"]  # type: ignore[operator]
        assert bob.execute(question).fetchall() == answer
        assert paid(bob) == once


def test_price_is_the_same_whatever_the_rows(ana: psycopg.Connection) -> None:
    """Rows of one person, of nobody, of everybody: one price."""
    prices = []
    for condition in ("patient_id = 1", "patient_id = -1", "true IS TRUE"):
        before = paid(ana)["table:public.visits"]
        ana.execute(f"SELECT region, count(*) FROM visits WHERE {condition} GROUP BY region")
        prices.append(paid(ana)["table:public.visits"] - before)  # type: ignore[operator]
    assert prices == [prices[0]] * 3


def test_one_person_with_very_many_rows_hides_in_the_noise(proxies: StartProxy) -> None:
    """A million rows in one group or spread over all regions move the exact sums by max_rows and no more."""
    exact = clinic.exact_policy().tables["public.visits"].model_dump(exclude_unset=True)
    bounded = exact | {"contribution": {"max_rows": 4, "max_rows_per_group": 2}}
    proxy = proxies(clinic.policy(visits=bounded))
    count = "SELECT count(*), sum(minutes) FROM visits WHERE patient_id = 2001"
    with psycopg.connect(proxy.options.source_dsn, autocommit=True) as source:
        source.execute("INSERT INTO patients (patient_id) VALUES (2001)")
        source.execute(
            "INSERT INTO visits (visit_id, patient_id, region, visited_at, minutes, urgent) "
            "SELECT 100000 + i, 2001, (ARRAY['north', 'south'])[1 + i % 2], '2024-01-01', 2000, true "
            "FROM generate_series(1, 100000) AS i"
        )
    with proxy.connect() as client:
        client.execute("SET dp.mechanism = 'laplace'")
        assert client.execute(count).fetchone() == (4, 4 * 240)
        groups = client.execute(
            "SELECT region, count(*) FROM visits WHERE patient_id = 2001 GROUP BY region"
        ).fetchall()
        assert sum(n for _, n in groups) <= 4
        client.execute("SET dp.mechanism = 'gaussian'")
        groups = client.execute(
            "SELECT region, count(*) FROM visits WHERE patient_id = 2001 GROUP BY region"
        ).fetchall()
        assert sum(n**2 for _, n in groups) <= 8
