"""A tie is true wherever the values are equal, and no value makes it fail."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from proxy.sql.terms.term import Term
from proxy.sql.terms.ties import hash_tie, is_hashable, is_tied
from proxy.sql.terms.types import BIGINT, BPCHAR, DATE, DOUBLE, INTEGER, NUMERIC, TEXT, TIMESTAMP, type_named
from tests.conftest import PostgresCluster

SEVEN = Term("7", INTEGER)
LARGE = "(9223372036854775807::numeric * 10)"
UUID = "'6f9619ff-8b86-d011-b42d-00cf4fc964ff'::uuid"


@pytest.fixture(scope="module")
def server(postgres_cluster: PostgresCluster) -> Iterator[psycopg.Connection]:
    with psycopg.connect(postgres_cluster.create_database("ties"), autocommit=True) as connection:
        yield connection


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("left", "right"),
    [
        (SEVEN, Term("7::bigint", BIGINT)),
        (SEVEN, Term("7::numeric", BIGINT, wide=True)),
        (Term("7::numeric", BIGINT, wide=True), SEVEN),
        (Term(LARGE, BIGINT, wide=True), Term(LARGE, BIGINT, wide=True)),
        (SEVEN, Term("7.00", NUMERIC)),
        (SEVEN, Term("7::float8", DOUBLE)),
        (Term("7.00", NUMERIC), Term("7::float8", DOUBLE)),
        (Term("'a'::text", TEXT), Term("'a'::varchar", type_named("character varying"))),
        (Term("'a '::bpchar", BPCHAR), Term("'a'::bpchar", BPCHAR)),
        (Term(UUID, type_named("uuid")), Term(UUID, type_named("uuid"))),
        (Term("date '2024-02-29'", DATE), Term("date '2024-02-29'", DATE)),
    ],
)
def test_equal_values_are_tied(left: Term, right: Term, server: psycopg.Connection) -> None:
    assert server.execute(f"SELECT {hash_tie(left, right)}".encode()).fetchone() == (True,)


@pytest.mark.postgres
@pytest.mark.parametrize(
    "type_name", ["text", "character varying", "bpchar", "date", "timestamp without time zone", "uuid"]
)
@pytest.mark.parametrize("constant", ["'2024-02-29'", UUID, "date '2024-02-29'"])
def test_what_is_tied_to_a_constant_has_a_tie_that_the_source_reads(
    type_name: str, constant: str, server: psycopg.Connection
) -> None:
    kind = "uuid" if constant == UUID else "date" if constant.startswith("date") else "unknown"
    left, right = Term(f"NULL::{type_name}", type_named(type_name)), Term(constant, type_named(kind), constant=True)
    if is_tied(left, right):
        server.execute(f"SELECT {hash_tie(left, right)}".encode())
    assert (
        is_tied(left, right) == is_tied(right, left) == (kind == type_name or {type_name, kind} == {"text", "unknown"})
    )


@pytest.mark.parametrize(
    ("left", "right", "hashable"),
    [
        (SEVEN, Term("x", DOUBLE), True),
        (Term("x", TEXT), Term("y", type_named("character varying")), True),
        (Term("x", BPCHAR), Term("y", BPCHAR), True),
        (Term("x", BPCHAR), Term("y", TEXT), False),
        (Term("x", DATE), Term("y", TIMESTAMP), False),
        (Term("x", DATE), Term("y", DATE), True),
        (SEVEN, Term("y", TEXT), False),
        (Term("y", TEXT), SEVEN, False),
    ],
)
def test_values_of_different_forms_have_no_hash_in_common(left: Term, right: Term, hashable: bool) -> None:
    assert is_hashable(left, right) == hashable
