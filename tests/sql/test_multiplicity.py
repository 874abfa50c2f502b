"""How far rows are multiplied: what is beside other work, inside it, and how many rows of a unit take part."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from proxy.errors import UnsupportedError
from proxy.sql.rows.footprint import NOTHING, Cut, Footprint
from proxy.sql.rows.limits import COUNTED, GROUPED, source_steps
from proxy.sql.rows.multiplicity import MOST_ROWS, WIDE, Multiplicity, rows_of_unit

MULTIPLICITIES = st.builds(Multiplicity, st.integers(1, 200), st.integers(0, 3))


@pytest.mark.parametrize(
    ("max_rows", "most", "rows"), [(1, 400, 100), (25, 400, 100), (60, 400, 240), (5000, 400, 400), (60, 100, 100)]
)
def test_a_unit_takes_part_with_four_times_its_rows_within_limits(max_rows: int, most: int, rows: int) -> None:
    assert rows_of_unit(max_rows, most) == rows


@given(MULTIPLICITIES, MULTIPLICITIES)
def test_what_is_done_beside_other_work_is_no_more_than_the_greater_of_both(
    one: Multiplicity, other: Multiplicity
) -> None:
    beside = one.or_(other)
    assert beside.rows == max(one.rows, other.rows)
    assert beside.private == max(one.private, other.private)


@given(MULTIPLICITIES, MULTIPLICITIES)
def test_rows_of_two_places_add_up_and_multiply_as_the_worse_of_them_does(
    one: Multiplicity, other: Multiplicity
) -> None:
    together = one + other
    assert together.rows == one.rows + other.rows
    assert together.private == max(one.private, other.private)


@given(MULTIPLICITIES, MULTIPLICITIES)
def test_what_is_done_inside_other_work_multiplies(one: Multiplicity, other: Multiplicity) -> None:
    inside = one * other
    assert inside.met(10) == one.met(10) * other.met(10)


def test_an_empty_public_table_counts_as_one_row_and_an_unknown_one_as_too_many() -> None:
    assert Multiplicity.of_public(0) == Multiplicity.of_public(1) == Multiplicity()
    assert Multiplicity.of_public(7).rows == 7
    with pytest.raises(UnsupportedError) as refusal:
        Multiplicity.of_public(None).check(exp.From(), 100)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("multiplying-joins", "0A000")


@pytest.mark.parametrize(
    ("multiplicity", "of_unit", "allowed"),
    [
        (Multiplicity(MOST_ROWS), 400, True),
        (Multiplicity(MOST_ROWS + 1), 400, False),
        (Multiplicity(MOST_ROWS // 100, 1), 100, True),
        (Multiplicity(MOST_ROWS // 100 + 1, 1), 100, False),
        (Multiplicity(1, 2), 1, False),
    ],
)
def test_one_private_row_meets_no_more_than_the_limit(multiplicity: Multiplicity, of_unit: int, allowed: bool) -> None:
    if allowed:
        multiplicity.check(exp.From(), of_unit)
        return
    with pytest.raises(UnsupportedError) as refusal:
        multiplicity.check(exp.From(), of_unit)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("multiplying-joins", "0A000")


def test_rows_of_a_unit_are_limited_where_many_rows_are_met() -> None:
    around = Multiplicity(WIDE // 2)
    assert not Multiplicity(2).is_wide(around)
    assert Multiplicity(3).is_wide(around)
    assert not Multiplicity(1).is_wide(Multiplicity(WIDE * WIDE))
    assert Multiplicity(1, 1).is_wide(Multiplicity())


def test_each_further_number_takes_time() -> None:
    assert source_steps(0, 0, 0, 0) == source_steps(0, 1, 0, 0) == COUNTED
    assert source_steps(2, 1, 0, 0) == GROUPED
    further = [source_steps(0, 2, 0, 0), source_steps(0, 1, 1, 0), source_steps(0, 1, 0, 1)]
    assert all(steps > COUNTED for steps in further)
    assert source_steps(1, 3, 2, 4) - GROUPED == sum(
        times * (steps - COUNTED) for times, steps in zip((2, 2, 4), further, strict=True)
    )


def test_of_a_table_that_is_cut_twice_the_fewest_rows_are_told() -> None:
    cuts = [
        Cut(f"t{place}", name, "", most, meets, f"many_{place}", "", NOTHING)
        for place, (name, most, meets) in enumerate(
            [
                ("public.visits", 256, True),
                ("public.visits", 65_536, True),
                ("public.visits", 50, False),
                ("q", 400, True),
            ]
        )
    ]
    told = {(True, "public.visits"): 256, (False, "public.visits"): 50, (True, "q"): 400}
    assert Footprint(cuts=tuple(cuts)).least_cuts == Footprint(cuts=tuple(reversed(cuts))).least_cuts == told
