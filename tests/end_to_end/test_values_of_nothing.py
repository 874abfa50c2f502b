"""What a correlated subquery computes from aggregates is Postgres's own, also for keys without rows, and of its types."""

from __future__ import annotations

import pytest

from tests.end_to_end.comparing import Connections, assert_same_answer
from tests.end_to_end.running import RunningProxy

OF_VISITS = {
    "extract": ("extract(epoch FROM max(seen_at) - min(seen_at))", "> 30 * 86400"),
    "a year": ("extract(year FROM max(visited_at))", "= 2025"),
    "date_part": ("date_part('month', min(visited_at))", "< 3"),
    "date_trunc": ("date_trunc('month', min(seen_at))", "= '2024-02-01'"),
    "to_char": ("to_char(min(visited_at), 'YYYY-MM')", "= '2024-02'"),
    "age": ("age(max(visited_at), min(visited_at))", "> interval '12 months'"),
    "age, if any": ("coalesce(age(max(visited_at), min(visited_at)), interval '0')", "< interval '23 months'"),
    "a text, if any": ("coalesce(to_char(min(visited_at), 'YYYY-MM'), 'none')", "= 'none'"),
    "a text of some": ("CASE WHEN count(*) > 3 THEN to_char(max(visited_at), 'YYYY') ELSE 'few' END", "= 'few'"),
    "whole numbers": ("coalesce(sum(minutes), 7) / 2", "= 3"),
    "a greatest number": ("coalesce(max(cost), 7) / 2", "= 3.5"),
    "counts and sums": ("count(*) + coalesce(sum(minutes), 0)", "< 300"),
    "a count of some": ("greatest(count(*) FILTER (WHERE urgent), 3)", "> 3"),
    "one thing twice": ("coalesce(max(cost) - min(cost), 0) + coalesce(max(cost), 0)", "> 900"),
}


@pytest.mark.parametrize(("value", "compared"), OF_VISITS.values(), ids=OF_VISITS)
def test_scalar_subqueries_of_units(value: str, compared: str, connections: Connections) -> None:
    inner = f"(SELECT {value} FROM visits v WHERE v.patient_id = p.patient_id)"
    assert_same_answer(f"SELECT count(*) FROM patients p WHERE {inner} {compared}", connections)
    assert_same_answer(
        f"SELECT sex, count(*) FROM (SELECT sex, {inner} AS x FROM patients p) t WHERE x {compared} GROUP BY sex",
        connections,
    )


@pytest.mark.parametrize(("value", "compared"), OF_VISITS.values(), ids=OF_VISITS)
def test_lateral_subqueries_of_units(value: str, compared: str, connections: Connections) -> None:
    inner = f"LATERAL (SELECT {value} AS x FROM visits v WHERE v.patient_id = p.patient_id) t"
    assert_same_answer(f"SELECT count(*) FROM patients p, {inner} WHERE t.x {compared}", connections)


@pytest.mark.parametrize(
    "value",
    [
        "extract(year FROM max(registered))",
        "coalesce(extract(year FROM max(registered)), 0)",
        "to_char(min(registered), 'YYYY-MM')",
        "coalesce(sum(birth_year), 7) / 2",
        "count(*) * 2",
    ],
)
def test_released_subqueries(value: str, connections: Connections) -> None:
    inner = f"SELECT {value} AS x FROM patients p WHERE p.region = r.name"
    assert_same_answer(f"SELECT r.name, ({inner}) FROM regions r", connections)
    assert_same_answer(f"SELECT r.name, t.x FROM regions r CROSS JOIN LATERAL ({inner}) t", connections)


def test_beside_groups(connections: Connections) -> None:
    inner = "SELECT coalesce(sum(birth_year), 7) / 2 FROM patients p WHERE p.region = v.region"
    assert_same_answer(f"SELECT v.region, ({inner}), count(*) FROM visits v GROUP BY v.region", connections)


def test_division_by_the_count_of_no_rows_is_null(exact_proxy: RunningProxy) -> None:
    inner = "(SELECT count(*) * 1.0 / count(DISTINCT region) FROM visits v WHERE v.patient_id = p.patient_id)"
    with exact_proxy.connect() as client:
        rows = client.execute(f"SELECT count(*), count({inner}) FROM patients p WHERE {inner} > 1".encode()).fetchall()
        inner = "(SELECT count(*) * 1.0 / count(DISTINCT sex) FROM patients p WHERE p.region = r.name)"
        released = client.execute(f"SELECT {inner} FROM regions r ORDER BY name".encode()).fetchall()
    assert rows == [(1029, 1029)]
    assert [value for (value,) in released] == [200, 200, None, 200, 200]


def test_an_interval_that_constants_make_null(connections: Connections) -> None:
    null = "age(NULL::timestamp, NULL::timestamp)"
    assert_same_answer(f"SELECT count(*) FROM visits WHERE seen_at - now() > {null}", connections)
    assert_same_answer(f"SELECT count(*) FROM visits WHERE coalesce({null}, '1 day') > interval '2 hours'", connections)
