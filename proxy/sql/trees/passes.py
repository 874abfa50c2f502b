"""The rewriting of a client's query before its blocks are looked for: an ordered tuple of passes of one signature.

Each pass writes one construct as another that means the same and that everything behind it knows. What a pass cannot
rewrite it leaves, to be refused when it is compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sqlglot import exp

from proxy.sql.schema import Schema
from proxy.sql.trees.constant_items import write_constant_rows_as_subqueries
from proxy.sql.trees.ctes import write_out_ctes
from proxy.sql.trees.existence import write_existence_as_counts
from proxy.sql.trees.laterals import join_lateral_subqueries
from proxy.sql.trees.qualified_columns import drop_schemas_of_columns
from proxy.sql.trees.quantifiers import write_quantifiers_as_in
from proxy.sql.trees.row_equalities import write_row_equalities_as_conjunctions
from proxy.sql.trees.scalar_subqueries import join_scalar_subqueries

Pass = Callable[[exp.Query, Schema, tuple[str, ...]], exp.Query]
"""From a tree, the policy with the catalog, and the schemas for unqualified names, in order, to the tree: the same one,
changed in place.

Raises:
    UnsupportedError: a construct without a rewriting that means the same.
"""

PASSES: Final[tuple[Pass, ...]] = (
    # = ANY and <> ALL are IN and NOT IN for all that follow, and no longer equalities.
    write_quantifiers_as_in,
    # Laterals and subqueries are joined by their equalities, each of which has to stand alone.
    write_row_equalities_as_conjunctions,
    # Needs the CTEs where the client wrote them, or a table's name could be one of theirs.
    drop_schemas_of_columns,
    # From here on each table of the policy has its schema, and `Scopes` can tell whose rows a FROM item holds.
    write_out_ctes,
    # The functions that are left in FROM read the items beside them.
    write_constant_rows_as_subqueries,
    # Afterwards all rows around a predicate or a scalar subquery are plain items of FROM.
    join_lateral_subqueries,
    # Makes scalar subqueries, which the last pass joins.
    write_existence_as_counts,
    join_scalar_subqueries,
)


def rewritten(query: exp.Query, schema: Schema, search_path: tuple[str, ...]) -> exp.Query:
    """The query after all passes, in place.

    Args:
        query: the query as the client wrote it, with parameters as literals.
        schema: policy and catalog.
        search_path: schemas for unqualified names, in order.

    Raises:
        UnsupportedError: a construct without a rewriting that means the same.
    """
    for one in PASSES:
        query = one(query, schema, search_path)
    return query
