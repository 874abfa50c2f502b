"""The cells that values are put into: within the bounds that noise is made for, and of a type that holds them (theorem 2)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from proxy.sql.planning.cells import cell_sql, clamped_sql, divided_by_step
from proxy.sql.planning.grids import Grid, grid_of
from proxy.sql.terms.bounds import Bounds
from proxy.sql.terms.term import Term, number_sql
from proxy.sql.terms.types import BIGINT, DOUBLE, SMALLINT

SMALL = Term("x", SMALLINT, True, magnitude=SMALLINT.magnitude)
LARGE = Term("x", BIGINT, True, magnitude=BIGINT.magnitude)


def _whole(low: int, high: int) -> Grid:
    return Grid(Fraction(1), low, high, exact=True)


@pytest.mark.parametrize("limits", [(-(2**15), 100), (-100, 2**15 - 1), (-(2**15), 2**15 - 2), (1 - 2**15, 2**15 - 1)])
def test_a_value_that_its_type_lets_beyond_one_of_the_bounds_is_clamped_to_both(limits: tuple[int, int]) -> None:
    low, high = (number_sql(Fraction(limit)) for limit in limits)
    clamped = f"(CASE WHEN x < {low} THEN {low} WHEN x > {high} THEN {high} ELSE x END)"
    assert clamped_sql(SMALL, _whole(*limits)) == clamped


def test_a_value_that_its_type_keeps_within_both_bounds_is_not_clamped() -> None:
    assert clamped_sql(SMALL, _whole(-(2**15), 2**15 - 1)) == "x"
    unknown = replace(SMALL, magnitude=None)
    assert clamped_sql(unknown, _whole(-(2**15), 2**15 - 1)).startswith("(CASE WHEN x < ")


@pytest.mark.parametrize(
    ("low", "high", "carrier"),
    [
        (0, 2**31 - 1, "integer"),
        (1 - 2**31, 0, "integer"),
        (0, 2**31, "bigint"),
        (-5 * 10**9, 0, "bigint"),
        (-5 * 10**9, 5 * 10**9, "bigint"),
        (0, 5 * 10**9, "bigint"),
    ],
)
def test_the_number_of_every_cell_fits_its_type_so_that_no_row_overflows(low: int, high: int, carrier: str) -> None:
    assert cell_sql(LARGE, _whole(low, high)).endswith(f"::{carrier}")


@pytest.mark.parametrize(
    ("step", "divided"),
    [("1", "x"), ("0.25", "(x::numeric * 4)"), ("2", "(x::numeric * 0.5)"), ("0.3", "(x / 0.3::numeric)")],
)
def test_a_value_is_multiplied_where_that_is_exact_and_divided_elsewhere(step: str, divided: str) -> None:
    assert divided_by_step("x", Grid(Fraction(step), 0, 10, exact=True)) == divided


@pytest.mark.parametrize(
    ("low", "high", "centre", "reach"),
    [
        (-5, 0, 0, 5),
        (0, 5, 0, 5),
        (-5, 3, 0, 5),
        (-3, 5, 0, 5),
        (0, 10, 4, 6),
        (0, 10, 6, 6),
        (0, 0, 0, 1),
        (7, 7, 7, 1),
    ],
)
def test_the_reach_of_a_grid_is_that_of_its_farther_end(low: int, high: int, centre: int, reach: int) -> None:
    assert replace(_whole(low, high), centre=centre).reach == reach


def test_a_number_that_is_always_zero_has_a_grid() -> None:
    grid = grid_of(Term("x", DOUBLE, True, Bounds.point(Fraction(0))), centred=False)
    assert (grid.low, grid.high, grid.reach) == (0, 0, 1)


@pytest.mark.parametrize(("step", "guarded"), [("0.01", False), ("1", False), ("1.5", True), ("2", True)])
def test_the_smallest_floats_are_not_divided_by_a_step_above_one_which_would_underflow(
    step: str, guarded: bool
) -> None:
    cell = cell_sql(Term("x", DOUBLE, True), Grid(Fraction(step), 0, 10, exact=False))
    assert (f"CASE WHEN abs(x) < {step} THEN 0" in cell) == guarded
