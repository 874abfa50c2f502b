"""What handlers of calls and operators share: the number of arguments, constant arguments, refusals."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.plain_postgres import excerpt
from proxy.sql.postgres_aggregates import AGGREGATES
from proxy.sql.refusal import refused, subquery_refusal, unsupported
from proxy.sql.terms.arithmetic import Compile
from proxy.sql.terms.term import Term
from proxy.sql.terms.types import Kind

MOST_CONSTANT = 10_000
LONGEST_PATTERN = 200


def arguments_of(node: exp.Anonymous, compile_: Compile, least: int, most: int | None = None) -> list[Term]:
    """The compiled arguments; refuses a count outside [least, most]."""
    most = least if most is None else most
    if not least <= len(node.expressions) <= most:
        raise unsupported(node, f"{node.name.lower()}() with these arguments is not supported", rule="function")
    return [compile_(argument) for argument in node.expressions]


def constant_integer(node: exp.Expr, term: Term, least: int, most: int = MOST_CONSTANT) -> int:
    """The value of a constant whole number in [least, most]; refuses everything else."""
    literal = term.literal if term.kind in (Kind.INTEGER, Kind.UNKNOWN) else None
    if literal is None or not literal.lstrip("-").isdecimal() or not least <= int(literal) <= most:
        raise unsupported(
            node,
            f"{excerpt(node)} requires a constant integer from {least} to {most}",
            rule="constant-argument",
            detail="How much work it is for a row must be known before the rows are.",
            hint="Write the number out; where it differs from row to row, write one call per number in a CASE.",
        )
    return int(literal)


def constant_text(node: exp.Expr, term: Term, what: str) -> str:
    """A constant text of at most 200 characters; refuses everything else."""
    if term.literal is None or term.kind not in (Kind.TEXT, Kind.UNKNOWN) or len(term.literal) > LONGEST_PATTERN:
        raise unsupported(node, f"{what} requires constant text", rule="constant-argument")
    return term.literal


def not_allowed(node: exp.Expr) -> Exception:
    """The refusal of a construct that is not on the allow-list."""
    if isinstance(node, (exp.Subquery, exp.Exists, exp.Query)):
        return subquery_refusal(node)
    return unsupported(
        node,
        f"{excerpt(node)} is not supported over private rows",
        rule="not-allowed",
        detail="Only expressions that cannot fail on any row run on the private database.",
        hint="Arithmetic, comparisons, CASE, COALESCE, LIKE, date_trunc, extract and the like are supported.",
    )


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
