"""Statements of all kinds are planned or refused under all settings; none ends in an error of the proxy."""

from __future__ import annotations

import datetime as dt
import itertools
from fractions import Fraction

import pytest

from proxy.errors import DpproxyError
from proxy.policy.model import Policy
from proxy.settings import QuerySettings
from proxy.sql import analysis
from proxy.sql.planning.aggregates.aggregate import Estimate
from proxy.sql.planning.by_error import widest
from proxy.sql.schema import Schema
from tests.planned import PUBLIC, analysed
from tests.plans.cases import FILES, read
from tests.plans.schema import CATALOG, POLICY

_AGGREGATES = (
    "count(*)",
    "count(DISTINCT diagnosis)",
    "count(DISTINCT urgent)",
    "count(DISTINCT minutes)",
    "sum(cost)",
    "avg(minutes)",
    "stddev(minutes)",
    "max(minutes)",
    "percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes)",
    "mode() WITHIN GROUP (ORDER BY diagnosis)",
    "bool_or(urgent)",
)
STATEMENTS = [case.statement for file in FILES for case in read(file)][::3]
STATEMENTS += [
    f"SELECT {one}, {other} FROM visits WHERE minutes > 10{by}"
    for one, other in itertools.combinations_with_replacement(_AGGREGATES, 2)
    for by in ("", " GROUP BY region")
]

SETTINGS = [
    *(QuerySettings(error=Fraction(error)) for error in ("0.5", "7", "1000", "1e9")),
    QuerySettings(error=Fraction(30), epsilon=Fraction(1, 1000), empty_groups="hide"),
    QuerySettings(epsilon=Fraction(1, 1000), mechanism="laplace", digits=True),
    QuerySettings(epsilon=Fraction(100), mechanism="gaussian", consistency=False),
    QuerySettings(max_rows=1, max_rows_per_group=1, max_groups=1, recall=dt.timedelta(0)),
    QuerySettings(max_rows=10_000, max_rows_per_group=10_000, max_groups=10_000),
    QuerySettings(delta=Fraction(1, 10**7), calibration="analytic"),
    QuerySettings(delta=Fraction(1, 10**7), calibration="classic", epsilon=Fraction(1, 2)),
]


def _priced(epsilon: str) -> Schema:
    """The clinic's schema at another usual price, within wide limits."""
    policy = POLICY.model_dump(mode="json", by_alias=True, exclude_unset=True)
    for table in policy["tables"].values():
        if not table.get("public"):
            table["query"] = {"epsilon": epsilon, "min_epsilon": "0.001", "max_epsilon": 100, "delta": "1e-6"}
    return Schema(Policy.model_validate(policy), CATALOG)


@pytest.mark.parametrize("epsilon", ["0.01", "1"])
@pytest.mark.parametrize("settings", SETTINGS, ids=repr)
def test_statements_are_planned_or_refused(settings: QuerySettings, epsilon: str) -> None:
    schema = _priced(epsilon)
    planned = 0
    for statement in STATEMENTS:
        try:
            found = analysed(statement, schema)
            plans = [
                (block, analysis.plan_block(block, schema, PUBLIC, settings, "ana").plan) for block in found.blocks
            ]
        except DpproxyError:
            continue
        planned += 1
        for block, plan in plans:
            estimates = any(isinstance(aggregate, Estimate) for aggregate in plan.aggregates)
            assert settings.error is None or not estimates or widest(plan, block.select) <= settings.error, statement
    assert planned > 40
