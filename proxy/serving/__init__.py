"""A whole proxy: `service` assembles, starts and stops it; `running` runs one until a signal ends it."""
