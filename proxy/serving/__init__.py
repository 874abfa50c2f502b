"""A whole proxy: `service` assembles, starts and stops it, with the `logins` of the policy; `running` runs
one until a signal ends it."""
