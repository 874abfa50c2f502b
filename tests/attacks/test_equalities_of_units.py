"""Blanks at the end of character(n) do not count, and in other texts they do: tables of one unit must agree on that.

Foreign keys between such columns are allowed by Postgres. The rows of one person of `people` would be those of many where
each spelling of his name counts as one; and one row of `payments` would be that of many accounts.
"""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from proxy.policy.findings import PolicyError
from proxy.policy.model import Policy
from tests.conftest import PostgresCluster
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy

SCHEMA = """
CREATE EXTENSION citext;
CREATE TABLE people (id char(8) PRIMARY KEY, number integer);
CREATE TABLE visits (person varchar(1000) NOT NULL REFERENCES people, number integer);
CREATE TABLE letters (person text NOT NULL, number integer);
CREATE TABLE calls (person char(8) NOT NULL REFERENCES people, number integer);
CREATE TABLE owners (id integer PRIMARY KEY);
CREATE TABLE accounts (code varchar(40) PRIMARY KEY, owner integer NOT NULL REFERENCES owners);
CREATE TABLE payments (code char(8) NOT NULL REFERENCES accounts, number integer);
CREATE TABLE transfers (code text NOT NULL REFERENCES accounts, number integer);
CREATE TABLE cards (code char(8) PRIMARY KEY, owner integer NOT NULL REFERENCES owners);
CREATE TABLE uses (code text NOT NULL REFERENCES cards, number integer);
CREATE TABLE names (name citext PRIMARY KEY, owner integer NOT NULL REFERENCES owners);
CREATE TABLE signatures (name citext NOT NULL REFERENCES names, number integer);
INSERT INTO people VALUES ('u1', 1);
INSERT INTO calls SELECT 'u1', n FROM generate_series(1, 3) n;
"""

_PERSON = {"column": "person"}
UNITS: dict[str, dict[str, Any]] = {
    "people": {"column": "id"},
    "visits": _PERSON,
    "letters": _PERSON,
    "calls": _PERSON,
    "owners": {"column": "id"},
    "accounts": {"column": "owner"},
    "payments": {"via": "code -> public.accounts.code"},
    "transfers": {"via": "code -> public.accounts.code"},
    "cards": {"column": "owner"},
    "uses": {"via": "code -> public.cards.code"},
    "names": {"column": "owner"},
    "signatures": {"via": "name -> public.names.name"},
}

REFUSED = {
    "a column with a foreign key": (UNITS, ("people", "visits")),
    "a foreign key to a table that the policy leaves out": (UNITS, ("visits",)),
    "columns without one": (UNITS, ("people", "letters")),
    "a path to the unit": (UNITS | {"visits": {"via": "person -> public.people.id"}}, ("people", "visits")),
    "a path from blanks that do not count": (UNITS, ("owners", "accounts", "payments")),
    "a path to blanks that do not count": (UNITS, ("owners", "cards", "uses")),
    "a path of an extension's type": (UNITS, ("owners", "names", "signatures")),
}
ACCEPTED = ("people", "calls", "owners", "accounts", "transfers")
OF_OWNERS = ("owners", "accounts", "payments", "transfers", "cards", "uses", "names", "signatures")


def _policy(units: dict[str, dict[str, Any]], tables: tuple[str, ...]) -> Policy:
    private = {
        f"public.{table}": {
            "unit": {"name": "owner" if table in OF_OWNERS else "person", **units[table]},
            "budget": {"epsilon": "1e6", "delta": "1e-3"},
            "query": {"epsilon": "1e4", "max_epsilon": "1e5"},
            "contribution": {"max_rows": 4},
        }
        for table in tables
    }
    return Policy.model_validate(
        {
            "version": 1,
            "analysts": {"ana": {"password": clinic.VERIFIER}},
            "units": {"person": {}, "owner": {}},
            "tables": private,
        }
    )


@pytest.fixture(scope="module")
def source(postgres_cluster: PostgresCluster) -> str:
    dsn = postgres_cluster.create_database("equalities")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(SCHEMA)
    return dsn


@pytest.mark.parametrize(("units", "tables"), REFUSED.values(), ids=REFUSED.keys())
def test_tables_of_a_unit_that_disagree_in_which_texts_are_equal_are_an_error(
    units: dict[str, dict[str, Any]], tables: tuple[str, ...], source: str, proxies: StartProxy
) -> None:
    with pytest.raises(PolicyError, match=r"texts are equal|texts for equal"):
        proxies(_policy(units, tables), source=source)


def test_tables_that_agree_are_served(source: str, proxies: StartProxy) -> None:
    """Both of character(n), or text and varchar."""
    with proxies(_policy(UNITS, ACCEPTED), source=source).connect() as client:
        client.execute("SET dp.notices = off")
        assert client.execute("SELECT count(*) FROM calls").fetchall() == [(3,)]
        assert client.execute("SELECT count(*) FROM transfers").fetchall() == [(0,)]
