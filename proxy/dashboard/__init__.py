"""The dashboard: pages for stewards over HTTP, made on the server, in a process of its own.

The proxy holds the address and starts the process (`proxy.serving.dashboard`), tells it who may log in and, when it
asks, what only the proxy knows (`told.py`); everything else it reads from the ledger, which it cannot write to. So
neither a slow browser nor a flood of them keeps an analyst waiting, and what breaks here ends neither a session nor a
budget.

`process.py` begins it, `site.py` has the addresses and what protects them, `logins.py` who is logged in,
`crowd.py` how many may be there; `figures.py` computes what the pages show, `forecast.py` until when budgets last,
`charts.py` draws (with `drawing.py`), `pages.py` fills in the templates.
"""
