"""What only the stage's version of Postgres knows is refused by the source's before anything is charged."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from tests.attacks.attacker import UNSUPPORTED, Attacker, attacking
from tests.end_to_end.conftest import StartProxy

RENAMED = """
SET allow_system_table_mods = on;
UPDATE pg_proc SET proname = 'dpproxy_' || proname
WHERE proname IN ('regexp_count', 'gcd') AND pronamespace = 'pg_catalog'::regnamespace;
"""
"""An older version as far as names go: these functions are from PostgreSQL 15 and 13."""


@pytest.fixture(scope="module")
def older(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Attacker]:
    with attacking(proxies, copy_clinic, changes=RENAMED) as attacker:
        yield attacker


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM visits WHERE regexp_count(diagnosis, 'a') > 1",
        "SELECT region, sum(least(greatest(gcd(visit_id, 12), 0), 12)) FROM visits GROUP BY region",
        "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id"
        " AND gcd(v.minutes, 2) = 2)",
        "SELECT max(least(greatest(gcd(minutes, 6), 0), 6)) FROM visits",
        "SELECT count(*) FROM visits WHERE cost > (SELECT avg(cost) FROM visits) AND gcd(minutes, 2) = 2 AND minutes = 1",
    ],
)
def test_a_function_that_the_sources_version_lacks_is_refused_before_the_charge(query: str, older: Attacker) -> None:
    if "avg" in query:
        older.ask("SELECT avg(cost) FROM visits")  # is paid for, and recalled below
    older.assert_refused(query, UNSUPPORTED, "source-version")


def test_the_refusal_says_what_the_source_said(older: Attacker) -> None:
    with pytest.raises(psycopg.Error) as refusal:
        older.ask("SELECT count(*) FROM visits WHERE regexp_count(diagnosis, 'a') > 1")
    detail = refusal.value.diag.message_detail or ""
    assert detail.startswith("Nothing was charged. It is another version of PostgreSQL")
    assert "says: function regexp_count(" in detail


def test_what_the_source_knows_is_answered(older: Attacker) -> None:
    (count,) = older.ask(
        "SELECT count(*) FROM visits WHERE diagnosis ~ '[1-3]$' AND seen_at AT TIME ZONE 'Asia/Kolkata' > '2024-02-01'"
    )
    assert (
        count
        == older.ask_source(
            "SELECT count(*) FROM visits WHERE diagnosis ~ '[1-3]$' AND seen_at AT TIME ZONE 'Asia/Kolkata' > '2024-02-01'"
        )[0]
    )
