"""Values that stand for all others of a column meet every combination of conditions that some value of it meets."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.sql.planning import representatives
from tests.planned import plan_of
from tests.plans.schema import SCHEMA

_OPERATORS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "<>": operator.ne,
}
_CONSTANTS = st.decimals(-50, 50, places=3).map(lambda number: number.normalize())


def _domain(keys: str, where: str = "true") -> str:
    places = ", ".join(str(place + 1) for place in range(keys.count(";") + 1))
    query = f"SELECT {keys.replace(';', ',')}, count(*) FROM visits WHERE {where} GROUP BY {places}"
    found = plan_of(query, SCHEMA).domain
    assert found is not None
    return found.sql


def _stand_ins(sql: str) -> list[Fraction]:
    (rows,) = re.findall(r"FROM \(VALUES (.*?)\) AS v\(c0\)", sql)
    return [Fraction(text) for text in re.findall(r"\(\(?(-?[0-9.]+)\)?::", rows)]


@pytest.mark.parametrize(("column", "step"), [("cost", Fraction(1, 100)), ("minutes", Fraction(1))])
@given(
    constants=st.lists(st.tuples(st.sampled_from(sorted(_OPERATORS)), _CONSTANTS), min_size=1, max_size=4),
    value=st.integers(-6000, 6000),
)
def test_every_value_meets_the_same_conditions_as_one_that_stands_for_it(
    column: str, step: Fraction, constants: list[tuple[str, Decimal]], value: int
) -> None:
    sql = _domain("; ".join(f"{column} {sign} {constant:f}" for sign, constant in constants))

    def met_by(number: Fraction) -> list[bool]:
        return [_OPERATORS[sign](number, Fraction(constant)) for sign, constant in constants]

    assert met_by(value * step) in [met_by(number) for number in _stand_ins(sql)]


@pytest.mark.parametrize(
    "asks_more",
    [
        "floor(cost / 100)",
        "cost < minutes",
        "cost = ANY (ARRAY[1, 2])",
        "CASE WHEN cost < 5 THEN cost < minutes END",
    ],
)
def test_a_column_of_which_a_key_asks_more_has_no_values_that_stand_for_others(asks_more: str) -> None:
    assert "cost compared" in _described("cost < 100; cost > 200")
    assert "cost compared" not in _described(f"cost < 100; cost > 200; ({asks_more})::text || 'x'")


def _described(keys: str) -> str:
    places = ", ".join(str(place + 1) for place in range(keys.count(";") + 1))
    found = plan_of(f"SELECT {keys.replace(';', ',')}, count(*) FROM visits GROUP BY {places}", SCHEMA).domain
    return found.description if found is not None else ""


@pytest.mark.parametrize(
    "where", ["cost * 2 < 30", "cost < minutes", "cost < 30 + minutes", "floor(cost) = 3", "cost::text = '3'"]
)
def test_a_condition_that_asks_more_of_a_column_leaves_no_key_out(where: str) -> None:
    assert _domain("cost < 100; cost > 200", where) == _domain("cost < 100; cost > 200")
    assert _domain("cost < 100; cost > 200", "cost < 30") != _domain("cost < 100; cost > 200")


def test_columns_with_too_many_sides_together_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = "cost < 100; cost > 200"
    assert "cost compared" in _described(keys)
    monkeypatch.setattr(representatives, "_MOST_COMBINATIONS", 6)
    assert "cost compared" not in _described(keys)


@pytest.mark.parametrize("constant", ["1e70", "'NaN'", "NULL", "3.55::numeric(3, 1)"])
def test_constants_whose_neighbours_are_not_computed_have_none(constant: str) -> None:
    assert "cost compared" not in _described(f"cost < 5; cost < {constant}")
