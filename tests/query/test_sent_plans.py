"""Every plan comes back whole from the process that made it."""

from __future__ import annotations

import io

import pytest

from proxy.query import dialog
from proxy.sql.explain import explain_block
from proxy.sql.source_queries.exact_sums import source_statements
from tests.plans.cards import plans_of
from tests.plans.cases import FILES, Case, read
from tests.plans.schema import SCHEMA

pytestmark = pytest.mark.texts

CASES = [case for file in FILES for case in read(file) if not case.card[0].startswith("refused")]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_plan_that_is_sent_says_the_same(case: Case) -> None:
    for plan in plans_of(case.statement):
        body = io.BytesIO()
        dialog.PlanPickler(body, protocol=5).dump(plan)
        received = dialog.unpacked(body.getvalue(), SCHEMA)
        assert source_statements(received) == source_statements(plan)
        assert explain_block(received, None, ()) == explain_block(plan, None, ())
        assert (received.accounts, received.price) == (plan.accounts, plan.price)
