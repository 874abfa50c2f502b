"""What a stage's own catalog views show an analyst: no other analyst, and dpproxy's settings beside Postgres's."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import psycopg
import pytest
from psycopg import sql

from proxy.settings import SETTINGS
from tests.postgres.conftest import Guarded
from tests.programs import find_program


@pytest.fixture(scope="module")
def analyst(guarded: Guarded) -> Iterator[psycopg.Connection]:
    with psycopg.connect(guarded.stage.dsn("ana"), autocommit=True) as connection:
        yield connection


@pytest.mark.parametrize(("view", "name"), [("pg_roles", "rolname"), ("pg_user", "usename"), ("pg_group", "groname")])
def test_lists_of_roles_have_no_other_analyst_and_no_role_of_the_proxy(
    guarded: Guarded, analyst: psycopg.Connection, view: str, name: str
) -> None:
    query = sql.SQL("SELECT {} FROM {}").format(sql.Identifier(name), sql.Identifier(view))
    listed = {row[0] for row in analyst.execute(query)}
    with psycopg.connect(guarded.server.dsn("postgres")) as owner:
        everything = {row[0] for row in owner.execute(query)}
    assert everything - listed == {"Bo B", "dpproxy_analysts", "dpproxy_enumerator"} & everything
    assert everything - listed
    assert ("ana" in listed) == (view != "pg_group")


def test_a_condition_that_fails_tells_of_no_hidden_role(analyst: psycopg.Connection) -> None:
    with pytest.raises(psycopg.errors.InvalidTextRepresentation) as failed:
        analyst.execute("SELECT count(*) FROM pg_roles WHERE rolname::text::integer = 1 AND rolname <> 'postgres'")
    assert "Bo B" not in str(failed.value)
    assert analyst.execute("SELECT count(*) FROM pg_roles WHERE 1 / (rolname <> 'Bo B')::integer = 1").fetchone()


def test_own_settings_are_listed_with_their_values(analyst: psycopg.Connection) -> None:
    analyst.execute("SET dp.epsilon = 0.25")
    rows = analyst.execute(
        "SELECT name, setting, boot_val, short_desc, context FROM pg_settings WHERE name LIKE 'dp.%'"
    ).fetchall()
    expected = [
        (name, "0.25" if name == "dp.epsilon" else setting.default, setting.default, setting.meaning, "user")
        for name, setting in SETTINGS.items()
    ]
    assert sorted(rows) == sorted(expected)
    analyst.execute("UPDATE pg_settings SET setting = 'off' WHERE name = 'dp.notices'")
    assert analyst.execute("SHOW dp.notices").fetchone() == ("off",)
    analyst.execute("RESET ALL")
    assert analyst.execute("SELECT count(*) > 300 FROM pg_settings WHERE category <> 'dpproxy'").fetchone() == (True,)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (r"\l", "guarded"),
        (r"\dO pg_catalog.*", "default"),
        (r"\du", "ana"),
        (r"\drds", "statement_timeout=60s"),
        (r"\dx+", "plpgsql_call_handler()"),
        (r"\df+ pg_catalog.pg_get_userbyid", "pg_get_userbyid"),
        (r"\dvS pg_database", "pg_database"),
        (r"\dg", "ana"),
        (r"\dRp", "publications"),
        (r"\dx", "plpgsql"),
        (r"\dT+", ""),
        (r"\dd", ""),
        (r"\des", ""),
        (r"\dA", "btree"),
        (r"\dP", ""),
        (r"\ddp", ""),
        (r"\z", "=rx/"),
        (r"\sv information_schema.tables", "CREATE OR REPLACE VIEW"),
    ],
)
def test_psql_lists_what_it_lists_anywhere(guarded: Guarded, command: str, expected: str) -> None:
    done = subprocess.run(
        [find_program("psql"), "-X", "-v", "ON_ERROR_STOP=1", guarded.stage.dsn("ana"), "-c", command],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert expected in done.stdout
    assert "Bo B" not in done.stdout
