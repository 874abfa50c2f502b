"""Keys of joined public rows: only combinations show that a row can have, and all of those."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.test_count_distinct import EXACT

REGIONS = "SELECT name, zone FROM regions"
TOP = "(SELECT region FROM visits GROUP BY 1 ORDER BY count(*) DESC, region LIMIT 2)"
PATIENTS = "(VALUES ('north'), ('south'), ('east'), ('west'), ('nowhere'), (NULL)) AS v(region)"
"""Everything that the policy declares of a patient's region."""

LABELS = "(VALUES ('north', 'known'), ('south', NULL), (NULL, 'unknown')) AS w(name, label)"
QUERIES = {
    "an inner join": ("SELECT p.region, r.zone, {} FROM patients p JOIN regions r ON r.name = p.region", REGIONS),
    "WHERE": ("SELECT p.region, r.zone, {} FROM patients p, regions r WHERE r.name = p.region", REGIONS),
    "a left join": (
        "SELECT p.region, r.zone, {} FROM patients p LEFT JOIN regions r ON r.name = p.region",
        f"{REGIONS} UNION SELECT NULL, NULL",
    ),
    "a left join by USING": (
        "SELECT v.specialty_id, s.title, s.code, {} FROM visits v LEFT JOIN specialties s USING (specialty_id)",
        "SELECT * FROM specialties UNION SELECT NULL, NULL, NULL",
    ),
    "conditions of public rows": (
        "SELECT p.region, {} FROM patients p JOIN regions r ON r.name = p.region WHERE r.zone = 'cold'",
        "SELECT name FROM regions WHERE zone = 'cold'",
    ),
    "expressions": (
        "SELECT upper(p.region), lower(r.zone), {} FROM patients p LEFT JOIN regions r ON r.name = p.region",
        "SELECT upper(name), zone FROM regions UNION SELECT NULL, NULL",
    ),
    "subqueries on both sides": (
        "SELECT p.region, r.zone, {} FROM (SELECT region FROM patients WHERE smoker) p "
        "LEFT JOIN (SELECT name, zone FROM regions WHERE population > 600) r ON r.name = p.region",
        f"SELECT v.region, r.zone FROM {PATIENTS} LEFT JOIN regions r ON name = v.region AND population > 600",
    ),
    "two columns": (
        "SELECT v.region, p.region, r.zone, {} FROM visits v JOIN patients p USING (patient_id) "
        "LEFT JOIN regions r ON r.name = v.region AND r.name = p.region",
        f"SELECT v.region, w.region, r.zone FROM {PATIENTS} CROSS JOIN {PATIENTS.replace(' v(', ' w(')} "
        "LEFT JOIN regions r ON r.name = v.region AND r.name = w.region",
    ),
    "columns of two people's tables": (
        "SELECT v.region, p.region, {} FROM visits v JOIN patients p USING (patient_id) WHERE v.region = p.region",
        "SELECT name, name FROM regions",
    ),
    "a column that USING merges": (
        "SELECT region, {} FROM visits JOIN patients USING (patient_id, region)",
        "SELECT name FROM regions",
    ),
    "a column that an inner join leaves no NULL in": (
        "SELECT p.region, {} FROM visits v JOIN patients p ON p.patient_id = v.patient_id AND p.region = v.region",
        "SELECT name FROM regions",
    ),
    "a condition besides equality": (
        "SELECT p.region, r.zone, {} FROM patients p LEFT JOIN regions r ON r.name = p.region AND r.population > 800",
        f"SELECT v.region, z.zone FROM {PATIENTS} CROSS JOIN (SELECT zone FROM regions UNION SELECT NULL) AS z",
    ),
    "rows that a second join may leave without a match": (
        "SELECT p.region, r.zone, q.zone, {} FROM patients p LEFT JOIN regions r ON r.name = p.region "
        "LEFT JOIN regions q ON q.zone = r.zone AND q.name = r.name",
        f"SELECT v.region, r.zone, q.zone FROM {PATIENTS} LEFT JOIN regions r ON r.name = v.region "
        "LEFT JOIN regions q ON q.zone = r.zone AND q.name = r.name",
    ),
    "rows with a NULL that equals nothing": (
        f"SELECT w.label, {{}} FROM visits v JOIN {LABELS} ON w.name = v.region",
        "VALUES ('known'), (NULL)",
    ),
    "rows with a NULL that WHERE equals with something": (
        f"SELECT w.label, {{}} FROM visits v, {LABELS} WHERE w.name = v.region",
        "VALUES ('known'), (NULL)",
    ),
    "a left join of rows with a NULL that equals nothing": (
        f"SELECT w.label, {{}} FROM visits v LEFT JOIN {LABELS} ON w.name = v.region",
        "VALUES ('known'), (NULL)",
    ),
    "rows with a NULL that is as good as another": (
        f"SELECT w.label, {{}} FROM patients p JOIN {LABELS} ON w.name IS NOT DISTINCT FROM p.region",
        "VALUES ('known'), (NULL), ('unknown')",
    ),
    "a released list in CASE": (
        f"SELECT CASE WHEN region IN {TOP} THEN region ELSE 'other' END, {{}} FROM visits",
        f"SELECT region FROM {TOP} AS t UNION SELECT 'other'",
    ),
    "a released list beside its rest": (
        f"SELECT CASE WHEN t.region IS NULL THEN 'other' ELSE v.region END, {{}} FROM visits v LEFT JOIN {TOP} AS t "
        "ON t.region = v.region",
        f"SELECT region FROM {TOP} AS t UNION SELECT 'other'",
    ),
}
"""Queries without GROUP BY, and the keys that rows can have, by public rows and released lists alone."""


@pytest.fixture(scope="module")
def connections(proxies: StartProxy) -> Iterator[tuple[psycopg.Connection, psycopg.Connection]]:
    """A client of a proxy that answers exactly, and one of the source itself."""
    proxy = proxies(clinic.policy(visits=EXACT, patients=EXACT))
    with proxy.connect() as client, psycopg.connect(proxy.options.source_dsn, autocommit=True) as source:
        yield client, source


@pytest.mark.parametrize(("query", "possible"), QUERIES.values(), ids=QUERIES.keys())
def test_only_possible_groups_show_and_all_of_them(
    query: str, possible: str, connections: tuple[psycopg.Connection, psycopg.Connection]
) -> None:
    client, source = connections
    keys = ", ".join(str(place + 1) for place in range(len(source.execute(possible.encode()).description or ())))
    text = f"{query.format('count(*)')} GROUP BY {keys}".encode()
    rows, expected = (set(connection.execute(text).fetchall()) for connection in (client, source))
    assert {row for row in rows if row[-1]} == expected
    assert {row[:-1] for row in rows} == set(source.execute(possible.encode()).fetchall())
