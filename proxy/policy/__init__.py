"""The policy: a YAML file as a `Policy`, or everything that is wrong with it, with line and column (decision 8).

From a file to a policy: `load` calls `document` (YAML, with `syntax`, `scalars`, `durations`, `half_open` and
`remarks`), `structure` (keys, types, ranges) and the rules on the whole: `rules`, `account_rules` (with `renewal`),
`logins`, `clock_rules`, `column_rules`, `other_values`, `prices`, `unit_paths`, `version_queries`, `window_rules` (with
`windows`, the calendar's); `check` adds `cautions` (with `identifying`, `free_text`, `slips` and `secrecy`). `model` is
the result (`json_schema` for editors), `findings` are the mistakes, each of a rule of `rule_list` (its texts are in
`rule_texts`), with `hints` for what was meant, and `reports` print them.

Against the source: `catalog` is what is known of its schema, also as a `catalog_file`; `lint` compares (with
`column_types`, `row_keys`, `public_tables` and `unit_keys`, where foreign keys lead, or names by `named_keys` and
`people`) and says what to write (`suggested`), `type_values` takes the values that types list, and CHECKs
(`check_constraints`), `enum_types` those whose columns are visible, `traps` finds policies that are right line by line
and yet publish rows, `views` what views read, `clusters` tables that a cluster spreads otherwise than by the unit.
Against the ledger, `window_rules` and `earlier_tables` find what was spent and would not count, by the names that
`ledger_names` gives accounts. `rewriting` puts values into a file in place, `additions` entries.
"""
