"""Nesting costs no more than it must: neither text for the source nor work of the compiler doubles with each level."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from sqlglot import exp

from proxy.errors import UnsupportedError
from proxy.sql import dialect
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.arithmetic import as_float
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import DOUBLE, NUMERIC
from proxy.sql.terms.work import size_of
from tests.expressions.table import relation


def compiled(text: str) -> Term:
    select = dialect.parse(f"SELECT {text} FROM items")
    assert isinstance(select, exp.Select)
    output = select.expressions[0]
    assert isinstance(output, exp.Expr)
    return compile_term(output, relation())


def test_text_for_the_source_cannot_grow_with_every_level_of_nesting() -> None:
    with pytest.raises(UnsupportedError) as refusal:
        compiled("free" + " / 3" * 60)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("expression-size", "0A000")
    assert len(compiled("age" + " * 2 + 1" * 60).sql) < 5000


def test_nested_case_does_not_compile_its_parts_anew_at_each_level(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up: list[exp.Column] = []
    column = Relation.column

    def counted(self: Relation, node: exp.Column) -> Term:
        looked_up.append(node)
        return column(self, node)

    monkeypatch.setattr(Relation, "column", counted)
    text = "whole"
    for _ in range(12):
        text = f"CASE WHEN ({text}) > 1 THEN 2 ELSE 3 END"
    assert compiled(text).bounds is not None
    assert len(looked_up) <= 4


@pytest.mark.parametrize(
    ("magnitude", "grid", "guarded"),
    [
        (Fraction(10) ** 150, Fraction(1), False),
        (Fraction(10) ** 150 + 1, Fraction(1), True),
        (Fraction(1), 1 / Fraction(10) ** 150, False),
        (Fraction(1), 1 / Fraction(10) ** 151, True),
    ],
)
def test_floats_made_of_numerics_have_products_and_quotients(
    magnitude: Fraction, grid: Fraction, guarded: bool
) -> None:
    number = as_float(Term("x", NUMERIC, False, magnitude=magnitude, grid=grid))
    assert ("BETWEEN 1e-150 AND 1e150" in number.sql) == guarded


def test_what_is_guarded_is_not_guarded_again() -> None:
    """A guard names its operand three times: nested guards would repeat it 3^12 times."""
    text = '"double"'
    for number in range(12):
        text = f"{'least' if number % 2 else 'greatest'}({text}, {number})"
    assert compiled(text).sql.count('"double"') == 1
    assert compiled(f"({text}) * ({text})").sql.count('"double"') == 6


def test_other_sql_of_a_guarded_term_is_guarded_anew() -> None:
    number = as_float(Term("x", DOUBLE))
    assert number.is_guarded
    assert as_float(number) == number
    assert not replace(number, sql="sinh(x)").is_guarded


def test_a_choice_among_floats_is_guarded_where_it_is_computed_with() -> None:
    """1e300 times itself would overflow."""
    chosen = compiled("greatest(\"double\", '1e300')")
    assert not chosen.is_guarded
    assert compiled("greatest(\"double\", '1e300') * 2").sql.count(chosen.sql) == 3


def test_a_text_is_as_large_as_what_replaces_all_of_it() -> None:
    whole = size_of(compiled("code"))
    assert size_of(compiled("replace(code, 'ab', 'xyz')")) >= Fraction(3, 2) * whole
    assert size_of(compiled("replace(code, 'ab', 'x')")) == whole
