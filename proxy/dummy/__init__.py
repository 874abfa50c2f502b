"""`dpproxy dummy`: a database of made-up rows that fit a policy and a catalog, for those who build dashboards before
anyone touches data. `values` makes up columns, `rows` tables, and `database` puts them into a server."""
