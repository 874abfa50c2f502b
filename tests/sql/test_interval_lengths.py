"""How long an interval constant is taken to be: never less than Postgres makes of it, or dates would leave its range."""

from __future__ import annotations

from fractions import Fraction

import psycopg
import pytest
from sqlglot import exp

from proxy.errors import UnsupportedError
from proxy.sql.terms.intervals import _DAYS_PER_UNIT, MOST_DAYS, interval_constant
from tests.conftest import PostgresCluster

pytestmark = pytest.mark.postgres

STARTS = ("2023-03-01", "2024-01-31", "2024-02-29", "2023-07-01", "2023-12-31 23:59:59.999999")

PASSED = """
SELECT max(extract(epoch FROM start::timestamp + %s::text::interval - start::timestamp)) FROM unnest(%s::text[]) AS start
"""


def test_a_unit_is_as_long_as_at_its_longest_in_postgres(postgres_cluster: PostgresCluster) -> None:
    with psycopg.connect(postgres_cluster.create_database("intervals")) as connection:
        for unit in _DAYS_PER_UNIT:
            length = f"{2 if _DAYS_PER_UNIT[unit] > 366 else 600} {unit}"
            row = connection.execute(PASSED, [length, list(STARTS)]).fetchone()
            assert row is not None
            longest = Fraction(row[0]) / 86400
            found = interval_constant(exp.Null(), length).magnitude
            assert found is not None
            assert longest <= found <= longest * Fraction(103, 100), unit


@pytest.mark.parametrize(("text", "days"), [("1000000 days", 1_000_000), ("-1000000 days", 1_000_000)])
def test_the_longest_constants_are_of_a_million_days(text: str, days: int) -> None:
    assert interval_constant(exp.Null(), text).magnitude == days == MOST_DAYS
    with pytest.raises(UnsupportedError, match="this interval constant is not supported") as refusal:
        interval_constant(exp.Null(), f"{text} 1 second")
    assert (refusal.value.rule, refusal.value.sqlstate) == ("interval", "0A000")
