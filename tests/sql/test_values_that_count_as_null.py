"""What counts as NULL here and not in PostgreSQL is told where it is read, and nowhere else."""

from __future__ import annotations

import pytest

from proxy.sql.remarks import nan_as_null, remarks
from tests.planned import plan_of
from tests.plans.schema import SCHEMA

LARGE_DOCUMENTS = "values of details that take more than 2000 octets count as NULL"
LARGE_ARRAYS = "values of tags that take more than 1000 octets count as NULL"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("SELECT count(*) FROM visits WHERE details ->> 'a' = 'x'", {LARGE_DOCUMENTS}),
        ("SELECT details ->> 'a', count(*) FROM visits GROUP BY 1", {LARGE_DOCUMENTS}),
        ("SELECT sum(least(greatest((details ->> 'a')::int, 0), 9)) FROM visits WHERE cost > 0", {LARGE_DOCUMENTS}),
        ("SELECT count(*) FROM (SELECT details ->> 'a' AS a FROM visits) AS v WHERE a = 'x'", {LARGE_DOCUMENTS}),
        ("SELECT count(*) FROM visits WHERE 'x' = ANY (tags) AND details ? 'a'", {LARGE_DOCUMENTS, LARGE_ARRAYS}),
        ("SELECT count(details), count(*) FROM visits", set()),
        ("SELECT count(note), avg(cost) FROM visits", set()),
    ],
)
def test_large_values_are_told_of_where_they_are_read(text: str, told: set[str]) -> None:
    assert {sentence for sentence in remarks(plan_of(text, SCHEMA)) if "octets" in sentence} == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("SELECT count(score), count(*) FROM visits", ["NaN counts as NULL in count(score)"]),
        ("SELECT avg(score), sum(minutes) FROM visits", ["NaN counts as NULL in avg(score)"]),
        ("SELECT count(cost), sum(minutes::float) FROM visits WHERE score > 1", []),
    ],
)
def test_nan_is_told_of_where_a_float_is_aggregated(text: str, told: list[str]) -> None:
    assert nan_as_null(plan_of(text, SCHEMA)) == told
