"""Joins with subqueries that have one row of each unit, however that is written: all of a unit's rows take part."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.settings import QuerySettings
from proxy.sql import analysis
from proxy.sql.rows import compiler
from proxy.sql.rows.derived import derive_select
from proxy.sql.rows.members import Derived
from proxy.sql.schema import Schema
from proxy.sql.statement import parse_statement
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, over_tables
from tests.end_to_end.conftest import StartProxy

TABLES = """
CREATE TABLE buyers (buyer integer PRIMARY KEY, land text NOT NULL);
CREATE TABLE orders (id integer PRIMARY KEY, buyer integer NOT NULL REFERENCES buyers, via text NOT NULL, day date NOT NULL);
INSERT INTO buyers SELECT i, (ARRAY['de', 'fr'])[1 + i % 2] FROM generate_series(1, 60) AS i;
INSERT INTO orders SELECT i, CASE WHEN i % 3 = 0 THEN 1 ELSE 1 + i % 55 END, (ARRAY['web', 'app', 'shop'])[1 + i * 7 % 3],
    date '2024-01-01' + i * 13 % 366 FROM generate_series(1, 2100) AS i;
"""
"""The first buyer has more than 700 orders."""

NUMBERED = "SELECT buyer, via, row_number() OVER (PARTITION BY buyer ORDER BY day, id) AS n FROM orders"

ONE_ROW = {
    "DISTINCT of the key and more": "SELECT k.land, count(*) FROM (SELECT DISTINCT buyer, land FROM buyers) k "
    "JOIN orders o ON o.buyer = k.buyer GROUP BY 1",
    "GROUP BY the key and more": "SELECT k.land, count(*) FROM (SELECT buyer, land, count(*) AS n FROM buyers GROUP BY 1, 2) k "
    "JOIN orders o USING (buyer) GROUP BY 1",
    "DISTINCT ON the unit": "SELECT k.via, count(*) FROM (SELECT DISTINCT ON (buyer) buyer, via FROM orders ORDER BY buyer, day, id) k "
    "JOIN orders o ON o.buyer = k.buyer GROUP BY 1",
    "number 1 inside": f"SELECT k.via, count(*) FROM (SELECT * FROM ({NUMBERED}) r WHERE n = 1) k JOIN orders o USING (buyer) GROUP BY 1",
    "number 1 in WHERE": f"SELECT k.via, count(*) FROM ({NUMBERED}) k JOIN orders o ON o.buyer = k.buyer WHERE 1 = k.n GROUP BY 1",
    "number below 2 in ON": f"SELECT k.via, count(*) FROM orders o JOIN ({NUMBERED}) k ON o.buyer = k.buyer AND n < 2 GROUP BY 1",
    "number 1 in ON of LEFT JOIN": f"SELECT k.via, count(*), count(k.buyer) FROM orders o LEFT JOIN ({NUMBERED}) k "
    "ON o.buyer = k.buyer AND k.n = 1 GROUP BY 1",
    "a chain of CTEs": f"WITH r AS ({NUMBERED}), f AS (SELECT buyer, via, n FROM r WHERE via <> ''), "
    "g AS (SELECT * FROM f) SELECT g.via, count(*) FROM g JOIN orders o ON o.buyer = g.buyer WHERE g.n = 1 GROUP BY 1",
    "a named window": "SELECT k.via, count(*) FROM (SELECT buyer, via, row_number() OVER w AS n FROM orders "
    "WINDOW w AS (PARTITION BY buyer ORDER BY day DESC, id)) k JOIN orders o ON o.buyer = k.buyer WHERE k.n <= 1 GROUP BY 1",
    "the first of each channel": "SELECT k.via, count(*) FROM (SELECT buyer, via, row_number() OVER (PARTITION BY buyer, via "
    "ORDER BY day, id) AS n FROM orders) k JOIN orders o ON o.buyer = k.buyer AND o.via = k.via WHERE k.n = 1 GROUP BY 1",
    "two of them": f"SELECT k.via, l.via, count(*) FROM ({NUMBERED}) k JOIN orders o ON o.buyer = k.buyer JOIN "
    "(SELECT DISTINCT ON (buyer) buyer, via FROM orders ORDER BY buyer, day DESC, id) l ON l.buyer = o.buyer "
    "WHERE k.n = 1 GROUP BY 1, 2",
}

FEW_ROWS = {
    "kept by an outer join": f"SELECT k.via, count(*), count(b.buyer) FROM ({NUMBERED}) k LEFT JOIN buyers b ON b.buyer = k.buyer "
    "AND k.n = 1 GROUP BY 1",
    "of the left side of RIGHT JOIN": f"SELECT k.via, count(*) FROM ({NUMBERED}) k RIGHT JOIN buyers b ON b.buyer = k.buyer "
    "AND k.n = 1 GROUP BY 1",
    "kept by the join that says it": f"SELECT k.via, count(*), count(b.buyer) FROM buyers b RIGHT JOIN ({NUMBERED}) k "
    "ON b.buyer = k.buyer AND k.n = 1 GROUP BY 1",
    "without a join": f"SELECT via, count(*) FROM ({NUMBERED}) k WHERE n = 1 GROUP BY 1",
    "one of two": f"SELECT k.via, count(*) FROM ({NUMBERED}) k JOIN buyers b ON b.buyer = k.buyer WHERE k.n = 1 OR b.land = 'de' "
    "GROUP BY 1",
}
"""Here no join meets rows of a unit twice, and the condition may not be moved, or need not."""

KEYS = {
    "swapped names inside": "SELECT count(*) FROM (SELECT via, buyer FROM (SELECT buyer, via, row_number() OVER (PARTITION BY buyer, via "
    "ORDER BY id) FROM orders) AS t(via, buyer, n) WHERE n = 1) u",
    "a row's own key": "SELECT count(*) FROM (SELECT * FROM (SELECT buyer, via, row_number() OVER (PARTITION BY id) AS n FROM orders) x "
    "WHERE n = 1) y",
    "groups by other columns": "SELECT count(*) FROM (SELECT buyer, via, count(*) AS n FROM orders GROUP BY 1, 2) x WHERE n < 9",
    "distinct rows of a join": "SELECT count(*) FROM (SELECT DISTINCT buyer, b.land, o.via FROM orders o JOIN buyers b USING (buyer)) x",
    "a union": "SELECT count(*) FROM (SELECT buyer FROM buyers UNION ALL SELECT buyer FROM orders) x",
    "a number handed on and swapped": "SELECT count(*) FROM (SELECT * FROM (SELECT a AS b, b AS a, n FROM (SELECT buyer AS a, via AS b, "
    "row_number() OVER (PARTITION BY via, buyer ORDER BY id) AS n FROM orders) x) AS y(b, a, m) WHERE m = 1) z",
}
"""Subqueries whose keys are easily mistaken."""

MANY = {
    "ranks": "SELECT count(*) FROM (SELECT buyer, rank() OVER (PARTITION BY buyer ORDER BY day) AS n FROM orders) k "
    "JOIN orders o ON o.buyer = k.buyer WHERE k.n = 1",
    "of partitions by the key of a row": "SELECT count(*) FROM (SELECT buyer, row_number() OVER (PARTITION BY buyer, id) AS n FROM orders) k "
    "JOIN orders o ON o.buyer = k.buyer WHERE k.n = 1",
    "of partitions by the key of a row alone": "SELECT count(*) FROM (SELECT buyer, id, row_number() OVER (PARTITION BY id) AS n "
    "FROM orders) k JOIN orders o ON o.buyer = k.buyer WHERE k.n = 1",
    "of columns whose names are swapped": "SELECT count(*) FROM (SELECT buyer, via, row_number() OVER (PARTITION BY buyer, via) FROM orders) "
    "AS k(via, buyer, n) JOIN orders o ON o.buyer = k.via WHERE k.n = 1",
    "ranks inside": "SELECT count(*) FROM (SELECT * FROM (SELECT buyer, rank() OVER (PARTITION BY buyer ORDER BY day) AS n "
    "FROM orders) r WHERE n = 1) k JOIN orders o ON o.buyer = k.buyer",
    "the second": f"SELECT count(*) FROM ({NUMBERED}) k JOIN orders o ON o.buyer = k.buyer WHERE k.n = 2",
    "at most two": f"SELECT count(*) FROM ({NUMBERED}) k JOIN orders o ON o.buyer = k.buyer WHERE k.n <= 2",
    "of smaller partitions": "SELECT count(*) FROM (SELECT buyer, row_number() OVER (PARTITION BY buyer, day) AS n FROM orders) k "
    "JOIN orders o ON o.buyer = k.buyer WHERE k.n = 1",
    "one of two conditions": f"SELECT count(*) FROM ({NUMBERED}) k JOIN orders o ON o.buyer = k.buyer WHERE k.n = 1 OR k.via = 'web'",
    "a union": f"SELECT count(*) FROM (SELECT * FROM ({NUMBERED}) a UNION ALL SELECT * FROM ({NUMBERED}) b) k "
    "JOIN orders o ON o.buyer = k.buyer WHERE k.n = 1",
    "joined below": f"SELECT count(*) FROM (SELECT a.buyer, a.n FROM ({NUMBERED}) a CROSS JOIN (VALUES (1), (2)) AS w(x)) k "
    "JOIN orders o ON o.buyer = k.buyer WHERE k.n = 1",
    "DISTINCT of more without a key": "SELECT count(*) FROM (SELECT DISTINCT buyer, via FROM orders) k JOIN orders o "
    "ON o.buyer = k.buyer",
}


def _policy() -> Policy:
    def table(**columns: object) -> dict[str, object]:
        return {
            "unit": {"name": "buyer", "column": "buyer"},
            "budget": {"epsilon": "1e12", "delta": "1e-6"},
            "query": {"epsilon": "1e7", "max_epsilon": "1e8"},
            "columns": columns,
        }

    tables = {
        "public.buyers": table(buyer={}, land={"values": ["de", "fr"]}),
        "public.orders": table(id={}, buyer={}, via={"values": ["web", "app", "shop"]}, day={}),
    }
    return Policy.model_validate(clinic.POLICY | {"units": {"buyer": {}}, "tables": tables})


POLICY = _policy()


@pytest.fixture(scope="module")
def connections(copy_clinic: Callable[[], str], proxies: StartProxy) -> Iterator[Connections]:
    with over_tables(TABLES, POLICY, copy_clinic(), proxies) as found:
        found[0].execute("SET dp.max_rows = 1000")
        yield found


def is_limited(client: psycopg.Connection, query: str) -> bool:
    """Does a unit take part with some of its rows only?"""
    return any("Rows that meet others" in line for (line,) in client.execute(f"EXPLAIN {query}".encode()).fetchall())


@pytest.mark.parametrize("name", ONE_ROW)
def test_all_rows_of_a_unit_meet_its_only_row_in_another_table(name: str, connections: Connections) -> None:
    assert_same_answer(ONE_ROW[name], connections)
    assert not is_limited(connections[0], ONE_ROW[name])


@pytest.mark.parametrize("name", FEW_ROWS)
def test_the_condition_stays_where_it_decides_on_other_rows(name: str, connections: Connections) -> None:
    assert_same_answer(FEW_ROWS[name], connections)


def derived(query: str, connections: Connections, monkeypatch: pytest.MonkeyPatch) -> list[Derived]:
    """The subqueries of a statement, as planning understands them."""
    found: list[Derived] = []

    def noted(make: Callable[..., Derived]) -> Callable[..., Derived]:
        def made(*args: object, **named: object) -> Derived:
            found.append(make(*args, **named))
            return found[-1]

        return made

    monkeypatch.setattr(compiler, "derive_select", noted(derive_select))
    monkeypatch.setattr(compiler, "_renamed", noted(compiler._renamed))
    source = connections[1].info
    dsn = make_conninfo(source.dsn, password=source.password)
    schema = Schema(POLICY, read_catalog(dsn, ["public.buyers", "public.orders"]))
    statement = parse_statement(query)
    assert statement is not None
    for block in analysis.analyse(statement, (), schema, ("public",)).blocks:
        analysis.plan_block(block, schema, ("public",), QuerySettings(), "ana")
    return found


SUBQUERIES = ONE_ROW | FEW_ROWS | KEYS | {name: query for name, query in MANY.items() if "VALUES" not in query}


@pytest.mark.parametrize("name", SUBQUERIES)
def test_no_two_rows_of_a_subquery_are_equal_in_a_key_of_it(
    name: str, connections: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Others read a list of units that the source query makes.
    found = [table for table in derived(SUBQUERIES[name], connections, monkeypatch) if "many_" not in table.from_sql]
    assert found
    for table in found:
        for key in table.unique_keys:
            columns = [table.column_sql(name) for name in key]
            present = " AND ".join(f"{column} IS NOT NULL" for column in columns) or "true"
            grouped = f"GROUP BY {', '.join(columns)}" if columns else ""
            twice = connections[1].execute(
                f"SELECT count(*) FROM {table.from_sql} AS d WHERE {present} {grouped} HAVING count(*) > 1".encode()
            )
            assert twice.fetchall() == [], (table.from_sql, columns)


@pytest.mark.parametrize("name", MANY)
def test_rows_are_limited_where_a_unit_may_have_several(name: str, connections: Connections) -> None:
    assert is_limited(connections[0], MANY[name])
