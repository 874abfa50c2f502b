"""A row's bucket is one of those that are chosen from, whatever the row holds, and no row makes it fail (theorem 11).

A number outside [0, count) would be an error that one person's row decides on.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from sqlglot import exp

from proxy.errors import UnsupportedError
from proxy.policy import model
from proxy.policy.catalog import Catalog
from proxy.postgres.catalog_reader import read_catalog
from proxy.sql import dialect
from proxy.sql.planning.aggregates.compiling import compile_aggregates
from proxy.sql.planning.buckets import MOST_BUCKETS, Buckets
from proxy.sql.planning.choices import QuantileChoice
from proxy.sql.rows.canonical import canonical
from proxy.sql.rows.compiler import RowCompiler
from proxy.sql.rows.relation import Relation
from proxy.sql.schema import Schema
from tests.conftest import PostgresCluster
from tests.expressions.table import COLUMNS, DATES, NUMBERS
from tests.planned import plan_of
from tests.plans.schema import SCHEMA

pytestmark = pytest.mark.postgres

BOUNDS: dict[str, tuple[Any, Any]] = {
    "wide": (-(10**12), 10**12),
    "narrow": (-3, "12.34"),
    "beyond zero": (5, 9),
    "one value": (7, 7),
    "tiny": ("0.000001", "0.0000011"),
    "narrow and far away": (10**12, 10**12 + 1),
    "nearly one value": (1, "1.00000000000000000000000001"),
}
DATE_BOUNDS = {
    "two years": (dt.date(2024, 1, 1), dt.date(2025, 12, 31)),
    "one day": (dt.date(2024, 3, 10), dt.date(2024, 3, 10)),
    "all years": (dt.date(1, 1, 1), dt.date(9999, 12, 31)),
    "around a change of clocks": (dt.date(2024, 3, 16), dt.date(2024, 3, 20)),
    "two months": (dt.date(2024, 3, 1), dt.date(2024, 5, 1)),
    "hours": (dt.datetime(2024, 3, 10, 1), dt.datetime(2024, 3, 10, 5)),
}
ZONES = ["UTC", "Europe/Paris", "Pacific/Kiritimati", "FAR167NEAR-167,M3.2.0,M11.1.0", "FAR-80NEAR80,M3.2.0,M11.1.0"]
"""The clocks of the last two change by a fortnight back and by a week forward, as POSIX allows a client to ask for."""


@pytest.fixture(scope="module")
def source(postgres_cluster: PostgresCluster) -> Iterator[tuple[psycopg.Connection, Catalog]]:
    """A table with every extreme value of numbers and dates, among others inside of the bounds."""
    dsn = postgres_cluster.create_database("buckets")
    with psycopg.connect(dsn, autocommit=True) as connection:
        names = [*NUMBERS, *DATES]
        columns = ", ".join(f"{name} {COLUMNS[name].type}" for name in names)
        connection.execute(f"CREATE TABLE extremes (unit int NOT NULL, {columns})".encode())
        for name in names:
            for value in COLUMNS[name].extremes:
                connection.execute(f"INSERT INTO extremes (unit, {name}) VALUES (1, %s)".encode(), [value])
        days = "FROM generate_series(timestamp '2024-03-01', '2024-03-20', '1 hour') AS t"
        connection.execute(f"INSERT INTO extremes (unit, day, moment, instant) SELECT 1, t, t, t {days}".encode())
        connection.execute("SET search_path = pg_catalog; SET jit = off")
        yield connection, read_catalog(dsn, ["public.extremes"])


def relation_of(catalog: Catalog, bounds: tuple[Any, Any], step: Any = None) -> Relation:
    """The table as a relation, with these bounds on all numbers or on all dates."""
    limited = DATES if isinstance(bounds[0], dt.date) else NUMBERS
    columns = {name: model.ColumnPolicy(bounds=bounds, step=step) for name in limited}
    table = model.TablePolicy.model_validate(
        {
            "unit": {"name": "person", "column": "unit"},
            "budget": {"epsilon": 1},
            "columns": {name: columns.get(name, model.ColumnPolicy()) for name in [*NUMBERS, *DATES, "unit"]},
        }
    )
    schema = Schema(model.Policy(version=1, units={"person": model.Unit()}, tables={"public.extremes": table}), catalog)
    select = dialect.parse("SELECT 1 FROM extremes")
    assert isinstance(select, exp.Select)
    return RowCompiler(schema, ("public",), lambda _: 1).relation(select)


def buckets_of(text: str, relation: Relation) -> tuple[Buckets, str]:
    """The buckets of the least value of an expression, and its type."""
    select = dialect.parse(f"SELECT min({text}) FROM extremes")
    assert isinstance(select, exp.Select)
    call = select.expressions[0]
    (choice,) = compile_aggregates([call], [canonical(call, relation)], relation, [], bounds_needed=True).choices
    assert isinstance(choice, QuantileChoice)
    return choice.buckets, choice.value.type.name


def assert_buckets_are_inside(
    connection: psycopg.Connection, buckets: Buckets, type_name: str, relation: Relation
) -> None:
    numbers = connection.execute(f"SELECT {buckets.sql} FROM {relation.sql}".encode()).fetchall()
    present = [number for (number,) in numbers if number is not None]
    assert present, "an expression that is NULL everywhere proves nothing"
    assert 1 <= buckets.count <= MOST_BUCKETS
    assert all(isinstance(number, int) and 0 <= number < buckets.count for number in present)
    first, last = buckets.value_sql("0", 1), buckets.value_sql(str(buckets.count - 1), 1)
    # Cast as a result is: what lies outside of the type would be an error.
    shown = f"SELECT ({first})::{type_name} <= ({last})::{type_name}"
    assert connection.execute(shown.encode()).fetchone() == (True,)
    if buckets.last is not None:
        limited = f"SELECT ({last})::{type_name} <= ({buckets.last})::{type_name}"
        assert connection.execute(limited.encode()).fetchone() == (True,), "a value beyond the limits would be shown"


@pytest.mark.parametrize("step", [None, "0.01"])
@pytest.mark.parametrize("bounds", BOUNDS.values(), ids=BOUNDS.keys())
@pytest.mark.parametrize(
    "form",
    [
        "{0}",
        "{0} * 0",
        "{0} * 0 + 7",
        "{0} / 3",
        "{0} * {0} * {0}",
        "- {0}",
        "{0} + 0.001",
        "greatest({0}, 1)",
        "{0} * 1e120 * 1e120",
    ],
)
def test_a_number_has_a_bucket_inside_the_domain(
    form: str, bounds: tuple[Any, Any], step: Any, source: tuple[psycopg.Connection, Catalog]
) -> None:
    connection, catalog = source
    if step is not None and bounds[1] == "1.00000000000000000000000001":
        step = "1e-26"
    relation = relation_of(catalog, bounds, step)
    for name in NUMBERS:
        assert_buckets_are_inside(connection, *buckets_of(form.format(name), relation), relation)


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("bounds", DATE_BOUNDS.values(), ids=DATE_BOUNDS.keys())
@pytest.mark.parametrize(
    "form",
    [
        "{}",
        *(f"{{}}::{target}" for target in ("date", "timestamp", "timestamptz", "timestamptz::date::timestamptz")),
        *(f"date_trunc('{field}', {{}})" for field in ("hour", "week", "month", "century")),
        "date_trunc('day', {}::timestamptz)::date",
    ],
)
def test_a_date_has_a_bucket_inside_the_domain(
    form: str, bounds: tuple[Any, Any], zone: str, source: tuple[psycopg.Connection, Catalog]
) -> None:
    connection, catalog = source
    relation = relation_of(catalog, bounds)
    connection.execute("SELECT set_config('TimeZone', %s, false)", [zone])
    for name in DATES:
        assert_buckets_are_inside(connection, *buckets_of(form.format(name), relation), relation)


def test_bounds_beyond_the_range_of_doubles_are_refused() -> None:
    with pytest.raises(UnsupportedError, match=r"the bounds of this max\(\) are too wide") as refusal:
        plan_of("SELECT max(score * '1e300'::float8 * '1e300'::float8) FROM visits", SCHEMA)
    assert refusal.value.rule == "magnitude"
