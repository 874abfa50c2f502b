"""A whole proxy: put together, started, and run until a signal ends it."""
