"""Source queries as tests run them, over the clinic."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import psycopg

from proxy.policy.catalog import Column
from proxy.policy.traps import Watch
from proxy.postgres.source import Source
from proxy.postgres.transaction import SourceRequest, SourceResult

PATIENTS = SourceRequest(
    ("SELECT count(*) FROM public.patients",),
    {"TimeZone": "UTC", "DateStyle": "ISO, MDY", "IntervalStyle": "postgres"},
    ("public.patients",),
    verified_keys=(("public.patients", ("patient_id",)),),
    not_null=(("public.patients", "birth_year"),),
    columns=(
        ("public.patients", Column("birth_year", "smallint", 21)),
        ("public.patients", Column("mood", "text", 25, cast_to_text=True)),
    ),
)


def with_source(
    dsn: str,
    use: Callable[[Source], Coroutine[Any, Any, None]],
    *,
    timeout_seconds: float = 10,
    each: int = 2,
    patience_seconds: float = 30,
    watch: Watch | None = None,
) -> None:
    async def run() -> None:
        source = Source(
            dsn,
            watch,
            statement_timeout_seconds=timeout_seconds,
            pool_size=2,
            each=each,
            patience_seconds=patience_seconds,
        )
        try:
            await use(source)
        finally:
            await source.close()

    asyncio.run(run())


def measure(dsn: str, request: SourceRequest, *, timeout_seconds: float = 10) -> list[tuple[str | None, ...]]:
    results: list[SourceResult] = []

    async def once(source: Source) -> None:
        results.append(await source.run(request))

    with_source(dsn, once, timeout_seconds=timeout_seconds)
    return results[0].results[0]


async def verify_only(source: Source, request: SourceRequest) -> None:
    """The first half of a source query."""
    async with source.transaction(request):
        pass


async def run_as(source: Source, request: SourceRequest, asker: str) -> SourceResult:
    """A whole source query in one of an asker's places."""
    async with source.place(asker), source.transaction(request) as transaction:
        return await transaction.run()


def verify(dsn: str, request: SourceRequest) -> None:
    async def once(source: Source) -> None:
        await verify_only(source, request)

    with_source(dsn, once)


def change(dsn: str, statement: str) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(statement.encode())
