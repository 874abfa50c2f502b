"""A whole proxy: `service` assembles, starts and stops it by its `options`, with the `logins` of the policy, where the
`requirements` of source, stage and ledger are met, which `ledger_memory` remembers, and no `earlier_tables` had the
rows of its tables; the log tells what is `uncounted`. `running` runs one until one of the `signals` ends it, and a
`watchdog` over its embedded server; `threads` are for what blocks at the start; `current_router` changes with the
policy. Operators look at the `pages` of a `status_server`: `health`, and `metrics`; and at `logs`. Stewards look at
the `dashboard`, whose process is kept here."""
