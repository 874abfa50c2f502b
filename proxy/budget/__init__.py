"""The budget: what was charged and what was released for it, in a Postgres of dpproxy's own (decision 6).

ledger                        accounts and charges, each one durable transaction (theorem 15)
answers, stored_answer        released answers, to be recalled for free
in_flight                     questions that proxies work on, each by one of them
failures                      failed source queries, counted for each analyst
exhausted                     the refusal of an account that cannot pay
audit                         totals, history, and whether they agree
database, ledger_tables       connections; tables, and how older ones are brought up to date
cache                         a cache of facts that never change
"""
