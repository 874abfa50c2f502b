"""attacks 5 and 6: with whatever constants an analyst picks, no row makes a statement fail on the source.

Each query is asked of a person who has rows and of one who has none: both have to be answered, or both refused.
"""

from __future__ import annotations

import psycopg
import pytest

from tests.attacks.attacker import UNSUPPORTED
from tests.attacks.conftest import Spent, assert_refused

SOMEBODY, NOBODY = 42, 999_999
UUID = "6f9619ff-8b86-d011-b42d-00cf4fc964ff"

ANSWERED = {
    "blanks before a uuid": f"(CASE WHEN minutes > 0 THEN ' {UUID}' ELSE diagnosis END)::uuid IS NULL",
    "blanks after a uuid": f"(CASE WHEN minutes > 0 THEN '{UUID} ' ELSE diagnosis END)::uuid IS NULL",
    "bounds that are one float": "width_bucket(score, 1, 1.00000000000000000001, 5) > 0",
    "bounds that are one float for integers": "width_bucket(minutes, 9007199254740992, 9007199254740993, 5) > 0",
    "bounds that are one real": "width_bucket(score, '1'::real, '1.00000001'::real, 5) > 0",
}
TOO_LARGE = {
    "a huge dividend": "'1e131000'::numeric / (cost * 1e-100 + 1e-90) > 0",
    "a huge dividend of div": "div('1e131000'::numeric, minutes * 1e-100 + 1e-90) > 0",
    "a huge choice": "greatest('1e131000'::numeric, minutes) ^ 2 > 0",
    "a huge negative dividend": "(-'1e131000'::numeric) / (cost * 1e-100 + 1e-90) > 0",
}
CAN_GROW = {
    "powers of powers": "((((((minutes::numeric ^ 8) ^ 8) ^ 8) ^ 8) ^ 8) ^ 8) > 0",
    "powers of powers as calls": "power(power(power(power(power(power(cost, 8), 8), 8), 8), 8), 8) > 0",
    "quotients of quotients": "div(" * 20 + "cost" + ", 1e-190)" * 20 + " > 0",
    "common multiples of multiples": "lcm(" * 20 + "minutes" + "".join(f", 1e190 + {n})" for n in range(20)) + " > 0",
}


def _query(condition: str, person: int) -> str:
    # A condition of FILTER is not estimated by the planner, which would make it fail always.
    return f"SELECT count(*) FILTER (WHERE {condition}) FROM visits WHERE patient_id = {person}"


@pytest.mark.parametrize("condition", ANSWERED.values(), ids=ANSWERED.keys())
def test_constants_that_postgres_cannot_take_fail_for_no_row(condition: str, client: psycopg.Connection) -> None:
    for person in (SOMEBODY, NOBODY):
        assert client.execute(_query(condition, person).encode()).fetchone() is not None


@pytest.mark.parametrize("condition", TOO_LARGE.values(), ids=TOO_LARGE.keys())
def test_constants_beyond_every_guard_are_refused(condition: str, client: psycopg.Connection, spent: Spent) -> None:
    assert_refused(_query(condition, SOMEBODY), UNSUPPORTED, "this number is too large", client, spent)


@pytest.mark.parametrize("condition", CAN_GROW.values(), ids=CAN_GROW.keys())
def test_numerics_that_can_outgrow_their_type_are_refused(
    condition: str, client: psycopg.Connection, spent: Spent
) -> None:
    assert_refused(_query(condition, SOMEBODY), UNSUPPORTED, "this expression can grow too large", client, spent)


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
