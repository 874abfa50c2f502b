"""policies/tpch.yaml, as it is and with noise and bounds that change no answer."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Final

from proxy.policy.load import load_policy
from proxy.policy.model import Analyst, ContributionPolicy, Policy, QueryPrice, TableBudget, TablePolicy, Unit
from tests.end_to_end.clinic import VERIFIER

POLICY_FILE: Final = Path(__file__).parents[2] / "policies" / "tpch.yaml"

_BUDGET: Final = TableBudget(epsilon=Decimal("1e30"), delta=Decimal("0.4"))
_QUERY: Final = QueryPrice(epsilon=Decimal("1e22"), max_epsilon=Decimal("1e22"), delta=Decimal("0.1"))
_MANY: Final = 1_000
"""More than any customer's lines; not far more, since noise grows with it."""


def tpch_policy() -> Policy:
    """The policy of the file, for the tests' password."""
    analysts = {"ana": Analyst(password=VERIFIER)}
    return load_policy(POLICY_FILE).model_copy(update={"analysts": analysts})


def exact_policy() -> Policy:
    """The same with an epsilon so large and contribution bounds so loose that answers are Postgres's own."""
    policy = tpch_policy()
    tables = {name: table if table.public else _exact(table) for name, table in policy.tables.items()}
    units = {name: Unit() for name in policy.units}
    return policy.model_copy(update={"tables": tables, "units": units})


def _exact(table: TablePolicy) -> TablePolicy:
    loose = ContributionPolicy(max_rows=_MANY, max_rows_per_group=_MANY)
    return table.model_copy(update={"budget": _BUDGET, "per_analyst": None, "query": _QUERY, "contribution": loose})
