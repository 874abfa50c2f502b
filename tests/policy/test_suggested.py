"""Columns in suggested SQL are quoted where Postgres needs it."""

from __future__ import annotations

import psycopg

from proxy.policy.suggested import in_sql
from tests.conftest import PostgresCluster


def test_words_that_name_no_column_are_quoted(postgres_cluster: PostgresCluster) -> None:
    with psycopg.connect(postgres_cluster.create_database("words"), autocommit=True) as owner:
        words: dict[str, bool] = dict(
            owner.execute("SELECT word, catcode IN ('R', 'T') FROM pg_get_keywords()").fetchall()
        )
        named = ", ".join(f"{in_sql(word)} int CHECK ({in_sql(word)} IN (1))" for word in words)
        owner.execute(f"CREATE TABLE words ({named})".encode())
    assert {word for word in words if in_sql(word) != word} >= {
        word for word, is_reserved in words.items() if is_reserved
    }
    assert [in_sql("married"), in_sql("Married?"), in_sql("public", 'a"b')] == [
        "married",
        '"Married?"',
        'public."a""b"',
    ]
