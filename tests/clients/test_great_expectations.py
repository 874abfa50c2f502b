"""Great Expectations validates a table that nobody may read: the same verdicts as on plain Postgres."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from tests.clients.conftest import Targets
from tests.clients.target import Target

EXPECTATIONS: dict[str, dict[str, object]] = {
    "ExpectColumnToExist": {"column": "cost"},
    "ExpectTableColumnCountToEqual": {"value": 13},
    "ExpectTableRowCountToEqual": {"value": 12000},
    "ExpectColumnValuesToNotBeNull": {"column": "patient_id"},
    "ExpectColumnValuesToBeNull": {"column": "cost"},
    "ExpectColumnValuesToBeInSet": {"column": "region", "value_set": ["north", "south", "east", "west"]},
    "ExpectColumnValuesToNotBeInSet": {"column": "region", "value_set": ["nowhere"]},
    "ExpectColumnValuesToBeBetween": {"column": "minutes", "min_value": 0, "max_value": 119},
    "ExpectColumnMeanToBeBetween": {"column": "cost", "min_value": 400, "max_value": 600},
    "ExpectColumnSumToBeBetween": {"column": "minutes", "min_value": 1},
    "ExpectColumnMaxToBeBetween": {"column": "minutes", "max_value": 100},
}
FAILED = {"ExpectColumnValuesToBeNull", "ExpectColumnMaxToBeBetween"}
"""What is not so."""


def verdicts(module: Any, target: Target) -> dict[str, tuple[bool, bool]]:
    """Of each expectation, whether it holds, and whether something went wrong on the way."""
    known = dict(target.libpq())
    database = known.pop("dbname")
    login = known.pop("user") + ":" + quote(known.pop("password", "none"), safe="")
    place = "&".join(f"{name}={quote(value, safe='')}" for name, value in known.items())
    context = module.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    source = context.data_sources.add_postgres(
        "clinic", connection_string=f"postgresql+psycopg2://{login}@localhost/{database}?{place}"
    )
    batch = source.add_table_asset("visits", table_name="visits").add_batch_definition_whole_table("all").get_batch()
    found = {}
    for name, arguments in EXPECTATIONS.items():
        result = batch.validate(getattr(module.expectations, name)(**arguments), result_format="BOOLEAN_ONLY")
        found[name] = result.success, "raised_exception': True" in str(result.exception_info)
    source.get_execution_engine().engine.dispose()
    return found


@pytest.mark.filterwarnings("default")
def test_verdicts_are_those_of_plain_postgres(targets: Targets) -> None:
    module = pytest.importorskip("great_expectations", reason="pip install great_expectations")
    here, there = verdicts(module, targets.proxied), verdicts(module, targets.plain)
    assert here == there
    assert here == {name: (name not in FAILED, False) for name in EXPECTATIONS}
