"""attack 23: only SQL generated from the checked tree reaches the source, whatever names and texts a client writes.

Names of the compiler's own, texts that look like SQL, and texts that come back from the stage into a source query.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from tests.attacks.attacker import DENIED, UNSUPPORTED, Attacker, attacking
from tests.end_to_end.conftest import StartProxy

ODD_TEXTS = (
    "' OR true --",
    "\\' OR true --",
    "x'); DROP TABLE visits; --",
    '{"a",NULL}',
    '"',
    "\\",
    "\\\\",
    "NULL",
    "{}",
    ",",
    "a\nb",
    "$$",
    "$1",
    "%s",
    "dpproxy",
    "/* */",
    "Ünï\u00a0cödé",
    "'::text[]",
)


@pytest.fixture(scope="module")
def attacker(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Attacker]:
    with attacking(proxies, copy_clinic) as attacker:
        attacker.source.cursor().executemany(
            "UPDATE visits SET diagnosis = %s WHERE visit_id = %s", [(text, n + 1) for n, text in enumerate(ODD_TEXTS)]
        )
        yield attacker


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_text_is_itself_as_a_literal_a_parameter_and_a_released_value(text: str, attacker: Attacker) -> None:
    quoted = "'" + text.replace("'", "''") + "'"
    assert attacker.ask(f"SELECT count(*) FROM visits WHERE diagnosis = {quoted}") == [(1,)]
    bound = attacker.client.execute("SELECT count(*) FROM visits WHERE diagnosis = %s AND visit_id < 100", [text])
    assert bound.fetchall() == [(1,)]
    released = f"SELECT v FROM (VALUES ({quoted}), ('of nobody')) AS x(v) GROUP BY v"
    assert attacker.ask(f"SELECT count(*) FROM visits WHERE diagnosis IN ({released})") == [(1,)]
    joined = f"SELECT r.v, count(*) FROM visits JOIN ({released}) AS r ON r.v = diagnosis GROUP BY r.v"
    assert dict(attacker.ask(joined)) == {text: 1, "of nobody": 0}


NAMES = {
    "an alias that looks like a condition": 'SELECT count(*) FROM visits "t0.cost > 0 OR true --" WHERE "t0.cost > 0 OR true --".cost > 500',
    "a column that looks like a condition": 'SELECT count(*) FROM (SELECT cost AS "a"" OR true --" FROM visits) x WHERE "a"" OR true --" > 500',
    "a released column that looks like a condition": 'SELECT count(*) FROM visits v JOIN (SELECT name AS "c0, true" FROM regions GROUP BY 1) r ON r."c0, true" = v.region',
    "an output that looks like a column": 'SELECT count(*) AS "n"", cost FROM visits --" FROM visits',
    "the source's alias": "SELECT count(*) FROM visits t1, patients t0 WHERE t0.patient_id = t1.patient_id AND t1.cost > 500 AND t0.height > 160",
    "the hidden column's name": "SELECT count(*) FROM (SELECT patient_id, minutes AS unit FROM visits) x WHERE unit > 50",
    "the hidden column's name twice": "SELECT count(*) FROM (SELECT minutes AS unit FROM visits) x JOIN (SELECT name AS unit, population FROM regions) y ON y.population > x.unit + 700",
    "names of the source query": "WITH heavy AS (SELECT * FROM visits), per_unit AS (SELECT * FROM patients), norms AS (SELECT * FROM heavy JOIN per_unit p USING (patient_id)) "
    "SELECT count(*) FROM norms",
    "names of a scalar's join": "SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM regions dpscalar_0 WHERE dpscalar_0.population > v.cost) "
    "AND cost > (SELECT avg(k0.cost) FROM visits k0 WHERE k0.patient_id = v.patient_id)",
    "names of LATERAL's keys": "SELECT count(*) FROM patients p, LATERAL (SELECT cost AS dplateral_1, minutes AS dpranked FROM visits v WHERE v.patient_id = p.patient_id "
    "ORDER BY visit_id LIMIT 1) x WHERE x.dplateral_1 > 100 AND x.dpranked > 5",
    "a keyword": 'SELECT count(*) FROM "visits" AS "select" WHERE "select"."cost" > 5 AND "select".urgent',
    "not ASCII": 'SELECT count(*) FROM visits AS "ünï" WHERE "ünï".cost > 5',
    "a CTE over its own name": "WITH visits AS (SELECT * FROM visits WHERE urgent), patients AS (SELECT * FROM visits) SELECT count(*) FROM patients",
    "a released CTE under a table's name": "WITH patients AS (SELECT region, count(*) AS n FROM visits GROUP BY region) SELECT count(*) FROM visits v JOIN patients p USING (region) WHERE n > 5",
    "comments": "SELECT count(*) /* ' */ FROM visits -- '\n WHERE cost > 5 /* /* -- */ */ AND urgent",
    "comment signs in texts": "SELECT count(*) FROM visits WHERE urgent OR diagnosis = '/*' OR diagnosis = '*/' OR diagnosis = '--'",
}


@pytest.mark.parametrize("query", NAMES.values(), ids=NAMES.keys())
def test_name_means_what_it_means_to_postgres(query: str, attacker: Attacker) -> None:
    assert attacker.ask(query) == attacker.ask_source(query)


HIDDEN = {
    "hidden column": ("SELECT count(unit) FROM (SELECT region FROM visits) x", "42703", None),
    "hidden column by its table": ("SELECT x.unit, count(*) FROM (SELECT region FROM visits) x GROUP BY 1", "42703", None),
    "column's inner name": ("SELECT count(c0) FROM (SELECT region FROM visits) x", "42703", None),
    "key of LATERAL": (
        "SELECT count(x.dplateral_0) FROM patients p, LATERAL (SELECT cost FROM visits v WHERE v.patient_id = p.patient_id) x",
        "42703",
        None,
    ),
    "rank of LATERAL": (
        "SELECT count(*) FROM patients p, LATERAL (SELECT minutes AS dprank FROM visits v WHERE v.patient_id = p.patient_id ORDER BY cost LIMIT 1) x",
        DENIED,
        "unknown-column",
    ),
    "scalar's own name": ("SELECT count(*) FROM visits dpscalar_0 WHERE cost > (SELECT avg(cost) FROM visits)", UNSUPPORTED, "duplicate-alias"),
    "scalar's own name on a derived table": (
        "SELECT count(*) FROM (SELECT patient_id, cost AS v FROM visits) dpscalar_0 WHERE v > (SELECT avg(cost) FROM visits)",
        UNSUPPORTED,
        "duplicate-alias",
    ),
    "marker of feedback": ("SELECT count(*) FROM visits WHERE diagnosis = 'dpproxy_feedback_0'", UNSUPPORTED, "reserved-name"),
    "catalog beside private rows": ("SELECT count(*) FROM visits v JOIN pg_class c ON c.relname = v.region", UNSUPPORTED, "from-relation"),
    "schema that has no such table": ("SELECT count(*) FROM pg_catalog.visits", "42P01", None),
    "function of a schema that has none": ("SELECT count(*) FROM visits WHERE public.left(diagnosis, 2) = 'x'", "42883", None),
    "empty table that shadows": ("CREATE TEMP TABLE regions (name text)", "42P07", None),
    "table that shadows": ("CREATE TEMP TABLE regions AS SELECT 1 AS name", "42P07", None),
    "view that shadows": ("CREATE TEMP VIEW visits AS SELECT 1", "42P07", None),
    "function that shadows": ("CREATE FUNCTION pg_temp.lower(text) RETURNS text LANGUAGE sql AS 'SELECT 1'", DENIED, None),
}  # fmt: skip


@pytest.mark.parametrize(("query", "sqlstate", "rule"), HIDDEN.values(), ids=HIDDEN.keys())
def test_name_that_is_not_the_clients_is_refused(
    query: str, sqlstate: str, rule: str | None, attacker: Attacker
) -> None:
    attacker.assert_refused(query, sqlstate, rule)


@pytest.mark.parametrize("path", ["pg_temp, public", '"$user", public', "pg_catalog, public", "public, pg_temp"])
def test_search_path_of_the_client_changes_no_measurement(path: str, attacker: Attacker) -> None:
    with attacker.proxy.connect() as other:
        other.execute(f"SET search_path = {path}".encode())
        try:
            counted = other.execute("SELECT count(lower(region)) FROM visits v JOIN regions r ON r.name = v.region")
        except psycopg.errors.InsufficientPrivilege:
            # The stage does not even let a client look into a schema for temporary tables.
            assert path.startswith("pg_temp")
        else:
            assert counted.fetchall() == [(12000,)]
