"""The constants that a CASE about a unit's aggregates or window functions gives: segments, of which all are known."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.term import Scope
from proxy.sql.terms.types import SqlType


def results_of(node: exp.Expr, type_: SqlType, scope: Scope) -> tuple[str, ...]:
    """The constants that a CASE gives, in its type, without NULL; none if it gives anything else, and for all else.

    Args:
        node: an output.
        type_: its type.
        scope: what its columns mean.
    """
    found = _results(node, type_, scope) if isinstance(node, exp.Case) else None
    return tuple(sorted(found or ()))


def _results(case: exp.Case, type_: SqlType, scope: Scope) -> set[str] | None:
    """The constants that a CASE gives, in its type, without NULL; None if it gives anything else."""
    found: set[str] = set()
    for result in [*(branch.args["true"] for branch in case.args["ifs"]), case.args.get("default")]:
        bare = result.unnest() if result is not None else exp.Null()
        if isinstance(bare, exp.Case):
            inner = _results(bare, type_, scope)
            if inner is None:
                return None
            found |= inner
            continue
        term = compile_term(bare, scope)
        if not term.constant:
            return None
        if not isinstance(bare, exp.Null):
            found.add(f"{term.sql}::{type_.name}")
    return found
