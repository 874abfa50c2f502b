"""CREATE TEMP TABLE … AS, SELECT INTO TEMP and their kin: released rows that a session keeps on its stage."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end.asking import refusal, rows
from tests.end_to_end.comparing import client_and_source
from tests.end_to_end.running import RunningProxy

BY_REGION = "SELECT region, count(*) AS n, avg(cost) AS mean FROM visits GROUP BY region"


@pytest.fixture
def client(rich_proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    with rich_proxy.connect() as connection:
        yield connection


@pytest.mark.parametrize(
    ("statement", "tag"),
    [
        (f"CREATE TEMP TABLE kept AS {BY_REGION}", "SELECT 6"),
        (f"CREATE LOCAL TEMPORARY TABLE pg_temp.kept AS ({BY_REGION}) WITH DATA;", "SELECT 6"),
        (BY_REGION.replace("FROM", "INTO TEMP kept FROM"), "SELECT 6"),
        (BY_REGION.replace("FROM", "INTO TEMPORARY TABLE pg_temp.kept FROM"), "SELECT 6"),
        (f"WITH w AS ({BY_REGION}) SELECT * INTO TEMP kept FROM w", "SELECT 6"),
        (f"CREATE OR REPLACE TEMP VIEW kept AS {BY_REGION}", "CREATE VIEW"),
        (
            f"CREATE TEMP TABLE kept (region text, n bigint, mean numeric); INSERT INTO kept {BY_REGION}",
            "INSERT 0 6",
        ),
        (
            f"CREATE LOCAL TEMPORARY TABLE kept (region text, n bigint, mean numeric) ON COMMIT PRESERVE ROWS; "
            f"INSERT INTO pg_temp.kept (n, mean, region) SELECT n, mean, region FROM ({BY_REGION}) AS q",
            "INSERT 0 6",
        ),
    ],
)
@pytest.mark.parametrize("extended", [False, True], ids=["simple", "extended"])
def test_kept_rows_are_those_of_the_query(
    client: psycopg.Connection, statement: str, tag: str, *, extended: bool
) -> None:
    answer = sorted(rows(client, BY_REGION), key=str)
    *before, last = statement.split("; ")
    for first in before:
        assert client.execute(first.encode(), prepare=extended).statusmessage == "CREATE TABLE"
    assert client.execute(last.encode(), prepare=extended).statusmessage == tag
    assert sorted(rows(client, "SELECT * FROM kept"), key=str) == answer
    assert rows(client, "SELECT count(*) FROM pg_temp.kept k JOIN kept USING (region)") == [(5,)]


def test_table_has_the_columns_of_the_query_or_those_that_are_named(client: psycopg.Connection) -> None:
    client.execute(f"CREATE TEMP TABLE kept (place) AS {BY_REGION}".encode())
    described = client.execute("SELECT * FROM kept").description
    assert described is not None
    assert [(column.name, column.type_code) for column in described] == [("place", 25), ("n", 20), ("mean", 1700)]
    assert refusal(client, f"CREATE TEMP TABLE other (a, b, c, d) AS {BY_REGION}").sqlstate == "0A000"


VALUES = (
    "SELECT ARRAY['a', NULL, 'b,{}']::text[] AS a, '1 day 02:00'::interval AS i, '\\x00ff'::bytea AS b, "
    "timestamptz '2024-02-29 12:00:00.123456+01' AS t, 0.1::float8 + 0.2 AS f, 'NaN'::numeric AS x, 1.10::numeric AS y, "
    "NULL AS z, true AS o, E'it''s \\\\ \"é\"\\n' AS s, '{\"k\": [1, null]}'::jsonb AS j, int4range(1, 5) AS r"
)


def test_values_of_every_kind_are_kept_as_they_are(client: psycopg.Connection) -> None:
    client.execute(f"CREATE TEMP TABLE kept AS {VALUES} UNION ALL {VALUES}".encode())
    assert str(rows(client, "SELECT * FROM kept")) == str(rows(client, f"{VALUES} UNION ALL {VALUES}"))


def test_too_few_digits_are_refused(client: psycopg.Connection) -> None:
    client.execute("SET extra_float_digits = 0")
    assert "extra_float_digits" in str(refusal(client, f"CREATE TEMP TABLE kept AS {VALUES}").message_primary)


def test_table_is_made_of_other_temporary_tables_and_of_public_ones(client: psycopg.Connection) -> None:
    client.execute(f"CREATE TEMP TABLE kept AS {BY_REGION}".encode())
    client.execute("CREATE TEMP TABLE few AS SELECT region FROM kept ORDER BY n DESC, region LIMIT 2")
    assert len(rows(client, "TABLE few")) == 2


@pytest.mark.parametrize(
    "query",
    [
        "SELECT region, count(*) FROM visits WHERE region IN (SELECT region FROM chosen) GROUP BY region",
        "SELECT v.region, c.weight, sum(v.cost) FROM visits v JOIN chosen c USING (region) GROUP BY 1, 2",
        "SELECT v.region, count(*), sum(c.weight) FROM visits v JOIN pg_temp.chosen c ON c.region = v.region GROUP BY 1",
        "SELECT c.region, c.weight * v.n FROM chosen c JOIN (SELECT region, count(*) AS n FROM visits GROUP BY 1) v "
        "USING (region)",
        "WITH other AS (SELECT * FROM chosen WHERE weight > 2) SELECT count(*) FROM visits "
        "WHERE region IN (SELECT region FROM other)",
    ],
)
def test_read_beside_private_tables_they_are_the_values_that_they_are(exact_proxy: RunningProxy, query: str) -> None:
    made = "CREATE TEMP TABLE chosen AS SELECT * FROM (VALUES ('north', 2), ('south', 3)) AS v (region, weight)"
    with client_and_source(exact_proxy) as (client, source):
        for connection in (client, source):
            connection.execute(made.encode())
        assert sorted(rows(client, query), key=str) == sorted(rows(source, query), key=str)


def test_table_that_changed_is_read_as_it_is_now(exact_proxy: RunningProxy) -> None:
    query = "SELECT min(region) FROM (SELECT region, count(*) FROM visits JOIN chosen USING (region) GROUP BY 1) AS r"
    with client_and_source(exact_proxy) as (client, _):
        answers = []
        for region in ("north", "south"):
            client.execute(f"CREATE OR REPLACE TEMP VIEW chosen AS SELECT '{region}' AS region".encode())
            answers.append(rows(client, query))
    assert answers == [[("north",)], [("south",)]]


@pytest.mark.parametrize("name", ["visits", "text", "pg_class", "patients", "budget", "_int4", "pg_toast_2619"])
@pytest.mark.parametrize("form", ["CREATE TEMP TABLE {} AS SELECT 1 AS a", "CREATE TEMP VIEW {} AS SELECT 1 AS a"])
def test_name_of_another_relation_or_type_is_not_hidden(client: psycopg.Connection, form: str, name: str) -> None:
    refused = refusal(client, form.format(f'"{name}"'))
    assert (refused.sqlstate, refused.context) == ("42P07", None)
    assert f'cannot be named "{name}"' in str(refused.message_primary)


@pytest.mark.parametrize(
    ("statement", "sqlstate"),
    [
        ("CREATE TEMP TABLE kept AS SELECT * FROM visits", "42501"),
        ("CREATE TEMP VIEW kept AS SELECT cost FROM visits", "42501"),
        ("SELECT cost INTO TEMP kept FROM visits", "42501"),
        ("CREATE TABLE kept AS SELECT count(*) FROM visits", "42501"),
        ("SELECT count(*) INTO kept FROM visits", "42501"),
        ("CREATE MATERIALIZED VIEW kept AS SELECT count(*) FROM visits", "42501"),
        ("CREATE TEMP TABLE kept (a integer PRIMARY KEY)", "0A000"),
        ("CREATE TEMP TABLE kept (a integer DEFAULT 1)", "0A000"),
        ("CREATE TEMP TABLE kept (LIKE regions)", "0A000"),
        ("CREATE TEMP TABLE kept ()", "0A000"),
        ("CREATE TEMP TABLE kept (a serial)", "42704"),
        ("CREATE TEMP TABLE kept (a integer) INHERITS (regions)", "0A000"),
        ("CREATE TABLE kept (a integer)", "42501"),
        ("EXPLAIN CREATE TEMP TABLE kept AS SELECT count(*) FROM visits", "0A000"),
        ("INSERT INTO visits SELECT count(*) FROM visits", "42501"),
        ("INSERT INTO public.regions VALUES ('x', 'y')", "42501"),
        ("INSERT INTO regions SELECT region, 'x' FROM visits GROUP BY region", "42501"),
        ("INSERT INTO missing SELECT count(*) FROM visits", "42P01"),
        ("CREATE TEMP TABLE kept AS EXECUTE p", "0A000"),
        ("CREATE TEMP TABLE kept ON COMMIT DELETE ROWS AS SELECT count(*) FROM visits", "0A000"),
        ("CREATE TEMP TABLE kept AS SELECT 1 AS a, 2 AS a", "42701"),
        ("CREATE TEMP TABLE kept AS SELECT generate_series(1, 10001)", "54000"),
        ("CREATE TEMP TABLE kept AS SELECT repeat('x', 10000000)", "54000"),
        ("CREATE FUNCTION pg_temp.f() RETURNS integer LANGUAGE sql AS 'SELECT 1'", "42501"),
        ("CREATE TEMP SEQUENCE s", "42501"),
        ("CREATE DOMAIN pg_temp.d AS integer", "42501"),
    ],
)
def test_what_would_be_more_than_released_rows_is_refused(
    client: psycopg.Connection, statement: str, sqlstate: str
) -> None:
    assert refusal(client, statement).sqlstate == sqlstate
    assert rows(client, "SELECT count(*) FROM pg_class WHERE relnamespace = pg_my_temp_schema()") == [(0,)]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE kept SET a = 2",
        "DELETE FROM kept",
        "TRUNCATE kept",
        "ALTER TABLE kept ADD COLUMN b integer DEFAULT 1",
        "CREATE INDEX ON kept (a)",
        "CREATE RULE r AS ON SELECT TO kept DO INSTEAD SELECT 1",
        "COMMENT ON TABLE kept IS 'x'",
        "COPY kept FROM STDIN",
    ],
)
def test_table_cannot_be_changed(client: psycopg.Connection, statement: str) -> None:
    client.execute("CREATE TEMP TABLE kept AS SELECT 1 AS a")
    assert refusal(client, statement).sqlstate == "42501"
    assert rows(client, "TABLE kept") == [(1,)]


def test_values_make_a_table(client: psycopg.Connection) -> None:
    assert client.execute("CREATE TEMP TABLE kept AS VALUES (1, 'a'), (2, NULL)").statusmessage == "SELECT 2"
    assert rows(client, "SELECT column1, column2 FROM kept ORDER BY 1") == [(1, "a"), (2, None)]


def test_other_styles_of_dates_are_named(client: psycopg.Connection) -> None:
    client.execute("CREATE TEMP TABLE kept AS SELECT 1 AS a")
    client.execute("SET DateStyle = 'SQL, DMY'")
    for statement in ("CREATE TEMP TABLE other AS SELECT 1 AS a", "INSERT INTO kept VALUES (2)"):
        assert "DateStyle must be ISO" in str(refusal(client, statement).message_primary)
    assert client.execute("DROP TABLE kept").statusmessage == "DROP TABLE"


def test_transactions_keep_and_undo(client: psycopg.Connection) -> None:
    with client.transaction():
        client.execute("CREATE TEMP TABLE kept AS SELECT 1 AS a")
        with client.transaction(force_rollback=True):
            client.execute("DROP TABLE kept")
            client.execute("CREATE TEMP TABLE other AS SELECT 2 AS a")
            assert refusal_in(client, "TABLE kept") == "42P01"
        client.execute("CREATE TEMP TABLE passing ON COMMIT DROP AS SELECT count(*) FROM visits")
        assert len(rows(client, "TABLE passing")) == 1
    assert rows(client, "TABLE kept") == [(1,)]
    assert [refusal(client, f"TABLE {name}").sqlstate for name in ("other", "passing")] == ["42P01", "42P01"]
    client.execute("DISCARD ALL")
    assert refusal(client, "TABLE kept").sqlstate == "42P01"


def refusal_in(client: psycopg.Connection, query: str) -> str | None:
    with pytest.raises(psycopg.Error) as refused, client.transaction():
        client.execute(query.encode())
    return refused.value.sqlstate


def test_drop_drops_what_the_session_keeps_and_nothing_else(client: psycopg.Connection) -> None:
    notices: list[str | None] = []
    client.add_notice_handler(lambda diagnostic: notices.append(diagnostic.message_primary))
    client.execute("CREATE TEMP TABLE kept AS SELECT 1 AS a")
    assert client.execute("DROP TABLE IF EXISTS kept, pg_temp.missing").statusmessage == "DROP TABLE"
    assert notices == ['table "missing" does not exist, skipping']
    assert refusal(client, "DROP TABLE kept").sqlstate == "42P01"
    assert refusal(client, "DROP TABLE visits").sqlstate == "42501"
    client.execute("CREATE TEMP VIEW kept AS SELECT 1 AS a")
    assert client.execute("DROP VIEW kept").statusmessage == "DROP VIEW"


def test_prepared_query_reads_the_table_of_its_execution(client: psycopg.Connection) -> None:
    client.execute("CREATE TEMP TABLE kept AS SELECT 'north' AS region")
    client.execute("PREPARE p AS SELECT count(*) FROM visits WHERE region IN (SELECT region FROM kept)")
    assert len(rows(client, "EXECUTE p")) == 1
    client.execute("DROP TABLE kept")
    assert refusal(client, "EXECUTE p").sqlstate == "42P01"


@pytest.mark.parametrize(
    ("present", "sqlstate", "tag"),
    [("", "42P07", None), ("IF NOT EXISTS", None, "CREATE TABLE AS")],
)
def test_table_that_is_there_costs_nothing(
    client: psycopg.Connection, present: str, sqlstate: str | None, tag: str | None
) -> None:
    client.execute("CREATE TEMP TABLE kept AS SELECT 1 AS a")
    spent = rows(client, "SELECT sum(epsilon_spent) FROM dp.budget")
    statement = f"CREATE TEMP TABLE {present} kept AS SELECT sum(cost) FROM visits WHERE cost > 17"
    if sqlstate is None:
        assert client.execute(statement.encode()).statusmessage == tag
    else:
        assert refusal(client, statement).sqlstate == sqlstate
    assert rows(client, "TABLE kept") == [(1,)]
    assert rows(client, "SELECT sum(epsilon_spent) FROM dp.budget") == spent


def test_without_data_nothing_is_released(client: psycopg.Connection) -> None:
    spent = rows(client, "SELECT sum(epsilon_spent) FROM dp.budget")
    client.execute("CREATE TEMP TABLE kept AS SELECT sum(cost) FROM visits WHERE cost > 18 WITH NO DATA")
    assert rows(client, "TABLE kept") == []
    assert rows(client, "SELECT sum(epsilon_spent) FROM dp.budget") == spent


def test_tables_have_limits(client: psycopg.Connection) -> None:
    for number in range(32):
        client.execute(f"CREATE TEMP TABLE kept_{number} AS SELECT generate_series(1, 2) AS a".encode())
    assert refusal(client, "CREATE TEMP TABLE one_more AS SELECT 1").sqlstate == "54000"
    client.execute("DROP TABLE kept_0")
    client.execute("CREATE TEMP TABLE long AS SELECT generate_series(1, 1001) AS a")
    assert refusal(client, "SELECT count(*) FROM visits WHERE visit_id IN (SELECT a FROM long)").sqlstate == "54000"


def test_a_transaction_cannot_collect_the_locks_of_dropped_tables(client: psycopg.Connection) -> None:
    """The room for locks is that of all sessions, and of the ledger."""
    client.execute("BEGIN")
    with pytest.raises(psycopg.errors.ProgramLimitExceeded, match="too many locks") as refused:  # noqa: PT012
        for number in range(200):
            client.execute(f"CREATE TEMP TABLE kept_{number} AS SELECT 1 AS a".encode())
            client.execute(f"DROP TABLE kept_{number}".encode())
    client.execute("ROLLBACK")
    assert "COMMIT" in (refused.value.diag.message_hint or "")
    client.execute("CREATE TEMP TABLE kept AS SELECT 1 AS a")


def test_a_transaction_cannot_collect_the_locks_of_tables_that_it_undoes(client: psycopg.Connection) -> None:
    client.execute("BEGIN; SAVEPOINT s")
    with pytest.raises(psycopg.errors.ProgramLimitExceeded, match="too many locks"):  # noqa: PT012
        for number in range(200):
            client.execute(
                f"CALL dp.keep_rows('kept_{number}', ARRAY['a'], ARRAY['text'], '[]', 'fail', false)".encode()
            )
            client.execute(f"CALL dp.drop_rows(ARRAY['kept_{number}'], true)".encode())
            client.execute("RELEASE s; SAVEPOINT s")
    client.execute("ROLLBACK")


def test_another_session_cannot_read_the_table(rich_proxy: RunningProxy, client: psycopg.Connection) -> None:
    client.execute("CREATE TEMP TABLE kept AS SELECT 1 AS a")
    ((schema,),) = rows(client, "SELECT nspname FROM pg_namespace WHERE oid = pg_my_temp_schema()")
    with rich_proxy.connect() as other:
        assert refusal(other, "TABLE kept").sqlstate == "42P01"
        assert refusal(other, f"SELECT * FROM {schema}.kept").sqlstate in ("42501", "0A000")


KEEP = "CALL dp.keep_rows({}, {}, {}, {}, 'fail', false)"


@pytest.mark.parametrize(
    ("name", "columns", "types", "kept", "sqlstate"),
    [
        ("'visits'", "ARRAY['a']", "ARRAY['text']", "'[]'", "42P07"),
        ("'kept'", "ARRAY['a']", "ARRAY['public.visits']", "'[]'", "42804"),
        ("'kept'", "ARRAY['a']", "ARRAY['int); DROP TABLE x; --']", "'[]'", "42601"),
        ("'kept'", "ARRAY['a int, b']", "ARRAY['record']", "'[]'", "42804"),
        ("'kept'", "ARRAY['a']", "ARRAY['text', 'text']", "'[]'", "42P16"),
        ("'kept'", "ARRAY['a']", "ARRAY['text']", "repeat(' ', 9000000)", "54000"),
        ("'kept'", "ARRAY['a']", "ARRAY['int']", "'[[\"1; SELECT\"]]'", "22P02"),
    ],
)
def test_procedure_takes_values_only_from_whoever_calls_it(
    client: psycopg.Connection, name: str, columns: str, types: str, kept: str, sqlstate: str
) -> None:
    assert refusal(client, KEEP.format(name, columns, types, kept)).sqlstate == sqlstate


@pytest.mark.parametrize(
    ("name", "columns", "types", "sqlstate"),
    [
        ("'visits'", "ARRAY['visit_id']", "ARRAY['int']", "42P01"),
        ("'regions'", "ARRAY['name']", "ARRAY['text']", "42P01"),
        ("'kept'", "ARRAY['a) SELECT 1; --']", "ARRAY['int']", "42703"),
        ("'kept'", "ARRAY['a']", "ARRAY['int); DROP TABLE x; --']", "42601"),
        ("'kept'", "ARRAY['a']", "ARRAY['public.visits']", "42804"),
    ],
)
def test_procedure_inserts_values_alone_and_into_temporary_tables_alone(
    client: psycopg.Connection, name: str, columns: str, types: str, sqlstate: str
) -> None:
    client.execute("CREATE TEMP TABLE kept (a integer)")
    call = f"CALL dp.keep_rows({name}, {columns}, {types}, '[[1]]', 'add', false)"
    assert refusal(client, call).sqlstate == sqlstate


def test_names_are_quoted(client: psycopg.Connection) -> None:
    client.execute("""CREATE TEMP TABLE "a""b; c" AS SELECT 1 AS "x"" int, y", 'v' AS "%I" """)
    assert rows(client, """SELECT "x"" int, y", "%I" FROM "a""b; c" """) == [(1, "v")]
    client.execute('DROP TABLE "a""b; c"')
