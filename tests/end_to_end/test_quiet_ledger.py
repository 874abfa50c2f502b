"""From the start of a source query to the time of its release nothing is asked of the ledger, whose server is the stage's:
what that server counts of everybody's work would show when the source query was over, or that it failed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy

TIMING = {"epsilon": "1", "delta": "1e-8", "work": "100 ms"}
"""The answer waits for more than half a second but for odds below 1 in a million."""

SLOW = """
CREATE TABLE trap ();
CREATE FUNCTION slow(patient integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF patient = 42 THEN
        PERFORM pg_sleep(0.3);
        IF EXISTS (SELECT FROM public.trap) THEN
            RAISE EXCEPTION 'a private value' USING ERRCODE = '22012';
        END IF;
    END IF;
    RETURN true;
END $$;
ALTER TABLE patients ENABLE ROW LEVEL SECURITY;
CREATE POLICY slow ON patients USING (public.slow(patient_id));
"""

# The wait is read as it is now, the rest as it was a moment ago: it may still be that of the statement before.
_MEASURING = (
    "SELECT query_start FROM pg_stat_activity "
    "WHERE datname = current_database() AND wait_event = 'PgSleep' AND query LIKE '%EXECUTE%'"
)
_LEDGER = "SELECT query_start FROM pg_stat_activity WHERE application_name = 'dpproxy ledger' AND datname = %s"


@pytest.fixture
def owner(copy_clinic: Callable[[], str]) -> str:
    dsn = copy_clinic()
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(SLOW)
        reader = sql.Identifier(f"quiet_{conninfo_to_dict(dsn)['dbname']}")
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN PASSWORD 'x'").format(reader))
        connection.execute(sql.SQL("GRANT SELECT ON ALL TABLES IN SCHEMA public TO {}").format(reader))
    return dsn


@pytest.mark.parametrize("fails", [False, True])
def test_the_ledger_is_not_asked_before_the_time_of_release(proxies: StartProxy, owner: str, *, fails: bool) -> None:
    reader = make_conninfo(owner, user=f"quiet_{conninfo_to_dict(owner)['dbname']}", password="x")
    plenty = {"budget": {"epsilon": "1e6", "delta": "0.4"}, "per_analyst": None}
    proxy = proxies(clinic.policy(patients=plenty, visits=plenty, timing=TIMING), source=reader)
    ledger = str(conninfo_to_dict(proxy.options.ledger_dsn)["dbname"])
    measured: set[datetime] = set()
    asked: set[datetime] = set()
    with (
        proxy.connect() as client,
        psycopg.connect(owner, autocommit=True) as at_source,
        psycopg.connect(proxy.options.ledger_dsn, autocommit=True) as at_ledger,
        ThreadPoolExecutor(1) as pool,
    ):
        if fails:
            at_source.execute("INSERT INTO trap DEFAULT VALUES")
        question = pool.submit(client.execute, b"SELECT count(*) FROM patients")
        while not question.done():
            measured |= {start for (start,) in at_source.execute(_MEASURING)}
            asked |= {start for (start,) in at_ledger.execute(_LEDGER, (ledger,)) if start}
        asked |= {start for (start,) in at_ledger.execute(_LEDGER, (ledger,)) if start}
        error = question.exception()
        assert isinstance(error, psycopg.errors.SystemError) if fails else error is None
    began = min(measured)
    assert max(asked) > began, "a failure is recorded, and an answer stored"
    assert [start - began for start in asked if began < start < began + timedelta(seconds=0.8)] == []
