"""What a source query says to a Citus cluster, as far as an ordinary PostgreSQL shows it."""

from __future__ import annotations

from dataclasses import replace

import psycopg
import pytest

from proxy.postgres.cluster import reads_twice, setting_statements
from tests.postgres.measuring import PATIENTS, measure

CONNECTIONS = "SELECT current_setting('citus.max_adaptive_executor_pool_size', true)"


@pytest.mark.parametrize(
    ("statement", "twice"),
    [
        ('SELECT count(*) FROM "public"."visits"', False),
        ('SELECT count(*) FROM "public"."visits" JOIN "public"."patients" USING (patient_id)', False),
        ('WITH v AS (SELECT 1 FROM "public"."visits") SELECT 1 FROM v UNION ALL SELECT 2 FROM v', False),
        ('SELECT 1 FROM "public"."visits" WHERE patient_id IN (SELECT patient_id FROM "public"."visits")', True),
        (
            'WITH v AS NOT MATERIALIZED (SELECT 1 FROM "public"."visits") SELECT 1 FROM v UNION ALL SELECT 2 FROM v',
            True,
        ),
        ('SELECT 1 FROM "public"."a ""b""" UNION ALL SELECT 1 FROM "public"."a ""b"""', True),
    ],
)
def test_rows_can_be_seen_at_two_moments_where_a_table_is_named_twice(statement: str, twice: bool) -> None:
    assert reads_twice(statement, ["public.patients", "public.visits", 'public.a "b"']) is twice


def test_one_connection_reads_what_is_read_twice(clinic: str) -> None:
    assert measure(clinic, replace(PATIENTS, statements=(CONNECTIONS,))) == [(None,)]
    again = f'{CONNECTIONS} FROM "public"."patients" AS p JOIN "public"."patients" AS q USING (patient_id) LIMIT 1'
    assert measure(clinic, replace(PATIENTS, statements=(again,))) == [("1",)]


def test_settings_are_passed_on_and_what_follows_is_not(clinic: str) -> None:
    with psycopg.connect(clinic) as connection:
        settings = setting_statements({"search_path": "pg_catalog, pg_temp", "TimeZone": "Asia/Tokyo"}, (), ())
        texts = [setting.as_string(connection) for setting in settings]
        passed = [text.split(" = ") for text in texts]
        names = [name for name, _ in passed]
        start, stop = (
            place for place, name in enumerate(names) if name == 'SET LOCAL "citus"."propagate_set_commands"'
        )
        assert (passed[start][1], passed[stop][1], stop) == ("'local'", "'none'", len(texts) - 1)
        assert names[start + 1 : stop] == ['SET LOCAL "search_path"', 'SET LOCAL "TimeZone"']
        for setting in settings:
            connection.execute(setting)
        shown = connection.execute("SELECT current_setting('search_path'), current_setting('TimeZone')").fetchone()
        assert shown == ("pg_catalog, pg_temp", "Asia/Tokyo")
