"""The life of one query, from a text to an answer."""
