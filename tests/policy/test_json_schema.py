"""The JSON Schema that editors use: every key of the model, valid policies pass, mistakes in keys and kinds do not."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import jsonschema
import pytest

from proxy.policy.document import parse_document
from proxy.policy.json_schema import policy_schema
from tests.docs.markdown import CHECKOUT
from tests.policy.policies import VALID, edited

SCHEMA = policy_schema()
JUDGE = jsonschema.Draft202012Validator(SCHEMA)


def fits(value: Any, judge: jsonschema.Draft202012Validator = JUDGE) -> bool:
    """Would an editor accept a value?"""
    return bool(judge.is_valid(as_json(value)))


def as_json(value: Any) -> Any:
    """A policy's data as JSON has it; YAML readers of editors take dates for texts."""
    match value:
        case dict():
            return {key: as_json(inner) for key, inner in value.items()}
        case tuple():
            return [as_json(inner) for inner in value]
        case Decimal():
            return int(value) if value == int(value) else float(value)
        case dt.date():
            return str(value)
    return value


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def data_of(text: str) -> Any:
    return parse_document(text, "", {}).data


@pytest.mark.parametrize(
    "name",
    [
        "policies/events.yaml",
        "policies/example.yaml",
        "policies/flights.yaml",
        "policies/shop.yaml",
        "policies/tpch.yaml",
        "proxy/demo/demo.yaml",
    ],
)
def test_policies_of_the_repository_fit(name: str) -> None:
    assert fits(data_of((CHECKOUT / name).read_text(encoding="utf-8")))


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
    assert fits(data_of(VALID))
    assert not fits(data_of(text))


def test_a_variable_may_stand_for_a_number() -> None:
    assert fits({"version": 1, "tables": {}, "failures": "${FAILURES}"})


def test_descriptions_are_those_of_the_model() -> None:
    columns = SCHEMA["$defs"]["ColumnPolicy"]["properties"]
    assert all("description" in key for key in columns.values())
    assert columns["step"]["description"] == "grid of a number: sums of multiples of `step` stay exact."
    assert all("description" in definition or "anyOf" in definition for definition in SCHEMA["$defs"].values())
