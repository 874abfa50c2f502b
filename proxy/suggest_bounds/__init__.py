"""`dpproxy suggest-bounds` behind its command: bounds that are charged, measured and chosen privately (theorem 17)."""
