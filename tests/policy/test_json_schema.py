"""The JSON Schema that editors use: every key of the model, valid policies pass, mistakes in keys and kinds do not."""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal
from typing import Any

import pytest

from proxy.policy.document import parse_document
from proxy.policy.json_schema import policy_schema
from tests.docs.markdown import CHECKOUT
from tests.policy.policies import VALID, edited

SCHEMA = policy_schema()
KINDS = {
    "object": dict,
    "array": tuple,
    "string": str | dt.date,
    "null": type(None),
    "number": int | Decimal,
    "integer": int,
    "boolean": bool,
}


def fits(value: Any, schema: dict[str, Any]) -> bool:
    """Does a value fit, as far as the keywords go that the schema uses?"""
    if "$ref" in schema:
        return fits(value, SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]])
    if "anyOf" in schema:
        return any(fits(value, choice) for choice in schema["anyOf"])
    if "const" in schema or "enum" in schema:
        return value in schema.get("enum", [schema.get("const")])
    if "type" in schema:
        is_bool = isinstance(value, bool) and schema["type"] != "boolean"
        if is_bool or not isinstance(value, KINDS[schema["type"]]):
            return False
    if "pattern" in schema and not re.search(schema["pattern"], str(value)):
        return False
    if "exclusiveMinimum" in schema and not value > schema["exclusiveMinimum"]:
        return False
    if isinstance(value, dict):
        known, others = schema.get("properties", {}), schema.get("additionalProperties", {})
        if not set(schema.get("required", ())) <= value.keys():
            return False
        return all(others is not False or key in known for key in value) and all(
            fits(inner, known.get(key, others)) for key, inner in value.items()
        )
    items = schema.get("items")
    return not isinstance(items, dict) or all(fits(inner, items) for inner in value)


def data_of(text: str) -> Any:
    return parse_document(text, "", {}).data


@pytest.mark.parametrize(
    "name", ["policies/events.yaml", "policies/example.yaml", "policies/tpch.yaml", "proxy/demo/demo.yaml"]
)
def test_policies_of_the_repository_fit(name: str) -> None:
    assert fits(data_of((CHECKOUT / name).read_text(encoding="utf-8")), SCHEMA)


@pytest.mark.parametrize(
    "text",
    [
        edited("epsilon: 3,", "epsilons: 3,"),
        edited("epsilon: 3,", "epsilon: -3,"),
        edited("epsilon: 3,", "epsilon: much,"),
        edited("version: 1", "version: 2"),
        edited("{public: true}", "{public: 1}"),
        edited("max_rows: 20,", "max_rows: many,"),
        "version: 1\n",
    ],
)
def test_mistakes_do_not_fit(text: str) -> None:
    assert fits(data_of(VALID), SCHEMA)
    assert not fits(data_of(text), SCHEMA)


def test_a_variable_may_stand_for_a_number() -> None:
    assert fits({"version": 1, "tables": {}, "failures": "${FAILURES}"}, SCHEMA)


def test_descriptions_are_those_of_the_model() -> None:
    columns = SCHEMA["$defs"]["ColumnPolicy"]["properties"]
    assert all("description" in key for key in columns.values())
    assert columns["step"]["description"] == "grid of a number: sums of multiples of `step` stay exact."
    assert all("description" in definition or "anyOf" in definition for definition in SCHEMA["$defs"].values())
