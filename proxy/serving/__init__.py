"""A whole proxy: `service` puts it together, starts and stops it; `running` runs one until a signal ends it."""
