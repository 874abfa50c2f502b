"""What becomes of a statement before anything is planned, kept as text: how its queries are rewritten, which of them
aggregate private rows (its blocks), and what each block reads of results that are released before it.

`cases/*.sql` hold statements, each with that below it. `python -m tests.rewriting` writes all of it anew. Read the
difference before you commit it: each rewritten query has to mean what the client's means, NULLs and empty groups included.
"""
