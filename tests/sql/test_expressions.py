"""Each expression of `tests/fixtures/expressions` in rows: none fails, and all facts are true (decision 4, attacks 5-7).

Extreme rows hold the worst values of every type in every combination of two columns. In ordinary rows an expression has
Postgres's own values and type, wherever Postgres has any.
"""

from __future__ import annotations

from dataclasses import replace

import psycopg
import pytest

from proxy.postgres.catalog_reader import read_catalog
from proxy.sql.planning.aggregates.compiling import compile_aggregates
from proxy.sql.planning.cells import cell_sql, clamped_sql
from proxy.sql.planning.grids import rounding_of
from proxy.sql.planning.statistic import GridSum
from proxy.sql.rows.canonical import canonical
from tests.expressions.cases import CASES, Case, name
from tests.expressions.compiling import Refusal, read
from tests.expressions.expecting import Expecting
from tests.expressions.table import EXTREME, ORDINARY, catalog, source

__all__ = ["source"]

pytestmark = pytest.mark.postgres

WIDEST = 10**100
"""What has wider bounds is not summed."""
SUMMED = [case for case in CASES if case.theme in ("numbers", "choices", "durations")]


@pytest.fixture(scope="module")
def expecting(source: psycopg.Connection) -> Expecting:
    return Expecting(source)


@pytest.mark.parametrize("case", CASES, ids=name)
def test_no_stored_value_makes_an_expression_fail(case: Case, expecting: Expecting) -> None:
    assert expecting.extremes(case).broken == {}, case.place


@pytest.mark.parametrize("case", CASES, ids=name)
def test_facts_of_an_expression_are_true(case: Case, expecting: Expecting) -> None:
    assert expecting.items(case).broken == {}, case.place
    assert case.facts == tuple(expecting.facts(case)), (
        f"{case.place}, {expecting.items(case).differs}; if the change is meant: python -m tests.expressions"
    )
    assert not case.said("differs").startswith("?"), f"{case.place}: say why it differs"


@pytest.mark.parametrize("case", SUMMED, ids=name)
def test_clamped_values_stay_inside_their_grids(case: Case, expecting: Expecting) -> None:
    relation, grids, columns = expecting.wide, [], []
    bounded = [
        member.text
        for member in read(case.members)
        if (term := member.term(relation)) is not None
        and term.type.is_number
        and term.bounds is not None
        and term.bounds.magnitude <= WIDEST
        and rounding_of(term) is None
    ]
    for call in read([f"avg({text})" for text in bounded]) if bounded else ():
        assert not isinstance(call.node, Refusal)
        compiled = compile_aggregates([call.node], [canonical(call.node, relation)], relation, [], bounds_needed=True)
        (total,) = [statistic for statistic in compiled.statistics if isinstance(statistic, GridSum)]
        assert total.value is not None
        assert total.grid is not None
        cell = cell_sql(total.value, total.grid)
        clamped = clamped_sql(total.value, total.grid) if total.grid.exact else "0"
        grids.append((call.text, total.grid))
        columns += [f"min({cell})", f"max({cell})", f"sum({clamped})"]
    row = expecting.source.execute(f"SELECT {', '.join(columns)} FROM {relation.sql}".encode()).fetchone() or ()
    for (text, grid), low, high in zip(grids, row[::3], row[1::3], strict=True):
        if low is None:
            assert "null on extremes" in case.facts, text
            continue
        assert grid.low <= low <= high <= grid.high, text
        assert max(abs(low - grid.centre), abs(high - grid.centre)) <= grid.reach, text


def test_the_table_is_what_the_expressions_are_compiled_for(source: psycopg.Connection) -> None:
    tables = read_catalog(source.info.dsn, [ORDINARY, EXTREME, "public.towns"]).tables
    for table, expected in catalog().tables.items():
        # What clients see of a type has no part in compiling.
        columns = {name: replace(column, full_type="") for name, column in tables[table].columns.items()}
        assert columns == expected.columns
