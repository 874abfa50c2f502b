"""Texts of constant arrays are read as Postgres writes them; every other form is left to the refusal."""

from __future__ import annotations

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proxy.sql.terms.arrays import element_texts
from tests.conftest import PostgresCluster
from tests.expressions.compiling import read
from tests.expressions.table import relation

ELEMENTS = st.lists(
    st.none() | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=6)
)


@given(ELEMENTS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_elements_are_those_that_postgres_put_in(postgres_cluster: PostgresCluster, elements: list[str | None]) -> None:
    with psycopg.connect(postgres_cluster.dsn("postgres")) as connection:
        row = connection.execute("SELECT %s::text[]::text", (elements,)).fetchone()
    assert row is not None
    assert element_texts(row[0]) == elements


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("{}", []),
        (" { } ", []),
        ('{ a b ,"c\\"d,}",NULL, "NULL" }', ["a b", 'c"d,}', None, "NULL"]),
        ("{\xa0}", ["\xa0"]),
    ],
)
def test_hand_written_forms_are_understood(text: str, elements: list[str | None]) -> None:
    assert element_texts(text) == elements


@pytest.mark.parametrize("text", ["", "a", "{{a}}", "[1:2]={1,2}", "{a,}", "{,a}", "{a}x", "{a\\,b}", '{"a""b"}', "{a"])
def test_nested_bounded_and_malformed_arrays_are_not_read(text: str) -> None:
    assert element_texts(text) is None


def test_texts_of_arrays_are_ordered_by_code_point_and_equal_under_one_collation() -> None:
    by_order, by_equality = (
        expression.term(relation()) for expression in read(["'b' < ANY (labels)", "labels = labels"])
    )
    assert by_order is not None
    assert by_equality is not None
    assert 'COLLATE pg_catalog."C"' in by_order.sql
    assert 'COLLATE pg_catalog."default"' in by_equality.sql
