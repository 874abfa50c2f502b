"""From a plan to the SQL of its measurement (DESIGN section 5)."""
