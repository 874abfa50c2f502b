"""Which rows leave the source: only of groups and values that an answer can show, and only known values of a list."""

from __future__ import annotations

import pytest

from proxy.settings import QuerySettings
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.rows.footprint import Footprint, union
from proxy.sql.source_queries.exact_sums import source_statements
from proxy.sql.source_queries.sending import only_declared
from proxy.sql.source_queries.unit_rows import values_sql
from tests.planned import plan_of
from tests.plans.schema import SCHEMA


def _plan(text: str, settings: QuerySettings | None = None) -> BlockPlan:
    return plan_of(text, SCHEMA, settings)


@pytest.mark.parametrize(
    ("text", "domain", "sent"),
    [
        ("SELECT count(*) FROM visits", [], None),
        ("SELECT note, count(*) FROM visits GROUP BY note", [], "m.weight > 0"),
        (
            "SELECT region, count(*) FROM visits GROUP BY region",
            [("north",), ("south",)],
            """m.k0 IN (SELECT unnest('{"north","south"}'::text[]))""",
        ),
        (
            "SELECT region, count(*) FROM visits GROUP BY region",
            [("north",), (None,)],
            """(m.k0 IN (SELECT unnest('{"north"}'::text[])) OR m.k0 IS NULL)""",
        ),
    ],
)
def test_only_groups_that_can_be_shown_are_sent(
    text: str, domain: list[tuple[str | None, ...]], sent: str | None
) -> None:
    plan = _plan(text)
    (whole,) = source_statements(plan)
    limited = f"SELECT * FROM ({whole}) AS m WHERE {sent}" if sent is not None else whole
    assert only_declared(plan, [whole], domain, []) == [limited]


def test_null_is_no_value_of_a_public_column() -> None:
    """A local release would read it as an empty text."""
    text = 'left(("people")::text, 10000)'
    rows = 'FROM "public"."regions" WHERE "people" IS NOT NULL GROUP BY 1'
    assert (
        values_sql(SCHEMA.table("public.regions"), "people") == f'SELECT {text} AS x {rows} ORDER BY {text} COLLATE "C"'
    )


def test_the_strictest_limit_of_uncounted_rows_holds_for_the_whole() -> None:
    parts = [Footprint(most_uncounted=7), Footprint(), Footprint(most_uncounted=9)]
    assert union(parts).most_uncounted == 7


@pytest.mark.parametrize(("most", "carrier"), [(1_000_000, "bigint"), (10_000_000, "numeric")])
def test_the_sums_of_a_unit_inside_the_bounds_fit_their_type(most: int, carrier: str) -> None:
    """9e8 cells of a row, 1024 parts of each: with ten million rows, 9.2e18 is more than half of a bigint's range."""
    settings = QuerySettings(max_rows=most, max_rows_per_group=most)
    (whole,) = source_statements(_plan("SELECT sum(minutes * 26250000 / 7.0) FROM visits", settings))
    assert f"ELSE v0::{carrier} * 1024 END" in whole


def test_the_parts_of_a_sum_around_a_centre_fit_their_type() -> None:
    """1e12 cells of a row, though all rows are within 120 cells of the centre: ten million rows have 1e19."""
    settings = QuerySettings(max_rows=10_000_000, max_rows_per_group=10_000_000)
    (whole,) = source_statements(_plan("SELECT avg(minutes + 1000000000000) FROM visits", settings))
    assert "round(coalesce(s1, 0)::numeric) - 1000000000120::numeric * c1)" in whole
