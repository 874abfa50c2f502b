"""Rows that no private table has a part in are counted by the stage before anything is planned."""

from __future__ import annotations

import pytest

from proxy.settings import QuerySettings
from proxy.sql import analysis
from proxy.sql.analysis import Analysis
from proxy.sql.plain_postgres import render
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.rows.multiplicity import MOST_ROWS, WIDE
from proxy.sql.rows.stage_columns import StageColumn
from tests.planned import PUBLIC, analysed
from tests.plans.schema import SCHEMA

MONTH = StageColumn("month", "timestamp without time zone")
MONTHS = "generate_series(date '2024-01-01', date '2024-12-01', interval '1 month') AS m(month)"
SINCE = f"SELECT m.month, count(v.visit_id) FROM {MONTHS} LEFT JOIN visits v ON v.visited_at >= m.month GROUP BY 1"


def _asked(text: str) -> Analysis:
    return analysed(text, SCHEMA)


def _plan(found: Analysis) -> BlockPlan:
    (block,) = found.blocks
    return analysis.plan_block(block, SCHEMA, PUBLIC, QuerySettings(), "ana", [[MONTH]]).plan


def test_up_to_a_hundred_rows_that_the_stage_counts_are_met_by_every_row() -> None:
    found = _asked(SINCE)
    assert [found.constants, len(found.countable)] == [(), 1]
    few, many = (_plan(found.folded([str(count)])) for count in (WIDE, WIDE + 1))
    assert [plan.relation.multiplicity.rows for plan in (few, many)] == [WIDE, WIDE + 1]
    assert [[cut.meets for cut in plan.footprint.cuts] for plan in (few, many)] == [[False], [True]]


def test_rows_that_the_stage_did_not_count_are_as_many_as_a_row_may_meet() -> None:
    found = _asked(SINCE).calling_none_of({"generate_series"})
    assert found.probe_sql is None
    assert _plan(found).relation.multiplicity.rows == MOST_ROWS


def test_a_plan_is_good_for_the_number_that_it_was_made_with() -> None:
    """Plans are kept by the values of `computed`."""
    found = _asked(SINCE).folded(["12"])
    assert found.computed is not None
    assert (found.computed.values, found.countable) == (("12",), ())
    assert "count(*)" in found.computed.sql


@pytest.mark.parametrize(
    "rows",
    [
        "generate_series(1, 5000) AS d(n)",
        "(SELECT date '2024-01-01' + n AS n FROM generate_series(0, 11) AS g(n)) AS d",
        "(SELECT people AS n, count(*) FROM regions GROUP BY 1) AS d",
        "(WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 12) SELECT n FROM r) AS d",
    ],
)
def test_rows_of_constants_and_public_tables_are_counted(rows: str) -> None:
    assert len(_asked(f"SELECT count(*) FROM visits v JOIN {rows} ON v.minutes > d.n").countable) == 1


@pytest.mark.parametrize(
    "rows",
    [
        "(VALUES (1), (2)) AS d(n)",
        "generate_series(1, 100) AS d(n)",
        "(SELECT count(*) AS n FROM visits) AS d",
        "generate_series(1, (SELECT max(minutes) FROM visits)) AS d(n)",
        "(SELECT spent AS n FROM dp.ledger ORDER BY 1) AS d",
        "(SELECT relpages AS n FROM pg_class ORDER BY 1) AS d",
        "(SELECT c.relpages AS n FROM pg_catalog.pg_class AS c ORDER BY 1) AS d",
    ],
)
def test_few_rows_released_ones_and_those_of_a_session_are_not(rows: str) -> None:
    assert _asked(f"SELECT count(*) FROM visits v CROSS JOIN {rows}").countable == ()


def test_rows_of_a_table_are_not_counted_where_the_stage_has_none() -> None:
    found = _asked("SELECT count(*) FROM visits v, (SELECT people AS n FROM regions GROUP BY 1) AS d")
    assert (found.probe_sql or "").startswith('SELECT CASE WHEN EXISTS (SELECT FROM "public"."regions") THEN (SELECT')
    (read,) = found.folded([None]).blocks[0].feedback
    assert read.counted is None


@pytest.mark.parametrize("clock", ["now()", "current_date", "date 'today'"])
def test_the_clock_stands_still_from_the_count_to_the_evaluation(clock: str) -> None:
    series = f"generate_series(date '2024-01-01', {clock} - interval '1 day', interval '1 day')"
    for rows in (f"{series} AS m(month)", f"(SELECT {series} AS month) AS m"):
        found = _asked(f"SELECT count(v.visit_id) FROM {rows} JOIN visits v ON v.visited_at < m.month")
        (constant,) = found.constants
        assert "day" in render(constant)
        (read,) = found.folded(["2024-03-01 00:00:00", "timestamp without time zone", "60"]).blocks[0].feedback
        assert read.counted == 60
        assert "'2024-03-01 00:00:00'" in render(read.query)


def test_an_output_keeps_the_name_that_its_clock_gives_it() -> None:
    found = _asked("SELECT count(*) FROM visits v, (SELECT current_date FROM generate_series(1, 500)) AS d")
    assert found.constants == ()
