"""Group keys that are made of two columns with thousands of values each: every group is Postgres's own, and found without
listing all combinations of the two.

A value that the enumeration left out would be a missing group here: nothing selects these keys.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator

import pytest

from proxy.policy.model import Policy
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, over_tables
from tests.end_to_end.conftest import StartProxy

# Pairs of dates around birthdays, month ends and leap days, before and after each other, at the bounds, and without one.
TABLES = """
CREATE TABLE people (id int PRIMARY KEY, enrolled date, futime int, weight int NOT NULL);
CREATE TABLE checks (id int NOT NULL REFERENCES people, day int NOT NULL, checked date, at timestamp, PRIMARY KEY (id, day));
INSERT INTO people SELECT i, CASE i % 9 WHEN 0 THEN NULL WHEN 1 THEN date '1974-01-01' WHEN 2 THEN date '1984-01-01'
    WHEN 3 THEN date '1976-02-29' WHEN 4 THEN date '1980-12-31' ELSE date '1974-01-01' + (i * 37) % 3652 END,
    CASE i % 7 WHEN 0 THEN NULL WHEN 1 THEN 0 WHEN 2 THEN 6000 ELSE (i * 91) % 6001 END, i * 17 % 5001
FROM generate_series(1, 300) AS i;
INSERT INTO checks SELECT id, d, CASE d WHEN 0 THEN NULL WHEN 1 THEN '1974-01-01' WHEN 2 THEN '2000-01-01' WHEN 3 THEN enrolled
    WHEN 4 THEN enrolled + 365 WHEN 5 THEN (enrolled + interval '5 years')::date - 1 WHEN 6 THEN (enrolled + interval '1 month')::date
    WHEN 7 THEN '1980-02-29' ELSE date '1974-01-01' + (id * d * 91) % 9490 END, timestamp '1980-01-01' + id * d * interval '7 hours'
FROM people, generate_series(0, 10) AS d;
"""
_TABLE = {
    "unit": {"name": "person", "column": "id"},
    "budget": {"epsilon": "1e27", "delta": "0.9"},
    "query": {"epsilon": "1e20", "max_epsilon": "1e22", "delta": "0.1"},
    "contribution": {"max_rows": 2000, "max_rows_per_group": 2000, "max_groups": 64},
}
_FIRST, _LAST = dt.date(1974, 1, 1), dt.date(1984, 1, 1)
_PEOPLE = {
    "enrolled": {"bounds": [_FIRST, _LAST]},
    "futime": {"bounds": ["0", "6000"]},
    "weight": {"bounds": ["0", "5000"]},
}
_CHECKS = {
    "day": {"bounds": ["0", "6000"]},
    "checked": {"bounds": [_FIRST, dt.date(2000, 1, 1)]},
    "at": {"bounds": [_FIRST, dt.date(2000, 1, 1)]},
}
POLICY = {
    "version": 1,
    "analysts": {"ana": {"password": clinic.VERIFIER}},
    "units": {"person": {}},
    "tables": {
        "public.people": _TABLE | {"columns": {"id": {}} | _PEOPLE},
        "public.checks": _TABLE | {"columns": {"id": {}} | _CHECKS},
    },
}

KEYS = (
    "extract(year FROM age(checked, enrolled))",
    "date_part('year', age(enrolled, checked))",
    "extract(month FROM age(checked, enrolled))",
    "extract(year FROM age(checked, enrolled)) * 12 + extract(month FROM age(checked, enrolled))",
    "extract(year FROM age(checked + 30, enrolled - day))",
    "width_bucket(extract(year FROM age(checked, enrolled)), 0, 20, 4)",
    "date_trunc('year', enrolled + futime)",
    "to_char(enrolled + futime, 'YYYY-MM')",
    "extract(year FROM futime + enrolled)",
    "date_trunc('month', enrolled - futime)",
    "(futime - weight) / 500",
    "(futime + weight) / 500",
    "(futime * 2 - weight * 4) / 1000",
    "(checked - enrolled) / 365",
    "to_char(checked, 'MM') || to_char(enrolled, 'MM')",
    "to_char(date_trunc('month', checked), 'YYYY') || '/' || to_char(date_trunc('month', enrolled), 'YYYY')",
    "extract(year FROM checked) - extract(year FROM enrolled)",
    "CASE WHEN extract(year FROM checked) > extract(year FROM enrolled) THEN extract(month FROM checked) END",
    "extract(dow FROM checked) = extract(dow FROM enrolled)",
    "coalesce(extract(quarter FROM checked), extract(month FROM enrolled))",
    "extract(day FROM age(checked, enrolled))",
    "date_part('day', age(checked, enrolled))",
    "(day + futime * weight) % 5",
    "least(checked, enrolled)",
    "greatest(day, futime) / 7",
    "CASE WHEN checked > enrolled + day THEN checked ELSE enrolled END",
    "to_char(checked, 'YYYY'), to_char(checked, 'MM') || to_char(enrolled, 'MM')",
)
CONDITIONS = (
    "",
    "WHERE checked >= enrolled",
    "WHERE enrolled > checked",
    "WHERE checked < '1990-05-01' AND extract(month FROM enrolled) = 2",
    "WHERE checked = enrolled",
    "WHERE futime > weight",
    "WHERE age(checked, enrolled) > interval '5 years'",
)


@pytest.fixture(scope="module")
def both(copy_clinic: Callable[[], str], proxies: StartProxy) -> Iterator[Connections]:
    with over_tables(TABLES, Policy.model_validate(POLICY), copy_clinic(), proxies) as found:
        yield found


def _keys_line(query: str, connections: Connections) -> str:
    lines = [line for (line,) in connections[0].execute(f"EXPLAIN {query}".encode()).fetchall()]
    return next(str(line) for line in lines if "Group keys:" in line)


def _query(keys: str, where: str = "") -> str:
    names = ", ".join(str(place + 1) for place in range(keys.count("), to_char(checked, 'MM')") + 1))
    return f"SELECT {keys}, count(*) FROM people JOIN checks USING (id) {where} GROUP BY {names}"


@pytest.mark.parametrize("where", CONDITIONS)
@pytest.mark.parametrize("keys", KEYS)
def test_each_group_is_found(both: Connections, keys: str, where: str) -> None:
    query = _query(keys, where)
    assert ": declared (" in _keys_line(query, both)
    assert_same_answer(query, both)


@pytest.mark.parametrize("zone", ["America/Sao_Paulo", "Asia/Beirut", "Pacific/Apia"])
@pytest.mark.parametrize("keys", KEYS[:5])
def test_days_that_begin_later_make_no_other_ages(both: Connections, keys: str, zone: str) -> None:
    for connection in both:
        connection.execute(f"SET TimeZone = '{zone}'".encode())
    try:
        assert_same_answer(_query(keys), both)
    finally:
        for connection in both:
            connection.execute("RESET TimeZone")


@pytest.mark.parametrize("key", ["checked::text || enrolled::text", "(day + futime) * (weight + 1)"])
def test_of_too_many_combinations_those_keys_are_selected_that_occur(both: Connections, key: str) -> None:
    assert ": selected; " in _keys_line(_query(key), both)
    both[0].execute(_query(key).encode())


def test_a_condition_between_the_two_leaves_out_the_ages_that_it_excludes(both: Connections) -> None:
    key = "extract(year FROM age(checked, enrolled))"
    client = both[0]
    client.execute("SET dp.empty_groups = 'show'")
    try:
        ages = {row[0] for row in client.execute(_query(key, "WHERE checked >= enrolled").encode()).fetchall()}
    finally:
        client.execute("SET dp.empty_groups = 'hide'")
    assert ages == set(range(27))
