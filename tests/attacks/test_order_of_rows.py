"""The order in which rows lie on disk is nobody's: what is measured of the same rows in another order is the same
(decision 3). Here for columns that a key or a comparison does not tell apart: NULLs and equal spellings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import psycopg
import pytest
from sqlglot import exp

from proxy.errors import UnsupportedError
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.settings import QuerySettings
from proxy.sql import dialect
from proxy.sql.rows.compiler import RowCompiler
from proxy.sql.rows.cuts import cut
from proxy.sql.rows.relation import Relation
from proxy.sql.rows.tie_breakers import tie_breakers
from proxy.sql.schema import Schema
from proxy.sql.terms.work import MOST_ROW_WORK
from tests.attacks.test_row_sensitivity import RowDatabase, planned_blocks
from tests.conftest import PostgresCluster

COLLATION = "CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)"
SCHEMA = "CREATE TABLE slips (unit integer, code integer UNIQUE, amount integer, nick text {collation}, region text)"
SLIPS = [(1, None, 7, "bob", "north"), (1, None, -3, "BOB", "north"), (1, None, 2, "Bob", "north")]
POLICY = Policy.model_validate(
    {
        "version": 1,
        "units": {"person": {}},
        "tables": {
            "public.slips": {
                "unit": {"name": "person", "column": "unit"},
                "budget": {"epsilon": "100", "delta": "1e-3"},
                "contribution": {"max_rows": 9, "max_rows_per_group": 9, "max_groups": 1},
                "columns": {"unit": {}, "code": {}, "amount": {"bounds": ["-3", "7"]}, "nick": {}, "region": {}},
            }
        },
    }
)

AMONG_NULLS = {
    "a place among rows whose unique column is NULL": "SELECT sum(amount) FROM (SELECT amount, row_number() OVER "
    "(PARTITION BY unit ORDER BY region) AS n FROM slips) x WHERE n = 1",
    "the same where an outer join finds nothing": "SELECT sum(amount) FROM (SELECT s.amount, row_number() OVER "
    "(PARTITION BY s.unit ORDER BY s.region) AS n FROM slips s LEFT JOIN slips t ON t.unit = s.unit AND t.code = s.code) x "
    "WHERE n = 1",
    "the same of a subquery": "SELECT sum(x) FROM (SELECT first_value(a) OVER (PARTITION BY unit) AS x "
    "FROM (SELECT unit, code, amount AS a FROM slips) s) y",
}
SPELLINGS = {
    "a spelling of DISTINCT": "SELECT count(*) FILTER (WHERE x LIKE 'b%') FROM (SELECT DISTINCT unit, nick AS x FROM slips) y",
    "a spelling of what DISTINCT computes": "SELECT count(*) FILTER (WHERE x LIKE 'b%') FROM "
    "(SELECT DISTINCT unit, coalesce(nick, 'none') AS x FROM slips) y",
    "a spelling of GROUP BY": "SELECT count(*) FILTER (WHERE x LIKE 'b%') FROM (SELECT unit, nick AS x FROM slips "
    "GROUP BY unit, nick) y",
    "a spelling of UNION": "SELECT count(*) FILTER (WHERE x LIKE 'b%') FROM (SELECT unit, nick AS x FROM slips "
    "UNION SELECT unit, 'BOB' FROM slips) y",
    "a spelling of max": "SELECT count(*) FILTER (WHERE x LIKE 'b%') FROM (SELECT unit, max(nick) AS x FROM slips "
    "GROUP BY unit) y",
    "a spelling of the rows of EXISTS": "SELECT count(*) FROM slips a WHERE nick LIKE 'b%' AND EXISTS "
    "(SELECT FROM slips b WHERE a.unit = b.unit AND a.nick = b.nick)",
    "a spelling of the rows of IN": "SELECT count(*) FROM slips a WHERE nick LIKE 'b%' AND nick IN "
    "(SELECT nick FROM slips b WHERE a.unit = b.unit)",
    "a spelling of min in a window": "SELECT count(*) FILTER (WHERE x LIKE 'b%') FROM (SELECT min(nick) OVER "
    "(PARTITION BY unit) AS x FROM slips) y",
}


@pytest.fixture(scope="module")
def database(postgres_cluster: PostgresCluster) -> Iterator[RowDatabase]:
    dsn = postgres_cluster.create_database("order_of_rows")
    with psycopg.connect(dsn) as connection, psycopg.connect(dsn, autocommit=True) as checker:
        try:
            checker.execute(COLLATION)
            collation = "COLLATE any_case"
        except psycopg.errors.FeatureNotSupported:
            collation = ""
        checker.execute(SCHEMA.format(collation=collation).encode())
        connection.execute("SET search_path = pg_catalog, pg_temp")
        connection.commit()
        yield RowDatabase(connection, checker, read_catalog(dsn, ["public.slips"]))


def assert_order_moves_nothing(database: RowDatabase, text: str) -> None:
    [planned] = planned_blocks(database, text, Schema(POLICY, database.catalog), QuerySettings())
    found = []
    for rows in (SLIPS, SLIPS[::-1]):
        database.connection.cursor().executemany("INSERT INTO public.slips VALUES (%s, %s, %s, %s, %s)", rows)
        found.append(database.measure_with(planned.plan, []))
        database.connection.rollback()
    assert found[0] == found[1]


@pytest.mark.parametrize("text", AMONG_NULLS.values(), ids=AMONG_NULLS.keys())
def test_the_order_of_rows_without_a_key_moves_nothing(database: RowDatabase, text: str) -> None:
    assert_order_moves_nothing(database, text)


@pytest.mark.parametrize("text", SPELLINGS.values(), ids=SPELLINGS.keys())
def test_the_order_of_equal_spellings_moves_nothing(database: RowDatabase, text: str) -> None:
    if not database.catalog.tables["public.slips"].columns["nick"].collation:
        pytest.skip("this server has no ICU collations, so texts that differ are never equal")
    assert_order_moves_nothing(database, text)


TWO_VALUES = {
    "inet": ("10.0.0.1", "10.0.0.2"), "cidr": ("10.0.0.0/8", "11.0.0.0/8"), "macaddr": ("08:00:2b:01:02:03", "08:00:2b:01:02:04"),
    "timetz": ("10:00+00", "11:00+01"), "money": ("1", "2"), "bytea": ("a", "b"), "bit(3)": ("101", "110"), "oid": ("1", "2"),
    "int4range": ("[1,3)", "[2,4)"), "numrange": ("[1.0,2)", "[1.00,2)"), "nummultirange": ("{[1.0,2)}", "{[1.00,2)}"),
    "tsvector": ("a", "b"), "point": ("(0,1)", "(1,0)"), "box": ("(0,0),(1,1)", "(0,0),(1,2)"), "xid8": ("1", "2"),
    "json": ("1", " 1"), "jsonb": ('{"n": 1.0}', '{"n": 1.00}'), "numeric[]": ("{1.0}", "{1.00}"), "float8[]": ("{0}", "{-0}"),
    "interval[]": ("{1 mon}", "{30 days}"), "inet[]": ("{10.0.0.1}", "{10.0.0.2}"), "text[]": ("{a,b}", "{b,a}"),
    "numeric": ("1.0", "1.00"), "interval": ("1 mon", "30 days"), "float8": ("0.1", "0.10000000000000002"), "real": ("0", "-0"),
    "bpchar": ("a", "a "), "text": ("a", "b"), "date": ("2024-01-01", "2024-01-02"), "boolean": ("t", "f"), "uuid": tuple(
        f"6f9619ff-8b86-d011-b42d-00cf4fc964f{digit}" for digit in "01"
    ),
}  # fmt: skip
"""For each type two values that some expression distinguishes, equal ones where there are any."""

TWICE = """CREATE TABLE twice AS SELECT unit, letter, (CASE letter WHEN 'a' THEN '{0}' ELSE '{1}' END)::{2} AS value
FROM generate_series(1, 40) AS unit, unnest(CASE WHEN unit % 2 = 0 THEN '{{a,b}}' ELSE '{{b,a}}' END::text[]) AS letter"""


@pytest.mark.parametrize("type_", TWO_VALUES)
def test_values_of_every_type_decide_between_the_rows_of_a_unit(postgres_cluster: PostgresCluster, type_: str) -> None:
    """The letter that tells which row a unit's first one is can be read by nobody else: the policy does not list it."""
    with postgres_cluster.database("two_values") as dsn, psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(TWICE.format(*TWO_VALUES[type_], type_).encode())
        connection.execute("SET extra_float_digits = -15")
        connection.execute("SET search_path = pg_catalog")
        relation = _relation("twice", dsn)
        place = f"row_number() OVER (PARTITION BY unit ORDER BY {', '.join(tie_breakers(relation).items)}) AS place"
        first = f"SELECT letter FROM (SELECT letter, {place} FROM {relation.sql}) AS numbered WHERE place = 1"
        assert connection.execute(
            f"SELECT count(*), count(DISTINCT letter) FROM ({first}) AS f".encode()
        ).fetchone() == (40, 1)


def _schema(dsn: str) -> Schema:
    table = {
        "unit": {"name": "person", "column": "unit"},
        "budget": {"epsilon": 1},
        "columns": {"unit": {}, "value": {}},
    }
    policy = Policy.model_validate({"version": 1, "units": {"person": {}}, "tables": {"public.twice": table}})
    return Schema(policy, read_catalog(dsn, ["public.twice"]))


def _relation(rows: str, dsn: str) -> Relation:
    select = dialect.parse(f"SELECT 1 FROM {rows}")
    assert isinstance(select, exp.Select)
    return RowCompiler(_schema(dsn), ("public",), lambda _: 1).relation(select)


def test_what_must_not_be_sorted_for_long_is_refused_without_a_key(postgres_cluster: PostgresCluster) -> None:
    """Each comparison of two records unpacks their documents, of all rows of a unit: they are not limited yet."""
    dsn = postgres_cluster.create_database("documents")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("CREATE TABLE twice (unit integer, value jsonb, id integer)")
        bare = _relation("twice", dsn)
        assert tie_breakers(bare).work > MOST_ROW_WORK
        connection.execute("ALTER TABLE twice ADD PRIMARY KEY (id)")
        keyed = tie_breakers(_relation("twice", dsn))
        # Rows that an outer join adds may lack the key; those that are cut are the table's own.
        joined = replace(_relation("twice", dsn).members[0], optional=True)
        assert cut(joined, _schema(dsn), 100, meets=True, long=False) is not None
        connection.execute("ALTER TABLE twice DROP CONSTRAINT twice_pkey")
    assert (keyed.items, keyed.work) == (('t0."id"',), 0)
    with pytest.raises(UnsupportedError, match=r"the rows of public.twice take too long to sort") as refusal:
        cut(replace(bare.members[0], alias="m"), _schema(dsn), 100, meets=True, long=False)
    assert (refusal.value.rule, refusal.value.sqlstate) == ("row-work", "0A000")
