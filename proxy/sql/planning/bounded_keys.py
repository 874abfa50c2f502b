"""Keys of several columns as the days or whole numbers within bounds, where the columns have too many combinations.

`extract(day FROM age(x, y))` is between -30 and 30, whatever dates x and y are, and `least(x, y)` is a day of either.
"""

from __future__ import annotations

import math

from sqlglot import exp

from proxy.sql.planning.atoms import most_values
from proxy.sql.planning.parts import Parts, columns_of, sources_read
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.spans import DAY
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import Kind

_MOST_VALUES = 10_000
"""As many as bounds declare of whole numbers. Of more those that occur are selected."""


def with_bounded_keys(parts: Parts) -> Parts:
    """The same keys, of which those of several sources are sources of their own if few numbers are within bounds."""
    atoms, keys = parts.atoms.copy(), list[exp.Expr]()
    for key in parts.keys:
        term = compile_term(key, parts.atoms)
        if len(columns_of(key)) < 2 or not _has_few_values(key, term):
            keys.append(key)
            continue
        keys.append(atoms.add(f"{term.sql} within bounds", _values(term), term, "bounds", most_values(term)))
    spent = frozenset(parts.sources).difference(*map(columns_of, keys))
    conditions = tuple(condition for condition in parts.conditions if not columns_of(condition) & spent)
    told = tuple(sql for sql in parts.told if not sources_read(sql) & spent)
    return Parts(tuple(keys), conditions, told, atoms, parts.spent | spent)


def _has_few_values(key: exp.Expr, term: Term) -> bool:
    """Is it a day, or a whole number that prints in one way only, with few others between its bounds?"""
    bare = key.unnest()
    is_field = isinstance(bare, exp.Extract) or (isinstance(bare, exp.Anonymous) and bare.name.lower() == "date_part")
    most = most_values(term)
    if most is None or most > _MOST_VALUES or term.kind is Kind.DATE:
        return most is not None and most <= _MOST_VALUES
    return (term.kind is Kind.INTEGER or is_field) and term.step is not None and term.step.denominator == 1


def _values(term: Term) -> str:
    if term.bounds is None:
        raise AssertionError("bounds were required before")
    if term.kind is Kind.DATE:
        first, days = math.floor(term.bounds.low / DAY), math.ceil(term.bounds.width / DAY)
        sql = f"SELECT '1970-01-01'::date + ({first}) + s AS c0 FROM generate_series(0, {days}) AS s"
        return f"{sql} UNION ALL SELECT NULL"
    carried = "numeric" if term.wide else "bigint" if term.kind is Kind.INTEGER else term.type.name
    step = int(term.step or 1)
    low, high = math.ceil(term.bounds.low / step) * step, math.floor(term.bounds.high)
    series = f"generate_series({low}::numeric, {high}::numeric, {step}::numeric)"
    return f"SELECT s::{carried} AS c0 FROM {series} AS s UNION ALL SELECT NULL"
