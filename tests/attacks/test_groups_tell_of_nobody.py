"""attacks 11, 12, 19 and 22: neither which groups show nor what an empty or tiny group says is one person's doing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal

import pytest

from proxy.policy.model import Policy
from tests.attacks.attacker import DENIED, UNSUPPORTED, Attacker, attacking, exact_policy
from tests.end_to_end.charging import all_spent
from tests.end_to_end.conftest import StartProxy

ALONE = """
INSERT INTO patients (patient_id, region, sex, birth_year, height) VALUES (2001, 'nowhere', 'X', 1888, 99.5);
INSERT INTO visits (visit_id, patient_id, region, specialty_id, visited_at, cost, diagnosis, urgent)
VALUES (20001, 2001, 'nowhere', 4, '2024-01-01', 1234.56, 'only mine', true);
INSERT INTO insurances VALUES (2001, 'company 9', 77);
"""
"""A person with values that nobody else has, in declared and undeclared columns."""

NOBODY = "TRUNCATE prescriptions, insurances, visits, patients"
REGIONS = {"north", "south", "east", "west", "nowhere"}
PUBLIC_FIRST = "regions r LEFT JOIN visits v ON v.region = r.name"


def noisy_policy() -> Policy:
    """Noise of some rows, and budgets for every test here."""
    content = exact_policy().model_dump(exclude_none=True)
    for table in content["tables"].values():
        if not table.get("public"):
            table["budget"] = {"epsilon": "10000", "delta": "0.1"}
            table["query"] = {"epsilon": "1", "max_epsilon": "1", "delta": "1e-9"}
            table["contribution"] = {"max_rows": 10, "max_rows_per_group": 10, "max_groups": 5}
    return Policy.model_validate(content)


@pytest.fixture(scope="module")
def exact(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Attacker]:
    """Exact answers: what hides a person here is not the noise."""
    with attacking(proxies, copy_clinic, changes=ALONE) as attacker:
        yield attacker


@pytest.fixture(scope="module")
def noisy(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Attacker]:
    with attacking(proxies, copy_clinic, noisy_policy(), changes=ALONE) as attacker:
        yield attacker


@pytest.fixture(scope="module")
def empty(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Attacker]:
    """A proxy with noise before a clinic where nobody has ever been."""
    with attacking(proxies, copy_clinic, noisy_policy(), changes=NOBODY) as attacker:
        yield attacker


BY_PERSON = {
    "11 unit": "SELECT patient_id, count(*) FROM visits GROUP BY patient_id",
    "11 unit by number": "SELECT patient_id, count(*) FROM visits GROUP BY 1",
    "11 unit in parentheses": "SELECT count(*) FROM visits GROUP BY (patient_id), region",
    "11 unit of a join": "SELECT p.patient_id, count(*) FROM patients p JOIN visits v USING (patient_id) GROUP BY p.patient_id",
    "11 unit renamed below": "SELECT id, count(*) FROM (SELECT patient_id AS id FROM visits) x GROUP BY id",
    "11 unit renamed by a CTE": "WITH x (id) AS (SELECT patient_id FROM visits) SELECT id, count(*) FROM x GROUP BY id",
    "11 unit grouped twice": "SELECT id, sum(n) FROM (SELECT patient_id AS id, count(*) AS n FROM visits GROUP BY patient_id) x GROUP BY id",
    "11 unit of a union": "SELECT id, count(*) FROM (SELECT patient_id AS id FROM visits UNION ALL SELECT patient_id FROM patients) x GROUP BY id",
    "11 unit distinct": "SELECT DISTINCT region, patient_id FROM visits",
    "11 unit in a total": "SELECT region, count(*) FROM visits GROUP BY ROLLUP (region, patient_id)",
    "11 unit inside a function": "SELECT DISTINCT round(patient_id / 0.5) FROM patients",
    "11 unit beside another number": "SELECT patient_id * 10 + birth_year, count(*) FROM patients GROUP BY 1",
    "11 unit beside a text": "SELECT c, count(*) FROM (SELECT left(region || visit_id, 40) AS c FROM visits) x GROUP BY c",
    "11 row": "SELECT visit_id, count(*) FROM visits GROUP BY visit_id",
    "11 row that leads to the unit": "SELECT visit_id, count(*) FROM prescriptions GROUP BY visit_id",
}


@pytest.mark.parametrize("query", BY_PERSON.values(), ids=BY_PERSON.keys())
def test_group_by_the_person_is_denied(query: str, exact: Attacker) -> None:
    exact.assert_refused(query, DENIED, "group-by-unit")


NEARLY_UNIQUE = {
    "11 part of the unit's text": "SELECT right(patient_id::text, 9), count(*) FROM patients GROUP BY 1",
    "11 number made of the unit": "SELECT patient_id % 99991, count(*) FROM patients GROUP BY 1",
    "11 three columns together": "SELECT height + 0, registered, birth_year, count(*) FROM patients GROUP BY 1, 2, 3",
    "11 first row of each person": "SELECT n, count(*) FROM (SELECT min(visit_id) AS n FROM visits GROUP BY patient_id) x GROUP BY n",
    "11 column beside the row": "SELECT c, count(*) FROM (SELECT left(region || visit_id, 9) AS c FROM visits) x GROUP BY c",
}


@pytest.mark.parametrize("query", NEARLY_UNIQUE.values(), ids=NEARLY_UNIQUE.keys())
def test_groups_of_one_person_each_never_show(query: str, exact: Attacker) -> None:
    assert len(exact.ask_source(query)) > 1000
    assert exact.ask(query) == []


ONLY_MINE = {
    "12 undeclared text": "SELECT diagnosis, count(*) FROM visits GROUP BY diagnosis",
    "12 undeclared text through a derived table": "SELECT d, count(*) FROM (SELECT diagnosis AS d FROM visits) x GROUP BY d",
    "12 undeclared distinct": "SELECT DISTINCT diagnosis FROM visits",
    "12 undeclared maximum": "SELECT m, count(*) FROM (SELECT max(diagnosis) AS m FROM visits GROUP BY patient_id) x GROUP BY m",
    "12 beside declared keys": "SELECT company, region, count(*) FROM insurances JOIN patients USING (patient_id) GROUP BY 1, 2",
    "12 outside the declared values": "SELECT sex, count(*) FROM patients GROUP BY sex",
    "12 outside the declared range": "SELECT birth_year, count(*) FROM patients GROUP BY birth_year",
    "12 outside the values of a derived column": "SELECT s, count(*) FROM (SELECT lower(sex) AS s FROM patients) x GROUP BY s",
    "12 in one branch": "SELECT s, count(*) FROM (SELECT sex AS s FROM patients UNION ALL SELECT 'F' FROM visits) x GROUP BY s",
}


@pytest.mark.parametrize("query", ONLY_MINE.values(), ids=ONLY_MINE.keys())
def test_key_that_only_one_person_has_does_not_show(query: str, exact: Attacker) -> None:
    mine = {"only mine", "company 9", "X", "x", 1888}
    assert mine & {row[0].strip() if isinstance(row[0], str) else row[0] for row in exact.ask_source(query)}
    shown = {row[0].strip() if isinstance(row[0], str) else row[0] for row in exact.ask(query)}
    assert shown
    assert not mine & shown


DECLARED = {
    "12 values": ("SELECT sex, count(*) FROM patients GROUP BY sex", {"F", "M", None}),
    "12 public table": ("SELECT region, count(*) FROM visits GROUP BY region", REGIONS | {None}),
    "12 distinct": ("SELECT DISTINCT region FROM visits", REGIONS | {None}),
    "12 derived": ("SELECT r, count(*) FROM (SELECT region AS r FROM visits WHERE urgent) x GROUP BY r", REGIONS | {None}),
    "12 computed": ("SELECT upper(region), count(*) FROM visits GROUP BY 1", {name.upper() for name in REGIONS} | {None}),
    "12 condition": ("SELECT cost > 5, count(*) FROM visits GROUP BY 1", {True, False, None}),
    "12 join": ("SELECT r.name, count(*) FROM visits v JOIN regions r ON r.name = v.region GROUP BY 1", REGIONS),
    "19 public left join": (f"SELECT r.name, count(v.cost) FROM {PUBLIC_FIRST} GROUP BY r.name", REGIONS),
    "19 public left join, distinct": (f"SELECT DISTINCT r.name FROM {PUBLIC_FIRST}", REGIONS),
    "19 a right join": ("SELECT r.name, count(v.cost) FROM visits v RIGHT JOIN regions r ON v.region = r.name GROUP BY 1", REGIONS),
}  # fmt: skip


@pytest.mark.parametrize(("query", "keys"), DECLARED.values(), ids=DECLARED.keys())
def test_declared_keys_show_where_nobody_has_ever_been(query: str, keys: set[object], empty: Attacker) -> None:
    assert {row[0].strip() if isinstance(row[0], str) else row[0] for row in empty.ask(query)} == keys


EMPTINESS = {
    "19 a subquery that drops public rows by private values": "SELECT r.name, count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name "
    "WHERE NOT EXISTS (SELECT FROM specialties s WHERE s.specialty_id = v.specialty_id) GROUP BY 1",
    "19 the same two queries deep": "SELECT r.name, count(v.visit_id) FROM regions r LEFT JOIN visits v ON v.region = r.name WHERE NOT EXISTS "
    "(SELECT FROM specialties s WHERE EXISTS (SELECT FROM regions q WHERE q.population > s.specialty_id + v.minutes)) GROUP BY 1",
    "19 rows that nobody meets": f"SELECT r.name, count(*) FROM {PUBLIC_FIRST} GROUP BY r.name",
    "19 all rows": f"SELECT count(*) FROM {PUBLIC_FIRST}",
    "19 public column": f"SELECT count(r.name) FROM {PUBLIC_FIRST}",
    "19 public sum": f"SELECT sum(r.population) FROM {PUBLIC_FIRST}",
    "19 public distinct": f"SELECT count(DISTINCT r.name) FROM {PUBLIC_FIRST}",
    "19 who has nobody": f"SELECT count(v.cost) FROM {PUBLIC_FIRST} WHERE v.visit_id IS NULL",
    "19 NULL filled": f"SELECT r.name, sum(coalesce(v.cost, 1)) FROM {PUBLIC_FIRST} GROUP BY 1",
    "19 NULL counted": f"SELECT r.name, count(v.visit_id IS NULL) FROM {PUBLIC_FIRST} GROUP BY 1",
    "19 NULL in CASE": f"SELECT r.name, sum(CASE WHEN v.visit_id IS NULL THEN 1 ELSE 0 END) FROM {PUBLIC_FIRST} GROUP BY 1",
    "19 NULL in FILTER": f"SELECT r.name, count(*) FILTER (WHERE v.visit_id IS NULL) FROM {PUBLIC_FIRST} GROUP BY 1",
    "19 NULL as a key": f"SELECT v.visit_id IS NULL, count(v.cost) FROM {PUBLIC_FIRST} GROUP BY 1",
    "19 private key": f"SELECT v.region, count(v.cost) FROM {PUBLIC_FIRST} GROUP BY 1",
    "19 private key, distinct": f"SELECT DISTINCT v.region FROM {PUBLIC_FIRST}",
    "19 kept below": f"SELECT count(*) FROM (SELECT r.name, v.visit_id FROM {PUBLIC_FIRST}) x WHERE visit_id IS NULL",
    "19 kept below, by a derived table": "SELECT r.name, count(*) FROM regions r LEFT JOIN (SELECT * FROM visits) v ON v.region = r.name GROUP BY 1",
    "19 a row that differs in its public part": f"SELECT count(*) FROM {PUBLIC_FIRST} WHERE ROW(v.cost, r.name) <> ROW(1, 'north')",
    "19 kept from the right": "SELECT count(r.name) FROM visits v RIGHT JOIN regions r ON v.region = r.name",
}


@pytest.mark.parametrize("query", EMPTINESS.values(), ids=EMPTINESS.keys())
def test_count_of_public_rows_that_nobody_meets_is_refused(query: str, exact: Attacker) -> None:
    exact.assert_refused(query, UNSUPPORTED, "outer-join-rows")


def test_full_join_and_join_after_an_outer_join_are_refused(exact: Attacker) -> None:
    exact.assert_refused(
        "SELECT count(*) FROM visits v FULL JOIN regions r ON v.region = r.name", UNSUPPORTED, "join-kind"
    )
    kept = f"SELECT count(v.cost) FROM {PUBLIC_FIRST} JOIN regions s ON s.name = coalesce(v.region, 'north')"
    exact.assert_refused(kept, UNSUPPORTED, "join-kind")


def test_group_of_nobody_is_as_noisy_as_any_other(noisy: Attacker, empty: Attacker) -> None:
    """Six numbers, none with a probability above 0.1: all equal with a probability below 1e-5."""
    for attacker in (noisy, empty):
        counts = [
            attacker.ask(
                f"SELECT count(v.cost) FROM {PUBLIC_FIRST} AND v.cost > {least} WHERE r.name = 'nowhere' GROUP BY r.name"
            )
            for least in range(6)
        ]
        assert len({count for ((count,),) in counts}) > 1


GLOBAL = "SELECT count(*), sum(cost), count(DISTINCT patient_id), count(DISTINCT diagnosis) FROM visits"


def test_aggregates_over_nothing_are_noisy_numbers_and_never_null(noisy: Attacker, empty: Attacker) -> None:
    """Five rows of four noisy numbers each: all equal with a probability far below 1e-9."""
    for attacker, condition in (
        (empty, "cost > {}"),
        (noisy, "patient_id = -{} - 1"),
        (noisy, "cost > {} AND visit_id < 0"),
    ):
        rows = [attacker.ask(f"{GLOBAL} WHERE {condition.format(number)}")[0] for number in range(5)]
        assert all(None not in row for row in rows)
        assert len(set(rows)) > 1


def test_nothing_by_literals_alone_is_postgres_own_whoever_is_there(noisy: Attacker, empty: Attacker) -> None:
    """Exact and free, and the same with and without rows: it tells what the literals are."""
    query = f"{GLOBAL} WHERE cost > 5 AND false"
    for attacker in (noisy, empty):
        before = all_spent(attacker.observer)
        assert attacker.ask(query) == attacker.ask_source(query) == [(0, None, 0, 0)]
        assert all_spent(attacker.observer) == before


def test_scalar_subquery_over_nothing_is_a_noisy_number_too(empty: Attacker) -> None:
    """Compared with NULL, nothing would be counted for certain."""
    rows = [empty.ask(f"SELECT (SELECT sum(cost) FROM visits WHERE minutes > {number}) IS NULL") for number in range(3)]
    assert rows == [[(False,)]] * 3


def test_average_over_one_person_is_noisy_and_inside_the_bounds(noisy: Attacker) -> None:
    """attack 22: neither the sum nor the number of rows that it is divided by is exact."""
    exact_average = Decimal("1234.56")
    averages = [
        noisy.ask(f"SELECT avg(cost) FROM visits WHERE patient_id = 2001 AND visit_id > {number}")[0][0]
        for number in range(6)
    ]
    assert noisy.ask_source("SELECT avg(cost) FROM visits WHERE patient_id = 2001") == [(exact_average,)]
    shown = [average for average in averages if average is not None]
    assert all(0 <= average <= 2000 for average in shown)
    assert len(shown) < len(averages), "the noise of few rows is mostly all that there is"
    assert sum(abs(average - exact_average) < 1 for average in shown) <= 2


def test_average_of_a_group_of_one_is_as_wide_as_its_bounds(noisy: Attacker) -> None:
    """The group of a declared key that one person has looks like the group that nobody has."""
    query = "SELECT region, avg(cost) FROM visits WHERE visit_id > {} GROUP BY region"
    answers: list[dict[str, Decimal | None]] = [dict(noisy.ask(query.format(20000 - number))) for number in range(6)]
    mine = [answer["nowhere"] for answer in answers if answer["nowhere"] is not None]
    assert len(mine) < len(answers)
    assert all(0 <= average <= 2000 for average in mine)
    assert sum(abs(average - Decimal("1234.56")) < 1 for average in mine) <= 2
