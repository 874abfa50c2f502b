"""What the rows of functions and operators say is what Postgres does, and each row has an example that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

import psycopg
import pytest
from sqlglot import exp

from proxy.errors import UnsupportedError
from proxy.sql import dialect
from proxy.sql.postgres_aggregates import AGGREGATES
from proxy.sql.rows.relation import Relation
from proxy.sql.terms import costs, datetimes, patterns
from proxy.sql.terms.arithmetic import Compile
from proxy.sql.terms.expressions import compile_term
from proxy.sql.terms.operation import Operation, StageFunction
from proxy.sql.terms.operations import TABLE, Key, joined, key_of, trial_of
from proxy.sql.terms.term import Term
from proxy.sql.trees.constants import foldable, probes
from proxy.sql.trees.null_columns import is_null_without
from tests.expressions.cases import CASES, CONSTANTS, Case, name
from tests.expressions.compiling import read
from tests.expressions.table import COLUMNS, EXTREME, WIDE, relation, source

__all__ = ["source"]

OF_CONSTANTS = [case for case in CASES if case.theme == CONSTANTS]

ORDINARY = {
    "interval": "1 day", "time": "10:00", "timetz": "10:00+00", "json": "{}", "jsonb": "{}", "int[]": "{}", "text[]": "{}", "timestamptz[]": "{}",
    "date": "2024-01-01", "timestamp": "2024-01-01", "timestamptz": "2024-01-01", "boolean": "t",
    "uuid": "00000000-0000-0000-0000-000000000000", "inet": "10.0.0.1", "point": "(0,0)",
}  # fmt: skip
"""A value of each type that is not 1."""


@pytest.fixture(scope="module")
def extremes() -> Relation:
    return relation(EXTREME, WIDE)


@pytest.fixture(scope="module")
def examples(extremes: Relation) -> list[exp.Expr]:
    """The expressions of `tests/fixtures/expressions` that compile without a server, members of families among them."""
    # Compiling takes some trees apart.
    return [
        node
        for case in CASES
        for member in read(case.members)
        if isinstance(member.node, exp.Expr)
        for node in [member.node.copy()]
        if member.term(extremes) is not None
    ]


def keys(kind: type[Operation] | type[StageFunction]) -> set[Key]:
    return {key for key, row in TABLE.items() if isinstance(row, kind)}


def nodes(examples: list[exp.Expr]) -> Iterator[exp.Expr]:
    return (node for example in examples for node in example.walk())


@pytest.mark.texts
def test_every_function_and_operator_of_rows_has_an_expression(examples: list[exp.Expr]) -> None:
    missing = sorted(map(str, keys(Operation) - set(map(key_of, nodes(examples)))))
    assert not missing, f"no expression in tests/fixtures/expressions has {', '.join(missing)}"


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


def folded_in(case: Case) -> list[exp.Expr]:
    """The largest parts of an expression that the stage computes."""
    select = dialect.parse(f"SELECT {case.template} FROM items")
    assert isinstance(select, exp.Select)
    return foldable(select)


def test_every_function_of_the_stage_has_an_expression() -> None:
    met = {key_of(part) for case in OF_CONSTANTS for folded in folded_in(case) for part in folded.walk()}
    missing = sorted(map(str, keys(StageFunction) - met))
    assert not missing, f"no expression in constants.sql has {', '.join(missing)}"


ALONE = [
    case
    for case in OF_CONSTANTS
    if len(parts := folded_in(case)) == 1 and isinstance(TABLE[key_of(parts[0])], StageFunction)
]


@pytest.mark.parametrize("case", ALONE, ids=name)
def test_the_stage_alone_computes_its_functions(case: Case, source: psycopg.Connection, extremes: Relation) -> None:
    (folded,) = folded_in(case)
    (probe,) = probes([folded])
    value, type_ = source.execute(f"SELECT {probe}".encode()).fetchone() or (None, None)
    assert value
    assert type_
    with pytest.raises(UnsupportedError) as refusal:
        compile_term(folded, extremes)
    assert (refusal.value.rule, refusal.value.sqlstate) in {("function", "0A000"), ("not-allowed", "0A000")}


def test_the_stage_computes_every_function_of_constants_but_those_of_patterns_documents_and_arrays() -> None:
    rows = {key: row for key, row in TABLE.items() if isinstance(key, str) and isinstance(row, Operation)}
    others = {key for key, row in rows.items() if not row.folded and not key.startswith(("regexp_", "json"))}
    assert others == {"array_length", "cardinality", "string_to_array"}


def test_functions_are_what_postgres_says_of_them(source: psycopg.Connection) -> None:
    """They exist, return one value that only their arguments and the session decide, and are strict where it says so."""
    names = [key for key in TABLE if isinstance(key, str)]
    facts = """SELECT proname, bool_and(prokind = 'f' AND NOT proretset AND provolatile <> 'v'), bool_and(proisstrict)
        FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND proname = ANY (%s) GROUP BY proname"""
    known = {name: facts for name, *facts in source.execute(facts, [names])}
    words = {word for (word,) in source.execute("SELECT word FROM pg_get_keywords() WHERE catcode IN ('C', 'R')")}
    assert {name for name in names if name not in known} <= words
    assert {name for name, (plain, _) in known.items() if not plain} == set()
    strict = {name: row.strict for name, row in TABLE.items() if isinstance(row, Operation) and name in known}
    assert strict == {name: known[name][1] for name in strict}
    assert not AGGREGATES & set(names)


def test_what_is_strict_is_null_on_the_server_where_an_operand_is(
    source: psycopg.Connection, extremes: Relation, examples: list[exp.Expr]
) -> None:
    """As it is compiled, among all values of the other columns, and as Postgres understands what the client wrote."""
    shown: set[tuple[Key, object]] = set()
    for operand in nodes(examples):
        node = operand.parent or operand
        columns = {found.name for found in node.find_all(exp.Column)}
        place = key_of(node), (operand.arg_key, len(columns), *map(type, node.iter_expressions()))
        for column in {} if place in shown else {found.name for found in operand.find_all(exp.Column)}:
            if not is_null_without(node, partial(_is, column)):
                continue
            own = f"SELECT {dialect.render(node)} FROM {_one_row(column)}"
            with suppress(psycopg.errors.UndefinedFunction, psycopg.errors.AmbiguousFunction, psycopg.DataError):
                assert source.execute(own.encode()).fetchone() == (None,), own
                sql = f"WHERE t0.{column} IS NULL AND ({compile_term(node, extremes).sql}) IS NOT NULL"
                assert source.execute(f"SELECT FROM {extremes.sql} {sql}".encode()).fetchall() == [], sql
                shown.add(place)
    strict = {key for key in TABLE if isinstance(row := TABLE[key], Operation) and row.strict}
    assert strict - {key for key, _ in shown} == set()


def _is(column: str, node: exp.Column) -> bool:
    return node.name == column


def _one_row(null: str) -> str:
    values = [
        f"{'NULL' if name == null else repr(ORDINARY.get(stored.type, '1'))}::{stored.type} AS {name}"
        for name, stored in COLUMNS.items()
    ]
    unit = "NULL" if null == "unit" else "1"
    return f"(SELECT {unit}::integer AS unit, {', '.join(values)}) AS extremes"


@pytest.mark.texts
def test_every_pattern_and_time_zone_is_tried(
    extremes: Relation, examples: list[exp.Expr], monkeypatch: pytest.MonkeyPatch
) -> None:
    met: list[exp.Expr] = []
    for module, check in ((patterns, "_check_duration"), (datetimes, "known_zone")):
        monkeypatch.setattr(module, check, partial(_noted, met, getattr(module, check)))
    for example in examples:
        compile_term(example, extremes)
    assert {key_of(node) for node in met if trial_of(node) is None} == set()
    assert {key for key, row in TABLE.items() if isinstance(row, Operation) and row.tried} == set(map(key_of, met))


@pytest.mark.parametrize(
    "text",
    ["timezone('Nowhere', moment)", "moment AT TIME ZONE 'Nowhere'", "date_trunc('day', instant, 'Nowhere')"],
)
def test_what_is_tried_of_a_time_zone_is_the_zone_and_no_value_of_a_row(text: str) -> None:
    (case,) = read([text])
    assert isinstance(case.node, exp.Expr)
    trial = trial_of(case.node)
    assert trial is not None
    assert trial.find(exp.Column) is None
    assert "Nowhere" in dialect.render(trial)


def test_a_field_of_every_date_is_in_its_range(source: psycopg.Connection) -> None:
    days = "unnest('{0001-01-01, 0001-12-31, 0100-01-01, 2000-02-29, 2020-12-31, 9999-12-31 23:59:59.999999}'::timestamptz[])"
    for field, (low, high) in datetimes._FIELD_RANGES.items():
        found = source.execute(
            f"SELECT min(extract({field} FROM d)), max(extract({field} FROM d)) FROM {days} AS d".encode()
        )
        row = found.fetchone()
        assert row is not None
        assert low <= row[0] <= row[1] <= high, field


def _noted(met: list[exp.Expr], check: Callable[..., object], node: exp.Expr, what: object, *more: object) -> object:
    met.append(node)
    return check(node, what, *more)


@pytest.mark.parametrize(
    ("text", "argument"), [("whole::text", "format"), ("whole IN (SELECT size FROM towns)", "unnest")]
)
def test_an_argument_that_no_handler_knows_is_refused(text: str, argument: str, extremes: Relation) -> None:
    (member,) = read([text])
    assert isinstance(member.node, exp.Expr)
    node = member.node.unalias()
    node.set(argument, exp.Literal.string("x"))
    with pytest.raises(UnsupportedError) as refusal:
        compile_term(node, extremes)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("not-allowed", "0A000")
