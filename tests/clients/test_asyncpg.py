"""asyncpg, which prepares everything and speaks binary: one session against plain Postgres and through dpproxy."""

from __future__ import annotations

import asyncio
import io
import ssl
from typing import Any

import asyncpg
import pytest

from tests.clients import target as asked
from tests.clients.conftest import Targets
from tests.clients.target import Target

FILTERED = asked.FILTERED.format("$1", "$2", "$3")


async def connect(target: Target, *, tls: bool = False) -> Any:
    context = ssl.create_default_context(cafile=str(target.authority)) if tls else False
    return await asyncpg.connect(
        host=target.host,
        port=target.port,
        user=target.user,
        password=target.password,
        database=target.database,
        ssl=context,
        server_settings={"dp.notices": "off", "dp.empty_groups": "hide", "TimeZone": "UTC"},
    )


async def session(target: Target) -> dict[str, object]:
    """What a client sees, step by step."""
    connection = await connect(target)
    seen: dict[str, object] = {}
    for name in ("COLUMNS", "KEYS", "READABLE", "TYPES", "GROUPED"):
        statement = await connection.prepare(getattr(asked, name))
        seen[name] = statement.get_attributes(), [tuple(row) for row in await statement.fetch()]
    statement = await connection.prepare(FILTERED)
    seen["parameters"] = statement.get_parameters(), statement.get_attributes()
    seen["answers"] = [tuple(await statement.fetchrow(*asked.VALUES)) for _ in range(2)]
    seen["null"] = await connection.fetchval(asked.NOTHING.format("$1"), None)
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        cursor = await connection.cursor(asked.PAGED)
        seen["pages"] = [tuple(row) for row in [*await cursor.fetch(7), *await cursor.fetch(200)]]
    copied = io.BytesIO()
    seen["tag"] = await connection.copy_from_query(f"{asked.PAGED} LIMIT 5", output=copied, format="csv")
    seen["copied"] = copied.getvalue()
    with pytest.raises(asyncpg.UndefinedColumnError) as wrong:
        await connection.fetch(asked.WRONG)
    seen["wrong"] = wrong.value.args, wrong.value.position
    transaction = connection.transaction()
    await transaction.start()
    with pytest.raises(asyncpg.UndefinedColumnError):
        await connection.execute(asked.WRONG)
    with pytest.raises(asyncpg.InFailedSQLTransactionError):
        await connection.fetch(asked.PAGED)
    await transaction.rollback()
    with pytest.raises(asyncio.TimeoutError):
        await connection.execute(asked.SLOW, timeout=0.2)
    seen["several"] = await connection.execute("BEGIN; SELECT 1; SELECT count(*) FROM visits; COMMIT")
    await connection.reset()
    seen["after"] = tuple(await connection.fetchrow("SELECT count(*), sum(cost) FROM visits WHERE urgent"))
    await connection.close()
    return seen


def test_the_session_is_that_of_plain_postgres(targets: Targets) -> None:
    async def both() -> tuple[dict[str, object], dict[str, object]]:
        return await session(targets.proxied), await session(targets.plain)

    here, there = asyncio.run(both())
    assert here.keys() == there.keys()
    for step, value in here.items():
        assert value == there[step], step


def test_a_refusal_and_tls(targets: Targets) -> None:
    async def use() -> None:
        connection = await connect(targets.proxied, tls=True)
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="only aggregates are allowed"):
            await connection.fetch(asked.REFUSED)
        assert await connection.fetchval("SELECT count(*) FROM visits") == 12000
        assert connection._transport.get_extra_info("ssl_object").version() == "TLSv1.3"
        await connection.close()

    asyncio.run(use())
