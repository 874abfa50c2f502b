"""Rewrites a client's query before its blocks are found: an ordered tuple of passes with one signature.

Each pass writes one construct as another that means the same and that all later steps know. What a pass cannot rewrite
it leaves, to be refused when it is compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from sqlglot import exp

from proxy.sql.postgres_aggregates import NAMES_OF_TOOLS
from proxy.sql.schema import Schema
from proxy.sql.trees import kinds
from proxy.sql.trees.aggregate_schemas import drop_schemas_of_aggregates
from proxy.sql.trees.any_and_all import write_quantifiers_as_in
from proxy.sql.trees.array_elements import write_array_searches_by_elements
from proxy.sql.trees.bucket_bounds import write_released_buckets_as_cases
from proxy.sql.trees.code_points import drop_code_point_collations
from proxy.sql.trees.computed_items import write_computed_items_as_expressions
from proxy.sql.trees.constant_items import write_constant_rows_as_subqueries
from proxy.sql.trees.constant_subqueries import write_constant_subqueries_as_constants
from proxy.sql.trees.counted_rows import write_counted_rows_as_counted_columns
from proxy.sql.trees.ctes import write_out_ctes
from proxy.sql.trees.database_names import drop_database_names
from proxy.sql.trees.decided_cases import write_decided_cases_as_truth
from proxy.sql.trees.determined_values import write_determined_values_as_keys
from proxy.sql.trees.distinct_on import write_distinct_on_as_first_rows
from proxy.sql.trees.empty_queries import empty_queries_without_rows
from proxy.sql.trees.enum_labels import write_labels_as_texts
from proxy.sql.trees.existence import write_existence_as_counts
from proxy.sql.trees.first_in_windows import write_first_rows_in_subqueries
from proxy.sql.trees.full_joins_using import write_full_joins_using_with_on
from proxy.sql.trees.grouped_stars import write_out_stars_beside_groups
from proxy.sql.trees.interval_calls import INTERVAL_CALLS
from proxy.sql.trees.kinds import Kind, kinds_in
from proxy.sql.trees.laterals import join_lateral_subqueries
from proxy.sql.trees.lifted_joins import lift_outer_joins
from proxy.sql.trees.listed_elements import LISTING_ELEMENTS, write_listed_elements_as_items
from proxy.sql.trees.long_disjunctions import write_long_disjunctions_as_lists
from proxy.sql.trees.named_joins import write_named_joins_as_subqueries
from proxy.sql.trees.named_windows import write_out_named_windows
from proxy.sql.trees.names_of_tools import qualify_names_of_tools
from proxy.sql.trees.nested_joins import write_nested_joins_in_parentheses
from proxy.sql.trees.ordered_elements import write_ordered_elements_as_rows
from proxy.sql.trees.outer_intervals import write_outer_intervals
from proxy.sql.trees.own_casts import drop_casts_to_own_types
from proxy.sql.trees.parentheses import drop_parentheses_of_columns
from proxy.sql.trees.plain_conditions import write_conditions_plainly
from proxy.sql.trees.plain_constants import COMPARISONS, write_constants_plainly
from proxy.sql.trees.plain_limits import write_limits_as_numbers
from proxy.sql.trees.plain_subqueries import lift_plain_subqueries
from proxy.sql.trees.qualified_columns import drop_schemas_of_columns
from proxy.sql.trees.quantified_comparisons import write_quantifiers_as_existence
from proxy.sql.trees.repeated_keys import write_repeated_keys_as_positions
from proxy.sql.trees.row_equalities import write_row_equalities_as_conjunctions
from proxy.sql.trees.row_existence import write_existence_as_decisions
from proxy.sql.trees.scalar_subqueries import join_scalar_subqueries
from proxy.sql.trees.sums_by_key import write_hashed_sums_as_sums_by_key
from proxy.sql.trees.time_fields import write_fields_by_one_name
from proxy.sql.trees.truth_texts import write_texts_as_truth
from proxy.sql.trees.windows_over_groups import write_windows_over_groups_as_windows

Pass = Callable[[exp.Query, Schema, tuple[str, ...]], exp.Query]
"""From a tree, the schema (policy and catalog), and the schemas for unqualified names, in order, to the tree, which is
changed in place.

Raises:
    UnsupportedError: a construct without a rewriting that means the same.
"""

PASSES: Final[tuple[Pass, ...]] = (
    # Before all that look for columns.
    drop_parentheses_of_columns,
    write_long_disjunctions_as_lists,
    write_limits_as_numbers,
    # Before all that read conditions.
    write_texts_as_truth,
    write_decided_cases_as_truth,
    write_array_searches_by_elements,
    # Before all that rewrite subqueries.
    write_repeated_keys_as_positions,
    write_fields_by_one_name,
    write_constant_subqueries_as_constants,
    # Before all that ask what is aggregated.
    drop_schemas_of_aggregates,
    # Before existence, which knows IN, but not = ANY.
    write_quantifiers_as_in,
    # Before laterals and scalar subqueries, which are joined by separate equalities.
    write_row_equalities_as_conjunctions,
    # Before schemas, which stand after them.
    drop_database_names,
    # Before a view's query replaces its name.
    drop_schemas_of_columns,
    # Before joins with a name, in which they may be.
    write_nested_joins_in_parentheses,
    # Before all that ask whether a FROM item has private rows.
    write_named_joins_as_subqueries,
    # Before all that follow: `Scopes` needs the tables' schemas to tell whether a FROM item has private rows.
    write_out_ctes,
    # After CTEs: a column has a type where its table has a schema. Before all that compare expressions with columns.
    drop_casts_to_own_types,
    # After CTEs: a table has its schema then. Before all that count the outputs by which it is grouped.
    write_out_stars_beside_groups,
    # After CTEs, which write out views.
    write_full_joins_using_with_on,
    write_labels_as_texts,
    # After CTEs: a column has a type where its table has a schema.
    write_constants_plainly,
    # After constants, of which it asks whether they are one.
    write_conditions_plainly,
    # Before subqueries are lifted, which would write one call twice, and before computed items, which it makes.
    write_listed_elements_as_items,
    # Before all that ask which tables a SELECT reads.
    lift_plain_subqueries,
    # After CTEs and joins with a name, which are subqueries then.
    lift_outer_joins,
    # Before all that read private rows, some of which refuse what they find.
    empty_queries_without_rows,
    write_quantifiers_as_existence,
    # Before scalar subqueries, which it makes.
    write_existence_as_decisions,
    write_constant_rows_as_subqueries,
    drop_code_point_collations,
    write_out_named_windows,
    # After named windows, which it would have to write out.
    write_windows_over_groups_as_windows,
    write_counted_rows_as_counted_columns,
    write_distinct_on_as_first_rows,
    write_ordered_elements_as_rows,
    # After CTEs, which are such subqueries.
    write_first_rows_in_subqueries,
    # Before laterals, which are joined by what they read.
    write_computed_items_as_expressions,
    join_lateral_subqueries,
    # Before scalar subqueries, which they make.
    write_existence_as_counts,
    write_released_buckets_as_cases,
    join_scalar_subqueries,
    # After scalar subqueries, which become columns of what is joined.
    write_determined_values_as_keys,
    qualify_names_of_tools,
    write_hashed_sums_as_sums_by_key,
    # After all that make blocks, whose outputs it adds to.
    write_outer_intervals,
)
"""Where an order matters, a comment says why; tests/sql/test_passes.py has a query for each."""

NEEDED: Final[Mapping[Pass, frozenset[Kind]]] = {
    write_long_disjunctions_as_lists: frozenset({exp.Or}),
    drop_parentheses_of_columns: frozenset({exp.Paren}),
    write_limits_as_numbers: frozenset({exp.Offset, exp.Limit, exp.Fetch}),
    write_texts_as_truth: frozenset({kinds.TEXT}),
    write_decided_cases_as_truth: frozenset({exp.Case}),
    write_constants_plainly: frozenset({exp.Between, exp.In, exp.Sub, *COMPARISONS}),
    write_conditions_plainly: frozenset({exp.Where, exp.Having, exp.Join, exp.If}),
    write_array_searches_by_elements: frozenset(
        {exp.ArrayContainsAll, exp.ArrayContainedBy, exp.ArrayOverlaps, exp.Array, exp.Cast}
    ),
    write_repeated_keys_as_positions: frozenset({kinds.INNER_QUERY, exp.Exists}),
    drop_casts_to_own_types: frozenset({exp.Cast}),
    write_out_stars_beside_groups: frozenset({kinds.QUALIFIED_STAR}),
    write_fields_by_one_name: frozenset({"date_trunc", "date_part", exp.Extract}),
    write_constant_subqueries_as_constants: frozenset({exp.Subquery}),
    write_quantifiers_as_in: frozenset({exp.Any, exp.All, exp.NEQ, exp.Values}),
    drop_schemas_of_aggregates: frozenset({exp.Dot, kinds.QUALIFIED_CALL}),
    drop_database_names: frozenset({kinds.DATABASE}),
    drop_schemas_of_columns: frozenset({kinds.SCHEMA_OF_COLUMN}),
    write_row_equalities_as_conjunctions: frozenset({exp.Tuple, "row"}),
    write_nested_joins_in_parentheses: frozenset({kinds.JOINED_ITEM}),
    write_full_joins_using_with_on: frozenset({kinds.USING}),
    write_named_joins_as_subqueries: frozenset({exp.Subquery}),
    write_labels_as_texts: frozenset({exp.Cast}),
    write_listed_elements_as_items: LISTING_ELEMENTS | {exp.Unnest},
    lift_plain_subqueries: frozenset({exp.Subquery}),
    lift_outer_joins: frozenset({exp.Subquery}),
    empty_queries_without_rows: frozenset({exp.Where, exp.Having, exp.Limit}),
    write_quantifiers_as_existence: frozenset({exp.Any, exp.All}),
    write_existence_as_decisions: frozenset({exp.Exists, exp.In, exp.Limit}),
    write_constant_rows_as_subqueries: frozenset({exp.Lateral, exp.Values, exp.Unnest, kinds.FUNCTION_ITEM}),
    drop_code_point_collations: frozenset({exp.Collate}),
    write_counted_rows_as_counted_columns: frozenset({kinds.COUNTED_COLUMN}),
    write_out_named_windows: frozenset({exp.Window}),
    write_windows_over_groups_as_windows: frozenset({exp.Window}),
    write_distinct_on_as_first_rows: frozenset({kinds.DISTINCT_ON}),
    write_ordered_elements_as_rows: frozenset({exp.Bracket}),
    write_first_rows_in_subqueries: frozenset({exp.Window}),
    write_computed_items_as_expressions: frozenset({exp.Lateral, exp.Unnest}),
    join_lateral_subqueries: frozenset({exp.Lateral}),
    write_existence_as_counts: frozenset({exp.Exists, exp.In}),
    join_scalar_subqueries: frozenset({exp.Subquery, exp.In}),
    write_released_buckets_as_cases: frozenset({"width_bucket"}),
    write_determined_values_as_keys: frozenset({exp.Group}),
    qualify_names_of_tools: NAMES_OF_TOOLS,
    write_hashed_sums_as_sums_by_key: frozenset({exp.Sub}),
    write_outer_intervals: INTERVAL_CALLS,
}
"""Kinds without any of which a pass changes nothing, so that most statements are not searched for its construct."""

ADDED: Final[Mapping[Pass, frozenset[Kind]]] = {
    drop_parentheses_of_columns: frozenset(),
    write_texts_as_truth: frozenset({exp.Boolean}),
    write_repeated_keys_as_positions: frozenset({exp.Literal}),
    write_fields_by_one_name: frozenset(),
    drop_schemas_of_aggregates: frozenset(),
    write_row_equalities_as_conjunctions: frozenset({exp.Paren, exp.And}),
    drop_database_names: frozenset(),
    drop_schemas_of_columns: frozenset(),
    write_nested_joins_in_parentheses: frozenset({exp.Subquery, kinds.INNER_QUERY}),
    drop_casts_to_own_types: frozenset({kinds.COUNTED_COLUMN}),
    write_out_stars_beside_groups: frozenset(),
    write_constants_plainly: frozenset({exp.Neg, exp.Cast, exp.DataType, exp.In}),
    write_conditions_plainly: frozenset(
        {exp.Paren, exp.Boolean, exp.Not, exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE}
    ),
    empty_queries_without_rows: frozenset(
        {
            exp.Subquery,
            kinds.INNER_QUERY,
            exp.Where,
            exp.Boolean,
            exp.Alias,
            exp.TableAlias,
            exp.Cast,
            exp.DataType,
            exp.Null,
        }
    ),
    drop_code_point_collations: frozenset(),
    write_counted_rows_as_counted_columns: frozenset(),
    write_determined_values_as_keys: frozenset({exp.Alias, exp.Paren, exp.Cast, exp.DataType}),
}
"""The kinds that a pass makes, where it can be any query with columns; a pass that is not here makes any."""

MADE_OF: Final[Mapping[Pass, Mapping[Kind, Kind]]] = {write_constants_plainly: {exp.In: exp.Any}}
"""Those among them that a pass makes of one other kind alone."""


def rewritten(query: exp.Query, schema: Schema, search_path: tuple[str, ...]) -> tuple[exp.Query, AbstractSet[Kind]]:
    """The query after all passes, in place, and the kinds that it may have.

    Args:
        query: the query as the client wrote it, with parameters as literals.
        schema: policy and catalog.
        search_path: schemas for unqualified names, in order.

    Raises:
        UnsupportedError: a construct without a rewriting that means the same.
    """
    known: AbstractSet[Kind] | None = None
    made: AbstractSet[Kind] = frozenset()
    for rewrite in PASSES:
        needed = NEEDED.get(rewrite)
        if needed is not None:
            # Most passes that may make a kind make none of it: to look is less than to let another one search for it.
            if known is None or (known.isdisjoint(needed) and not made.isdisjoint(needed)):
                known, made = kinds_in(query), frozenset()
            if known.isdisjoint(needed):
                continue
        query = rewrite(query, schema, search_path)
        added = _added(rewrite, known | made, schema) if known is not None else None
        known, made = (None, frozenset()) if added is None else (known, made | added)
    return query, kinds_in(query) if known is None else known | made


def _added(rewrite: Pass, before: AbstractSet[Kind], schema: Schema) -> AbstractSet[Kind] | None:
    """The kinds that a pass can have made of a query that had no others than those `before`; None if any."""
    if rewrite is write_out_ctes and exp.With not in before and not schema.has_views:
        return frozenset()  # It only writes the tables' schemas.
    added, made_of = ADDED.get(rewrite), MADE_OF.get(rewrite)
    if added is None or made_of is None:
        return added
    return added - {kind for kind, other in made_of.items() if other not in before}
