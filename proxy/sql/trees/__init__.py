"""Parsed queries before they are compiled: rewritten, cut into blocks, their constants found.

`passes` lists the rewritings in order: `any_and_all`, `row_equalities`, `qualified_columns`, `ctes`, `constant_items`,
`laterals`, `existence`, `scalar_subqueries`. `blocks` finds the SELECTs that aggregate private rows and the other
queries that they read, `constants` what the stage computes before planning; `marks` has what one of them notes for the
next. The rest inspects trees: `walking` and
`scopes` for all, `correlation`, `conjuncts`, `aggregate_calls`, `listing_aggregates` and `interval_calls` for some.
"""
