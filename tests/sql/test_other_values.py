"""How a column with a name for other values is read: as Python says, for generated texts of every kind."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proxy.policy.catalog import Column
from proxy.sql.terms.other_values import OtherValues, stored_type
from proxy.sql.terms.stored import stored
from tests.conftest import PostgresCluster

pytestmark = pytest.mark.postgres

COLUMNS = {
    "open": Column("open", "text", 25),
    "short": Column("short", "character varying", 1043, 4 + 40),
    "padded": Column("padded", "bpchar", 1042, 4 + 12),
    "bare": Column("bare", "bpchar", 1042),
    "label": Column("label", "name", 19),
    "extent": Column("extent", "text", 25, cast_to_text=True),
}
"""`extent` stands for a type of the source's own, which is read as text."""
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8),
    st.sampled_from(["", " ", "NULL", "null", "{}", '"', "\\", "a,b", "'", "a ", " a", "ß", "\n", "{a}", 'a"b\\c']),
)


@pytest.fixture(scope="module")
def server(postgres_cluster: PostgresCluster) -> Iterator[psycopg.Connection]:
    with psycopg.connect(postgres_cluster.create_database("texts_of_rows"), autocommit=True) as connection:
        connection.execute("SET search_path = pg_catalog, pg_temp")
        connection.execute(
            "CREATE TEMP TABLE items (open text, short varchar(40), padded char(12), bare bpchar, label name, extent text)"
        )
        yield connection


@settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
@given(
    column=st.sampled_from(sorted(COLUMNS)),
    declared=st.lists(TEXTS, min_size=1, max_size=12, unique=True),
    name=TEXTS,
    rows=st.lists(TEXTS | st.none(), max_size=8),
)
def test_a_text_is_itself_or_the_name_of_others(
    server: psycopg.Connection, column: str, declared: list[str], name: str, rows: list[str | None]
) -> None:
    found = COLUMNS[column]
    padded = found.type_name == "bpchar"
    others = OtherValues(name, tuple(declared), stored_type(found))
    texts = [*rows, *declared, "x" * 5000 if column in ("open", "bare", "extent") else "x", None]
    server.execute("TRUNCATE items")
    with server.cursor() as cursor:
        cursor.executemany(f"INSERT INTO items ({column}) VALUES (%s)".encode(), [(text,) for text in texts])
    read = others.read(stored(column, found), column, found)
    query = f"SELECT ({column})::text, ({read.sql})::text FROM items"
    known = {text.rstrip(" ") if padded else text for text in declared}
    for raw, mapped in server.execute(query.encode()).fetchall():
        text = raw.rstrip(" ") if padded and raw is not None else raw
        wanted = text if text is None or text in known else name
        assert mapped == (wanted.rstrip(" ") if padded and wanted is not None else wanted)
        assert mapped is None or len(mapped.encode()) <= (read.size or 0) * (4 if padded else 1)
    enumerated = {text for (text,) in server.execute(f"SELECT c0::text FROM ({others.enumerated}) AS e".encode())}
    assert enumerated == known | {name.rstrip(" ") if padded else name}
