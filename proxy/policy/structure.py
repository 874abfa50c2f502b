"""Turns plain data into a `Policy`: checks keys, types and ranges of single values, all at once (decision 8).

pydantic finds the mistakes of one pass; they become findings in the owner's terms. Wrong parts are then removed and the
rest is validated again, so that the rules on the whole policy can check everything that is right.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from proxy.policy.document import Data
from proxy.policy.findings import Finding, PolicyPath, SourceMap, did_you_mean
from proxy.policy.hints import hint_for_bounds, hint_for_date, hint_for_key, hint_for_mapping, hint_for_number
from proxy.policy.model import (
    Analyst,
    Budget,
    ColumnPolicy,
    ContributionPolicy,
    DataVersion,
    Group,
    Policy,
    QueryPrice,
    Rate,
    RecallPolicy,
    Steward,
    TableBudget,
    TablePolicy,
    Timing,
    Unit,
    UnitReference,
)
from proxy.policy.renewal import Renewal, Unlocking

_TABLE_PARTS: Final[Mapping[str, type[BaseModel]]] = {
    "unit": UnitReference,
    "budget": TableBudget,
    "per_analyst": Budget,
    "query": QueryPrice,
    "contribution": ContributionPolicy,
    "recall": RecallPolicy,
    "data_version": DataVersion,
}

# Stand-ins for a root key that is wrong or missing, so that the rest can still be checked.
_ROOT_STAND_INS: Final[Mapping[str, Data]] = {"version": 1, "tables": {}}

_EXPECTED: Final[Mapping[str, tuple[str, str]]] = {
    "is_instance_of": ("a number", "write a number without quotes, such as 0.5 or 1e-6"),
    "int_type": ("a whole number", "write a whole number without quotes"),
    "bool_type": ("true or false", "write true or false without quotes"),
    "string_type": ("text", "put it in quotes"),
    "dict_type": ("a mapping", "write `key: value` entries; {} if there are none"),
    "model_type": ("a mapping", "write `key: value` entries; {} if there are none"),
    "tuple_type": ("a list", "write a list, such as [first, second]"),
    "finite_number": ("a finite number", "write a finite number, such as 1e12"),
}
_EXPECTED_BY_FIELD: Final[Mapping[str, tuple[str, str]]] = {
    "bounds": (
        "a list of two numbers, dates, timestamps or durations",
        "write `bounds: [low, high]`: numbers and dates without quotes, durations such as 8 hours, without months; "
        "in quotes, dates may leave out the upper end: `bounds: '[2024-01-01, 2026-01-01)'`",
    ),
    "range": ("a list of two whole numbers or dates", "write `range: [low, high]`, without quotes"),
    "clock": ("a length of time, or off", "write `clock: 1 hour`, or `clock: off`"),
    "for": ("a length of time", "write `recall: {for: 24 hours}`"),
    "data_version": ("a text or a query", 'write `data_version: "2"`, or `{query: SELECT max(…) FROM …}`'),
    "renew": ("never, or when it begins anew", "write `renew: never`, or `renew: {every: month}`"),
    "unlock": ("a time and a first day", "write `unlock: {over: 30 days, since: 2026-01-31}`"),
    "over": ("a time in days", "write `over: 30 days`"),
    "since": ("a date", "write a date without quotes, such as 2026-01-31"),
    "valid_until": ("a date", "write a date without quotes, such as 2026-01-31"),
    "members": ("a list of analysts", "write `members: [ana, superset]`"),
    "may": ("a list of tables", "write `may: [public.visits]`"),
    "work": ("a time in us, ms or s", "write `work: 1 ms`"),
    "networks": ("a list of networks", "write `networks: [10.0.0.0/8, 2001:db8::/32]`"),
    "values": (
        "a list of texts, numbers, dates or true and false, or from_type",
        "write `values: [first, second]`, or `values: from_type` for an enum or a CHECK (column IN …)",
    ),
}
_COMPARISONS: Final[Mapping[str, tuple[str, str]]] = {
    "greater_than": ("gt", "greater than"),
    "greater_than_equal": ("ge", "at least"),
    "less_than": ("lt", "less than"),
    "less_than_equal": ("le", "at most"),
}


@dataclass(frozen=True)
class Structure:
    """The result of validating a policy's data with pydantic.

    Attributes:
        policy: the policy without the parts that have findings.
        findings: every mistake in keys, types and ranges.
    """

    policy: Policy
    findings: list[Finding]


def build_policy(data: dict[str, Data], source_map: SourceMap) -> Structure:
    """Validate as much of `data` as possible.

    Args:
        data: the root mapping of a policy; consumed (parts that have findings are removed from it).
        source_map: places for the findings. A required key that is in the map but not in `data` was reported before.
    """
    findings: dict[PolicyPath, Finding] = {}
    while True:
        try:
            return Structure(Policy.model_validate(data, strict=True), list(findings.values()))
        except ValidationError as error:
            for details in error.errors(include_url=False):
                path = _data_path(details, data)
                reported_before = details["type"] == "missing" and path == details["loc"] and path in source_map
                if not reported_before and path not in findings:
                    place = source_map.key_error if details["type"] == "extra_forbidden" else source_map.error
                    findings[path] = place(_rule_of(details), path, *_describe(details, path))
                _remove(data, _part_to_remove(details, path))


def _rule_of(details: ErrorDetails) -> str:
    return {"extra_forbidden": "DP110", "missing": "DP111"}.get(details["type"], "DP112")


def _data_path(details: ErrorDetails, data: Data) -> PolicyPath:
    """The part of pydantic's location that exists in the file: it appends the names of union members."""
    path: list[str | int] = []
    for part in details["loc"]:
        if isinstance(part, int) or isinstance(data, tuple):
            break
        path.append(part)
        data = data.get(part) if isinstance(data, dict) else None
    return tuple(path)


def _part_to_remove(details: ErrorDetails, path: PolicyPath) -> PolicyPath:
    """What must be removed with a wrong value, so that no default takes its place and causes further findings."""
    if details["type"] == "extra_forbidden":
        return path
    match path:
        case ("tables", _, "columns", _, *_):
            return path[:4]
        case ("tables", _, "unit" | "budget" | "per_analyst" | "query" | "contribution" | "recall", *_):
            return path[:3]
        case ("timing", *_):
            return path[:1]
        case ("tables", _, "public"):
            return path[:2]
    is_missing_key = details["type"] == "missing" and len(path) > 1
    return path[:-1] if is_missing_key else path


def _remove(data: dict[str, Data], path: PolicyPath) -> None:
    inner: Any = data
    for part in path[:-1]:
        inner = inner.get(part, {})
    inner.pop(path[-1], None)
    if len(path) == 1 and path[0] in _ROOT_STAND_INS:
        data[str(path[0])] = _ROOT_STAND_INS[str(path[0])]


def _describe(details: ErrorDetails, path: PolicyPath) -> tuple[str, str]:
    """Message and hint for one of pydantic's errors."""
    kind, name, context, value = details["type"], str(path[-1]), details.get("ctx", {}), details["input"]
    if kind == "extra_forbidden":
        return f"unknown key {name!r}", hint_for_key(name, _model_at(path[:-1]))
    if kind == "missing" and path == details["loc"]:
        return f"{name!r} is missing", f"add `{name}: …`"
    if kind in _COMPARISONS:
        limit, words = _COMPARISONS[kind]
        range_words = f"{words} {context[limit]}"
        return f"must be {range_words}, not {details['input']}", f"give a number {range_words}"
    if kind == "literal_error":
        shown = value if isinstance(value, int | Decimal) and not isinstance(value, bool) else _kind(value)
        return f"must be {context['expected']}, not {shown}", _literal_hint(context["expected"], value)
    if name in _EXPECTED_BY_FIELD:
        expected, hint = _EXPECTED_BY_FIELD[name]
        return f"must be {expected}", _better(name, value, hint)
    expected, hint = _EXPECTED[kind]
    if kind in ("dict_type", "model_type"):
        hint = hint_for_mapping(path, hint)
    elif kind == "is_instance_of":
        hint = hint_for_number(value, hint)
    elif kind == "int_type" and isinstance(value, Decimal):
        is_whole = value == value.to_integral_value()
        return f"must be {expected}, not {value}", f"write {value:.0f}" if is_whole else "write a whole number"
    elif kind == "int_type":
        meant = hint_for_number(value, "")
        hint = f"{meant}; {hint}" if meant else hint
    elif kind == "string_type" and isinstance(value, tuple | dict):
        hint = "write one text"
    return f"must be {expected}, not {_kind(value)}", hint


def _better(field: str, value: object, hint: str) -> str:
    """The hint for a field, or what its value shows that its writer meant."""
    if field in ("bounds", "range"):
        return hint_for_bounds(value, hint)
    return hint_for_date(value, hint) if field in ("since", "valid_until") else hint


def _literal_hint(expected: str, value: object) -> str:
    if isinstance(value, str) and (value,) == tuple(re.findall(r"\w+", expected)):
        return f"write {expected} without quotes"
    words = re.findall(r"'(\w+)'", expected)
    meant = did_you_mean(value, words, "") if isinstance(value, str) else ""
    return f"write {expected}" + (f"; {meant}" if meant else "")


def _model_at(path: PolicyPath) -> type[BaseModel]:
    """The model of the mapping at `path`."""
    match path:
        case (*_, "renew"):
            return Renewal
        case (*_, "unlock"):
            return Unlocking
        case (*_, "at_most"):
            return Rate
        case ("analysts", _):
            return Analyst
        case ("stewards", _):
            return Steward
        case ("groups", _):
            return Group
        case ("groups", _, "budget"):
            return Budget
        case ("units", _):
            return Unit
        case ("timing",):
            return Timing
        case ("units", _, "budget"):
            return Budget
        case ("tables", _):
            return TablePolicy
        case ("tables", _, "columns", _):
            return ColumnPolicy
        case ("tables", _, "budget", "total"):
            return Budget
        case ("tables", _, str(part)):
            return _TABLE_PARTS[part]
    return Policy


def _kind(value: object) -> str:
    """The kind of a wrong value, in words. The value itself may be a secret from the environment."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true or false"
        case int() | Decimal():
            return "a number"
        case dt.date():
            return "a date"
        case dict():
            return "a mapping"
        case tuple():
            return "a list"
    return "a text"
