"""From a plan to the SQL of its measurement (decision 5)."""
