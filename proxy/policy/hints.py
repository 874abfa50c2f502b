"""What to write instead of a value or a key that a policy does not understand. Hints show no value, perhaps secret."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from pydantic import BaseModel

from proxy.policy.findings import did_you_mean
from proxy.policy.model import (
    Analyst,
    Budget,
    ColumnPolicy,
    ContributionPolicy,
    Policy,
    QueryPrice,
    TableBudget,
    TablePolicy,
    Timing,
    UnitReference,
)

_NUMBERS: Final = (
    (re.compile(r"[-+]?\d+,\d+"), "write a decimal point, as in 4.5"),
    (re.compile(r"0[xob][0-9a-fA-F]+|\d+(:\d\d)+"), "write a number in decimal digits"),
    (re.compile(r"[−–—].*|.*\d[eE][−–—]\d+"), "write the minus sign of the keyboard, -"),
    (re.compile(r"[-+]?\d{1,3}(([ _'’]\d{3})+(\.\d+)?|(\.\d{3}){2,})"), "write digits without separators, as in 5000"),
    (re.compile(r"\d+ ?(\^|\*\*) ?-? ?\d+"), "write powers of ten as in 1e-6"),
    (re.compile(r"\d+ ?/ ?\d+"), "write a fraction as a decimal number, as in 1e-6"),
    (re.compile(r"[-+]?[\d.]+ ?%"), "write a number without a percent sign, as in 0.5"),
    (re.compile(r"[-+]?(inf|infinity|infinite|unlimited|none|max)", re.IGNORECASE), "write a finite number"),
    (re.compile(r"[-+]?[\d.]+ ?[^\d\s.:,-]+"), "write the number alone, without its unit"),
)
_DATE: Final = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2}\.? [A-Za-z]+ \d{4}")

_MAPPINGS: Final[Mapping[str, str]] = {
    "analysts": 'write `analysts: {ana: {password: "…"}}`, with what `dpproxy password --user ana` prints',
    "stewards": 'write `stewards: {eve: {password: "…"}}`, with what `dpproxy password --user eve` prints',
    "groups": "write `groups: {dashboard: {members: [ana]}}`",
    "units": "write `units: {patient: {}}`",
    "tables": "write `tables: {public.visits: {…}}`",
    "unit": "write `unit: {name: patient, column: patient_id}`",
    "budget": "write `budget: {epsilon: 4, delta: 1e-6}`",
    "per_analyst": "write `per_analyst: {epsilon: 1, delta: 1e-7}`",
    "total": "write `total: {epsilon: 10, delta: 1e-5}`",
    "query": "write `query: {epsilon: 0.1}`",
    "contribution": "write `contribution: {max_rows: 20}`",
    "recall": "write `recall: {for: 24 hours}`",
    "at_most": "write `at_most: {epsilon: 1, per: day}`",
    "columns": "write `columns: {patient_id: {}, cost: {bounds: [0, 500]}}`",
    "timing": "write `timing: {epsilon: 0.1, delta: 1e-7, work: 1 ms}`, or `timing: null`",
    "settings": "write `settings: {dp.epsilon: '0.2'}`",
}
_OF_NAMES: Final[Mapping[str, str]] = {
    "tables": "write `{public: true}`, or `unit`, `budget` and `columns` of a private table",
    "analysts": 'write `{password: "…"}`, with what `dpproxy password` prints, or `{certificate: COMMON NAME}`',
    "stewards": 'write `{password: "…"}`, with what `dpproxy password` prints, or `{certificate: COMMON NAME}`',
    "groups": "write `{members: [ana]}`",
}

_BOUNDS: Final = "write `bounds: [low, high]`"
_VALUES: Final = "write `values: [first, second]`"
_VIA: Final = "write `unit: {name: …, via: column -> schema.table.column}` in the table"
_OTHER_WORDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("min", "max", "low", "high", "lower", "upper", "minimum", "maximum", "limits", "clip"), _BOUNDS),
    **dict.fromkeys(
        ("enum", "allowed", "options", "categories", "domain", "labels"), "write `values: [first, second]`"
    ),
    **dict.fromkeys(("private", "sensitive"), "leave it out: a table is private unless it has `public: true`"),
    **dict.fromkeys(("foreign_key", "foreign_keys", "fk", "references", "join"), _VIA),
    **dict.fromkeys(("eps", "ε", "privacy_budget"), "write `epsilon`"),
    **dict.fromkeys(("type", "dtype", "nullable"), "leave it out: the database knows it"),
    **dict.fromkeys(("hidden", "exclude", "ignore"), "leave out what analysts may not see: only what is listed exists"),
}
_PLACES: Final[tuple[tuple[type[BaseModel], str], ...]] = (
    (TablePolicy, "a table"),
    (UnitReference, "`unit` of a table"),
    (Budget, "`budget` of a table"),
    (TableBudget, "`budget` of a table"),
    (QueryPrice, "`query` of a table"),
    (ContributionPolicy, "`contribution` of a table"),
    (ColumnPolicy, "a column"),
    (Analyst, "an analyst"),
    (Timing, "`timing`"),
    (Policy, "the root of the policy"),
)


def hint_for_key(name: str, model: type[BaseModel]) -> str:
    """What to write instead of an unknown key of a model."""
    keys = [field.alias or key for key, field in model.model_fields.items()]
    otherwise = f"the keys here are {', '.join(keys)}"
    place = next((place for other, place in _PLACES if other is not model and name in other.model_fields), None)
    if not name.isprintable():
        return "it has a character that is no ordinary blank or letter, such as a no-break space: write the line anew"
    key, colon, _ = name.partition(":")
    if colon and key in keys:
        return f"write a blank after the colon: `{key}: …`"
    if name.isdecimal():
        return f"if this is part of a number, write it with a decimal point; {otherwise}"
    if name.lower() in _OTHER_WORDS:
        return _OTHER_WORDS[name.lower()]
    if place is not None:
        otherwise = f"{name!r} belongs to {place}: look at the indentation; {otherwise}"
    return did_you_mean(name, keys, otherwise)


def hint_for_mapping(path: tuple[str | int, ...], otherwise: str) -> str:
    """What to write where a mapping is missing."""
    if len(path) == 2 and str(path[0]) in _OF_NAMES:
        return _OF_NAMES[str(path[0])]
    is_name = len(path) == 2 or (len(path) > 2 and path[-2] == "columns")
    return otherwise if is_name else _MAPPINGS.get(str(path[-1]), otherwise)


def hint_for_number(value: object, otherwise: str) -> str:
    """What to write where a number is missing."""
    return next((hint for form, hint in _NUMBERS if isinstance(value, str) and form.fullmatch(value)), otherwise)


def hint_for_bounds(value: object, otherwise: str) -> str:
    """What to write for a bound that is no number or date as policies have them."""
    if isinstance(value, str) and _DATE.fullmatch(value):
        return "write dates as 2024-01-31, and timestamps as 2024-01-31T12:00:00Z"
    hint = hint_for_number(value, otherwise)
    return f"{hint}, or a duration such as 8 hours, without months" if hint == _NUMBERS[-1][1] else hint


def hint_for_date(value: object, otherwise: str) -> str:
    """What to write where a date is missing."""
    return "write dates as 2026-01-31" if isinstance(value, str) and _DATE.fullmatch(value) else otherwise
