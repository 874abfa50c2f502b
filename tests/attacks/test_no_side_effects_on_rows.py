"""attacks 4 and 10: functions that are slow or have effects never meet a private row, wherever they stand.

Beside released numbers they run on the stage, which has no private row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from tests.attacks.attacker import DENIED, UNSUPPORTED, Attacker, attacking
from tests.end_to_end.conftest import StartProxy

SLEEP = "pg_sleep(v.cost::float8) IS NULL"
PLACES = {
    "in WHERE": f"SELECT count(*) FROM visits v WHERE {SLEEP}",
    "without a column": "SELECT count(*) FROM visits WHERE pg_sleep(0.1) IS NULL",
    "in CASE": "SELECT count(CASE WHEN patient_id = 42 THEN pg_sleep(5)::text END) FROM visits",
    "in FILTER": f"SELECT count(*) FILTER (WHERE {SLEEP}) FROM visits v",
    "as a group key": "SELECT pg_sleep(patient_id)::text, count(*) FROM visits GROUP BY 1",
    "in ON": f"SELECT count(*) FROM patients p JOIN visits v ON v.patient_id = p.patient_id AND {SLEEP}",
    "in the ON of an outer join": f"SELECT count(v.cost) FROM patients p LEFT JOIN visits v ON v.patient_id = p.patient_id AND {SLEEP}",
    "in a derived table": "SELECT count(s) FROM (SELECT pg_sleep(cost::float8)::text AS s FROM visits) x",
    "in a row-level CTE": f"WITH x AS (SELECT * FROM visits v WHERE {SLEEP}) SELECT count(*) FROM x",
    "in HAVING within the person": "SELECT count(*) FROM (SELECT patient_id FROM visits GROUP BY 1 HAVING pg_sleep(count(*)) IS NULL) x",
    "in an aggregate within the person": "SELECT count(*) FROM (SELECT max(pg_sleep(minutes)::text) AS m FROM visits GROUP BY patient_id) x",
    "in a window within the person": "SELECT count(*) FROM (SELECT row_number() OVER (PARTITION BY patient_id, pg_sleep(minutes)::text) AS r "
    "FROM visits) x WHERE r > 1",
    "in EXISTS": f"SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id AND {SLEEP})",
    "in a scalar subquery": "SELECT count(*) FROM visits w WHERE cost > (SELECT avg(v.cost) FROM visits v WHERE v.patient_id = w.patient_id "
    f"AND {SLEEP})",
    "in LATERAL": f"SELECT count(*) FROM patients p, LATERAL (SELECT FROM visits v WHERE v.patient_id = p.patient_id AND {SLEEP}) x",
    "in a branch of UNION ALL": f"SELECT count(*) FROM (SELECT 1 FROM visits v WHERE {SLEEP} UNION ALL SELECT 2 FROM patients) x",
    "with its schema": "SELECT count(*) FROM visits WHERE pg_catalog.pg_sleep(minutes) IS NULL",
}

FUNCTIONS = {
    "locks": "pg_advisory_lock(patient_id) IS NULL",
    "settings": "set_config('a.b', diagnosis, false) = ''",
    "settings read": "current_setting('server_version') = diagnosis",
    "messages": "pg_notify('x', diagnosis) IS NULL",
    "files": "pg_read_file(diagnosis) IS NULL",
    "large objects": "lo_create(patient_id) > 0",
    "imports": "lo_import(diagnosis) > 0",
    "queries in texts": "query_to_xml('select * from visits', true, true, '') IS NULL",
    "tables as texts": "table_to_xml('visits', true, true, '') IS NULL",
    "other backends": "pg_terminate_backend(patient_id)",
    "randomness": "random() < 0.5",
    "the clock as it runs": "clock_timestamp() > visited_at",
    "transactions": "txid_current() > minutes",
    "sizes": "pg_relation_size('visits') > minutes",
    "places of rows": "pg_relation_filepath('visits') = diagnosis",
}


@pytest.fixture(scope="module")
def attacker(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Attacker]:
    with attacking(proxies, copy_clinic) as attacker:
        yield attacker


@pytest.mark.parametrize("query", PLACES.values(), ids=PLACES.keys())
def test_slow_function_is_refused_wherever_private_rows_would_call_it(query: str, attacker: Attacker) -> None:
    attacker.assert_refused(query, UNSUPPORTED, "function")


@pytest.mark.parametrize("condition", FUNCTIONS.values(), ids=FUNCTIONS.keys())
def test_function_with_effects_or_of_the_server_is_refused(condition: str, attacker: Attacker) -> None:
    attacker.assert_refused(f"SELECT count(*) FROM visits WHERE {condition}", UNSUPPORTED, "function")


def test_slow_function_beside_a_released_number_runs_on_the_stage(attacker: Attacker) -> None:
    released = "SELECT n, pg_sleep(0.01)::text FROM (SELECT count(*) AS n FROM visits) x"
    assert attacker.ask(released) == [(12000, "")]


COMMANDS = {
    "LOCK": "LOCK TABLE visits",
    "REINDEX": "REINDEX TABLE visits",
    "CLUSTER": "CLUSTER visits",
    "COMMENT": "COMMENT ON TABLE visits IS 'x'",
    "CREATE INDEX": "CREATE INDEX ON visits (cost)",
    "CREATE STATISTICS": "CREATE STATISTICS s ON cost, region FROM visits",
    "CREATE POLICY": "CREATE POLICY p ON visits",
    "CREATE TRIGGER": "CREATE TRIGGER t BEFORE INSERT ON visits EXECUTE FUNCTION f()",
    "DROP": "DROP TABLE visits",
    "TRUNCATE of a public table": "TRUNCATE regions",
    "LOAD": "LOAD 'x'",
    "CHECKPOINT": "CHECKPOINT",
    "CREATE EXTENSION": "CREATE EXTENSION dblink",
    "DO": "DO $$BEGIN PERFORM 1; END$$",
    "COPY to a program": "COPY regions TO PROGRAM 'true'",
    "COPY from a file": "COPY regions FROM '/etc/passwd'",
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS.keys())
def test_command_is_denied_by_the_stage(command: str, attacker: Attacker) -> None:
    attacker.client.execute("BEGIN")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        attacker.client.execute(command.encode())
    attacker.client.execute("ROLLBACK")


def test_a_client_that_listens_hears_nothing_of_the_source(attacker: Attacker) -> None:
    """attack 24: its session is the stage's, so a trigger on the source cannot reach it; and it may not listen at all."""
    attacker.assert_refused("LISTEN visits_changed", DENIED, "messages")
    attacker.source.execute("NOTIFY visits_changed, 'patient 42'")
    assert list(attacker.client.notifies(timeout=0.3)) == []
    attacker.client.execute("UNLISTEN *")
