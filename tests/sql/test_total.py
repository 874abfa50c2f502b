"""No expression that the compiler accepts can fail, whatever the columns hold (decision 4, attacks 5-7)."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from sqlglot import exp

from proxy.errors import DpproxyError, UnsupportedError
from proxy.policy import model
from proxy.policy.catalog import Catalog
from proxy.postgres.catalog_reader import read_catalog
from proxy.sql import dialect
from proxy.sql.planning.aggregates.compiling import compile_aggregates
from proxy.sql.planning.cells import cell_sql, clamped_sql
from proxy.sql.planning.statistic import GridSum
from proxy.sql.rows.canonical import canonical
from proxy.sql.rows.compiler import RowCompiler
from proxy.sql.rows.relation import Relation
from proxy.sql.schema import Schema
from proxy.sql.terms.expressions import compile_term
from tests.conftest import PostgresCluster

pytestmark = pytest.mark.postgres

EXTREMES = {
    "small": ("smallint", ["0", "1", "7", "-1", "32767", "-32768", None]),
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
    "instants": ("timestamptz[]", ["{2024-01-01 00:00+00,infinity}", "{}", None]),
    "truth": ("boolean", ["t", "f", None]),
    "tag": ("uuid", ["00000000-0000-0000-0000-000000000000", None]),
    "clock": ("time", ["00:00", "24:00:00", "12:34:56.789", None]),
    "span": (
        "interval",
        [
            "0",
            "1 mon -1 day 02:03:04.5",
            "178000000 years",
            "-178000000 years",
            "2147483647 days",
            "2562047788:00:54.775807",
            "-2562047788:00:54.775807",
            "100000000 years -2147483648 days",
            None,
        ],
    ),
    "paper": (
        "json",
        [
            "{}",
            '{"a": {"b": [1, 2]}, "n": "12", "x": 1.5}',
            '{"a": "\\u0000"}',
            '{"a": "\\ud83d"}',
            '{"a": "\\u00e9"}',
            "[1, 2]",
            "null",
            '"text"',
            "1e5",
            None,
        ],
    ),
    "record": (
        "jsonb",
        [
            "{}",
            '{"a": {"b": [1, "2"]}, "n": "12", "x": 1.5, "t": true}',
            '{"x": 1e100000, "n": "x", "t": "no"}',
            '["a", 5]',
            "null",
            '"text"',
            "7",
            "true",
            None,
        ],
    ),
    "marks": ("int[]", ["{}", "{1,2,3}", "{NULL,2147483647}", "{{1,2},{3,4}}", "[5:6]={7,8}", None]),
    "labels": ("text[]", ["{}", "{a,b}", '{"it\'s",NULL}', None]),
    "typed": (
        "text",
        [
            "12",
            " -7 ",
            "9" * 18,
            "9" * 19,
            "1.5e99",
            "1e-99",
            "2024-02-29",
            "2023-02-29",
            "2024-01-01 10:00:00+02",
            "0000-01-01",
            "23:59:59.5",
            "yes",
            "OF",
            "NaN",
            "0x1f",
            "\u0663",
            "\u00a07",
            "9999-12-31 23:59:59.999999-14:59",
            "6f9619ff-8b86-d011-b42d-00cf4fc964ff",
            None,
        ],
    ),
}

NUMBERS = ["small", "whole", "big", "exact", "free", "coarse", "double", "single"]
DATES = ["day", "moment", "instant"]
TEXTS = ["words", "short", "padded"]

EXACT = [name for name in NUMBERS if name not in ("double", "single")]
CASTABLE = ["smallint", "int", "bigint", "numeric", "numeric(6, 2)", "float8", "real", "boolean", "date", "timestamp", "timestamptz", "time", "uuid", "varchar(3)"]  # fmt: skip
MATHEMATICS = "sqrt cbrt ln log log10 exp degrees radians sin cos tan cot asin acos atan sind cosd tand cotd asind acosd atand sinh cosh tanh asinh acosh atanh |/ ||/".split()

NULL_FOR_MOST = [
    *(f"({text})::{target}" for text in ("words", "padded", "record ->> 'n'", "record ->> 'x'", "record ->> 't'") for target in CASTABLE),
    *(f"(record -> '{key}')::{target}" for key in "nxt" for target in ("int", "float8", "numeric(5, 1)", "boolean")),
    "paper ->> ''", "record ->> ''", "labels[7]", "marks[-3]", "log(small, coarse)",
]  # fmt: skip

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
    *(f"{function}({a})" for a in NUMBERS for function in MATHEMATICS),
    *(f"{function}({function}({a}) * 1000)" for a in NUMBERS for function in ("sqrt", "degrees", "tan", "cot")), *(f"exp(exp({a}) / 1000)" for a in NUMBERS),
    *(f"{function}({a}, {b})" for a in NUMBERS for b in NUMBERS for function in ("power", "atan2", "atan2d")),
    *(f"{a} ^ {power}" for a in NUMBERS for power in ("2", "3", "8", "9", "0", "-1", "0.5", "1e9", "2.0", "100.5")),
    *(f"{power} ^ {a}" for a in NUMBERS for power in ("0", "1", "2", "0.5", "-2", "1e-9")),
    *(f"power(power({a}, 2), {b})" for a in NUMBERS for b in ("small", "free", "double")),
    *(f"{function}({a}, {b})" for a in EXACT for b in EXACT for function in ("div", "log", "gcd", "lcm") if (a, b) != ("small", "coarse")),
    *(f"sqrt({a}) + ln({a}) + exp(-abs({a}))" for a in NUMBERS),
    *(f"round({a}, -3) + trunc({a}, 2)" for a in EXACT),
    *(f"width_bucket({a}, {limits})" for a in NUMBERS for limits in ("0, 10, 5", "10, -10.5, 3", "0, 1e9, 1000000", "ARRAY[1, 5, 10]", "ARRAY[0.5, 2]")),
    *(f"width_bucket({a}, '{{2000-01-01,2024-01-01}}'::{kind}[])" for a, kind in zip(DATES, ("date", "timestamp", "timestamptz"), strict=True)),
    *(f"{a} {operator} {quantifier} (ARRAY[1, 2.5])" for a in NUMBERS for operator in ("=", "<>", "<", ">=") for quantifier in ("ANY", "ALL", "SOME")),
    *(f"({a}, {b}) {operator} (1, 2)" for a in NUMBERS for b in NUMBERS for operator in ("=", "<>", "<")),
    *(f"({a}, words) IN ((1, 'a'), (2.5, 'b'))" for a in NUMBERS),
    *(f"least(greatest({a}, 0), 10) + abs({a})" for a in NUMBERS),
    *(f"CASE WHEN {a} < 0 THEN 0 WHEN {a} > 10 THEN 10 ELSE {a} END" for a in NUMBERS),
    *(f"concat({a}, '-', {b}) || {a} || concat_ws('+', {a}, {b}, NULL)" for a in ["whole", "free", "double", "truth", "padded", "day", "span"] for b in ["words", "instant"]),
    *(f"{form}" for a in TEXTS for form in (
        f"replace({a}, 'x', 'yy')", f"replace({a}, '', 'yy')", f"split_part({a}, ',', 3)", f"split_part({a}, '', 1)", f"translate({a}, 'ab', 'c')",
        f"lpad({a}, 9, 'xy')", f"rpad({a}, 0)", f"lpad({a}, 10000, '')", f"repeat({a}, 100)", f"md5({a})", f"strpos({a}, '')", f"starts_with({a}, 'a')",
        f"{a} ^@ 'a'", f"overlay({a} placing 'zz' from 2 for 5)", f"overlay({a} placing '' from 9000)", f"left({a}, -2) || right({a}, -2)", f"substring({a}, -5, 7)", f"substring({a} from -5)",
        f"octet_length({a})", f"trim(leading from {a}) || ltrim({a}, 'ax')", f"substring({a} from '[a-z]+')", f"substring({a} from '(.)(.)')",
        f"regexp_replace({a}, '(x+)', '<\\1>', 'g')", f"regexp_replace({a}, '.', '\\&\\&\\&', 'g')", f"(regexp_match({a}, '(a)(b)?'))[1]", f"regexp_count({a}, 'x')",
        f"regexp_like({a}, 'A', 'i')", f"regexp_substr({a}, '[0-9a]{{1,3}}')", f"(string_to_array({a}, ''))[1]", f"(regexp_split_to_array({a}, 'x*'))[1]",
        f"{a} SIMILAR TO '(a|b)%'", f"{a} SIMILAR TO 'a#%' ESCAPE '#'", f"{a} NOT SIMILAR TO '\\%'", f"{a} LIKE 'a#%' ESCAPE '#'", f"{a} ILIKE 'a\\' ESCAPE ''",
        f"{a} LIKE ANY (ARRAY['a%', '%x'])", f"{a} NOT ILIKE ALL ('{{A%,b}}')", f"{a} ~ '(?:a|b)[0-9]{{2}}'", f"{a} !~ 'a' OR {a} !~~ 'b'", f"pg_catalog.upper({a})",
    )),
    *(f"typed::{target}" for target in CASTABLE),
    *(f"{a} AT TIME ZONE '{zone}'" for a in DATES for zone in ("UTC", "Europe/Paris", "America/St_Johns", "X+167")),
    *(f"timezone('Asia/Tokyo', {a}) - {a}::timestamp" for a in ("instant",)),
    *(f"date_bin('{stride}', {a}, '2001-01-01')" for a in ("moment", "instant") for stride in ("15 minutes", "1 day 1 hour", "0.5 seconds", "2700 weeks")),
    *(f"extract({field} FROM {a})" for a in [*DATES, "clock", "span"] for field in ("hour", "minute", "second", "milliseconds", "microseconds", "epoch", "millennium", "timezone", "timezone_hour", "day", "months", "year")),
    *(f"date_part('{field}', {a})" for a in [*DATES, "clock", "span"] for field in ("second", "epoch", "month")),
    *(f"{a} {operator} span" for a in DATES for operator in "+-"),
    *(f"{a} + {b} * interval '{length}'" for a in DATES for b in NUMBERS for length in ("1 day", "1 month", "0.000001 seconds", "2700 years")),
    *(f"{b} * span" for b in NUMBERS), *(f"span / {b}" for b in NUMBERS),
    *(f"day + {b}" for b in ("small", "whole", "big")), "day - whole * whole", "- span + span - (moment - moment)", "- (day - day)",
    *(f"{function}(span * 50 + span)" for function in ("justify_days", "justify_hours", "justify_interval", "isfinite")),
    *(f"{a} + justify_interval(span * 50)" for a in DATES), "span > interval '1 day'", "span = span", "span::text", "interval '1 day' - span", "clock > '10:00'", "clock = clock", "clock::interval + span", "clock + span", "clock - span * 50", "clock - clock", "instant - moment", "day - moment",
    *(f"date_trunc('{field}', span)" for field in ("second", "day", "year")), "date_trunc('day', instant, 'Asia/Tokyo')", "to_timestamp(double)", "to_timestamp(free)", "to_timestamp(big)",
    *(f"isfinite({a})" for a in DATES), "(moment, moment) OVERLAPS (timestamp '2024-01-01', interval '1 day')", "(day, span) OVERLAPS (day, day)", "(instant, span) OVERLAPS (instant, instant)",
    *(f"{a}::time" for a in ("moment", "instant", "clock")), *(f"{a}::{target}(2)" for a in ("moment", "instant") for target in ("timestamp", "time")), "words::char(3)", "whole::char(2)",
    *(f"{document} {operator}" for document in ("paper", "record") for operator in ("-> 'a'", "->> 'a'", "-> 0", "->> -1", "-> 'a' -> 'b' ->> 1", "#> '{a,b}'", "#>> '{a,b,0}'")),
    "(record ->> 'n')::int", "(record ->> 't')::boolean", "(record -> 'x')::numeric(5, 1)", "(record -> 'x')::float8", "(record -> 't')::boolean", "(record -> 'a')::text",
    "concat(record, '-', paper)", "json_typeof(paper)", "jsonb_typeof(record)", "jsonb_array_length(record -> 'a' -> 'b')", "json_array_length(paper)", "jsonb_extract_path_text(record, 'a', 'b')", "json_extract_path(paper, 'a')",
    "record ? 'a'", "record ?| ARRAY['a', 'z']", "record ?& '{a}'", "record @> '{\"t\": true}'", "'[5]' <@ record", "record['a']['b'][0]", "record = record", "paper::text", "(paper ->> 'n')::int",
    "marks[1] + 1", "marks[1]", "marks @> ARRAY[1]", "marks && '{1,9}'::int[]", "ARRAY[1, 2] @> marks", "array_length(marks, 1)", "cardinality(marks)", "3 = ANY (marks)", "whole < ALL (marks)", "'a' = ANY (labels)", "words = ANY (labels)",
    "labels[1] || 'x'", "labels @> ARRAY['a']", "labels && ARRAY['a', NULL]",
    *(f"{form}" for a in NUMBERS for form in (f"+{a}", f"ceiling({a})", f"pow({a}, 3)", f"{a} <= 3 OR {a} >= 7")),
    *(f"char_length({a}) + character_length({a})" for a in TEXTS), "words = E'a\\n' OR words = $$a$$",
    *(f"regexp_instr({a}, 'x+|a') + regexp_instr({a}, '$', 3)" for a in TEXTS), "jsonb_extract_path(record, 'a')", "json_extract_path_text(paper, 'a')",
]  # fmt: skip


MAY_REFUSE = {
    "date-arithmetic",
    "comparison",
    "constant-argument",
    "mixed-types",
    "cast",
    "function",
    "datetime-type",
    "row-size",
}
"""Rules for operands of types that a form is not made for; Postgres itself has no such operator for most."""


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
    bounded = {name: model.ColumnPolicy(bounds=(-1000, 1000)) for name in NUMBERS}  # type: ignore[arg-type]
    table = model.TablePolicy(
        unit=model.UnitReference(name="person", column="unit"),
        budget=model.Budget(epsilon=1),  # type: ignore[arg-type]
        columns={name: bounded.get(name, model.ColumnPolicy()) for name in [*EXTREMES, "unit"]},
    )
    schema = Schema(model.Policy(version=1, units={"person": model.Unit()}, tables={"public.extremes": table}), catalog)
    select = dialect.parse("SELECT 1 FROM extremes")
    assert isinstance(select, exp.Select)
    return RowCompiler(schema, ("public",), lambda _: 1).relation(select)


def expression(text: str) -> exp.Expr:
    select = dialect.parse(f"SELECT {text} FROM extremes")
    assert isinstance(select, exp.Select)
    expression = select.expressions[0]
    assert isinstance(expression, exp.Expr)
    return expression


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expression_never_fails(text: str, extremes: tuple[psycopg.Connection, Relation]) -> None:
    connection, relation = extremes
    refused_by = None
    try:
        term = compile_term(expression(text), relation)
    except DpproxyError as refusal:
        refused_by = refusal.rule
    if refused_by is not None:
        assert refused_by in MAY_REFUSE
        return
    rows = connection.execute(f"SELECT ({term.sql})::text FROM {relation.sql}".encode()).fetchall()
    assert any(value is not None for (value,) in rows), "an expression that is NULL everywhere proves nothing"


@pytest.mark.parametrize("array", ["ARRAY[date '5874897-12-31']", "ARRAY[timestamp '2024-01-01']"])
def test_arrays_of_moments_are_not_compared_with_dates_that_each_row_would_cast(
    array: str, extremes: tuple[psycopg.Connection, Relation]
) -> None:
    connection, relation = extremes
    with pytest.raises(UnsupportedError) as refusal:
        compile_term(expression(f"instants @> {array}"), relation)
    assert refusal.value.rule == "mixed-types"
    term = compile_term(expression("instants @> ARRAY[timestamptz '2024-01-01 00:00+00']"), relation)
    assert (True,) in connection.execute(f"SELECT {term.sql} FROM {relation.sql}".encode()).fetchall()


@pytest.mark.parametrize("text", NULL_FOR_MOST)
def test_expression_without_a_value_is_null(text: str, extremes: tuple[psycopg.Connection, Relation]) -> None:
    connection, relation = extremes
    term = compile_term(expression(text), relation)
    assert connection.execute(f"SELECT ({term.sql})::text FROM {relation.sql}".encode()).fetchall()


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
    call = expression(f"avg({text})")
    compiled = compile_aggregates([call], [canonical(call, relation)], relation, [])
    (total,) = [statistic for statistic in compiled.statistics if isinstance(statistic, GridSum)]
    assert total.value is not None
    assert total.grid is not None
    cells = connection.execute(f"SELECT {cell_sql(total.value, total.grid)} FROM {relation.sql}".encode()).fetchall()
    present = [cell for (cell,) in cells if cell is not None]
    assert present
    assert all(total.grid.low <= cell <= total.grid.high for cell in present)
    assert all(abs(cell - total.grid.centre) <= total.grid.reach for cell in present)
    if total.grid.exact:
        connection.execute(f"SELECT sum({clamped_sql(total.value, total.grid)}) FROM {relation.sql}".encode())
