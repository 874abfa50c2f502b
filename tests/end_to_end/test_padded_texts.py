"""character(n) beside other texts, in declared keys with blanks at their ends: Postgres's own groups and numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from proxy.policy.model import Policy
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.expressions.cases import CASES
from tests.expressions.table import PADDED

VALUES = ["a", "a ", "b", "b  ", "", " "]
TABLE = """
CREATE TABLE notes (
    id integer PRIMARY KEY, narrow char(3), padded char(5), bare bpchar, short varchar(6), open varchar, words text, label name
);
INSERT INTO notes SELECT i, a, b, c, a, c, b, c FROM (
    SELECT i, v[1 + i % 7] AS a, v[1 + i / 7 % 7] AS b, v[1 + i / 3 % 7] AS c
    FROM generate_series(1, 490) AS i, (SELECT ARRAY['a', 'a ', 'b', 'b  ', '', ' ', NULL] AS v) AS given
) AS chosen;
"""
EXPRESSIONS = [text for case in CASES if case.theme == "padded" for text in case.members]


def policy() -> Policy:
    columns: dict[str, object] = {name: {"values": VALUES} for name in PADDED}
    generous = {"budget": {"epsilon": "1e27", "delta": "0.4"}, "query": {"epsilon": "1e20", "delta": "0.1"}}
    notes = {"unit": {"name": "patient", "column": "id"}, "columns": columns | {"id": {}}, **generous}
    content = {**clinic.POLICY, "tables": {"public.notes": notes}}
    return Policy.model_validate(content)


Both = tuple[psycopg.Connection, psycopg.Connection]


@pytest.fixture(scope="module")
def both(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Both]:
    dsn = copy_clinic()
    with psycopg.connect(dsn, autocommit=True) as source:
        source.execute(TABLE)
        with proxies(policy(), source=dsn).connect() as client:
            client.execute("SET dp.empty_groups = 'hide'")
            yield client, source


def groups(connection: psycopg.Connection, expression: str) -> list[tuple[object, ...]] | str:
    """Each group with its count and the octets that its key is printed with; an error's SQLSTATE and text."""
    query = f"SELECT x, count(*) FROM (SELECT {expression} AS x FROM notes) AS computed GROUP BY x"
    try:
        return sorted(connection.execute(query.encode()).fetchall(), key=repr)
    except psycopg.Error as error:
        return f"{error.sqlstate} {error.diag.message_primary}"


def canonical(rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """Which of the equal spellings of a bpchar Postgres shows depends on the order of rows."""
    return sorted(((key.rstrip(" ") if isinstance(key, str) else key, number) for key, number in rows), key=repr)


def test_keys_of_padded_texts_are_postgres_own(both: Both) -> None:
    client, source = both
    answered = 0
    wrong: list[tuple[str, object, object]] = []
    for expression in EXPRESSIONS:
        got, expected = groups(client, expression), groups(source, expression)
        if isinstance(got, str):
            if not isinstance(expected, str) and not got.startswith(("0A000", "42501")):
                wrong.append((expression, got, expected))
            continue
        answered += 1
        if isinstance(expected, str) or canonical(got) != canonical(expected):
            wrong.append((expression, got, expected))
    for case in wrong:
        print(*case)
    assert not wrong, (len(wrong), answered, [case[0] for case in wrong])
    assert answered > 300


RELEASED = {
    "a released list": "SELECT count(*) FROM notes WHERE narrow IN (SELECT narrow FROM notes WHERE narrow IS NOT NULL GROUP BY narrow "
    "ORDER BY count(*) DESC LIMIT 1)",
    "a join with a released result": "SELECT count(*) FROM notes n JOIN (SELECT padded, count(*) AS c FROM notes GROUP BY padded) t ON "
    "t.padded = n.padded WHERE t.c > 100",
    "USING": "SELECT count(*) FROM notes n JOIN (SELECT narrow, count(*) AS c FROM notes GROUP BY narrow) t USING (narrow)",
    "a tool's join": "SELECT count(*) FROM notes n JOIN (SELECT padded FROM notes GROUP BY padded ORDER BY count(*) DESC, 1 LIMIT 2) t ON "
    "n.padded IS NOT DISTINCT FROM t.padded",
    "the average of the group": "SELECT count(*) FROM notes n WHERE id > (SELECT avg(least(greatest(m.id, 0), 500)) FROM notes m "
    "WHERE m.padded = n.padded)",
    "another width": "SELECT count(*) FROM notes n JOIN (SELECT narrow, count(*) AS c FROM notes GROUP BY narrow) t ON t.narrow = n.padded",
}


@pytest.mark.parametrize("query", RELEASED.values(), ids=RELEASED.keys())
def test_released_padded_texts_meet_rows_as_in_postgres(query: str, both: Both) -> None:
    client, source = both
    assert client.execute(query.encode()).fetchall() == source.execute(query.encode()).fetchall()
