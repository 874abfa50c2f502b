"""Prints sqlglot's trees so that they can be read in one way only."""

from __future__ import annotations

from functools import cache

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.plain_postgres import PlainPostgresGenerator, printed

_ATOMS = (
    exp.All, exp.Anonymous, exp.Any, exp.Boolean, exp.Bracket, exp.Column, exp.DataType, exp.Dot, exp.Exists,
    exp.Filter, exp.Identifier, exp.If, exp.Kwarg, exp.Literal, exp.Null, exp.Parameter, exp.Paren, exp.PropertyEQ,
    exp.Query, exp.Slice, exp.Star, exp.Tuple, exp.Var, exp.Window, exp.WithinGroup,
)  # fmt: skip
"""Nodes that need no parentheses anywhere, or can have none."""

_BRACKETED = (exp.Array, exp.Case, exp.Cast)
"""Nodes with words or brackets of their own around them, which still cannot be followed by a subscript."""

_BARE = frozenset(
    {
        (exp.DataType, "this"),
        (exp.Escape, "this"),
        (exp.Filter, "this"),
        (exp.From, "this"),
        (exp.IgnoreNulls, "this"),
        (exp.Join, "this"),
        (exp.Lateral, "this"),
        (exp.RespectNulls, "this"),
        (exp.Table, "rows_from"),
        (exp.Table, "this"),
        (exp.Update, "expressions"),
        (exp.Window, "this"),
        (exp.WithinGroup, "this"),
    }
)
"""Places where parentheses would change the meaning or are not allowed: x LIKE y in x LIKE y ESCAPE z, functions in
FROM …"""

_CHAINS = (exp.And, exp.Or, exp.Add, exp.Mul, exp.DPipe)
"""Operators that every grammar reads from the left, so that long chains need no parentheses."""


def explicit(tree: exp.Expr, *, copy: bool = True) -> str:
    """A tree's SQL with parentheses around all that is no atom, and with names folded as the planner resolves them.

    So no operator can take an operand that is not its own in the tree. An unknown node gets parentheses too: at worst
    Postgres does not read the result. `copy` is as for `render`.
    """
    return printed(_ExplicitGenerator, tree, copy=copy)


class _ExplicitGenerator(PlainPostgresGenerator):
    def sql(self, expression: str | exp.Expr | None, key: str | None = None, comment: bool = True) -> str:
        if key is not None:
            return super().sql(expression, key, comment)
        text = super().sql(expression)
        kind: type = type(expression)
        if isinstance(expression, exp.Expr) and _is_operand(kind) and _needs_parentheses(expression):
            return f"({text})"
        return text

    def binary(self, expression: exp.Binary, op: str) -> str:
        named = expression.args.get("operator")
        if named is not None:
            op = f"OPERATOR({self.sql(named)})"
        parts, node = [self.sql(expression, "expression")], expression.this
        while isinstance(expression, _CHAINS) and type(node) is type(expression):
            parts.append(self.sql(node, "expression"))
            node = node.this
        return f" {op} ".join([self.sql(node), *reversed(parts)])

    def connector_sql(self, expression: exp.Connector, op: str, stack: object = None) -> str:  # noqa: ARG002
        return self.binary(expression, op)

    def identifier_sql(self, expression: exp.Identifier) -> str:
        name = folded(expression).replace('"', '""')
        return f'"{name}"'

    def anonymous_sql(self, expression: exp.Anonymous) -> str:
        # Calls are compiled by their names in lower case.
        return self.func(expression.name.lower(), *expression.expressions, normalize=False)


@cache
def _is_operand(kind: type) -> bool:
    """Do nodes of a class need parentheses in most places?"""
    return issubclass(kind, (exp.Condition, exp.AtTimeZone, exp.Interval)) and not issubclass(kind, _ATOMS)


def _needs_parentheses(node: exp.Expr) -> bool:
    parent = node.parent
    if parent is None or isinstance(parent, exp.Paren) or (type(parent), node.arg_key) in _BARE:
        return False
    if isinstance(node, _BRACKETED):
        return isinstance(parent, (exp.Bracket, exp.Dot))
    return not (isinstance(node, _CHAINS) and type(node) is type(parent) and node.arg_key == "this")
