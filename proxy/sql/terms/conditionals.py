"""CASE, COALESCE, NULLIF, GREATEST and LEAST: one of several values, with bounds that follow from the choice itself.

`least(greatest(x, 0), 100)` and `CASE WHEN x BETWEEN 0 AND 100 THEN x END` have bounds even if the policy gives x none:
whatever x holds, no value outside them can result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import reduce

from sqlglot import exp

from proxy.sql.replacing import replace
from proxy.sql.terms import clocks, costs
from proxy.sql.terms.arithmetic import Compile, common_step, compared_text, plainly_collated, unify
from proxy.sql.terms.calling import arguments_of
from proxy.sql.terms.collations import all_by_code_point
from proxy.sql.terms.comparable_types import is_comparable, not_comparable
from proxy.sql.terms.comparisons import comparable, condition, plainly_written
from proxy.sql.terms.limits import limits_of, narrowed, together
from proxy.sql.terms.operation import CompileOperand, Operation
from proxy.sql.terms.spans import Span
from proxy.sql.terms.term import Limits, Term
from proxy.sql.terms.types import BOOLEAN, UNKNOWN, Kind, SqlType
from proxy.sql.terms.work import size_of


def choice(sql: str, type_: SqlType, results: list[Term], *, constant: bool = False) -> Term:
    """A term whose value is one of the `results`: its bounds are their hull, its step their common step."""
    values = [term for term in results if term.sql != "NULL"]
    step: Fraction | None = None
    grid: Fraction | None = None
    magnitude: Fraction | None = None
    if values and type_.is_number:
        step, grid = values[0].step, values[0].grid
        for term in values[1:]:
            step, grid = common_step(step, term.step), common_step(grid, term.grid)
    magnitudes = [term.magnitude for term in values if term.magnitude is not None]
    if values and len(magnitudes) == len(values):
        magnitude = max(magnitudes)
    nullable = any(term.nullable for term in results)
    wide = any(term.wide for term in values)
    size = max((size_of(term) for term in values), default=0)
    guarded = sql if type_.kind is Kind.FLOAT and all(term.is_guarded for term in values) else None
    term = Term(sql, type_, nullable, None, step, grid, magnitude, wide, constant=constant, size=size, guarded=guarded)
    if values and type_.kind is Kind.INTERVAL:
        return replace(term, span=_one_span(values))
    if values and type_.is_datetime:
        values = [_dated(value, type_) for value in values]
    elif not values or not type_.is_number:
        return term
    return term.limited_to(_least(term.lowest for term in values), _greatest(term.highest for term in values))


def _one_span(terms: list[Term]) -> Span | None:
    """What is known of an interval that is one of several."""
    spans = [term.span for term in terms if term.span is not None]
    return reduce(Span.hull, spans) if len(spans) == len(terms) else None


def _dated(term: Term, type_: SqlType) -> Term:
    """A text constant beside dates with its bounds as one of them."""
    bounds = clocks.constant(term.literal, type_.kind) if term.literal is not None else None
    return replace(term, bounds=bounds) if term.kind is Kind.UNKNOWN else term


def _least(limits: Iterable[Fraction | None]) -> Fraction | None:
    """The least limit, None if one is missing."""
    known = list(limits)
    return None if None in known else min(limit for limit in known if limit is not None)


def _greatest(limits: Iterable[Fraction | None]) -> Fraction | None:
    known = list(limits)
    return None if None in known else max(limit for limit in known if limit is not None)


def _coalesce(node: exp.Anonymous, compile_: Compile) -> Term:
    terms, type_ = unify(node, arguments_of(node, compile_, 1, 100))
    term = choice(f"coalesce({', '.join(t.sql for t in terms)})", type_, terms)
    return replace(term, nullable=all(t.nullable for t in terms))


def _comparable_arguments(node: exp.Anonymous, compile_: Compile, least: int, most: int | None = None) -> list[Term]:
    terms = arguments_of(node, compile_, least, most)
    for term in terms:
        if not is_comparable(term.type):
            raise not_comparable(node, term.type)
    return terms


def _extreme(node: exp.Anonymous, compile_: Compile) -> Term:
    """greatest and least, which ignore NULL arguments: only an argument that is never NULL surely limits the result."""
    name = node.name.lower()
    terms, type_ = unify(node, _comparable_arguments(node, compile_, 1, 100))
    compared = ", ".join(t.sql for t in all_by_code_point(node, terms))
    term = plainly_collated(choice(f"{name}({compared})", type_, terms))
    term = replace(term, nullable=all(t.nullable for t in terms))
    if not (type_.is_number or type_.is_datetime):
        return term
    if type_.is_datetime:
        terms = [_dated(t, type_) for t in terms]
    certain = [t for t in terms if not t.nullable]
    low, high = term.lowest, term.highest
    if name == "greatest":
        low = max((limit for limit in (low, *(t.lowest for t in certain)) if limit is not None), default=None)
    else:
        high = min((limit for limit in (high, *(t.highest for t in certain)) if limit is not None), default=None)
    return term.limited_to(low, high)


def _nullif(node: exp.Anonymous, compile_: Compile) -> Term:
    terms, _ = unify(node, _comparable_arguments(node, compile_, 2), compared=True)
    first, second = terms
    type_ = compared_text(first.type, second.type) if Kind.TEXT in (first.kind, second.kind) else first.type
    sql = f"NULLIF({first.sql}, {second.sql})"
    return replace(first, sql=sql, type=type_, nullable=True, literal=None, constant=False, size=size_of(first))


def _case(node: exp.Expr, compile_: CompileOperand) -> Term:
    """A CASE. One that looks up a text among constants reads the text once, as Postgres does with CASE x WHEN …: what
    is stored of it may take long to fetch, so a hundred readings of it would be too many."""
    looked_up = _lookup(node)
    if looked_up is not None:
        subject = compile_(looked_up)
        if subject.kind is Kind.TEXT and not subject.constant:
            return _by_text(node, subject, compile_)
    return _by_conditions(node, compile_)


def _lookup(node: exp.Expr) -> exp.Expr | None:
    """The column that all conditions of a CASE compare with texts, by = or IN; None if there is none."""
    tested = [_tested(branch.this, node.args.get("this")) for branch in node.args["ifs"]]
    columns = {subject.sql() if subject is not None else None for subject, _ in tested}
    if len(tested) < _FEWEST_TESTS or len(columns) > 1 or None in columns:
        return None
    return tested[0][0]


_FEWEST_TESTS = 2


def _tested(test: exp.Expr, subject: exp.Expr | None) -> tuple[exp.Expr | None, list[exp.Expr]]:
    """The column and the texts that a condition of a CASE, or its subject, is compared with."""
    test = test.unnest()
    if subject is not None:
        column, texts = subject.unnest(), [test]
    elif isinstance(test, exp.EQ):
        sides = [test.this.unnest(), test.expression.unnest()]
        column, *texts = sides if isinstance(sides[0], exp.Column) else sides[::-1]
    elif isinstance(test, exp.In) and not any(test.args.get(name) for name in ("query", "unnest", "field")):
        column, texts = test.this.unnest(), [text.unnest() for text in test.expressions]
    else:
        return None, []
    plain = isinstance(column, exp.Column) and all(isinstance(text, exp.Literal) and text.is_string for text in texts)
    return (column, texts) if plain else (None, [])


def _by_text(node: exp.Expr, subject: Term, compile_: CompileOperand) -> Term:
    """CASE of a text and the constants that it is compared with."""
    tests = [_tested(branch.this, node.args.get("this"))[1] for branch in node.args["ifs"]]
    results = [compile_(branch.args["true"]) for branch in node.args["ifs"]]
    default = node.args.get("default")
    results.append(compile_(default) if default is not None else Term("NULL", UNKNOWN, True, constant=True))
    # Postgres looks at ELSE first.
    (last, *others), type_ = unify(node, [results[-1], *results[:-1]])
    arms = []
    for texts, result in zip(tests, others, strict=True):
        for text in texts:
            left, right = plainly_written(list(comparable(node, subject, compile_(text))))
            arms.append(f" WHEN {right.sql} THEN {result.sql}")
    return choice(f"(CASE {left.sql}{''.join(arms)} ELSE {last.sql} END)", type_, [*others, last])


def _by_conditions(node: exp.Expr, compile_: CompileOperand) -> Term:
    """CASE WHEN and CASE x WHEN; one result if that is certain, as in CASE WHEN true THEN 1 ELSE … END."""
    subject = compile_(node.this) if node.args.get("this") is not None else None
    conditions, results = [], []
    failed: Limits = {}
    for branch in node.args["ifs"]:
        met = together(failed, limits_of(branch.this, compile_)) if subject is None else failed
        result = narrowed(compile_(branch.args["true"], met), met)
        if subject is None:
            conditions.append(condition(branch.this, compile_))
            failed = together(failed, limits_of(branch.this, compile_, holds=False))
        else:
            left, right = comparable(branch, subject, compile_(branch.this))
            conditions.append(Term(f"{left.sql} = {right.sql}", BOOLEAN))
        results.append(result)
    default = node.args.get("default")
    if default is not None:
        results.append(narrowed(compile_(default, failed), failed))
    else:
        results.append(Term("NULL", UNKNOWN, True, constant=True))
    # Postgres looks at ELSE first.
    (last, *others), type_ = unify(node, [results[-1], *results[:-1]])
    decided = _decided(conditions, [*others, last])
    if decided is not None and (decided.type.name, decided.type.length) == (type_.name, type_.length):
        return decided
    results = [*others, last]
    arms = "".join(f" WHEN {test.sql} THEN {result.sql}" for test, result in zip(conditions, others, strict=True))
    return choice(f"(CASE{arms} ELSE {last.sql} END)", type_, results)


def _decided(conditions: Sequence[Term], results: Sequence[Term]) -> Term | None:
    """The result of a CASE whose conditions are constants up to it; None if it depends on a row."""
    for test, result in zip(conditions, results, strict=False):
        if test.literal == _TRUE:
            return result
        if test.literal != _FALSE:
            return None
    return results[-1]


_TRUE, _FALSE = "true", "false"
"""What the stage makes of a constant condition."""


OPERATIONS = (
    Operation(exp.Case, _case, costs.choice, arguments="ifs default", tried=None, folded=True),
    Operation("coalesce", _coalesce, costs.choice, tried=None, folded=True),
    Operation("nullif", _nullif, costs.choice, tried=None, folded=True),
    Operation("greatest least", _extreme, costs.comparison, tried=None, folded=True),
)
