"""What a source query says to a Citus cluster, as far as an ordinary PostgreSQL shows it."""

from __future__ import annotations

from dataclasses import replace

import psycopg
import pytest
from psycopg import sql

from proxy.postgres.cluster import reads_twice, setting_statements
from tests.postgres.measuring import PATIENTS, measure


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


def test_one_connection_reads_what_is_read_twice() -> None:
    once, twice = (
        'SELECT FROM "public"."visits"',
        'SELECT FROM "public"."visits" UNION ALL SELECT FROM "public"."visits"',
    )
    limit = 'SET LOCAL "citus"."max_adaptive_executor_pool_size" = \'1\''
    assert limit not in texts(setting_statements({}, [once], ["public.visits"]))
    assert limit in texts(setting_statements({}, [once, twice], ["public.visits"]))


def texts(settings: list[sql.Composed]) -> list[str]:
    return [setting.as_string(None) for setting in settings]


def test_an_ordinary_source_is_told_nothing_of_clusters(clinic: str) -> None:
    told = "SELECT current_setting('citus.propagate_set_commands', true), current_setting('TimeZone')"
    assert measure(clinic, replace(PATIENTS, statements=(told,), settings={"TimeZone": "Asia/Tokyo"})) == [
        (None, "Asia/Tokyo")
    ]


def test_settings_are_passed_on_and_what_follows_is_not(clinic: str) -> None:
    with psycopg.connect(clinic) as connection:
        settings = setting_statements({"search_path": "pg_catalog, pg_temp", "TimeZone": "Asia/Tokyo"}, (), ())
        passed = [text.split(" = ") for text in texts(settings)]
        names = [name for name, _ in passed]
        start, stop = (
            place for place, name in enumerate(names) if name == 'SET LOCAL "citus"."propagate_set_commands"'
        )
        assert (passed[start][1], passed[stop][1], stop) == ("'local'", "'none'", len(settings) - 1)
        assert names[start + 1 : stop] == ['SET LOCAL "search_path"', 'SET LOCAL "TimeZone"']
        for setting in settings:
            connection.execute(setting)
        shown = connection.execute("SELECT current_setting('search_path'), current_setting('TimeZone')").fetchone()
        assert shown == ("pg_catalog, pg_temp", "Asia/Tokyo")
