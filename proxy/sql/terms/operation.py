"""The rows of the table of functions and operators: everything that is known of one, besides its handler (decision 4).

What a row leaves out is refused: there is no row without a cost and a statement of what the stage has to try; a node
with other arguments than the row names is not allowed; without `strict` or `folded` nothing is concluded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any, Protocol

from sqlglot import exp

from proxy.sql.terms.term import Limits, Term
from proxy.sql.terms.work import Cost

Nodes = str | type[exp.Expr] | tuple[type[exp.Expr], ...]
"""Functions by name, separated by blanks, or operators and syntax by node class."""


class CompileOperand(Protocol):
    """Compiles an operand, or what is computed only where conditions are met that give these limits."""

    def __call__(self, node: exp.Expr, /, limits: Limits = ...) -> Term: ...


@dataclass(frozen=True)
class Operation:
    """A function or operator that may be computed of rows.

    Attributes:
        nodes: what it applies to.
        compile: makes a node's term, in a form that cannot fail.
        cost: nanoseconds of one call.
        tried: from a node, the constants that the stage and the source compute before anything is charged, since a
            wrong pattern or time zone fails at the first row that reaches it; None if such a node has none.
        arguments: what an operator's node may have besides `this` and `expression`.
        strict: it is NULL wherever an operand is.
        folded: the stage computes it where all operands are constant.
    """

    nodes: Nodes
    compile: Callable[[Any, CompileOperand], Term]
    cost: Cost
    _: KW_ONLY
    tried: Callable[[exp.Expr], exp.Expr | None] | None
    arguments: str = ""
    strict: bool = False
    folded: bool = False

    def knows(self, argument: str) -> bool:
        """May a node have this argument?"""
        usual = ("this", "expressions") if isinstance(self.nodes, str) else ("this", "expression")
        return argument in usual or argument in self.arguments.split()


@dataclass(frozen=True)
class StageFunction:
    """A function that may not be computed of rows, but that the stage computes where all operands are constant."""

    nodes: Nodes
