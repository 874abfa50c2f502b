"""A source query reads the rows once, and all that it knows of a unit follows from that unit's rows alone."""

from __future__ import annotations

import re
from fractions import Fraction

import psycopg
import pytest

from proxy.errors import UnsupportedError
from proxy.postgres.source_connection import PINNED_SETTINGS
from proxy.sql.planning.cells import cell_sql
from proxy.sql.planning.grids import Grid, grid_without_bounds
from proxy.sql.source_queries.exact_sums import sums_sql
from proxy.sql.source_queries.per_unit import with_windows
from proxy.sql.source_queries.row_columns import RowColumns
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import DOUBLE
from tests.conftest import PostgresCluster
from tests.sql.test_chosen_thresholds import planned


@pytest.mark.parametrize(
    "text",
    [
        "SELECT count(*) FROM stays",
        "SELECT ward, count(*) FROM stays GROUP BY ward",
        "SELECT ward, count(*), sum(nights), count(DISTINCT patient_id) FROM stays GROUP BY ward",
        "SELECT ward, nights % 7, count(*), avg(nights) FROM stays GROUP BY 1, 2",
    ],
)
def test_a_query_that_chooses_thresholds_names_its_table_once(text: str) -> None:
    """Servers that share a table's rows show all of a unit's at one moment, and none needs what another has."""
    sql = sums_sql(planned(text))
    assert sql.count('"public"."stays"') == 1
    assert not any(word in sql for word in ("GROUPING SETS", "MATERIALIZED", "OFFSET", "LIMIT"))


_HEAVY = "least(greatest(score * score, 0), 1)"


_OF_PATIENTS = "least(greatest(sqrt(height::double precision), 0), 100)"


@pytest.mark.parametrize(
    ("text", "once"),
    [
        ("SELECT sum(score) FROM visits", False),
        ("SELECT avg(cost) FROM visits", False),
        (f"SELECT stddev({_HEAVY}) FROM visits", True),
        (f"SELECT region, stddev({_HEAVY}) FROM visits GROUP BY region", True),
        (f"SELECT corr({_OF_PATIENTS}, height) FROM patients", True),
        ("SELECT sum(patient_id) FROM patients", False),
        (f"SELECT count(*) FILTER (WHERE {_HEAVY} = 1) FROM visits", False),
        (f"SELECT region, count(*) FILTER (WHERE {_HEAVY} = 1), sum(cost) FILTER (WHERE {_HEAVY} = 1) FROM visits GROUP BY 1", True),
        ("SELECT region, count(*) FILTER (WHERE minutes > 9), sum(cost) FILTER (WHERE minutes > 9) FROM visits GROUP BY 1", False),
    ],
)  # fmt: skip
def test_what_takes_long_and_is_used_often_is_computed_once_for_each_row(text: str, once: bool) -> None:
    """However the unit's rows are bounded: there is one such subquery for each time that the rows are read."""
    sql = sums_sql(planned(text))
    assert ("FROM (WITH once AS (SELECT) SELECT" in sql) == once
    assert len(sql) < 10_000


@pytest.mark.parametrize(("work", "once"), [(10_000, True), (0, False)])
def test_postgres_computes_once_what_is_worth_it(work: int, once: bool, postgres_cluster: PostgresCluster) -> None:
    """A WITH list that nobody reads keeps the expression where the rows are: there EXPLAIN shows it as an output."""
    row = RowColumns(planned("SELECT count(*) FROM visits").relation)
    name = row.column("sqrt(t.n)", work)
    selected = f"sum({name}), sum({name} * {name})"
    query = f"SELECT {selected} {row.from_clause('FROM generate_series(1, 9) AS t(n)', selected)}"
    with psycopg.connect(postgres_cluster.dsn("postgres")) as connection:
        lines = connection.execute(f"EXPLAIN (VERBOSE) {query}".encode()).fetchall()
    assert any(line.strip().startswith("Output: sqrt(") for (line,) in lines) == once


def test_a_units_norm_does_not_depend_on_the_order_of_its_rows(postgres_cluster: PostgresCluster) -> None:
    """Doubles added in another order have another sum: 2^107 swallows each 2^50, but not a million of them."""
    values = [2**53 + 2**27, *[2**25 + 1] * 5000]

    def norm(contributions: list[int], order: list[str]) -> float:
        rows = f"SELECT 1 AS unit, unnest(ARRAY{contributions}::bigint[]) AS v0"
        square = "sum(v0::double precision * v0::double precision) OVER w AS q0"
        with psycopg.connect(postgres_cluster.dsn("postgres")) as connection:
            found = connection.execute(with_windows(rows, [square], order).encode()).fetchone()
        assert found is not None
        return float(found[-1])

    assert norm(values, ["v0"]) == norm(values[::-1], ["v0"])
    assert norm(values, []) != norm(values[::-1], [])


@pytest.mark.parametrize(
    "text",
    [
        "SELECT sum(score * 1e-100 * 1e-100 * 1e-122) FROM visits",
        "SELECT avg(power('1e-150'::float8 * score, 3)) FROM visits",
        "SELECT stddev(score * 1e-100) FROM visits",
    ],
)
def test_bounds_that_no_double_is_close_to_are_refused(text: str) -> None:
    with pytest.raises(UnsupportedError) as refusal:
        planned(text)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("magnitude", "0A000")
    assert "Multiply what is aggregated by a constant" in (refusal.value.hint or "")


def test_a_step_that_no_double_is_close_to_is_not_taken() -> None:
    """Without bounds the step of a product of tiny steps would divide by zero."""
    grid = grid_without_bounds(Term("x", DOUBLE, step=Fraction(1, 10**330)))
    assert float(grid.step) > 0


@pytest.mark.parametrize(
    ("keys", "order"),
    [
        ("nights > 3", "v0, v1"),
        ("ward", "h, k0"),
        ("ward, nights % 7", "h, k0, k1"),
    ],
)
def test_norms_of_own_sums_are_added_up_in_an_order_of_the_units_own(keys: str, order: str) -> None:
    """That of all those sums, or of the selected groups, which are in an order that has no ties."""
    sql = sums_sql(planned(f"SELECT {keys}, sum(nights), sum(patient_id), count(*) FROM stays GROUP BY {keys}"))
    assert f"(PARTITION BY unit ORDER BY {order} ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)" in sql


@pytest.mark.parametrize("text", ["SELECT ward, count(*) FROM stays", "SELECT note, count(*) FROM visits"])
def test_groups_of_a_unit_have_places_without_ties(text: str) -> None:
    """A tie would be broken by the order of the server's rows, on which other units have an influence."""
    sql = sums_sql(planned(f"{text} GROUP BY 1"))
    assert "row_number() OVER w AS place" in sql
    assert "WINDOW w AS (PARTITION BY unit ORDER BY h, k0 ROWS" in sql


def test_a_contribution_is_cut_where_the_number_of_its_rows_is() -> None:
    """Or else the rows of a unit would be counted up to a limit, and what they add up to without one."""
    sql = sums_sql(planned("SELECT ward, avg(least(greatest(nights, 0), 10)) FROM stays GROUP BY ward"))
    reach = 10
    assert "LEAST(n, 3037000499) AS n" in sql
    assert f"{-3037000499 * reach}), {3037000499 * reach})::bigint AS v1" in sql


@pytest.mark.parametrize(
    ("grid", "clamped"),
    [
        (Grid(Fraction(1, 100), 0, 100_000, exact=False), False),
        (Grid(Fraction(3, 10), -7, 7, exact=False), False),
        # The nearest double to 2^53 + 3 is one more.
        (Grid(Fraction(1), 0, 2**53 + 3, exact=False), True),
    ],
)
def test_a_double_is_clamped_once_more_where_rounding_could_leave_the_grid(grid: Grid, clamped: bool) -> None:
    step = float(grid.step)
    leaves = any(not grid.low <= round(float(end * grid.step) / step) <= grid.high for end in (grid.low, grid.high))
    assert leaves == clamped
    assert ("THEN CASE WHEN round(" in cell_sql(Term("x", DOUBLE), grid)) == clamped


@pytest.mark.parametrize(("condition", "kind"), [("", "Sort|Index Only Scan"), (" WHERE nights > 3", "Sort")])
def test_units_that_are_numbers_are_counted_in_order(condition: str, kind: str, many_stays: str) -> None:
    """Neither are they hashed, nor does an index on the unit lead to the rows one by one, of which it knows too little."""
    sql = sums_sql(planned(f"SELECT count(*) FROM stays{condition}"))
    with psycopg.connect(many_stays) as connection:
        for name in ("cpu_operator_cost", "enable_mergejoin", "enable_nestloop"):
            connection.execute("SELECT set_config(%s, %s, true)", (name, PINNED_SETTINGS[name]))
        plan = "\n".join(str(line) for (line,) in connection.execute(f"EXPLAIN {sql}".encode()))
    assert "GroupAggregate" in plan
    assert re.search(rf"-> +({kind}) ", plan)
    assert "Index Scan using by_unit" not in plan


@pytest.fixture(scope="module")
def many_stays(postgres_cluster: PostgresCluster) -> str:
    """Stays of patients in no order, and an index on them; nothing is known to be visible to all."""
    dsn = postgres_cluster.create_database("many_stays")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(
            "CREATE TABLE stays (stay_id integer, patient_id integer NOT NULL, ward text, nights integer)"
        )
        connection.execute(
            "INSERT INTO stays SELECT i, i * 7919 % 20011, 'ward', i % 30 FROM generate_series(1, 100000) AS i"
        )
        connection.execute("CREATE INDEX by_unit ON stays (patient_id)")
        connection.execute("ANALYZE stays")
    return dsn
