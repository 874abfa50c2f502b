"""What the expressions are about: one table with columns of every type, with ordinary rows and with extreme ones."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import psycopg
import pytest
from sqlglot import exp

from proxy.policy.catalog import Catalog, Column, Table
from proxy.policy.model import Policy
from proxy.sql import dialect
from proxy.sql.rows.compiler import RowCompiler
from proxy.sql.rows.relation import Relation
from proxy.sql.schema import Schema
from tests.conftest import PostgresCluster

NUMBERS: Final = ("small", "whole", "big", "exact", "free", "coarse", "double", "single")
DATES: Final = ("day", "moment", "instant")
BOUNDED_DATES: Final = ("born", "opened", "paid")
TEXTS: Final = ("words", "short", "padded")
PADDED: Final = ("narrow", "padded", "bare", "short", "open", "words", "label")
EXACT: Final = tuple(name for name in NUMBERS if name not in ("double", "single"))
CASTABLE: Final = (
    "smallint", "int", "bigint", "numeric", "numeric(6, 2)", "float8", "real", "boolean", "date", "timestamp",
    "timestamptz", "time", "uuid", "varchar(3)",
)  # fmt: skip
MATHEMATICS: Final = tuple(
    "sqrt cbrt ln log log10 exp degrees radians sin cos tan cot asin acos atan sind cosd tand cotd asind acosd atand sinh "
    "cosh tanh asinh acosh atanh |/ ||/".split()
)
SETS: Final[Mapping[str, Sequence[str]]] = {
    "numbers": NUMBERS, "exact numbers": EXACT, "dates": DATES, "bounded dates": BOUNDED_DATES, "texts": TEXTS, "padded texts": PADDED,
    "types of texts": CASTABLE, "mathematics": MATHEMATICS,
}  # fmt: skip
"""What a family can go over by one name."""


@dataclass(frozen=True)
class Stored:
    """A column of the table.

    Attributes:
        type: as CREATE TABLE has it.
        ordinary: SQL of its value in the i-th ordinary row.
        extremes: texts of the worst values that it can hold.
    """

    type: str
    ordinary: str
    extremes: tuple[str | None, ...]


_LONG: Final = "x" * 5000
_WORDS: Final = "(ARRAY['alpha beta', 'Beta,gamma', 'x1y22z333', '', 'naïve ß', 'a_b%c'])[1 + i % 6]"
_BLANKS: Final = "(ARRAY['a', 'a ', 'b', 'b  ', ''])[1 + i % 5]"
_SPANS: Final = (
    "0", "1 mon -1 day 02:03:04.5", "178000000 years", "-178000000 years", "2147483647 days",
    "2562047788:00:54.775807", "-2562047788:00:54.775807", "100000000 years -2147483648 days",
    "900 years 330000 days 7900000 hours", "-900 years -330000 days -7900000 hours", None,
)  # fmt: skip
_PAPERS: Final = (
    "{}", '{"a": {"b": [1, 2]}, "n": "12", "x": 1.5}', '{"a": "\\u0000"}', '{"a": "\\ud83d"}', '{"a": "\\u00e9"}',
    "[1, 2]", "null", '"text"', "1e5", None,
)  # fmt: skip
_RECORDS: Final = (
    "{}", '{"a": {"b": [1, "2"]}, "n": "12", "x": 1.5, "t": true}', '{"x": 1e100000, "n": "x", "t": "no"}', '["a", 5]',
    "null", '"text"', "7", "true", None,
)  # fmt: skip
_TYPED: Final = (
    "12", " -7 ", "9" * 18, "9" * 19, "1.5e99", "1e-99", "2024-02-29", "2023-02-29", "2024-01-01 10:00:00+02",
    "0000-01-01", "23:59:59.5", "yes", "OF", "NaN", "0x1f", "\u0663", "\u00a07", "9999-12-31 23:59:59.999999-14:59",
    "6f9619ff-8b86-d011-b42d-00cf4fc964ff", None,
)  # fmt: skip

COLUMNS: Final[Mapping[str, Stored]] = {
    "small": Stored("smallint", "i % 7 - 3", ("0", "1", "7", "-1", "32767", "-32768", None)),
    "whole": Stored("integer", "i * 37 % 101 - 50", ("0", "1", "-1", "42", "2147483647", "-2147483648", None)),
    "big": Stored("bigint", "i * 1000003", ("0", "-1", "9223372036854775807", "-9223372036854775808", None)),
    "exact": Stored(
        "numeric(10, 2)",
        "(i * 7919 % 10000) / 100.0 - 20",
        ("0", "0.01", "-99999999.99", "99999999.99", "NaN", None),
    ),
    "free": Stored(
        "numeric",
        "i / 7.0 - 2",
        ("0", "2.5", "-3", "1e-16000", "1e130000", "-1e130000", "NaN", "Infinity", "-Infinity", None),
    ),
    "coarse": Stored("numeric(5, -2)", "(i % 9 - 4) * 100", ("0", "100", "-9999900", "NaN", None)),
    "double": Stored(
        "double precision",
        "i / 3.0 - 5",
        ("0", "2.5", "-7", "1e-308", "1e308", "-1e308", "4.9e-324", "NaN", "Infinity", "-Infinity", None),
    ),
    "single": Stored("real", "i * 0.15", ("0", "2.5", "1e-37", "3e38", "NaN", "Infinity", "-Infinity", None)),
    "words": Stored("text", _WORDS, ("", "a", "it's", "\\", "%", "ß", _LONG, "42", "{}", None)),
    "short": Stored("varchar(5)", "(ARRAY['ab', 'x,y', 'a ', 'Zoë', 'a_b%c'])[1 + i % 5]", ("", "abcde", " ", None)),
    "padded": Stored("char(6)", "(ARRAY['ab', 'c', 'abcdef'])[1 + i % 3]", ("", "a", "abcdef", None)),
    "day": Stored(
        "date",
        "date '2023-12-20' + i",
        ("-infinity", "infinity", "4713-01-01 BC", "5874897-12-31", "2024-02-29", "0001-01-01", None),
    ),
    "moment": Stored(
        "timestamp",
        "timestamp '2024-02-20 13:45:10.25' + i * interval '7 hours 13 minutes'",
        ("-infinity", "infinity", "4713-01-01 BC", "294276-12-31 23:59:59", "2024-03-31 02:30", None),
    ),
    "instant": Stored(
        "timestamptz",
        "timestamptz '2024-03-20 10:00+00' + i * interval '11 hours'",
        ("-infinity", "infinity", "4713-01-02 BC", "294276-12-30", "2024-10-27 02:30+02", None),
    ),
    "instants": Stored(
        "timestamptz[]",
        "ARRAY[timestamptz '2024-03-20 10:00+00' + i * interval '11 hours', NULL]",
        ("{2024-01-01 00:00+00,infinity}", "{}", None),
    ),
    "truth": Stored("boolean", "i % 3 = 0", ("t", "f", None)),
    "tag": Stored(
        "uuid",
        "('00000000-0000-0000-0000-' || lpad(i::text, 12, '0'))::uuid",
        ("00000000-0000-0000-0000-000000000000", None),
    ),
    "clock": Stored("time", "time '00:30' + i * interval '29 minutes'", ("00:00", "24:00:00", "12:34:56.789", None)),
    "zoned_clock": Stored(
        "timetz",
        "timetz '00:30+05:30' + i * interval '29 minutes'",
        ("00:00+15:59:59", "24:00-15:59:59", "12:34:56.789+02", None),
    ),
    "span": Stored(
        "interval", "i % 5 * interval '1 month' - i * interval '1 day' + i * interval '1 hour 5 seconds'", _SPANS
    ),
    "paper": Stored(
        "json",
        """format('{"a": {"b": [%s, "two"]}, "name": "n%s", "n": "%s", "deep": {"x": {"y": "z"}}, "é": true}', i, i, i)::json""",
        _PAPERS,
    ),
    "record": Stored(
        "jsonb",
        """format('{"a": {"b": [%s, "two"]}, "name": "n%s", "n": %s.5, "t": %s, "list": [1, 2, %s]}', i, i, i,
        (i % 2 = 0)::text, i)::jsonb""",
        _RECORDS,
    ),
    "marks": Stored(
        "int[]", "ARRAY[i, i % 4, NULL]", ("{}", "{1,2,3}", "{NULL,2147483647}", "{{1,2},{3,4}}", "[5:6]={7,8}", None)
    ),
    "labels": Stored("text[]", "ARRAY['l' || i % 3, 'm']", ("{}", "{a,b}", '{"it\'s",NULL}', None)),
    "typed": Stored("text", "(ARRAY['12', ' -7 ', 'yes', '2024-02-29', '1.5e99', 'NaN', '23:59:59.5'])[1 + i % 7]", _TYPED),
    "numeral": Stored("text", "(ARRAY['12', ' -7 ', '3.50', '1e3', '+4'])[1 + i % 5]", _TYPED),
    "moment_text": Stored(
        "text", "(ARRAY['2024-02-29', '2023-11-05 10:20:30.5', '1999-12-31T23:59'])[1 + i % 3]", _TYPED
    ),
    "code": Stored("varchar(20)", "'code-' || i % 9", ("", "ß" * 20, " ", None)),
    "narrow": Stored("char(3)", _BLANKS, ("", "a  ", "abc", None)),
    "bare": Stored("bpchar", _BLANKS, ("", "a ", _LONG, None)),
    "open": Stored("varchar", _BLANKS, ("", "a ", _LONG, None)),
    "label": Stored("name", _BLANKS, ("", "x" * 63, None)),
    "age": Stored("integer", "i * 2", ("0", "100", "2147483647", "-2147483648", None)),
    "cost": Stored("numeric", "1 + i * 37.25", ("1", "10000", "0", "1e130000", "NaN", "-Infinity", None)),
    "price": Stored("numeric(8, 2)", "i * 1.25", ("0", "500", "0.01", "-999999.99", "NaN", None)),
    "address": Stored("inet", "inet '10.0.0.0' + i", ("::/0", "255.255.255.255", None)),
    "place": Stored("point", "point(i, 0)", ("(1e300,NaN)", "(-Infinity,0)", None)),
    "born": Stored(
        "date",
        "greatest(date '2020-12-31' - (i - 1) * 853, date '1930-01-01')",
        ("-infinity", "infinity", "4713-01-01 BC", "5874897-12-31", "9999-12-31", "0001-01-01", "1930-01-01", None),
    ),
    "opened": Stored(
        "timestamp",
        """least(timestamp '2024-01-01' + (i - 1) * interval '9 days 9 hours 13 minutes',
        timestamp '2024-12-31 23:59:59.999999')""",
        ("-infinity", "infinity", "4713-01-01 BC", "294276-12-31 23:59:59", "9999-12-31", "0001-01-01", "2024-12-31", None),
    ),
    "paid": Stored(
        "timestamptz",
        """greatest(timestamptz '2024-11-30 23:59:59.999999+01' - (i - 1) * interval '7 days 1 hour 1 minute',
        timestamptz '2024-03-01 00:00+01')""",
        ("-infinity", "infinity", "4713-01-02 BC", "294276-12-30", "9999-12-31 00:00+01", "2024-12-01 00:00+01", None),
    ),
    "took": Stored("interval", "i * interval '12 minutes 0.5 seconds'", ("0", "8 hours", "-1 mon", "178000000 years", None)),
    "stay": Stored(
        "interval", "(i % 4) * interval '3 months' + i * interval '2 days 1 hour' - interval '1 day'", ("400 days", *_SPANS)
    ),
}  # fmt: skip

BOUNDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "age": {"bounds": [0, 100]},
    "cost": {"bounds": [1, 10_000]},
    "price": {"bounds": [0, 500], "step": "0.01"},
    "born": {"bounds": [dt.date(1930, 1, 1), dt.date(2020, 12, 31)]},
    "opened": {"bounds": [dt.date(2024, 1, 1), dt.date(2024, 12, 31)]},
    "paid": {"bounds": [dt.date(2024, 3, 1), dt.date(2024, 11, 30)]},
    "took": {"bounds": ["0 minutes", "8 hours 30 minutes"]},
    "stay": {"bounds": ["-2 days", "400 days"]},
}
"""What the policy says of columns; each ordinary row keeps to it."""

WIDE: Final[Mapping[str, Mapping[str, Any]]] = {
    **{name: {"bounds": [-1000, 1000]} for name in NUMBERS},
    **{name: BOUNDS[name] for name in BOUNDED_DATES},
}
"""A policy that bounds every number, so that all can be summed; no extreme row keeps to it."""

TOWNS: Final = {"name": "text", "size": "integer"}
"""The columns of a public table."""

ORDINARY, EXTREME = "public.items", "public.extremes"
"""The tables of the ordinary rows, and of the extreme ones."""

_OIDS: Final = {
    "smallint": 21, "integer": 23, "bigint": 20, "numeric": 1700, "double precision": 701, "real": 700, "text": 25,
    "character varying": 1043, "bpchar": 1042, "name": 19, "date": 1082, "timestamp without time zone": 1114,
    "timestamp with time zone": 1184, "timestamp with time zone[]": 1185, "boolean": 16, "uuid": 2950,
    "time without time zone": 1083, "time with time zone": 1266, "interval": 1186, "json": 114, "jsonb": 3802, "integer[]": 1007, "text[]": 1009,
    "inet": 869, "point": 600,
}  # fmt: skip
_NAMES: Final = {
    "varchar": "character varying", "char": "bpchar", "timestamp": "timestamp without time zone",
    "timestamptz": "timestamp with time zone", "timestamptz[]": "timestamp with time zone[]", "int[]": "integer[]",
    "time": "time without time zone", "timetz": "time with time zone",
}  # fmt: skip
_TYPE: Final = re.compile(r"(?P<name>[a-z ]+(?:\[\])?)(?:\((?P<size>\d+)(?:, (?P<scale>-?\d+))?\))?")


def _column(name: str, type_: str) -> Column:
    match = _TYPE.fullmatch(type_)
    assert match is not None
    type_name = _NAMES.get(match["name"], match["name"])
    size, scale, modifier = match["size"], match["scale"], -1
    if size is not None:
        modifier = 4 + (int(size) if scale is None else int(size) << 16 | int(scale) & 0x7FF)
    found = Column(name, type_name, _OIDS[type_name], modifier, True, None if scale is None else int(scale))
    return replace(found, own_collation=type_name == "name")


def catalog() -> Catalog:
    """What a source's catalog says of both tables, without a source."""
    columns = {"unit": Column("unit", "integer", 23, nullable=False)}
    columns |= {name: _column(name, stored.type) for name, stored in COLUMNS.items()}
    private = {table: Table(table, columns) for table in (ORDINARY, EXTREME)}
    names = {name: _column(name, type_) for name, type_ in TOWNS.items()}
    return Catalog(private | {"public.towns": Table("public.towns", names, row_count=5)})


def policy(limits: Mapping[str, Mapping[str, Any]] = BOUNDS, **more: Any) -> Policy:
    """The policy of both tables, whose columns have these limits."""
    table = {
        "unit": {"name": "person", "column": "unit"},
        "budget": {"epsilon": "1"},
        "columns": {"unit": {}} | {name: dict(limits.get(name, {})) for name in COLUMNS},
    }
    tables = {ORDINARY: table | more, EXTREME: table | more, "public.towns": {"public": True}}
    return Policy.model_validate({"version": 1, "units": {"person": {}}, "tables": tables})


def relation(table: str = ORDINARY, limits: Mapping[str, Mapping[str, Any]] = BOUNDS) -> Relation:
    """One of the tables in FROM."""
    select = dialect.parse(f"SELECT 1 FROM {table.removeprefix('public.')}")
    assert isinstance(select, exp.Select)
    return RowCompiler(Schema(policy(limits), catalog()), ("public",), lambda _: 1).relation(select)


def create(connection: psycopg.Connection) -> None:
    """Make both tables in an empty database: forty ordinary rows and one of NULLs, and every pair of extremes."""
    columns = ", ".join(f"{name} {stored.type}" for name, stored in COLUMNS.items())
    for table in (ORDINARY, EXTREME):
        connection.execute(f"CREATE TABLE {table} (unit int NOT NULL, {columns})".encode())
    values = ", ".join(stored.ordinary for stored in COLUMNS.values())
    connection.execute(f"INSERT INTO {ORDINARY} SELECT i, {values} FROM generate_series(1, 40) AS i".encode())
    connection.execute(f"INSERT INTO {ORDINARY} (unit) VALUES (41)".encode())
    towns = ", ".join(f"{name} {type_}" for name, type_ in TOWNS.items())
    connection.execute(f"CREATE TABLE public.towns ({towns})".encode())
    marks = ", ".join(["%s"] * (len(COLUMNS) + 1))
    connection.cursor().executemany(f"INSERT INTO {EXTREME} VALUES ({marks})".encode(), list(_extreme_rows()))


def _extreme_rows() -> Iterator[list[object]]:
    longest = max(len(stored.extremes) for stored in COLUMNS.values())
    for shift in range(longest):
        for row in range(longest):
            cells = (
                stored.extremes[(row + shift * position) % len(stored.extremes)]
                for position, stored in enumerate(COLUMNS.values())
            )
            yield [row, *cells]


@pytest.fixture(scope="module")
def source(postgres_cluster: PostgresCluster) -> Iterator[psycopg.Connection]:
    """A database with both tables, seen as a source query sees it."""
    with psycopg.connect(postgres_cluster.create_database("expressions"), autocommit=True) as connection:
        create(connection)
        connection.execute("SET search_path = pg_catalog; SET TimeZone = 'Europe/Paris'; SET jit = off")
        yield connection
