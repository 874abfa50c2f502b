"""attack 24: what is no single SELECT writes nothing, stores nothing, and gets rows by no other way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import psycopg
import pytest

from tests.attacks.attacker import DENIED, UNSUPPORTED, Attacker, attacking
from tests.end_to_end.conftest import StartProxy

REFUSED = {
    "rows after another statement": (["SELECT 1; SELECT cost FROM visits"], DENIED, "rows"),
    "rows after an answer": (["SELECT count(*) FROM specialties; SELECT cost FROM visits"], DENIED, "rows"),
    "rows by a cursor": (["BEGIN", "DECLARE c CURSOR FOR SELECT cost FROM visits"], DENIED, "rows"),
    "rows by a holdable cursor": (["DECLARE c CURSOR WITH HOLD FOR SELECT cost FROM visits"], DENIED, "rows"),
    "rows by a binary cursor": (["BEGIN", "DECLARE c BINARY SCROLL CURSOR FOR TABLE visits"], DENIED, "rows"),
    "rows by COPY of a query": (["COPY (SELECT cost FROM visits) TO STDOUT"], DENIED, "rows"),
    "rows by COPY of a table": (["COPY visits (cost) TO STDOUT"], DENIED, "rows"),
    "rows by a derived table": (["SELECT * FROM (SELECT * FROM visits) x"], DENIED, "rows"),
    "rows by a CTE": (["WITH x AS (SELECT * FROM visits) TABLE x"], DENIED, "rows"),
    "rows of what was prepared": (["PREPARE p (int) AS SELECT cost FROM visits WHERE minutes > $1", "EXECUTE p (5)"], DENIED, "rows"),
    "EXPLAIN ANALYZE of what was prepared": (
        ["PREPARE analysed AS SELECT count(*) FROM visits", "EXPLAIN ANALYZE EXECUTE analysed"],
        UNSUPPORTED,
        "explain-analyze",
    ),
    "executed unprepared": (["EXECUTE visits"], "26000", None),
    "EXPLAIN ANALYZE": (["EXPLAIN (VERBOSE, ANALYZE true) SELECT count(*) FROM visits"], UNSUPPORTED, "explain-analyze"),
    "EXPLAIN ANALYSE": (["EXPLAIN ANALYSE VERBOSE SELECT count(*) FROM visits"], UNSUPPORTED, "explain-analyze"),
    "EXPLAIN of a write": (["EXPLAIN DELETE FROM visits"], UNSUPPORTED, "only-select"),
    "INSERT in WITH": (["WITH x AS (INSERT INTO visits (visit_id) VALUES (1) RETURNING 1) SELECT count(*) FROM visits"], DENIED, "writes"),
    "UPDATE in WITH": (["WITH x AS (UPDATE visits SET cost = 1 RETURNING cost) SELECT sum(cost) FROM x"], DENIED, "writes"),
    "DELETE in WITH of a subquery": (
        ["SELECT * FROM (WITH x AS (DELETE FROM patients RETURNING 1) SELECT count(*) FROM visits) y"],
        DENIED,
        "writes",
    ),
    "UPDATE": (["UPDATE visits SET cost = 0"], DENIED, "writes"),
    "UPDATE of a public table by people": (["UPDATE regions SET population = (SELECT count(*) FROM visits)"], DENIED, "writes"),
    "MERGE": (["MERGE INTO visits USING regions ON true WHEN NOT MATCHED THEN DO NOTHING"], DENIED, "writes"),
    "INSERT of an answer": (["INSERT INTO regions SELECT 'x', 'y', count(*) FROM visits"], DENIED, "writes"),
    "SELECT INTO": (["SELECT region, count(*) INTO kept FROM visits GROUP BY 1"], DENIED, "writes"),
    "CREATE TABLE AS": (["CREATE TABLE kept AS SELECT count(*) FROM visits"], DENIED, "writes"),
    "CREATE VIEW": (["CREATE VIEW kept AS SELECT * FROM visits"], DENIED, "writes"),
    "CREATE MATERIALIZED VIEW": (["CREATE MATERIALIZED VIEW kept AS SELECT count(*) FROM visits"], DENIED, "writes"),
    "CREATE RULE": (["CREATE RULE r AS ON INSERT TO visits DO NOTHING"], DENIED, "writes"),
    "FOR UPDATE": (["SELECT count(*) FROM (SELECT * FROM visits FOR UPDATE) x"], DENIED, "writes"),
    "FOR KEY SHARE": (["SELECT count(*) FROM (SELECT * FROM visits FOR KEY SHARE SKIP LOCKED) x"], DENIED, "writes"),
    "FOR SHARE in EXISTS": (
        ["SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id FOR SHARE)"],
        DENIED,
        "writes",
    ),
    "LOCK": (["BEGIN", "LOCK TABLE visits IN SHARE MODE"], DENIED, None),
    "another role": (["SET LOCAL ROLE postgres"], DENIED, None),
    "another role by set_config": (["SELECT set_config('role', 'postgres', false)"], DENIED, None),
    "another analyst": (["SET SESSION AUTHORIZATION bob"], DENIED, None),
    "own role": (["ALTER ROLE CURRENT_USER SET search_path = pg_catalog"], DENIED, "alter"),
    "own password": (["ALTER USER ana PASSWORD 'x'"], DENIED, "alter"),
    "owner's settings": (["ALTER SYSTEM SET fsync = off"], DENIED, "alter"),
    "triggers switched off": (["SET session_replication_role = replica"], DENIED, None),
    "logs switched off": (["SET log_statement = 'none'"], DENIED, None),
}  # fmt: skip


@pytest.fixture(scope="module")
def attacker(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Attacker]:
    with attacking(proxies, copy_clinic) as attacker:
        yield attacker


@pytest.mark.parametrize(("statements", "sqlstate", "rule"), REFUSED.values(), ids=REFUSED.keys())
def test_statement_is_refused(statements: Sequence[str], sqlstate: str, rule: str | None, attacker: Attacker) -> None:
    *before, last = statements
    for statement in before:
        attacker.client.execute(statement.encode())
    attacker.rules.clear()
    try:
        with pytest.raises(psycopg.Error) as refusal:
            attacker.client.execute(last.encode())
    finally:
        attacker.client.execute("ROLLBACK")
    assert (refusal.value.sqlstate, attacker.rules) == (sqlstate, [rule] if rule else []), str(refusal.value)


def test_nothing_of_the_above_changed_or_charged_anything(attacker: Attacker) -> None:
    assert attacker.ask("SELECT count(*) FROM dp.ledger") == [(0,)]
    assert attacker.ask_source("SELECT count(*), sum(cost) > 0 FROM visits") == [(12000, True)]
    assert attacker.ask_source("SELECT count(*) FROM pg_class WHERE relname = 'kept'") == [(0,)]


def test_a_cursor_and_a_copy_give_noisy_answers_and_are_paid_for(attacker: Attacker) -> None:
    query = "SELECT region, count(*) FROM visits WHERE minutes > 3 GROUP BY region ORDER BY region"
    with attacker.proxy.connect() as other:
        other.execute("BEGIN")
        other.execute(f"DECLARE c CURSOR FOR {query}".encode())
        fetched = other.execute("FETCH ALL FROM c").fetchall()
        other.execute("COMMIT")
        with other.cursor().copy(f"COPY ({query}) TO STDOUT".encode()) as copy:
            copied = [row[0] for row in copy.rows()]
    assert [name for name, _ in fetched] == ["east", "north", "nowhere", "south", "west", None]
    assert copied == ["east", "north", "nowhere", "south", "west", None]
    assert attacker.ask("SELECT count(*) FROM dp.ledger") == [(1,)]
