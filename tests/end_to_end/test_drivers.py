"""psycopg 3 and asyncpg against an exact proxy: parameters, formats, cursors and COPY give what Postgres itself gives."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import asyncpg
import psycopg
import pytest
from psycopg import sql
from psycopg.types.string import StrDumper

from tests.end_to_end.clinic import PASSWORD
from tests.end_to_end.running import RunningProxy
from tests.end_to_end.test_equals_postgres import assert_same

GROUPED = "SELECT region, count(*), sum(cost), avg(minutes), sum(score) FROM visits WHERE minutes > %s GROUP BY region ORDER BY 1"
PARAMETERS: dict[str, tuple[str, Sequence[object]]] = {
    "integer": ("SELECT count(*) FROM visits WHERE minutes > %s", [60]),
    "bigint": ("SELECT count(*) FROM visits WHERE visit_id < %s", [2**40]),
    "null integer": ("SELECT count(*) FROM visits WHERE coalesce(minutes > %s::int, urgent)", [None]),
    "null text": ("SELECT count(*) FROM visits WHERE region = %s", [None]),
    "decimal": ("SELECT count(*), sum(cost) FROM visits WHERE cost <= %s", [Decimal("123.45")]),
    "float": ("SELECT count(*) FROM visits WHERE score < %s", [71.5]),
    "text": ("SELECT count(*) FROM visits WHERE region = %s AND diagnosis LIKE %s", ["north", "%s 3"]),
    "text with quotes": ("SELECT count(*) FROM visits WHERE diagnosis <> %s", ['o\'Hara \\ "x" $$ -- ;']),
    "boolean": ("SELECT count(*) FROM visits WHERE urgent = %s", [True]),
    "date": ("SELECT count(*) FROM patients WHERE registered >= %s", [date(2021, 3, 4)]),
    "timestamp": ("SELECT count(*) FROM visits WHERE visited_at < %s", [datetime(2024, 5, 6, 7, 8, 9)]),
    "timestamptz": ("SELECT count(*) FROM visits WHERE seen_at < %s", [datetime(2024, 5, 6, 7, tzinfo=UTC)]),
    "interval": ("SELECT count(*) FROM visits WHERE visited_at + %s > timestamp '2025-12-01'", [timedelta(days=30)]),
    "list of texts": ("SELECT count(*) FROM visits WHERE region = ANY (%s)", [["north", "east"]]),
    "list of integers": ("SELECT count(*) FROM visits WHERE specialty_id = ANY (%s)", [[1, 3]]),
    "inside an aggregate": (
        "SELECT sum(minutes * %s), count(*) FILTER (WHERE cost > %s) FROM visits",
        [3, Decimal(500)],
    ),
    "in HAVING and LIMIT": (
        "SELECT region, count(*) FROM visits GROUP BY 1 HAVING count(*) > %s ORDER BY 1 LIMIT %s",
        [10, 2],
    ),
    "in the select list": ("SELECT %s::text AS label, count(*) FROM visits", ["all visits"]),
}
Connections = tuple[psycopg.Connection, psycopg.Connection]


@pytest.fixture(scope="module")
def connections(exact_proxy: RunningProxy) -> Iterator[Connections]:
    """A client of the proxy, and one of the source itself."""
    with exact_proxy.connect() as client, psycopg.connect(exact_proxy.options.source_dsn, autocommit=True) as source:
        client.execute("SET dp.empty_groups = hide")
        for connection in (client, source):
            connection.execute("SET TimeZone = 'UTC'")
        yield client, source


def assert_equal_answers(client: psycopg.Cursor, source: psycopg.Cursor) -> None:
    """Same columns, same types, same rows."""
    assert [(c.name, c.type_code) for c in client.description or ()] == [
        (c.name, c.type_code) for c in source.description or ()
    ]
    rows, expected = client.fetchall(), source.fetchall()
    assert len(rows) == len(expected)
    for row, wanted in zip(rows, expected, strict=True):
        assert_same(row, wanted)


@pytest.mark.parametrize("binary", [False, True], ids=["text", "binary"])
@pytest.mark.parametrize(("query", "values"), PARAMETERS.values(), ids=PARAMETERS.keys())
def test_psycopg_parameters_of_every_type(
    connections: Connections, query: str, values: Sequence[object], binary: bool
) -> None:
    client, source = connections
    assert_equal_answers(client.execute(query, values, binary=binary), source.execute(query, values, binary=binary))


def test_psycopg_text_parameters_of_undeclared_type(connections: Connections) -> None:
    client, source = connections
    cursors = [connection.cursor() for connection in (client, source)]
    for cursor in cursors:
        cursor.adapters.register_dumper(int, StrDumper)
        cursor.execute(GROUPED, ("60",))
    assert_equal_answers(*cursors)


def test_psycopg_client_side_binding_asks_by_the_simple_protocol(connections: Connections) -> None:
    client, source = (psycopg.ClientCursor(connection) for connection in connections)
    query = "SELECT count(*) FROM visits WHERE region = ANY (%s) AND visited_at >= %s AND cost > %s AND urgent = %s"
    values = (["north", "o'x"], date(2024, 6, 1), Decimal("9.5"), False)
    assert_equal_answers(client.execute(query, values), source.execute(query, values))


def test_psycopg_prepares_a_private_query_after_five_executions(exact_proxy: RunningProxy) -> None:
    with exact_proxy.connect() as client, psycopg.connect(exact_proxy.options.source_dsn, autocommit=True) as source:
        for minutes in range(8):
            query = "SELECT count(*) FROM visits WHERE minutes = %s"
            assert client.execute(query, (minutes,)).fetchone() == source.execute(query, (minutes,)).fetchone()
        prepared = client.execute("SELECT statement FROM pg_prepared_statements").fetchall()
    assert prepared == [("SELECT count(*) FROM visits WHERE minutes = $1",)]


def test_psycopg_pipeline_mixes_private_queries_public_queries_and_errors(connections: Connections) -> None:
    client, source = connections
    private, public = "SELECT count(*) FROM visits WHERE minutes < %s", "SELECT name FROM regions WHERE population = %s"
    with client.pipeline() as pipeline:
        answers = [client.execute(private, (minutes,)) for minutes in (5, 10, 15)]
        named = client.execute(public, (1200,))
        pipeline.sync()
        assert [a.fetchone() for a in answers] == [source.execute(private, (m,)).fetchone() for m in (5, 10, 15)]
        assert named.fetchone() == ("north",)
        client.execute("SELECT * FROM visits")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            pipeline.sync()
    assert client.execute(private, (5,)).fetchone() == source.execute(private, (5,)).fetchone()


@pytest.mark.parametrize("hold", [False, True])
def test_psycopg_server_side_cursor_pages_through_an_answer(connections: Connections, hold: bool) -> None:
    client, source = connections
    expected = source.execute(GROUPED, (60,)).fetchall()
    with client.cursor("pages", withhold=hold) as cursor:
        cursor.itersize = 2
        with client.transaction():
            cursor.execute(GROUPED, (60,))
            rows = [] if hold else list(cursor)
        rows += list(cursor) if hold else []
    assert len(rows) == len(expected) == 4
    for row, wanted in zip(rows, expected, strict=True):
        assert_same(row, wanted)


def test_psycopg_scrolls_in_a_held_cursor(connections: Connections) -> None:
    client, _ = connections
    with client.cursor("held", withhold=True, scrollable=True) as cursor:
        cursor.execute("SELECT region, count(*) FROM visits GROUP BY region ORDER BY region")
        first = cursor.fetchone()
        cursor.scroll(2, mode="absolute")
        assert [row[0] for row in cursor.fetchall()] == ["south", "west"]
        cursor.scroll(0, mode="absolute")
        assert cursor.fetchone() == first


@pytest.mark.parametrize("options", ["", "(FORMAT csv, HEADER)", "(FORMAT binary)"], ids=["text", "csv", "binary"])
def test_psycopg_copies_an_answer_byte_by_byte_as_postgres(connections: Connections, options: str) -> None:
    query = sql.SQL("COPY (SELECT region, count(*), sum(cost) FROM visits GROUP BY region ORDER BY 1) TO STDOUT ")
    copies = []
    for connection in connections:
        with connection.cursor().copy(query + sql.SQL(options)) as copy:
            copies.append(b"".join(bytes(block) for block in copy))
    assert len(copies[0]) > 60
    assert copies[0] == copies[1]


def with_asyncpg(proxy: RunningProxy, use: Callable[[Any, Any], Awaitable[None]]) -> None:
    """Run `use` with an asyncpg client of the proxy and one of the source."""

    async def run() -> None:
        host, port = proxy.address
        client = await asyncpg.connect(
            host=host, port=port, user="ana", password=PASSWORD, database=proxy.database, ssl=False
        )
        source = await asyncpg.connect(**_asyncpg_parameters(proxy.options.source_dsn))
        try:
            await client.execute("SET dp.empty_groups = hide")
            await use(client, source)
        finally:
            await client.close()
            await source.close()

    asyncio.run(run())


def _asyncpg_parameters(dsn: str) -> dict[str, Any]:
    known = psycopg.conninfo.conninfo_to_dict(dsn)
    names = {"host": "host", "port": "port", "user": "user", "password": "password", "dbname": "database"}
    return {names[name]: value for name, value in known.items() if name in names}


def test_asyncpg_parameters_and_binary_results(exact_proxy: RunningProxy) -> None:
    query = (
        "SELECT region, count(*), sum(cost), avg(score) FROM visits WHERE cost < $1 AND region = ANY ($2) AND "
        "visited_at >= $3 AND urgent = $4 AND ($5::int IS NULL OR minutes > 3) GROUP BY region ORDER BY region"
    )
    values = (Decimal("700.5"), ["north", "west", None], datetime(2024, 2, 3), False, None)

    async def use(client: Any, source: Any) -> None:
        rows, expected = await client.fetch(query, *values), await source.fetch(query, *values)
        assert len(rows) == len(expected) == 2
        for row, wanted in zip(rows, expected, strict=True):
            assert_same(tuple(row), tuple(wanted))

    with_asyncpg(exact_proxy, use)


def test_asyncpg_prepared_statement_knows_parameters_and_columns_before_it_runs(exact_proxy: RunningProxy) -> None:
    async def use(client: Any, source: Any) -> None:
        query = "SELECT region, count(*) AS n, avg(cost) FROM visits WHERE minutes > $1 GROUP BY 1 ORDER BY 1"
        prepared, native = await client.prepare(query), await source.prepare(query)
        assert prepared.get_parameters() == native.get_parameters()
        assert prepared.get_attributes() == native.get_attributes()
        for minutes in (10, 90):
            rows, expected = await prepared.fetch(minutes), await native.fetch(minutes)
            assert len(rows) == len(expected) > 3
            for row, wanted in zip(rows, expected, strict=True):
                assert_same(tuple(row), tuple(wanted))

    with_asyncpg(exact_proxy, use)


def test_asyncpg_looks_up_types_it_does_not_know(exact_proxy: RunningProxy) -> None:
    query = "SELECT array_agg(r ORDER BY r.population) AS records, (SELECT count(*) FROM patients) AS n FROM regions r"

    async def use(client: Any, source: Any) -> None:
        assert tuple(await client.fetchrow(query)) == tuple(await source.fetchrow(query))

    with_asyncpg(exact_proxy, use)


def test_asyncpg_cursors_page_inside_a_transaction(exact_proxy: RunningProxy) -> None:
    query = "SELECT birth_year, count(*) FROM patients WHERE birth_year > $1 GROUP BY 1 ORDER BY 1"

    async def use(client: Any, source: Any) -> None:
        async with client.transaction(isolation="repeatable_read", readonly=True):
            rows = [tuple(row) async for row in client.cursor(query, 1990, prefetch=3)]
            cursor = await client.cursor(query, 1990)
            assert [tuple(row) for row in await cursor.fetch(2)] == rows[:2]
            assert await cursor.forward(3) == 3
            assert tuple(await cursor.fetchrow()) == rows[5]
        assert rows == [tuple(row) for row in await source.fetch(query, 1990)]

    with_asyncpg(exact_proxy, use)


def test_asyncpg_raises_a_refusal_with_all_its_fields(exact_proxy: RunningProxy) -> None:
    async def use(client: Any, _: Any) -> None:
        with pytest.raises(asyncpg.InsufficientPrivilegeError) as refusal:
            await client.fetch("SELECT urgent, sum(visit_id) FROM visits WHERE minutes > $1 GROUP BY 1", 3)
        assert refusal.value.position == str("SELECT urgent, sum".index("sum") + 1)
        assert refusal.value.detail is not None
        assert "dp.columns" in refusal.value.hint
        assert await client.fetchval("SELECT 1 + count(*) - count(*) FROM visits") == 1

    with_asyncpg(exact_proxy, use)
