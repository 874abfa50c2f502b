"""The dashboard: what it shows, to whom, and in a real browser."""
