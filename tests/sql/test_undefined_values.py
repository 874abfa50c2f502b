"""SQL around released numbers with NULL where it would fail: the same wherever it does not."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proxy.sql.dialect import parse, render
from proxy.sql.staging.undefined_values import defined, may_be_undefined
from tests.conftest import PostgresCluster

pytestmark = pytest.mark.postgres

VALUES = (
    *("NULL", "0", "1", "-1", "2", "0.5", "-0.5", "1.5", "-2.5", "99.994", "99.995", "-99.995", "100", "701", "-701"),
    *("32767.4", "32767.5", "-32768.4", "2147483647.4", "2147483648", "-2147483649", "9223372036854775807"),
    *("9223372036854775808", "1e30", "-1e30"),
)
FAILING = (
    *("x / y", "x % y", "div(x, y)", "mod(x, y)", "x ^ y", "power(x, y)", "pow(x, y)", "ln(x)", "log(x)", "log10(x)"),
    *("log(x, y)", "sqrt(x)", "|/ x", "exp(x)", "asin(x)", "acos(x)", "acosh(x::float)", "atanh(x::float)"),
    *("x::smallint", "x::int", "x::bigint", "x::numeric(4, 2)", "x::numeric(3)", "CAST(x AS int) / CAST(y AS int)"),
    *("width_bucket(x, y, 1, 5)", "width_bucket(x, 0, 1, least(y, 9)::int)", "x / (y - y) + 1", "coalesce(x / y, 7)"),
    *(
        "make_date(2023, 2, 27 + least(greatest(x, -9), 9)::int)",
        "make_date(1900, 2, 27 + least(greatest(x, -9), 9)::int)",
    ),
    *(
        "make_date(2000, 2, 28 + least(greatest(x, -9), 9)::int)",
        "make_date(2024, least(greatest(x, -9), 9)::int, 30 + least(greatest(y, -9), 9)::int)",
    ),
    *(
        "make_time(22 + least(greatest(x, -9), 9)::int, least(greatest(y, -9), 9)::int, 0)",
        "make_date(abs(least(greatest(x, -9), 9)::int), 4, 30)",
    ),
    "make_timestamp(2024, 2, 28 + least(greatest(x, -9), 9)::int, 23, 58 + least(greatest(y, -9), 9)::int, 59.5)",
    "make_timestamptz(2024, 6, 30, least(greatest(x, -9), 9)::int, 0, 59 + least(greatest(y, -9), 9)::int::float)",
    *("x::bigint * y::bigint", "least(greatest(x, -9e4), 9e4)::int * least(greatest(y, -9e8), 9e8)::int"),
    *("x::bigint + y::bigint", "x::bigint - y::bigint * 3", "least(greatest(x, -3e4), 3e4)::smallint * 7::smallint"),
    *("date '2024-01-01' + (x::bigint * y::bigint % 5)::int",),
    *("ln(sqrt(x))", "sqrt(ln(x) / ln(y))", "round(x / y, 2)", "(x / NULLIF(y, 0))::int", "x / y > 1"),
)

POWERS = ("x ^ y", "power(x, y)", "pow(x, y)", "exp(x)")


@pytest.fixture(scope="module")
def stage(postgres_cluster: PostgresCluster) -> Iterator[psycopg.Connection]:
    with psycopg.connect(postgres_cluster.create_database("undefined"), autocommit=True) as connection:
        connection.execute(
            f"CREATE TABLE pairs AS SELECT x::numeric, y::numeric FROM "
            f"unnest(ARRAY[{', '.join(VALUES)}]::numeric[]) AS x, unnest(ARRAY[{', '.join(VALUES)}]::numeric[]) AS y".encode()
        )
        connection.execute(
            "CREATE FUNCTION tried(sql text, x numeric, y numeric) RETURNS text LANGUAGE plpgsql AS $$ DECLARE r text; "
            "BEGIN EXECUTE sql INTO r USING x, y; RETURN coalesce(r, 'NULL'); "
            "EXCEPTION WHEN data_exception THEN RETURN 'fails'; END $$"
        )
        yield connection


def results(expression: str, connection: psycopg.Connection) -> list[tuple[str, str, str]]:
    """x, y, and what the expression gives for each pair."""
    query = f"SELECT ({expression})::text FROM (SELECT $1 AS x, $2 AS y) AS p"
    return connection.execute("SELECT x::text, y::text, tried(%s, x, y) FROM pairs ORDER BY x, y", [query]).fetchall()


def guarded(expression: str) -> str:
    """The expression as it is after the first guards."""
    first = next(defined(f"SELECT {expression} AS r FROM p"))
    return first.removeprefix("SELECT ").removesuffix(" AS r FROM p")


@pytest.mark.parametrize("expression", FAILING)
def test_what_is_defined_stays_and_what_is_not_is_null(expression: str, stage: psycopg.Connection) -> None:
    tree = parse(f"SELECT {expression} FROM p")
    assert tree is not None
    assert may_be_undefined(render(tree))
    plain, safe = results(expression, stage), results(guarded(expression), stage)
    assert any(found[2] == "fails" for found in plain) or "NULLIF" in expression
    for before, after in zip(plain, safe, strict=True):
        if before[2] == "fails":
            assert after[2] in ("NULL", "7")
        elif not (expression in POWERS and is_extreme(before[0], before[2])):
            assert after == before


def is_extreme(x: str | None, found: str) -> bool:
    """Is it a power that only types without limits hold?"""
    return found != "NULL" and not (1e-304 < abs(float(found)) < 1e304) and x != "0"


@st.composite
def expressions(draw: st.DrawFn, depth: int = 3) -> str:
    if depth == 0:
        return draw(st.sampled_from(["x", "y", "x - y", "2.0", "x - x"]))
    one, two = draw(expressions(depth - 1)), draw(expressions(depth - 1))
    forms = [
        "({} / ({}))",
        "({} % ({}))",
        "sqrt({})",
        "ln({})",
        "abs({})",
        "({} + {})",
        "coalesce({}, {})",
        "({})::numeric(9, 2)",
    ]
    return draw(st.sampled_from(forms)).replace("{}", one, 1).replace("{}", two, 1)


@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
@given(expression=expressions())
def test_nested_ones_too(expression: str, stage: psycopg.Connection) -> None:
    if next(defined(f"SELECT {expression} AS r FROM p"), None) is None:
        return
    plain, safe = results(expression, stage), results(guarded(expression), stage)
    for before, after in zip(plain, safe, strict=True):
        if before[2] != "fails":
            assert after == before
        else:
            assert after[2] != "fails" or "+" in expression


@pytest.mark.parametrize(
    "text",
    ["SELECT x FROM p", "SELECT x + 1 FROM p WHERE y = 'a'", "SELECT DISTINCT * FROM p", "SELECT upper(k) FROM p"],
)
def test_what_cannot_fail_so_is_left_alone(text: str) -> None:
    assert not may_be_undefined(text)
    assert list(defined(text)) == []


def test_a_constant_divisor_needs_no_guard() -> None:
    assert list(defined("SELECT x / 100.0 FROM p")) == []
    assert list(defined("SELECT x / 0 FROM p")) == []


def test_casts_of_texts_are_guarded_in_the_first_form_alone() -> None:
    both, without = defined("SELECT k::int, x / y FROM p")  # There is no product.
    assert "2147483647.5" in both
    assert "2147483647.5" not in without
    assert "NULLIF" in without


def test_products_are_guarded_in_the_first_form_alone() -> None:
    """Which fails where a product is of other types: a length of time, a matrix of an extension."""
    every, without = defined("SELECT x * y, k::int FROM p")
    assert "pg_typeof" in every
    assert "pg_typeof" not in without
    assert "2147483647.5" in without


@pytest.mark.parametrize("depth", [12, 400])
def test_deep_nesting_does_not_double_what_is_in_it(depth: int) -> None:
    text = "x"
    for _ in range(depth):
        text = f"ln({text})"
    assert sum(map(len, defined(f"SELECT {text} FROM p"))) < 1_000_000


def test_a_long_template_is_not_read_again() -> None:
    """Reading it takes the interpreter of everybody else's sessions: 36 000 characters took 3 seconds."""
    quotients = ", ".join(f"x / y{number}" for number in range(1000))
    assert list(defined(f"SELECT {quotients} FROM p")) == []
    assert list(defined(f"SELECT {quotients[:6000].rpartition(',')[0]} FROM p")) != []
