"""Groups without rows count as nothing at all: the exact sums to which noise is added, and the weights of choices."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from proxy.dp.exponential import ModeMechanism
from proxy.dp.value_counts import ValueCountMechanism
from proxy.policy.model import Policy
from proxy.release.chosen_values import choose
from proxy.release.drawn import draw
from proxy.release.noisy_answers import release
from proxy.settings import QuerySettings
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.source_queries.exact_sums import ExactResults, read_sums, sums_sql
from proxy.sql.source_queries.histograms import ExactHistogram
from tests.plans.schema import CATALOG, POLICY
from tests.sql.test_planning import plan

UNLIMITED = {"budget": {"epsilon": "1e30", "delta": "1e-6"}, "query": {"epsilon": "1e27"}, "per_analyst": None}
"""With an epsilon of 1e27 noise is 0."""


def exact(query: str, **more: object) -> BlockPlan:
    tables = POLICY.model_dump(mode="json", exclude_unset=True)["tables"]
    unlimited = {
        name: table if table.get("public") else {**table, **UNLIMITED, **more} for name, table in tables.items()
    }
    policy = Policy.model_validate({"version": 1, "units": {"patient": {}, "doctor": {}}, "tables": unlimited})
    return plan(query, CATALOG, policy, QuerySettings(mechanism="laplace"))


@pytest.mark.parametrize(
    ("query", "row"),
    [
        ("SELECT sum(minutes), avg(cost), count(*) FROM samples", [None] * 6),
        ("SELECT sum(minutes), avg(cost), count(*) FROM visits", [None] * 5),
        ("SELECT note, sum(minutes) FROM samples GROUP BY note", ["x", None, None, None]),
        ("SELECT note, sum(minutes) FROM visits GROUP BY note", ["x", None, None, None]),
    ],
)
def test_what_the_source_shows_as_null_is_nothing(query: str, row: list[str | None]) -> None:
    block = exact(query)
    results = read_sums(block, [tuple(row)])
    assert results.sums == [(0,) * len(block.statistics)]
    assert results.weights == ([] if block.selection is None else [0])


@pytest.mark.parametrize(("most", "carrier"), [(10, "bigint"), (1000, "numeric")])
def test_the_sum_of_all_rows_of_a_unit_fits_the_type_that_carries_it(most: int, carrier: str) -> None:
    """30 trillion cells, each in 1024 parts: 10 rows make 2^58.1 of them, 1000 rows 2^64.7."""
    query = "SELECT sum(least(greatest(visit_id, 0), 30000000000000)) FROM visits"
    block = exact(query, contribution={"max_rows": most, "max_rows_per_group": most})
    assert [f"::{carrier} ELSE" in sums_sql(block), f"::{carrier} * 1024" in sums_sql(block)] == [True, True]


@pytest.mark.parametrize(
    ("query", "domain"),
    [
        ("SELECT count(*), sum(minutes) FROM visits", []),
        ("SELECT diagnosis, count(*), sum(minutes) FROM visits GROUP BY diagnosis", [("flu",), ("cold",)]),
        ("SELECT diagnosis, count(*) FROM visits GROUP BY ROLLUP (diagnosis)", [("flu",), ("cold",)]),
    ],
)
def test_groups_without_rows_are_released_as_nothing_but_noise(query: str, domain: list[tuple[str]]) -> None:
    block = exact(query)
    answer = release(block, ExactResults([], [], []), domain, draw(block, domain))
    assert answer.values
    assert {number for values in answer.values for number in values} == {0}


def test_the_counts_of_a_mode_are_those_of_the_rows_and_no_higher() -> None:
    """One more for each value that has rows would be more than one person may add to it."""
    block = exact("SELECT mode() WITHIN GROUP (ORDER BY diagnosis) FROM visits")
    (mechanism,) = block.choosing
    assert isinstance(mechanism, ModeMechanism)

    def chosen(values: list[str], weights: list[int]) -> set[str | None]:
        measured = ExactHistogram((), [], values, weights)
        candidates = [[("flu",), ("cold",)]]
        return {choose(block, [[measured]], [()], candidates)[0][0] for _ in range(60)}

    assert chosen(["flu"], [0]) == {"flu", "cold"}
    assert chosen(["flu"], [1]) == {"flu"}


def test_what_is_one_value_here_weighs_no_more_than_the_heaviest_of_the_source() -> None:
    """A unit may have several values that the source tells apart: in the sum of their weights it would count twice."""
    block = exact("SELECT count(DISTINCT urgent), count(*) FROM visits")
    (mechanism,) = block.choosing
    assert isinstance(mechanism, ValueCountMechanism)
    certain = replace(block, choosing=(replace(mechanism, epsilon=Fraction(10**9)),))
    (sure,) = certain.choosing
    assert isinstance(sure, ValueCountMechanism)
    most = sure.threshold * 3 // 4
    candidates = [[("t",), ("f",)]]

    def chosen(values: list[str], weights: list[int]) -> str | None:
        return choose(certain, [[ExactHistogram((), [], values, weights)]], [()], candidates)[0][0]

    assert chosen(["t", "t"], [most, most]) == "0"
    assert chosen(["t", "t"], [most, 2 * most]) == "1"
    assert chosen(["t", "f", "x"], [2 * most, 2 * most, 2 * most]) == "2"
