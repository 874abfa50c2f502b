"""No expression that the compiler accepts can fail, whatever the columns hold (DESIGN section 4, ATTACKS 5-7)."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.policy import model
from proxy.policy.catalog import Catalog
from proxy.postgres.catalog import read_catalog
from proxy.sql import dialect
from proxy.sql.aggregates import compile_aggregates
from proxy.sql.canonical import canonical
from proxy.sql.cells import cell_sql, clamped_sql
from proxy.sql.expressions import compile_term
from proxy.sql.relation import Relation
from proxy.sql.rows import RowCompiler
from proxy.sql.schema import Schema
from tests.conftest import PostgresCluster

EXTREMES = {
    "small": ("smallint", ["0", "1", "-1", "32767", "-32768", None]),
    "whole": ("integer", ["0", "1", "-1", "42", "2147483647", "-2147483648", None]),
    "big": ("bigint", ["0", "-1", "9223372036854775807", "-9223372036854775808", None]),
    "exact": ("numeric(10, 2)", ["0", "0.01", "-99999999.99", "99999999.99", "NaN", None]),
    "free": ("numeric", ["0", "2.5", "-3", "1e-16000", "1e130000", "-1e130000", "NaN", "Infinity", "-Infinity", None]),
    "coarse": ("numeric(5, -2)", ["0", "100", "-9999900", "NaN", None]),
    "double": (
        "double precision",
        ["0", "2.5", "-7", "1e-308", "1e308", "-1e308", "4.9e-324", "NaN", "Infinity", "-Infinity", None],
    ),
    "single": ("real", ["0", "2.5", "1e-37", "3e38", "NaN", "Infinity", "-Infinity", None]),
    "words": ("text", ["", "a", "it's", "\\", "%", "ß", "x" * 5000, "42", "{}", None]),
    "short": ("varchar(5)", ["", "abcde", " ", None]),
    "padded": ("char(4)", ["", "a", "abcd", None]),
    "day": ("date", ["-infinity", "infinity", "4713-01-01 BC", "5874897-12-31", "2024-02-29", "0001-01-01", None]),
    "moment": (
        "timestamp",
        ["-infinity", "infinity", "4713-01-01 BC", "294276-12-31 23:59:59", "2024-03-31 02:30", None],
    ),
    "instant": ("timestamptz", ["-infinity", "infinity", "4713-01-02 BC", "294276-12-30", "2024-10-27 02:30+02", None]),
    "truth": ("boolean", ["t", "f", None]),
    "tag": ("uuid", ["00000000-0000-0000-0000-000000000000", None]),
}

NUMBERS = ["small", "whole", "big", "exact", "free", "coarse", "double", "single"]
DATES = ["day", "moment", "instant"]
TEXTS = ["words", "short", "padded"]

EXPRESSIONS = [
    *(f"{a} {operator} {b}" for a in NUMBERS for b in NUMBERS for operator in "+-*/"),
    *(f"{a} % {b}" for a in NUMBERS for b in NUMBERS if a not in ("double", "single") and b not in ("double", "single")),
    *(f"{a} {operator} {b}" for a in NUMBERS for b in NUMBERS for operator in ("=", "<", "IS DISTINCT FROM")),
    *(f"({a} * {b}) * ({a} * {b}) / {a}" for a in NUMBERS for b in NUMBERS),
    *(f"{a} - 42 = 0 OR 1 / ({a} - 42) > 0" for a in NUMBERS),
    *(f"-{a}" for a in NUMBERS),
    *(f"{function}({a})" for a in NUMBERS for function in ("abs", "round", "trunc", "ceil", "floor", "sign")),
    *(f"round({a}, 3)" for a in NUMBERS if a not in ("double", "single")),
    *(f"mod({a}, 7)" for a in NUMBERS if a not in ("double", "single")),
    *(f"{function}({a}, {b}, 1)" for a in NUMBERS for b in NUMBERS for function in ("coalesce", "greatest", "least")),
    *(f"nullif({a}, {b})" for a in NUMBERS for b in NUMBERS if a != b),
    *(f"CASE WHEN truth THEN {a} WHEN {b} > 1 THEN {b} END" for a in NUMBERS for b in NUMBERS),
    *(f"{a}::{target}" for a in NUMBERS for target in ("smallint", "int", "bigint", "numeric", "numeric(7, 3)", "numeric(3)", "real", "float8", "text")),
    *(f"{a} IN ({b}, 1, 2.5)" for a in NUMBERS for b in NUMBERS),
    *(f"{a} BETWEEN {b} AND 1e3" for a in NUMBERS for b in NUMBERS),
    *(f"{a} BETWEEN SYMMETRIC 5 AND {b}" for a in NUMBERS for b in NUMBERS),
    *(f"{function}({a})" for a in TEXTS for function in ("lower", "upper", "initcap", "reverse", "length", "btrim", "ltrim", "rtrim", "trim")),
    *(f"{a} || {b} || 'x'" for a in TEXTS for b in TEXTS),
    *(f"{a} {operator} {b}" for a in TEXTS for b in TEXTS for operator in ("=", "<", "IS NOT DISTINCT FROM")),
    *(f"{a} {pattern}" for a in TEXTS for pattern in ("LIKE 'a%\\%'", "ILIKE '%_'", "~ '^[a-z]+$'", "~* 'x|y'", "NOT LIKE ''")),
    *(f"left({a}, 3) || right({a}, 2) || substr({a}, 2) || substring({a} FROM 2 FOR 0)" for a in TEXTS),
    *(f"position('a' IN {a}) + length({a})" for a in TEXTS),
    *(f"trim(both 'x' FROM {a})" for a in TEXTS),
    *(f"{a}::varchar(2)" for a in TEXTS),
    *(f"date_trunc('{field}', {a})" for a in DATES for field in ("second", "day", "week", "month", "quarter", "year", "decade", "century")),
    *(f"extract({field} FROM {a})" for a in DATES for field in ("year", "month", "day", "dow", "isodow", "doy", "week", "isoyear", "quarter", "decade", "century", "epoch")),
    *(f"date_part('year', {a})" for a in DATES),
    *(f"{a} {operator} {b}" for a in DATES for b in DATES for operator in ("=", "<", "<>")),
    *(f"{a} - {a}" for a in DATES),
    *(f"{a} {operator} interval '2000 years'" for a in DATES for operator in "+-"),
    *(f"day {operator} 700000" for operator in "+-"),
    *(f"to_char({a}, 'YYYY-MM-DD HH24:MI:SS Q Day')" for a in DATES),
    *(f"{a}::{target}" for a in DATES for target in ("date", "timestamp", "timestamptz", "text")),
    *(f"age({a}, {b})" for a in ("moment", "instant") for b in ("moment", "instant") if a == b),
    "truth::int", "truth AND NOT truth OR truth IS NOT TRUE", "tag = tag", "tag::text",
]  # fmt: skip


@pytest.fixture(scope="module")
def extremes(postgres_cluster: PostgresCluster) -> Iterator[tuple[psycopg.Connection, Relation]]:
    """A table with every extreme value of every type in every combination of two columns, and its relation."""
    dsn = postgres_cluster.create_database("extremes")
    with psycopg.connect(dsn, autocommit=True) as connection:
        columns = ", ".join(f"{name} {type_name}" for name, (type_name, _) in EXTREMES.items())
        connection.execute(f"CREATE TABLE extremes (unit int NOT NULL, {columns})".encode())
        longest = max(len(values) for _, values in EXTREMES.values())
        names = list(EXTREMES)
        for shift in range(longest):
            for row in range(longest):
                cells = [
                    EXTREMES[name][1][(row + shift * position) % len(EXTREMES[name][1])]
                    for position, name in enumerate(names)
                ]
                marks = ", ".join(["%s"] * (len(cells) + 1))
                connection.execute(f"INSERT INTO extremes VALUES ({marks})".encode(), [row, *cells])
        connection.execute("SET search_path = pg_catalog; SET TimeZone = 'Europe/Paris'; SET jit = off")
        yield connection, _relation(read_catalog(dsn, ["public.extremes"]))


def _relation(catalog: Catalog) -> Relation:
    bounded = {name: model.Column(bounds=(-1000, 1000)) for name in NUMBERS}  # type: ignore[arg-type]
    table = model.Table(
        unit=model.UnitReference(name="person", column="unit"),
        budget=model.Budget(epsilon=1),  # type: ignore[arg-type]
        columns={name: bounded.get(name, model.Column()) for name in [*EXTREMES, "unit"]},
    )
    schema = Schema(model.Policy(version=1, units={"person": model.Unit()}, tables={"public.extremes": table}), catalog)
    (select,) = dialect.parse("SELECT 1 FROM extremes")
    assert isinstance(select, exp.Select)
    return RowCompiler(schema, ("public",), lambda _: 1).relation(select)


def _expression(text: str) -> exp.Expr:
    (select,) = dialect.parse(f"SELECT {text} FROM extremes")
    assert isinstance(select, exp.Select)
    expression = select.expressions[0]
    assert isinstance(expression, exp.Expr)
    return expression


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expression_never_fails(text: str, extremes: tuple[psycopg.Connection, Relation]) -> None:
    connection, relation = extremes
    refused_by = None
    try:
        term = compile_term(_expression(text), relation)
    except DpproxyError as refusal:
        refused_by = refusal.rule
    if refused_by is not None:
        assert refused_by in {"date-arithmetic", "comparison", "constant-argument", "mixed-types", "cast"}
        return
    rows = connection.execute(f"SELECT ({term.sql})::text FROM {relation.sql}".encode()).fetchall()
    assert any(value is not None for (value,) in rows), "an expression that is NULL everywhere proves nothing"


@pytest.mark.parametrize(
    "text",
    [
        *NUMBERS,
        *(f"{a} * {b}" for a in NUMBERS for b in NUMBERS),
        *(f"{a} + 0.5" for a in NUMBERS),
        *(f"{a} / 3" for a in NUMBERS),
        *(f"CASE WHEN truth THEN {a} ELSE 7 END" for a in NUMBERS),
    ],
)
def test_clamped_value_stays_inside_its_grid(text: str, extremes: tuple[psycopg.Connection, Relation]) -> None:
    connection, relation = extremes
    call = _expression(f"avg({text})")
    _, statistics = compile_aggregates([call], [canonical(call, relation)], relation)
    (total,) = [statistic for statistic in statistics if statistic.kind == "sum"]
    assert total.value is not None
    assert total.grid is not None
    cells = connection.execute(f"SELECT {cell_sql(total.value, total.grid)} FROM {relation.sql}".encode()).fetchall()
    present = [cell for (cell,) in cells if cell is not None]
    assert present
    assert all(total.grid.low <= cell <= total.grid.high for cell in present)
    assert all(abs(cell - total.grid.centre) <= total.grid.reach for cell in present)
    if total.grid.exact:
        connection.execute(f"SELECT sum({clamped_sql(total.value, total.grid)}) FROM {relation.sql}".encode())
