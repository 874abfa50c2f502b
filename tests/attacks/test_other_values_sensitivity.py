"""`others`: values that become one move answers by no more than the sensitivity, and no key is unique over them.

Rows that a unique key of the source keeps apart can be equal as they are read, so that joins meet more of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proxy.policy.model import Policy
from proxy.policy.other_values import declaring_columns
from proxy.postgres.catalog_reader import read_catalog
from proxy.settings import QuerySettings
from proxy.sql.schema import Schema
from tests.attacks.test_distinct_sensitivity import Row, neighbours
from tests.attacks.test_sensitivity import EXAMPLES, SETTINGS, Database, assert_within_sensitivity, planned, settle
from tests.conftest import PostgresCluster
from tests.planned import plan_of

SCHEMA = """
CREATE TABLE regions (name text PRIMARY KEY, zone text);
INSERT INTO regions VALUES ('north', 'cold'), ('south', 'warm');
CREATE TABLE events (unit integer NOT NULL, number numeric, word text NOT NULL, region text NOT NULL, flag boolean);
ALTER TABLE events ADD UNIQUE (unit, region, word);
CREATE TABLE people (unit integer PRIMARY KEY, word text, region text);
INSERT INTO people VALUES (1, 'b', 'far'), (2, 'a', 'north'), (3, 'c', 'south');
"""
REGIONS = ["north", "south", "east", "west", "far"]


def policy(max_rows: int, max_rows_per_group: int) -> Policy:
    columns: dict[str, Any] = {
        "unit": {},
        "number": {"bounds": ["0", "20"]},
        "word": {"values": ["a"], "others": "z"},
        "region": {"values_from": "public.regions.name", "others": "elsewhere"},
        "flag": {},
    }
    private = {
        "unit": {"name": "person", "column": "unit"},
        "budget": {"epsilon": "100", "delta": "1e-3"},
        "contribution": {"max_rows": max_rows, "max_rows_per_group": max_rows_per_group},
        "columns": columns,
    }
    person = {name: columns[name] for name in ("unit", "word", "region")}
    people = {"unit": private["unit"], "budget": private["budget"], "columns": person}
    tables: dict[str, Any] = {"public.events": private, "public.people": people, "public.regions": {"public": True}}
    return Policy.model_validate({"version": 1, "units": {"person": {}}, "tables": tables})


@pytest.fixture(scope="module")
def database(postgres_cluster: PostgresCluster) -> Iterator[Database]:
    dsn = postgres_cluster.create_database("other_values_of_units")
    with psycopg.connect(dsn) as connection, psycopg.connect(dsn, autocommit=True) as checker:
        checker.execute(SCHEMA)
        connection.execute("SET search_path = pg_catalog, pg_temp")
        connection.commit()
        names = ["public.events", "public.people", "public.regions"]
        catalog = read_catalog(dsn, names, ["public.regions"], declaring=declaring_columns(policy(1, 1)))
        yield Database(connection, checker, catalog)


_AGGREGATES = st.sampled_from(
    ["count(*)", "sum(e.number)", "avg(e.number)", "count(DISTINCT e.region)", "count(DISTINCT e.word)"]
)
_JOINS = st.sampled_from(
    [
        "",
        "",
        " JOIN public.events AS f ON f.unit = e.unit AND f.region = e.region AND f.word = e.word",
        " JOIN public.events AS f USING (unit, region, word)",
        " JOIN public.people AS p ON p.unit = e.unit AND p.region = e.region AND p.word = e.word",
        " LEFT JOIN public.regions AS r ON r.name = e.region",
    ]
)


@st.composite
def blocks(draw: st.DrawFn) -> str:
    join = draw(_JOINS)
    keys = draw(st.lists(st.sampled_from(["region", "word", "upper(region)", "region = 'elsewhere'"]), max_size=2))
    keys = [key.replace("region", "e.region").replace("word", "e.word") if "USING" not in join else key for key in keys]
    aggregates = draw(st.lists(_AGGREGATES, min_size=1, max_size=2, unique=True))
    if "USING" in join:
        aggregates = [text.replace("e.region", "region").replace("e.word", "word") for text in aggregates]
    text = f"SELECT {', '.join([*keys, *aggregates])} FROM public.events AS e{join}"
    return text + (f" GROUP BY {', '.join(str(i + 1) for i in range(len(keys)))}" if keys else "")


_ROWS = st.lists(
    st.tuples(
        st.integers(1, 3),
        st.sampled_from([*map(str, range(20)), "NaN", None]),
        st.sampled_from(["a", "b", "c"]),
        st.sampled_from(REGIONS),
        st.sampled_from([True, False, None]),
    ),
    min_size=5,
    max_size=40,
    unique_by=lambda row: (row[0], row[2], row[3]),
)


@settings(settle, max_examples=2 * EXAMPLES)
@given(text=blocks(), limits=st.tuples(st.integers(1, 6), st.integers(1, 4)), query_settings=SETTINGS, rows=_ROWS)
def test_one_unit_moves_groups_of_other_values_by_at_most_the_sensitivity(
    database: Database, text: str, limits: tuple[int, int], query_settings: QuerySettings, rows: list[Row]
) -> None:
    plan = planned(database, text, Schema(policy(*limits), database.catalog), query_settings)
    ((whole, smaller),) = neighbours(database, "events", rows, plan)
    assert_within_sensitivity(plan, whole, smaller)


def test_rows_that_a_unique_key_keeps_apart_can_be_equal_as_they_are_read(database: Database) -> None:
    schema = Schema(policy(4, 4), database.catalog)
    table = schema.table("public.events")
    assert frozenset({"unit", "region", "word"}) in table.catalog.unique_keys
    assert table.unique_keys == frozenset()
    rows: list[Row] = [(1, "1", word, region, True) for word in "abcdefg" for region in REGIONS]
    text = "SELECT count(*) FROM public.people AS p JOIN public.events AS e USING (unit, region, word)"
    plan = plan_of(text, schema)
    ((whole, smaller),) = neighbours(database, "events", rows, plan)
    assert whole.sums != smaller.sums
    assert_within_sensitivity(plan, whole, smaller)


def test_a_column_that_is_read_with_others_identifies_nobody(database: Database) -> None:
    """`check` refuses such a policy; should the key be there only later, two people would have one name."""
    people = database.catalog.tables["public.people"]
    unique = replace(people, unique_keys=people.unique_keys | {frozenset({"region"})})
    catalog = replace(database.catalog, tables=database.catalog.tables | {people.name: unique})
    table = Schema(policy(4, 4), catalog).table("public.people")
    assert table.unique_keys == {frozenset({"unit"})}
    assert [column for column in ("unit", "word", "region") if table.identities(column)] == ["unit"]
