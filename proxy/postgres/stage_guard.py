"""Private relations of a stage look readable, and cannot be read.

Tools list only what `has_table_privilege` and its kin allow (Metabase, Redash), so everybody has SELECT. A read that
the interception missed still has to fail, although there is no row that could fail. So each private table has a
row-level security policy whose condition is a function that always fails and is called IMMUTABLE: without arguments the
planner computes it, for each reference to the table that it plans, before it looks at any other condition. WHERE false,
LIMIT 0, ONLY, EXPLAIN, cursors, COPY and queries inside of functions all end there; with `row_security = off` Postgres
refuses by itself. What is never planned, as a branch of CASE that is never reached, reads nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from psycopg import sql

REFUSAL = sql.SQL("dp.refuse_rows()")
"""The condition that always fails."""

_POLICY = sql.Identifier("aggregates with noise only")


def refusal_statement() -> sql.Composed:
    """Create the function in the schema dp, which exists. Everybody may execute it: a policy does so as the reader."""
    return sql.SQL(
        "CREATE FUNCTION {} RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN "
        "RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = {}, DETAIL = {}, HINT = {}; END $$"
    ).format(
        REFUSAL,
        sql.Literal("rows of private tables cannot be read"),
        sql.Literal("dpproxy answers aggregates with noise where a statement itself names a private table."),
        sql.Literal("Name the table in FROM of an ordinary SELECT, not inside a text or a function."),
    )


def policy_statements(table: sql.Identifier) -> Iterator[sql.Composed]:
    """Make every read of a table fail (42501) that no client owns."""
    yield sql.SQL("ALTER TABLE {} ENABLE ROW LEVEL SECURITY").format(table)
    yield sql.SQL("CREATE POLICY {} ON {} USING ({})").format(_POLICY, table, REFUSAL)


def readable_statement(relation: sql.Identifier) -> sql.Composed:
    """Grant everybody SELECT, and REFERENCES, without which the information schema has no keys."""
    return sql.SQL("GRANT SELECT, REFERENCES ON TABLE {} TO PUBLIC").format(relation)
