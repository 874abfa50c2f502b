"""Values that are equal and look different: which look is shown, hashed or compared as text is nobody's doing.

First through the wire: a group's key carries no row's spelling. Then on the source: what is measured of the same rows
in another order is the same, since the order decides which of equal values Postgres keeps.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.settings import QuerySettings
from proxy.sql.schema import Schema
from proxy.sql.source_queries.unit_rows import unit_rows
from tests.attacks.attacker import UNSUPPORTED, Attacker, attacking, exact_policy
from tests.attacks.test_row_sensitivity import RowDatabase, planned_blocks
from tests.attacks.test_sensitivity import SEED
from tests.conftest import PostgresCluster
from tests.end_to_end.conftest import StartProxy

CHANGES = """
CREATE TABLE spellings (
    patient_id integer PRIMARY KEY, tag bpchar, word varchar, code char(4), documents json[], places point[], pages xml[],
    tags text[]
);
INSERT INTO spellings
SELECT patient_id, 'a' || repeat(' ', patient_id % 2), 'b' || repeat(' ', patient_id % 2), 'a', ARRAY['{"a": 1}'::json], ARRAY[point(0, 0)], NULL, ARRAY['a']
FROM patients;
ALTER TABLE spellings ADD label name DEFAULT 'x', ADD nick bpchar;
CREATE TABLE keyed (code char(9), price numeric, patient_id integer, amount integer, PRIMARY KEY (code, price));
INSERT INTO keyed SELECT patient_id::text, 1.0, patient_id, 1 FROM patients;
CREATE TABLE more_documents (patient_id integer, documents json[]);
INSERT INTO more_documents SELECT patient_id, documents FROM spellings;
"""
COLUMNS = {
    "spellings": ("patient_id", "tag", "word", "code", "documents", "places", "pages", "tags", "label", "nick"),
    "more_documents": ("patient_id", "documents"),
    "keyed": ("code", "price", "patient_id", "amount"),
}
DECLARED = {"label": {"values": ["x", "x "]}, "nick": {"values": ["y"]}, "amount": {"bounds": ["0", "9"]}}


def policy() -> Policy:
    """The clinic's with exact answers, and tables of values that are equal and look different."""
    content = exact_policy().model_dump(exclude_none=True)
    for table, columns in COLUMNS.items():
        private = copy.deepcopy(content["tables"]["public.insurances"])
        content["tables"][f"public.{table}"] = private | {
            "columns": {name: DECLARED.get(name, {}) for name in columns} | {"patient_id": {"bounds": ["0", "9999"]}}
        }
    return Policy.model_validate(content)


@pytest.fixture(scope="module")
def attacker(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Attacker]:
    with attacking(proxies, copy_clinic, policy(), CHANGES) as started:
        yield started


CODED = "left(diagnosis, 0) || 'x' || CASE WHEN (p.patient_id / 32) % 2 = 1 THEN ' ' ELSE '' END"
OF_PATIENTS = "FROM visits v JOIN patients p USING (patient_id) WHERE (p.patient_id / 32) % 2 = 1"
OF_SPELLINGS = "FROM spellings WHERE patient_id % 2 = 1"
KEYS = {
    "a cast": f"SELECT ({CODED})::bpchar AS k, count(*) {OF_PATIENTS} AND diagnosis IS NOT NULL GROUP BY 1",
    "a cast of DISTINCT": f"SELECT DISTINCT ({CODED})::bpchar {OF_PATIENTS} AND diagnosis IS NOT NULL",
    "a column": f"SELECT tag, count(*) {OF_SPELLINGS} GROUP BY tag",
    "a choice": f"SELECT coalesce(tag, 'b'), count(*) {OF_SPELLINGS} GROUP BY 1",
    "a choice of another type": f"SELECT NULLIF(tag, word || 'b'), count(*) {OF_SPELLINGS} GROUP BY 1",
    "a comparison that makes a padded text of a varying one": f"SELECT NULLIF(word, tag), count(*) {OF_SPELLINGS} GROUP BY 1",
    "a column of a subquery": f"SELECT k, count(*) FROM (SELECT tag AS k {OF_SPELLINGS}) AS s GROUP BY k",
    "a spelling within the person": f"SELECT k, count(*) FROM (SELECT DISTINCT patient_id, tag AS k {OF_SPELLINGS}) AS s GROUP BY k",
    "the greatest of a person": f"SELECT k, count(*) FROM (SELECT patient_id, max(tag) AS k {OF_SPELLINGS} GROUP BY 1) AS s GROUP BY k",
}


@pytest.mark.parametrize("query", KEYS.values(), ids=KEYS.keys())
def test_a_group_is_not_spelled_as_a_row_spells_it(query: str, attacker: Attacker) -> None:
    """Every row of these has a blank at the end, of which the key tells nothing; the count is Postgres's own."""
    (expected,) = attacker.ask_source(query)
    (found,) = attacker.ask(query)
    assert found[0] == expected[0].rstrip(" ")
    assert found[1:] == expected[1:]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("SELECT code, count(*) FROM spellings GROUP BY 1", "a   "),
        ("SELECT DISTINCT code, 2000::bigint FROM spellings", "a   "),
        ("SELECT tag::character(3), count(*) FROM spellings GROUP BY 1", "a  "),
        ("SELECT tag::char, count(*) FROM spellings GROUP BY 1", "a"),
        ("SELECT coalesce(code, tag::character(4)), count(*) FROM spellings GROUP BY 1", "a   "),
        ("SELECT c, count(*) FROM (SELECT DISTINCT patient_id, code AS c FROM spellings) AS s GROUP BY 1", "a   "),
    ],
)
def test_a_text_of_fixed_length_shows_its_blanks_as_in_postgres(query: str, text: str, attacker: Attacker) -> None:
    assert attacker.ask(query) == attacker.ask_source(query) == [(text, 2000)]


def test_a_declared_group_is_answered_once_however_its_texts_are_made(attacker: Attacker) -> None:
    """A choice between a character(n) and a name is a name in Postgres, and has two texts for one group here."""
    for query, total in (
        ("SELECT coalesce(nick, label), count(*) FROM spellings WHERE nick IS NULL GROUP BY 1", 2000),
        ("SELECT coalesce(nick, label), sum(patient_id) FROM spellings WHERE nick IS NULL GROUP BY 1", 2001000),
    ):
        assert sum(row[1] for row in attacker.ask(query) if row[1] is not None) == total


def test_rows_of_a_primary_key_show_their_other_columns(attacker: Attacker) -> None:
    """Postgres allows that for the key itself, and not for its canonical form."""
    query = (
        "SELECT sum(n) FROM (SELECT k.code, k.amount + count(*) AS n FROM keyed k JOIN patients USING (patient_id) "
        "GROUP BY k.code, k.patient_id, k.price) AS x"
    )
    assert attacker.ask(query) == attacker.ask_source(query)


WITHOUT_EQUALITY = {
    "=": "SELECT count(*) FROM spellings WHERE documents = documents",
    "= of a constant": "SELECT count(*) FROM spellings WHERE documents = '{}'",
    "= of places": "SELECT count(*) FROM spellings WHERE patient_id = 42 AND places = places",
    "= of xml": "SELECT count(*) FROM spellings WHERE pages = pages",
    "IS NOT DISTINCT FROM": "SELECT count(*) FROM spellings WHERE documents IS NOT DISTINCT FROM documents",
    "IS DISTINCT FROM": "SELECT count(*) FROM spellings WHERE places IS DISTINCT FROM places",
    "<": "SELECT count(*) FROM spellings WHERE documents < documents",
    "BETWEEN": "SELECT count(*) FROM spellings WHERE documents BETWEEN documents AND documents",
    "IN": "SELECT count(*) FROM spellings WHERE documents IN (documents, '{}')",
    "NOT IN": "SELECT count(*) FROM spellings WHERE documents NOT IN (documents)",
    "IN of rows": "SELECT count(*) FROM spellings WHERE (patient_id, documents) IN ((1, documents))",
    "= of rows": "SELECT count(*) FROM spellings WHERE (patient_id, documents) = (patient_id, documents)",
    "CASE": "SELECT count(*) FROM spellings WHERE CASE documents WHEN documents THEN true END",
    "NULLIF": "SELECT count(NULLIF(documents, documents)) FROM spellings",
    "greatest": "SELECT count(greatest(places, places)) FROM spellings",
    "FILTER": "SELECT count(*) FILTER (WHERE documents = documents) FROM spellings",
    "IN of a subquery": "SELECT count(*) FROM spellings s WHERE documents IN (SELECT m.documents FROM more_documents m WHERE m.patient_id = s.patient_id)",
    "EXISTS": "SELECT count(*) FROM spellings s WHERE EXISTS (SELECT FROM more_documents m WHERE m.patient_id = s.patient_id AND m.documents = s.documents)",
    "ON": "SELECT count(*) FROM spellings s JOIN more_documents m ON m.patient_id = s.patient_id AND m.documents = s.documents",
    "USING": "SELECT count(*) FROM spellings JOIN more_documents USING (patient_id, documents)",
    "NATURAL": "SELECT count(*) FROM spellings NATURAL JOIN more_documents",
    "HAVING": "SELECT count(*) FROM (SELECT patient_id FROM spellings GROUP BY patient_id HAVING bool_or(documents = documents)) AS x",
}
WITHOUT_KEY = {
    "GROUP BY": "SELECT documents, count(*) FROM spellings GROUP BY 1",
    "DISTINCT": "SELECT DISTINCT places FROM spellings",
    "count(DISTINCT)": "SELECT count(DISTINCT documents) FROM spellings",
    "mode": "SELECT mode() WITHIN GROUP (ORDER BY documents) FROM spellings",
    "DISTINCT within the person": "SELECT count(*) FROM (SELECT DISTINCT patient_id, documents FROM spellings) AS x",
    "EXCEPT within the person": "SELECT count(*) FROM (SELECT patient_id, documents FROM spellings EXCEPT SELECT patient_id, documents FROM more_documents) AS x",
    "count(DISTINCT) within the person": "SELECT sum(n) FROM (SELECT patient_id, count(DISTINCT documents) AS n FROM spellings GROUP BY 1) AS x",
    "PARTITION BY": "SELECT count(*) FROM (SELECT row_number() OVER (PARTITION BY patient_id, documents) AS n FROM spellings) AS x WHERE n = 1",
    "ORDER BY within the person": "SELECT count(*) FROM (SELECT row_number() OVER (PARTITION BY patient_id ORDER BY documents) AS n FROM spellings) AS x WHERE n = 1",
}


@pytest.mark.parametrize("query", WITHOUT_EQUALITY.values(), ids=WITHOUT_EQUALITY.keys())
def test_values_without_an_order_are_not_compared(query: str, attacker: Attacker) -> None:
    attacker.assert_refused(query, UNSUPPORTED, "comparison")


@pytest.mark.parametrize("query", WITHOUT_KEY.values(), ids=WITHOUT_KEY.keys())
def test_values_without_an_order_are_no_keys(query: str, attacker: Attacker) -> None:
    """The stage's own parser finds no operator, which it looks up when it parses a GROUP BY, but not for an `=`."""
    attacker.assert_refused(query, "42883", None)


def test_arrays_of_what_has_an_order_are_compared(attacker: Attacker) -> None:
    for condition in ("tags = tags", "tags = '{a}'", "tags IS NOT DISTINCT FROM tags", "tags <= '{b}'"):
        query = f"SELECT count(*) FROM spellings WHERE {condition}"
        assert attacker.ask(query) == attacker.ask_source(query) == [(2000,)]


SCHEMA = """
CREATE TABLE slips (unit integer, region text, tag bpchar, rough numeric(6, 1), fine numeric(6, 2), free numeric, score double precision);
CREATE TABLE owned (unit numeric, name bpchar, tight numeric(6, 2), city text, item integer);
CREATE TABLE equally_owned (unit numeric, name bpchar, tight numeric(6, 2), city text, item integer);
"""
SLIPS: list[tuple[Any, ...]] = [
    (1, "north", "bob", "7", "7", "7", "0"),
    (1, "north", "bob ", "7", "7", "7.0", "-0"),
    (1, "north", "bob  ", "7", "7", "7.00", "0"),
]
PADDED = "count(*) FILTER (WHERE x LIKE '% ')"
LONG = "count(*) FILTER (WHERE length(x::text) > {})"
WITHIN = {
    "blanks of DISTINCT": f"SELECT {PADDED} FROM (SELECT DISTINCT unit, tag AS x FROM slips) y",
    "blanks of GROUP BY": f"SELECT {PADDED} FROM (SELECT unit, tag AS x FROM slips GROUP BY unit, tag) y",
    "blanks of what is grouped by": f"SELECT {PADDED} FROM (SELECT unit, coalesce(tag, 'x') AS x FROM slips GROUP BY unit, coalesce(tag, 'x')) y",
    "blanks of max": f"SELECT {PADDED} FROM (SELECT unit, max(tag) AS x FROM slips GROUP BY unit) y",
    "blanks of min in a window": f"SELECT {PADDED} FROM (SELECT min(tag) OVER (PARTITION BY unit) AS x FROM slips) y",
    "blanks of UNION": f"SELECT {PADDED} FROM (SELECT unit, tag AS x FROM slips UNION SELECT unit, tag FROM slips) y",
    "blanks of INTERSECT": f"SELECT {PADDED} FROM (SELECT unit, tag AS x FROM slips INTERSECT SELECT unit, tag FROM slips) y",
    "zeros of DISTINCT": f"SELECT {LONG.format(1)} FROM (SELECT DISTINCT unit, free AS x FROM slips) y",
    "zeros of sum(DISTINCT)": f"SELECT {LONG.format(1)} FROM (SELECT unit, sum(DISTINCT free) AS x FROM slips GROUP BY unit) y",
}


@pytest.fixture(scope="module")
def database(postgres_cluster: PostgresCluster) -> Iterator[RowDatabase]:
    dsn = postgres_cluster.create_database("equal_values")
    with psycopg.connect(dsn) as connection, psycopg.connect(dsn, autocommit=True) as checker:
        checker.execute(SCHEMA)
        connection.execute("SET search_path = pg_catalog, pg_temp")
        connection.commit()
        yield RowDatabase(connection, checker, read_catalog(dsn, [f"public.{table}" for table in TABLES]))


TABLES = {
    "slips": ("unit", "region", "tag", "rough", "fine", "free", "score"),
    "owned": ("unit", "name", "tight", "city", "item"),
    "equally_owned": ("unit", "name", "tight", "city", "item"),
}


def owned_by(unit: str, max_rows: int = 9) -> Policy:
    """A policy whose unit is this column."""
    tables = {
        f"public.{table}": {
            "unit": {"name": "person", "column": unit if unit in columns else "unit"},
            "budget": {"epsilon": "100", "delta": "1e-3"},
            "contribution": {"max_rows": max_rows, "max_rows_per_group": max_rows, "max_groups": 3},
            "columns": {name: {} for name in columns} | ({"city": {"values": ["a", "b"]}} if "city" in columns else {}),
        }
        for table, columns in TABLES.items()
    }
    return Policy.model_validate({"version": 1, "units": {"person": {}}, "tables": tables})


def assert_order_moves_nothing(
    database: RowDatabase, text: str, policy: Policy, table: str, rows: list[tuple[Any, ...]]
) -> None:
    [planned] = planned_blocks(database, text, Schema(policy, database.catalog), QuerySettings())
    insert = f"INSERT INTO public.{table} VALUES ({', '.join(['%s'] * len(rows[0]))})"
    found = []
    for ordered in (rows, rows[::-1]):
        database.connection.cursor().executemany(insert.encode(), ordered)
        found.append(database.measure_with(planned.plan, []))
        database.connection.rollback()
    assert found[0].sums == found[1].sums


@pytest.mark.parametrize("text", WITHIN.values(), ids=WITHIN.keys())
def test_which_of_a_persons_equal_values_is_kept_does_not_show(database: RowDatabase, text: str) -> None:
    """Which one is kept follows the order of rows, and that follows other people's rows."""
    assert_order_moves_nothing(database, text, owned_by("unit"), "slips", SLIPS)


SIDES = {
    "digits": (LONG.format(3), "rough", "fine"),
    "digits of a whole number": (LONG.format(1), "7", "fine"),
    "digits of any number": (LONG.format(1), "fine", "free"),
    "blanks": ("count(*) FILTER (WHERE concat(x, '|') LIKE '% |')", "tag", "(tag || ' ')::bpchar"),
    "a sign": (LONG.format(1), "score", "-score"),
}


@pytest.mark.parametrize("word", ["UNION", "INTERSECT"])
@pytest.mark.parametrize(("statistic", "first", "other"), SIDES.values(), ids=SIDES.keys())
def test_values_of_both_sides_of_a_set_operation_look_alike(
    database: RowDatabase, statistic: str, first: str, other: str, word: str
) -> None:
    """Which side's value is kept is the server's choice, which it makes by statistics of the whole table."""
    found = []
    for left, right in ((first, other), (other, first)):
        sides = f"SELECT unit, {left} AS x FROM slips {word} SELECT unit, {right} FROM slips"
        text = f"SELECT {statistic}, count(*) FROM ({sides}) y"
        [planned] = planned_blocks(database, text, Schema(owned_by("unit"), database.catalog), QuerySettings())
        database.connection.cursor().executemany(
            "INSERT INTO public.slips VALUES (%s, %s, %s, %s, %s, %s, %s)", SLIPS[:1]
        )
        found.append(database.measure_with(planned.plan, []).sums)
        database.connection.rollback()
    assert found[0] == found[1]


SPELLED = {"unit": ("{}", "{}.0", "{}.00"), "name": ("{}", "{} ", "{}  ")}
ITEMS = [
    (str(person), spelling, item)
    for spelling in range(3)
    for person in range(12)
    for item in range(person, person + 30)
]


def rows_of(unit: str) -> list[tuple[Any, ...]]:
    """Twelve people with the same thirty items each in three spellings of the person, of which few are counted."""
    rows = []
    for person, spelling, item in ITEMS:
        own = {"unit": person, "name": person, "tight": person} | {unit: SPELLED[unit][spelling].format(person)}
        rows.append((own["unit"], own["name"], own["tight"], "ab"[item % 2], item))
    return rows


@pytest.mark.parametrize("unit", SPELLED)
@pytest.mark.parametrize(
    "text",
    [
        "SELECT city, count(DISTINCT item) FROM owned GROUP BY city",
        "SELECT city, count(DISTINCT item) FROM (SELECT * FROM owned) AS x GROUP BY city",
        "SELECT count(DISTINCT item) FROM (SELECT city, item FROM owned UNION ALL SELECT city, item FROM owned) AS x",
    ],
)
def test_how_a_person_is_spelled_does_not_choose_what_is_counted(database: RowDatabase, unit: str, text: str) -> None:
    assert_order_moves_nothing(database, text, owned_by(unit, max_rows=3), "owned", rows_of(unit))


def test_how_a_person_is_spelled_does_not_choose_what_is_exported(database: RowDatabase) -> None:
    """A local release takes a few rows of each person, chosen by a hash."""
    schema = Schema(owned_by("unit"), database.catalog)
    query = unit_rows(schema, schema.table("public.owned"), ["item"]).sql(3, SEED)
    found = []
    for rows in (rows_of("unit"), rows_of("unit")[::-1]):
        database.connection.cursor().executemany("INSERT INTO public.owned VALUES (%s, %s, %s, %s, %s)", rows)
        found.append(sorted(database.connection.execute(query.encode()).fetchall()))
        database.connection.rollback()
    assert len(found[0]) == 36
    assert found[0] == found[1]


def test_a_person_has_one_spelling_in_all_tables(database: RowDatabase) -> None:
    """7.00 of one table is 7 of the other: pairs that both have are one person's, and hashed once."""
    text = "SELECT count(DISTINCT item) FROM (SELECT item FROM owned UNION ALL SELECT item FROM equally_owned) AS x"
    schema = Schema(owned_by("unit", max_rows=3), database.catalog)
    apart = schema.policy.model_dump(exclude_none=True)
    apart["tables"]["public.equally_owned"]["unit"]["column"] = "tight"
    [planned] = planned_blocks(database, text, Schema(Policy.model_validate(apart), database.catalog), QuerySettings())
    found = []
    for tables in (("owned",), ("equally_owned",), ("owned", "equally_owned")):
        for table in tables:
            insert = f"INSERT INTO public.{table} VALUES (%s, %s, %s, %s, %s)"
            database.connection.cursor().executemany(insert.encode(), rows_of("unit"))
        found.append(database.measure_with(planned.plan, []).sums)
        database.connection.rollback()
    assert found[0] == found[1] == found[2]
