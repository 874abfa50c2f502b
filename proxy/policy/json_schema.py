"""The JSON Schema of policies, made from the model: what editors need to complete, explain and check keys.

It is a help, not the judge: it lets more pass than `load` does, and refuses nothing that `load` accepts.
"""

from __future__ import annotations

import inspect
import re
from typing import Any, Final

from pydantic import BaseModel

from proxy.policy import model, renewal

# `${NAME}` may stand for every number and truth value.
_VARIABLE: Final = {"type": "string", "pattern": r"\$\{"}
_LIMITS: Final = {"gt": "exclusiveMinimum", "ge": "minimum", "lt": "exclusiveMaximum", "le": "maximum"}
_SIMPLE: Final = ("number", "integer", "boolean")
_SENTENCES: Final = re.compile(r"\s+")


def policy_schema() -> dict[str, Any]:
    """The schema, with the descriptions of the model's docstrings."""
    schema = model.Policy.model_json_schema(mode="validation")
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "A dpproxy policy"
    definitions = schema["$defs"]
    for name, definition in definitions.items():
        _describe(definition, getattr(model, name, None) or getattr(renewal, name))
    _describe(schema, model.Policy)
    # What validators of the model turn into something else.
    columns = definitions["ColumnPolicy"]["properties"]
    columns["bounds"]["anyOf"].append({"type": "string", "pattern": r"^\s*\[.+,.+\)\s*$"})
    columns["values"]["anyOf"].append({"const": "from_type"})
    for duration in (
        definitions["TablePolicy"]["properties"]["clock"],
        definitions["RecallPolicy"]["properties"]["for"],
    ):
        duration.pop("format")
    version = definitions.pop("DataVersion")
    definitions["DataVersion"] = {"anyOf": [{"type": ["string", "integer"]}, version]}
    contribution = definitions.pop("ContributionPolicy")
    definitions["ContributionPolicy"] = {"anyOf": [contribution, {"const": "auto"}, {"type": "null"}]}
    definitions["Budget"]["properties"]["renew"]["anyOf"].append({"const": "never"})
    definitions["Unlocking"]["properties"]["over"] = {"type": "string", "description": "such as `30 days`"}
    opened: dict[str, Any] = _opened(schema)
    return opened


def _describe(definition: dict[str, Any], described: type[BaseModel]) -> None:
    """The first paragraph of a class, and its `Attributes` as those of the keys."""
    text = inspect.getdoc(described) or ""
    definition["description"] = _SENTENCES.sub(" ", text.split("\n\n")[0])
    for name, words in _attributes(text).items():
        definition["properties"][name]["description"] = words
    for key in definition["properties"].values():
        key.pop("title", None)


def _attributes(text: str) -> dict[str, str]:
    section = text.partition("Attributes:\n")[2]
    found = re.findall(r"^    (\w+): (.*(?:\n     +.*)*)", section, re.MULTILINE)
    return {name: _SENTENCES.sub(" ", words) for name, words in found}


def _opened(part: Any) -> Any:
    """Numbers and truth values may be variables; exact numbers, which pydantic takes for texts too, are numbers."""
    if isinstance(part, list):
        return [_opened(item) for item in part]
    if not isinstance(part, dict):
        return part
    described = {key: part[key] for key in ("description",) if key in part}
    kinds = [choice.get("type") for choice in part.get("anyOf", ()) if isinstance(choice, dict)]
    limits = {_LIMITS[key]: value for key, value in part.items() if key in _LIMITS}
    if kinds[:2] == ["number", "string"]:
        others = [_opened(choice) for choice in part["anyOf"][2:]]
        return {**described, "anyOf": [{"type": "number", **limits}, _VARIABLE, *others]}
    if part.get("type") in _SIMPLE:
        rest = {key: value for key, value in part.items() if key not in described}
        return {**described, "anyOf": [rest, _VARIABLE]}
    return {key: _opened(value) for key, value in part.items() if key != "default" and key not in _LIMITS}
