"""Numbers that the policy does not declare are told of by the policy alone, however many values it declares."""

from __future__ import annotations

import pytest

from proxy.policy.model import Policy
from proxy.sql.schema import Schema
from tests.planned import plan_of
from tests.plans.schema import CATALOG, POLICY


def schema(declared: dict[str, object]) -> Schema:
    content = POLICY.model_dump(mode="python", exclude_unset=True)
    content["tables"]["public.visits"]["columns"]["minutes"] = declared
    return Schema(Policy.model_validate(content), CATALOG)


WIDE = schema({"range": ["0", "1000000000"]})
FEW = schema({"values": [1, 2, 5]})


@pytest.mark.parametrize(
    ("known", "condition", "told"),
    [
        (WIDE, "= 5", ()),
        (WIDE, "= 1000000000.0", ()),
        (WIDE, "= 1000000001", ("minutes has no declared value 1000000001",)),
        (WIDE, "= 0.5", ("minutes has no declared value 0.5",)),
        (WIDE, "> 1000000000", ("minutes has no declared value > 1000000000",)),
        (WIDE, ">= 1000000000", ()),
        (WIDE, "BETWEEN -5 AND -1", ("minutes has no declared value <= -1",)),
        (WIDE, "<> -1", ()),
        (FEW, "IN (1, 3, 4)", ("minutes has no declared value 3", "minutes has no declared value 4")),
        (FEW, "> 4", ()),
        (FEW, "> 5", ("minutes has no declared value > 5",)),
        (FEW, "< 1", ("minutes has no declared value < 1",)),
    ],
)
def test_a_number_is_told_of_if_it_is_not_declared(known: Schema, condition: str, told: tuple[str, ...]) -> None:
    found = plan_of(f"SELECT count(*) FROM visits WHERE minutes {condition}", known)
    assert found.beyond == told
    assert found.compared == ()


@pytest.mark.parametrize("number", ["1e12", "9" * 90, "0." + "1" * 100])
def test_of_numbers_that_nobody_writes_nothing_is_told(number: str) -> None:
    assert plan_of(f"SELECT count(*) FROM visits WHERE minutes = {number}", WIDE).beyond == ()
