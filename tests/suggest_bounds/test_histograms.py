"""What the searches rest on: each question counts each unit once, exactly, and no value makes a source query fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg import sql

from proxy.policy.catalog import Catalog
from proxy.policy.model import ColumnPolicy, Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.sql.schema import Schema
from proxy.sql.suggesting.exceedances import caps_sql, ends_sql, read_caps, read_ends
from proxy.sql.suggesting.questions import ROW_CAPS, Questions, plan_questions
from proxy.sql.suggesting.requests import Request, all_numbers, query_relation, table_relation
from proxy.sql.suggesting.scales import YearScale
from tests.attacks import generated
from tests.attacks.test_sensitivity import ALONE, INSERT, ROWS, Row
from tests.conftest import PostgresCluster

NUMBERS = ("small", "whole", "big", "money", "free", "wide", "narrow")
TIMES = ("day", "moment", "instant")
QUERY = (
    "SELECT unit, sum(money) AS total, max(big) AS most, count(*) AS n, max(day) AS latest "
    "FROM events WHERE whole > 0 GROUP BY unit"
)
TextRows = list[tuple[str | None, ...]]


def unbounded(policy: Policy) -> Policy:
    """The policy without bounds, so that nothing is known of any value."""
    tables = {
        name: table.model_copy(update={"columns": {column: ColumnPolicy() for column in table.columns or {}}})
        for name, table in policy.tables.items()
        if not table.public
    }
    return policy.model_copy(update={"tables": tables})


POLICY = unbounded(generated.policy(max_rows=3, max_rows_per_group=2, max_groups=2, bound="10", step=None))


class Database:
    """A connection whose changes are rolled back after each example."""

    def __init__(self, connection: psycopg.Connection, catalog: Catalog) -> None:
        self.connection = connection
        self.schema = Schema(POLICY, catalog)

    def insert(self, table: str, rows: Sequence[Row]) -> None:
        target = sql.Identifier("public", table)
        statement = INSERT.format(target, sql.SQL(", ").join([sql.Placeholder()] * len(rows[0])))
        self.connection.cursor().executemany(statement, rows)

    def rows(self, query: str) -> TextRows:
        cursor = self.connection.execute(query.encode())
        return [tuple(None if value is None else str(value) for value in row) for row in cursor.fetchall()]

    def number(self, query: str) -> int:
        return int(self.rows(query)[0][0] or 0)


@pytest.fixture(scope="module")
def database(postgres_cluster: PostgresCluster) -> Iterator[Database]:
    dsn = postgres_cluster.create_database("histograms")
    with psycopg.connect(dsn) as connection:
        connection.execute(generated.SCHEMA.encode())
        connection.execute("SET search_path = pg_catalog, pg_temp")
        connection.commit()
        yield Database(connection, read_catalog(dsn, ["public.events", "public.people"]))


def questions_of(schema: Schema, about: str) -> Questions:
    """Everything that can be asked about a table, or about the rows of QUERY."""
    if about == "query":
        relation = query_relation(schema, QUERY)
        request = Request(relation, all_numbers(relation))
    else:
        relation = table_relation(schema, f"public.{about}")
        many = not relation.unit_unique
        request = Request(relation, (*NUMBERS, *TIMES), many, ("region", "wide") if many else ())
    return plan_questions(request, schema.policy, Fraction(1))


def some_ends(questions: Questions) -> list[tuple[Fraction, ...]]:
    return [column.scale.ends(column.scale.caps()[len(column.scale.caps()) // 2]) for column in questions.columns]


def buckets(rows: TextRows) -> Counter[tuple[str | None, ...]]:
    return Counter({row[:-1]: int(row[-1] or 0) for row in rows})


settle = settings(
    max_examples=40,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@settle
@given(about=st.sampled_from(["events", "people", "query"]), rows=ROWS, alone=ALONE)
def test_without_a_unit_each_question_loses_one_count_in_one_bucket(
    database: Database, about: str, rows: list[Row], alone: list[Row]
) -> None:
    table = "people" if about == "people" else "events"
    rows = [*rows, *alone, (None, *rows[0][1:])]
    rows = list({row[0]: row for row in rows if row[0]}.values()) if table == "people" else rows
    questions = questions_of(database.schema, about)
    ends = some_ends(questions)
    try:
        database.insert(table, rows)
        whole = [buckets(database.rows(text)) for text in (caps_sql(questions), ends_sql(questions, ends))]
        database.connection.execute(f"DELETE FROM public.{table} WHERE unit = 1".encode())
        smaller = [buckets(database.rows(text)) for text in (caps_sql(questions), ends_sql(questions, ends))]
    finally:
        database.connection.rollback()
    for before, after in zip(whole, smaller, strict=True):
        lost, gained = before - after, after - before
        assert not gained
        assert set(lost.values()) <= {1}
        assert max(Counter(bucket[0] for bucket in lost).values(), default=0) <= 1


def extreme(name: str, side: str) -> str:
    """A unit's least or greatest value of a column, NaN aside."""
    return f"{side}(NULLIF({name}, 'NaN'))" if name in ("money", "free", "wide", "narrow") else f"{side}({name})"


@settle
@given(rows=ROWS)
def test_counts_are_those_of_plain_queries(database: Database, rows: list[Row]) -> None:
    """For a few candidates of each question, counted one by one."""
    questions = questions_of(database.schema, "events")
    ends = some_ends(questions)
    try:
        database.insert("events", [*rows, (None, *rows[0][1:])])
        counts = read_caps(questions, database.rows(caps_sql(questions)))
        outside = read_ends(ends, database.rows(ends_sql(questions, ends)))
        per_unit = "SELECT unit, count(*) AS n FROM public.events WHERE unit IS NOT NULL GROUP BY unit"
        per_group = per_unit.replace("BY unit", "BY unit, region, wide")
        for index in range(6):
            above = f"n > {ROW_CAPS[index]}"
            assert counts.max_rows[index] == database.number(f"SELECT count(*) FROM ({per_unit}) u WHERE {above}")
            groups = f"SELECT count(DISTINCT unit) FROM ({per_group}) g WHERE {above}"
            assert counts.max_rows_per_group[index] == database.number(groups)
        for index, column in enumerate(questions.columns):
            caps = column.scale.caps()
            for cap in (0, len(caps) // 2, len(caps) - 1):
                expected = beyond(database, questions, index, -caps[cap], caps[cap])
                assert counts.columns[index][cap] == expected, (column.name, caps[cap])
            for low, high in ((0, len(ends[index]) - 1), (len(ends[index]) // 2, len(ends[index]) // 2 + 1)):
                expected = beyond(database, questions, index, ends[index][low], ends[index][high])
                assert outside[index][low, high] == expected, (column.name, low, high)
    finally:
        database.connection.rollback()


def beyond(database: Database, questions: Questions, index: int, low: Fraction, high: Fraction) -> int:
    """The number of units with a value outside of [low, high]."""
    column = questions.columns[index]
    bounds = [str(column.scale.bound(value)) for value in (low, high)]
    if isinstance(column.scale, YearScale):
        bounds = [f"'{bound} 00:00+00'::{column.scale.type_name}" for bound in bounds]
    name = column.name
    outside = f"{extreme(name, 'min')} < {bounds[0]} OR {extreme(name, 'max')} > {bounds[1]}"
    units = f"SELECT unit FROM public.events WHERE unit IS NOT NULL GROUP BY unit HAVING {outside}"
    return database.number(f"SELECT count(*) FROM ({units}) u")


def test_an_empty_table_answers_with_nobody(database: Database) -> None:
    questions = questions_of(database.schema, "events")
    ends = some_ends(questions)
    counts = read_caps(questions, database.rows(caps_sql(questions)))
    outside = read_ends(ends, database.rows(ends_sql(questions, ends)))
    everything = (counts.max_rows, counts.max_rows_per_group, *counts.columns, *outside)
    assert not any(np.any(counts) for counts in everything)


def test_rows_that_meet_rows_of_their_unit_are_counted(database: Database) -> None:
    """Of many of them only some meet others, found once for the whole query."""
    query = "SELECT a.unit, a.money FROM events a JOIN events b ON b.unit = a.unit AND b.whole > a.whole"
    relation = query_relation(database.schema, query)
    assert relation.footprint.cuts
    questions = plan_questions(Request(relation, ("money",)), database.schema.policy, Fraction(1))
    try:
        database.connection.execute(
            "INSERT INTO public.events (unit, whole, money) VALUES (1, 1, 1), (2, 1, 1), (2, 2, 1)"
        )
        assert sum(buckets(database.rows(caps_sql(questions))).values()) == 1
    finally:
        database.connection.rollback()
