"""The budget: what was charged, and what was released for it, in a Postgres of dpproxy's own (decision 6).

ledger                        accounts and charges, each one durable transaction (theorem 15)
answers, stored_answer        what was released, to be recalled for nothing
failures                      source queries that failed, counted for each analyst
exhausted                     the refusal of an account that cannot pay
audit                         totals, history, and whether they agree
database, ledger_tables       connections; tables, and how older ones are brought up to date
cache                         what never changes once it is true
"""
