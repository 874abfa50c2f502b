"""A small database with every awkward value, and Hypothesis strategies for expressions and rows over it."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from proxy.policy.model import Policy

VALUE_COLUMNS: dict[str, tuple[str, tuple[str, ...]]] = {
    "small": ("smallint", ("0", "1", "-7", "32767", "-32768", "300")),
    "whole": ("integer", ("0", "3", "-12", "2147483647", "-2147483648", "46341")),
    "big": ("bigint", ("0", "5", "-40", "9223372036854775807", "-9223372036854775808", "4294967296")),
    "money": ("numeric(10, 2)", ("0", "0.01", "-3.75", "99999999.99", "-99999999.99", "NaN", "12.34")),
    "free": ("numeric", ("0", "0.0010", "0.001", "-1.5", "1e300", "-1e5000", "1e-5000", "NaN", "7.77")),
    "wide": (
        "double precision",
        ("0", "-0", "0.1", "-2.5", "1e308", "-1e308", "5e-324", "NaN", "Infinity", "-Infinity"),
    ),
    "narrow": ("real", ("0", "-0", "0.3", "-9.5", "3e38", "1e-45", "NaN", "Infinity", "-Infinity")),
    "day": (
        "date",
        ("2024-02-29", "2025-12-31", "infinity", "-infinity", "4713-01-01 BC", "5874897-12-31", "0001-01-01"),
    ),
    "moment": (
        "timestamp",
        ("2024-03-31 02:30", "2025-01-01", "infinity", "-infinity", "294276-12-31", "4713-01-01 BC"),
    ),
    "instant": ("timestamptz", ("2024-03-31 01:30+00", "2025-01-01+00", "infinity", "-infinity", "294276-12-30+00")),
    "word": ("text", ("", " ", "a", "A", "a ", "42", "1e999", "é", "'", "\\", "%_", "null")),
    "fixed": ("char(4)", ("", "a", "b", "abcd")),
    "region": ("text", ("north", "south", "east", "elsewhere")),
    "flag": ("boolean", ("true", "false")),
}
"""Columns of both private tables: type, and values that the rows take (besides NULL)."""

_COLUMNS = ", ".join(f"{name} {type_name}" for name, (type_name, _) in VALUE_COLUMNS.items())

SCHEMA = f"""
CREATE TABLE regions (name text PRIMARY KEY, zone text, factor numeric(6, 2), code integer NOT NULL UNIQUE);
INSERT INTO regions VALUES ('north', 'cold', 1.25, 1), ('south', 'warm', -3.5, 2), ('east', 'cold', NULL, 3);
CREATE TABLE events (unit integer, {_COLUMNS});
CREATE TABLE people (unit integer PRIMARY KEY, {_COLUMNS});
"""

UNITS = 5
"""Units 1 to UNITS have rows; their removal makes the neighbours."""


def policy(
    *, max_rows: int | None, max_rows_per_group: int, max_groups: int, bound: str | None, step: str | None
) -> Policy:
    """A policy for the database; `bound` and `step` hold for all numbers that have none in their type. Without max_rows
    each block chooses its thresholds from the data, and needs no `bound`."""
    limits: dict[str, Any] = {"bounds": [f"-{bound}", bound]} if bound is not None else {}
    stepped = limits if step is None else limits | {"step": step}
    columns: dict[str, Any] = {name: {} for name in VALUE_COLUMNS} | {
        "unit": {},
        "small": limits,
        "whole": stepped,
        "big": limits,
        "money": stepped,
        "free": stepped,
        "wide": stepped,
        "narrow": limits,
        "day": {"bounds": ["2024-01-01", "2025-12-31"]},
        "moment": {"bounds": ["2024-01-01", "2025-12-31"]},
        "fixed": {"values": ["a", "abcd"]},
        "region": {"values_from": "public.regions.name"},
    }
    private = {
        "unit": {"name": "person", "column": "unit"},
        "budget": {"epsilon": "100", "delta": "1e-3"},
        "contribution": {"max_groups": max_groups}
        | ({"max_rows": max_rows, "max_rows_per_group": max_rows_per_group} if max_rows is not None else {}),
        "columns": columns,
    }
    tables: dict[str, Any] = {
        "public.events": private,
        "public.people": private,
        "public.regions": {"public": True},
    }
    return Policy.model_validate({"version": 1, "units": {"person": {}}, "tables": tables})


def rows(unit: st.SearchStrategy[int | None]) -> st.SearchStrategy[tuple[str | None, ...]]:
    """One row of a private table as texts."""
    columns = [st.sampled_from((*values, None)) for _, values in VALUE_COLUMNS.values()]
    return st.tuples(unit.map(lambda number: None if number is None else str(number)), *columns)


_NUMBER_LITERALS = st.sampled_from(
    ["0", "1", "2", "-1", "0.5", "1e-200", "3e150", "1000000", "'7'::smallint", "'0.5'::real"]
)
_NUMBER_TYPES = st.sampled_from(
    ["smallint", "integer", "bigint", "numeric", "numeric(6,2)", "numeric(3,0)", "real", "double precision"]
)
_DATES = st.sampled_from(
    [
        "day",
        "moment",
        "instant",
        "date '2025-02-28'",
        "date 'infinity'",
        "timestamp '294276-01-01'",
        "date '5874897-01-01'",
    ]
)
_TEXTS = st.sampled_from(["word", "fixed", "region", "'a'", "''"])


def _numbers_of(number: st.SearchStrategy[str], boolean: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(number, st.sampled_from(["+", "-", "*", "/", "%"]), number).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(st.sampled_from(["abs", "round", "trunc", "ceil", "floor", "sign"]), number).map(
            lambda t: f"{t[0]}({t[1]})"
        ),
        st.tuples(st.sampled_from(["coalesce", "greatest", "least", "nullif", "mod"]), number, number).map(
            lambda t: f"{t[0]}({t[1]}, {t[2]})"
        ),
        st.tuples(number, _NUMBER_TYPES).map(lambda t: f"({t[0]})::{t[1]}"),
        st.tuples(number, st.integers(-3, 3)).map(lambda t: f"round(({t[0]})::numeric, {t[1]})"),
        number.map(lambda value: f"(- {value})"),
        st.tuples(boolean, number, number).map(lambda t: f"CASE WHEN {t[0]} THEN {t[1]} ELSE {t[2]} END"),
        st.tuples(boolean, number).map(lambda t: f"CASE WHEN {t[0]} THEN {t[1]} END"),
        st.tuples(st.sampled_from(["year", "dow", "epoch", "week"]), _dates()).map(
            lambda t: f"extract({t[0]} FROM {t[1]})"
        ),
        st.tuples(_DATES, _DATES).map(lambda t: f"({t[0]}::date - {t[1]}::date)"),
        _texts().map(lambda text: f"length({text})"),
        boolean.map(lambda condition: f"({condition})::integer"),
    )


def _dates() -> st.SearchStrategy[str]:
    return st.one_of(
        _DATES,
        st.tuples(_DATES, st.sampled_from(["date", "timestamp", "timestamptz"])).map(lambda t: f"({t[0]})::{t[1]}"),
        st.tuples(st.sampled_from(["year", "week", "month", "day"]), _DATES).map(
            lambda t: f"date_trunc('{t[0]}', {t[1]})"
        ),
        st.tuples(_DATES, st.sampled_from(["+", "-"])).map(lambda t: f"({t[0]} {t[1]} interval '200 years 3 days')"),
        st.sampled_from(["(day + 90)", "(day - 90000)"]),
    )


def _texts() -> st.SearchStrategy[str]:
    return st.one_of(
        _TEXTS,
        st.tuples(st.sampled_from(["upper", "lower", "initcap", "btrim", "reverse"]), _TEXTS).map(
            lambda t: f"{t[0]}({t[1]})"
        ),
        st.tuples(_TEXTS, _TEXTS).map(lambda t: f"({t[0]} || {t[1]})"),
        _TEXTS.map(lambda text: f"left({text}, 2)"),
        _TEXTS.map(lambda text: f"substr({text}, 2, 3)"),
        st.tuples(_DATES, st.sampled_from(["YYYY-MM", "Month RM J Q", "FMDay TZ"])).map(
            lambda t: f"to_char({t[0]}, '{t[1]}')"
        ),
        st.sampled_from(["small", "big", "money", "free", "wide", "narrow", "flag", "day"]).map(
            lambda name: f"{name}::text"
        ),
    )


def _conditions(number: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    comparison = st.sampled_from(["=", "<>", "<", ">=", "IS DISTINCT FROM"])
    return st.one_of(
        st.tuples(number, comparison, number).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(number, number, number).map(lambda t: f"({t[0]} BETWEEN {t[1]} AND {t[2]})"),
        st.tuples(number, number, number).map(lambda t: f"({t[0]} IN ({t[1]}, 5, {t[2]}))"),
        st.tuples(_dates(), comparison, _dates()).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(_texts(), comparison, _texts()).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(_texts(), st.sampled_from(["'a%'", "'_'", r"'%\\'", "''"])).map(lambda t: f"({t[0]} LIKE {t[1]})"),
        st.tuples(_texts(), st.sampled_from(["'^a*b'", "'(a|b)+'", "'[[:alpha:]]$'"])).map(
            lambda t: f"({t[0]} ~ {t[1]})"
        ),
        number.map(lambda value: f"({value} IS NOT NULL)"),
        st.sampled_from(["flag", "(NOT flag)", "(flag IS TRUE)", "(region IN ('north', 'x'))"]),
    )


_COLUMN_NUMBERS = st.sampled_from(["small", "whole", "big", "money", "free", "wide", "narrow"])
_SIMPLE = st.one_of(_COLUMN_NUMBERS, _NUMBER_LITERALS)
NUMBERS = st.one_of(
    _COLUMN_NUMBERS,
    st.recursive(_SIMPLE, lambda inner: _numbers_of(inner, _conditions(inner)), max_leaves=6),
)
"""Number-valued expressions."""

CONDITIONS = st.recursive(
    _conditions(NUMBERS),
    lambda inner: st.tuples(inner, st.sampled_from(["AND", "OR"]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
    max_leaves=3,
)
"""Conditions over one row."""

KEYS = st.one_of(
    st.sampled_from(
        [
            "region",
            "fixed",
            "flag",
            "word",
            "unit",
            "small",
            "money",
            "free",
            "wide",
            "narrow",
            "upper(word)",
            "round(free)",
        ]
    ),
    st.sampled_from(["date_trunc('month', moment)", "date_trunc('year', day)", "extract(dow FROM day)", "whole > 3"]),
    st.sampled_from(["fixed || region", "coalesce(region, word)", "free * 10", "wide / 7", "day", "moment - moment"]),
    NUMBERS,
)
"""Group keys, declared and undeclared."""
