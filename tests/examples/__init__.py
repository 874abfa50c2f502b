"""The policies of `policies/`, each with a catalog and queries. `python -m tests.examples` writes the catalogs anew, from
the tables that they are about, and records what is planned for the queries. Read the difference before you commit it."""
