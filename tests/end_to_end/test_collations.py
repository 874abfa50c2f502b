"""A source whose collation is not C: texts are ordered by code point, so that rows and declared groups agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import psycopg
import pytest

from proxy.policy.model import Policy
from tests.attacks.attacker import UNSUPPORTED
from tests.conftest import PostgresCluster
from tests.end_to_end import clinic
from tests.end_to_end.charging import all_spent
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.programs import psql, run_program
from tests.end_to_end.recording import recording
from tests.end_to_end.running import RunningProxy

WORDS = ("apple", "Banana", "Zoo", "Äpfel", "b", "straße", "σς")
SCHEMA = f"""
CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE places (
    id integer PRIMARY KEY, city text, german text COLLATE "de-x-icu", loose text COLLATE any_case, padded char(8),
    tags text[], details jsonb
);
INSERT INTO places
SELECT i, (ARRAY{list(WORDS)})[1 + i % 7], (ARRAY{list(WORDS)})[1 + i / 7 % 7], (ARRAY['a', 'A', 'b'])[1 + i % 3],
       (ARRAY['b', 'B'])[1 + i % 2], ARRAY[(ARRAY{list(WORDS)})[1 + i % 7]], '{{"a": "b"}}'
FROM generate_series(1, 4900) AS i;
"""
POLICY = {
    "version": 1,
    "analysts": {"ana": {"password": clinic.VERIFIER}},
    "units": {"place": {}},
    "tables": {
        "public.places": {
            "unit": {"name": "place", "column": "id"},
            "budget": {"epsilon": "1e27", "delta": "0.4"},
            "query": {"epsilon": "1e20", "delta": "1e-5"},
            "columns": {
                "id": {},
                "city": {"values": list(WORDS)},
                "german": {"values": list(WORDS)},
                "loose": {"values": ["A", "b"]},
                "padded": {"values": ["b", "B"]},
                "tags": {},
                "details": {},
            },
        }
    },
}


@dataclass(frozen=True)
class Compared:
    """A client of a proxy before the database in ICU's en-US, and one of that database itself."""

    client: psycopg.Connection
    source: psycopg.Connection
    rules: list[str | None]
    proxy: RunningProxy

    def assert_equal(self, query: str, expected: str) -> None:
        """The proxy's answer to `query`, but for empty groups, is the source's to `expected`."""
        self.client.execute("SET dp.empty_groups = hide")
        answer = self.client.execute(query.encode()).fetchall()
        assert sorted(answer, key=repr) == sorted(self.source.execute(expected.encode()).fetchall(), key=repr)

    def assert_refused(self, query: str, rule: str) -> None:
        """Refused by this rule before anything is charged."""
        before = all_spent(self.client)
        self.rules.clear()
        with pytest.raises(psycopg.Error) as refusal:
            self.client.execute(query.encode())
        assert (refusal.value.sqlstate, self.rules) == (UNSUPPORTED, [rule]), str(refusal.value)
        assert all_spent(self.client) == before


@pytest.fixture(scope="module")
def places(postgres_cluster: PostgresCluster, proxies: StartProxy) -> Iterator[Compared]:
    options = "TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C' ENCODING 'UTF8'"
    with psycopg.connect(postgres_cluster.dsn("postgres"), autocommit=True) as connection:
        try:
            connection.execute(f"CREATE DATABASE places {options}".encode())
        except psycopg.errors.FeatureNotSupported:
            pytest.skip("this server has no ICU collations")
    dsn = postgres_cluster.dsn("places")
    rules: list[str | None] = []
    with psycopg.connect(dsn, autocommit=True) as source:
        source.execute(SCHEMA.encode())
        with recording(rules):
            proxy = proxies(Policy.model_validate(POLICY), source=dsn)
        with proxy.connect() as client:
            client.execute("SET dp.notices = off")
            yield Compared(client, source, rules, proxy)


C = 'COLLATE "C"'
ORDERED = {
    "less": ("city < 'b'", f"city {C} < 'b'"),
    "greater or equal": ("city >= 'Äpfel'", f"city {C} >= 'Äpfel'"),
    "the constant first": ("'b' < city", f"'b' < city {C}"),
    "between": ("city BETWEEN 'A' AND 'b'", f"city {C} BETWEEN 'A' AND 'b'"),
    "between symmetric": ("city BETWEEN SYMMETRIC 'b' AND 'A'", f"city {C} BETWEEN 'A' AND 'b'"),
    "two columns": ("city < german", f"city {C} < german"),
    "rows": ("(city, id) < ('b', 100)", f"(city {C}, id) < ('b', 100)"),
    "all of an array": ("city > ALL (ARRAY['B', 'Y'])", f"city {C} > ALL (ARRAY['B', 'Y'])"),
    "any of a column": ("'b' > ANY (tags)", f"'b' {C} > ANY (tags)"),
    "arrays": ("tags < '{b}'", f"tags {C} < '{{b}}'"),
    "greatest": ("greatest(city, 'b') = 'b'", f"greatest(city {C}, 'b') = 'b'"),
    "least of columns": ("least(city, german, 'b') = city", f"least(city {C}, german, 'b') = city"),
    "padded": ("padded < 'a'", f"padded {C} < 'a'"),
    "a function of it": ("lower(city) < 'c'", f"lower(city) {C} < 'c'"),
    "constants": ("CASE WHEN id > 0 THEN 'a' END > 'B'", f"'a' {C} > 'B'"),
    "nondeterministic": ("loose < 'a'", f"loose {C} < 'a'"),
}


@pytest.mark.parametrize(("condition", "expected"), ORDERED.values(), ids=ORDERED.keys())
def test_texts_are_compared_by_code_point_in_rows_and_declared_groups(
    condition: str, expected: str, places: Compared
) -> None:
    places.assert_equal(
        f"SELECT count(*) FROM places WHERE {condition}", f"SELECT count(*) FROM places WHERE {expected}"
    )
    places.assert_equal(
        f"SELECT city, count(*) FROM places WHERE {condition} GROUP BY city",
        f"SELECT city, count(*) FROM places WHERE {expected} GROUP BY city",
    )
    places.assert_equal(
        f"SELECT {condition}, count(*) FROM places GROUP BY 1", f"SELECT {expected}, count(*) FROM places GROUP BY 1"
    )


def test_per_unit_extremes_and_windows_order_texts_by_code_point(places: Compared) -> None:
    union = "(SELECT id, city FROM places UNION ALL SELECT id, german FROM places)"
    for name in ("min", "max"):
        places.assert_equal(
            f"SELECT m, count(*) FROM (SELECT id, {name}(city) AS m FROM {union} AS u GROUP BY id) AS x GROUP BY m",
            f"SELECT m, count(*) FROM (SELECT id, {name}(city {C}) AS m FROM {union} AS u GROUP BY id) AS x GROUP BY m",
        )
    places.assert_equal(
        "SELECT city, count(*) FROM (SELECT id, city, row_number() OVER (PARTITION BY id ORDER BY city) AS n"
        f" FROM {union} AS u) AS x WHERE n = 1 GROUP BY city",
        f"SELECT city, count(*) FROM (SELECT city, row_number() OVER (PARTITION BY id ORDER BY city {C}) AS n"
        f" FROM {union} AS u) AS x WHERE n = 1 GROUP BY city",
    )


def test_extremes_of_texts_meet_other_texts_without_a_conflict_of_collations(places: Compared) -> None:
    having = "HAVING max(city) = min(german) OR greatest(max(city), max(german)) >= min(loose)"
    grouped = f"SELECT id, max(city) AS m, min(german) AS n FROM places GROUP BY id {having}"
    places.assert_equal(
        f"SELECT count(*) FROM ({grouped}) AS x JOIN places p USING (id) WHERE m = n OR m < p.city OR m || n LIKE '%b'",
        "SELECT count(*) FROM places WHERE city = german OR city || german LIKE '%b'",
    )


def test_equality_and_groups_are_as_on_the_source(places: Compared) -> None:
    places.assert_equal(
        "SELECT city, german, count(*) FROM places WHERE german IN ('Zoo', 'b') AND city <> 'Zoo' GROUP BY 1, 2",
        "SELECT city, german, count(*) FROM places WHERE german IN ('Zoo', 'b') AND city <> 'Zoo' GROUP BY 1, 2",
    )


EXACT = f"(SELECT id, city, loose {C} AS loose, padded FROM places)"
LOOSELY_EQUAL = {
    "a constant": "SELECT count(*) FROM {places} p WHERE loose = 'a'",
    "a constant in a list": "SELECT count(*) FROM {places} p WHERE loose IN ('a', 'B', 'c')",
    "not a constant": "SELECT count(*) FROM {places} p WHERE loose <> 'B' AND loose IS DISTINCT FROM 'A'",
    "declared groups": "SELECT loose, count(*) FROM {places} p WHERE loose = 'A' AND loose <> 'b' GROUP BY loose",
    "derived groups": "SELECT loose || '', count(*) FROM {places} p WHERE loose <> 'a' GROUP BY 1",
    "listed groups": "SELECT loose, count(*) FROM {places} p WHERE loose IN ('a', 'B') GROUP BY loose",
    "another column": "SELECT count(*) FROM {places} p WHERE loose = padded::text OR loose = city",
    "a join": "SELECT count(*) FROM {places} p JOIN {places} q ON p.id = q.id AND p.loose = q.city",
    "a join of the column": "SELECT count(*) FROM {places} p JOIN {places} q USING (id, loose)",
    "exists": "SELECT count(*) FROM {places} p"
    " WHERE EXISTS (SELECT FROM {places} q WHERE q.id = p.id AND p.loose = q.city)",
    "in": "SELECT count(*) FROM {places} p WHERE (id, loose) IN (SELECT id, city FROM {places} q)",
    "distinct rows": "SELECT count(*) FROM {places} p JOIN (SELECT DISTINCT id, loose FROM {places} q) d"
    " ON p.id = d.id AND p.loose = d.loose",
    "distinct values": "SELECT count(DISTINCT loose) FROM {places} p",
    "a window": "SELECT count(DISTINCT id) FROM (SELECT id, count(*) OVER (PARTITION BY id, loose) AS n FROM"
    " (SELECT id, loose FROM {places} p UNION ALL SELECT id, upper(loose) FROM {places} q) u) w WHERE n = 2",
    "a choice": "SELECT count(*) FROM {places} p WHERE CASE loose WHEN 'a' THEN true END OR nullif(loose, 'B') IS NULL",
    "an array": "SELECT count(*) FROM {places} p WHERE loose = ANY (ARRAY['a', 'B'])",
}


@pytest.mark.parametrize("query", LOOSELY_EQUAL.values(), ids=LOOSELY_EQUAL)
def test_only_identical_texts_are_equal_whatever_their_collation(query: str, places: Compared) -> None:
    """The source takes 'A' for 'a' in a column of its own; a group, a key or a hash could then be that of either."""
    places.assert_equal(query.format(places="places"), query.format(places=EXACT))


def test_keys_that_the_source_spells_as_declared_are_answered(places: Compared) -> None:
    where = "WHERE city NOT IN ('straße', 'σς')"
    for key in ("upper(city)", "lower(city)", "initcap(city)", "city ~ '^[[:lower:]]+$'", "city ILIKE 'ä%'"):
        places.assert_equal(
            f"SELECT {key}, count(*) FROM places {where} GROUP BY 1",
            f"SELECT {key}, count(*) FROM places {where} GROUP BY 1",
        )


def test_keys_that_the_source_spells_in_another_way_are_refused_before_the_charge(places: Compared) -> None:
    """ICU writes straße as STRASSE: its rows would be in no declared group."""
    places.assert_refused("SELECT upper(city), count(*) FROM places GROUP BY 1", "server-keys")
    places.assert_refused("SELECT mode() WITHIN GROUP (ORDER BY upper(city)) FROM places", "server-keys")


def test_the_order_of_jsonb_and_names_in_the_servers_language_are_refused(places: Compared) -> None:
    places.assert_refused("SELECT count(*) FROM places WHERE details < '\"b\"'", "comparison")
    places.assert_refused(
        "SELECT count(*) FROM places WHERE to_char(date '2024-01-01' + id, 'TMMonth') = 'May'", "constant-argument"
    )


def test_the_released_rows_sort_by_code_point(places: Compared) -> None:
    rows = places.client.execute("SELECT city FROM places WHERE city IS NOT NULL GROUP BY city ORDER BY city")
    assert [city for (city,) in rows] == sorted(WORDS)


def test_a_session_is_told_once_that_texts_sort_by_code_point(places: Compared) -> None:
    told = "NOTICE:  text is compared and sorted by code point here, unlike in the private database"
    count = "SELECT count(*) FROM places WHERE city < 'b';"
    assert psql(places.proxy, "SELECT 1;", count, count).stderr.count(told) == 1
    assert told not in run_psql_without_notices(places.proxy)


def run_psql_without_notices(proxy: RunningProxy) -> str:
    """What psql prints to standard error with dp.notices off in the connection's options."""
    conninfo = proxy.dsn(options="-c dp.notices=off")
    return run_program(proxy, "psql", "-X", conninfo, "-c", "SELECT 1").stderr


def test_a_session_before_a_source_in_the_c_locale_is_told_nothing(proxy: RunningProxy) -> None:
    assert psql(proxy, "SELECT 1;").stderr == ""
