"""Every rule that refuses, through the wire: SQLSTATE, text, position, DETAIL and HINT, and nothing is charged.

The rule itself does not travel to clients; a recorder around the router notes which one refused.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

import proxy
from tests.end_to_end.charging import all_spent
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.odd_clinic import MORE_TABLES, odd_policy
from tests.end_to_end.recording import recording
from tests.end_to_end.refusal import Refusal
from tests.end_to_end.refusals import NATIVE_FIRST, NEVER_REACHED, REFUSALS
from tests.end_to_end.running import RunningProxy


@pytest.fixture(scope="module")
def rules() -> list[str | None]:
    """The rules that refused, in order."""
    return []


@pytest.fixture(scope="module")
def refusing_proxy(proxies: StartProxy, copy_clinic: Callable[[], str], rules: list[str | None]) -> RunningProxy:
    source = copy_clinic()
    with psycopg.connect(source, autocommit=True) as connection:
        connection.execute(MORE_TABLES)
    with recording(rules):
        return proxies(odd_policy(), source=source)


@pytest.fixture(scope="module")
def observer(refusing_proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    """A session that watches the budget."""
    with refusing_proxy.connect() as connection:
        yield connection


@pytest.fixture
def client(refusing_proxy: RunningProxy) -> Iterator[psycopg.Connection]:
    with refusing_proxy.connect() as connection:
        yield connection


def send(client: psycopg.Connection, refusal: Refusal) -> psycopg.pq.abc.PGresult:
    for statement in refusal.first:
        client.execute(statement)
    if refusal.extended:
        return client.pgconn.exec_params(refusal.query.encode(), [])
    return client.pgconn.exec_(refusal.query.encode())


@pytest.mark.parametrize(("rule", "refusal"), REFUSALS.items(), ids=REFUSALS.keys())
def test_refusal_says_why_where_and_what_instead_and_charges_nothing(
    client: psycopg.Connection, observer: psycopg.Connection, rules: list[str | None], rule: str, refusal: Refusal
) -> None:
    before = all_spent(observer)
    rules.clear()
    result = send(client, refusal)
    field = psycopg.pq.DiagnosticField
    texts = {name: (result.error_field(name) or b"").decode() for name in field}
    assert rules == [rule], texts
    assert texts[field.SQLSTATE] == refusal.sqlstate
    assert texts[field.MESSAGE_PRIMARY].startswith(refusal.message)
    assert texts[field.SEVERITY_NONLOCALIZED] == "ERROR"
    position = texts[field.STATEMENT_POSITION]
    assert bool(position) == (refusal.at is not None)
    assert refusal.query[int(position or 1) - 1 :].startswith(refusal.at or "")
    for name, beginning in ((field.MESSAGE_DETAIL, refusal.detail), (field.MESSAGE_HINT, refusal.hint)):
        assert bool(texts[name]) == (beginning is not None), texts[name]
        assert texts[name].startswith(beginning or "")
    assert all_spent(observer) == before


BY_BOTH_PROTOCOLS = [name for name, refusal in REFUSALS.items() if not refusal.first and name != "parameter"]


@pytest.mark.parametrize("rule", BY_BOTH_PROTOCOLS)
def test_refusal_is_the_same_by_the_extended_protocol(
    client: psycopg.Connection, rules: list[str | None], rule: str
) -> None:
    rules.clear()
    result = client.pgconn.exec_params(REFUSALS[rule].query.encode(), [])
    assert (result.error_field(psycopg.pq.DiagnosticField.SQLSTATE) or b"").decode() == REFUSALS[rule].sqlstate
    assert rules == [rule]


@pytest.mark.parametrize(("query", "sqlstate"), NATIVE_FIRST.values(), ids=NATIVE_FIRST.keys())
def test_postgres_own_error_comes_first_where_postgres_refuses_too(
    client: psycopg.Connection,
    observer: psycopg.Connection,
    rules: list[str | None],
    query: str,
    sqlstate: str,
) -> None:
    before = all_spent(observer)
    rules.clear()
    with pytest.raises(psycopg.Error) as error:
        client.execute(query)
    assert (error.value.sqlstate, rules) == (sqlstate, [])
    assert error.value.diag.statement_position is not None
    assert all_spent(observer) == before


def rules_in_the_code() -> set[str]:
    """Every constant that is passed as `rule=` in the compiler, the settings and the steps of a query."""
    package = Path(proxy.__file__).parent
    parts = ("*.py", "query/*.py", "release/*.py", "sql/**/*.py")
    paths = [path for part in parts for path in package.glob(part)]
    return {
        keyword.value.value
        for path in paths
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "rule" and isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, str)
    }


def test_every_rule_in_the_code_has_its_refusal_here() -> None:
    tables = (REFUSALS, NATIVE_FIRST, NEVER_REACHED)
    assert sorted(rules_in_the_code()) == sorted(rule for table in tables for rule in table)
