"""What a client is answered, and how it is refused."""

from __future__ import annotations

import psycopg
import pytest


def rows(client: psycopg.Connection, query: str) -> list[tuple[object, ...]]:
    return client.execute(query.encode()).fetchall()


def refusal(client: psycopg.Connection, query: str) -> psycopg.errors.Diagnostic:
    with pytest.raises(psycopg.Error) as refused:
        client.execute(query.encode())
    return refused.value.diag
