"""Real clients: psql, psycopg 3, asyncpg and pgbench, with relayed and with answered statements."""

from __future__ import annotations

import asyncio
import os
import subprocess
from decimal import Decimal
from pathlib import Path

import asyncpg
import psycopg
import pytest
from psycopg import sql

from tests.programs import find_program
from tests.wire.support import PASSWORD, RunningServer


def run(server: RunningServer, program: str, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PGHOST": server.host, "PGPORT": str(server.port), "PGUSER": "ana"}
    environment |= {"PGDATABASE": "shop", "PGPASSWORD": PASSWORD}
    return subprocess.run(
        [find_program(program), *arguments],
        input=text,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_psql_lists_describes_and_asks(server: RunningServer) -> None:
    script = (
        "\\d visits\nSELECT region, count(*) FROM visits GROUP BY 1 ORDER BY 1;\nSELECT count(*) FROM visits \\gdesc\n"
    )
    done = run(server, "psql", "-X", "-v", "ON_ERROR_STOP=1", text=script)
    assert done.returncode == 0, done.stderr
    assert "cost   | numeric" in done.stdout
    assert "north  |     2" in done.stdout
    assert "count  | bigint" in done.stdout
    assert "NOTICE:  answered ana\nDETAIL:  It cost nothing." in done.stderr


def test_psql_shows_where_an_error_is(server: RunningServer) -> None:
    done = run(server, "psql", "-X", "-c", "SELECT 1 AS one, secrets")
    assert done.stderr.splitlines()[:3] == [
        "ERROR:  secrets are not told",
        "LINE 1: SELECT 1 AS one, secrets",
        " " * 25 + "^",
    ]


def test_psql_fetches_through_a_cursor_and_copies(server: RunningServer) -> None:
    query = "SELECT id FROM visits ORDER BY id"
    script = f"\\set FETCH_COUNT 2\n{query};\n\\copy ({query}) TO STDOUT\n"
    done = run(server, "psql", "-XAt", "-v", "ON_ERROR_STOP=1", text=script)
    assert (done.returncode, done.stdout.split()) == (0, ["1", "2", "3"] * 2)


@pytest.mark.parametrize("mode", ["simple", "extended", "prepared"])
def test_pgbench_runs_in_every_mode(server: RunningServer, tmp_path: Path, mode: str) -> None:
    script = tmp_path / "script.sql"
    script.write_text(
        "\\set bound random(1, 9)\nBEGIN;\nSELECT count(*) FROM visits WHERE cost > :bound;\n"
        "SELECT population FROM regions WHERE population > :bound LIMIT 1;\nEND;\n"
    )
    done = run(server, "pgbench", "-n", "-M", mode, "-c", "3", "-t", "10", "-f", str(script))
    assert done.returncode == 0, done.stderr
    assert "number of transactions actually processed: 30/30" in done.stdout


@pytest.mark.parametrize("binary", [False, True])
def test_psycopg_binds_and_reads_in_both_formats(server: RunningServer, binary: bool) -> None:
    query = "SELECT sum(cost) FROM visits WHERE id < %s AND region = %s"
    with psycopg.connect(server.dsn()) as connection:
        row = connection.execute(query, (3, "north"), binary=binary).fetchone()
    assert row == (Decimal("10.5"),)


def test_psycopg_prepares_and_deallocates(server: RunningServer) -> None:
    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        connection.prepared_max = 1
        for number in range(4):
            for name in ("a", "b"):
                query = sql.SQL("SELECT count(*) AS {} FROM visits WHERE id <= %s").format(sql.Identifier(name))
                assert connection.execute(query, (number,), prepare=True).fetchone() == (min(number, 3),)


def test_psycopg_pipelines_with_errors_and_recovers(server: RunningServer) -> None:
    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        with connection.pipeline() as pipeline:
            first = connection.execute("SELECT count(*) FROM visits WHERE id > %s", (1,))
            second = connection.execute("SELECT name FROM regions WHERE population < %s", (150,))
            pipeline.sync()
            assert (first.fetchone(), second.fetchone()) == ((2,), ("north",))
            connection.execute("SELECT secrets")
            with pytest.raises(psycopg.errors.FeatureNotSupported):
                pipeline.sync()
        assert connection.execute("SELECT count(*) FROM visits").fetchone() == (3,)


def test_psycopg_reads_through_a_server_side_cursor(server: RunningServer) -> None:
    with psycopg.connect(server.dsn()) as connection, connection.cursor("named") as cursor:
        cursor.itersize = 2
        cursor.execute("SELECT id FROM visits ORDER BY id")
        assert cursor.fetchall() == [(1,), (2,), (3,)]


def test_psycopg_copies_out(server: RunningServer) -> None:
    with (
        psycopg.connect(server.dsn()) as connection,
        connection.cursor().copy("COPY (SELECT id, region FROM visits) TO STDOUT (FORMAT binary)") as copy,
    ):
        copy.set_types(["int4", "text"])
        assert list(copy.rows()) == [(1, "north"), (2, "south"), (3, "north")]


def test_asyncpg_asks_prepares_pages_and_cancels(server: RunningServer) -> None:
    async def use() -> None:
        connection = await asyncpg.connect(
            host=server.host, port=server.port, user="ana", password=PASSWORD, database="shop", ssl=False
        )
        assert await connection.fetchval("SELECT count(*) FROM visits WHERE cost > $1", Decimal(5)) == 2
        assert await connection.fetchval("SELECT $1::text[]", ["a", None]) == ["a", None]
        statement = await connection.prepare("SELECT id FROM visits WHERE id >= $1 ORDER BY id")
        assert [attribute.type.name for attribute in statement.get_attributes()] == ["int4"]
        assert [row["id"] for row in await statement.fetch(2)] == [2, 3]
        async with connection.transaction(readonly=True):
            pages = [row["id"] async for row in connection.cursor("SELECT id FROM visits ORDER BY 1", prefetch=2)]
        assert pages == [1, 2, 3]
        with pytest.raises(asyncpg.FeatureNotSupportedError):
            await connection.fetch("SELECT secrets")
        with pytest.raises(asyncio.TimeoutError):
            await connection.fetch("SELECT id FROM visits /*slow*/", timeout=0.3)
        assert await connection.fetchval("SELECT count(*) FROM visits") == 3
        await connection.reset()
        await connection.close()

    asyncio.run(use())
    assert server.router.cancelled.is_set()
