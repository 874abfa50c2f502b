"""The policy: a YAML file as a `Policy`, or everything that is wrong with it, with line and column (decision 8).

From a file to a policy: `load` calls `document` (YAML, with `scalars`, `durations`, `half_open` and `remarks`),
`structure` (keys, types, ranges) and the rules on the whole: `rules`, `logins`, `column_rules`, `other_values`,
`account_rules` (with `renewal`), `prices`, `unit_paths`; `check` adds `cautions` (with `identifying`). `model` is the
result (`json_schema` for editors), `findings` are the mistakes, each of a rule of `rule_list`, and `reports` print
them.

Against the source: `catalog` is what is known of its schema, `lint` compares (with `column_types` and `row_keys`),
`type_values` takes the values that types list, `traps` finds policies that are right line by line and yet publish rows,
`clusters` tables that a cluster spreads otherwise than by the unit. `rewriting` puts values into a file in place,
`additions` entries.
"""
