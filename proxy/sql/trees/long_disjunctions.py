"""Rewrites long chains of `x = 'a' OR x = 'b' OR …` as `x IN ('a', 'b', …)`, which means the same, NULLs included.

So does `(x, y) IN (('a', 'b'), …)` for `(x = 'a' AND y = 'b') OR …`. A list reads each text once; hundreds of
comparisons would read it as often, and be refused for the time that this may take.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.nodes import find_all
from proxy.sql.schema import Schema

FEWEST = 20
"""Comparisons of a long chain. Shorter ones stay what they are."""

_Pairs = tuple[tuple[exp.Column, exp.Literal], ...]


def write_long_disjunctions_as_lists(query: exp.Query, _schema: Schema, _search_path: tuple[str, ...]) -> exp.Query:
    """Rewrite them in place, wherever they are."""
    for node in find_all(query, exp.Or):
        if not isinstance(node.parent, exp.Or):
            _rewrite(node)
    return query


def _rewrite(chain: exp.Or) -> None:
    operands = list(chain.flatten())
    if len(operands) < FEWEST:
        return
    others: list[exp.Expr] = []
    alike: dict[tuple[str, ...], list[_Pairs]] = {}
    for operand in operands:
        pairs = _equalities(operand)
        if pairs is None:
            others.append(operand)
        else:
            alike.setdefault(tuple(column.sql() for column, _ in pairs), []).append(pairs)
    lists = [_listed(found) for found in alike.values()]
    chain.replace(exp.Paren(this=exp.or_(*others, *lists, copy=False)))


def _equalities(operand: exp.Expr) -> _Pairs | None:
    """The columns and texts of `x = 'a' AND y = 'b' AND …`, by the columns; None for any other condition."""
    bare = operand.unnest()
    found = []
    for part in bare.flatten() if isinstance(bare, exp.And) else [bare]:
        equality = part.unnest()
        if not isinstance(equality, exp.EQ):
            return None
        column, text = equality.this.unnest(), equality.expression.unnest()
        if isinstance(column, exp.Literal):
            column, text = text, column
        if not isinstance(column, exp.Column) or not isinstance(text, exp.Literal) or not text.is_string:
            return None
        found.append((column, text))
    return tuple(sorted(found, key=lambda pair: pair[0].sql()))


def _listed(found: list[_Pairs]) -> exp.Expr:
    columns, rows = [column for column, _ in found[0]], [[text for _, text in pairs] for pairs in found]
    if len(columns) == 1:
        return exp.In(this=columns[0].copy(), expressions=[row[0].copy() for row in rows])
    left = exp.Tuple(expressions=[column.copy() for column in columns])
    return exp.In(this=left, expressions=[exp.Tuple(expressions=[text.copy() for text in row]) for row in rows])
