"""A dataclass's value with other values in some fields is what dataclasses.replace makes."""

from __future__ import annotations

import dataclasses
from dataclasses import KW_ONLY, dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.sql.replacing import replace
from proxy.sql.terms.bounds import Bounds
from tests.sql.events import CATALOG


@dataclass(frozen=True)
class Plain:
    first: int
    second: tuple[int, ...] = ()
    _: KW_ONLY
    third: str = ""
    compared: int = field(default=0, compare=False)

    @cached_property
    def total(self) -> int:
        return self.first + sum(self.second)


@dataclass(frozen=True)
class Counted:
    first: int
    made: list[int] = field(default_factory=list, init=False)


@dataclass(frozen=True, slots=True)
class Slotted:
    first: int
    second: int = 0


CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "first": st.integers(),
        "second": st.lists(st.integers()).map(tuple),
        "third": st.text(),
        "compared": st.integers(),
    },
)


@given(changes=CHANGES)
def test_it_makes_the_same_value(changes: dict[str, Any]) -> None:
    before = Plain(1, (2, 3), third="x", compared=4)
    assert before.total == 6
    after = replace(before, **changes)
    assert vars(after) == vars(dataclasses.replace(before, **changes))
    assert after.total == after.first + sum(after.second)
    assert vars(before) == {"first": 1, "second": (2, 3), "third": "x", "compared": 4, "total": 6}


def test_a_change_of_no_field_is_an_error() -> None:
    with pytest.raises(TypeError, match="no field forth"):
        replace(Plain(1), forth=2)  # type: ignore[call-arg]


def test_values_that_are_checked_when_they_are_made_are_checked() -> None:
    assert replace(Bounds(Fraction(1), Fraction(2)), high=Fraction(3)) == Bounds(Fraction(1), Fraction(3))
    with pytest.raises(ValueError, match="low <= high"):
        replace(Bounds(Fraction(1), Fraction(2)), high=Fraction(0))


def test_what_is_no_argument_is_made_anew() -> None:
    one = Counted(1)
    other = replace(one, first=2)
    assert (other.first, other.made) == (2, [])
    assert other.made is not one.made


def test_values_in_slots_are_replaced() -> None:
    assert replace(Slotted(1, 2), first=3) == Slotted(3, 2)


def test_tables_keep_nothing_of_the_ones_that_they_are_made_of() -> None:
    table = CATALOG.tables["public.events"]
    assert replace(table, row_count=7) == dataclasses.replace(table, row_count=7)
