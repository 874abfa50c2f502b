"""Public tables without keys: what a plan needs to know of their equal rows, and what it makes of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proxy.errors import UnsupportedError
from proxy.policy.catalog import Catalog
from proxy.policy.model import Policy
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.repeats import Repeats, UncountedError, counting
from proxy.sql.schema import Schema
from tests.planned import plan_of
from tests.plans.schema import CATALOG, POLICY

ROWS = 30_000
OTHERS = {"values": ["a"], "others": "else"}


def schema(rows: int = ROWS, policy: Policy = POLICY, repeats: Repeats | None = None) -> Schema:
    """The clinic, whose prices and regions have no keys any more."""
    tables = dict(CATALOG.tables)
    for name in ("public.prices", "public.regions", "public.holidays"):
        tables[name] = replace(tables[name], primary_key=(), unique_keys=frozenset(), row_count=rows)
    return Schema(policy, Catalog(tables), repeats)


def planned(text: str, counted: dict[str, int | None], rows: int = ROWS) -> tuple[BlockPlan, list[str]]:
    """The plan, with what it asked for in order. `counted` has a number for each such text."""
    repeats, asked = Repeats(), list[str]()
    known = schema(rows, repeats=repeats)
    while True:
        try:
            return plan_of(text, known), asked
        except UncountedError as error:
            asked.append(str(error))
            repeats.note(error.table, error.columns, counted[str(error)])


@pytest.mark.parametrize(
    ("from_", "asked"),
    [
        ("visits v JOIN prices p ON p.code = v.diagnosis", ["public.prices (code)"]),
        ("visits v LEFT JOIN prices p ON p.code = v.diagnosis", ["public.prices (code)"]),
        ("visits v, prices p WHERE p.code = v.diagnosis AND p.since = v.day", ["public.prices (code, since)"]),
        ("visits v JOIN prices p ON p.since = v.visited_at::date", ["public.prices (since)"]),
        (
            "visits v JOIN (SELECT code AS c, p.* FROM prices p WHERE amount > 3) p ON p.c = v.diagnosis AND p.since = v.day",
            ["public.prices (code, since)"],
        ),
        (
            "visits v JOIN (SELECT s FROM (SELECT since AS s FROM prices) q) p ON p.s = v.day",
            ["public.prices (since)"],
        ),
        (
            "visits v JOIN prices p ON p.since = v.visited_at::date AND p.code = v.diagnosis",
            ["public.prices (code, since)"],
        ),
    ],
)
def test_a_row_meets_as_many_public_rows_as_are_equal_in_the_joined_columns(from_: str, asked: list[str]) -> None:
    plan, found = planned(f"SELECT count(*) FROM {from_}", dict.fromkeys(asked, 3))
    assert (found, plan.relation.here.rows) == (asked, 3)


@pytest.mark.parametrize(("equal", "limited"), [(100, False), (101, True)])
def test_all_rows_of_a_unit_take_part_where_each_meets_few(equal: int, limited: bool) -> None:
    query = "SELECT count(*) FROM visits v JOIN prices p ON p.since = v.day"
    plan, _ = planned(query, {"public.prices (since)": equal})
    assert bool(plan.relation.own_cuts) == limited


def test_where_it_matters_only_whether_rows_are_equal_nothing_is_counted() -> None:
    plan, asked = planned("SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM prices p WHERE p.since = v.day)", {})
    assert (asked, plan.relation.here.rows) == ([], 1)


def test_what_is_joined_by_several_members_counts_by_the_best_of_them_alone() -> None:
    """The source may meet either of them first."""
    counted = {"public.prices (code)": 40, "public.prices (since)": 7}
    query = "SELECT count(*) FROM visits v JOIN patients q USING (patient_id) JOIN prices p ON p.code = v.diagnosis AND p.since = q.born"
    plan, asked = planned(query, dict(counted))
    assert sorted(asked) == sorted(counted)
    assert plan.relation.here.rows == 7


def test_several_tables_without_keys_multiply() -> None:
    counted: dict[str, int | None] = {"public.prices (code)": 2, "public.holidays (day)": 5}
    query = "SELECT count(*) FROM visits v JOIN prices p ON p.code = v.diagnosis LEFT JOIN holidays h ON h.day = v.day"
    plan, _ = planned(query, counted)
    assert plan.relation.here.rows == 2 * 5


def test_many_equal_rows_are_refused_as_before() -> None:
    with pytest.raises(UnsupportedError) as refusal:
        planned("SELECT count(*) FROM visits v JOIN prices p ON p.since = v.day", {"public.prices (since)": 10_001})
    assert refusal.value.rule == "multiplying-joins"


@pytest.mark.parametrize(
    ("from_", "rows", "repeats"),
    [
        ("visits v JOIN prices p ON p.code = v.diagnosis", 500_001, Repeats()),
        ("visits v JOIN prices p ON p.code = v.diagnosis", ROWS, None),
        ("visits v JOIN prices p ON p.code > v.diagnosis", ROWS, Repeats()),
        ("visits v JOIN prices p ON p.amount = v.minutes", ROWS, Repeats()),
        ("visits v JOIN prices p ON p.since = v.visited_at", ROWS, Repeats()),
        ("visits v JOIN (SELECT p.since FROM prices p, prices q) p ON p.since = v.day", ROWS, Repeats()),
        (
            "visits v JOIN patients q USING (patient_id) JOIN prices p ON p.since = greatest(v.day, q.born)",
            ROWS,
            Repeats(),
        ),
        ("visits v JOIN (SELECT since + 1 AS since FROM prices) p ON p.since = v.day", ROWS, Repeats()),
    ],
    ids=[
        "too large to count",
        "nobody counts",
        "not by equality",
        "of other types",
        "which no hash compares",
        "of a join",
        "by what two members give",
        "computed",
    ],
)
def test_all_rows_count_where_equal_ones_are_unknown(from_: str, rows: int, repeats: Repeats | None) -> None:
    with pytest.raises(UnsupportedError) as refusal:
        plan_of(f"SELECT count(*) FROM {from_}", schema(rows, repeats=repeats))
    assert refusal.value.rule == "multiplying-joins"


def test_all_rows_count_where_the_stage_has_none() -> None:
    plan, _ = planned(
        "SELECT count(*) FROM visits v JOIN prices p ON p.code = v.diagnosis", {"public.prices (code)": None}, 90
    )
    assert plan.relation.here.rows == 90


def test_values_with_one_name_for_all_others_are_not_counted_apart() -> None:
    tables = dict(POLICY.model_dump(mode="json", exclude_unset=True)["tables"])
    tables["public.prices"] = {"public": True, "columns": {"code": OTHERS, "amount": {}}}
    policy = Policy.model_validate({**POLICY.model_dump(mode="json", exclude_unset=True), "tables": tables})
    known = schema(50, policy, Repeats())
    assert (
        plan_of("SELECT count(*) FROM visits v JOIN prices p ON p.code = v.diagnosis", known).relation.here.rows == 50
    )


def test_the_stage_counts_rows_that_are_equal_in_all_columns_and_not_null() -> None:
    assert counting(schema().table("public.prices"), frozenset({"since", "code"})) == (
        'SELECT max(n) FROM (SELECT count(*) AS n FROM "public"."prices" WHERE "code" IS NOT NULL AND "since" IS NOT NULL '
        'GROUP BY "code", "since") AS equal'
    )


def test_a_statement_counts_twenty_times_at_most() -> None:
    """More of it would keep a planning process from others' statements."""
    repeats, table = Repeats(), schema(3).table("public.prices")
    for number in range(20):
        with pytest.raises(UncountedError):
            repeats.most(table, frozenset({f"c{number}"}))
        repeats.note(table, frozenset({f"c{number}"}), 1)
    assert repeats.most(table, frozenset({"code"})) == 3
    assert repeats.most(table, frozenset({"c7"})) == 1
    repeats.begin()
    with pytest.raises(UncountedError):
        repeats.most(table, frozenset({"code"}))
