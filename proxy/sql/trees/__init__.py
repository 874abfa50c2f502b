"""Parsed queries before they are compiled: names, CTEs, subqueries, blocks, constants."""
