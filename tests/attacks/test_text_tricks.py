"""Texts that mean one thing to a reader and another to Postgres, through the wire (attacks 10, 23-25)."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import psycopg
import pytest
from psycopg import pq

from tests.attacks.conftest import Spent, assert_refused
from tests.conftest import skip_without_xml
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, client_and_source
from tests.end_to_end.conftest import StartProxy

COUNT = "SELECT count(*) FROM visits"
SPENT = "SELECT account, rho_spent, delta_spent FROM dp.budget ORDER BY 1"

SMUGGLED = {
    "after a string that ends in a backslash": ("SELECT '\\'; SELECT cost FROM visits", "42501", "return rows"),
    "after a comment in a comment": ("SELECT 1 /* /* */ ; */; SELECT cost FROM visits", "42501", "return rows"),
    "after a comment that a carriage return ends": ("SELECT 1; -- x\rSELECT cost FROM visits", "42501", "return rows"),
    "after an operator and a comment": ("SELECT 1 +--;\n1; SELECT cost FROM visits", "42501", "return rows"),
    "between dollar quotes": ("SELECT $a$ $$ $a$; SELECT cost FROM visits; SELECT $$$$", "42501", "return rows"),
    "after a quoted semicolon": ('SELECT 1 AS "a;b"; SELECT cost FROM visits', "42501", "return rows"),
    "by a name in Unicode escapes": ('SELECT cost FROM U&"visit\\0073"', "42501", "return rows"),
    "by a function for a table": ("SELECT count(*) FROM user AS visits", "0A000", "could not parse"),
    "by a table's row": ("SELECT v FROM visits v", "42501", "return rows"),
    "by a table's row as text": ("SELECT count(v::text) FROM visits v", "42501", "rows of v cannot be used as a whole"),
    "by VALUES": ("VALUES ((SELECT cost FROM visits))", "0A000", "only SELECT can read private tables"),
    "by ONLY": ("SELECT cost FROM ONLY visits", "42501", "return rows"),
    "by a file": ("SELECT pg_read_file('/etc/passwd')", "42501", "permission denied"),
    "by a large object": ("SELECT lo_import('/etc/passwd')", "42501", "permission denied"),
    "by another database": ("SELECT dblink('dbname=postgres', 'SELECT 1')", "42883", "does not exist"),
    "by an extension": ("CREATE EXTENSION dblink", "42501", "permission denied"),
    "by a prepared statement": ("PREPARE p AS SELECT cost FROM visits; EXECUTE p", "42501", "return rows"),
    "by a view": ("CREATE TEMP VIEW visits AS SELECT 1", "42P07", "cannot be named"),
    "by a view over it": ("CREATE VIEW v AS SELECT cost FROM visits", "42501", "cannot be stored"),
    "by a materialized view": ("CREATE MATERIALIZED VIEW v AS SELECT cost FROM visits", "42501", "cannot be stored"),
    "by a temporary table": ("CREATE TEMP TABLE visits AS SELECT 1", "42P07", "cannot be named"),
    "by a function": (
        "CREATE FUNCTION f() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM visits'",
        "42501",
        "cannot be stored",
    ),
    "by a rule": ("CREATE RULE r AS ON INSERT TO visits DO ALSO SELECT 1", "42501", "cannot be stored"),
    "by a trigger": ("CREATE TRIGGER t AFTER INSERT ON visits EXECUTE FUNCTION f()", "42501", "permission denied"),
    "by an index": ("CREATE INDEX ON visits (cost)", "42501", "must be owner"),
    "by ANALYZE EXPLAIN": ("EXPLAIN (ANALYZE/* off */) SELECT cost FROM visits", "0A000", "EXPLAIN ANALYZE"),
    "by COPY of a table": ("COPY visits (cost) TO STDOUT", "42501", "COPY of a private table"),
    "by COPY of rows": ("COPY (SELECT cost FROM visits) TO STDOUT", "42501", "return rows"),
    "by COPY after a comment": ("COPY/**/(/*)*/SELECT cost FROM visits) TO STDOUT", "42501", "return rows"),
    "by a writing CTE": (
        "WITH x AS (UPDATE visits SET cost = 0 RETURNING cost) SELECT count(*) FROM x",
        "42501",
        "UPDATE",
    ),
    "by SELECT INTO": ("SELECT count(*) INTO kept FROM visits", "42501", "INTO"),
    "by a lock": ("SELECT count(*) FROM visits FOR NO KEY UPDATE", "42501", "FOR UPDATE"),
    "by MERGE": ("MERGE INTO visits USING regions ON true WHEN MATCHED THEN DO NOTHING", "42501", "not allowed"),
    "by a role": ("SET ROLE pg_read_all_data", "42501", "permission denied"),
    "by a session": ("SET SESSION AUTHORIZATION postgres", "42501", "permission denied"),
    "by one's own settings": ("ALTER ROLE CURRENT_USER SET search_path = pg_temp", "42501", "ALTER is not allowed"),
    "by COMMENT": ("COMMENT ON TABLE visits IS 'x'", "42501", "must be owner"),
}


@pytest.mark.parametrize(("script", "sqlstate", "message"), SMUGGLED.values(), ids=SMUGGLED.keys())
def test_what_is_smuggled_is_refused_and_charges_nothing(
    script: str, sqlstate: str, message: str, client: psycopg.Connection, spent: Spent
) -> None:
    assert_refused(script, sqlstate, message, client, spent)


@pytest.mark.parametrize(
    ("call", "sqlstate"),
    [
        ("query_to_xml('SELECT * FROM visits', true, true, '')", "42501"),
        ("query_to_xml('SELECT ' || 'count(*) FROM patients', true, true, '')", "42501"),
        ("table_to_xml('visits', true, true, '')", "42501"),
        ("table_to_xml_and_xmlschema('public.patients', true, true, '')", "42501"),
        ("cursor_to_xml('c', 1, true, true, '')", "34000"),
    ],
)
def test_functions_that_run_a_text_run_it_on_the_stage_as_the_analyst(
    call: str, sqlstate: str, client: psycopg.Connection, spent: Spent
) -> None:
    skip_without_xml(client)
    before = spent()
    with pytest.raises(psycopg.Error) as refusal:
        client.execute(f"SELECT {call}".encode())
    assert refusal.value.sqlstate == sqlstate
    assert spent() == before


def test_a_schema_as_xml_ends_at_the_first_private_table(client: psycopg.Connection) -> None:
    skip_without_xml(client)
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="rows of private tables cannot be read"):
        client.execute("SELECT schema_to_xml('public', true, true, '')::text")
    ((xml,),) = client.execute("SELECT table_to_xml('regions', true, true, '')::text").fetchall()
    assert "<regions" in xml


READ_LIKE_POSTGRES = {
    "a string of two lines": "SELECT count(*) FROM visits WHERE E'a'\n'\\'; SELECT cost FROM visits --' <> region",
    "a string in Unicode escapes": "SELECT count(*) FROM visits WHERE region = U&'n!006frth' UESCAPE '!'",
    "a name in Unicode escapes": "SELECT count(*) AS U&\"\\0061\" FROM visits WHERE U&\"regio!006e\" UESCAPE '!' > 'n'",
    "signs": "SELECT count(*), + sum(+ minutes) FROM visits WHERE + minutes > - + 1",
    "two names that are cut to one": f"SELECT count(*) AS {'x' * 64}, count(minutes) AS {'x' * 65} FROM visits",
    "a string that ends in a backslash": "SELECT count(*) FROM visits WHERE diagnosis <> '\\' OR region = '\\'' OR ''= '",
    "an escaped quote": "SELECT count(*) FROM visits WHERE diagnosis <> E'\\' OR true --' AND region = 'north'",
    "a dollar quote in a dollar quote": "SELECT count(*) FROM visits WHERE region <> $a$ $$ OR true -- $a$ AND urgent",
    "a comment in an operator": "SELECT count(*) FROM visits WHERE minutes >/* = */ 10 AND minutes <--\n 50",
    "a comment in a comment": "SELECT count(*) FROM visits /* /* */ WHERE false */ WHERE urgent",
    "a word in capitals of another alphabet": 'SELECT count(*) AS "É", count(minutes) AS É FROM visits',
    "keywords as names": 'SELECT count(*) AS "select", count(cost) AS "from" FROM visits AS "where" WHERE "where".urgent',
    "words of other databases as names": "SELECT semi.region, count(*) FROM visits semi JOIN patients anti ON "
    "anti.patient_id = semi.patient_id GROUP BY 1",
    "an interval that goes back": "SELECT count(*) FROM visits WHERE visited_at > timestamp '2025-01-01' + interval '3 days ago'",
    "an interval with a time of day": "SELECT count(*) FROM visits WHERE visited_at < timestamp '2024-06-01' + interval '1 day 02:30'",
    "a name after a cast to interval": "SELECT count(*) n, '1 day'::interval w FROM visits",
    "a unit of other databases after a cast to interval": "SELECT count(*) n, '36 hours'::interval week FROM visits",
    "a field of intervals after a cast": "SELECT count(*) n, '36 hours'::interval day d FROM visits",
    "a cast of a typed literal": "SELECT count(*) FROM visits WHERE visited_at < timestamp '2024-06-01 23:00'::date",
    "precedence": "SELECT count(*) FROM visits WHERE NOT minutes = 5 AND - minutes ^ 2 > 100 OR cost - 1 - 2 < 3 * 4 - 2",
}


@pytest.fixture(scope="module")
def exact(proxies: StartProxy) -> Iterator[Connections]:
    """A client of a proxy with exact answers, and one of its source."""
    with client_and_source(proxies(clinic.exact_policy())) as both:
        yield both


@pytest.mark.parametrize("query", READ_LIKE_POSTGRES.values(), ids=READ_LIKE_POSTGRES.keys())
def test_text_means_what_postgres_reads(query: str, exact: Connections) -> None:
    client, source = exact
    answer, expected = (sorted(connection.execute(query.encode()).fetchall()) for connection in (client, source))
    assert answer == expected


@pytest.mark.parametrize("number", ["1_0", "0xA", "0o12", "0b1010", "1_0.0_0", "-0xA"])
def test_numbers_are_those_of_postgres_or_errors_of_an_older_one(number: str, exact: Connections) -> None:
    """Before PostgreSQL 16 such a number is no number; what the stage cannot read is charged to nobody."""
    client, _ = exact
    query = f"SELECT count(*), sum(minutes * {number}) FROM visits WHERE minutes > {number}".encode()
    if client.info.server_version < 160000:
        with pytest.raises(psycopg.errors.SyntaxError):
            client.execute(query)
        return
    plain = f"{eval(number)}"
    expected = client.execute(query.replace(number.encode(), plain.encode())).fetchall()
    assert client.execute(query).fetchall() == expected


@pytest.mark.parametrize("spelling", ["E'a\\'b'", "'a' || 'b'", "U&'\\0041'", "N'a'", "$$a$$"])
def test_strings_that_change_with_a_setting_are_refused_with_it(
    spelling: str, client: psycopg.Connection, spent: Spent
) -> None:
    """With standard_conforming_strings off a backslash escapes in every string."""
    before = spent()
    client.execute("SELECT set_config('standard_conforming' || '_strings', 'off', false)")
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="standard_conforming_strings must be on"):
        client.execute(f"SELECT count(*) FROM visits WHERE region = {spelling}".encode())
    client.execute("SET standard_conforming_strings = on")
    assert spent() == before


@pytest.mark.parametrize(
    ("path", "sqlstate"),
    [
        ("pg_temp", "42P01"),
        ("pg_temp, 'public '", "42P01"),
        ("information_schema", "42P01"),
        ("pg_catalog", "42P01"),
        ('"$user"', "42P01"),
        ("''", "42P01"),
        ("dp", "42P01"),
    ],
)
def test_a_search_path_without_the_policys_schema_finds_none_of_its_tables(
    path: str, sqlstate: str, client: psycopg.Connection, spent: Spent
) -> None:
    before = spent()
    client.execute(f"SET search_path = {path}".encode())
    with pytest.raises(psycopg.Error) as refusal:
        client.execute(COUNT)
    assert refusal.value.sqlstate == sqlstate
    client.execute("RESET search_path")
    assert spent() == before


@pytest.mark.parametrize("path", ["PUBLIC", "pg_catalog, dp, public", "pg_temp, public", 'PG_TEMP, "public"'])
def test_a_search_path_with_the_policys_schema_finds_its_tables(path: str, client: psycopg.Connection) -> None:
    client.execute(f"SET search_path = {path}".encode())
    assert client.execute(COUNT).fetchall() == [(12000,)]


@pytest.mark.parametrize(
    ("names", "private"), [("visits AS (SELECT 1 AS cost)", False), ("x AS (SELECT * FROM visits)", True)]
)
def test_a_name_that_hides_a_table_is_that_name(
    names: str, private: bool, client: psycopg.Connection, spent: Spent
) -> None:
    before = spent()
    query = f"WITH {names} SELECT count(*) FROM {names.split()[0]} WHERE cost > 0"
    ((count,),) = client.execute(query.encode()).fetchall()
    assert (count > 1, spent() != before) == (private, private)


def test_a_cursor_shows_the_answer_and_no_rows(client: psycopg.Connection) -> None:
    with client.transaction():
        client.execute("DECLARE c CURSOR FOR SELECT count(*) FROM visits WHERE cost > 3")
        assert len(client.execute("FETCH ALL FROM c").fetchall()) == 1
    with pytest.raises(psycopg.errors.InsufficientPrivilege), client.transaction():
        client.execute("DECLARE c CURSOR FOR SELECT cost FROM visits")


Sent = tuple[bytes, list[bytes | None], list[int], list[pq.Format]]
TEXT, BINARY = pq.Format.TEXT, pq.Format.BINARY
PARAMETERS: dict[str, Sent] = {
    "a text that is no number": (b"minutes > $1", [b"1 OR true"], [0], [TEXT]),
    "a quote in a text": (b"region = $1", [b"' OR true --"], [25], [TEXT]),
    "a backslash in a text": (b"region = $1", [b"\\' OR true --"], [0], [TEXT]),
    "NULL": (b"minutes > $1", [None], [0], [TEXT]),
    "NULL of another type": (b"minutes > $1", [None], [1700], [TEXT]),
    "a number of another type": (b"minutes > $1", [b"1e1"], [1700], [TEXT]),
    "a type that is compared with nothing": (b"minutes > $1", [b"(1,2)"], [600], [TEXT]),
    "a type that does not exist": (b"minutes > $1", [b"1"], [4_000_000_000], [TEXT]),
    "a binary number": (b"minutes > $1", [struct.pack("!i", 5)], [23], [BINARY]),
    "a binary number that is too short": (b"minutes > $1", [b"\x01"], [23], [BINARY]),
    "binary garbage as numeric": (b"minutes > $1", [b"\xff" * 9], [1700], [BINARY]),
    "binary garbage as text": (b"region = $1", [b"\xff\xfe"], [25], [BINARY]),
    "a zero byte": (b"region = $1", [b"a\0b"], [25], [BINARY]),
    "too few": (b"minutes > $1 AND minutes < $2", [b"1"], [0], [TEXT]),
    "too many": (b"minutes > $1", [b"1", b"2"], [23, 23], [TEXT] * 2),
    "a gap": (b"minutes > $2", [b"1", b"2"], [23, 23], [TEXT] * 2),
    "a number in the place of a text": (b"region = $1", [b"1"], [23], [TEXT]),
    "a thousand": (
        b"visit_id IN (" + b", ".join(b"$%d" % number for number in range(1, 1001)) + b")",
        [b"%d" % number for number in range(1000)],
        [0] * 1000,
        [TEXT] * 1000,
    ),
}


@pytest.mark.parametrize("sent", PARAMETERS.values(), ids=PARAMETERS.keys())
def test_parameters_are_values_as_postgres_has_them(sent: Sent, exact: Connections) -> None:
    """Its answer, or its error and no charge."""
    client, source = exact
    condition, values, types, formats = sent
    query = b"SELECT count(*) FROM visits WHERE " + condition
    before = client.execute(SPENT).fetchall()
    answer, expected = (connection.pgconn.exec_params(query, values, types, formats) for connection in (client, source))
    states = [(result.error_field(pq.DiagnosticField.SQLSTATE) or b"").decode() for result in (answer, expected)]
    assert states[0] == states[1], answer.error_message
    if states[1]:
        assert client.execute(SPENT).fetchall() == before
    else:
        assert answer.get_value(0, 0) == expected.get_value(0, 0)


def test_an_absolute_value_is_no_parameter(exact: Connections) -> None:
    client, _ = exact
    before = client.execute(SPENT).fetchall()
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="PostgreSQL interprets '@' differently"):
        client.execute("SELECT count(*) FROM visits WHERE minutes > @1 + %s", [5])
    assert client.execute(SPENT).fetchall() == before
