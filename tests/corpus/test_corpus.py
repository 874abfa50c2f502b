"""Generated statements: each is answered as Postgres does, or refused for a documented reason (decision 9).

`DPPROXY_CORPUS_EXAMPLES` sets the number of examples of each test.
"""

from __future__ import annotations

import os

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proxy.postgres.transaction import SourceRequest
from tests.corpus.comparison import Comparison
from tests.corpus.statement import Statement
from tests.corpus.statements import lone_blocks, nested_statements
from tests.corpus.tally import Tally

EXAMPLES = int(os.environ.get("DPPROXY_CORPUS_EXAMPLES", "180"))
LEAST_ANSWERED = 0.6
NEVER_ANSWERED = frozenset({"rows cut off", "window over all readers", "join that mixes readers"})
"""Constructs of the grammar in which a row would not be one reader's."""


@pytest.mark.parametrize("statements", [lone_blocks(), nested_statements()], ids=["lone blocks", "nested statements"])
def test_statement_equals_postgres_or_is_refused_for_a_documented_reason(
    statements: st.SearchStrategy[Statement], comparison: Comparison
) -> None:
    tally = Tally()

    # The same examples each time: a run without changes must not find something new.
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(statement=statements)
    def ask(statement: Statement) -> None:
        tally.add(statement, comparison.compare(statement))

    ask()
    assert tally.answered >= LEAST_ANSWERED, tally
    for construct in NEVER_ANSWERED:
        assert not tally.constructs[construct]["answered"], construct


@pytest.mark.usefixtures("comparison")
def test_every_column_that_a_measurement_reads_is_verified(requests: list[SourceRequest], library_dsn: str) -> None:
    """Which columns a statement reads, the server says itself: those that a view of it depends on (attack 37)."""
    assert len(requests) >= 5 * EXAMPLES // 6
    with psycopg.connect(library_dsn, autocommit=True) as owner:
        for request in requests:
            verified = {(table, column.name) for table, column in request.columns}
            for statement in request.statements:
                assert _columns_read(owner, statement) <= verified, statement


def _columns_read(owner: psycopg.Connection, statement: str) -> set[tuple[str, str]]:
    with owner.transaction(force_rollback=True):
        owner.execute(f"CREATE TEMP VIEW measured AS {statement}".encode())
        rows = owner.execute(
            "SELECT n.nspname || '.' || c.relname, a.attname FROM pg_rewrite r JOIN pg_depend d ON d.objid = r.oid "
            "JOIN pg_class c ON c.oid = d.refobjid JOIN pg_namespace n ON n.oid = c.relnamespace "
            "JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.refobjsubid "
            "WHERE r.ev_class = 'measured'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjsubid > 0 "
            "AND c.oid <> 'measured'::regclass"
        )
        return {(str(table), str(column)) for table, column in rows}
