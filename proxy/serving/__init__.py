"""A whole proxy: `service` assembles, starts and stops it, with the `logins` of the policy; `running` runs one until a
signal ends it, and a `watchdog` over its embedded server; `current_router` changes with the policy. Operators look at
the `pages` of a `status_server`: `health`, and `metrics`; and at `logs`. Stewards look at the
`dashboard`, whose process is kept here."""
