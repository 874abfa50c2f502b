"""The expressions that a SELECT groups by, as they stand in its tree."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.trees.scopes import Scopes
from proxy.sql.trees.walking import output_name, unaliased

_LISTS = (exp.Rollup, exp.Cube, exp.GroupingSets, exp.Tuple)


def key_expressions(select: exp.Select, scopes: Scopes) -> list[exp.Expr]:
    """The items of GROUP BY, or the outputs that they name by place or alias; the outputs of SELECT DISTINCT without
    GROUP BY. Which of two readings Postgres prefers is decided where they are compiled."""
    group, distinct = select.args.get("group"), select.args.get("distinct")
    if group is None:
        return [unaliased(output) for output in select.expressions] if distinct is not None else []
    return [_meant(leaf, select, scopes) for leaf in _leaves(group)]


def _leaves(node: exp.Expr) -> list[exp.Expr]:
    leaves: list[exp.Expr] = []
    for item in node.expressions:
        bare = item.unnest()
        leaves += _leaves(bare) if isinstance(bare, _LISTS) else [item]
    return leaves


def _meant(item: exp.Expr, select: exp.Select, scopes: Scopes) -> exp.Expr:
    bare = item.unnest()
    if isinstance(bare, exp.Literal) and bare.name.isdigit() and 1 <= int(bare.name) <= len(select.expressions):
        return unaliased(select.expressions[int(bare.name) - 1])
    if isinstance(bare, exp.Column) and not bare.args.get("table") and scopes.owner(bare, select) is None:
        for output in select.expressions:
            if isinstance(output, exp.Alias) and output_name(output) == folded(bare.this):
                return unaliased(output)
    return item
