"""Integers that do not fit the type of the client's expression in a single row beyond the policy's bounds: Postgres would
fail at that row, and so tell that it exists. Here the row counts like others, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from proxy.policy.model import Policy
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy

TABLE = """
CREATE TABLE things (unit integer, i integer, small smallint, big bigint, part integer);
INSERT INTO things SELECT n, n % 3, n % 2, n % 4, n % 2 FROM generate_series(1, 300) AS n;
INSERT INTO things VALUES (999, 2147483647, -32768, -9223372036854775808, 1), (999, 101, 32767, 9223372036854775807, 1),
    (999, -2147483648, 0, 0, 1);
"""
MODES = [
    "i + 1",
    "-i",
    "abs(i)",
    "i * i",
    "i * 21474836",
    "-small",
    "abs(small)",
    "big * 2",
    "-big",
    "coalesce(i, 0) * 2",
]


@pytest.fixture(scope="module")
def client(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[psycopg.Connection]:
    generous = {"budget": {"epsilon": "1e27", "delta": "0.4"}, "query": {"epsilon": "1e20", "delta": "0.1"}}
    columns: dict[str, object] = {
        "unit": {},
        "i": {"bounds": [0, 100]},
        "small": {"bounds": [0, 100]},
        "big": {"bounds": [0, 100]},
        "part": {"values": [0, 1]},
    }
    things = {"unit": {"name": "thing", "column": "unit"}, "columns": columns, **generous}
    dsn = copy_clinic()
    with psycopg.connect(dsn, autocommit=True) as source:
        source.execute(TABLE)
    content = {**clinic.POLICY, "units": {"thing": {}}, "tables": {"public.things": things}}
    with proxies(Policy.model_validate(content), source=dsn).connect() as client:
        yield client


@pytest.mark.parametrize("value", MODES)
@pytest.mark.parametrize("rest", ["", "WHERE part = 1", "GROUP BY part"])
def test_a_mode_does_not_fail_at_one_row(value: str, rest: str, client: psycopg.Connection) -> None:
    rows = client.execute(f"SELECT mode() WITHIN GROUP (ORDER BY {value}) FROM things {rest}".encode()).fetchall()
    assert rows


@pytest.mark.parametrize(
    "condition",
    [
        "small / -('-32768'::smallint) > 1",
        "CASE WHEN unit = 0 THEN -('-2147483648'::int) ELSE i END < 0.1::float8",
        "i + -('-2147483648'::int) > 1",
        "big / -(bigint '-9223372036854775808') > 1",
    ],
)
def test_a_negated_constant_does_not_fail(condition: str, client: psycopg.Connection) -> None:
    assert client.execute(f"SELECT count(*) FROM things WHERE {condition}".encode()).fetchone() is not None


def test_so_it_is_with_parameters(client: psycopg.Connection) -> None:
    client.execute("PREPARE negated (int) AS SELECT count(*) FROM things WHERE i + -($1) > 1")
    assert client.execute("EXECUTE negated (-2147483648)").fetchone() is not None
