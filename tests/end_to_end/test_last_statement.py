"""dp.last: what the session's last statement released, for clients that show no notices."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from psycopg.rows import dict_row

from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy

LAST = "SELECT *, now() - paid_at AS age FROM dp.last ORDER BY block, result"


@pytest.fixture
def proxy(proxies: StartProxy) -> RunningProxy:
    return proxies(clinic.policy())


@pytest.fixture
def client(proxy: RunningProxy) -> Iterator[psycopg.Connection[dict[str, object]]]:
    with proxy.connect() as connection:
        connection.row_factory = dict_row  # type: ignore[assignment]
        yield connection  # type: ignore[misc]


def last(client: psycopg.Connection[dict[str, object]]) -> list[dict[str, object]]:
    return client.execute(LAST).fetchall()


def test_nothing_is_shown_before_the_first_statement(client: psycopg.Connection[dict[str, object]]) -> None:
    assert last(client) == []


def test_new_answer_shows_what_it_cost_and_how_exact_it_is(client: psycopg.Connection[dict[str, object]]) -> None:
    shown = client.execute(
        "SELECT region, count(*) AS n, dp.high(count(*)) AS high FROM visits GROUP BY region"
    ).fetchall()
    (row,) = last(client)
    assert (row["answer"], row["result"], row["groups"]) == ("new", "count(*)", len(shown))
    assert row["statement"] == "count(*) over public.visits by region"
    assert {float(str(found["high"])) - float(str(found["n"])) for found in shown} == {row["error"]}
    assert row["noise"] == f"±{row['error']:g} rows"
    ledger = client.execute("SELECT rho, delta, at FROM dp.ledger LIMIT 1").fetchone()
    assert ledger == {"rho": row["rho"], "delta": row["delta"], "at": row["paid_at"]}
    assert 0 < float(str(row["percent"])) < 100


def test_recalled_answer_costs_nothing_and_has_its_age(client: psycopg.Connection[dict[str, object]]) -> None:
    client.execute("SELECT avg(cost) FROM visits")
    (first,) = last(client)
    client.execute("SELECT avg(cost) FROM visits")
    (row,) = last(client)
    assert (row["answer"], row["rho"], row["percent"]) == ("recalled", 0, 0)
    assert row["paid_at"] == first["paid_at"]
    assert row["error"] is None
    assert str(row["noise"]).endswith("/ its rows")


def test_every_block_and_aggregate_has_a_row_until_the_next_statement(
    client: psycopg.Connection[dict[str, object]],
) -> None:
    client.execute("SELECT (SELECT count(*) FROM visits), (SELECT max(cost) FROM visits), (SELECT 1)")
    assert [(row["block"], row["result"], row["error"] is None) for row in last(client)] == [
        (1, "count(*)", False),
        (2, "max(cost)", True),
    ]
    client.execute("SELECT count(*) FROM regions")
    client.execute("EXPLAIN SELECT count(*) FROM patients")
    assert len(last(client)) == 2
    client.execute("SELECT DISTINCT region FROM visits")
    assert [(row["answer"], row["rho"], row["result"]) for row in last(client)] == [("free", 0, None)]


def test_it_is_the_sessions_own(proxy: RunningProxy, client: psycopg.Connection[dict[str, object]]) -> None:
    with proxy.connect() as other:
        other.execute("SELECT count(*) FROM visits WHERE urgent")
        assert last(client) == []


def test_answer_that_somebody_else_paid_for_has_no_time(proxies: StartProxy) -> None:
    """When others have asked is theirs to know (attack 53)."""
    shared = proxies(clinic.policy(visits={"per_analyst": None}))
    with shared.connect(user="bob") as bob, shared.connect() as ana:
        bob.execute("SELECT count(*) FROM visits")
        ana.execute("SELECT count(*) FROM visits")
        assert ana.execute("SELECT answer, rho, paid_at FROM dp.last").fetchall() == [("recalled", 0, None)]
        assert bob.execute("SELECT paid_at IS NOT NULL FROM dp.last").fetchall() == [(True,)]
