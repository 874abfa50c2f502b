"""Keys of several columns as the whole numbers within their bounds, where the columns have too many combinations.

`extract(day FROM age(x, y))` is between -30 and 30, whatever dates x and y are.
"""

from __future__ import annotations

import math

from sqlglot import exp

from proxy.sql.planning.atoms import most_values
from proxy.sql.planning.parts import Parts, columns_of, sources_read
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import Kind

_MOST_NUMBERS = 1_000
"""More, of which most may be in no group, are not listed: those that occur are selected."""


def with_bounded_keys(parts: Parts) -> Parts:
    """The same keys, of which those of several sources are sources of their own if few numbers are within bounds."""
    atoms, keys = parts.atoms.copy(), list[exp.Expr]()
    for key in parts.keys:
        term = compile_term(key, parts.atoms)
        if len(columns_of(key)) < 2 or not _has_few_numbers(key, term):
            keys.append(key)
            continue
        keys.append(atoms.add(f"{term.sql} within bounds", _numbers(term), term, "numbers", most_values(term)))
    spent = frozenset(parts.sources).difference(*map(columns_of, keys))
    conditions = tuple(condition for condition in parts.conditions if not columns_of(condition) & spent)
    told = tuple(sql for sql in parts.told if not sources_read(sql) & spent)
    return Parts(tuple(keys), conditions, told, atoms, parts.spent | spent)


def _has_few_numbers(key: exp.Expr, term: Term) -> bool:
    """Is it a whole number that prints in one way only, with few others between its bounds?"""
    bare = key.unnest()
    is_field = isinstance(bare, exp.Extract) or (isinstance(bare, exp.Anonymous) and bare.name.lower() == "date_part")
    if term.kind is not Kind.INTEGER and not is_field:
        return False
    most = most_values(term)
    return most is not None and most <= _MOST_NUMBERS and term.step is not None and term.step.denominator == 1


def _numbers(term: Term) -> str:
    if term.bounds is None:
        raise AssertionError("bounds were required before")
    carried = "numeric" if term.wide else "bigint" if term.kind is Kind.INTEGER else term.type.name
    low, high = math.floor(term.bounds.low), math.ceil(term.bounds.high)
    return f"SELECT s::{carried} AS c0 FROM generate_series({low}::bigint, {high}::bigint) AS s UNION ALL SELECT NULL"
