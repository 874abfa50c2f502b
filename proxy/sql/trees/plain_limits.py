"""One spelling for limits of rows.

`LIMIT 5::integer`, which drivers write for a parameter, `LIMIT '5'` and `FETCH FIRST 5 ROWS ONLY` are `LIMIT 5`. OFFSET
0, which Prisma writes below every count, LIMIT ALL and LIMIT NULL leave out no row, and so they are no limit at all.
"""

from __future__ import annotations

from typing import Final, TypeGuard

from sqlglot import exp

from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema

_DIGITS: Final = {exp.DType.SMALLINT: 4, exp.DType.INT: 9, exp.DType.BIGINT: 18}
"""Of numbers that are in these types for sure."""


def write_limits_as_numbers(query: exp.Query, _schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Write plain limits with a number, and drop those of nothing, in place, in every query.

    Args:
        query: a tree with parameters as literals.
    """
    for clause in find_all(query, exp.Offset, exp.Limit, exp.Fetch):
        count, digits = _bare(clause)
        if isinstance(count, exp.Null) or _is_nothing(clause, count):
            clause.pop()
        elif _is_plain(count, digits) and not _keeps_ties(clause):
            kind = exp.Offset if isinstance(clause, exp.Offset) else exp.Limit
            clause.replace(kind(expression=exp.Literal.number(count.name.strip())))
    return query


def _is_plain(count: exp.Expr, digits: int) -> TypeGuard[exp.Literal]:
    """Is it a number of so many digits at most?"""
    written = count.name.strip() if isinstance(count, exp.Literal) else ""
    return written.isdecimal() and len(written) <= digits


def _bare(clause: exp.Expr) -> tuple[exp.Expr, int]:
    """The number of rows without casts to whole numbers, and the digits that it may have for these."""
    count = clause.args.get("count" if isinstance(clause, exp.Fetch) else "expression") or exp.Literal.number(1)
    bare, digits = count.unnest(), _DIGITS[exp.DType.BIGINT]
    while isinstance(bare, exp.Cast) and (bare.to.this in _DIGITS or isinstance(bare.this, exp.Null)):
        bare, digits = bare.this.unnest(), min(digits, _DIGITS.get(bare.to.this, digits))
    return bare, digits


def _is_nothing(clause: exp.Expr, count: exp.Expr) -> bool:
    if isinstance(clause, exp.Offset):
        return isinstance(count, exp.Literal) and count.name == "0"
    return isinstance(count, exp.Var) and count.name.upper() == "ALL"


def _keeps_ties(clause: exp.Expr) -> bool:
    options = clause.args.get("limit_options")
    return options is not None and bool(options.args.get("with_ties") or options.args.get("percent"))
