"""GROUPING() over released rows, in which each row says which of its keys are rolled up."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.planning.plan import BlockPlan
from proxy.sql.refusal import unsupported
from proxy.sql.rows.canonical import canonical


def grouping_columns(plan: BlockPlan, text: str) -> list[str]:
    """Columns g0 … of the literal relation, one for each key: 1 where it is rolled up, else 0.

    Args:
        plan: the block's plan.
        text: SQL of the row's `GroupingLevel.grouping`.
    """
    if plan.levels is None:
        return []
    return [f"substr({text}, {index + 1}, 1)::integer AS g{index}" for index in range(len(plan.keys))]


def is_grouping(node: exp.Expr) -> bool:
    """Is it a call of GROUPING?"""
    return isinstance(node, exp.Anonymous) and node.name.lower() == "grouping"


def grouping_call(node: exp.Expr, plan: BlockPlan, table: str) -> exp.Expr:
    """GROUPING(…) as an expression over the literal relation `table`: a bit for each argument, the lowest for the last.

    Raises:
        UnsupportedError: an argument that is no key of the block.
    """
    positions = {key.text: position for position, key in enumerate(plan.keys)}
    total: exp.Expr = exp.Literal.number(0)
    for argument in node.expressions:
        position = positions.get(canonical(argument, plan.relation))
        if position is None:
            raise unsupported(
                node,
                "GROUPING() takes expressions of GROUP BY",
                rule="grouping-sets",
                hint="Write each argument as it stands in GROUP BY.",
            )
        if plan.levels is not None:
            doubled = exp.Mul(this=exp.Paren(this=total), expression=exp.Literal.number(2))
            total = exp.Add(this=doubled, expression=exp.column(f"g{position}", table=table))
    return exp.Paren(this=total)
