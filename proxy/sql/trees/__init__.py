"""Parsed queries before they are compiled: rewritten, cut into blocks, their constants found.

`passes` lists the rewritings in order: `parentheses`, `long_disjunctions`, `plain_limits`, `truth_texts`,
`decided_cases`, `array_elements`, `repeated_keys`, `time_fields`, `constant_subqueries`, `aggregate_schemas`,
`any_and_all`, `row_equalities`, `database_names`, `qualified_columns`, `nested_joins`, `named_joins`, `ctes`,
`own_casts` (with `stored_types`), `grouped_stars`, `full_joins_using`, `enum_labels`, `plain_constants`,
`plain_conditions`, `listed_elements`, `plain_subqueries`, `lifted_joins`, `empty_queries` (with `repeated_values` and
`present_columns`), `quantified_comparisons`, `row_existence`, `constant_items`, `code_points`, `named_windows`,
`windows_over_groups`, `counted_rows`, `distinct_on`, `ordered_elements`, `first_in_windows`, `computed_items` (with
`written_rows`), `laterals` (with `ranked_rows`), `existence`, `bucket_bounds`, `scalar_subqueries` (with
`first_rows`, `public_ties` and `own_ties`), `determined_values` (with `determined_columns`, `unique_columns` and
`column_types`), `names_of_tools`, `sums_by_key`, `outer_intervals` (with `drawn_expressions`). `kinds` tells which of
them a statement needs.
`blocks` finds the SELECTs that aggregate private rows and the other queries that they read, `constants` what the stage
computes before planning, `clock` lets now() stand still, `block_shapes` says what decides a block's plan; `marks` has
what one of them notes for the next. The rest inspects trees: `walking` and `scopes` for all, `output_names`,
`correlation`, `conjuncts`, `null_columns`, `spellings_of_columns`, `constant_conditions`, `common_tables`,
`key_expressions`, `aggregate_calls`, `listing_aggregates` and `interval_calls` for some.
"""
