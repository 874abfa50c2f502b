"""Public rows that an outer join keeps without a private one: aggregates that see them are refused, others answered."""

from __future__ import annotations

import pytest

from proxy.errors import DpproxyError
from proxy.sql.planning.plan import BlockPlan
from tests.planned import plan_of
from tests.plans.schema import SCHEMA

KEPT = "FROM regions r LEFT JOIN visits v ON v.region = r.name GROUP BY r.name"

ANSWERED = [
    "sum(CASE WHEN v.urgent THEN v.cost END)",
    "avg(CASE WHEN v.urgent THEN v.cost ELSE NULL END)",
    "count(CASE WHEN v.note = 'paid' THEN 1 END)",
    "count(CASE v.note WHEN 'paid' THEN r.people END)",
    "count(DISTINCT CASE WHEN v.urgent THEN v.patient_id END)",
    "count(CASE WHEN r.people > 5 THEN v.visit_id END)",
    "sum(CASE WHEN v.urgent THEN 1 ELSE 0 END)",
    "sum(coalesce(v.cost, 0))",
    "sum(least(greatest(v.visit_id, 0), 1000))",
    "sum((v.visit_id IS NOT NULL)::int)",
    "sum(DISTINCT CASE WHEN v.urgent THEN v.minutes ELSE 0 END)",
    "count(*) FILTER (WHERE v.urgent)",
    "count(*) FILTER (WHERE r.people > 5 AND v.visit_id IS NOT NULL)",
    "avg(coalesce(v.cost, 0)) FILTER (WHERE NOT v.urgent)",
    "max(CASE WHEN v.urgent THEN v.cost END)",
    "percentile_cont(0.5) WITHIN GROUP (ORDER BY CASE WHEN v.urgent THEN v.cost END)",
    "corr(CASE WHEN v.urgent THEN v.minutes ELSE 0 END, v.cost)",
    "bool_or(coalesce(v.urgent, false))",
    "bool_and(coalesce(v.urgent, true))",
]

_ADDED = "Add FILTER (WHERE v.visit_id IS NOT NULL), which leaves such rows out, or use JOIN."
REFUSED = {
    "count(*)": ("Write count(v.visit_id), or use JOIN.", "count(v.visit_id)"),
    "count(coalesce(v.cost, 0))": (_ADDED, "count(coalesce(v.cost, 0)) FILTER (WHERE v.visit_id IS NOT NULL)"),
    "avg(coalesce(v.cost, 0))": (_ADDED, "avg(coalesce(v.cost, 0)) FILTER (WHERE v.visit_id IS NOT NULL)"),
    "avg(CASE WHEN v.urgent THEN 1 ELSE 0 END)": (
        _ADDED,
        "avg(CASE WHEN v.urgent THEN 1 ELSE 0 END) FILTER (WHERE v.visit_id IS NOT NULL)",
    ),
    "sum(CASE WHEN v.urgent THEN 0 ELSE 1 END)": (
        _ADDED,
        "sum(CASE WHEN v.urgent THEN 0 ELSE 1 END) FILTER (WHERE v.visit_id IS NOT NULL)",
    ),
    "sum(coalesce(v.minutes, 1))": (_ADDED, "sum(coalesce(v.minutes, 1)) FILTER (WHERE v.visit_id IS NOT NULL)"),
    "count(CASE WHEN v.urgent IS NULL THEN 1 END)": (
        _ADDED,
        "count(CASE WHEN v.urgent IS NULL THEN 1 END) FILTER (WHERE v.visit_id IS NOT NULL)",
    ),
    "max(coalesce(v.cost, 0))": (_ADDED, "max(coalesce(v.cost, 0)) FILTER (WHERE v.visit_id IS NOT NULL)"),
    "variance(coalesce(v.cost, 0))": (_ADDED, "variance(coalesce(v.cost, 0)) FILTER (WHERE v.visit_id IS NOT NULL)"),
    "bool_or(coalesce(v.urgent, true))": (
        _ADDED,
        "bool_or(coalesce(v.urgent, true)) FILTER (WHERE v.visit_id IS NOT NULL)",
    ),
    "bool_and(coalesce(v.urgent, false))": (
        _ADDED,
        "bool_and(coalesce(v.urgent, false)) FILTER (WHERE v.visit_id IS NOT NULL)",
    ),
    "count(*) FILTER (WHERE r.people > 5 OR v.urgent)": (
        "Write its FILTER as (WHERE (…) AND v.visit_id IS NOT NULL), which leaves such rows out, or use JOIN.",
        "count(*) FILTER (WHERE (r.people > 5 OR v.urgent) AND v.visit_id IS NOT NULL)",
    ),
}


def _plan(aggregates: str, kept: str = KEPT) -> BlockPlan:
    return plan_of(f"SELECT r.name, {aggregates} {kept}", SCHEMA)


@pytest.mark.parametrize("aggregate", ANSWERED)
def test_an_aggregate_that_sees_nothing_of_kept_rows_is_answered_for_each_public_row(aggregate: str) -> None:
    assert _plan(aggregate).keeps_empty


@pytest.mark.parametrize(("aggregate", "hint", "mended"), [(key, *said) for key, said in REFUSED.items()])
def test_an_aggregate_that_would_count_kept_rows_is_refused_with_a_hint_that_is_planned(
    aggregate: str, hint: str, mended: str
) -> None:
    with pytest.raises(DpproxyError) as refusal:
        _plan(aggregate)
    found = refusal.value
    assert (found.rule, found.sqlstate, found.hint) == ("outer-join-rows", "0A000", hint)
    assert str(found).startswith("this aggregate would count public rows without a matching private row")
    assert _plan(mended).keeps_empty


def test_the_hint_names_a_column_as_it_has_to_be_written() -> None:
    kept = (
        'FROM regions r LEFT JOIN (SELECT note, region, visit_id AS "The id" FROM visits) AS "V" ON "V".region = r.name '
        "GROUP BY r.name"
    )
    with pytest.raises(DpproxyError) as refusal:
        _plan("count(*)", kept)
    assert refusal.value.hint == 'Write count("V"."The id"), or use JOIN.'
    assert _plan('count("V"."The id")', kept).keeps_empty


def test_where_that_excludes_rows_without_a_private_one_leaves_none_to_count() -> None:
    kept = KEPT.replace("GROUP", "WHERE coalesce(v.urgent, false) GROUP")
    assert not _plan("count(*), avg(coalesce(v.cost, 0))", kept).keeps_empty


def test_a_sum_of_zeros_is_not_null_where_no_row_is_counted_and_any_other_sum_is() -> None:
    plan = _plan("count(v.visit_id), sum(v.minutes), sum(coalesce(v.minutes, 0))")
    assert [aggregate.zeros for aggregate in plan.aggregates] == [(), (), (2,)]
    plan = _plan("sum(coalesce(v.minutes, 0)) FILTER (WHERE v.urgent)")
    assert [aggregate.zeros for aggregate in plan.aggregates] == [()]
    plan = _plan("count(*), sum(coalesce(v.minutes, 0))", KEPT.replace("LEFT ", ""))
    assert [aggregate.zeros for aggregate in plan.aggregates] == [(), ()]
    plan = _plan("count(*), sum(coalesce(v.minutes, 0))", KEPT.replace("GROUP", "WHERE v.urgent GROUP"))
    assert [aggregate.zeros for aggregate in plan.aggregates] == [(), ()]


SUBQUERY = "(SELECT r.name, v.visit_id AS id, v.cost FROM regions r LEFT JOIN visits v ON v.region = r.name) AS t"


@pytest.mark.parametrize(
    "text",
    [
        f"SELECT name, count(id), sum(coalesce(cost, 0)) FROM {SUBQUERY} GROUP BY 1",
        f"SELECT name, count(q.id) FROM (SELECT * FROM {SUBQUERY} WHERE name <> 'n') AS q GROUP BY name",
        f"WITH q AS (SELECT name AS n, id FROM {SUBQUERY}) SELECT n, count(id) FROM q GROUP BY n",
        f"SELECT zone, count(id) FROM {SUBQUERY} JOIN (SELECT name AS n, zone FROM regions) AS z ON n = name GROUP BY zone",
        f"SELECT name, count(id) FROM {SUBQUERY} LEFT JOIN prices ON code = name GROUP BY name",
        "SELECT j.name, count(*) FILTER (WHERE j.cost > 5) FROM (regions LEFT JOIN visits ON region = name) AS j GROUP BY 1",
    ],
)
def test_public_rows_kept_in_a_subquery_that_only_projects_are_groups(text: str) -> None:
    assert plan_of(text, SCHEMA).keeps_empty


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (
            f"SELECT name, count(*) FROM {SUBQUERY} GROUP BY 1",
            "Write count(column), or FILTER (WHERE column IS NOT NULL)",
        ),
        (
            f"SELECT name, avg(coalesce(cost, 0)) FROM {SUBQUERY} GROUP BY 1",
            "Write count(column), or FILTER (WHERE column",
        ),
        (f"SELECT count(*) FROM (SELECT DISTINCT name, id FROM {SUBQUERY}) AS q", "Aggregate in the same SELECT"),
        (
            f"SELECT count(id) FROM (SELECT id, row_number() OVER (PARTITION BY name) AS n FROM {SUBQUERY}) AS q WHERE n < 3",
            "Aggregate in the same SELECT",
        ),
    ],
)
def test_public_rows_of_a_subquery_count_no_more_than_those_of_the_join(text: str, hint: str) -> None:
    with pytest.raises(DpproxyError) as refusal:
        plan_of(text, SCHEMA)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("outer-join-rows", "0A000")
    assert (refusal.value.hint or "").startswith(hint)
