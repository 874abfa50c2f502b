"""Calls of what may not be called over private rows."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.postgres_aggregates import AGGREGATES
from proxy.sql.refusal import refused, unsupported


def refusal_of_call(node: exp.Anonymous) -> Exception:
    """The refusal of a function that is not on the allow-list, or of an aggregate inside a row-level expression."""
    name = node.name.lower()
    if name in AGGREGATES:
        return refused(
            node,
            f"aggregate {name}() is not allowed inside another aggregate, in WHERE or in GROUP BY",
            rule="nested-aggregate",
            hint="Put the inner aggregate in a subquery in FROM and aggregate its result.",
        )
    return unsupported(
        node,
        f"the function {name}() is not supported over private rows",
        rule="function",
        detail="Only functions that cannot fail, run long or have side effects run on the private database.",
        hint="Apply it to the released result: SELECT … FROM (SELECT … GROUP BY …) AS released.",
    )
