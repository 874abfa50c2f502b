"""dpproxy: a differentially private SQL proxy for PostgreSQL."""
