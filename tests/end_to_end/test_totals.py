"""ROLLUP, CUBE and GROUPING SETS as a client sees them: one price, numbers that add up, and two views of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal

import psycopg
import pytest

from tests.end_to_end.running import RunningProxy
from tests.end_to_end.test_session_settings import plan_of, prices

ROLLUP = (
    "SELECT grouping(region, urgent), region, urgent, count(*), sum(cost) FROM visits GROUP BY ROLLUP (region, urgent)"
)
APART = "SELECT grouping(region, urgent), region, urgent, count(*) FROM visits GROUP BY GROUPING SETS ((region), (urgent), ())"
Rows = dict[tuple[object, ...], Decimal]


@pytest.fixture(scope="module")
def client(rich_proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    """A client of a proxy with ordinary noise and a budget for everything here."""
    with rich_proxy.connect() as connection:
        yield connection


def asked(client: psycopg.Connection, query: str, column: int) -> Rows:
    """One number of each row by grouping() and keys: a NULL of the declared keys is not that of a total."""
    rows = client.execute(query.encode()).fetchall()
    return {row[:3]: Decimal(row[column]) for row in rows}


def with_consistency(client: psycopg.Connection, setting: str, query: str, column: int) -> Rows:
    client.execute(f"SET dp.consistency = {setting}")
    try:
        return asked(client, query, column)
    finally:
        client.execute("RESET dp.consistency")


def adds_up(found: Rows) -> bool:
    """Are all totals of ROLLUP the sums of their parts?"""
    sums: dict[tuple[object, ...], Decimal] = defaultdict(Decimal)
    for (grouping, region, _), number in found.items():
        if grouping == 0:
            sums[1, region, None] += number
        elif grouping == 1:
            sums[3, None, None] += number
    return all(found[key] == number for key, number in sums.items())


def test_totals_cost_nothing_on_top_and_the_raw_numbers_are_the_same_answer(client: psycopg.Connection) -> None:
    # That noise of some rows adds up by chance in six totals at once has a probability below 1e-9.
    assert prices(client, ROLLUP) == ["dpproxy charged epsilon 0.5 (rho 0.125)"]
    assert prices(client, ROLLUP) == ["dpproxy recalled an earlier answer, free of charge"]
    for column in (3, 4):
        consistent, raw = (with_consistency(client, setting, ROLLUP, column) for setting in ("on", "off"))
        assert consistent.keys() == raw.keys()
        assert adds_up(consistent)
        assert not adds_up(raw)
    client.execute("SET dp.consistency = off")
    assert prices(client, ROLLUP) == ["dpproxy recalled an earlier answer, free of charge"]
    client.execute("RESET dp.consistency")


def test_grouping_sets_add_up_to_the_same_total_though_their_common_groups_are_not_shown(
    client: psycopg.Connection,
) -> None:
    sums: dict[object, Decimal] = defaultdict(Decimal)
    found = asked(client, APART, 3)
    for (grouping, _, _), number in found.items():
        sums[grouping] += number
    assert sums.keys() == {1, 2, 3}
    assert sums[1] == sums[2] == sums[3]
    # Five regions and NULL, two urgencies, and all.
    assert len(found) == 6 + 2 + 1


def test_the_grand_total_is_near_the_truth(client: psycopg.Connection) -> None:
    # 12 000 visits, of which clipping takes a few hundred; the noise of a level is about 80.
    assert abs(asked(client, ROLLUP, 3)[3, None, None] - 12_000) < 2_000


def test_explain_shows_the_levels(client: psycopg.Connection) -> None:
    text = plan_of(client, APART)
    assert "Grouping sets: 3, each with noise of its own for an equal share of the price" in text
    assert "Groups by all keys: not shown, measured for 1/16 of the price" in text


def test_too_many_totals_are_refused_before_anything_is_charged(client: psycopg.Connection) -> None:
    before = client.execute("SELECT count(*) FROM dp.ledger").fetchone()
    sets = ", ".join(["(registered, region)"] * 64)
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="too many groups to be made consistent") as error:
        client.execute(f"SELECT count(*) FROM patients GROUP BY GROUPING SETS ({sets})".encode())
    assert error.value.diag.message_hint is not None
    assert client.execute("SELECT count(*) FROM dp.ledger").fetchone() == before


def test_a_total_may_be_read_among_the_rows(client: psycopg.Connection) -> None:
    inner = "SELECT avg(cost) FROM visits GROUP BY GROUPING SETS ((), (region)) HAVING grouping(region) = 1"
    rows = client.execute(f"SELECT count(*) FROM visits WHERE cost > ({inner})".encode()).fetchall()
    assert len(rows) == 1
