"""attacks 5 and 6: with whatever constants an analyst picks, no row makes a statement fail on the source, or looks other.

Single expressions stand in `tests/fixtures/expressions` (failing.sql, refused.sql); `test_total.py` asks them of somebody
who has rows, and of nobody.
"""

from __future__ import annotations

import psycopg

from tests.attacks.attacker import UNSUPPORTED
from tests.attacks.conftest import Spent, assert_refused

SOMEBODY = 42


def _query(condition: str, person: int) -> str:
    # A condition of FILTER is not estimated by the planner, which would make it fail always.
    return f"SELECT count(*) FILTER (WHERE {condition}) FROM visits WHERE patient_id = {person}"


def test_rows_are_not_filled_with_blanks(client: psycopg.Connection, spent: Spent) -> None:
    many = ", ".join(["diagnosis::char(10485760)"] * 100)
    assert_refused(
        _query(f"concat({many}) > 'a'", SOMEBODY), UNSUPPORTED, "character(10485760) is too long", client, spent
    )


def test_concatenated_characters_keep_their_blanks(client: psycopg.Connection) -> None:
    query = _query("concat_ws('|', diagnosis::char(9), NULL::char(3), 'x') = rpad(diagnosis, 9) || '|x'", SOMEBODY)
    rows = client.execute(f"SELECT count(*) FROM visits WHERE patient_id = {SOMEBODY}".encode()).fetchone()
    assert client.execute(query.encode()).fetchone() == rows != (0,)


def test_buckets_of_floats_keep_their_numbers(client: psycopg.Connection) -> None:
    answer = client.execute(
        _query("width_bucket(7::float8 + coalesce(minutes * 0, 0), 0, 10, 5) = 4", SOMEBODY).encode()
    ).fetchone()
    rows = client.execute(f"SELECT count(*) FROM visits WHERE patient_id = {SOMEBODY}".encode()).fetchone()
    assert answer == rows != (0,)
