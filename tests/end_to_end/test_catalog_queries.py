"""What BI tools ask the catalog: JDBC's metadata calls, SQLAlchemy's reflection and Superset's, as recorded on the wire.

`recorded/` has one file per client with every distinct catalog statement, table names adapted to the clinic. Bound
parameters stand in a comment before the statement; "@table" is the table's OID.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from psycopg import pq
from psycopg.rows import dict_row

from tests.end_to_end.running import RunningProxy

RECORDED = Path(__file__).with_name("recorded")


@dataclass(frozen=True)
class RecordedStatement:
    """A statement and the text forms of its parameters."""

    text: str
    parameters: tuple[str | None, ...] = ()

    def run(self, connection: psycopg.Connection) -> pq.abc.PGresult:
        """Send it as the client did: simple protocol without parameters, else extended."""
        if not self.parameters:
            return connection.pgconn.exec_(self.text.encode())
        return connection.pgconn.exec_params(
            self.text.encode(), [_parameter(connection, value) for value in self.parameters]
        )


def _parameter(connection: psycopg.Connection, value: str | None) -> bytes | None:
    if value is None or not value.startswith("@"):
        return None if value is None else value.encode()
    found = connection.execute("SELECT %s::text::regclass::oid::text", [value.removeprefix("@")]).fetchone()
    assert found is not None
    return str(found[0]).encode()


def read_statements(client: str) -> list[RecordedStatement]:
    statements = []
    for piece in (RECORDED / f"{client}.sql").read_text().split(";\n"):
        match = re.match(r"\s*-- parameters: (.*)\n", piece)
        if match is not None:
            statements.append(RecordedStatement(piece[match.end() :], tuple(json.loads(match[1]))))
        elif piece.strip():
            statements.append(RecordedStatement(piece.strip()))
    return statements


@pytest.fixture(scope="module")
def client(proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    with proxy.connect() as connection:
        yield connection


@pytest.fixture(scope="module")
def source(proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    with psycopg.connect(proxy.options.source_dsn, autocommit=True) as connection:
        yield connection


@pytest.mark.parametrize(("name", "least"), [("jdbc", 10), ("sqlalchemy", 30), ("superset", 25)])
def test_catalog_queries_find_what_they_find_on_the_source(
    client: psycopg.Connection, source: psycopg.Connection, name: str, least: int
) -> None:
    statements = read_statements(name)
    assert len(statements) >= least
    for statement in statements:
        here, there = statement.run(client), statement.run(source)
        assert here.status == pq.ExecStatus.TUPLES_OK, (statement.text, here.error_message)
        assert [here.fname(i) for i in range(here.nfields)] == [there.fname(i) for i in range(there.nfields)]
        asks_for_secondary_indexes = re.search(r"NOT [\w.]*indisprimary|indisprimary = 'f'", statement.text)
        if re.search("visits|patients", statement.text + str(statement.parameters)) and not asks_for_secondary_indexes:
            assert (here.ntuples > 0) == (there.ntuples > 0), statement.text


def test_jdbc_index_information_has_no_cardinality_and_no_pages(
    client: psycopg.Connection, source: psycopg.Connection
) -> None:
    (statement,) = [found for found in read_statements("jdbc") if "CARDINALITY" in found.text]
    here = client.cursor(row_factory=dict_row).execute(statement.text.encode()).fetchall()
    there = source.cursor(row_factory=dict_row).execute(statement.text.encode()).fetchall()
    assert [(row["index_name"], row["cardinality"]) for row in here] == [("visits_pkey", 0)]
    assert {row["pages"] for row in here} == {1}
    assert ("visits_pkey", 12000) in [(row["index_name"], row["cardinality"]) for row in there]


STATISTICS = {
    "rows and pages": "SELECT reltuples::bigint, relpages, relallvisible FROM pg_class WHERE oid = 'visits'::regclass",
    "relation size": "SELECT pg_relation_size('visits'), pg_relation_size('patients')",
    "column statistics": "SELECT count(*) FROM pg_stats WHERE tablename = 'visits'",
}


@pytest.mark.parametrize("query", STATISTICS.values(), ids=STATISTICS.keys())
def test_statistics_of_a_private_table_say_nothing(
    client: psycopg.Connection, source: psycopg.Connection, query: str
) -> None:
    here, there = client.execute(query).fetchone(), source.execute(query).fetchone()
    assert here is not None
    assert there is not None
    assert all(value in (0, -1) for value in here), here
    assert any(value not in (0, -1) for value in there), there


def test_activity_counters_of_a_private_table_stay_at_zero(client: psycopg.Connection) -> None:
    client.execute("SELECT count(*) FROM visits WHERE urgent")
    counters = "seq_tup_read, idx_tup_fetch, n_tup_ins, n_tup_upd, n_tup_del, n_live_tup, n_dead_tup"
    query = f"SELECT {counters} FROM pg_stat_user_tables WHERE relname IN ('visits', 'patients')"
    assert {tuple(row) for row in client.execute(query)} == {(0,) * 7}


def test_explain_of_the_stage_estimates_nothing_about_private_tables(client: psycopg.Connection) -> None:
    lines = [line for (line,) in client.execute("EXPLAIN SELECT count(*) FROM visits WHERE region = 'north'")]
    assert not [line for line in lines if "rows=" in line or "cost=" in line]
    assert lines[0] == "Differentially private aggregate of public.visits"


def test_superset_reads_filter_boxes_for_free(client: psycopg.Connection) -> None:
    before = client.execute("SELECT account, rho_spent FROM dp.budget ORDER BY 1").fetchall()
    client.execute("SET search_path = 'public'")
    rows = client.execute("SELECT region\nFROM public.visits\nGROUP BY region\nLIMIT 10000").fetchall()
    client.execute("RESET search_path")
    assert {"north", "south", "east", "west"} <= {row[0] for row in rows}
    assert client.execute("SELECT account, rho_spent FROM dp.budget ORDER BY 1").fetchall() == before
