"""WHERE, FILTER and ON narrow the bounds of what is summed, and only where all its rows meet them."""

from __future__ import annotations

import pytest

from proxy.errors import RefusedError
from proxy.policy.catalog import Catalog
from proxy.sql.planning.choices import QuantileChoice
from proxy.sql.planning.statistic import GridSum
from tests.sql.test_planning import catalog, plan

__all__ = ["catalog"]

OF_VISITS = "SELECT sum({}) FROM visits AS v WHERE {}"
JOINED = "SELECT sum(minutes) FROM visits v {} patients p ON p.patient_id = v.patient_id AND {}"
WHOLE = (0, 240)
"""The policy's bounds of minutes."""

SINCE_2024 = "visited_at::date - date '2024-01-01'"
YEARS = (0, 731)
"""Days of the policy's bounds of visited_at since 2024-01-01."""

PER_UNIT = "SELECT sum(s) FROM (SELECT patient_id, {} AS s FROM visits WHERE {} GROUP BY patient_id) AS x"
MOST_ROWS = 20

NARROWED: dict[str, tuple[str, tuple[float, float]]] = {
    "between": (OF_VISITS.format("minutes", "minutes BETWEEN 10 AND 60"), (10, 60)),
    "between symmetric": (OF_VISITS.format("minutes", "minutes BETWEEN SYMMETRIC 60 AND 10"), (10, 60)),
    "whole numbers below": (OF_VISITS.format("minutes", "minutes < 60"), (0, 59)),
    "whole numbers above": (OF_VISITS.format("minutes", "minutes > 9.5"), (10, 240)),
    "fractions below": (OF_VISITS.format("cost", "cost < 60"), (0, 59.99)),
    "at most": (OF_VISITS.format("minutes", "minutes <= 60"), (0, 60)),
    "at least": (OF_VISITS.format("minutes", "minutes >= 60"), (60, 240)),
    "mirrored": (OF_VISITS.format("minutes", "60 > minutes AND 10 <= minutes"), (10, 59)),
    "equal": (OF_VISITS.format("minutes", "30 = minutes"), (30, 30)),
    "in a list": (OF_VISITS.format("minutes", "minutes IN (30, 20, 25)"), (20, 30)),
    "any of an array": (OF_VISITS.format("minutes", "minutes = ANY (ARRAY[30, 20])"), (20, 30)),
    "negated": (OF_VISITS.format("minutes", "NOT (urgent OR minutes > 60)"), (0, 60)),
    "in all branches of OR": (
        OF_VISITS.format("minutes", "(minutes < 60 AND urgent) OR (minutes < 60 AND cost > 5)"),
        (0, 59),
    ),
    "either of two": (OF_VISITS.format("minutes", "minutes < 60 OR minutes BETWEEN 90 AND 100"), (0, 100)),
    "neither of two": (OF_VISITS.format("minutes", "NOT (minutes < 60 AND minutes < 90)"), (60, 240)),
    "inside the argument": (OF_VISITS.format("minutes * 2 + 1", "minutes < 60"), (1, 119)),
    "an expression": (OF_VISITS.format("abs(minutes - 60)", "minutes - 60 BETWEEN -5 AND 10"), (0, 10)),
    "named by its table": (OF_VISITS.format("minutes", "v.minutes < 60"), (0, 59)),
    "no bounds in the policy": (OF_VISITS.format("visit_id", "visit_id BETWEEN 5 AND 100"), (5, 100)),
    "two conditions": (OF_VISITS.format("visit_id", "visit_id > 5 AND urgent AND visit_id <= 100"), (6, 100)),
    "outside of the policy's": (OF_VISITS.format("minutes", "minutes BETWEEN -5 AND 300"), WHOLE),
    "filter": ("SELECT sum(minutes) FILTER (WHERE minutes < 60) FROM visits WHERE minutes > 5", (6, 59)),
    "inner join": (JOINED.format("JOIN", "minutes < 60"), (0, 59)),
    "an inner join above an outer one": (
        "SELECT sum(minutes) FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id "
        "JOIN patients q ON q.patient_id = p.patient_id AND v.minutes < 60",
        (0, 59),
    ),
    "subquery": ("SELECT sum(m) FROM (SELECT minutes AS m FROM visits WHERE minutes < 60) AS x WHERE m > 5", (6, 59)),
    "both sides of UNION ALL": (
        "SELECT sum(m) FROM (SELECT minutes AS m FROM visits WHERE minutes < 5 "
        "UNION ALL SELECT minutes FROM visits WHERE minutes BETWEEN 8 AND 60) AS x",
        (0, 60),
    ),
    "one unit's rows": (PER_UNIT.format("sum(minutes)", "minutes < 60"), (0, MOST_ROWS * 59)),
    "one unit's rows by filter": (
        PER_UNIT.format("sum(minutes) FILTER (WHERE minutes < 60)", "urgent"),
        (0, MOST_ROWS * 59),
    ),
    "dates between": (
        OF_VISITS.format(SINCE_2024, "visited_at BETWEEN '2024-03-01' AND timestamp '2024-03-31 12:00'"),
        (60, 90),
    ),
    "dates below": (OF_VISITS.format(SINCE_2024, "visited_at < date '2024-03-01'"), (0, 59)),
    "dates above": (OF_VISITS.format(SINCE_2024, "timestamp '2025-01-01' <= visited_at"), (366, 731)),
    "a day": (OF_VISITS.format(SINCE_2024, "visited_at::date = '2024-01-31'"), (30, 30)),
    "days in a list": (OF_VISITS.format(SINCE_2024, "visited_at::date IN ('2024-01-31', '2024-01-02')"), (1, 30)),
    "a moment without zone, two days wider": (
        OF_VISITS.format(SINCE_2024, "visited_at < timestamptz '2024-03-01' AND visited_at > timestamptz '2024-02-01'"),
        (29, 61),
    ),
    "seconds": (
        OF_VISITS.format("extract(epoch from visited_at - timestamp '2024-01-01')", "visited_at < '2024-01-02'"),
        (0, 86400 - 1e-6),
    ),
    "dates of a filter": (f"SELECT sum({SINCE_2024}) FILTER (WHERE visited_at < '2024-01-11') FROM visits", (0, 9)),
    "dates of a subquery": (
        "SELECT sum(v - date '2024-01-01') FROM (SELECT visited_at::date AS v FROM visits WHERE "
        "visited_at < '2024-01-11') AS x WHERE v >= '2024-01-03'",
        (2, 9),
    ),
    "branches of CASE": (
        OF_VISITS.format("CASE WHEN minutes < 60 THEN minutes * 2 ELSE minutes - 60 END", "minutes < 100"),
        (0, 118),
    ),
    "dates in branches of CASE": (
        OF_VISITS.format(f"CASE WHEN visited_at < '2024-01-11' THEN {SINCE_2024} ELSE 3 END", "urgent"),
        (0, 9),
    ),
    "an optional subquery": (
        "SELECT sum(m) FROM patients p LEFT JOIN (SELECT patient_id, coalesce(minutes, 7) AS m FROM visits "
        "WHERE coalesce(minutes, 7) < 60) AS x ON x.patient_id = p.patient_id",
        (0, 59),
    ),
}

NOT_NARROWED: dict[str, tuple[str, tuple[float, float]]] = {
    "one branch of OR": (OF_VISITS.format("minutes", "minutes < 60 OR urgent"), WHOLE),
    "one side of OR": (OF_VISITS.format("minutes", "minutes < 60 OR minutes > 90"), WHOLE),
    "not equal": (OF_VISITS.format("minutes", "minutes <> 60"), WHOLE),
    "not in a list": (OF_VISITS.format("minutes", "minutes NOT IN (1, 2)"), WHOLE),
    "not between": (OF_VISITS.format("minutes", "minutes NOT BETWEEN 1 AND 2"), WHOLE),
    "is distinct": (OF_VISITS.format("minutes", "minutes IS DISTINCT FROM 5"), WHOLE),
    "a list with a column": (OF_VISITS.format("minutes", "minutes IN (1, specialty_id)"), WHOLE),
    "a column": (OF_VISITS.format("minutes", "minutes < cost"), WHOLE),
    "no row can meet it": (OF_VISITS.format("minutes", "minutes > 300"), WHOLE),
    "another expression": (OF_VISITS.format("minutes", "minutes + 1 < 60"), WHOLE),
    "rows": (OF_VISITS.format("minutes", "(minutes, cost) < (60, 5)"), WHOLE),
    "left join": (JOINED.format("LEFT JOIN", "minutes < 60"), WHOLE),
    "an inner join under an outer one": (
        "SELECT sum(coalesce(minutes, 200)) FROM visits v JOIN patients p ON p.patient_id = v.patient_id "
        "AND coalesce(minutes, 200) < 60 RIGHT JOIN patients q ON q.patient_id = p.patient_id",
        WHOLE,
    ),
    "dates in one branch of OR": (OF_VISITS.format(SINCE_2024, "visited_at < '2024-03-01' OR urgent"), YEARS),
    "not that day": (OF_VISITS.format(SINCE_2024, "visited_at::date <> '2024-03-01'"), YEARS),
    "no row after the end of time": (OF_VISITS.format(SINCE_2024, "visited_at > 'infinity'"), YEARS),
    "dates of another spelling": (OF_VISITS.format(SINCE_2024, "visited_at < '1 March 2024'"), YEARS),
    "a branch of CASE that may be NULL": (
        OF_VISITS.format("CASE WHEN minutes BETWEEN 0 AND 60 THEN 1 ELSE minutes END", "urgent"),
        WHOLE,
    ),
    "another subquery": (
        OF_VISITS.format(
            "minutes", "EXISTS (SELECT FROM visits w WHERE w.patient_id = v.patient_id AND w.minutes < 60)"
        ),
        WHOLE,
    ),
    "another filter": ("SELECT sum(minutes), count(*) FILTER (WHERE minutes < 60) FROM visits", WHOLE),
    "HAVING of one unit's rows": (
        "SELECT sum(s) FROM (SELECT patient_id, max(minutes) AS s FROM visits GROUP BY patient_id "
        "HAVING min(minutes) < 60) AS x",
        WHOLE,
    ),
    "HAVING": ("SELECT sum(minutes) FROM visits GROUP BY region HAVING sum(minutes) < 60", WHOLE),
    "one side of UNION ALL": (
        "SELECT sum(m) FROM (SELECT minutes AS m FROM visits WHERE minutes < 5 "
        "UNION ALL SELECT minutes FROM visits) AS x",
        WHOLE,
    ),
}


@pytest.mark.parametrize(
    ("text", "limits"),
    [*NARROWED.values(), *NOT_NARROWED.values()],
    ids=[*NARROWED.keys(), *(f"not by {name}" for name in NOT_NARROWED)],
)
def test_a_sum_has_the_bounds_that_conditions_leave(text: str, limits: tuple[float, float], catalog: Catalog) -> None:
    (total,) = [one for one in plan(text, catalog).statistics if isinstance(one, GridSum)]
    assert (float(total.grid.low * total.grid.step), float(total.grid.high * total.grid.step)) == limits


@pytest.mark.parametrize(
    "condition", ["visit_id < 60", "visit_id < 60 OR visit_id BETWEEN 70 AND 80", "visit_id IS NOT NULL", "urgent"]
)
def test_a_condition_that_leaves_one_side_open_gives_no_bounds(condition: str, catalog: Catalog) -> None:
    with pytest.raises(RefusedError) as refusal:
        plan(f"SELECT avg(visit_id) FROM visits WHERE {condition}", catalog)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("bounds", "42501")


def test_sums_under_different_filters_have_bounds_of_their_own(catalog: Catalog) -> None:
    text = "SELECT avg(minutes), avg(minutes) FILTER (WHERE minutes < 60), sum(minutes) FILTER (WHERE cost < 5) FROM visits"
    sums = [one for one in plan(text, catalog).statistics if isinstance(one, GridSum)]
    assert [(one.grid.low, one.grid.high) for one in sums] == [(0, 240), (0, 59), (0, 240)]


@pytest.mark.parametrize(
    ("call", "count"),
    [("max(minutes)", 60), ("percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes)", 60), ("min(minutes * 2)", 119)],
)
def test_a_value_is_chosen_from_those_that_conditions_leave(call: str, count: int, catalog: Catalog) -> None:
    for text in (
        f"SELECT {call} FROM visits WHERE minutes < 60",
        f"SELECT {call} FILTER (WHERE minutes < 60) FROM visits",
    ):
        (choice,) = plan(text, catalog).choices
        assert isinstance(choice, QuantileChoice)
        assert choice.buckets.count == count


def test_filter_narrows_the_dates_that_an_extreme_is_chosen_from(catalog: Catalog) -> None:
    condition = "visited_at >= timestamp '2025-07-01'"
    texts = [
        f"SELECT min(visited_at) FROM visits WHERE {condition}",
        f"SELECT min(visited_at) FILTER (WHERE {condition}) FROM visits",
    ]
    by_where, by_filter = (plan(text, catalog).choices[0] for text in texts)
    assert isinstance(by_where, QuantileChoice)
    assert isinstance(by_filter, QuantileChoice)
    assert by_filter.buckets == by_where.buckets
