"""pandas, polars and ADBC: frames from plain Postgres and through dpproxy are equal, types and missing values included."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any
from urllib.parse import quote

import pytest

from tests.clients import target as asked
from tests.clients.conftest import Targets
from tests.clients.target import Target
from tests.clients.test_sqlalchemy import engine_for

INSTALL = "pip install 'dpproxy[clients]'"
FRAMED = (
    "SELECT p.sex, v.urgent, count(*) AS visits, sum(v.cost) AS total, min(v.minutes) AS least,"
    " date_trunc('year', v.visited_at) AS year, date '2024-02-29' AS day, NULL::integer AS nothing"
    " FROM visits v JOIN patients p ON p.patient_id = v.patient_id GROUP BY 1, 2, 6 ORDER BY 1 NULLS FIRST, 2, 6"
)


def uri(target: Target) -> str:
    """The same parameters as a URI."""
    known = dict(target.libpq())
    database = known.pop("dbname")
    return f"postgresql:///{database}?" + "&".join(f"{name}={quote(value, safe='')}" for name, value in known.items())


@pytest.fixture(scope="module")
def adbc(targets: Targets) -> Iterator[tuple[Any, Any]]:
    dbapi = pytest.importorskip("adbc_driver_postgresql.dbapi", reason=INSTALL)
    pytest.importorskip("pyarrow", reason=INSTALL)
    with closing(dbapi.connect(uri(targets.proxied))) as here, closing(dbapi.connect(uri(targets.plain))) as there:
        yield here, there


@pytest.mark.parametrize("chunk", [None, 3], ids=["at once", "in chunks"])
def test_pandas_reads_equal_frames(targets: Targets, chunk: int | None) -> None:
    pandas = pytest.importorskip("pandas", reason=INSTALL)
    frames = []
    for target in (targets.proxied, targets.plain):
        engine = engine_for("psycopg", target)
        with engine.connect() as connection:
            found = pandas.read_sql(FRAMED, connection, chunksize=chunk, parse_dates=["day"])
            frames.append(found if chunk is None else pandas.concat(list(found)))
        engine.dispose()
    pandas.testing.assert_frame_equal(*frames)
    assert frames[0]["sex"].isna().any()
    assert len(frames[0]) == 12


def test_pandas_reads_a_public_table_whole_and_no_private_one(targets: Targets) -> None:
    pandas = pytest.importorskip("pandas", reason=INSTALL)
    engines = [engine_for("psycopg", target) for target in (targets.proxied, targets.plain)]
    pandas.testing.assert_frame_equal(*(pandas.read_sql_table("regions", engine) for engine in engines))
    with pytest.raises(Exception, match="only aggregates are allowed"):
        pandas.read_sql_table("visits", engines[0])
    for engine in engines:
        engine.dispose()


def test_polars_reads_equal_frames(targets: Targets) -> None:
    polars = pytest.importorskip("polars", reason=INSTALL)
    testing = pytest.importorskip("polars.testing", reason=INSTALL)
    frames = []
    for target in (targets.proxied, targets.plain):
        engine = engine_for("psycopg", target)
        with engine.connect() as connection:
            frames.append(polars.read_database(FRAMED, connection))
        engine.dispose()
    testing.assert_frame_equal(*frames)


def test_adbc_reads_equal_tables(adbc: tuple[Any, Any]) -> None:
    tables = []
    for connection in adbc:
        with connection.cursor() as cursor:
            cursor.execute(FRAMED)
            tables.append(cursor.fetch_arrow_table())
            cursor.execute(asked.FILTERED.format("$1", "$2", "$3::date"), (99.5, "north", "2024-03-01"))
            tables[-1] = tables[-1], cursor.fetchall()
        connection.rollback()
    assert tables[0] == tables[1]


def test_adbc_sees_the_same_schema(adbc: tuple[Any, Any]) -> None:
    seen = []
    for connection in adbc:
        schemas = connection.adbc_get_table_schema("visits"), connection.adbc_get_table_schema("regions")
        objects = connection.adbc_get_objects(depth="all", db_schema_filter="public").read_all().to_pylist()
        tables = [
            (table["table_name"], table["table_type"], column["column_name"], column["xdbc_type_name"])
            for catalog in objects
            for schema in catalog["catalog_db_schemas"] or ()
            for table in schema["db_schema_tables"]
            for column in table["table_columns"]
        ]
        seen.append((schemas, sorted(tables)))
        connection.rollback()
    assert seen[0] == seen[1]
    assert len(seen[0][1]) > 25


def test_adbc_is_refused_rows(adbc: tuple[Any, Any]) -> None:
    with adbc[0].cursor() as cursor, pytest.raises(Exception, match="only aggregates are allowed"):
        cursor.execute(asked.REFUSED)
    adbc[0].rollback()
