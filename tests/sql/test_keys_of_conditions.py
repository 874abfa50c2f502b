"""Keys that are conditions, and conditions from which keys follow: on dates that are never NULL, and around subqueries."""

from __future__ import annotations

import datetime as dt

import pytest

from proxy.policy.model import ColumnPolicy
from proxy.sql.planning import inner_conditions
from proxy.sql.schema import Schema
from tests.planned import plan_of
from tests.plans.schema import CATALOG, POLICY, SCHEMA

_WEEKEND = "extract(dow FROM visited_at) IN (0, 6)"
_YEAR = (dt.date(2024, 1, 1), dt.date(2025, 1, 1))


@pytest.mark.parametrize(
    ("key", "bounds", "has_null"),
    [
        (_WEEKEND, _YEAR, False),
        (_WEEKEND, (dt.date(2024, 1, 1), dt.date(9999, 12, 31)), True),
        (_WEEKEND, (dt.date(1, 1, 1), dt.date(2025, 1, 1)), True),
        (_WEEKEND, None, True),
        (_WEEKEND.replace("visited_at", "paid_at"), None, True),
        ("to_char(visited_at, 'D') = '1'", _YEAR, False),
        ("to_char(visited_at, '') = '1'", _YEAR, True),
    ],
)
def test_a_condition_on_a_date_has_no_group_of_null_where_no_date_within_its_bounds_makes_one(
    key: str, bounds: tuple[dt.date, dt.date] | None, has_null: bool
) -> None:
    before = POLICY.tables["public.visits"]
    columns = {
        **(before.columns or {}),
        "visited_at": ColumnPolicy.model_validate({"bounds": bounds} if bounds else {}),
    }
    tables = {**POLICY.tables, "public.visits": before.model_copy(update={"columns": columns})}
    schema = Schema(POLICY.model_copy(update={"tables": tables}), CATALOG)
    found = plan_of(f"SELECT {key} AS k, count(*) FROM visits GROUP BY 1", schema).domain
    assert found is not None
    assert ("(NULL)" in found.sql) is has_null


def test_conditions_that_grow_too_large_inside_subqueries_stay_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    def found() -> str:
        rows = "(SELECT date_trunc('hour', visited_at) AS h, visited_at AS t FROM visits) AS x"
        domain = plan_of(f"SELECT h, count(*) FROM {rows} WHERE t >= '2024-06-01' GROUP BY h", SCHEMA).domain
        assert domain is not None
        return domain.sql

    assert "2024-06-01" in found()
    monkeypatch.setattr(inner_conditions, "_MOST_NODES", 3)
    assert "2024-06-01" not in found()
