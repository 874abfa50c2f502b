"""Which blocks describe columns and no more: their extremes, how many values they have, how many rows have none.

Profilers and catalogs ask for these of every column, and need no accuracy for it: bounds and declared values are public
anyway. So they have a price of their own, `query.profile_epsilon` of the policy.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from proxy.sql.nodes import find_all
from proxy.sql.rows.relation import Relation
from proxy.sql.trees.aggregate_calls import aggregate_name
from proxy.sql.trees.walking import body_of, is_star, unaliased

_OF_VALUES = ("min", "max", "approx_count_distinct")


def is_profile(select: exp.Select, calls: Sequence[exp.Expr], relation: Relation) -> bool:
    """Does a block without group keys only describe columns of one table?

    The numbers of all rows, and of those with a value, may stand beside what describes; alone they are questions like
    others, and so is the number of units.

    Args:
        select: the block.
        calls: its aggregates.
        relation: the rows of FROM.
    """
    conditions = _conditions(select)
    if conditions is None or not all(map(_tells_nulls, conditions)):
        return False
    if not all(_describes(call) or _counts_rows(call) for call in calls):
        return False
    # There is no subquery in them.
    if any(_is_of_unit(column, relation) for call in calls for column in find_all(call, exp.Column)):
        return False
    of_values = [call for call in calls if not _is_count_of_all(call)]
    return bool(conditions) or any(map(_describes, calls)) or 0 < len(of_values) < len(calls)


_PLAIN = frozenset({"expressions", "from_", "where"})
"""Clauses of a subquery that leaves out rows and columns, and does no more."""


def _conditions(select: exp.Select) -> list[exp.Expr] | None:
    """The conditions under which the rows of one table are read, also in plain subqueries, as dbt's tests have them;
    None where there is more to read."""
    source, where = select.args.get("from_"), select.args.get("where")
    if source is None or select.args.get("joins"):
        return None
    own = [where.this] if where is not None else []
    if isinstance(source.this, exp.Table):
        return own
    body = body_of(source.this) if isinstance(source.this, exp.Subquery) else None
    if not isinstance(body, exp.Select) or any(value for name, value in body.args.items() if name not in _PLAIN):
        return None
    if not all(is_star(output) or isinstance(unaliased(output), exp.Column) for output in body.expressions):
        return None
    inner = _conditions(body)
    return None if inner is None else own + inner


def _is_of_unit(column: exp.Column, relation: Relation) -> bool:
    return relation.origin(column).sql in relation.unit_columns


def _describes(call: exp.Expr) -> bool:
    """Is it the extreme, the number of values or that of NULLs of one column?"""
    if isinstance(call, exp.Filter):
        return _is_count_of_all(call.this) and _tells_nulls(call.expression.this)
    if not _takes_one(call):
        return False
    name, argument = aggregate_name(call), call.expressions[0].unnest()
    if name in _OF_VALUES:
        return isinstance(argument, exp.Column)
    if isinstance(argument, exp.Distinct):
        return name == "count" and all(isinstance(value.unnest(), exp.Column) for value in argument.expressions)
    return name in ("count", "sum") and _is_one_for_nulls(argument)


def _counts_rows(call: exp.Expr) -> bool:
    return _is_count_of_all(call) or (
        _takes_one(call) and aggregate_name(call) == "count" and isinstance(call.expressions[0].unnest(), exp.Column)
    )


def _is_count_of_all(call: exp.Expr) -> bool:
    return _takes_one(call) and aggregate_name(call) == "count" and isinstance(call.expressions[0], exp.Star)


def _takes_one(call: exp.Expr) -> bool:
    return isinstance(call, exp.Anonymous) and len(call.expressions) == 1


def _is_one_for_nulls(argument: exp.Expr) -> bool:
    """CASE WHEN x IS NULL THEN 1 ELSE 0 END, or the other way round."""
    if not isinstance(argument, exp.Case) or argument.this is not None or len(argument.args["ifs"]) != 1:
        return False
    (branch,) = argument.args["ifs"]
    results = [branch.args["true"], argument.args.get("default") or exp.Null()]
    return _tells_nulls(branch.this) and all(isinstance(result.unnest(), (exp.Literal, exp.Null)) for result in results)


def _tells_nulls(node: exp.Expr) -> bool:
    """x IS NULL, or x IS NOT NULL, for a column."""
    node = node.unnest()
    while isinstance(node, exp.Not):
        node = node.this.unnest()
    tested = node.this.unnest() if isinstance(node, exp.Is) else None
    return isinstance(tested, exp.Column) and isinstance(node.expression, exp.Null)
