"""Queries planned without a private database: on a stage of their own, from a policy and a catalog.

`servers` starts a Postgres and `stages` builds the stage, in the command; `planners` begins the processes that plan
meanwhile. In these `opened` connects to the stage, `rehearsing` plans statements as the server would, each its part of
them (`shares`), and `readings` reads what is to be known of them: `report` says what was planned, and `query_tests`
compares it with the `expectations` of files of SQL. `logs` and `exports` find queries in what other programs write."""
