"""Bounds that expressions prove, and those that they carry over from the policy's (theorem 2)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from sqlglot import exp

from proxy.errors import UnsupportedError
from proxy.policy import model
from proxy.policy.catalog import Catalog, Column, Table
from proxy.sql import dialect
from proxy.sql.rows.compiler import RowCompiler
from proxy.sql.rows.relation import Relation
from proxy.sql.schema import Schema
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.term import Term

COLUMNS = {
    "unit": Column("unit", "integer", 23, nullable=False),
    "free": Column("free", "numeric", 1700),
    "many": Column("many", "integer", 23),
    "score": Column("score", "double precision", 701),
    "age": Column("age", "integer", 23),
    "cost": Column("cost", "numeric", 1700),
    "noted": Column("noted", "text", 25),
    "since": Column("since", "timestamp without time zone", 1114),
}
BOUNDS = {"age": (0, 100), "cost": (1, 10_000)}


@pytest.fixture(scope="module")
def relation() -> Relation:
    columns = {name: model.ColumnPolicy(bounds=BOUNDS.get(name)) for name in COLUMNS}  # type: ignore[arg-type]
    table = model.TablePolicy(
        unit=model.UnitReference(name="person", column="unit"),
        budget=model.Budget(epsilon=1),  # type: ignore[arg-type]
        columns=columns,
    )
    policy = model.Policy(version=1, units={"person": model.Unit()}, tables={"public.t": table})
    schema = Schema(policy, Catalog({"public.t": Table("public.t", COLUMNS)}))
    select = dialect.parse("SELECT 1 FROM t")
    assert isinstance(select, exp.Select)
    return RowCompiler(schema, ("public",), lambda _: 1).relation(select)


def compiled(text: str, relation: Relation) -> Term:
    select = dialect.parse(f"SELECT {text} FROM t")
    assert isinstance(select, exp.Select)
    output = select.expressions[0]
    assert isinstance(output, exp.Expr)
    return compile_term(output, relation)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("least(greatest(free, 5), 10)", 5, 10),
        ("greatest(least(free, 10), 5)", 5, 10),
        ("least(greatest(many, free, 5), 10)", 5, 10),
        ("- least(greatest(free, 5), 10)", -10, -5),
        ("greatest(age, 30)", 30, 100),
        ("least(age, cost, 50)", 0, 50),
        ("least(abs(many), 7)", 0, 7),
        ("CASE WHEN free BETWEEN 5 AND 10 THEN free END", 5, 10),
        ("CASE WHEN 5 <= free AND free < 10 THEN free ELSE 7 END", 5, 10),
        ("CASE WHEN free < 5 THEN 5 WHEN free > 10 THEN 10 ELSE free END", 5, 10),
        ("CASE WHEN NOT (free < 5 OR free > 10) THEN free END", 5, 10),
        ("CASE WHEN free < 5 OR free > 10 THEN 0 ELSE free END", 0, 10),
        ("CASE WHEN age > 18 THEN age END", 18, 100),
        ("CASE WHEN many = 3 THEN many ELSE 4 END", 3, 4),
        ("sqrt(cost)", 1, 100),
        ("age ^ 2", 0, 10_000),
        ("power(cost, 3)", 1, 10**12),
        ("2 ^ least(age, 10)", 1, 1024),
        ("log(cost)", 0, 4),
        ("sin(free)", -1, 1),
        ("sign(free)", -1, 1),
        ("width_bucket(free, 0, 10, 5)", 0, 6),
        ("width_bucket(since, ARRAY['2024-01-01', '2025-01-01']::timestamp[])", 0, 2),
        ("div(cost, 7)", 0, 1429),
        ("gcd(age, 12)", 0, 100),
        ("round(cost, -3)", 0, 10_000),
        ("extract(second from since)", 0, 60),
    ],
)
def test_expression_has_the_bounds_that_follow_from_its_form(
    text: str, low: int, high: int, relation: Relation
) -> None:
    bounds = compiled(text, relation).bounds
    assert bounds is not None
    assert (bounds.low, bounds.high) == (Fraction(low), Fraction(high))


@pytest.mark.parametrize(
    "text",
    [
        "free",
        "greatest(free, 5)",
        "least(greatest(free, many), 10)",
        "greatest(free, age)",
        "least(greatest(many, free, 5), 10, score)",
        "CASE WHEN free > 5 THEN free END",
        "CASE WHEN free BETWEEN 5 AND 10 THEN many END",
        "CASE WHEN free < 5 OR age > 10 THEN free END",
        "CASE WHEN NOT (free >= 5 AND free <= 10) THEN 0 ELSE many END",
        "CASE WHEN free BETWEEN SYMMETRIC 10 AND 5 THEN free END",
        "CASE WHEN free BETWEEN age AND 10 THEN free END",
        "free ^ 2",
        "tan(free)",
        "extract(day from since - since)",
        "length(noted)::numeric * free",
    ],
)
def test_expression_has_no_bounds_where_none_follow(text: str, relation: Relation) -> None:
    assert compiled(text, relation).bounds is None


def test_text_for_the_source_cannot_grow_with_every_level_of_nesting(relation: Relation) -> None:
    with pytest.raises(UnsupportedError) as refusal:
        compiled("free" + " / 3" * 60, relation)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("expression-size", "0A000")
    assert len(compiled("age" + " * 2 + 1" * 60, relation).sql) < 5000


def test_nested_case_does_not_compile_its_parts_anew_at_each_level(
    relation: Relation, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up: list[exp.Column] = []
    column = Relation.column

    def counted(self: Relation, node: exp.Column) -> Term:
        looked_up.append(node)
        return column(self, node)

    monkeypatch.setattr(Relation, "column", counted)
    text = "many"
    for _ in range(12):
        text = f"CASE WHEN ({text}) > 1 THEN 2 ELSE 3 END"
    assert compiled(text, relation).bounds is not None
    assert len(looked_up) <= 4


REFUSED = {
    "power of a text": ("noted ^ 2", "arithmetic-type"),
    "fraction outside the quotes": ("since + interval '1.5' day > now()", "interval"),
    "look-ahead": ("noted ~ 'a(?=b)'", "constant-pattern"),
    "long count": ("noted ~ 'a{999}'", "constant-pattern"),
    "basic regular expressions": ("regexp_replace(noted, 'a', 'b', 'b') = ''", "constant-pattern"),
    "replacement from a column": ("replace(noted, 'a', noted) = ''", "constant-argument"),
    "escape of two characters": ("noted LIKE 'a' ESCAPE 'xy'", "constant-pattern"),
    "pattern that ends in its own escape": ("noted LIKE 'a#' ESCAPE '#'", "constant-pattern"),
    "many copies": ("repeat(noted, 101) = ''", "constant-argument"),
    "rows of unequal length": ("(age, many) = (1, 2, 3)", "not-allowed"),
    "row test": ("(age, many) IS NULL", "not-allowed"),
    "lcm without a grid": ("lcm(free, 3) > 1", "function"),
    "another schema": ("evil.lower(noted) = ''", "not-allowed"),
    "array from columns": ("age = ANY (ARRAY[many, 1]) AND age > ANY (ARRAY[many, 1])", "not-allowed"),
    "thresholds with NULL": ("width_bucket(age, ARRAY[1, NULL]) = 1", "constant-argument"),
}


@pytest.mark.parametrize(("text", "rule"), REFUSED.values(), ids=REFUSED.keys())
def test_form_that_could_fail_or_run_long_is_refused(text: str, rule: str, relation: Relation) -> None:
    with pytest.raises(UnsupportedError) as refusal:
        compiled(text, relation)
    assert (refusal.value.rule, refusal.value.sqlstate) == (rule, "0A000")
