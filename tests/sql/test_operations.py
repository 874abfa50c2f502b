"""What the rows of functions and operators say is what Postgres does, and each row has an example that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

import psycopg
import pytest
from sqlglot import exp

from proxy.errors import DpproxyError, UnsupportedError
from proxy.sql import dialect
from proxy.sql.postgres_aggregates import AGGREGATES
from proxy.sql.rows.relation import Relation
from proxy.sql.terms import costs, datetimes, patterns
from proxy.sql.terms.arithmetic import Compile
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.operation import Operation, StageFunction
from proxy.sql.terms.operations import TABLE, Key, joined, key_of, trial_of
from proxy.sql.terms.term import Term
from proxy.sql.trees.conjuncts import is_null_without
from proxy.sql.trees.constants import foldable, probe_sql
from tests.sql.test_total import EXPRESSIONS, EXTREMES, expression, extremes

__all__ = ["extremes"]

Extremes = tuple[psycopg.Connection, Relation]

ON_THE_STAGE = """now() transaction_timestamp() statement_timestamp() pi() chr(65) ascii('A') pg_catalog.substring('abc','b')
    to_date('2024','YYYY') to_number('12','99') make_date(2024,1,2) make_time(1,2,3) make_timestamp(2024,1,2,3,4,5)
    make_timestamptz(2024,1,2,3,4,5) make_interval(1) current_timestamp(3) localtimestamp(3) current_time(3) localtime(3)
    current_date current_timestamp current_time localtime localtimestamp""".split()

ORDINARY = {
    "interval": "1 day", "time": "10:00", "json": "{}", "jsonb": "{}", "int[]": "{}", "text[]": "{}", "timestamptz[]": "{}",
    "date": "2024-01-01", "timestamp": "2024-01-01", "timestamptz": "2024-01-01", "boolean": "t",
    "uuid": "00000000-0000-0000-0000-000000000000",
}  # fmt: skip
"""A value of each type that is not 1."""


@pytest.fixture(scope="module")
def examples(extremes: Extremes) -> list[exp.Expr]:
    """The expressions of `tests.sql.test_total` that compile."""
    found: list[exp.Expr] = []
    for text in EXPRESSIONS:
        with suppress(DpproxyError):
            compile_term(expression(text), extremes[1])
            found.append(expression(text))
    return found


def keys(kind: type[Operation] | type[StageFunction]) -> set[Key]:
    return {key for key, row in TABLE.items() if isinstance(row, kind)}


def nodes(examples: list[exp.Expr]) -> Iterator[exp.Expr]:
    return (node for example in examples for node in example.walk())


def test_every_row_has_an_example(examples: list[exp.Expr]) -> None:
    assert keys(Operation) - set(map(key_of, nodes(examples))) == set()


def test_a_row_says_what_could_be_unsafe_and_stands_alone() -> None:
    def compile_(_: exp.Expr, __: Compile) -> Term:
        raise NotImplementedError

    for missing in (partial(Operation, cost=costs.flat(0)), partial(Operation, tried=None)):
        with pytest.raises(TypeError):
            missing("one two", compile_)
    row = Operation("one two", compile_, costs.flat(0), tried=None)
    assert (row.strict, row.folded, row.knows("this"), row.knows("distinct")) == (False, False, True, False)
    assert joined([row]) == {"one": row, "two": row}
    with pytest.raises(ValueError, match="two is listed twice"):
        joined([row, StageFunction("two")])


def on_the_stage(text: str) -> exp.Expr:
    """The only node of a constant expression that the stage computes."""
    select = dialect.parse(f"SELECT {text}")
    assert isinstance(select, exp.Select)
    (folded,) = foldable(select)
    return folded


@pytest.mark.parametrize("text", ON_THE_STAGE)
def test_the_stage_alone_computes_its_functions(text: str, extremes: Extremes) -> None:
    connection, relation = extremes
    value, type_ = connection.execute(probe_sql([on_the_stage(text)]).encode()).fetchone() or (None, None)
    assert value
    assert type_
    with pytest.raises(UnsupportedError) as refusal:
        compile_term(expression(text), relation)
    assert (refusal.value.rule, refusal.value.sqlstate) in {("function", "0A000"), ("not-allowed", "0A000")}


def test_every_function_of_the_stage_has_an_example() -> None:
    assert keys(StageFunction) == {key_of(on_the_stage(text)) for text in ON_THE_STAGE}


def test_functions_are_what_postgres_says_of_them(extremes: Extremes) -> None:
    """They exist, return one value that only their arguments and the session decide, and are strict where it says so."""
    connection, _ = extremes
    names = [key for key in TABLE if isinstance(key, str)]
    facts = """SELECT proname, bool_and(prokind = 'f' AND NOT proretset AND provolatile <> 'v'), bool_and(proisstrict)
        FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND proname = ANY (%s) GROUP BY proname"""
    known = {name: facts for name, *facts in connection.execute(facts, [names])}
    words = {word for (word,) in connection.execute("SELECT word FROM pg_get_keywords() WHERE catcode IN ('C', 'R')")}
    assert {name for name in names if name not in known} <= words
    assert {name for name, (plain, _) in known.items() if not plain} == set()
    strict = {name: row.strict for name, row in TABLE.items() if isinstance(row, Operation) and name in known}
    assert strict == {name: known[name][1] for name in strict}
    assert not AGGREGATES & set(names)


def test_what_is_strict_is_null_on_the_server_where_an_operand_is(extremes: Extremes, examples: list[exp.Expr]) -> None:
    """As it is compiled, among all values of the other columns, and as Postgres understands what the client wrote."""
    connection, relation = extremes
    shown: set[tuple[Key, object]] = set()
    for operand in nodes(examples):
        node = operand.parent or operand
        columns = {found.name for found in node.find_all(exp.Column)}
        place = key_of(node), (operand.arg_key, len(columns), *map(type, node.iter_expressions()))
        for column in {} if place in shown else {found.name for found in operand.find_all(exp.Column)}:
            if not is_null_without(node, partial(_is, column)):
                continue
            own = f"SELECT {dialect.render(node)} FROM {_one_row(column)}"
            with suppress(psycopg.errors.UndefinedFunction, psycopg.errors.AmbiguousFunction):
                assert connection.execute(own.encode()).fetchone() == (None,), own
                sql = f"WHERE t0.{column} IS NULL AND ({compile_term(node, relation).sql}) IS NOT NULL"
                assert connection.execute(f"SELECT FROM {relation.sql} {sql}".encode()).fetchall() == [], sql
                shown.add(place)
    strict = {key for key in TABLE if isinstance(row := TABLE[key], Operation) and row.strict}
    assert strict - {key for key, _ in shown} == set()


def _is(name: str, column: exp.Column) -> bool:
    return column.name == name


def _one_row(null: str) -> str:
    values = [
        f"{'NULL' if name == null else repr(ORDINARY.get(type_, '1'))}::{type_} AS {name}"
        for name, (type_, _) in EXTREMES.items()
    ]
    return f"(SELECT {', '.join(values)}) AS extremes"


def test_every_pattern_and_time_zone_is_tried(
    extremes: Extremes, examples: list[exp.Expr], monkeypatch: pytest.MonkeyPatch
) -> None:
    met: list[exp.Expr] = []
    for module, name in ((patterns, "_check_duration"), (datetimes, "known_zone")):
        monkeypatch.setattr(module, name, partial(_noted, met, getattr(module, name)))
    for example in examples:
        compile_term(example, extremes[1])
    assert {key_of(node) for node in met if trial_of(node) is None} == set()
    assert {key for key, row in TABLE.items() if isinstance(row, Operation) and row.tried} == set(map(key_of, met))


def _noted(met: list[exp.Expr], check: Callable[..., object], node: exp.Expr, what: object, *more: object) -> object:
    met.append(node)
    return check(node, what, *more)
