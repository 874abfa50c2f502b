"""Queries planned without a private database: on a stage of their own, from a policy and a catalog.

`planners` begins, in the command, the process that plans, and `servers` a Postgres on which `stages` builds the stage.
In `planning_process` `opened` connects to the stage, `rehearsing` plans statements as the server would, in two copies
which have their `shares` of them, and `readings` reads what is to be known of them: `report` says what was planned, and
`query_tests` compares it with the `expectations` of files of SQL. `logs` and `exports` find queries in what other
programs write. `unanswered_views` finds views of which no query can be answered, without a stage."""
