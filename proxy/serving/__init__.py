"""A whole proxy: `service` assembles, starts and stops it, with the `logins` of the policy; `running` runs one until a
signal ends it, and a `watchdog` over its embedded server. Operators look at the `pages` of a `status_server`: `health`,
and `metrics`."""
