"""What the source tries before a block is charged holds constants only, in the compiler's own form."""

from __future__ import annotations

import pytest

from proxy.policy.catalog import Catalog, Column, Table
from proxy.sql.rows.probes import source_probes
from proxy.sql.schema import Schema
from tests.end_to_end import clinic
from tests.planned import analysed

COLUMNS = {"diagnosis": Column("diagnosis", "text", 25), "seen_at": Column("seen_at", "timestamp with time zone", 1184)}
VISITS = Table("public.visits", COLUMNS)

PROBES = {
    "diagnosis ~ 'a+'": "('' ~ 'a+')",
    "diagnosis !~* 'a+'": "('' ~* 'a+')",
    "diagnosis SIMILAR TO 'a#%%' ESCAPE '#'": "('' SIMILAR TO 'a#%%' ESCAPE '#')",
    "substring(diagnosis FROM 'a(b)') = 'b'": "substring('', 'a(b)')",
    "regexp_count(lower(diagnosis), 'a', 2) > 1": "regexp_count('', 'a', 2)",
    "(regexp_match(diagnosis, 'a(b)', 'i'))[1] = 'b'": "regexp_match('', 'a(b)', 'i')",
}


def probes(query: str) -> tuple[str, ...]:
    schema = Schema(clinic.policy(), Catalog({VISITS.name: VISITS}))
    return tuple(probe for block in analysed(query, schema).blocks for probe in source_probes(block.patterns))


@pytest.mark.parametrize(("condition", "expected"), PROBES.items())
def test_each_pattern_is_tried_on_an_empty_text(condition: str, expected: str) -> None:
    assert probes(f"SELECT count(*) FROM visits WHERE {condition}") == (expected,)


def test_patterns_of_subqueries_and_filters_are_tried_too() -> None:
    query = """SELECT count(*) FILTER (WHERE diagnosis ~ 'x') FROM
        (SELECT diagnosis FROM visits v WHERE EXISTS (SELECT FROM visits w WHERE w.diagnosis ~ 'y')) AS v"""
    assert set(probes(query)) == {"('' ~ 'x')", "('' ~ 'y')"}


def test_time_zones_are_tried_at_a_constant_moment() -> None:
    (probe,) = probes("SELECT count(*) FROM visits WHERE seen_at AT TIME ZONE 'Asia/Kolkata' > '2024-01-01'")
    assert "'Asia/Kolkata'" in probe
    assert "now" not in probe


@pytest.mark.parametrize(
    "condition", ["diagnosis ~ pg_read_file('/etc/passwd')", "diagnosis ~ diagnosis", "diagnosis ~ (SELECT 'a')"]
)
def test_nothing_but_constants_is_tried(condition: str) -> None:
    assert probes(f"SELECT count(*) FROM visits WHERE {condition}") == ()
