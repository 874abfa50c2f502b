"""Expressions over arrays of draws: what an expression of released numbers is, draw by draw.

Each released number has an array of draws, the values that it may have without its noise. An operator of two numbers
is a function of two such arrays, and a window function of numbers one of arrays. The functions `dp.draws_…` are the
stage's (`postgres/stage_draws.py`). Which rows there are and which branch of a CASE is taken follows from the released
numbers themselves, so that a row has one interval, the same in all its columns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from proxy.dp.simulated import DRAWS
from proxy.sql.nodes import copied
from proxy.sql.plain_postgres import Plus, excerpt
from proxy.sql.refusal import unsupported
from proxy.sql.trees.aggregate_calls import is_aggregate_call
from proxy.sql.trees.walking import own_nodes

_OPERATORS: dict[type[exp.Expr], str] = {
    exp.Add: "add",
    exp.Sub: "subtract",
    exp.Mul: "multiply",
    exp.Div: "divide",
}
_OF_ONE = frozenset({"abs", "ceil", "ceiling", "floor", "round", "sign", "trunc"})
_OF_SEVERAL = frozenset({"coalesce", "greatest", "least", "nullif"})
_OF_ROWS = frozenset({"first_value", "lag", "last_value", "lead", "nth_value"})
"""Window functions that show another row's value."""
_CONDITIONS = (exp.Predicate, exp.Connector, exp.Not)
_CASTS = frozenset({exp.DType.DECIMAL, exp.DType.DOUBLE, exp.DType.BIGINT})


@dataclass(frozen=True)
class Leaf:
    """What is not made of other numbers: its draws as an array; None without noise."""

    draws: exp.Expr | None


class DrawnExpressions:
    """Expressions of one SELECT.

    Args:
        leaf: the leaf that a node is; None where it is none. It is also told whether the node is inside an aggregate.
    """

    def __init__(self, leaf: Callable[[exp.Expr, bool], Leaf | None]) -> None:
        self._leaf = leaf

    def draws(self, node: exp.Expr, *, aggregated: bool = False) -> exp.Expr | None:
        """An array of the draws of an expression; None if nothing in it has noise.

        Raises:
            UnsupportedError: noise in something that is not computed draw by draw.
        """
        leaf = self._leaf(node, aggregated)
        if leaf is not None:
            return leaf.draws
        if isinstance(node, _CONDITIONS):
            return None
        if isinstance(node, exp.Query):
            raise _unsupported(node)
        if isinstance(node, (exp.Paren, Plus)):
            return self.draws(node.this, aggregated=aggregated)
        if isinstance(node, exp.Window) or is_aggregate_call(node):
            return self._over_rows(node)
        if isinstance(node, exp.Case):
            return self._case(node, aggregated)
        operands = _operands(node)
        parts = [self.draws(part, aggregated=aggregated) for part in operands or node.iter_expressions()]
        if not any(parts):
            return None
        if operands is None:
            raise _unsupported(node)
        return self._computed(node, [part or filled(operand) for part, operand in zip(parts, operands, strict=True)])

    def _computed(self, node: exp.Expr, parts: list[exp.Expr]) -> exp.Expr:
        """An operator or function of arrays."""
        if isinstance(node, exp.Cast):
            return exp.Cast(this=parts[0], to=exp.DataType(this=exp.DType.ARRAY, expressions=[node.to], nested=True))
        if isinstance(node, exp.Neg):
            return draws_call("multiply", parts[0], filled(exp.Literal.number(-1)))
        name = _OPERATORS.get(type(node)) or node.name.lower()
        if name in ("round", "trunc") and len(node.expressions) == 2:
            return draws_call(name, parts[0], copied(node.expressions[1]))
        found, *others = parts
        if not others:
            return draws_call({"ceiling": "ceil"}.get(name, name), found)
        for other in others:
            found = draws_call(name, found, other)
        return found

    def _case(self, node: exp.Case, aggregated: bool) -> exp.Expr | None:
        """Each result is an array; the conditions are those of the released numbers."""
        results = [
            *(branch.args["true"] for branch in node.args["ifs"]),
            *([d] if (d := node.args.get("default")) else []),
        ]
        parts = [self.draws(result, aggregated=aggregated) for result in results]
        if not any(parts):
            return None
        case = copied(node)
        arrays = [part or filled(result) for part, result in zip(parts, results, strict=True)]
        for branch, array in zip(case.args["ifs"], arrays, strict=False):
            branch.set("true", array)
        if case.args.get("default") is not None:
            case.set("default", arrays[-1])
        return case

    def _over_rows(self, node: exp.Expr) -> exp.Expr | None:
        """An aggregate or a window function, with FILTER and OVER as they are."""
        call = node
        while isinstance(call, (exp.Window, exp.Filter, exp.IgnoreNulls, exp.RespectNulls)):
            call = call.this
        if not isinstance(call, exp.Anonymous):
            # WITHIN GROUP and the like: what is ordered there is no argument.
            if any(self.draws(column, aggregated=True) for column in own_nodes(call) if isinstance(column, exp.Column)):
                raise _unsupported(node)
            return None
        arguments = list(call.expressions)
        of_rows = isinstance(node, exp.Window) and call.name.lower() in _OF_ROWS
        parts = [self.draws(argument, aggregated=not of_rows) for argument in arguments]
        name = call.name.lower()
        if name == "count" or not any(parts):
            return None
        if isinstance(call.parent, exp.Dot) or not parts[0]:
            raise _unsupported(node)
        if of_rows:
            default = [parts[2] or filled(arguments[2])] if len(arguments) > 2 else []
            others = [copied(argument) for argument in arguments[1:2]]
            return _with_call(node, exp.Anonymous(this=name, expressions=[parts[0], *others, *default]))
        if name not in ("sum", "avg"):
            raise _unsupported(node)
        total = _with_call(node, draws_call("sum", parts[0]))
        if name == "sum":
            return total
        count = _with_call(node, exp.Anonymous(this="count", expressions=[copied(arguments[0])]))
        numeric = exp.Cast(this=exp.Paren(this=count), to=exp.DataType.build("decimal"))
        return draws_call("divide", total, filled(numeric))


def draws_call(name: str, *arguments: exp.Expr) -> exp.Expr:
    """A call of one of the stage's functions of draws."""
    call = exp.Anonymous(this=f"draws_{name}", expressions=list(arguments))
    return exp.Dot(this=exp.to_identifier("dp"), expression=call)


def filled(node: exp.Expr) -> exp.Expr:
    """The array of a value without noise."""
    if isinstance(node, exp.Null):
        return exp.Null()
    size = exp.Array(expressions=[exp.Literal.number(DRAWS)])
    call = exp.Anonymous(this="array_fill", expressions=[copied(node), size])
    return exp.Dot(this=exp.to_identifier("pg_catalog"), expression=call)


def _with_call(node: exp.Expr, call: exp.Expr) -> exp.Expr:
    """A copy of an aggregate or a window function with another call in it."""
    if not isinstance(node, (exp.Window, exp.Filter, exp.IgnoreNulls, exp.RespectNulls)):
        return call
    copy = copied(node)
    copy.set("this", _with_call(node.this, call))
    return copy


def _operands(node: exp.Expr) -> list[exp.Expr] | None:
    """The numbers that an operator or a function takes; None for one that is not computed draw by draw."""
    if type(node) in _OPERATORS:
        return [node.this, node.expression]
    if isinstance(node, exp.Neg):
        return [node.this]
    if isinstance(node, exp.Cast):
        return [node.this] if node.to.this in _CASTS and not node.to.expressions else None
    if isinstance(node, exp.Anonymous) and not isinstance(node.parent, exp.Dot):
        name, arguments = node.name.lower(), list(node.expressions)
        if name in _OF_SEVERAL or (name in _OF_ONE and len(arguments) == 1):
            return arguments
        if name in ("round", "trunc"):
            return arguments[:1]
    return None


def _unsupported(node: exp.Expr) -> Exception:
    names = ", ".join(sorted(_OF_ONE | _OF_SEVERAL | {"avg", "sum"}))
    return unsupported(
        node,
        f"{excerpt(node)} is not supported in the expression of a noise interval",
        rule="noise-interval-expression",
        detail="The interval is computed from draws of the noise around released numbers, which only some functions "
        "are defined for.",
        hint=f"Use arithmetic, CASE, casts to numeric, bigint or float, {names}, and lag, lead and first_value "
        "with OVER.",
    )
