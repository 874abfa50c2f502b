"""NOT IN over one unit's rows: answered where no NULL can be met, refused with a hint that works elsewhere."""

from __future__ import annotations

import pytest

from proxy.errors import UnsupportedError
from tests.planned import plan_of
from tests.plans.schema import SCHEMA

QUERY = (
    "SELECT count(*) FROM patients p WHERE {} NOT IN (SELECT v.{} FROM visits v WHERE v.patient_id = p.patient_id{})"
)
PLACES = [("'flu'", "diagnosis"), ("30", "minutes"), ("p.region", "region")]


@pytest.mark.parametrize(("value", "column"), PLACES)
def test_a_list_with_a_null_is_refused_and_the_hint_says_how_to_exclude_it(value: str, column: str) -> None:
    with pytest.raises(UnsupportedError, match="executed again for every row") as refusal:
        plan_of(QUERY.format(value, column, ""), SCHEMA)
    assert refusal.value.rule == "multiplying-joins"
    assert refusal.value.hint is not None
    assert "IS NOT NULL" in refusal.value.hint
    assert "NOT EXISTS" in refusal.value.hint


@pytest.mark.parametrize(("value", "column"), PLACES)
def test_what_the_hint_says_is_planned(value: str, column: str) -> None:
    excluding = QUERY.format(value, column, f" AND v.{column} IS NOT NULL")
    plan_of(f"{excluding} AND {value} IS NOT NULL" if value.startswith("p.") else excluding, SCHEMA)
    equal = f"SELECT 1 FROM visits v WHERE v.patient_id = p.patient_id AND v.{column} = {value}"
    plan_of(f"SELECT count(*) FROM patients p WHERE NOT EXISTS ({equal})", SCHEMA)
