"""Each registered aggregate, by the table of `aggregates`: its answer, its interval, what EXPLAIN says of it."""

from __future__ import annotations

import math
import re
from decimal import Decimal

import psycopg
import pytest

from proxy.sql.planning.aggregates.registry import FUNCTIONS
from tests.end_to_end.aggregates import CASES, Case
from tests.end_to_end.comparing import Connections, assert_same_answer

GROUPS = {
    "of all rows": "SELECT {call}, count(*) FROM visits",
    "of groups, of which one is empty": "SELECT region, {call}, count(*) FROM visits GROUP BY region ORDER BY region",
    "with FILTER": "SELECT {call} FILTER (WHERE urgent), count(*) FROM visits",
}
NOTHING = {
    "over no rows": "SELECT {call}, count(*) FROM visits WHERE minutes < -5",
    "over rows of NULL": "SELECT {call}, count(minutes), count(minutes < 50) FROM visits WHERE minutes IS NULL AND cost IS NULL",
}

of_each = pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())


def test_each_aggregate_has_a_case() -> None:
    assert sorted(CASES) == sorted(name for function in FUNCTIONS for name in function.names)
    assert all(case.call.startswith(f"{name}(") for name, case in CASES.items())


@of_each
@pytest.mark.parametrize("frame", GROUPS.values(), ids=GROUPS.keys())
def test_a_huge_epsilon_gives_postgres_own_answer(frame: str, case: Case, connections: Connections) -> None:
    client, source = connections
    query, expected = (frame.format(call=call).encode() for call in (case.call, case.on_the_source))
    rows, wanted = client.execute(query).fetchall(), source.execute(expected).fetchall()
    assert len(rows) == len(wanted)
    for row, other in zip(rows, wanted, strict=True):
        assert all(map(is_same, row, other)), (row, other)


@of_each
@pytest.mark.parametrize("frame", NOTHING.values(), ids=NOTHING.keys())
def test_nothing_is_what_postgres_has_or_the_case_says(frame: str, case: Case, connections: Connections) -> None:
    client, source = connections
    query, expected = (frame.format(call=call).encode() for call in (case.call, case.on_the_source))
    ((value, *_),), ((wanted, *_),) = client.execute(query).fetchall(), source.execute(expected).fetchall()
    assert value == (wanted if case.over_nothing is None else case.over_nothing)


@pytest.mark.parametrize("case", [case for case in CASES.values() if case.without_interval is None])
def test_nothing_of_the_row_around_is_what_postgres_has(case: Case, connections: Connections) -> None:
    query = "SELECT r.name, (SELECT {} FROM visits v WHERE v.region = r.name) + 0 IS NULL FROM regions r"
    assert_same_answer(query.format(case.call), connections, query.format(case.on_the_source))


@of_each
def test_its_interval_holds_it_or_it_is_said_why_there_is_none(case: Case, connections: Connections) -> None:
    client, _ = connections
    ends = f"SELECT dp.low({case.call}), {case.call}, dp.high({case.call}), dp.stddev({case.call}) FROM visits".encode()
    if case.without_interval is not None:
        with pytest.raises(psycopg.Error, match=re.escape(case.without_interval)):
            client.execute(ends)
        return
    ((low, value, high, deviation),) = client.execute(ends).fetchall()
    assert is_same(low, value)
    assert is_same(high, value)
    assert 0 <= deviation < 1e-6 * max(1, abs(float(value)))


@of_each
def test_explain_says_what_it_is_made_of(case: Case, connections: Connections) -> None:
    client, _ = connections
    lines = [line.strip() for (line,) in client.execute(f"EXPLAIN SELECT {case.call} FROM visits".encode()).fetchall()]
    (own,) = [line for line in lines if line.startswith(f"{case.call}: ")]
    said = own.removeprefix(f"{case.call}: ")
    assert said.startswith(case.explained) if case.explained.endswith(" ") else said == case.explained


NAMES_OF_TOOLS = {
    "units": (
        "SELECT approx_count_distinct(patient_id) FROM visits WHERE urgent",
        "SELECT count(DISTINCT patient_id) FROM visits WHERE urgent",
    ),
    "combinations": (
        "SELECT approx_count_distinct((region, urgent)) FROM visits",
        "SELECT count(DISTINCT (region, urgent)) FROM visits",
    ),
    "public tables": (
        "SELECT median(population), approx_count_distinct(zone) FROM regions",
        "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY population), count(DISTINCT zone) FROM regions",
    ),
    "released results": (
        "SELECT median(n), approx_count_distinct(n > 9) FROM (SELECT region, count(*) AS n FROM visits GROUP BY 1) AS g",
        "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY n), count(DISTINCT n > 9) "
        "FROM (SELECT region, count(*) AS n FROM visits GROUP BY 1) AS g",
    ),
    "public tables among the rows": (
        "SELECT count(*) FROM visits v JOIN regions r ON r.name = v.region "
        "WHERE population >= (SELECT median(population) FROM regions)",
        "SELECT count(*) FROM visits v JOIN regions r ON r.name = v.region "
        "WHERE population >= (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY population) FROM regions)",
    ),
}


@pytest.mark.parametrize(("query", "meant"), NAMES_OF_TOOLS.values(), ids=NAMES_OF_TOOLS.keys())
def test_the_names_that_tools_write_mean_postgres_own(query: str, meant: str, connections: Connections) -> None:
    assert_same_answer(query, connections, meant)


def test_the_names_that_tools_write_give_columns_of_these_names_and_the_meant_types(connections: Connections) -> None:
    client, source = connections
    found = client.execute("SELECT median(minutes), approx_count_distinct(minutes) FROM visits").description or ()
    wanted = source.execute(
        "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes) AS median, "
        "count(DISTINCT minutes) AS approx_count_distinct FROM visits"
    ).description
    assert [(column.name, column.type_code) for column in found] == [
        (column.name, column.type_code) for column in wanted or ()
    ]


@pytest.mark.parametrize(
    ("query", "sqlstate"),
    {
        "SELECT median(DISTINCT minutes) FROM visits": "0A000",
        "SELECT median(minutes ORDER BY cost) FROM visits": "0A000",
        "SELECT median(visit_id) FROM visits": "42501",
        "SELECT median(region) FROM visits": "42883",
        "SELECT approx_count_distinct(*) FROM visits": "42883",
        "SELECT approx_count_distinct(minutes ORDER BY cost) FROM visits": "0A000",
        "SELECT max(m) FROM (SELECT median(minutes) OVER (PARTITION BY patient_id) AS m FROM visits) AS each": "0A000",
    }.items(),
)
def test_other_calls_by_these_names_are_refused(query: str, sqlstate: str, connections: Connections) -> None:
    client, _ = connections
    with pytest.raises(psycopg.Error) as refusal:
        client.execute(query.encode())
    assert refusal.value.sqlstate == sqlstate


def is_same(value: object, wanted: object) -> bool:
    """Equal, or as near as binary floats and square roots come."""
    if isinstance(value, (float, Decimal)) and isinstance(wanted, (float, Decimal)):
        return math.isclose(value, wanted, rel_tol=1e-6, abs_tol=1e-9)
    return value == wanted


def test_a_median_of_one_persons_rows_is_the_percentile(connections: Connections) -> None:
    query = "SELECT avg(m), count(m) FROM (SELECT {} AS m FROM visits GROUP BY patient_id) AS each"
    of_postgres = query.format("percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes)")
    assert_same_answer(query.format("median(minutes)"), connections, of_postgres)
