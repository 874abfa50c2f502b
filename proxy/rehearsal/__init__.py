"""Queries planned without a private database: on a stage of their own, from a policy and a catalog. `stages` builds the
stage, `rehearsing` plans statements as the server would, `report` says what was planned; `query_tests` compares that
with the `expectations` of files of SQL. `logs` and `exports` find queries in what other programs write."""
