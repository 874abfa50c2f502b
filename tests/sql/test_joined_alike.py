"""IS NOT DISTINCT FROM joins rows as = does, where NULL cannot meet NULL: Postgres has no hash for it, and would compare
each row with all others."""

from __future__ import annotations

import pytest

from proxy.sql.source_queries.exact_sums import sums_sql
from tests.planned import plan_of
from tests.plans.schema import SCHEMA

_JOINED = "SELECT count(*) FROM patients p JOIN visits v ON"


@pytest.mark.parametrize(
    ("query", "is_equality"),
    [
        (f"{_JOINED} v.patient_id IS NOT DISTINCT FROM p.patient_id", True),
        (f"{_JOINED} (v.patient_id IS NOT DISTINCT FROM p.patient_id) AND minutes > 3", True),
        ("SELECT count(*) FROM patients p, visits v WHERE v.patient_id IS NOT DISTINCT FROM p.patient_id", True),
        (f"{_JOINED} v.patient_id = p.patient_id AND v.note IS NOT DISTINCT FROM v.diagnosis", False),
        (f"{_JOINED} v.patient_id = p.patient_id AND NOT (v.note IS NOT DISTINCT FROM 'a')", False),
    ],
)
def test_equality_is_written_where_null_meets_no_null(query: str, is_equality: bool) -> None:
    sql = str(sums_sql(plan_of(query, SCHEMA)))
    assert ("IS NOT DISTINCT FROM" not in sql) == is_equality
