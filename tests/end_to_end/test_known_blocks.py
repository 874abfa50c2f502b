"""Texts around one block, through the wire: equal numbers, paid once, each analyst's own account and settings."""

from __future__ import annotations

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy

pytestmark = pytest.mark.postgres

GROUPED = "SELECT region AS {0}, count(*) AS {1}, avg(cost) AS {2} FROM visits GROUP BY region {3}"


@pytest.fixture
def proxy(proxies: StartProxy) -> RunningProxy:
    return proxies(clinic.policy())


def explained(client: psycopg.Connection, query: str) -> list[str]:
    return [str(line) for (line,) in client.execute(f"EXPLAIN {query}".encode()).fetchall()]


def test_words_around_a_block_change_names_and_order_alone(proxy: RunningProxy) -> None:
    with proxy.connect() as client:
        first = client.execute(GROUPED.format("a", "b", "c", "ORDER BY a").encode())
        assert first.description is not None
        assert [column.name for column in first.description] == ["a", "b", "c"]
        rows = first.fetchall()
        assert len(rows) > 3
        for names, order, expected in (
            ("xyz", "ORDER BY 2 DESC", sorted(rows, key=lambda row: -row[1])),
            ("xyz", "ORDER BY y DESC LIMIT 2", sorted(rows, key=lambda row: -row[1])[:2]),
            ("uvw", "ORDER BY 1 OFFSET 1", rows[1:]),
            ("uvw", "ORDER BY region DESC NULLS LAST", sorted(rows, key=lambda row: row[0] or "", reverse=True)),
        ):
            again = client.execute(GROUPED.format(*names, order).encode())
            assert again.description is not None
            assert [column.name for column in again.description] == list(names)
            assert again.fetchall() == expected
        charged = client.execute("SELECT count(*) FROM dp.ledger WHERE account = 'table:public.visits'").fetchone()
        assert charged == (1,)


def test_each_analyst_pays_from_an_own_account_for_a_block_that_another_one_has_planned(proxy: RunningProxy) -> None:
    query = "SELECT count(*) AS {} FROM visits"
    with proxy.connect("ana") as ana, proxy.connect("bob") as bob:
        of_ana, of_bob = explained(ana, query.format("a")), explained(bob, query.format("b"))
        assert any("analyst:ana:public.visits" in line for line in of_ana)
        assert any("analyst:bob:public.visits" in line for line in of_bob)
        assert not any("analyst:ana" in line for line in of_bob)


def test_a_setting_holds_for_a_block_that_was_planned_without_it(proxy: RunningProxy) -> None:
    query = "SELECT count(*) AS {} FROM visits"
    with proxy.connect() as client:
        usual = explained(client, query.format("a"))
        client.execute("SET dp.epsilon = 1")
        dearer = explained(client, query.format("b"))
        client.execute("RESET dp.epsilon")
        assert dearer != usual
        assert explained(client, query.format("c")) == usual
