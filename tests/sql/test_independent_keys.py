"""Keys that nothing ties together are listed by themselves, and differences without the product of their two sides."""

from __future__ import annotations

import datetime as dt

import pytest

from proxy.policy.model import ColumnPolicy
from proxy.sql.planning.domains import Domain
from proxy.sql.schema import Schema
from tests.planned import plan_of
from tests.plans.schema import CATALOG, POLICY

_SCHEMA = Schema(POLICY, CATALOG)
_FIRST = "(SELECT patient_id, min(day) AS first FROM visits GROUP BY patient_id) AS f"
_SINCE = f"FROM visits AS v JOIN {_FIRST} USING (patient_id)"


def _domain(text: str) -> Domain:
    domain = plan_of(text, _SCHEMA).domain
    assert domain is not None
    return domain


def _with_days(first: dt.date, last: dt.date) -> Schema:
    """The schema with these bounds of visits' days and of patients' birthdays."""
    limits = ColumnPolicy.model_validate({"bounds": [first, last]})
    tables = dict(POLICY.tables)
    for name, column in (("public.visits", "day"), ("public.patients", "born")):
        columns = {**(tables[name].columns or {}), column: limits}
        tables[name] = tables[name].model_copy(update={"columns": columns})
    return Schema(POLICY.model_copy(update={"tables": tables}), CATALOG)


_WIDE = _with_days(dt.date(1980, 1, 1), dt.date(2004, 1, 1))


def test_keys_that_nothing_ties_together_are_listed_apart() -> None:
    apart = _domain("SELECT diagnosis, minutes, count(*) FROM visits GROUP BY 1, 2")
    assert apart.sql.startswith("SELECT g0.k0, g1.k1 FROM (SELECT DISTINCT ")
    assert apart.unlisted is not None
    assert apart.unlisted.some is None


def test_keys_that_a_condition_ties_together_are_listed_as_one() -> None:
    tied = _domain(
        "SELECT diagnosis, minutes, count(*) FROM visits WHERE diagnosis = 'flu' OR minutes < 5 GROUP BY 1, 2"
    )
    assert tied.sql.startswith("SELECT DISTINCT d0.c0 AS k0, d1.c0 AS k1 FROM ")
    assert tied.unlisted is not None
    assert tied.unlisted.some is not None
    assert " LIMIT 300000) AS p LIMIT 100001" in tied.unlisted.some


@pytest.mark.parametrize(
    "key", ["v.day - f.first", "(v.day - f.first) / 30", "to_char(f.first, 'YYYY'), v.day - f.first"]
)
@pytest.mark.parametrize("where", ["", "WHERE v.day >= '2024-02-01'", "WHERE (v.day - f.first) / 30 BETWEEN 0 AND 18"])
def test_a_difference_of_days_takes_no_product(key: str, where: str) -> None:
    domain = _domain(
        f"SELECT {key}, count(*) {_SINCE} {where} GROUP BY {', '.join(map(str, range(1, key.count(', v') + 2)))}"
    )
    assert "generate_series(e.low, e.high)" in domain.sql
    assert domain.unlisted is not None
    assert domain.unlisted.some is None


@pytest.mark.parametrize("more", ["v.day", "f.first"])
def test_a_difference_beside_one_of_its_days_is_listed_with_it(more: str) -> None:
    domain = _domain(f"SELECT v.day - f.first, {more}, count(*) {_SINCE} GROUP BY 1, 2")
    assert "e.low" not in domain.sql


def test_a_condition_on_a_key_of_two_columns_narrows_it() -> None:
    domain = _domain(f"SELECT (v.day - f.first) / 30, count(*) {_SINCE} WHERE (v.day - f.first) / 30 >= 0 GROUP BY 1")
    assert ">= 0)" in domain.sql


def test_a_condition_on_undeclared_days_may_leave_out_values_of_other_keys() -> None:
    text = f"SELECT smoker, v.day - f.first, count(*) {_SINCE} JOIN patients USING (patient_id) {{}} GROUP BY 1, 2"
    assert _domain(text.format("")).whole == (True, False)
    assert _domain(text.format("WHERE smoker OR v.day - f.first > 5")).whole == (False, False)


@pytest.mark.parametrize("where", ["{} <> 2", "{}::text <> '2'"])
def test_a_condition_on_a_difference_and_its_days_keeps_them_together(where: str) -> None:
    key = "CASE WHEN v.day >= p.born THEN v.day - p.born END"
    schema = _with_days(dt.date(2024, 1, 1), dt.date(2024, 3, 21))
    rows = f"visits AS v JOIN patients AS p USING (patient_id) WHERE {where.format(f'({key})')}"
    domain = plan_of(f"SELECT {key}, count(*) FROM {rows} GROUP BY 1", schema).domain
    assert domain is not None
    assert "e.low" not in domain.sql


@pytest.mark.parametrize("where", ["", "WHERE v.day >= p.born"])
@pytest.mark.parametrize(
    ("key", "listed"),
    [
        ("extract(year FROM age(v.day, p.born))", "make_interval(months => g.s)"),
        ("date_trunc('year', p.born + minutes)", "e.low + s AS c0"),
        ("to_char(v.day, 'MM') || to_char(p.born, 'MM')", "SELECT DISTINCT to_char("),
        ("extract(year FROM v.day) - extract(year FROM p.born)", "SELECT DISTINCT extract(year"),
        ("least(v.day, p.born)", "FROM generate_series(0, 8766) AS s UNION ALL SELECT NULL"),
        ("extract(day FROM age(v.day, p.born))", "generate_series(-30::numeric, 30::numeric, 1::numeric)"),
    ],
)
def test_a_key_of_two_wide_columns_is_listed_without_their_product(key: str, listed: str, where: str) -> None:
    rows = f"visits AS v JOIN patients AS p USING (patient_id) {where}"
    domain = plan_of(f"SELECT {key}, count(*) FROM {rows} GROUP BY 1", _WIDE).domain
    assert domain is not None
    assert listed in domain.sql
    assert "AS d0, (SELECT" not in domain.sql


@pytest.mark.parametrize("key", ["v.day::text || p.born::text", "(v.day - date '2000-01-01') * (p.born - v.day)"])
def test_a_key_of_too_many_combinations_is_selected(key: str) -> None:
    rows = "visits AS v JOIN patients AS p USING (patient_id)"
    assert plan_of(f"SELECT {key}, count(*) FROM {rows} GROUP BY 1", _WIDE).domain is None
    narrow = f"{rows} WHERE v.day < '1980-02-01' AND p.born < '1980-02-01'"
    assert plan_of(f"SELECT {key}, count(*) FROM {narrow} GROUP BY 1", _WIDE).domain is not None


def test_many_days_that_an_equality_ties_together_are_few_combinations() -> None:
    rows = "visits AS v JOIN patients AS p USING (patient_id) WHERE v.day = p.born"
    assert plan_of(f"SELECT v.day::text || p.born::text, count(*) FROM {rows} GROUP BY 1", _WIDE).domain is not None


@pytest.mark.parametrize("key", ["extract(year FROM age(v.day, p.born))", "(v.day - p.born) / 365"])
def test_days_of_a_century_can_be_a_part_of_a_key(key: str) -> None:
    schema = _with_days(dt.date(1900, 1, 1), dt.date(2004, 1, 1))
    rows = "visits AS v JOIN patients AS p USING (patient_id)"
    assert plan_of(f"SELECT {key}, count(*) FROM {rows} GROUP BY 1", schema).domain is not None
