"""Everything that talks to Postgres for the proxy itself: the embedded server, the source and the stage."""
