"""Calls by name: the functions of pg_catalog that are allowed, each in the form in which it cannot fail."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from proxy.sql.postgres_aggregates import AGGREGATES
from proxy.sql.refusal import refused, unsupported
from proxy.sql.terms import (
    array_columns,
    choices,
    datetimes,
    documents,
    intervals,
    mathematics,
    patterns,
    texts,
    whole_numbers,
)
from proxy.sql.terms.arithmetic import Compile
from proxy.sql.terms.term import Term

_REGISTRIES: tuple[dict[str, Callable[[exp.Anonymous, Compile], Term]], ...] = tuple(
    module.CALLS
    for module in (
        choices, whole_numbers, mathematics, texts, patterns, datetimes, intervals, documents, array_columns
    )
)  # fmt: skip

NAMES = frozenset(name for registry in _REGISTRIES for name in registry)
"""Every function that may be called over private rows; none of them returns a set."""


def compile_call(node: exp.Anonymous, compile_: Compile) -> Term:
    """Compile a function call by its name.

    Raises:
        UnsupportedError: a function that is not on the allow-list, or a wrong number of arguments.
        RefusedError: an aggregate or window function inside a row-level expression.
    """
    name = node.name.lower()
    if name in AGGREGATES:
        raise refused(
            node,
            f"the aggregate {name}() cannot be used inside another aggregate, in WHERE or in GROUP BY",
            rule="nested-aggregate",
            hint="Put the inner aggregate in a subquery in FROM and aggregate its result.",
        )
    for registry in _REGISTRIES:
        handler = registry.get(name)
        if handler is not None:
            return handler(node, compile_)
    raise unsupported(
        node,
        f"the function {name}() is not supported over private rows",
        rule="function",
        detail="Only functions that never fail, run long or have effects run on the private database.",
        hint="Apply it to the released result instead: SELECT … FROM (SELECT … GROUP BY …) AS released.",
    )
