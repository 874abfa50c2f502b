"""What one step notes on a node of a client's tree for the steps after it.

Rewriting copies parts of a tree, and a copy has to carry what was noted on its original, which a table by the nodes'
ids would lose. So marks are kept in sqlglot's `meta`, which copies keep. Each has one writer and its readers:

| mark | written by | read by |
|---|---|---|
| FEEDBACK | `blocks` | `constants`, `rows.feedback`, `rows.compiler`, `staging.staged` |
| BLOCK | `analysis` | `staging.staged` |
| WRITTEN_OUT, CTE | `ctes` | `ctes` |
| LIFTED | `lifted_joins` | `rows.outer_joins` |
| BUCKETS | `bucket_bounds` | `planning.domains` |
| CLOCK | `clock` | `planning.plan` |
| ANSWERED | `empty_queries`, `row_existence` | `analysis` |
| EXISTENCE | `row_existence` | `planning.aggregates.calls` |

`start`, the position in the client's text, is the parser's own. `view`, the name of the view whose query a node is of,
is written by `ctes` and read by `refusal`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlglot import exp


@dataclass(frozen=True)
class Mark:
    """A number that a node may have under a name."""

    name: str

    def put(self, node: exp.Expr, number: int) -> None:
        """Note the number on a node, in place of one that it has."""
        node.meta[self.name] = number

    def of(self, node: exp.Expr) -> int | None:
        """The node's number; None without the mark."""
        number = node.meta_get(self.name)
        return number if isinstance(number, int) else None

    def on(self, node: exp.Expr) -> bool:
        """Has the node this mark?"""
        return node.meta_get(self.name) is not None

    def hand_on(self, old: exp.Expr, new: exp.Expr) -> None:
        """Put the mark of one node, if it has it, on the one that takes its place."""
        if self.on(old):
            new.meta[self.name] = old.meta[self.name]


FEEDBACK: Final = Mark("feedback")
"""A FROM item or a subquery that is evaluated before its block: its number among the block's (`blocks`)."""

BLOCK: Final = Mark("block")
"""A SELECT that aggregates private rows: its number in the statement, or in the feedback query that it is part of."""

WRITTEN_OUT: Final = Mark("written_out")
"""A query that stands in the place of a CTE's or view's name, whose own names are resolved."""

CTE: Final = Mark("cte")
"""A reference to a CTE that stays a name: the number of that CTE."""

LIFTED: Final = Mark("lifted")
"""A SELECT whose FROM stood in a subquery, so that the client knows its columns by other names."""

CLOCK: Final = Mark("clock")
"""A block that asks for the time: the seconds for which its clock stands still."""

BUCKETS: Final = Mark("buckets")
"""A CASE that stands in the place of width_bucket."""

ANSWERED: Final = Mark("answered")
"""What stands in the place of private rows that need not be read: the stage answers the statement without them."""

EXISTENCE: Final = Mark("existence")
"""An aggregate that stands in the place of EXISTS, or of a query that asks for the same."""
