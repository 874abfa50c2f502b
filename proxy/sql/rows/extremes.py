"""min and max over the rows of one unit, as keys: such a value is one that a row has.

So min(visited_at) has the values of visited_at, and date_trunc('month', min(visited_at)), or any other expression of
one extreme and group keys, has those of date_trunc('month', visited_at): that of the row with the extreme.
"""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.nodes import copied, walk
from proxy.sql.rows.members import Extreme
from proxy.sql.rows.relation import Relation
from proxy.sql.trees.aggregate_calls import is_aggregate_call
from proxy.sql.trees.walking import own_nodes


def extreme_of(node: exp.Expr, relation: Relation) -> Extreme | None:
    """The expression of a row, where `node` is an expression of one min or max over `relation`; else None."""
    found = own_nodes(node)
    calls = [inner for inner in found if isinstance(inner, exp.Anonymous) and is_aggregate_call(inner)]
    others = any(isinstance(inner, exp.Window) or (is_aggregate_call(inner) and not _is_call(inner)) for inner in found)
    if others or len(calls) != 1 or calls[0].name.lower() not in ("min", "max") or len(calls[0].expressions) != 1:
        return None
    call, (argument,) = calls[0], calls[0].expressions
    if isinstance(argument, (exp.Distinct, exp.Order)):
        return None
    copy = copied(node)
    twins = {id(old): new for old, new in zip(walk(node), walk(copy), strict=True)}
    filtered = call is not node and isinstance(call.parent, exp.Filter)
    whole = call.parent if filtered and call.parent is not None else call
    if whole is node:
        return Extreme(copied(argument), relation, filtered)
    twins[id(whole)].replace(exp.Paren(this=copied(argument)))
    return Extreme(copy, relation, filtered)


def _is_call(node: exp.Expr) -> bool:
    return isinstance(node, exp.Anonymous) or (isinstance(node, exp.Filter) and isinstance(node.this, exp.Anonymous))
