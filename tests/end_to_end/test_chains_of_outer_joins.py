"""Outer joins of several private tables: along keys no row is met twice, whoever comes first, so no unit's rows are limited."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from psycopg.conninfo import make_conninfo
from sqlglot import exp

from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.sql import dialect
from proxy.sql.rows.compiler import RowCompiler
from proxy.sql.rows.multiplicity import Multiplicity
from proxy.sql.schema import Schema
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, over_tables
from tests.end_to_end.conftest import StartProxy

TABLES = """
CREATE TABLE buyers (buyer integer PRIMARY KEY, land text NOT NULL);
CREATE TABLE baskets (basket integer PRIMARY KEY, buyer integer NOT NULL REFERENCES buyers, via text);
CREATE TABLE lines (line integer PRIMARY KEY, basket integer NOT NULL REFERENCES baskets, buyer integer NOT NULL REFERENCES buyers,
    good integer);
CREATE TABLE goods (good integer PRIMARY KEY, price integer NOT NULL);
INSERT INTO buyers SELECT i, (ARRAY['de', 'fr'])[1 + i % 2] FROM generate_series(1, 120) AS i;
INSERT INTO baskets SELECT i, 1 + i * 7 % 100, (ARRAY['web', 'app'])[1 + i % 2] FROM generate_series(1, 700) AS i;
INSERT INTO lines SELECT i, basket, buyer, CASE WHEN i % 9 > 0 THEN 1 + i % 30 END FROM generate_series(1, 6000) AS i
    JOIN baskets ON basket = 1 + i * 11 % 500;
INSERT INTO goods SELECT i, i * 3 FROM generate_series(1, 25) AS i;
"""
ALONG_KEYS = {
    "two levels": "SELECT b.land, count(*), count(k.basket), count(l.line) FROM buyers b LEFT JOIN baskets k ON k.buyer = b.buyer "
    "LEFT JOIN lines l ON l.basket = k.basket GROUP BY 1",
    "with a public table": "SELECT count(*), sum(g.price) FROM buyers b LEFT JOIN baskets k ON k.buyer = b.buyer LEFT JOIN lines l "
    "ON l.basket = k.basket LEFT JOIN goods g ON g.good = l.good",
    "USING": "SELECT via, count(*), count(line) FROM buyers LEFT JOIN baskets USING (buyer) LEFT JOIN lines USING (basket) GROUP BY 1",
    "in parentheses": "SELECT count(*), count(l.line) FROM buyers b LEFT JOIN (baskets k LEFT JOIN lines l ON l.basket = k.basket) "
    "ON k.buyer = b.buyer",
    "from the right": "SELECT count(*), count(l.line) FROM lines l RIGHT JOIN baskets k ON l.basket = k.basket RIGHT JOIN buyers b "
    "ON k.buyer = b.buyer",
    "an inner join first": "SELECT count(*), count(l.line) FROM buyers b JOIN baskets k ON k.buyer = b.buyer LEFT JOIN lines l "
    "ON l.basket = k.basket LEFT JOIN goods g ON g.good = l.good",
}
MEETING = {
    "two tables of one buyer": "FROM buyers b LEFT JOIN baskets k ON k.buyer = b.buyer LEFT JOIN baskets m ON m.buyer = b.buyer",
    "a condition that need not tie": "FROM buyers b LEFT JOIN baskets k ON k.buyer = b.buyer LEFT JOIN baskets m "
    "ON m.buyer = b.buyer AND (m.basket = k.basket OR k.basket IS NULL)",
    "what may be NULL on both sides": "FROM buyers b LEFT JOIN baskets k ON k.buyer = b.buyer LEFT JOIN baskets m "
    "ON m.buyer = b.buyer AND nullif(m.basket, 0) IS NOT DISTINCT FROM k.basket",
    "two chains": "FROM buyers b LEFT JOIN baskets k ON k.buyer = b.buyer LEFT JOIN lines l ON l.basket = k.basket "
    "LEFT JOIN baskets m ON m.buyer = b.buyer",
}


def policy() -> Policy:
    generous = {"budget": {"epsilon": "1e27", "delta": "0.4"}, "query": {"epsilon": "1e20", "delta": "0.1"}}

    def table(**columns: object) -> dict[str, object]:
        return {"unit": {"name": "buyer", "column": "buyer"}, "columns": {"buyer": {}} | columns, **generous}

    tables = {
        "public.buyers": table(land={"values": ["de", "fr"]}),
        "public.baskets": table(basket={}, via={"values": ["web", "app"]}),
        "public.lines": {
            "unit": {"name": "buyer", "via": "basket -> public.baskets.basket"},
            "columns": {"line": {}, "basket": {}, "good": {"bounds": [1, 40]}},
            **generous,
        },
        "public.goods": {"public": True},
    }
    return Policy.model_validate({**clinic.POLICY, "units": {"buyer": {}}, "tables": tables})


@pytest.fixture(scope="module")
def both(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Connections]:
    with over_tables(TABLES, policy(), copy_clinic(), proxies) as found:
        yield found


def _limits(query: str, both: Connections) -> list[str]:
    plan = [str(line) for (line,) in both[0].execute(f"EXPLAIN {query}".encode()).fetchall()]
    return [line for line in plan if "Rows that meet others" in line]


@pytest.mark.parametrize("query", ALONG_KEYS.values(), ids=ALONG_KEYS)
def test_chains_along_keys_are_answered_in_full(query: str, both: Connections) -> None:
    assert _limits(query, both) == []
    assert_same_answer(query, both)


@pytest.mark.parametrize("joins", MEETING.values(), ids=MEETING)
def test_rows_that_meet_each_other_are_limited(joins: str, both: Connections) -> None:
    assert _limits(f"SELECT count(*) {joins}", both) != []


def test_rows_are_counted_for_each_set_of_tables_that_can_be_present(both: Connections) -> None:
    """Of a buyer alone, with a basket, and with a line in it; not with a line, but without a basket."""
    source = both[1].info
    dsn = make_conninfo(source.dsn, password=source.password)
    schema = Schema(policy(), read_catalog(dsn, ["public.buyers", "public.baskets", "public.lines", "public.goods"]))
    select = dialect.parse(
        "SELECT 1 FROM buyers b LEFT JOIN baskets k ON k.buyer = b.buyer LEFT JOIN lines l ON l.basket = k.basket"
    )
    assert isinstance(select, exp.Select)
    assert RowCompiler(schema, ("public",), lambda _: 1).relation(select).joined == Multiplicity(rows=3, private=0)
