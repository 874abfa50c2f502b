"""Dates and timestamps whose values a public table has: its first and last one bound them, as its numbers do."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator

import psycopg
import pytest

from proxy.policy.model import Policy
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, over_tables
from tests.end_to_end.conftest import StartProxy

TABLES = """
CREATE TABLE calendar (day date PRIMARY KEY, noon timestamp UNIQUE NOT NULL, at timestamptz UNIQUE NOT NULL, endless date);
INSERT INTO calendar SELECT day, day + time '12:00', (day + time '12:00') AT TIME ZONE 'UTC', day
FROM (SELECT date '2021-03-01' + i FROM generate_series(0, 499) AS i) AS d(day);
UPDATE calendar SET endless = 'infinity' WHERE day = '2021-05-05';
CREATE TABLE customers (id int PRIMARY KEY, born date NOT NULL);
CREATE TABLE orders (
    id int NOT NULL REFERENCES customers, number int, ordered_on date NOT NULL REFERENCES calendar, shipped date REFERENCES calendar,
    placed timestamp NOT NULL REFERENCES calendar (noon), sent timestamptz NOT NULL REFERENCES calendar (at), endless date,
    PRIMARY KEY (id, number)
);
INSERT INTO customers SELECT i, date '1960-01-01' + i * 41 FROM generate_series(1, 200) AS i;
INSERT INTO orders SELECT i, n, date '2021-03-01' + (i * n * 7) % 500, CASE WHEN n > 1 THEN date '2021-03-01' + (i * n * 11) % 500 END,
    date '2021-03-01' + (i * n * 7) % 500 + time '12:00', (date '2021-03-01' + (i * n * 7) % 500 + time '12:00') AT TIME ZONE 'UTC',
    date '2021-03-01' + (i * n * 7) % 500
FROM generate_series(1, 200) AS i, generate_series(1, 6) AS n;
"""
_TABLE = {
    "unit": {"name": "customer", "column": "id"},
    "budget": {"epsilon": "1e27", "delta": "0.9"},
    "query": {"epsilon": "1e20", "max_epsilon": "1e22", "delta": "0.1"},
    "contribution": {"max_rows": 2000, "max_rows_per_group": 2000, "max_groups": 64},
}
_FROM = {"ordered_on": "day", "shipped": "day", "placed": "noon", "sent": "at", "endless": "endless"}
POLICY = {
    "version": 1,
    "analysts": {"ana": {"password": clinic.VERIFIER}},
    "units": {"customer": {}},
    "tables": {
        "public.calendar": {"public": True},
        "public.customers": _TABLE
        | {"columns": {"id": {}, "born": {"bounds": [dt.date(1950, 1, 1), dt.date(2000, 1, 1)]}}},
        "public.orders": _TABLE
        | {
            "columns": {"id": {}, "number": {}}
            | {name: {"values_from": f"public.calendar.{column}"} for name, column in _FROM.items()}
        },
    },
}

QUERIES = (
    "SELECT min(ordered_on), max(ordered_on), max(shipped) FROM orders",
    "SELECT min(placed), max(placed) FROM orders",
    "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY ordered_on) FROM orders",
    "SELECT sum(shipped - ordered_on), avg(ordered_on - date '2021-03-01') FROM orders",
    "SELECT sum(ordered_on - c.day) FROM orders JOIN calendar c ON c.day = shipped",
    "SELECT extract(year FROM ordered_on), count(*) FROM orders GROUP BY 1",
    "SELECT extract(year FROM max), count(*) FROM (SELECT id, max(ordered_on) FROM orders GROUP BY id) AS o GROUP BY 1",
    "SELECT date_trunc('month', placed), count(*) FROM orders GROUP BY 1",
    "SELECT extract(year FROM placed), count(*) FROM orders GROUP BY 1",
    "SELECT extract(year FROM sent AT TIME ZONE 'UTC'), count(*) FROM orders GROUP BY 1",
    "SELECT extract(year FROM age(ordered_on, born)), count(*) FROM orders JOIN customers USING (id) GROUP BY 1",
    "SELECT date_trunc('week', least(ordered_on, shipped)), count(*) FROM orders GROUP BY 1",
)


@pytest.fixture(scope="module")
def both(copy_clinic: Callable[[], str], proxies: StartProxy) -> Iterator[Connections]:
    with over_tables(TABLES, Policy.model_validate(POLICY), copy_clinic(), proxies) as found:
        yield found


@pytest.mark.parametrize("query", QUERIES)
def test_public_rows_bound_dates(both: Connections, query: str) -> None:
    lines = [str(line) for (line,) in both[0].execute(f"EXPLAIN {query}".encode()).fetchall()]
    assert not any("Group keys:" in line and "selected" in line for line in lines)
    assert_same_answer(query, both)


def test_a_public_row_without_an_end_bounds_nothing(both: Connections) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="requires bounds, but endless has none"):
        both[0].execute("SELECT max(endless) FROM orders")
