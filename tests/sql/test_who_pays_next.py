"""What a question costs and who pays for it does not depend on what was asked before on the same schema."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from proxy.errors import RefusedError
from proxy.policy.model import Policy
from proxy.settings import QuerySettings
from proxy.sql import analysis
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.schema import Schema
from tests.planned import PUBLIC, analysed
from tests.plans.schema import SCHEMA
from tests.sql import test_time_windows as windows

COUNT = "SELECT count(*) FROM patients"


def planned(text: str, schema: Schema, analyst: str = "ana", settings: QuerySettings | None = None) -> BlockPlan:
    (block,) = analysed(text, schema).blocks
    return analysis.plan_block(block, schema, PUBLIC, settings or QuerySettings(), analyst, (), windows.TODAY).plan


def paid(plan: BlockPlan) -> tuple[object, ...]:
    return [account.name for account in plan.accounts], plan.guarantee, plan.price, plan.contribution


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((COUNT, "ana", {}), (COUNT, "bob", {})),
        ((COUNT, "ana", {}), ("SELECT count(*) FROM visits", "ana", {})),
        ((COUNT, "ana", {}), (COUNT, "ana", {"epsilon": Fraction(1, 20)})),
        (("SELECT count(*) FROM visits", "ana", {}), ("SELECT count(*) FROM visits", "ana", {"max_rows": 7})),
        (
            ("SELECT count(*) FROM visits", "ana", {}),
            ("SELECT patient_id % 7, count(*) FROM visits GROUP BY 1", "ana", {}),
        ),
    ],
)
def test_who_asks_what_under_which_settings_decides_who_pays_how_much(
    first: tuple[str, str, dict[str, Any]], second: tuple[str, str, dict[str, Any]]
) -> None:
    def of(asked: tuple[str, str, dict[str, Any]], schema: Schema) -> tuple[object, ...]:
        text, analyst, values = asked
        return paid(planned(text, schema, analyst, QuerySettings(**values)))

    for one, other in ((first, second), (second, first)):
        used = replace(SCHEMA)
        assert of(one, used) != of(other, used)
        assert of(other, used) == of(other, replace(SCHEMA))


def test_who_may_not_ask_is_refused_after_others_have_asked() -> None:
    content = SCHEMA.policy.model_dump()
    content["analysts"] = {"ana": {}, "bob": {"may": ["public.visits"]}}
    schema = Schema(Policy.model_validate(content), SCHEMA.catalog)
    planned(COUNT, schema)
    with pytest.raises(RefusedError, match=r"permission denied for table public\.patients") as refusal:
        planned(COUNT, schema, "bob")
    assert refusal.value.rule == "table-not-allowed"


def test_each_window_pays_for_what_is_read_of_it() -> None:
    schema = windows.schema()
    text = "SELECT count(*) FROM events WHERE at >= '2024-0{0}-01' AND at < '2024-0{0}-02'"
    found = [paid(planned(text.format(month), schema))[0] for month in (2, 3, 2)]
    assert found == [["table:public.events.at@2024-02"], ["table:public.events.at@2024-03"], found[0]]
