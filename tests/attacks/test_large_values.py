"""One stored value of tens of megabytes, or one that becomes as large when it is unpacked, changes no outcome.

Every function is tried with every column, and so are the expressions of `tests/fixtures/expressions`, over a table in which
one row after the other holds the worst values of its types: each must be computed, and at once. A few of them by
default; `DPPROXY_HUNT=all` tries all.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterable, Iterator

import psycopg
import pytest
from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.policy import model
from proxy.postgres.catalog_reader import read_catalog
from proxy.sql import dialect
from proxy.sql.grammar import NotReadError
from proxy.sql.rows.compiler import RowCompiler
from proxy.sql.rows.relation import Relation
from proxy.sql.rows.tie_breakers import tie_breakers
from proxy.sql.schema import Schema
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.operation import Operation
from proxy.sql.terms.operations import TABLE
from proxy.sql.terms.work import MOST_ROW_WORK
from tests.conftest import PostgresCluster
from tests.expressions.cases import CASES
from tests.expressions.table import COLUMNS

MEGABYTE = 1_000_000
ALL = os.environ.get("DPPROXY_HUNT") == "all"

TYPES = {name: type_ for type_, name in {stored.type: name for name, stored in reversed(tuple(COLUMNS.items()))}.items()} | {
    "typed": "text",
    "blanks": "bpchar", "amounts": "numeric[]", "blob": "bytea", "numeral": "numeric", "letters": "text", "stored": "text",
}  # fmt: skip

WITHOUT_EQUALITY = frozenset({"json", "point"})

LARGE = {
    "long text": "UPDATE large SET words = repeat('a', 50 * {mb}), typed = repeat(' ', 50 * {mb}), letters = repeat('😀', 10 * {mb}), stored = repeat('b', 50 * {mb})",
    "text of one limit": "UPDATE large SET words = repeat('a', 10001), letters = repeat('😀', 10000), typed = repeat('7', 10000)",
    "blanks": "UPDATE large SET blanks = repeat(' ', 50 * {mb})::bpchar, words = repeat(' ', 50 * {mb})",
    "characters with blanks": "UPDATE large SET blanks = (repeat('x', 50 * {mb}) || ' ')::bpchar",
    "control characters": "UPDATE large SET record = to_jsonb(repeat(chr(1), 20 * {mb})), paper = to_json(repeat(chr(1), 4 * {mb}))",
    "numbers that print long": "UPDATE large SET record = (SELECT jsonb_build_object('a', jsonb_agg(1e131071), 'n', 1e131071, 'x', rpad('1.', 16385, '0')::numeric) FROM generate_series(1, 120))",
    "few numbers that print long": "UPDATE large SET record = (SELECT jsonb_build_object('a', jsonb_agg(rpad('1.', 16385, '0')::numeric), 'n', rpad('0.', 16385, '0')::numeric) FROM generate_series(1, 15))",
    "deep documents": "UPDATE large SET record = (repeat('[', 4000) || repeat(']', 4000))::jsonb, paper = (repeat('[', 4000) || repeat(']', 4000))::json",
    "wide documents": "UPDATE large SET record = (SELECT jsonb_object_agg('k' || i, i) FROM generate_series(1, 200000) AS i), paper = (SELECT json_object_agg('k' || i, i) FROM generate_series(1, 200000) AS i)",
    "long numbers": "UPDATE large SET free = repeat('37', 60000)::numeric, numeral = ('0.' || repeat('37', 8000))::numeric, amounts = array_fill(1e131071, ARRAY[100])",
    "small long numbers": "UPDATE large SET free = '1e-16383', numeral = ('0.' || repeat('3', 16000))::numeric",
    "long arrays": "UPDATE large SET marks = array_fill(1, ARRAY[{mb}]), labels = array_fill(repeat('a', 100), ARRAY[200000]), amounts = array_fill(1.5, ARRAY[{mb}]), instants = array_fill(timestamptz 'infinity', ARRAY[{mb}])",
    "few long elements": "UPDATE large SET labels = ARRAY[repeat('a', 50 * {mb}), NULL]",
    "octets": "UPDATE large SET blob = decode(repeat('00', 30 * {mb}), 'hex')",
}  # fmt: skip

FURTHER = [
    "", ", 'a'", ", 2", ", 'a', 'b'", ", 2, 3", ", 'a', 2", ", 2, 'a'", ", 'a', 'b', 'g'", ", ' ', 'x', 'g'", ", '{{a}}'", ", 0, 10, 5", ", timestamp '2000-01-01'", ", '[a-z]+'",
]  # fmt: skip
BEFORE = ["'day', ", "'-', ", "'UTC', ", "interval '15 minutes', "]
FORMS = [
    *(f"{{name}}({{column}}{further})" for further in FURTHER),
    *(f"{{name}}({before}{{column}})" for before in BEFORE),
    "{name}(interval '15 minutes', {column}, timestamp '2000-01-01')",
]


NAMES = {key for key, row in TABLE.items() if isinstance(key, str) and isinstance(row, Operation)}
"""Every function that may be called over private rows; none of them returns a set."""


def calls_of_everything() -> Iterator[str]:
    for name, column in itertools.product(sorted(NAMES), TYPES):
        yield from (form.format(name=name, column=column) for form in FORMS)


@pytest.fixture(scope="module")
def large(postgres_cluster: PostgresCluster) -> Iterator[tuple[psycopg.Connection, Relation]]:
    """A table with one row for each of LARGE, and its relation."""
    dsn = postgres_cluster.create_database("large")
    with psycopg.connect(dsn, autocommit=True) as connection:
        columns = ", ".join(f"{name} {type_name}" for name, type_name in TYPES.items())
        connection.execute(f"CREATE TABLE large (unit int NOT NULL, hidden text, {columns})".encode())
        connection.execute("ALTER TABLE large ALTER stored SET STORAGE EXTERNAL")
        for number, (_, update) in enumerate(LARGE.items()):
            connection.execute(f"INSERT INTO large (unit) VALUES ({number})".encode())
            connection.execute(f"{update.replace('{mb}', str(MEGABYTE))} WHERE unit = {number}".encode())
        connection.execute("UPDATE large SET hidden = repeat('a', 50000000) WHERE unit = 0")
        connection.execute("SET search_path = pg_catalog; SET jit = off; SET statement_timeout = '5s'")
        table = model.TablePolicy(
            unit=model.UnitReference(name="person", column="unit"),
            budget=model.TableBudget(epsilon=1),  # type: ignore[arg-type]
            columns={name: model.ColumnPolicy() for name in [*TYPES, "unit"]},
        )
        policy = model.Policy(version=1, units={"person": model.Unit()}, tables={"public.large": table})
        select = dialect.parse("SELECT 1 FROM large")
        assert isinstance(select, exp.Select)
        schema = Schema(policy, read_catalog(dsn, ["public.large"]))
        yield connection, RowCompiler(schema, ("public",), lambda _: 1).relation(select)


def compiled(texts: Iterable[str], relation: Relation) -> Iterator[tuple[str, str]]:
    """The texts that compile, with what the source is asked; those that one row could take too long for are refused."""
    for text in texts:
        try:
            select = dialect.parse(f"SELECT {text}")
        except NotReadError:
            continue  # Postgres has no such form of the function.
        assert isinstance(select, exp.Select)
        try:
            term = compile_term(select.expressions[0], relation)
        except DpproxyError:
            continue
        if term.work <= MOST_ROW_WORK:
            yield text, term.sql


def seconds(connection: psycopg.Connection, sql: str, relation: Relation) -> float:
    """How long the row with the worst value takes; raises psycopg.Error where the source fails."""
    before = time.perf_counter()
    connection.execute(f"SELECT count({sql}) FROM {relation.sql}".encode())
    return time.perf_counter() - before


def too_slow(connection: psycopg.Connection, texts: list[str], relation: Relation) -> tuple[list[str], int]:
    """The texts that fail or take long, and how many were tried. A slow one is tried again: others use this machine."""
    found, tried = [], 0
    most = 0.05
    for text, sql in compiled(texts, relation):
        tried += 1
        try:
            if (
                seconds(connection, sql, relation) > most
                and min(seconds(connection, sql, relation) for _ in range(5)) > most
            ):
                found.append(f"{text}: slow")
        except psycopg.Error as error:
            if answers_without_rows(connection, sql, relation):
                found.append(f"{text}: {error}")
    return found, tried


def answers_without_rows(connection: psycopg.Connection, sql: str, relation: Relation) -> bool:
    """What fails without any row, a constant of a wrong form, tells of none; the stage refuses it."""
    try:
        connection.execute(f"SELECT count({sql}) FROM {relation.sql} WHERE false".encode())
    except psycopg.Error:
        return False
    return True


def test_every_function_of_every_type_takes_every_stored_value(
    large: tuple[psycopg.Connection, Relation],
) -> None:
    connection, relation = large
    texts = list(calls_of_everything())
    found, tried = too_slow(connection, texts if ALL else texts[::23], relation)
    assert (found, tried > (1000 if ALL else 100)) == ([], True)


def test_every_expression_takes_every_stored_value(large: tuple[psycopg.Connection, Relation]) -> None:
    connection, relation = large
    expressions = [text for case in CASES for text in case.members]
    texts = [text for text in expressions if any(name in text for name in ("words", "padded", "typed", "free", "paper", "record", "marks", "labels"))]  # fmt: skip
    texts += [text.replace("words", "blanks") for text in texts if "words" in text]
    found, tried = too_slow(connection, texts if ALL else texts[::23], relation)
    assert (found, tried > 20) == ([], True)


def test_comparing_grouping_and_ordering_take_every_stored_value(large: tuple[psycopg.Connection, Relation]) -> None:
    connection, relation = large
    for name in TYPES:
        if TYPES[name] in WITHOUT_EQUALITY:
            continue
        term = relation.members[0].table.term(name, "t0")
        seconds(connection, f"DISTINCT {term.sql}", relation)
    breakers = tie_breakers(relation).items
    assert not any("hidden" in breaker for breaker in breakers)
    before = time.perf_counter()
    connection.execute(f"SELECT row_number() OVER (ORDER BY {', '.join(breakers)}) FROM {relation.sql}".encode())
    assert time.perf_counter() - before < 1


def test_every_function_is_tried(large: tuple[psycopg.Connection, Relation]) -> None:
    relation = large[1]
    for name in sorted(NAMES):
        texts = (form.format(name=name, column=column) for form in FORMS for column in TYPES)
        assert any(compiled(texts, relation)), name
