"""Columns of type real: Postgres computes with them in single precision, and gives a numeric their six certain digits."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from proxy.policy.model import Policy
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, over_tables
from tests.end_to_end.conftest import StartProxy

TABLE = """
CREATE TABLE details (id integer PRIMARY KEY, sale integer, price real, discount real);
INSERT INTO details SELECT i, i / 4, (i % 97) * 0.15 + 2.4, (i % 5) * 0.05 FROM generate_series(1, 900) AS i;
CREATE TABLE products (code integer, price real);
INSERT INTO products SELECT i, i * 0.15 + 2.4 FROM generate_series(0, 96) AS i;
"""
SAME = {
    "equality": "SELECT count(*) FROM details WHERE discount::numeric = 0.15",
    "an order": "SELECT count(*) FROM details WHERE price::numeric <= 3.6",
    "a sum": "SELECT sum(price::numeric), avg(price::numeric) FROM details",
    "rounding": "SELECT sum(round(price::numeric, 1)), sum(trunc(price::numeric, 1)) FROM details",
    "a key": "SELECT ceil(discount::numeric * 100), count(*) FROM details GROUP BY 1",
    "a key without arithmetic": "SELECT d, count(*) FROM (SELECT discount::numeric AS d FROM details) x GROUP BY 1",
    "a column as it is": "SELECT discount, count(*), sum(price) FROM details GROUP BY 1",
    "a column that WHERE narrows": "SELECT price, count(*) FROM details WHERE price < 3 AND discount > 0 GROUP BY 1",
    "buckets": "SELECT width_bucket(price::numeric, 2.4, 16.8, 5), count(*) FROM details GROUP BY 1",
    "a public column": "SELECT count(*) FROM details d JOIN products p ON p.code = d.id % 97 WHERE p.price::numeric = 3.6",
    "products": "SELECT count(*) FROM details WHERE (price * discount)::numeric = 0.54",
    "sums and differences": "SELECT sum((price + discount)::numeric), sum((price - discount)::numeric) FROM details",
    "quotients": "SELECT count(*) FROM details WHERE (price / (discount + 1::real))::numeric < 9.6",
    "a computed constant": "SELECT count(*) FROM details WHERE discount = 0.05::real + 0.1::real",
    "a cast of a computed constant": "SELECT count(*) FROM details WHERE discount + price = (0.15::real + 10)::real",
    "constants of both types": "SELECT count(*) FROM details WHERE discount IN (0.15::real, 0.2)",
    "integers that become reals": "SELECT count(*) FROM details WHERE (id::real / 7::real)::numeric = 0.142857",
    "sums of a unit": "SELECT count(*) FROM (SELECT sale, sum(discount) AS s FROM details GROUP BY 1) x WHERE s::numeric = 0.3",
    "the least of a unit": "SELECT count(*) FROM (SELECT sale, min(price) AS m FROM details GROUP BY 1) x WHERE m::numeric = 2.55",
    "texts of a unit's extremes": "SELECT count(*) FROM (SELECT sale, max(discount) AS m FROM details GROUP BY 1) x WHERE m::text = '0.15'",
    "texts of window functions": "SELECT count(*) FROM (SELECT lag(price) OVER (PARTITION BY sale ORDER BY id) AS m FROM details) x "
    "WHERE m::text = '2.55'",
    "texts of sums": "SELECT count(*) FROM (SELECT sale, sum(discount) AS m FROM details GROUP BY 1) x WHERE m::text = '0.3'",
    "window functions": "SELECT count(*) FROM (SELECT lag(price) OVER (PARTITION BY sale ORDER BY id) AS m FROM details) x "
    "WHERE m::numeric = 2.55",
}


def policy() -> Policy:
    columns: dict[str, object] = {
        "id": {},
        "sale": {},
        "price": {"bounds": [2, 17], "step": "0.01"},
        "discount": {"bounds": [0, 1], "step": "0.01"},
    }
    generous = {"budget": {"epsilon": "1e27", "delta": "0.4"}, "query": {"epsilon": "1e20", "delta": "0.1"}}
    details = {"unit": {"name": "sale", "column": "sale"}, "columns": columns, **generous}
    tables = {"public.details": details | {"contribution": {"max_rows": 4}}, "public.products": {"public": True}}
    return Policy.model_validate({**clinic.POLICY, "units": {"sale": {}}, "tables": tables})


@pytest.fixture(scope="module")
def both(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Connections]:
    with over_tables(TABLE, policy(), copy_clinic(), proxies) as found:
        yield found


@pytest.mark.parametrize("query", SAME.values(), ids=SAME)
def test_reals_are_computed_as_postgres_does(query: str, both: Connections) -> None:
    assert_same_answer(query, both)
