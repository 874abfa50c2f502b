"""A query that escapes the interception meets no SELECT right, and no spelling gets an answer from the empty stage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import psycopg
import pytest

from proxy.postgres.embedded import EmbeddedPostgres
from proxy.query.private_router import PrivateRouter
from proxy.wire.router import Notice, StatementText
from tests.conftest import skip_without_xml
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy

PRIVATE_TABLES = ("visits", "patients")


class UnpluggedRouter(PrivateRouter):
    """The failure that must not matter: no statement is recognised as private."""

    async def split(self, text: str, analyst: str) -> tuple[StatementText, ...]:  # noqa: ARG002
        return (StatementText(text, False),)

    def check_startup(self, parameters: Mapping[str, str]) -> tuple[Notice, ...]:  # noqa: ARG002
        """Every session is welcome."""
        return ()

    def claims(self, text: str) -> bool:  # noqa: ARG002
        return False


@pytest.fixture(scope="module")
def unplugged(proxies: StartProxy) -> Iterator[psycopg.Connection]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("proxy.serving.service.PrivateRouter", UnpluggedRouter)
        proxy = proxies(clinic.exact_policy())
    with proxy.connect() as connection:
        yield connection


FORMS = {
    "aggregate": "SELECT count(*) FROM {}",
    "rows": "SELECT * FROM {}",
    "table command": "TABLE {}",
    "copy of a query": "COPY (SELECT count(*) FROM {}) TO STDOUT",
    "copy of a table": "COPY {} TO STDOUT",
    "cursor": "BEGIN; DECLARE c CURSOR WITH HOLD FOR SELECT count(*) FROM {}; COMMIT",
    "prepared in SQL": "PREPARE from_{} AS SELECT count(*) FROM {}; EXECUTE from_{}",
    "subquery": "SELECT name, (SELECT count(*) FROM {}) FROM regions",
    "expression below": "SELECT EXISTS (SELECT FROM {})",
    "explain": "EXPLAIN SELECT count(*) FROM {}",
    "explain analyze": "EXPLAIN ANALYZE SELECT count(*) FROM {}",
    "system column": "SELECT max(xmin::text) FROM {}",
    "whole row": "SELECT t FROM {} AS t",
    "xml of a query": "SELECT query_to_xml('SELECT count(*) FROM {}', true, true, '')",
    "xml of a table": "SELECT table_to_xml('{}', true, true, '')",
    "insert": "INSERT INTO {} SELECT * FROM {}",
    "delete": "DELETE FROM {}",
    "truncate": "TRUNCATE {}",
    "lock": "BEGIN; LOCK TABLE {} IN ACCESS EXCLUSIVE MODE",
    "view": "CREATE VIEW v AS SELECT * FROM {}",
    "temporary view": "CREATE TEMP VIEW v AS SELECT * FROM {}",
    "table of a query": "CREATE TABLE t AS SELECT * FROM {}",
    "anonymous block": "DO $$ BEGIN PERFORM count(*) FROM {}; END $$",
}


def sqlstate(connection: psycopg.Connection, text: str, *, extended: bool) -> str | None:
    """What the server says of a text, by one protocol or the other; None where it did not fail."""
    send = connection.pgconn.exec_params(text.encode(), []) if extended else connection.pgconn.exec_(text.encode())
    state = send.error_field(psycopg.pq.DiagnosticField.SQLSTATE)
    if connection.pgconn.transaction_status != psycopg.pq.TransactionStatus.IDLE:
        connection.pgconn.exec_(b"ROLLBACK")
    return state.decode() if state is not None else None


@pytest.mark.parametrize("table", PRIVATE_TABLES)
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
def test_unplugged_proxy_denies_private_tables(unplugged: psycopg.Connection, table: str, form: str) -> None:
    text = form.replace("{}", table)
    if "_xml" in text:
        skip_without_xml(unplugged)
    assert sqlstate(unplugged, text, extended=False) == "42501"
    if ";" not in text:
        assert sqlstate(unplugged, text, extended=True) == "42501"


def test_unplugged_proxy_denies_every_column_of_private_tables(unplugged: psycopg.Connection) -> None:
    columns = unplugged.execute(
        "SELECT table_name, column_name FROM information_schema.columns WHERE table_name = ANY (%s)",
        (list(PRIVATE_TABLES),),
    ).fetchall()
    assert len(columns) == 20
    for table, column in columns:
        assert sqlstate(unplugged, f'SELECT "{column}" FROM "{table}"', extended=False) == "42501"


def test_unplugged_proxy_still_answers_from_public_tables(unplugged: psycopg.Connection) -> None:
    assert unplugged.execute("SELECT count(*) FROM regions").fetchone() == (5,)


def test_private_tables_of_the_stage_are_empty(exact_proxy: RunningProxy, stage_cluster: EmbeddedPostgres) -> None:
    with psycopg.connect(stage_cluster.dsn(exact_proxy.database)) as superuser:
        for table in PRIVATE_TABLES:
            assert superuser.execute(f"SELECT count(*) FROM {table}".encode()).fetchone() == (0,)
        assert superuser.execute("SELECT count(*) FROM regions").fetchone() == (5,)


ANSWERED: dict[str, Sequence[str]] = {
    "capitals and comments": ["/* visits /* nested */ */ SELECT COUNT(*)FROM/**/ViSiTs--"],
    "quoted": ['SELECT count(*) FROM "public"."visits"'],
    "another search path": ["SET search_path = pg_catalog, public", "SELECT count(*) FROM visits"],
    "temporary schema first": ["SET search_path = pg_temp, public", "SELECT count(*) FROM visits"],
    "temporary schema between": [
        'SET search_path = "$user", "no ""such, one", PG_TEMP, "public"',
        "SELECT count(*) FROM visits",
    ],
    "parenthesised": ["((SELECT count(*) FROM visits))"],
    "in a common table": ["WITH regions AS (SELECT count(*) AS n FROM visits) SELECT n FROM regions"],
    "shadowed by a common table": ["WITH visits AS (SELECT count(*) AS n FROM public.visits) SELECT n FROM visits"],
    "in a lateral subquery": ["SELECT n FROM (SELECT 1) AS one, LATERAL (SELECT count(*) AS n FROM visits) AS two"],
    "in a scalar subquery": ["SELECT (SELECT count(*) FROM visits)"],
    "in a union": ["SELECT count(*) FROM visits UNION SELECT count(*) FROM visits"],
    "after a dollar-quoted text": ["SELECT count(*) FROM visits WHERE $a$it's$a$ <> 'x'"],
    "after an escaped text": ["SELECT count(*) FROM visits WHERE E'\\'' = ''''"],
    "after a text that ends in a backslash": ["SELECT count(*) FROM visits WHERE 'a\\' <> ''"],
    "only": ["SELECT count(*) FROM ONLY visits"],
    "asterisk": ["SELECT count(*) FROM visits *"],
    "escaped identifier": ['SELECT count(*) FROM U&"v\\0069sits"'],
    "escaped identifier with a schema": ['SELECT count(*) FROM U&"p\\0075blic" . U&"\\0076isits"'],
    "other escape character": ["SELECT count(*) FROM U&\"v!0069sits\" UESCAPE '!'"],
    "long escape": ['SELECT count(*) FROM U&"v\\+000069sits"'],
    "a unary plus": ["SELECT + count(*) FROM visits WHERE + 1 > 0"],
    "a text in escapes and in parts": ["SELECT count(*) FROM visits WHERE U&'\\0061' = ''\n'a'"],
    "a temporary table of its name is not made": [
        "CREATE TEMP TABLE visits AS SELECT 1",
        "SELECT count(*) FROM visits",
    ],
}
REFUSED: dict[str, Sequence[str]] = {
    "prepared escaped identifier": ['PREPARE p AS SELECT cost FROM U&"v\\0069sits"', "EXECUTE p"],
    "row comparison": ["SELECT count(*) FROM visits AS v WHERE v IS NOT NULL OR v IS NULL"],
    "correlated subquery over the catalog": [
        "SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM pg_class c WHERE c.relname = v.region)"
    ],
    "query as text": ["SELECT query_to_xml('SELECT count(*) FROM visits', true, true, '')"],
    "own view": ["CREATE VIEW mine AS SELECT * FROM visits"],
    "standard_conforming_strings off": ["SET standard_conforming_strings = off", "SELECT count(*) FROM visits"],
}
PROTOCOLS = pytest.mark.parametrize("extended", [False, True], ids=["simple", "extended"])


def last_result(proxy: RunningProxy, statements: Sequence[str], *, extended: bool) -> psycopg.pq.abc.PGresult:
    """The result of the last of `statements` in a session of its own."""
    with proxy.connect() as client:
        for statement in statements:
            text = statement.encode()
            result = client.pgconn.exec_params(text, []) if extended else client.pgconn.exec_(text)
        return result


@PROTOCOLS
@pytest.mark.parametrize("statements", ANSWERED.values(), ids=ANSWERED.keys())
def test_spelling_is_recognised_and_answered_from_the_source(
    exact_proxy: RunningProxy, statements: Sequence[str], extended: bool
) -> None:
    result = last_result(exact_proxy, statements, extended=extended)
    assert [result.get_value(row, 0) for row in range(result.ntuples)] == [b"12000"], result.error_message


@PROTOCOLS
@pytest.mark.parametrize("statements", REFUSED.values(), ids=REFUSED.keys())
def test_spelling_is_refused_and_not_answered_from_the_empty_stage(
    exact_proxy: RunningProxy, statements: Sequence[str], extended: bool
) -> None:
    result = last_result(exact_proxy, statements, extended=extended)
    assert result.error_field(psycopg.pq.DiagnosticField.SQLSTATE) in (b"42501", b"0A000")
