"""What is planned for a collection of statements, kept as text: a change of the planner shows as a difference in a file.

`cases/*.sql` hold statements, each with its *card* below: the shape of its rows, what EXPLAIN says, what is read and
verified, and the SQL for the source; or the refusal. `python -m tests.plans` writes all cards anew. Read the difference
before you commit it: sensitivities, prices and SQL for the source only change on purpose.
"""
