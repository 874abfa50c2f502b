"""A subquery that is answered for groups is none of a column that identifies units: no group of one unit shows."""

from __future__ import annotations

import pytest

from proxy.errors import UnsupportedError
from tests.planned import analysed
from tests.plans.schema import SCHEMA

_LAST = "(SELECT patient_id, max(visit_id) AS m FROM visits GROUP BY patient_id) s"
LONE = {
    "EXISTS in CASE": f"SELECT sum(CASE WHEN EXISTS (SELECT 1 FROM {_LAST} WHERE s.m = v.visit_id) THEN 1 END) FROM visits v",
    "a count in CASE": f"SELECT sum(CASE WHEN (SELECT count(*) FROM {_LAST} WHERE s.m = v.visit_id) > 0 THEN 1 END) FROM visits v",
    "another column": "SELECT count(*) FROM visits v WHERE (SELECT count(*) FROM visits w WHERE w.minutes = v.visit_id) > 3",
}
TIED = {
    "the same column": "SELECT sum(CASE WHEN EXISTS (SELECT 1 FROM visits w WHERE w.visit_id = v.visit_id) THEN 1 END) FROM visits v",
    "the unit's, too": f"SELECT sum(CASE WHEN EXISTS (SELECT 1 FROM {_LAST} WHERE s.m = v.visit_id AND s.patient_id = v.patient_id) "
    "THEN 1 END) FROM visits v",
    "a column that many share": "SELECT count(*) FROM visits v WHERE minutes > (SELECT avg(minutes) FROM visits w WHERE w.region = v.region)",
    "a public key": "SELECT r.name, (SELECT avg(minutes) FROM visits w WHERE w.region = r.name) FROM regions r",
    "beside private rows": "SELECT count(*) FROM visits v JOIN regions r ON r.name = v.region "
    "WHERE minutes > (SELECT avg(minutes) FROM visits w WHERE w.region = r.name)",
}


@pytest.mark.parametrize("query", LONE.values(), ids=LONE.keys())
def test_groups_of_one_unit_each_are_refused(query: str) -> None:
    with pytest.raises(UnsupportedError, match="would be answered for groups of one privacy unit each") as refusal:
        analysed(query, SCHEMA)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("correlation", "0A000")
    assert "compare it, too" in (refusal.value.hint or "")


@pytest.mark.parametrize("query", TIED.values(), ids=TIED.keys())
def test_what_is_tied_to_the_unit_or_shared_by_many_is_answered(query: str) -> None:
    assert analysed(query, SCHEMA).blocks
