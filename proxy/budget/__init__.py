"""The budget: what was charged and what was released for it, in a Postgres of dpproxy's own (decision 6).

ledger                        accounts, charges and grants (theorem 15)
order, settling               a charge before it is recorded; charges that wait, in one durable transaction
answers, stored_answer, coding  released answers, to be recalled for free
looking                       all that is known of a question, in one round trip
editions                      the times that a question was answered anew
precisions                    one question at several precisions: measured, paid for, shown (theorem 23)
holdings                      what was measured, for other questions that are made of it (theorem 25)
in_flight                     questions that proxies work on, each by one of them
failures                      failed source queries, counted for each analyst
identity                      which ledger it is
witness                       an older copy of a ledger is recognised
exhausted                     the refusal of an account that cannot pay
audit                         totals, history, and whether they agree
coverage                      which accounts paid together for what was charged
overview                      the ledger over time, read only, for the dashboard
database, ledger_tables       connections; tables, and how older ones are brought up to date
cache                         a cache of facts that never change
"""
