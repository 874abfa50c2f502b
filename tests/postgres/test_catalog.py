"""What the catalog takes for proven: only keys and NOT NULL that the source enforces for every row."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

import psycopg
import pytest

from proxy.policy.catalog import Catalog, Column, ForeignKey
from proxy.postgres.catalog_reader import read_catalog
from proxy.postgres.survey import read_survey
from tests.conftest import PostgresCluster
from tests.postgres.conftest import TABLES

KEYS = """
CREATE DOMAIN euros AS numeric(10, 2) NOT NULL;
CREATE DOMAIN price AS euros;
CREATE TABLE keys (
    plain integer UNIQUE, a integer, b integer, UNIQUE (a, b),
    partial integer, expression integer, later integer UNIQUE DEFERRABLE, included integer, extra integer,
    amount price, removed integer, tags integer[], code "char"
);
CREATE UNIQUE INDEX ON keys (partial) WHERE partial > 0;
CREATE UNIQUE INDEX ON keys ((expression + 1));
CREATE UNIQUE INDEX ON keys (included) INCLUDE (extra);
ALTER TABLE keys DROP COLUMN removed;
CREATE TABLE parent (id integer PRIMARY KEY);
CREATE TABLE child () INHERITS (parent);
CREATE TABLE partitioned (id integer NOT NULL, day date NOT NULL, UNIQUE (id, day)) PARTITION BY RANGE (day);
CREATE VIEW over_keys AS SELECT plain, amount FROM keys;
CREATE TABLE collated (name text COLLATE "C");
CREATE UNIQUE INDEX ON collated (name COLLATE "POSIX");
CREATE MATERIALIZED VIEW stored AS SELECT 1 AS one;
"""

COLLATIONS = """
CREATE COLLATION ignoring_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE DOMAIN word AS text COLLATE ignoring_case;
CREATE TABLE collations (plain text, deterministic text COLLATE "C", loose text COLLATE ignoring_case, of_a_domain word);
"""


@pytest.fixture(scope="module")
def keys(postgres_cluster: PostgresCluster) -> Catalog:
    dsn = postgres_cluster.create_database("keys")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(KEYS)
    names = ["keys", "parent", "child", "partitioned", "over_keys", "stored", "collated", "absent"]
    return read_catalog(dsn, [f"public.{name}" for name in names])


def test_unique_keys_are_those_enforced_now_for_every_row(keys: Catalog) -> None:
    expected = {frozenset({"plain"}), frozenset({"a", "b"}), frozenset({"included"})}
    assert keys.tables["public.keys"].unique_keys == expected


def test_a_table_with_inheritance_children_has_no_key(keys: Catalog) -> None:
    parent = keys.tables["public.parent"]
    assert (parent.primary_key, parent.unique_keys) == ((), frozenset())


IN_ALL = "CREATE TABLE p (x integer NOT NULL, y integer); CREATE TABLE c () INHERITS (p);"
BELOW = f"{IN_ALL} CREATE TABLE d () INHERITS (c);"
SERVER = "CREATE EXTENSION postgres_fdw; CREATE SERVER s FOREIGN DATA WRAPPER postgres_fdw;"
BY_LIST = "CREATE TABLE p (x integer NOT NULL) PARTITION BY LIST (x);"


@pytest.mark.parametrize(
    ("sql", "nullable", "since", "until"),
    [
        (IN_ALL, False, 0, 99),
        (BELOW, False, 0, 99),
        (f"{IN_ALL} CREATE TABLE e (y integer, x integer NOT NULL); ALTER TABLE e INHERIT p", False, 0, 99),
        ("CREATE TABLE p (x integer); CREATE TABLE c (x integer NOT NULL) INHERITS (p)", True, 0, 99),
        (f"{IN_ALL} ALTER TABLE c ALTER x DROP NOT NULL", True, 0, 17),
        (f"{BELOW} ALTER TABLE d ALTER x DROP NOT NULL", True, 0, 17),
        ("CREATE TABLE p (x integer, NOT NULL x NO INHERIT); CREATE TABLE c () INHERITS (p)", True, 18, 99),
        (f"{SERVER} {IN_ALL} CREATE FOREIGN TABLE f () INHERITS (p) SERVER s", True, 0, 99),
        (f"{BY_LIST} CREATE TABLE c PARTITION OF p FOR VALUES IN (1)", False, 0, 99),
        (f"{SERVER} {BY_LIST} CREATE FOREIGN TABLE f PARTITION OF p FOR VALUES IN (1) SERVER s", True, 0, 99),
    ],
)
def test_not_null_holds_where_it_is_enforced_for_the_rows_of_all_children(
    sql: str, nullable: bool, since: int, until: int, postgres_cluster: PostgresCluster
) -> None:
    """A child's own NOT NULL can be dropped before PostgreSQL 18; a foreign table has none that is enforced."""
    with postgres_cluster.database("children") as dsn:
        with psycopg.connect(dsn, autocommit=True) as connection:
            if not since <= connection.info.server_version // 10000 <= until:
                pytest.skip("of other versions of PostgreSQL")
            if (
                SERVER in sql
                and not connection.execute("SELECT FROM pg_available_extensions WHERE name = 'postgres_fdw'").fetchall()
            ):
                pytest.skip("this server has no foreign tables")
            connection.execute(sql.encode())
        assert read_catalog(dsn, ["public.p"]).tables["public.p"].columns["x"].nullable is nullable


def test_a_partitioned_table_has_its_keys(keys: Catalog) -> None:
    assert keys.tables["public.partitioned"].unique_keys == {frozenset({"id", "day"})}
    assert not keys.tables["public.partitioned"].columns["id"].nullable


def test_a_key_under_another_collation_than_the_columns_proves_nothing(keys: Catalog) -> None:
    assert keys.tables["public.collated"].unique_keys == frozenset()


def test_domains_are_resolved_and_their_not_null_is_not_believed(keys: Catalog) -> None:
    modifier = ((10 << 16) | 2) + 4
    for table_name in ("public.keys", "public.over_keys"):
        assert keys.tables[table_name].columns["amount"] == Column(
            "amount", "numeric", 1700, modifier, True, 2, full_type="numeric(10,2)"
        )


def test_only_collations_under_which_texts_that_differ_are_equal_are_told(postgres_cluster: PostgresCluster) -> None:
    dsn = postgres_cluster.create_database("collations")
    with psycopg.connect(dsn, autocommit=True) as connection:
        try:
            connection.execute(COLLATIONS)
        except psycopg.errors.FeatureNotSupported:
            pytest.skip("this server has no ICU collations, so texts that differ are never equal")
    columns = read_catalog(dsn, ["public.collations"]).tables["public.collations"].columns
    assert (columns["plain"].collation, columns["deterministic"].collation) == (0, 0)
    assert columns["loose"].collation == columns["of_a_domain"].collation > 0


def test_type_names_are_those_of_pg_catalog(keys: Catalog) -> None:
    columns = keys.tables["public.keys"].columns
    assert (columns["tags"].type_name, columns["code"].type_name) == ("integer[]", '"char"')


def test_what_a_database_says_about_quoting_changes_no_name(postgres_cluster: PostgresCluster) -> None:
    dsn = postgres_cluster.create_database("quoting")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(KEYS)
        before = read_survey(dsn)
        connection.execute(
            "DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET quote_all_identifiers = on'; END $$"
        )
    after = read_survey(dsn)
    assert (after.relations, after.catalog.tables) == (before.relations, before.catalog.tables)


def test_dropped_columns_are_absent(keys: Catalog) -> None:
    assert list(keys.tables["public.keys"].columns)[-3:] == ["amount", "tags", "code"]


def test_views_have_no_keys(keys: Catalog) -> None:
    assert keys.tables["public.over_keys"].unique_keys == frozenset()


@pytest.mark.parametrize("name", ["public.absent", "public.stored"])
def test_what_cannot_be_locked_or_does_not_exist_is_absent(keys: Catalog, name: str) -> None:
    assert name not in keys.tables


def test_foreign_keys_and_quoted_names_are_found(clinic_catalog: Catalog) -> None:
    visits = clinic_catalog.tables["Ward 1.Visits"]
    assert visits.foreign_keys == (ForeignKey(("patient_id",), "public.patients", ("patient_id",)),)
    assert visits.primary_key == ("visit_id",)
    assert set(clinic_catalog.tables) == set(TABLES)


def test_a_type_from_outside_pg_catalog_is_read_as_text(clinic_catalog: Catalog) -> None:
    mood = clinic_catalog.tables["public.patients"].columns["mood"]
    assert (mood.type_name, mood.type_oid, mood.cast_to_text, mood.own_equality) == ("text", 25, True, "")


def test_a_type_whose_equal_values_can_have_different_texts_is_named(postgres_cluster: PostgresCluster) -> None:
    dsn = postgres_cluster.create_database("own_equality")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("CREATE TYPE money_of AS (amount numeric, currency text)")
        connection.execute("CREATE TABLE bills (bill_id int, price money_of)")
    catalog = read_catalog(dsn, ["public.bills"])
    price = catalog.tables["public.bills"].columns["price"]
    assert (price.cast_to_text, price.own_equality) == (True, "public.money_of")


def test_a_column_whose_text_a_function_of_the_owner_makes_does_not_exist(postgres_cluster: PostgresCluster) -> None:
    """Different values could have one text, or a value none: neither keys nor units could be told by it."""
    dsn = postgres_cluster.create_database("casts_to_text")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(
            "CREATE TYPE pair AS (a integer, b integer); CREATE TYPE size AS ENUM ('small', 'large');"
            "CREATE FUNCTION first(pair) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT ($1).a::text';"
            "CREATE CAST (pair AS text) WITH FUNCTION first(pair);"
            "CREATE TABLE cast_by_function (id integer, code pair UNIQUE, size size)"
        )
    assert list(read_catalog(dsn, ["public.cast_by_function"]).tables["public.cast_by_function"].columns) == [
        "id",
        "size",
    ]


def test_catalog_knows_database_and_version(clinic: str, clinic_catalog: Catalog) -> None:
    with psycopg.connect(clinic) as connection:
        assert clinic_catalog.database == connection.info.dbname
        assert clinic_catalog.server_version == connection.info.server_version


def test_a_not_null_that_was_never_validated_is_not_believed(postgres_cluster: PostgresCluster) -> None:
    dsn = postgres_cluster.create_database("unvalidated")
    with psycopg.connect(dsn, autocommit=True) as connection:
        if connection.info.server_version < 180000:
            pytest.skip("only PostgreSQL 18 and later have NOT NULL … NOT VALID")
        connection.execute("CREATE TABLE t (x integer); INSERT INTO t VALUES (NULL)")
        connection.execute("ALTER TABLE t ADD CONSTRAINT later NOT NULL x NOT VALID")
    assert read_catalog(dsn, ["public.t"]).tables["public.t"].columns["x"].nullable


RANGES = """
CREATE DOMAIN share AS numeric(4, 2);
CREATE TABLE ranges (
    whole smallint, large bigint, part share, exact numeric, single real, double double precision,
    endless double precision, missing integer, long numeric, day date, hidden integer
);
INSERT INTO ranges VALUES
    (-3, 9223372036854775807, 1.25, 1e-20, 0.1, 1e300, 1, NULL, 1, '2025-01-01', 7),
    (NULL, -9223372036854775808, -0.5, 'NaN', 'NaN', -0.0, '-Infinity', NULL, 1e-200, '2025-01-02', 8),
    (12, 0, NULL, -7, 0.5, NULL, NULL, NULL, 2, NULL, 9);
"""


def test_numbers_of_public_tables_have_the_range_of_their_visible_rows(postgres_cluster: PostgresCluster) -> None:
    dsn = postgres_cluster.create_database("ranges")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(RANGES)
    tables = [*COLUMNS_WITH_RANGES, "endless", "missing", "long", "day"]
    found = read_catalog(dsn, ["public.ranges"], ["public.ranges"], {"public.ranges": tables}).tables["public.ranges"]
    assert found.ranges == COLUMNS_WITH_RANGES
    assert found.row_count == 3
    assert read_catalog(dsn, ["public.ranges"]).tables["public.ranges"].ranges == {}
    everything = read_catalog(dsn, ["public.ranges"], ["public.ranges"]).tables["public.ranges"]
    assert everything.ranges == COLUMNS_WITH_RANGES | {"hidden": (7, 9)}


MOMENTS = """
CREATE TABLE moments (
    day date, at timestamp, seen timestamptz, endless date, ancient timestamp, missing date, hidden date, clock time
);
INSERT INTO moments VALUES
    ('2025-01-31', '2025-01-31 23:59:59.999999', '2025-02-01 00:30+02', '2025-01-01', '2025-01-01', NULL, '2025-01-01', '12:00'),
    (NULL, '1999-12-31 00:00', '1999-12-31 23:30-05', 'infinity', '0044-03-15 BC', NULL, '2025-01-01', '12:00'),
    ('2024-02-29', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET TimeZone = %L', current_database(), 'Pacific/Apia');
    EXECUTE format('ALTER DATABASE %I SET DateStyle = %L', current_database(), 'German');
END $$;
"""


def test_dates_of_public_tables_have_the_range_of_their_visible_rows(postgres_cluster: PostgresCluster) -> None:
    dsn = postgres_cluster.create_database("moments")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(MOMENTS)
    shown = ["day", "at", "seen", "endless", "ancient", "missing", "clock"]
    found = read_catalog(dsn, ["public.moments"], ["public.moments"], {"public.moments": shown}).tables[
        "public.moments"
    ]
    assert found.moments == {
        "day": (dt.datetime(2024, 2, 29), dt.datetime(2025, 1, 31)),
        "at": (dt.datetime(1999, 12, 31), dt.datetime(2025, 1, 31, 23, 59, 59, 999_999)),
        "seen": (dt.datetime(2000, 1, 1, 4, 30), dt.datetime(2025, 1, 31, 22, 30)),
    }
    assert read_catalog(dsn, ["public.moments"]).tables["public.moments"].moments == {}


TEXTS = """
CREATE TYPE mood AS ENUM ('a rather long label');
CREATE DOMAIN code AS varchar(9);
CREATE TABLE texts (
    name text, code code, padded char(5), missing text, hidden text, mood mood, number integer, words text[]
);
INSERT INTO texts VALUES
    ('Köln', 'ab', 'x', NULL, 'a', 'a rather long label', 1, '{long}'), ('Rom', '', NULL, NULL, 'bcd', NULL, 2, NULL);
"""


def test_texts_of_public_tables_have_the_octets_of_the_longest_in_a_visible_column(
    postgres_cluster: PostgresCluster,
) -> None:
    dsn = postgres_cluster.create_database("texts")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(TEXTS)
    shown = ["name", "code", "padded", "missing", "mood", "number", "words"]
    found = read_catalog(dsn, ["public.texts"], ["public.texts"], {"public.texts": shown}).tables["public.texts"]
    assert found.octets == {"name": 5, "code": 2, "padded": 5}
    assert found.texts == {"name": ("Köln", "Rom"), "code": ("", "ab"), "padded": ("x",)}
    unread = read_catalog(dsn, ["public.texts"]).tables["public.texts"]
    assert (unread.octets, unread.texts) == ({}, {})


def test_public_texts_are_kept_where_they_are_few_and_short(postgres_cluster: PostgresCluster) -> None:
    dsn = postgres_cluster.create_database("many_texts")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("CREATE TABLE words (few text, many text, long text)")
        connection.execute(
            "INSERT INTO words SELECT CASE n % 2 WHEN 0 THEN 'b' ELSE 'B' END, n::text, repeat('x', 201) "
            "FROM generate_series(0, 100) AS n"
        )
        found = read_catalog(dsn, ["public.words"], ["public.words"]).tables["public.words"]
        assert found.texts == {"few": ("B", "b")}
        connection.execute("DELETE FROM words WHERE many = '0'")
        found = read_catalog(dsn, ["public.words"], ["public.words"]).tables["public.words"]
        assert len(found.texts["many"]) == 100
        connection.execute("INSERT INTO words SELECT 'c' FROM generate_series(1, 100000)")
        found = read_catalog(dsn, ["public.words"], ["public.words"]).tables["public.words"]
        assert found.texts == {}


COLUMNS_WITH_RANGES = {
    "whole": (-3, 12),
    "large": (-(2**63), 2**63 - 1),
    "part": (Fraction(-1, 2), Fraction(5, 4)),
    "exact": (-7, Fraction(1, 10**20)),
    "single": (Fraction("0.10000000149011612"), Fraction(1, 2)),
    "double": (0, 10**300),
}


def test_what_is_computed_when_it_is_read_is_left_out(postgres_cluster: PostgresCluster) -> None:
    """A quotient in a virtual column fails at the first row that reads it with a 0, and so tells of that row."""
    dsn = postgres_cluster.create_database("virtual_columns")
    with psycopg.connect(dsn, autocommit=True) as connection:
        if connection.info.server_version < 180000:
            pytest.skip("only PostgreSQL 18 and later have virtual generated columns")
        connection.execute(
            "CREATE TABLE generated (a integer, b integer, kept integer GENERATED ALWAYS AS (a * 2) STORED, "
            "read integer GENERATED ALWAYS AS (a / b) VIRTUAL)"
        )
    assert list(read_catalog(dsn, ["public.generated"]).tables["public.generated"].columns) == ["a", "b", "kept"]
