"""NOT IN of columns that can be NULL is answered where WHERE leaves no NULL in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from proxy.policy.model import Policy
from tests.end_to_end.clinic import VERIFIER
from tests.end_to_end.comparing import Connections, assert_same_answer, over_tables
from tests.end_to_end.conftest import StartProxy

SQL = """
CREATE TABLE buyers (buyer integer PRIMARY KEY, city text);
CREATE TABLE orders (order_id integer PRIMARY KEY, buyer integer REFERENCES buyers, paid boolean);
CREATE TABLE refunds (refund_id integer PRIMARY KEY, buyer integer);
INSERT INTO buyers SELECT i, 'c' || i % 3 FROM generate_series(1, 300) AS i;
INSERT INTO orders SELECT i, CASE WHEN i % 7 > 0 THEN 1 + i % 150 END, i % 3 = 0 FROM generate_series(1, 2000) AS i;
INSERT INTO refunds SELECT i, CASE WHEN i % 5 > 0 THEN i * 2 END FROM generate_series(1, 100) AS i;
"""
LIST = "SELECT buyer FROM refunds"
SAME = {
    "a condition": f"SELECT count(*) FROM buyers WHERE buyer NOT IN ({LIST} WHERE buyer IS NOT NULL)",
    "another condition": f"SELECT city, count(*) FROM buyers WHERE buyer NOT IN ({LIST} WHERE buyer > 9 AND refund_id > 3) GROUP BY city",
    "DISTINCT and ORDER BY": "SELECT count(*) FROM buyers WHERE NOT (buyer IN (SELECT DISTINCT r.buyer FROM refunds AS r "
    "WHERE NOT r.buyer IS NULL ORDER BY 1))",
    "on both sides": f"SELECT count(*) FROM orders WHERE buyer NOT IN ({LIST} WHERE buyer IS NOT NULL) AND buyer IS NOT NULL",
    "a join": "SELECT count(*) FROM buyers WHERE buyer NOT IN (SELECT o.buyer FROM orders o LEFT JOIN refunds r ON r.buyer = o.buyer "
    "WHERE r.refund_id > 3 AND o.buyer IS NOT NULL)",
    "joins around it": f"SELECT count(*) FROM buyers b JOIN orders o ON o.buyer = b.buyer WHERE o.buyer NOT IN ({LIST} WHERE buyer > 7)"
    " AND o.buyer < 120",
    "below OR": f"SELECT count(*) FROM buyers WHERE city = 'c1' OR buyer NOT IN ({LIST} WHERE buyer IS NOT NULL)",
    "FILTER": f"SELECT count(*) FILTER (WHERE buyer NOT IN ({LIST} WHERE buyer IS NOT NULL)) FROM buyers",
    "a key": f"SELECT k, count(*) FROM (SELECT buyer NOT IN ({LIST} WHERE buyer IS NOT NULL) AS k FROM buyers) AS t GROUP BY k",
}
REFUSED = {
    "the list's": f"SELECT count(*) FROM buyers WHERE buyer NOT IN ({LIST})",
    "the list's, in some rows": f"SELECT count(*) FROM buyers WHERE buyer NOT IN ({LIST} WHERE buyer IS NOT NULL OR refund_id > 3)",
    "the list's, though another table's is not": "SELECT count(*) FROM buyers WHERE buyer NOT IN (SELECT r.buyer FROM orders o LEFT JOIN "
    "refunds r ON r.buyer = o.buyer WHERE o.buyer IS NOT NULL)",
    "that of the row": f"SELECT count(*) FROM orders WHERE buyer NOT IN ({LIST} WHERE buyer IS NOT NULL)",
    "that of the row, in some rows": f"SELECT count(*) FROM orders WHERE buyer NOT IN ({LIST} WHERE buyer IS NOT NULL) "
    "AND (buyer IS NOT NULL OR paid)",
    "that of the row, but for the list": f"SELECT count(*) FROM orders WHERE (buyer NOT IN ({LIST} WHERE buyer IS NOT NULL) AND "
    "buyer IS NOT NULL) IS NOT FALSE",
}


def _table(**columns: Any) -> dict[str, Any]:
    return {
        "unit": {"name": "buyer", "column": "buyer"},
        "budget": {"epsilon": "1e27", "delta": "0.9"},
        "query": {"epsilon": "1e20", "max_epsilon": "1e22", "delta": "0.1"},
        "contribution": {"max_rows": 200, "max_rows_per_group": 200},
        "columns": columns,
    }


@pytest.fixture(scope="module")
def connections(copy_clinic: Callable[[], str], proxies: StartProxy) -> Iterator[Connections]:
    policy = Policy.model_validate(
        {
            "version": 1,
            "analysts": {"ana": {"password": VERIFIER}},
            "units": {"buyer": {}},
            "tables": {
                "public.buyers": _table(buyer={}, city={"values": ["c0", "c1", "c2"]}),
                "public.orders": _table(order_id={}, buyer={}, paid={}),
                "public.refunds": _table(refund_id={}, buyer={}),
            },
        }
    )
    with over_tables(SQL, policy, copy_clinic(), proxies) as both:
        yield both


@pytest.mark.parametrize("query", SAME.values(), ids=SAME)
def test_lists_in_which_where_leaves_no_null(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize("query", REFUSED.values(), ids=REFUSED)
def test_one_null_would_tell_of_other_units(query: str, connections: Connections) -> None:
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="can be NULL"):
        connections[0].execute(query.encode())
