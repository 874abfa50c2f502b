"""What is refused, with the rule that refuses it, and charges nothing. Ids begin with the number of the attack (README.md)."""

from __future__ import annotations

import psycopg
import pytest

from tests.attacks.conftest import Spent, assert_refused

REFUSED = {
    "10 program": (
        "COPY (SELECT count(*) FROM visits) TO PROGRAM 'true'",
        "42501",
        "COPY is supported only to the client",
    ),
    "10 file": ("COPY (SELECT count(*) FROM visits) TO '/tmp/visits'", "42501", "COPY is supported only to the client"),
    "10 smuggled target": (
        "COPY (SELECT count(*) FROM visits) /* ) TO STDOUT */ TO '/tmp/x'",
        "42501",
        "COPY is supported",
    ),
    "10 code block": ("DO $$BEGIN PERFORM count(*) FROM visits; END$$", "42501", "permission denied"),
    "11 grouping by rows": ("SELECT * FROM visits GROUP BY 1", "42501", "would list the rows"),
    "13 window inside": (
        "SELECT sum(n) FROM (SELECT row_number() OVER () AS n FROM visits) AS v",
        "0A000",
        "rows of more than one patient",
    ),
    "13 limit inside": (
        "SELECT count(*) FROM (SELECT cost FROM visits ORDER BY cost LIMIT 10) AS v",
        "0A000",
        "LIMIT is not supported",
    ),
    "14 planted value": (
        "WITH m AS (SELECT region, max(cost) OVER (PARTITION BY region) AS m FROM visits) SELECT m, count(*) FROM m GROUP BY m",
        "0A000",
        "rows of more than one patient",
    ),
    "15 rows": ("SELECT cost FROM visits", "42501", "return rows"),
    "15 table command": ("TABLE visits", "42501", "return rows"),
    "15 distinct on": ("SELECT DISTINCT ON (region) region FROM visits", "0A000", "DISTINCT ON"),
    "15 sample": ("SELECT count(*) FROM visits TABLESAMPLE SYSTEM (10)", "0A000", "not supported in a FROM clause"),
    "15 place of a row": ("SELECT count(*) FROM visits WHERE ctid < '(1,1)'", "42501", "column ctid"),
    "15 version of a row": ("SELECT xmin, count(*) FROM visits GROUP BY 1", "42501", "column xmin"),
    "16 self-join": (
        "SELECT count(*) FROM visits a JOIN visits b ON a.region = b.region",
        "0A000",
        "rows of more than one patient",
    ),
    "16 cross join": ("SELECT count(*) FROM visits a, patients b", "0A000", "rows of more than one patient"),
    "16 full join": ("SELECT count(*) FROM visits v FULL JOIN regions r ON r.name = v.region", "0A000", "JOIN"),
    "17 union": (
        "SELECT count(*) FROM (SELECT cost FROM visits UNION SELECT height FROM patients) u",
        "0A000",
        "rows of more than one patient",
    ),
    "17 intersect": ("SELECT region FROM visits INTERSECT SELECT region FROM patients", "42501", "return rows"),
    "18 exists": (
        "SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM visits w WHERE w.cost > v.cost)",
        "0A000",
        "rows of more than one patient",
    ),
    "18 in": (
        "SELECT count(*) FROM patients WHERE patient_id IN (SELECT patient_id + 1 FROM visits)",
        "0A000",
        "rows of more than one patient",
    ),
    "21 maximum": ("SELECT max(visit_id) FROM visits", "42501", "requires bounds"),
    "21 sum without bounds": ("SELECT sum(visit_id) FROM visits", "42501", "bounds"),
    "22 array": ("SELECT array_agg(cost) FROM visits", "42501", "individual values"),
    "22 list": ("SELECT region, string_agg(diagnosis, ',') FROM visits GROUP BY 1", "42501", "individual values"),
    "22 document": (
        "SELECT json_object_agg(visit_id, cost) FROM visits HAVING count(*) > 3",
        "42501",
        "individual values",
    ),
    "22 list in order": ("SELECT region FROM visits GROUP BY 1 ORDER BY array_agg(cost)", "42501", "individual values"),
    "23 reserved names": ("SELECT 'FROM dpproxy_relation_0', count(*) FROM visits", "0A000", "reserved"),
    "24 prepare": ("PREPARE p AS DELETE FROM visits", "0A000", "only SELECT"),
    "24 explain analyze": ("EXPLAIN ANALYZE SELECT count(*) FROM visits", "0A000", "EXPLAIN ANALYZE"),
    "24 explain analyze by number": ("EXPLAIN (ANALYZE 1) SELECT count(*) FROM visits", "0A000", "EXPLAIN ANALYZE"),
    "24 explain analyze twice": (
        "EXPLAIN (ANALYZE off, ANALYZE) SELECT count(*) FROM visits",
        "0A000",
        "EXPLAIN ANALYZE",
    ),
    "24 delete in with": ("WITH d AS (DELETE FROM visits RETURNING *) SELECT count(*) FROM d", "42501", "DELETE"),
    "24 select into": ("SELECT count(*) INTO kept FROM visits", "42501", "INTO"),
    "24 create table as": ("CREATE TABLE kept AS SELECT count(*) FROM visits", "42501", "cannot be stored"),
    "24 temporary table": ("CREATE TEMP TABLE kept (LIKE visits)", "0A000", "temporary table"),
    "24 for update": ("SELECT count(*) FROM visits FOR UPDATE", "42501", "FOR UPDATE"),
    "24 other role": ("SET ROLE postgres", "42501", "permission denied"),
    "24 other user": ("SET SESSION AUTHORIZATION bob", "42501", "permission denied"),
    "24 own password": ("ALTER ROLE ana PASSWORD 'x'", "42501", "ALTER is not allowed"),
    "24 own settings": ("/* x */ ALTER/* role */USER CURRENT_USER RESET ALL", "42501", "ALTER is not allowed"),
    "24 copy from": ("COPY visits FROM '/etc/passwd'", "42501", "COPY of a private table"),
    "24 insert": ("INSERT INTO visits (visit_id) VALUES (1)", "42501", "not allowed"),
    "31 negative epsilon": ("SET dp.epsilon = -1", "22023", "invalid value"),
    "31 infinite epsilon": ("SET dp.epsilon = 'inf'", "22023", "invalid value"),
    "31 no number": ("SET dp.epsilon TO 'NaN'", "22023", "invalid value"),
    "31 zero rows": ("SET dp.max_rows = 0", "22023", "invalid value"),
    "31 endless exponent": ("SET dp.epsilon = '1e999999999'", "22023", "invalid value"),
    "31 zero delta": ("SET dp.delta = 0", "22023", "invalid value"),
    "31 certain delta": ("SET dp.delta = 1", "22023", "invalid value"),
    "31 no calibration": ("SET dp.calibration = 'none'", "22023", "invalid value"),
    "31 far too many rows": ("SET dp.max_rows = 99999999999", "22023", "invalid value"),
}


@pytest.mark.parametrize(("statement", "sqlstate", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_statement_is_refused_and_charges_nothing(
    statement: str, sqlstate: str, message: str, client: psycopg.Connection, spent: Spent
) -> None:
    assert_refused(statement, sqlstate, message, client, spent)


@pytest.mark.parametrize("value", ["nan", "-1", "0", "1e999999999", "infinity", "0x10", "1; DROP TABLE x", "\u0661"])
def test_setting_that_evades_set_is_refused_where_it_is_used(
    value: str, client: psycopg.Connection, spent: Spent
) -> None:
    """attack 31: set_config() stores any text."""
    before = spent()
    client.execute("SELECT set_config('dp.' || 'epsilon', %s, false)", [value])
    with pytest.raises(psycopg.errors.InvalidParameterValue):
        client.execute("SELECT count(*) FROM visits WHERE cost > 17")
    client.execute("RESET dp.epsilon")
    assert spent() == before


@pytest.mark.parametrize("option", ["-c dp.epsilon=-1", "-c dp.max_rows=1e9", "-c dp.mechanism=none"])
def test_setting_in_startup_options_is_checked_too(option: str, client: psycopg.Connection, spent: Spent) -> None:
    before = spent()
    with (
        psycopg.connect(client.info.dsn, password="correct horse", options=option, autocommit=True) as other,
        pytest.raises(psycopg.errors.InvalidParameterValue),
    ):
        other.execute("SELECT count(*) FROM visits WHERE cost > 18")
    assert spent() == before
