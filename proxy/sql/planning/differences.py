"""Differences and sums of two days or whole numbers, and ages in months, among the parts of an enumeration.

The differences of two runs without gaps, as in `(ordered_on - first_day) / 30`, are the run from the least to the
greatest one, which takes no product of the two. Whether they have gaps is found out when keys are enumerated: those
with gaps are subtracted one by one, unless that would be too many. What extract() shows of the months of age(x, y)
follows from the months between the least and the greatest age: they never fall while x grows, nor while y falls.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from sqlglot import exp

from proxy.sql.nodes import find_all
from proxy.sql.planning.atoms import MOST_COMBINATIONS, Atoms, most_values
from proxy.sql.planning.parts import Parts, columns_of, sources_read, where
from proxy.sql.terms.datetimes import guarded
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.operators import days_of
from proxy.sql.terms.term import Term, number_sql
from proxy.sql.terms.types import Kind

_MOST_INTEGER = 2**31
_OF_MONTHS = ("month", "year")
"""Fields of an interval that depend on its months alone."""

_MIRRORED: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.GT: exp.LT, exp.GTE: exp.LTE, exp.LT: exp.GT, exp.LTE: exp.GTE, exp.EQ: exp.EQ, exp.NEQ: exp.NEQ,
}  # fmt: skip


@dataclass(frozen=True)
class _Pair:
    """An expression of two sources.

    Attributes:
        term: itself.
        sides: what is subtracted from what, or added, each of one source.
        node: whether a node with the same SQL may be replaced.
        values: all its values, from a query of each side's distinct values c0.
        condition: what a comparison of the first side with the second one says of it, if that is known.
        most: how many values it has at most; None where nobody knows.
    """

    term: Term
    sides: tuple[Term, Term]
    node: Callable[[exp.Expr], bool]
    values: Callable[[str, str], str]
    condition: Callable[[type[exp.Expr], exp.Column], exp.Expr | None]
    most: int | None = None


def with_differences(parts: Parts) -> Parts:
    """The same keys, where differences, sums and ages are sources of their own as far as nothing else ties their two
    sources."""
    for key in parts.keys:
        for node in find_all(key, exp.Add, exp.Sub, exp.Anonymous):
            pair = _pair(node, parts.atoms)
            found = _with_pair(pair, parts) if pair is not None else None
            if found is not None:
                return with_differences(found)
    return parts


def _pair(node: exp.Expr, atoms: Atoms) -> _Pair | None:
    operands = node.expressions if isinstance(node, exp.Anonymous) else [node.this, node.expression]
    if len(operands) != 2 or {len(columns_of(operand)) for operand in operands} != {1}:
        return None
    if len(columns_of(node)) != 2:
        return None
    if isinstance(node, exp.Anonymous):
        return _age(node, atoms) if node.name.lower() == "age" else None
    return _sum(node, atoms)


def _with_pair(pair: _Pair, parts: Parts) -> Parts | None:
    atoms, read = parts.atoms, [sources_read(side.sql) for side in pair.sides]
    both = read[0] | read[1]
    column = exp.column("c0", table=f"d{len(atoms.sources)}")
    keys, conditions = (
        tuple(_replaced(tree, pair, column, atoms) for tree in trees) for trees in (parts.keys, parts.conditions)
    )
    conditions = tuple(_compared(condition, pair, column, atoms) for condition in conditions)
    kept = tuple(condition for condition in conditions if not columns_of(condition) & both)
    told = tuple(sql for sql in parts.told if not sources_read(sql) & both)
    tied = [condition for condition in conditions if columns_of(condition) & both]
    if any(columns_of(key) & both for key in keys) or not all(columns_of(condition) in read for condition in tied):
        return None
    filters = [compile_term(condition, atoms).sql for condition in tied]
    filters += [sql for sql in parts.told if sources_read(sql) & both]
    if not all(sources_read(sql) in read for sql in filters):
        return None
    left, right = (
        f"SELECT DISTINCT {side.sql} AS c0 FROM ({atoms.sources[place].sql}) AS d{place}"
        + where([sql for sql in filters if sources_read(sql) == {place}])
        for side, (place,) in zip(pair.sides, read, strict=True)
    )
    other = atoms.copy()
    name = f"{pair.term.sql} of d{len(atoms.sources)}"
    other.add(name, pair.values(left, right), pair.term, "differences", _most(pair, parts.atoms, both))
    return Parts(keys, kept, told, other, parts.spent | both)


def _most(pair: _Pair, atoms: Atoms, sources: frozenset[int]) -> int | None:
    """At most how many values it has; None where nobody knows how many the sources have, which then are few."""
    sizes = [atoms.sources[place].size for place in sources]
    product = math.prod(size for size in sizes if size is not None) if None not in sizes else None
    return min(pair.most, product) if pair.most is not None and product is not None else None


def _replaced(tree: exp.Expr, pair: _Pair, column: exp.Column, atoms: Atoms) -> exp.Expr:
    """The tree with a column in the place of each such expression."""
    copy, both = exp.Paren(this=tree.copy()), sources_read(pair.term.sql)
    for node in find_all(copy, exp.Add, exp.Sub, exp.Anonymous):
        if pair.node(node) and columns_of(node) == both and compile_term(node, atoms).sql == pair.term.sql:
            node.replace(column.copy())
    whole: exp.Expr = copy.this
    return whole


def _compared(condition: exp.Expr, pair: _Pair, column: exp.Column, atoms: Atoms) -> exp.Expr:
    """A comparison of the two sides as what it says of the expression."""
    bare = condition.unnest()
    if type(bare) not in _MIRRORED or len(columns_of(bare)) != 2:
        return condition
    sides = tuple(side.sql for side in pair.sides)
    compared = tuple(_side(node, atoms) for node in (bare.this, bare.expression))
    kind: type[exp.Expr] = type(bare)
    if compared == sides[::-1]:
        kind = _MIRRORED[kind]
    elif compared != sides:
        return condition
    found = pair.condition(kind, column.copy())
    return found if found is not None else condition


def _side(node: exp.Expr, atoms: Atoms) -> str:
    term = compile_term(node, atoms)
    return (guarded(term) if term.type.is_datetime else _number(term)).sql


def _number(term: Term) -> Term:
    return term.with_sql(f"{term.sql}::numeric")


def _sum(node: exp.Expr, atoms: Atoms) -> _Pair | None:
    """A sum or difference of dates within years that can be, or of whole numbers."""
    whole, left, right = (compile_term(each, atoms) for each in (node, node.this, node.expression))
    symbol = "+" if isinstance(node, exp.Add) else "-"
    if symbol == "+" and right.kind is Kind.DATE:
        left, right = right, left
    of_numbers = left.is_integer and right.is_integer
    if of_numbers:
        plain = [f"({left.sql}{cast} {symbol} {right.sql})" for cast in ("", "::integer", "::bigint")]
        type_ = "integer" if whole.magnitude is not None and whole.magnitude < _MOST_INTEGER else "bigint"
        sides = _number(left), _number(right)
    elif left.kind is Kind.DATE and right.kind in (Kind.DATE, Kind.INTEGER):
        sides = guarded(left), guarded(right) if right.kind is Kind.DATE else right.with_sql(days_of(right))
        plain, type_ = [f"({sides[0].sql} {symbol} {sides[1].sql})"], whole.type.name
    else:
        return None
    if whole.sql not in plain or whole.wide:
        return None
    step = whole.step if of_numbers and whole.step is not None and whole.step.denominator == 1 else Fraction(1)

    def values(first: str, second: str) -> str:
        return _all_sums(first, second, symbol, type_, number_sql(step))

    def condition(kind: type[exp.Expr], column: exp.Column) -> exp.Expr | None:
        comparable = symbol == "-" and left.kind is right.kind and None not in (left.bounds, right.bounds)
        return kind(this=column, expression=exp.Literal.number(0)) if comparable else None

    return _Pair(whole, sides, lambda each: isinstance(each, (exp.Add, exp.Sub)), values, condition, most_values(whole))


def _all_sums(left: str, right: str, symbol: str, type_name: str, step: str) -> str:
    """All sums or differences of two sets of dates or whole numbers, each a query of distinct values c0."""
    number, dense = "count(c0)::numeric AS number", "max(c0) - min(c0) + 1 = count(c0) AS dense"
    ends = f"SELECT min(c0) AS low, max(c0) AS high, {number}, {dense}"
    low, high = ("low", "high") if symbol == "+" else ("high", "low")
    run = "generate_series(e.low, e.high) AS g(c0)"
    if type_name == "date":
        run = "LATERAL (SELECT e.low + s AS c0 FROM generate_series(0, e.high - e.low) AS s) AS g"
    elif step != "1":
        run = f"generate_series(e.low, e.high, CASE WHEN e.dense THEN 1 ELSE {step} END) AS g(c0)"
    return (
        f"WITH a AS MATERIALIZED ({left}), b AS MATERIALIZED ({right}), e AS MATERIALIZED ("
        f"SELECT l.low {symbol} r.{low} AS low, l.high {symbol} r.{high} AS high,"
        f" l.dense AND r.dense AS dense, l.dense AND r.dense OR l.number * r.number > {MOST_COMBINATIONS} AS run"
        f" FROM ({ends} FROM a) AS l, ({ends} FROM b) AS r)"
        f" SELECT g.c0::{type_name} AS c0 FROM e, {run} WHERE e.run"
        f" UNION SELECT (a.c0 {symbol} b.c0)::{type_name} FROM a, b WHERE (SELECT e.run FROM e) IS NOT TRUE{_NULLS}"
    )


_NULLS = (
    " UNION SELECT NULL FROM (SELECT FROM a WHERE c0 IS NULL LIMIT 1) AS n, (SELECT FROM b LIMIT 1) AS o"
    " UNION SELECT NULL FROM (SELECT FROM b WHERE c0 IS NULL LIMIT 1) AS n, (SELECT FROM a LIMIT 1) AS o"
)
"""NULL where a side can be NULL and the other one has values."""


def _age(node: exp.Anonymous, atoms: Atoms) -> _Pair | None:
    """age(x, y) of dates or timestamps of which only the months are shown."""
    whole, (later, earlier) = compile_term(node, atoms), (compile_term(each, atoms) for each in node.expressions)
    sides = guarded(later), guarded(earlier)
    if later.kind is not earlier.kind or later.kind not in (Kind.DATE, Kind.TIMESTAMP):
        return None  # A moment's clock may have been put back.
    if whole.sql != f"age({sides[0].sql}, {sides[1].sql})":
        return None

    def condition(kind: type[exp.Expr], column: exp.Column) -> exp.Expr | None:
        if later.bounds is None or earlier.bounds is None or issubclass(kind, exp.NEQ):
            return None
        # An age of less than a month has none, whatever its sign.
        months: dict[type[exp.Expr], type[exp.Expr]] = {exp.GT: exp.GTE, exp.LT: exp.LTE}
        return months.get(kind, kind)(this=column, expression=_interval("0 days"))

    months = whole.span.months if whole.span is not None else None
    most = int(months.width) + 1 if months is not None else None
    return _Pair(whole, sides, _shows_months, _all_months, condition, most)


def _shows_months(node: exp.Expr) -> bool:
    """Is it the argument of extract() or date_part() of a field that depends on months alone?"""
    inner = node
    while isinstance(inner.parent, exp.Paren):
        inner = inner.parent
    parent = inner.parent
    if isinstance(parent, exp.Extract):
        return parent.this.name.lower() in _OF_MONTHS
    if not isinstance(parent, exp.Anonymous) or parent.name.lower() != "date_part":
        return False
    return inner is parent.expressions[1] and parent.expressions[0].name.lower() in _OF_MONTHS


def _all_months(left: str, right: str) -> str:
    """All ages in whole months, between those of the ends of two sets of dates or timestamps."""
    months = "(extract(year FROM {0}) * 12 + extract(month FROM {0}))::integer"
    low, high = (months.format(f"age({ends})") for ends in ("l.low, r.high", "l.high, r.low"))
    ends = "SELECT min(c0) AS low, max(c0) AS high"
    return (
        f"WITH a AS MATERIALIZED ({left}), b AS MATERIALIZED ({right})"
        f" SELECT make_interval(months => g.s) AS c0 FROM ({ends} FROM a) AS l, ({ends} FROM b) AS r,"
        f" generate_series({low}, {high}) AS g(s){_NULLS}"
    )


def _interval(text: str) -> exp.Expr:
    return exp.Cast(this=exp.Literal.string(text), to=exp.DataType.build("interval"))
