"""Which windows of time a block reads, who pays for them and how much, and what is refused (theorem 24)."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from proxy.dp.accounting import Price
from proxy.errors import DpproxyError, UnsupportedError
from proxy.policy.model import Policy
from proxy.policy.windows import Per, Windows, label, start_of, window_of
from proxy.settings import QuerySettings
from proxy.sql import analysis
from proxy.sql.planning.accounts import paying_accounts
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.rows.time_windows import Asked
from proxy.sql.schema import Schema
from tests.planned import PUBLIC, analysed
from tests.sql.events import CATALOG, POLICY

TODAY = Asked(dt.date(2024, 5, 20))
BOUNDS = {"bounds": "[2024-01-01, 2028-01-01)"}


def schema(per: str = "month", of: str = "at", **more: Any) -> Schema:
    """The events' schema, with windows of one of their times; `more` are keys of the budget."""
    content = POLICY.model_dump()
    content["tables"]["public.events"]["budget"] |= {"per": per, "of": of} | more
    content["tables"]["public.events"]["columns"] |= dict.fromkeys(("at", "seen", "day"), BOUNDS)
    return Schema(Policy.model_validate(content), CATALOG)


def planned(text: str, known: Schema, asked: Asked | None = TODAY) -> BlockPlan:
    (block,) = analysed(text, known).blocks
    return analysis.plan_block(block, known, PUBLIC, QuerySettings(), "ana", (), asked).plan


@pytest.mark.parametrize(
    ("where", "read"),
    [
        ("at >= '2024-03-01' AND at < '2024-04-01'", "2024-03"),
        ("at >= '2024-03-01' AND at <= '2024-04-01'", "2024-03 to 2024-04"),
        ("at BETWEEN '2024-03-05' AND '2024-03-31 23:59:59.999999'", "2024-03"),
        ("at::date BETWEEN '2024-03-01' AND '2024-03-31'", "2024-03"),
        ("at = '2024-02-29'", "2024-02"),
        ("at IN ('2024-02-29', '2024-03-01')", "2024-02 to 2024-03"),
        ("at >= '2024-03-01'", "2024-03 to 2024-05"),
        ("NOT at < '2024-03-01'", "2024-03 to 2024-05"),
        ("at > '2024-07-01'", "2024-07"),
        ("at < '2024-07-01'", "2024-01 to 2024-06"),
        ("at < '2040-07-01'", "2024-01 to 2027-12"),
        ("at < '2020-07-01'", "2024-01"),
        ("at > '2040-07-01'", "2027-12"),
        ("at > 'infinity'", "2024-01 to 2024-05"),
        ("urgent OR at = '2024-02-29'", "2024-01 to 2024-05"),
        ("(at = '2024-03-01' AND urgent) OR at = '2024-02-29'", "2024-02 to 2024-03"),
        ("(at > '2024-03-01' AND urgent) OR at BETWEEN '2024-02-29' AND '2024-04-01'", "2024-02 to 2024-05"),
        ("urgent", "2024-01 to 2024-05"),
    ],
)
def test_windows_are_those_that_where_allows(where: str, read: str) -> None:
    plan = planned(f"SELECT count(*) FROM events WHERE {where}", schema())
    assert str(plan.windows.of["public.events"]) == read
    accounts = [f"table:public.events.at@{window}" for window in plan.windows.of["public.events"].labels]
    assert [(account.name, account.entities) for account in plan.accounts] == [(name, 1) for name in accounts]
    assert plan.where is not None
    first, last = plan.windows.of["public.events"].start, plan.windows.of["public.events"].end
    assert f"(t0.\"at\" >= '{first} 00:00:00'::timestamp without time zone)" in plan.where.sql
    assert f"(t0.\"at\" < '{last} 00:00:00'::timestamp without time zone)" in plan.where.sql
    assert ("date_trunc" in plan.relation.unit_sql) == (" to " in read)


def test_without_a_day_all_windows_are_read() -> None:
    plan = planned("SELECT count(*) FROM events", schema("year"), asked=None)
    assert str(plan.windows.of["public.events"]) == "2024 to 2027"


@pytest.mark.parametrize(
    ("of", "condition"),
    [
        ("seen", "(t0.\"seen\" >= '2024-03-01 00:00:00+00'::timestamp with time zone)"),
        ("day", "(t0.\"day\" >= '2024-03-01'::date)"),
    ],
)
def test_moments_and_dates_have_windows_too(of: str, condition: str) -> None:
    plan = planned(f"SELECT count(*) FROM events WHERE {of} >= '2024-03-01 00:00+00'", schema(of=of))
    assert str(plan.windows.of["public.events"]) == "2024-03 to 2024-05"
    assert plan.where is not None
    assert condition in plan.where.sql


@pytest.mark.parametrize(
    "where",
    [
        "seen >= '2024-03-01' AND seen < '2024-04-01'",
        "'2024-03-01 00:00' <= seen AND seen < timestamptz '2024-03-15 12:00'",
        "seen BETWEEN '2024-03-01' AND '2024-03-31 23:59:59.9+00'",
        "seen > '2024-03-01 03:00+03'",
        "seen >= date '2024-03-01' AND seen < '2024-04-01'::date",
        "timestamp '2024-03-01 00:00' <= seen AND seen <= '2024-03-31 23:59:59.9'::timestamp",
    ],
)
def test_constants_without_an_offset_are_read_by_the_clock_of_utc_or_a_day_wider(where: str) -> None:
    text = f"SELECT count(*) FROM events WHERE {where} AND seen < '2024-04-01 00:00+00'"
    one, wider = (planned(text, schema(of="seen"), Asked(dt.date(2024, 5, 20), by_utc)) for by_utc in (True, False))
    assert str(one.windows.of["public.events"]) == "2024-03"
    assert str(wider.windows.of["public.events"]) == ("2024-03" if "+03" in where else "2024-02 to 2024-03")


@pytest.mark.parametrize(
    ("where", "windows"),
    [
        ("seen >= timestamp '2024-03-01 00:00+05'", "2024-03"),
        ("seen >= date '2024-03-01 12:00'", "2024-03"),
        ("seen >= timestamp(0) '2024-03-01 00:00:00.6'", "2024-02 to 2024-03"),
    ],
)
def test_what_a_type_ignores_of_a_constant_stays_ignored(where: str, windows: str) -> None:
    text = f"SELECT count(*) FROM events WHERE {where} AND seen < '2024-04-01 00:00+00'"
    plan = planned(text, schema(of="seen"), Asked(dt.date(2024, 5, 20), by_utc=True))
    assert str(plan.windows.of["public.events"]) == windows


def test_accounts_of_units_pay_for_all_their_windows() -> None:
    known = schema(total={"epsilon": "50", "delta": "1e-6"})
    text = "SELECT count(*) FROM events e JOIN people p USING (person_id) WHERE at >= '2024-03-01'"
    plan = planned(text, known)
    groups = {account.name: account.entities for account in plan.accounts}
    assert groups == dict.fromkeys([f"table:public.events.at@2024-0{month}" for month in (3, 4, 5)], 1) | {
        "table:public.events": 3,
        "table:public.people": 3,
    }
    prices = {account.name: account.price(plan.price) for account in plan.accounts}
    assert prices["table:public.events.at@2024-03"] == plan.price
    assert prices["table:public.people"] == Price(None, 9 * plan.price.rho, plan.price.delta)
    one = planned(f"{text} AND at < '2024-04-01'", known)
    assert {account.name: account.entities for account in one.accounts} == {
        "table:public.events.at@2024-03": 1,
        "table:public.events": 1,
        "table:public.people": 1,
    }


def test_each_analyst_has_windows_too() -> None:
    content = schema().policy.model_dump()
    content["tables"]["public.events"]["per_analyst"] = {"epsilon": "1", "delta": "1e-7"}
    plan = planned(
        "SELECT count(*) FROM events WHERE at > '2024-04-02'", Schema(Policy.model_validate(content), CATALOG)
    )
    assert [account.name for account in plan.accounts] == [
        *(f"table:public.events.at@2024-0{month}" for month in (4, 5)),
        *(f"analyst:ana:public.events.at@2024-0{month}" for month in (4, 5)),
    ]


def test_selected_groups_of_one_unit_stay_hidden_for_several_windows() -> None:
    thresholds = []
    for until in ("2024-03-31", "2024-04-30", "2024-05-31"):
        where = f"at BETWEEN '2024-03-01' AND '{until}'"
        plan = planned(f"SELECT note, count(*) FROM events WHERE {where} GROUP BY note", schema())
        assert plan.selection is not None
        thresholds.append(plan.selection.threshold / plan.selection.resolution)
    assert thresholds[1] - thresholds[0] == thresholds[2] - thresholds[1] == 1


@pytest.mark.parametrize(
    ("key", "counted"),
    [
        ("date_trunc('month', at)", "UnitCount"),
        ("date_trunc('day', at)", "UnitCount"),
        ("at::date", "UnitCount"),
        ("date_trunc('year', at)", "DistinctCount"),
        ("date_trunc('week', at)", "DistinctCount"),
        ("urgent", "DistinctCount"),
    ],
)
def test_units_are_counted_once_however_many_windows_they_have(key: str, counted: str) -> None:
    text = f"SELECT count(DISTINCT person_id) FROM events WHERE at > '2024-02-02' GROUP BY {key}"
    plan = planned(text, schema())
    assert [type(statistic).__name__ for statistic in plan.statistics] == [counted]


@pytest.mark.parametrize(("by_utc", "counted"), [(True, "UnitCount"), (False, "DistinctCount")])
@pytest.mark.parametrize("key", ["date_trunc('month', seen)", "seen::date"])
def test_a_key_by_the_clock_of_utc_tells_the_window_of_a_moment(key: str, by_utc: bool, counted: str) -> None:
    text = f"SELECT count(DISTINCT person_id) FROM events WHERE seen > '2024-02-02' GROUP BY {key}"
    plan = planned(text, schema(of="seen"), Asked(dt.date(2024, 5, 20), by_utc))
    assert [type(statistic).__name__ for statistic in plan.statistics] == [counted]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("SELECT count(*) FROM (SELECT DISTINCT person_id, many FROM events) AS e", "windows-nested"),
        ("SELECT count(*) FROM (SELECT * FROM events LIMIT 5) AS e", "row-clause"),
        ("SELECT sum(more) FROM (SELECT many + 1 AS more, at FROM events) AS e", "windows-nested"),
        ("SELECT count(*) FROM people p LEFT JOIN (SELECT * FROM events) AS e USING (person_id)", "windows-nested"),
        ("SELECT count(*) FROM people p WHERE p.person_id IN (SELECT e.person_id FROM events e WHERE e.person_id = p.person_id)", "windows-nested"),
        ("SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM events e WHERE e.person_id = p.person_id)) FROM people p", "windows-nested"),
        ("SELECT count(*) FROM events e WHERE EXISTS (SELECT FROM events o WHERE o.person_id = e.person_id)", "windows-nested"),
        ("SELECT count(*) FROM people p LEFT JOIN events e USING (person_id)", "windows-nested"),
        ("SELECT count(*) FROM towns t LEFT JOIN events e ON e.code = t.name GROUP BY t.name", "windows-limit"),
        ("SELECT count(*) FROM details", "windows-nested"),
        ("SELECT count(*) FROM details d JOIN events e USING (event_id) JOIN events o USING (person_id)", "windows-join"),
        ("SELECT count(*) FROM events a JOIN events b USING (person_id) WHERE a.at = '2024-02-02' AND b.at = '2024-02-02'", "windows-join"),
        ("SELECT count(*) FROM (SELECT person_id FROM events UNION ALL SELECT person_id FROM events) AS e", "windows-nested"),
        ("SELECT count(DISTINCT person_id) FROM events GROUP BY ROLLUP (date_trunc('month', at))", "grouping-sets"),
        ("SELECT count(*) FROM events WHERE upper(repeat(note, 3)) = 'X' AND at = '2024-02-02'", "windows-limit"),
    ],
)  # fmt: skip
def test_rows_of_several_windows_are_refused(text: str, rule: str) -> None:
    with pytest.raises(DpproxyError) as refusal:
        planned(text, schema())
    assert refusal.value.rule == rule


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("SELECT count(*) FROM (SELECT * FROM events) AS v WHERE v.at > '2024-03-02'", "v.at > '2024-03-02'"),
        ("SELECT count(*) FROM (SELECT e.* FROM events e WHERE urgent OR e.at < '2024-02-01') v WHERE at > '2024-03-02'",
         "v.at > '2024-03-02' AND (v.urgent OR v.at < '2024-02-01')"),
        ("SELECT count(*) FROM (SELECT at, many AS many FROM (SELECT * FROM events WHERE urgent) a) AS v WHERE many = 3",
         "v.urgent AND v.many = 3"),
        ("WITH v AS (SELECT * FROM events WHERE at < '2024-03-02') SELECT count(*) FROM v WHERE urgent",
         "v.at < '2024-03-02' AND v.urgent"),
    ],
)  # fmt: skip
def test_plain_subqueries_are_the_table_itself(text: str, same: str) -> None:
    known = schema()
    lifted, plain = planned(text, known), planned(f"SELECT count(*) FROM events AS v WHERE {same}", known)
    assert lifted.where is not None
    assert plain.where is not None
    assert lifted.where.sql == plain.where.sql
    assert lifted.windows == plain.windows
    assert lifted.relation.sql == plain.relation.sql


def test_plain_subqueries_are_joined_as_the_table_itself() -> None:
    text = "SELECT count(*) FROM (SELECT * FROM events WHERE urgent) e JOIN people p USING (person_id) WHERE p.age > 3"
    assert (
        planned(text, schema()).relation.sql
        == planned(
            "SELECT count(*) FROM events e JOIN people p USING (person_id) WHERE p.age > 3 AND e.urgent", schema()
        ).relation.sql
    )


def test_undeclared_keys_cannot_be_paid_by_units_for_several_windows() -> None:
    known = schema(total={"epsilon": "50", "delta": "1e-6"})
    text = "SELECT note, count(*) FROM events WHERE at >= '2024-03-01' GROUP BY note"
    with pytest.raises(UnsupportedError) as refusal:
        planned(text, known)
    assert refusal.value.rule == "windows-delta"
    assert planned(text.replace(">= '2024-03-01'", "= '2024-03-01'"), known).selection is not None


def test_texts_that_are_equal_and_differ_identify_no_unit_of_a_window() -> None:
    found = CATALOG.tables["public.events"]
    columns = {
        **found.columns,
        "person_id": replace(found.columns["person_id"], type_name="text", type_oid=25, collation=9),
    }
    tables = {**CATALOG.tables, "public.events": replace(found, columns=columns)}
    known = Schema(schema().policy, replace(CATALOG, tables=tables))
    with pytest.raises(UnsupportedError) as refusal:
        planned("SELECT count(*) FROM events", known)
    assert refusal.value.rule == "windows-collation"
    assert planned("SELECT count(*) FROM events WHERE at = '2024-03-01'", known).windows.wide is None


def test_nor_do_those_that_foreign_keys_lead_to() -> None:
    found = CATALOG.tables["public.people"]
    columns = {
        **found.columns,
        "person_id": replace(found.columns["person_id"], type_name="text", type_oid=25, collation=9),
    }
    content = schema().policy.model_dump()
    content["tables"]["public.events"]["unit"] = {"name": "person", "via": "person_id -> public.people.person_id"}
    events = CATALOG.tables["public.events"]
    of_events = {**events.columns, "person_id": columns["person_id"]}
    tables = {
        **CATALOG.tables,
        "public.people": replace(found, columns=columns),
        "public.events": replace(events, columns=of_events),
    }
    known = Schema(Policy.model_validate(content), replace(CATALOG, tables=tables))
    with pytest.raises(UnsupportedError) as refusal:
        planned("SELECT count(*) FROM events", known)
    assert refusal.value.rule == "windows-collation"


def test_what_is_no_query_is_not_paid_by_windows() -> None:
    known = schema()
    with pytest.raises(UnsupportedError) as refusal:
        paying_accounts([known.table("public.events")], known.policy, "ana")
    assert refusal.value.rule == "windows-queries"


@pytest.mark.parametrize("per", ["day", "week", "month", "quarter", "year"])
def test_windows_are_those_of_the_calendar(per: Per) -> None:
    day, last = dt.date(1999, 12, 25), dt.date(2025, 3, 2)
    number = window_of(day, per)
    names = [label(number, per)]
    while day < last:
        day += dt.timedelta(days=1)
        if window_of(day, per) != number:
            assert window_of(day, per) == number + 1
            number += 1
            assert start_of(number, per) == day
            names.append(label(number, per))
            assert Windows(per, number - 1, number - 1).end == day
    assert names == sorted(names)
    assert len(set(names)) == len(names)
    assert (per != "week") or start_of(number, per).weekday() == 0


def test_the_price_of_a_group() -> None:
    price = Price.laplace(Fraction(1, 2))
    assert price.epsilon is not None
    assert price.of_group(3) == Price(3 * price.epsilon, 9 * price.rho, price.delta)
    assert price.of_group(1) == price
    with pytest.raises(ValueError, match="no price for 0"):
        price.of_group(0)
