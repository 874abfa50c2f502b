"""Parsed queries before they are compiled: rewritten, cut into blocks, their constants found.

`passes` lists the rewritings in their order: `quantifiers`, `row_equalities`, `qualified_columns`, `ctes`,
`constant_items`, `laterals`, `existence`, `scalar_subqueries`. `blocks` finds the SELECTs that aggregate private rows
and what they read of others, `constants` what the stage computes before planning. The rest looks at trees: `walking`
and `scopes` for all, `correlation`, `conjuncts`, `aggregate_calls`, `listing_aggregates` and `interval_calls` for some.
"""
