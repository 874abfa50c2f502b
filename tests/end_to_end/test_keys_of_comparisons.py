"""Keys that ask how one column compares with constants have the groups that rows can be in, and no others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from proxy.policy.model import Policy
from tests.end_to_end.clinic import VERIFIER
from tests.end_to_end.comparing import Connections, assert_same_answer, over_tables
from tests.end_to_end.conftest import StartProxy

SQL = """
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TABLE buyers (buyer integer PRIMARY KEY, city text, age smallint NOT NULL);
CREATE TABLE orders (order_id integer PRIMARY KEY, buyer integer NOT NULL REFERENCES buyers, n integer NOT NULL, small smallint, big bigint NOT NULL,
    price numeric(8, 2) NOT NULL, ratio numeric, score double precision, weight real NOT NULL, status text NOT NULL, code varchar(5), letter char(3),
    day date NOT NULL, at timestamp, moment timestamptz, felt mood, paid boolean);
INSERT INTO buyers SELECT i, (ARRAY['Rome', 'Oslo', 'Bonn', NULL])[1 + i % 4], i % 70 FROM generate_series(1, 300) AS i;
INSERT INTO orders
SELECT i, 1 + i % 300, abs(hashint4(i)) % 40, CASE i % 7 WHEN 0 THEN NULL WHEN 1 THEN -32768 WHEN 2 THEN 32767 ELSE i % 50 END,
    CASE i % 5 WHEN 0 THEN 9223372036854775807 WHEN 1 THEN -9223372036854775808 ELSE i % 30 END,
    (i % 2500) * 0.01, CASE i % 11 WHEN 0 THEN 'NaN' WHEN 1 THEN NULL ELSE (i % 100) / 7.0 END,
    CASE i % 13 WHEN 0 THEN 'NaN' WHEN 1 THEN 'Infinity' WHEN 2 THEN '-Infinity' WHEN 3 THEN NULL ELSE (i % 100) / 3.0 END, (i % 300) / 10.0,
    (ARRAY['new', 'paid', 'sent', 'lost', ''])[1 + i % 5], (ARRAY['a', 'b', NULL, 'c'])[1 + i % 4], (ARRAY['x', 'yy', 'zzz'])[1 + i % 3],
    date '2024-01-01' + i % 366, CASE WHEN i % 9 > 0 THEN timestamp '2024-01-01' + i % 8784 * interval '1 hour' END, timestamptz '2024-01-01' + i % 8784 * interval '1 hour',
    (ARRAY['sad', 'ok', 'happy']::mood[])[1 + i % 3], CASE WHEN i % 3 > 0 THEN i % 2 = 0 END
FROM generate_series(1, 9000) AS i;
"""
TIER = "CASE WHEN {0} < 5 THEN 'low' WHEN {0} < 20 THEN 'mid' WHEN {0} >= 20 THEN 'high' END"
ORDER = "CASE WHEN {0} < 5 THEN 1 WHEN {0} >= 5 AND {0} < 20 THEN 2 WHEN {0} >= 20 THEN 3 ELSE 4 END"
TWICE = f"SELECT {TIER} AS tier, {ORDER} AS place, count(*) FROM orders GROUP BY 1, 2"
SAME = {
    **{
        f"tiers of {column}, and their order": TWICE.format(column)
        for column in ("n", "small", "big", "price", "ratio", "score", "weight")
    },
    "one tier, and no NULL where all values are in one": f"SELECT {TIER.format('n')}, count(*) FROM orders GROUP BY 1",
    "a declared column of some tiers": "SELECT CASE WHEN price < 5 THEN paid WHEN price < 10 THEN true END, count(*) FROM orders GROUP BY 1",
    "a condition leaves out tiers": f"SELECT {TIER.format('price')}, count(*) FROM orders WHERE price BETWEEN 6 AND 9.5 GROUP BY 1",
    "a condition leaves out tiers, from a subquery": f"SELECT tier, count(*) FROM (SELECT {TIER.format('p')} AS tier, q FROM "
    "(SELECT price AS p, price AS q FROM orders) AS o) AS o WHERE q < 3 GROUP BY tier",
    "a condition on another tier": f"SELECT tier, place, count(*) FROM (SELECT {TIER.format('ratio')} AS tier, {ORDER.format('ratio')} AS place "
    "FROM orders) AS o WHERE place IN (1, 2) GROUP BY 1, 2",
    "no NULL where a condition leaves none": "SELECT CASE WHEN score < 5 THEN 1 WHEN score >= 5 THEN 2 END, count(*) FROM orders "
    "WHERE score IS NOT NULL GROUP BY 1",
    "constants beyond what the type holds": "SELECT small < 40000, small > -40000, count(*) FROM orders GROUP BY 1, 2",
    "the ends of what the type holds": "SELECT big <= -9223372036854775807, big >= 9223372036854775807, count(*) FROM orders GROUP BY 1, 2",
    "constants between whole numbers": "SELECT n > 3.5, n < 3.25, n <> 3, count(*) FROM orders GROUP BY 1, 2, 3",
    "neighbours of two places": "SELECT price <= 9.95, price >= 10, price = 9.99, count(*) FROM orders GROUP BY 1, 2, 3",
    "groups of texts, and their order": "SELECT CASE WHEN status IN ('new', 'paid') THEN 'open' WHEN status = 'lost' THEN 'lost' ELSE 'other' END, "
    "CASE status WHEN 'new' THEN 1 WHEN 'paid' THEN 1 WHEN 'lost' THEN 2 ELSE 3 END, count(*) FROM orders GROUP BY 1, 2",
    "a condition on texts": "SELECT CASE status WHEN 'new' THEN 1 WHEN 'paid' THEN 2 ELSE 3 END, count(*) FROM orders WHERE status <> 'new' "
    "GROUP BY 1",
    "texts of a length": "SELECT code = 'a', code IS DISTINCT FROM 'b'::varchar(3), count(*) FROM orders GROUP BY 1, 2",
    "whether there is a value": "SELECT CASE WHEN code IS NULL THEN 'no' ELSE 'yes' END, code IS NOT NULL, at IS NULL, "
    "CASE WHEN at IS NULL THEN 0 ELSE 1 END, count(*) FROM orders GROUP BY 1, 2, 3, 4",
    "this and last half of days": "SELECT CASE WHEN day >= '2024-07-01' THEN 'now' ELSE 'before' END, CASE WHEN day < date '2024-07-01' THEN 1 ELSE 2 "
    "END, count(*) FROM orders GROUP BY 1, 2",
    "moments between two": "SELECT CASE WHEN at < '2024-03-01 12:00' THEN 'a' WHEN at <= '2024-03-01 12:00' THEN 'b' ELSE 'c' END, "
    "at > timestamp '2024-03-01 12:00', at BETWEEN '2024-02-01' AND '2024-03-01', count(*) FROM orders GROUP BY 1, 2, 3",
    "moments of a zone": "SELECT moment < '2024-03-01 12:00+02', moment >= date '2024-03-02', count(*) FROM orders WHERE moment > '2024-02-28 23:00' "
    "GROUP BY 1, 2",
    "two columns": f"SELECT {TIER.format('n')}, {ORDER.format('n')}, CASE WHEN n < 5 AND status = 'new' THEN 1 ELSE 2 END, "
    "status = 'new', count(*) FROM orders GROUP BY 1, 2, 3, 4",
    "beside a declared column": "SELECT CASE WHEN paid AND n < 5 THEN 1 WHEN NOT paid THEN 2 ELSE 3 END, n < 5, paid, count(*) FROM orders "
    "GROUP BY 1, 2, 3",
    "of a joined row": f"SELECT {TIER.format('b.age')}, {ORDER.format('b.age')}, {TIER.format('o.n')}, count(*) FROM orders o "
    "JOIN buyers b USING (buyer) GROUP BY 1, 2, 3",
    "of two rows": f"SELECT a.tier, b.tier, count(*) FROM (SELECT buyer, {TIER.format('n')} AS tier FROM orders WHERE n < 30) AS a JOIN "
    f"(SELECT buyer, {TIER.format('n')} AS tier FROM orders WHERE n > 3) AS b ON b.buyer = a.buyer WHERE a.tier <> b.tier GROUP BY 1, 2",
}
MORE = {
    "of a row that may be missing": "SELECT CASE WHEN o.n < 5 THEN 1 ELSE 2 END, CASE WHEN o.n < 5 THEN 'a' WHEN o.n IS NULL THEN 'c' ELSE 'b' END, "
    "count(*) FROM buyers b LEFT JOIN (SELECT buyer, n FROM orders WHERE buyer % 2 = 0) AS o ON o.buyer = b.buyer GROUP BY 1, 2",
    "a condition that computes": f"SELECT {TIER.format('price')}, {ORDER.format('price')}, count(*) FROM orders WHERE price * 2 < 30 AND "
    "price < n GROUP BY 1, 2",
    "a text compared by order": "SELECT status < 'o', status >= 'o', count(*) FROM orders GROUP BY 1, 2",
    "a text that is searched": "SELECT status LIKE 'p%', status = 'paid', count(*) FROM orders WHERE status <> 'lost' GROUP BY 1, 2",
    "padded texts": "SELECT letter = 'x', letter = 'x  ', count(*) FROM orders GROUP BY 1, 2",
    "labels": "SELECT felt = 'sad', felt <> 'sad', count(*) FROM orders GROUP BY 1, 2",
    "a column that is shown too": "SELECT n, n < 5, n >= 5, count(*) FROM orders GROUP BY 1, 2, 3",
    "rows that two disjunctions leave": f"SELECT {TIER.format('n')}, {ORDER.format('n')}, count(*) FROM orders "
    "WHERE (n < 3 OR price > 5) AND (n > 30 OR status = 'new') GROUP BY 1, 2",
}
"""Where some groups may be of nobody, all groups with rows are there."""


def _table(**columns: Any) -> dict[str, Any]:
    return {
        "unit": {"name": "buyer", "column": "buyer"},
        "budget": {"epsilon": "1e27", "delta": "0.9"},
        "query": {"epsilon": "1e20", "max_epsilon": "1e22", "delta": "0.1"},
        "contribution": {"max_rows": 2000, "max_rows_per_group": 2000},
        "columns": columns,
    }


@pytest.fixture(scope="module")
def connections(copy_clinic: Callable[[], str], proxies: StartProxy) -> Iterator[Connections]:
    names = "order_id buyer small big price ratio score weight status code letter day at moment felt paid".split()
    policy = Policy.model_validate(
        {
            "version": 1,
            "analysts": {"ana": {"password": VERIFIER}},
            "units": {"buyer": {}},
            "tables": {
                "public.buyers": _table(buyer={}, city={"values": ["Rome", "Oslo"]}, age={}),
                "public.orders": _table(n={"range": [0, 39]}, **{name: {} for name in names}),
            },
        }
    )
    with over_tables(SQL, policy, copy_clinic(), proxies) as both:
        both[0].execute("SET dp.empty_groups = 'show'")
        for connection in both:
            connection.execute("SET timezone = 'Europe/Berlin'")
        yield both


@pytest.mark.parametrize("query", SAME.values(), ids=SAME)
def test_there_are_the_groups_that_rows_can_be_in(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize("query", MORE.values(), ids=MORE)
def test_no_group_with_rows_is_missing(query: str, connections: Connections) -> None:
    rows, expected = (set(connection.execute(query.encode()).fetchall()) for connection in connections)
    assert expected <= rows
    assert all(row[-1] == 0 for row in rows - expected)


def test_columns_with_too_many_sides_together_keep_the_results_of_each_key(connections: Connections) -> None:
    keys = []
    for column in ("ratio", "score", "weight"):
        sides = " ".join(f"WHEN {column} < {number} THEN {number % 3}" for number in range(20))
        keys += [f"CASE {sides} END", f"CASE {sides} ELSE 9 END"]
    query = f"SELECT {', '.join(keys)}, count(*) FROM orders GROUP BY 1, 2, 3, 4, 5, 6"
    rows, expected = (set(connection.execute(query.encode()).fetchall()) for connection in connections)
    assert len(rows) == 4**6
    assert expected <= rows


def test_the_plan_says_what_the_keys_are_made_of(connections: Connections) -> None:
    rows = connections[0].execute(("EXPLAIN " + TWICE.format("price")).encode()).fetchall()
    assert any("price compared with constants" in str(row[0]) for row in rows)
