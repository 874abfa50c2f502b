"""Refusals with a position: every "no" of the compiler is raised through these two functions."""

from __future__ import annotations

from sqlglot import exp

from proxy.errors import RefusedError, UnsupportedError


def position_of(node: exp.Expr | None) -> int | None:
    """Where `node` begins in the client's text, counted in characters from 1.

    The parser does not note it for every construct: then where the smallest expression around it begins. None if the
    parser noted nothing in the whole SELECT.
    """
    while node is not None:
        starts = [found.meta["start"] for found in node.walk() if "start" in found.meta]
        if starts:
            return int(min(starts)) + 1
        node = None if isinstance(node, exp.Query) else node.parent
    return None


BOUNDS_HINT = (
    "Ask the policy's steward for bounds on each column in it (dp.columns shows which have them), or bound the value "
    "here, by what you know of the world: {call}."
)
"""What to do about a value without bounds; `call` is an example that has them."""


def unsupported(
    node: exp.Expr | None, message: str, *, rule: str, detail: str | None = None, hint: str | None = None
) -> UnsupportedError:
    """A construct that has no privacy proof here (0A000)."""
    return UnsupportedError(message, detail=detail, hint=hint, position=position_of(node), rule=rule)


def refused(
    node: exp.Expr | None, message: str, *, rule: str, detail: str | None = None, hint: str | None = None
) -> RefusedError:
    """A request that the policy or the idea of the proxy forbids (42501)."""
    return RefusedError(message, detail=detail, hint=hint, position=position_of(node), rule=rule)


def subquery_refusal(node: exp.Expr) -> UnsupportedError:
    """A subquery at a place where it is not understood."""
    return unsupported(
        node,
        "a subquery is not supported here",
        rule="subquery",
        detail="dpproxy cannot prove that it reads only rows of the same privacy unit, or public rows.",
        hint="Use EXISTS or IN in WHERE, join the table in FROM, or compute the value in a separate query.",
    )


def correlation_refusal(body: exp.Expr) -> UnsupportedError:
    """A subquery that looks at the row around it in a way that cannot be answered for all rows at once."""
    return unsupported(
        body,
        "this correlated subquery is not supported",
        rule="correlation",
        detail="It is evaluated for all keys at once, so it must be tied to the outer row by equalities.",
        hint="Write the condition as inner_column = outer_column, or join a grouped subquery in FROM.",
    )
