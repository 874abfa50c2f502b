"""Joins between private tables: answered as Postgres does where every row has one unit, refused where it need not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal

import psycopg
import pytest

from proxy.policy.model import Policy
from tests.end_to_end import clinic
from tests.end_to_end.comparing import Connections, client_and_source
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy
from tests.end_to_end.test_equals_postgres import assert_same

SCHEMA = """
CREATE TABLE prescriptions (
    prescription_id integer PRIMARY KEY, visit_id bigint REFERENCES visits, drug text NOT NULL, dose integer NOT NULL
);
INSERT INTO prescriptions
SELECT i, CASE WHEN i % 17 > 0 THEN 1 + (i * 7919) % 12000 END, 'drug ' || i % 5, i % 90 FROM generate_series(1, 9000) AS i;
CREATE TABLE insurances (patient_id integer, company text NOT NULL, premium integer NOT NULL);
INSERT INTO insurances SELECT 1 + (i * 31) % 2000, 'company ' || i % 3, i % 500 FROM generate_series(1, 1500) AS i;
ANALYZE;
"""

QUERIES = {
    "on the unit": "SELECT p.region, count(*), avg(v.cost) FROM visits v JOIN patients p ON p.patient_id = v.patient_id GROUP BY 1",
    "using": "SELECT sex, count(*), count(DISTINCT patient_id) FROM visits JOIN patients USING (patient_id) GROUP BY sex",
    "natural": "SELECT count(*), sum(premium) FROM patients NATURAL JOIN insurances",
    "comma and where": "SELECT p.smoker, sum(v.minutes) FROM patients p, visits v WHERE v.patient_id = p.patient_id AND v.urgent GROUP BY 1",
    "left join keeps units": "SELECT p.sex, count(*), count(i.premium), sum(i.premium) FROM patients p LEFT JOIN insurances i "
    "ON i.patient_id = p.patient_id GROUP BY p.sex",
    "foreign key path alone": "SELECT drug, count(*), sum(dose) FROM prescriptions GROUP BY drug",
    "along the foreign key": "SELECT v.region, avg(r.dose) FROM prescriptions r JOIN visits v ON v.visit_id = r.visit_id GROUP BY 1",
    "three tables": "SELECT p.sex, v.urgent, count(*), sum(r.dose) FROM prescriptions r JOIN visits v USING (visit_id) "
    "JOIN patients p USING (patient_id) GROUP BY 1, 2",
    "with public tables": "SELECT s.title, g.zone, count(*) FROM visits v JOIN specialties s USING (specialty_id) "
    "JOIN patients p USING (patient_id) LEFT JOIN regions g ON g.name = p.region GROUP BY 1, 2",
    "self join on the unit": "SELECT count(*) FROM insurances a JOIN insurances b ON a.patient_id = b.patient_id AND a.premium < b.premium",
    "rows of one parent": "SELECT count(*) FROM prescriptions a JOIN prescriptions b ON a.visit_id = b.visit_id AND a.dose < b.dose",
    "exists within the unit": "SELECT region, count(*) FROM patients p WHERE EXISTS "
    "(SELECT 1 FROM visits v WHERE v.patient_id = p.patient_id AND v.cost > 990) GROUP BY region",
    "not exists within the unit": "SELECT count(*), avg(height) FROM patients p WHERE NOT EXISTS "
    "(SELECT * FROM insurances i WHERE i.patient_id = p.patient_id AND i.premium > p.birth_year - 1700)",
    "in within the unit": "SELECT count(*) FROM patients WHERE patient_id IN (SELECT patient_id FROM visits WHERE urgent AND minutes > 115)",
    "not in within the unit": "SELECT count(*) FROM patients WHERE patient_id NOT IN (SELECT v.patient_id FROM visits v WHERE v.cost > 900)",
    "in over public rows": "SELECT count(*), sum(cost) FROM visits WHERE region IN (SELECT name FROM regions WHERE zone = 'cold')",
    "not in over public rows with null": "SELECT count(*) FROM visits WHERE region NOT IN (SELECT zone FROM regions)",
    "exists over joined public rows": "SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM regions r JOIN specialties s "
    "ON length(s.title) > r.population % 11 WHERE r.name = v.region AND s.specialty_id = v.specialty_id)",
    "exists in a filter": "SELECT sex, count(*) FILTER (WHERE EXISTS (SELECT FROM regions r WHERE r.name = patients.region "
    "AND r.zone = 'cold')), count(*) FROM patients GROUP BY sex",
    "exists in exists": "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id "
    "AND EXISTS (SELECT FROM prescriptions r WHERE r.visit_id = v.visit_id AND r.dose > 85))",
    "exists in a sum": "SELECT sum(CASE WHEN EXISTS (SELECT FROM insurances i WHERE i.patient_id = p.patient_id) THEN height ELSE 0 END) FROM patients p",
}

REFUSED = {
    "exists over anybody's rows": "SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM patients p WHERE p.region = v.region)",
    "exists over all rows": "SELECT count(*) FROM visits WHERE EXISTS (SELECT FROM insurances)",
    "exists under OR": "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id OR v.urgent)",
    "in of another column": "SELECT count(*) FROM visits WHERE region IN (SELECT region FROM patients)",
    "in with nulls in the list": "SELECT count(*) FROM patients WHERE patient_id NOT IN (SELECT patient_id FROM insurances)",
    "inner rows tied to each other only": "SELECT count(*) FROM patients p WHERE EXISTS "
    "(SELECT FROM visits v JOIN insurances i ON i.patient_id = v.patient_id)",
    "exists in exists not tied": "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v "
    "WHERE v.patient_id = p.patient_id AND EXISTS (SELECT FROM prescriptions r WHERE r.dose = v.minutes))",
    "no condition": "SELECT count(*) FROM visits, patients",
    "on another column": "SELECT count(*) FROM visits v JOIN patients p ON p.region = v.region",
    "self join on another column": "SELECT count(*) FROM patients a JOIN patients b ON a.birth_year = b.birth_year",
    "inequality of units": "SELECT count(*) FROM patients a JOIN patients b ON a.patient_id < b.patient_id",
    "equality under OR": "SELECT count(*) FROM visits v JOIN patients p ON p.patient_id = v.patient_id OR p.sex = 'F'",
    "equality negated": "SELECT count(*) FROM visits v JOIN patients p ON NOT p.patient_id = v.patient_id",
    "equality of an expression": "SELECT count(*) FROM visits v JOIN patients p ON p.patient_id = v.patient_id + 1",
    "equality of unlike types": "SELECT count(*) FROM visits v JOIN patients p ON p.patient_id = v.visit_id",
    "equality inside another left join": "SELECT count(*) FROM visits v CROSS JOIN patients p "
    "LEFT JOIN regions r ON p.patient_id = v.patient_id",
    "a left join that ties two tables only where it matches": "SELECT count(*) FROM patients p CROSS JOIN visits v "
    "LEFT JOIN insurances i ON i.patient_id = v.patient_id AND i.patient_id = p.patient_id",
    "a left join by using that does": "SELECT count(*) FROM visits v CROSS JOIN patients p LEFT JOIN prescriptions r "
    "USING (visit_id) LEFT JOIN insurances i ON i.patient_id = p.patient_id AND i.patient_id = v.patient_id",
    "third table loose": "SELECT count(*) FROM visits v JOIN patients p USING (patient_id), insurances i",
    "children of different parents": "SELECT count(*) FROM prescriptions a JOIN prescriptions b ON a.dose = b.dose",
}


def policy() -> Policy:
    """The clinic's exact policy with two more private tables."""
    base = clinic.exact_policy().model_dump(exclude_none=True)
    visits = base["tables"]["public.visits"]
    shared = {name: visits[name] for name in ("budget", "query", "contribution")}
    base["tables"]["public.prescriptions"] = shared | {
        "unit": {"name": "patient", "via": "visit_id -> public.visits.visit_id"},
        "columns": {
            "prescription_id": {},
            "visit_id": {},
            "drug": {"values": [f"drug {i}" for i in range(5)]},
            "dose": {"bounds": ["0", "100"]},
        },
    }
    base["tables"]["public.insurances"] = shared | {
        "unit": {"name": "patient", "column": "patient_id"},
        "columns": {"patient_id": {}, "company": {}, "premium": {"bounds": ["0", "500"]}},
    }
    return Policy.model_validate(base)


def start(proxies: StartProxy, copy_clinic: Callable[[], str]) -> RunningProxy:
    """An exact proxy before a clinic with prescriptions and insurances."""
    source = copy_clinic()
    with psycopg.connect(source, autocommit=True) as connection:
        connection.execute(SCHEMA)
    return proxies(policy(), source=source)


@pytest.fixture(scope="module")
def joined(proxies: StartProxy, copy_clinic: Callable[[], str]) -> RunningProxy:
    return start(proxies, copy_clinic)


@pytest.fixture(scope="module")
def connections(joined: RunningProxy) -> Iterator[Connections]:
    with client_and_source(joined) as both:
        yield both


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_join_equals_postgres(query: str, connections: Connections) -> None:
    client, source = connections
    # Rows that lead to no unit are not counted; Postgres's own answer has to leave them out as well.
    exact = query.replace(" FROM prescriptions GROUP", " FROM prescriptions WHERE visit_id IS NOT NULL GROUP")
    expected = sorted(source.execute(exact.encode()).fetchall(), key=repr)
    rows = sorted(client.execute(query.encode()).fetchall(), key=repr)
    assert len(rows) == len(expected)
    for row, expected_row in zip(rows, expected, strict=True):
        assert_same(row, expected_row)


@pytest.mark.parametrize("query", REFUSED.values(), ids=REFUSED.keys())
def test_join_of_two_units_is_refused(query: str, joined: RunningProxy) -> None:
    with joined.connect() as client, pytest.raises(psycopg.errors.FeatureNotSupported) as refusal:
        client.execute(query.encode())
    said = "columns that can be NULL" if "NOT IN" in query else "could combine rows of more than one"
    assert said in str(refusal.value)


def test_a_join_charges_every_private_table_that_it_reads(joined: RunningProxy) -> None:
    with joined.connect() as client:
        spent = "SELECT account, rho_spent FROM dp.budget ORDER BY account"
        before: dict[str, Decimal] = dict(client.execute(spent).fetchall())
        client.execute("SELECT sum(dose) + 1 FROM prescriptions WHERE dose > 3")
        after: dict[str, Decimal] = dict(client.execute(spent).fetchall())
    charged = {account for account in after if after[account] > before[account]}
    assert charged == {"table:public.prescriptions", "table:public.visits"}


def test_a_parents_key_that_is_gone_is_noticed_instead_of_counting_twice(
    proxies: StartProxy, copy_clinic: Callable[[], str]
) -> None:
    source = copy_clinic()
    with psycopg.connect(source, autocommit=True) as connection:
        connection.execute(SCHEMA)
        started = proxies(policy(), source=source)
        connection.execute("ALTER TABLE visits DROP CONSTRAINT visits_pkey CASCADE")
    with started.connect() as client, pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState):
        client.execute("SELECT sum(dose) FROM prescriptions")


def test_a_subquery_charges_the_private_table_that_it_reads(joined: RunningProxy) -> None:
    with joined.connect() as client:
        spent = "SELECT account, rho_spent FROM dp.budget ORDER BY account"
        before: dict[str, Decimal] = dict(client.execute(spent).fetchall())
        client.execute(
            "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id AND v.cost > 7)"
        )
        after: dict[str, Decimal] = dict(client.execute(spent).fetchall())
    charged = {account for account in after if after[account] > before[account]}
    assert charged == {"table:public.patients", "table:public.visits"}


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM visits a JOIN visits b USING (patient_id) JOIN visits c USING (patient_id)",
        "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits a JOIN visits b ON b.patient_id = a.patient_id "
        "JOIN visits c ON c.patient_id = a.patient_id WHERE a.patient_id = p.patient_id)",
    ],
)
def test_only_one_private_table_may_multiply_anothers_rows(query: str, joined: RunningProxy) -> None:
    with (
        joined.connect() as client,
        pytest.raises(psycopg.errors.FeatureNotSupported, match="multiply the private rows"),
    ):
        client.execute(query.encode())


def test_people_are_not_added_up_into_totals(joined: RunningProxy) -> None:
    with joined.connect() as client, pytest.raises(psycopg.errors.FeatureNotSupported, match="cannot be combined with"):
        client.execute("SELECT region, count(DISTINCT patient_id) FROM visits GROUP BY ROLLUP (region)")
