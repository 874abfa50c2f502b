"""How columns are read: what is read whole is small by its type or its index, no two values of a key become one, and
small values stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import psycopg
import pytest

from proxy.policy.catalog import Column
from proxy.sql.terms.stored import LEAST_ROOM, MOST_INDEXED, MOST_OCTETS, Stored, stored
from proxy.sql.terms.types import type_of_column
from tests.conftest import PostgresCluster

LONGEST = "x" * MOST_OCTETS
TOO_LONG = ["x" * MOST_OCTETS + ending for ending in "ab"]


@dataclass(frozen=True)
class Texts:
    """A column of texts: as CREATE TABLE has it, and as the catalog says it."""

    type: str
    column: Column


def _texts(type_: str, name: str, modifier: int = -1, *, cast_to_text: bool = False) -> Texts:
    own = type_ if cast_to_text else ""
    return Texts(type_, Column("value", name, 0, modifier, cast_to_text=cast_to_text, own_equality=own))


UNLIMITED = {
    "text": _texts("text", "text"),
    "varchar": _texts("varchar", "character varying"),
    "bpchar": _texts("bpchar", "bpchar"),
    "a long varchar": _texts("varchar(9000)", "character varying", 9004),
    "another type": _texts("long_text", "text", cast_to_text=True),
}


@pytest.fixture(scope="module")
def server(postgres_cluster: PostgresCluster) -> Iterator[psycopg.Connection]:
    with psycopg.connect(postgres_cluster.create_database("stored"), autocommit=True) as connection:
        connection.execute("CREATE DOMAIN long_text AS text")
        for number, texts in enumerate(UNLIMITED.values()):
            connection.execute(f"CREATE TABLE t{number} (value {texts.type})".encode())
            for value in ("a", LONGEST, *TOO_LONG):
                connection.execute(f"INSERT INTO t{number} VALUES (%s)".encode(), [value])
        yield connection


def read(server: psycopg.Connection, texts: Texts, how: Stored) -> list[str | None]:
    """What is read of "a", of the longest text that is read whole, and of two that are longer."""
    table = f"t{list(UNLIMITED.values()).index(texts)}"
    order = f"octet_length({table}.value::text), {table}.value"
    found = server.execute(f"SELECT ({how.sql})::text FROM {table} ORDER BY {order}".encode())
    return [value for (value,) in found]


@pytest.mark.postgres
@pytest.mark.parametrize("texts", UNLIMITED.values(), ids=UNLIMITED.keys())
@pytest.mark.parametrize("public", [False, True])
def test_a_text_that_no_index_bounds_is_null_where_proofs_rest_on_its_value(
    server: psycopg.Connection, texts: Texts, public: bool
) -> None:
    how = stored("value", texts.column, distinct=True, public=public)
    assert read(server, texts, how) == ["a", LONGEST, None, None]
    assert (how.size, how.missing) == (MOST_OCTETS, True)


@pytest.mark.postgres
@pytest.mark.parametrize("texts", [texts for name, texts in UNLIMITED.items() if name != "bpchar"])
@pytest.mark.parametrize(("indexed", "public"), [(False, False), (True, False), (True, True)])
def test_the_beginning_is_read_of_any_other_long_text(
    server: psycopg.Connection, texts: Texts, indexed: bool, public: bool
) -> None:
    how = stored("value", texts.column, indexed=indexed, public=public)
    short, longest, *beginnings = read(server, texts, how)
    assert (short, longest) == ("a", LONGEST)
    for beginning in beginnings:
        assert beginning
        assert LONGEST.startswith(beginning)
    assert how.size == MOST_OCTETS


@pytest.mark.postgres
def test_a_long_text_with_blanks_is_null(server: psycopg.Connection) -> None:
    how = stored("value", UNLIMITED["bpchar"].column)
    assert read(server, UNLIMITED["bpchar"], how) == ["a", LONGEST, None, None]


@pytest.mark.parametrize(
    ("column", "size"),
    [
        (_texts("varchar(5)", "character varying", 9), 5),
        (_texts("varchar(4000)", "character varying", 4004), 4000),
        (_texts("char(5)", "bpchar", 9), 5),
        (_texts("name", "name"), 64),
    ],
)
def test_a_short_type_needs_no_guard(column: Texts, size: int) -> None:
    how = stored("value", column.column, distinct=True)
    assert (how.sql, how.size, how.missing) == ("value", size, False)


@pytest.mark.postgres
@pytest.mark.parametrize("texts", UNLIMITED.values(), ids=UNLIMITED.keys())
def test_a_public_text_beyond_what_the_catalog_leaves_room_for_is_cut_or_null(
    server: psycopg.Connection, texts: Texts
) -> None:
    how = stored("value", texts.column, public=True, longest=20)
    short, *longer = read(server, texts, how)
    assert short == "a"
    if texts is UNLIMITED["bpchar"]:
        assert longer == [None] * 3
    else:
        assert longer == [LONGEST[:LEAST_ROOM]] * 3
    assert how.size == LEAST_ROOM
    assert read(server, texts, stored("value", texts.column, distinct=True, longest=20)) == ["a", None, None, None]


@pytest.mark.parametrize(
    ("longest", "room"),
    [(0, 64), (32, 64), (33, 128), (64, 128), (1000, 2048), (1024, 2048), (1025, MOST_OCTETS), (1 << 40, MOST_OCTETS)],
)
@pytest.mark.parametrize("texts", UNLIMITED.values(), ids=UNLIMITED.keys())
def test_texts_may_become_twice_as_long_as_the_longest_public_one(texts: Texts, longest: int, room: int) -> None:
    how, unbounded = (stored("value", texts.column, public=True, longest=known) for known in (longest, None))
    assert how.size == room
    assert how.missing == unbounded.missing
    assert how.work <= unbounded.work
    if room == MOST_OCTETS:
        assert how == unbounded


def test_a_public_citext_is_stored_in_as_many_octets_as_there_is_room_for() -> None:
    column = Column("x", "text", 25, cast_to_text=True, own_equality="public.citext")
    how = stored("x", column, public=True, longest=20)
    assert how.sql == "(CASE WHEN pg_column_size(x) <= 64 THEN left(x::text, 64) END)"
    assert how.work < 5000


def test_a_key_is_as_large_as_an_index_can_hold_and_one_of_a_public_table_as_any_text() -> None:
    column = Column("value", "text", 25)
    private = stored("value", column, indexed=True, distinct=True)
    public = stored("value", column, indexed=True, distinct=True, public=True)
    assert (private.sql, private.size, private.missing) == ("value", MOST_INDEXED, False)
    assert (public.sql, public.size, public.missing) == ("value", MOST_OCTETS, False)
    assert private.work > public.work


@pytest.mark.parametrize(
    ("precision", "scale", "digits"), [(5, -2, 7), (10, 2, 10), (3, 3, 3), (399, 0, 399), (200, 200, 200)]
)
def test_a_numeric_with_a_precision_has_at_least_the_digits_that_its_values_can_have(
    precision: int, scale: int, digits: int
) -> None:
    column = Column("value", "numeric", 1700, 4 + (precision << 16 | scale & 0x7FF), scale=scale)
    how = stored("value", column)
    assert how.size is not None
    assert how.size >= digits


@pytest.mark.parametrize(
    ("column", "type_", "length"),
    [
        (_texts("bpchar", "bpchar"), "bpchar", None),
        (_texts("char(5)", "bpchar", 9), "bpchar", 5),
        (_texts("varchar(20)", "character varying", 24), "character varying", None),
    ],
)
def test_only_a_padded_text_has_a_length(column: Texts, type_: str, length: int | None) -> None:
    found = type_of_column(column.column)
    assert (found.name, found.length) == (type_, length)


def test_arrays_of_the_sources_own_types_are_short_and_what_makes_their_text_is_counted() -> None:
    """Postgres makes the text of 40 000 labels, which take 1 857 octets where they are equal, before it is cut off."""
    moods, homes, words = (
        stored("x", Column("x", "text", 25, cast_to_text=True, own_equality=name))
        for name in ("public.mood[]", "public.home", "public.citext")
    )
    assert "pg_column_size(x) <= 100 " in moods.sql
    assert moods.work > 250_000
    assert homes.work > 500_000
    assert words.work < 100_000
