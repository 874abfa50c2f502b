"""Rows that no text counts are counted before the charge; until then only their number is open, not the work of each."""

from __future__ import annotations

import pytest

from proxy.errors import UnsupportedError
from proxy.settings import QuerySettings
from proxy.sql import analysis
from proxy.sql.dialect import parse
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.pricing import DEFAULT_ROWS
from proxy.sql.rows.constant_rows import UNCOUNTED, promised_rows
from proxy.sql.rows.multiplicity import rows_of_unit
from proxy.sql.rows.stage_columns import StageColumn
from proxy.sql.terms.work import MOST_MET_WORK, MOST_UNIT_WORK
from tests.planned import PUBLIC, analysed
from tests.plans.schema import SCHEMA

WORDS = "unnest(string_to_array('a b', ' ')) WITH ORDINALITY AS w (word, place)"
COLUMNS = [StageColumn("word", "text"), StageColumn("place", "bigint")]
SLOW = "s.ward LIKE '%a%b' AND s.ward LIKE '%b%c' AND s.ward LIKE '%c%d'"


def _plan(text: str) -> BlockPlan:
    (block,) = analysed(text, SCHEMA).blocks
    return analysis.plan_block(block, SCHEMA, PUBLIC, QuerySettings(), "ana", [COLUMNS]).plan


def test_a_fast_row_meets_as_many_uncounted_rows_as_any_row() -> None:
    assert _plan(f"SELECT count(*) FROM stays s, {WORDS} WHERE s.nights > 3").footprint.most_uncounted == UNCOUNTED


def test_a_slow_row_meets_fewer_uncounted_rows() -> None:
    plan = _plan(f"SELECT count(*) FROM stays s, {WORDS} WHERE {SLOW}")
    most, work = plan.footprint.most_uncounted, plan.relation.work
    assert 1 < most < UNCOUNTED
    limit = min(MOST_MET_WORK, MOST_UNIT_WORK // rows_of_unit(DEFAULT_ROWS))
    assert most * work <= limit < (most + 2) * work


def test_counted_rows_beside_uncounted_ones_are_no_less_work() -> None:
    """The words are looked up by their place, so that a row meets a hundred prices and one word."""
    found = f"visits s JOIN {WORDS} ON w.place = s.visit_id CROSS JOIN prices p"
    assert _plan(f"SELECT count(*) FROM {found}").relation.multiplicity.rows == 100
    with pytest.raises(UnsupportedError) as refusal:
        _plan(f"SELECT count(*) FROM {found} WHERE {SLOW.replace('ward', 'note')}")
    assert (refusal.value.rule, refusal.value.sqlstate) == ("row-work", "0A000")


def test_ctes_that_read_each_other_twice_are_counted_once_each() -> None:
    """Without that, 40 of them would be counted a million million times."""
    ctes = [f"a{n} AS (SELECT x FROM a{n - 1} UNION SELECT x FROM a{n - 1})" for n in range(1, 41)]
    query = parse(f"WITH a0 AS (SELECT x FROM (VALUES (1), (2)) AS v(x)), {', '.join(ctes)} SELECT x FROM a40")
    assert query is not None
    assert promised_rows(query) == UNCOUNTED * 2**40
