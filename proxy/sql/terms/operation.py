"""One row for each function and operator: all that is known of it, beside the handler that compiles it (decision 4).

What a row leaves out is refused: without a cost, or a word on what the stage has to try, there is no row; a node with
other arguments than the row names is not allowed; without `strict` or `folded` nothing is concluded from it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any

from sqlglot import exp

from proxy.sql.terms.arithmetic import Compile
from proxy.sql.terms.term import Term
from proxy.sql.terms.work import Cost

Nodes = str | type[exp.Expr] | tuple[type[exp.Expr], ...]
"""Functions by their names, with blanks between them, or operators and syntax by the classes of their nodes."""


@dataclass(frozen=True)
class Operation:
    """What may be computed of rows.

    Attributes:
        nodes: what is compiled in this way.
        compile: makes the term of a node, in the form in which it cannot fail.
        cost: nanoseconds of one call.
        tried: from a node, what the stage and the source compute of its constants before anything is charged, since a
            wrong pattern or time zone fails at the first row that meets it; None where such a node has none.
        arguments: that an operator's node may have beside `this` and `expression`.
        strict: it is NULL wherever an operand is.
        folded: the stage computes it where all operands are constant.
    """

    nodes: Nodes
    compile: Callable[[Any, Compile], Term]
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
    """What no row may be computed with, but the stage computes where all operands are constant."""

    nodes: Nodes
