"""Texts that the source limits to a list, by a CHECK or a foreign key to a public table: they are priced by the longest one
that is listed, and whatever a row holds when the list is gone costs no more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from proxy.policy.model import Policy
from proxy.sql.terms.stored import LEAST_ROOM
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, assert_same_answer, over_tables
from tests.end_to_end.conftest import StartProxy

TABLES = """
CREATE TABLE kinds (kind text PRIMARY KEY);
INSERT INTO kinds VALUES ('call'), ('visit'), ('a letter that is somewhat longer than most');
CREATE DOMAIN mood AS text CHECK (VALUE IN ('good', 'bad'));
CREATE TABLE people (id int PRIMARY KEY);
CREATE TABLE notes (
    id int NOT NULL REFERENCES people, number int, kind text NOT NULL CHECK (kind IN ('call', 'visit', '')),
    referenced text NOT NULL REFERENCES kinds, mood mood, claimed text NOT NULL, later text NOT NULL, PRIMARY KEY (id, number)
);
INSERT INTO people SELECT generate_series(1, 300);
INSERT INTO notes SELECT i, n, (ARRAY['call', 'visit', ''])[1 + (i + n) % 3], (ARRAY['call', 'visit'])[1 + i * n % 2],
    CASE WHEN i % 5 > 0 THEN (ARRAY['good', 'bad'])[1 + i % 2] END, 'call', 'call'
FROM people AS p(i), generate_series(1, 5) AS n;
ALTER TABLE notes ADD CONSTRAINT unvalidated CHECK (later IN ('call')) NOT VALID;
"""
_TABLE = {
    "unit": {"name": "person", "column": "id"},
    "budget": {"epsilon": "1e27", "delta": "0.9"},
    "query": {"epsilon": "1e20", "max_epsilon": "1e22", "delta": "0.1"},
    "contribution": {"max_rows": 2000, "max_rows_per_group": 2000, "max_groups": 64},
}
_LISTED = {"values": ["call", "visit"]}
_COLUMNS = {"kind": {}, "referenced": {}, "mood": {}, "claimed": _LISTED, "later": _LISTED}
POLICY = {
    "version": 1,
    "analysts": {"ana": {"password": clinic.VERIFIER}},
    "units": {"person": {}},
    "tables": {
        "public.kinds": {"public": True},
        "public.people": _TABLE | {"columns": {"id": {}}},
        "public.notes": _TABLE | {"columns": {"id": {}, "number": {}} | _COLUMNS},
    },
}
LISTED, UNLISTED = ("kind", "referenced", "mood"), ("claimed", "later")
LONG = (
    "SELECT count(*) FROM notes WHERE upper(repeat({0}, 100)) LIKE 'CALL%'",
    "SELECT count(*) FROM notes WHERE lower(upper(replace({0}, 'a', 'bbbbbbbbbbbbb'))) LIKE '%b%'",
)
"""More than one row may cost, if its text has thousands of characters."""


@pytest.fixture(scope="module")
def both(copy_clinic: Callable[[], str], proxies: StartProxy) -> Iterator[Connections]:
    with over_tables(TABLES, Policy.model_validate(POLICY), copy_clinic(), proxies) as found:
        yield found


@pytest.mark.parametrize("query", LONG)
@pytest.mark.parametrize("column", LISTED)
def test_a_text_of_a_list_costs_what_the_longest_of_them_does(both: Connections, column: str, query: str) -> None:
    assert_same_answer(query.format(column), both)
    assert_same_answer(f"SELECT {column}, count(*) FROM notes WHERE {column} <> 'call' GROUP BY 1", both)


@pytest.mark.parametrize("query", LONG)
@pytest.mark.parametrize("column", UNLISTED)
def test_a_list_that_the_source_does_not_hold_tells_nothing(both: Connections, column: str, query: str) -> None:
    with pytest.raises(psycopg.errors.FeatureNotSupported, match=r"could have 400000 characters|take too long for one"):
        both[0].execute(query.format(column).encode())


@pytest.mark.parametrize("text", ["call" * 100, "call" * 100_000])
def test_a_text_of_a_list_that_is_gone_costs_no_more(both: Connections, text: str) -> None:
    client, source = both
    source.execute("ALTER TABLE notes DROP CONSTRAINT IF EXISTS notes_kind_check")
    source.execute("UPDATE notes SET kind = %s WHERE id = 1", [text])
    (kept,) = client.execute("SELECT max(length(kind)) FROM notes WHERE id = 1 AND number < 100").fetchone() or ()
    assert kept <= LEAST_ROOM
    assert client.execute(LONG[0].format("kind").encode()).fetchone() is not None
