"""No person has so many rows that the time of a join tells of it: where rows meet rows, a unit has a limited number, and
so it has where each row may take long by itself.

Units within the limit get Postgres's own answer; of others the first rows by a key take part, which only their own rows
decide. Everything here is asked for an exact answer, so that each row counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.attacks.attacker import UNSUPPORTED, Attacker, attacking, exact_policy
from tests.end_to_end.conftest import StartProxy

HEAVY, INSIDE, MOST = 2001, 2002, 400
"""A patient with 60 000 visits and as many prescriptions and insurances, one with as many as are possible, and K."""

CHANGES = f"""
INSERT INTO patients (patient_id, birth_year) VALUES ({HEAVY}, 1950), ({INSIDE}, 1960);
INSERT INTO visits (visit_id, patient_id, visited_at, minutes, urgent)
SELECT 100000 + i, {HEAVY}, '2025-01-01', i % 1000, false FROM generate_series(1, 60000) AS i;
INSERT INTO visits (visit_id, patient_id, visited_at, minutes, urgent)
SELECT 200000 + i, {INSIDE}, '2025-01-01', i % 1000, false FROM generate_series(1, {MOST}) AS i;
INSERT INTO prescriptions (prescription_id, visit_id, drug, dose)
SELECT 100000 + i, 100001, 'drug 1', i % 1000 FROM generate_series(1, 60000) AS i;
INSERT INTO insurances SELECT {HEAVY}, 'company 1', i % 1000 FROM generate_series(1, 60000) AS i;
ANALYZE;
"""

KEPT = {
    "visits": "visit_id",
    "prescriptions": "prescription_id",
    "insurances": "premium",
}
"""By what the first rows of a patient are chosen."""

TIED = "b.patient_id = a.patient_id AND b.minutes > a.minutes"

SAME = "b.patient_id = a.patient_id"

MULTIPLYING = {
    "self join": f"SELECT count(*) FROM visits a JOIN visits b ON {TIED}",
    "self join by USING": "SELECT count(*) FROM visits a JOIN visits b USING (patient_id)",
    "left join": f"SELECT count(*), count(b.minutes) FROM visits a LEFT JOIN visits b ON {TIED}",
    "exists with an inequality": f"SELECT count(*) FROM visits a WHERE EXISTS (SELECT FROM visits b WHERE {TIED} + 997)",
    "not exists with an inequality": f"SELECT count(*) FROM visits a WHERE NOT EXISTS (SELECT FROM visits b WHERE {TIED} + 997)",
    "in with an inequality": f"SELECT count(*) FROM visits a WHERE a.urgent IN (SELECT b.urgent FROM visits b WHERE {TIED} + 997)",
    "exists in exists": "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits a WHERE a.patient_id = p.patient_id "
    f"AND EXISTS (SELECT FROM visits b WHERE {TIED} + 997))",
    "two tables": "SELECT count(*) FROM visits a JOIN insurances b ON b.patient_id = a.patient_id AND b.premium > a.minutes",
    "without a key": "SELECT count(*) FROM insurances a JOIN insurances b ON b.patient_id = a.patient_id AND b.premium < a.premium",
    "along a foreign key": "SELECT count(*) FROM prescriptions a JOIN prescriptions b ON b.visit_id = a.visit_id AND b.dose < a.dose",
    "a few public rows": f"SELECT count(*) FROM visits a JOIN visits b ON {TIED} CROSS JOIN regions r",
    "many public rows": "SELECT count(*) FROM visits a CROSS JOIN generate_series(1, 3000) AS g WHERE a.minutes > g + 900 AND a.patient_id > 1990",
    "many public rows in exists": "SELECT count(*) FROM visits a WHERE EXISTS (SELECT FROM regions q, regions r, regions s WHERE q.population > a.minutes)",
    "a date beside a moment": f"SELECT count(*) FROM visits a WHERE EXISTS (SELECT FROM visits b WHERE {SAME} AND b.seen_at = a.visited_at)",
    "in under not": f"SELECT count(*) FROM visits a WHERE a.urgent NOT IN (SELECT b.urgent FROM visits b WHERE {TIED} + 997)",
    "inside a subquery": "SELECT count(*) FROM (SELECT a.patient_id, max(b.minutes) AS m FROM visits a JOIN visits b USING (patient_id) "
    "GROUP BY a.patient_id) AS x WHERE m > 100",
}  # fmt: skip

UNLIKELY = " AND ".join(f"a.minutes * {i} = a.minutes * {i - 1} + a.minutes" for i in range(1, 6))
"""Conditions that all rows meet and that the planner takes for rare: it then prefers what is quick for a few rows."""

ALONE = f"a.patient_id = {HEAVY} AND {UNLIKELY}"
OWN = "SELECT patient_id, count(*) AS n, max(minutes) AS m FROM visits GROUP BY patient_id"

UNPLANNED = {
    "exists": f"SELECT count(*) FROM visits a WHERE EXISTS (SELECT FROM visits b WHERE {SAME} AND b.minutes = 1999) AND {ALONE}",
    "not exists": f"SELECT count(*) FROM visits a WHERE NOT EXISTS (SELECT FROM visits b WHERE {SAME} AND b.minutes = 1999) AND {ALONE}",
    "in": f"SELECT count(*) FROM visits a WHERE a.patient_id IN (SELECT b.patient_id FROM visits b WHERE b.minutes = 1999) AND {ALONE}",
    "a scalar": f"SELECT count(*) FROM visits a WHERE minutes > (SELECT avg(b.minutes) FROM visits b WHERE {SAME}) AND {ALONE}",
    "a join with groups": f"SELECT count(*) FROM visits a JOIN ({OWN}) AS x ON x.patient_id = a.patient_id WHERE x.n > 3 AND {ALONE}",
    "a join with groups in WHERE": f"SELECT count(*) FROM visits a, ({OWN}) AS x WHERE x.patient_id = a.patient_id AND x.n > 3 AND {ALONE}",
    "an outer join with groups": f"SELECT count(x.n) FROM visits a LEFT JOIN ({OWN}) AS x ON x.patient_id = a.patient_id WHERE {ALONE}",
    "a join with groups by USING": f"SELECT count(*) FROM visits a JOIN ({OWN}) AS x USING (patient_id) WHERE x.n > 3 AND {ALONE}",
    "lateral": f"SELECT count(*) FROM visits a, LATERAL (SELECT max(minutes) AS m FROM visits b WHERE {SAME}) AS x WHERE x.m > 1 AND {ALONE}",
    "exists in CASE": f"SELECT sum(CASE WHEN EXISTS (SELECT FROM visits b WHERE {SAME} AND b.minutes = 1999) THEN 1 ELSE 0 END) FROM visits a WHERE {UNLIKELY}",
    "exists in OR": f"SELECT count(*) FROM visits a WHERE (EXISTS (SELECT FROM visits b WHERE {SAME} AND b.minutes = 1999) OR a.minutes > 998) AND {UNLIKELY}",
    "not exists in FILTER": f"SELECT count(*) FILTER (WHERE NOT EXISTS (SELECT FROM visits b WHERE {SAME} AND b.minutes = 1999)) FROM visits a WHERE {UNLIKELY}",
    "in in OR": f"SELECT count(*) FROM visits a WHERE (a.patient_id IN (SELECT b.patient_id FROM visits b WHERE b.minutes = 1999) OR a.minutes > 998) AND {UNLIKELY}",
    "exists in NOT (… AND …)": f"SELECT count(*) FROM visits a WHERE NOT (EXISTS (SELECT FROM visits b WHERE {SAME} AND b.minutes = 1999) AND a.minutes >= 0) AND {UNLIKELY}",
    "nothing but equalities": f"SELECT count(*) FROM visits a WHERE EXISTS (SELECT FROM visits b WHERE {SAME} AND b.minutes * 0 = a.minutes * 0) AND {UNLIKELY}",
}  # fmt: skip
"""What the planner would compute row by row, as its estimates are, if it could."""

PLANNED = {
    "a scalar": f"SELECT count(*) FROM visits a, (SELECT avg(minutes) AS m FROM visits WHERE patient_id = {HEAVY}) AS x WHERE minutes > m AND {ALONE}",
    "lateral": f"SELECT count(*) FROM visits a WHERE {ALONE}",
    "exists in CASE": "SELECT 0::bigint",
    "exists in OR": f"SELECT count(*) FROM visits a WHERE a.minutes > 998 AND {UNLIKELY}",
    "not exists in FILTER": f"SELECT count(*) FROM visits a WHERE {UNLIKELY}",
    "in in OR": f"SELECT count(*) FROM visits a WHERE a.minutes > 998 AND {UNLIKELY}",
    "exists in NOT (… AND …)": f"SELECT count(*) FROM visits a WHERE {UNLIKELY}",
    "nothing but equalities": f"SELECT count(*) FROM visits a WHERE {UNLIKELY}",
}  # fmt: skip
"""The same for Postgres alone, where it does compute row by row what the client writes so."""

LINEAR = {
    "by a key": "SELECT count(*), count(birth_year) FROM visits JOIN patients USING (patient_id)",
    "by the key of a parent": "SELECT count(*) FROM prescriptions r JOIN visits v USING (visit_id) WHERE r.dose <> v.minutes",
    "exists by equality": "SELECT count(*) FROM visits a WHERE EXISTS (SELECT FROM visits b WHERE b.patient_id = a.patient_id AND b.minutes = 999)",
    "exists for rows with a key": "SELECT count(*) FROM patients p WHERE EXISTS "
    "(SELECT FROM visits v WHERE v.patient_id = p.patient_id AND v.minutes > p.birth_year - 1000 + 48)",
    "a few public rows": "SELECT count(*) FROM visits CROSS JOIN regions",
    "per-unit aggregates": "SELECT sum(n) FROM (SELECT patient_id, least(count(*), 50000) AS n FROM visits GROUP BY patient_id) AS x "
    "JOIN patients USING (patient_id)",
}  # fmt: skip


@pytest.fixture(scope="module")
def attacker(proxies: StartProxy, copy_clinic: Callable[[], str]) -> Iterator[Attacker]:
    with attacking(proxies, copy_clinic, exact_policy(max_rows=10_000_000), CHANGES) as attacker:
        attacker.source.execute(_kept_tables())
        yield attacker


def _kept_tables() -> bytes:
    """The tables once more, in a schema `kept`, in which the heavy patient has the first rows only."""
    unit = {"prescriptions": "(SELECT v.patient_id FROM visits AS v WHERE v.visit_id = t.visit_id)"}
    tables = [
        f"CREATE TABLE kept.{table} AS SELECT * FROM (SELECT t.*, row_number() OVER (PARTITION BY "
        f"{unit.get(table, 't.patient_id')} ORDER BY {key}) AS place FROM {table} AS t) AS numbered WHERE place <= {MOST}"
        for table, key in KEPT.items()
    ]
    return "; ".join(["CREATE SCHEMA kept", *tables, "CREATE INDEX ON kept.visits (patient_id)", "ANALYZE"]).encode()


@pytest.mark.parametrize("query", MULTIPLYING.values(), ids=MULTIPLYING.keys())
def test_of_each_person_so_many_rows_meet_others(query: str, attacker: Attacker) -> None:
    """With all 60 000 rows most of these take longer than the source is given."""
    attacker.source.execute("SET search_path = kept, public")
    expected = attacker.ask_source(query)
    attacker.source.execute("RESET search_path")
    assert attacker.ask(query) == expected


@pytest.mark.parametrize("query", LINEAR.values(), ids=LINEAR.keys())
def test_what_takes_time_in_proportion_to_rows_reads_all_of_them(query: str, attacker: Attacker) -> None:
    assert attacker.ask(query) == attacker.ask_source(query)


@pytest.mark.parametrize("name", UNPLANNED)
def test_no_plan_of_the_source_goes_through_a_persons_rows_for_each_of_them(name: str, attacker: Attacker) -> None:
    """As the client writes it, most of these take the source longer than it is given."""
    expected = PLANNED.get(name, UNPLANNED[name]).replace(UNLIKELY, "a.minutes IS NOT NULL")
    assert attacker.ask(UNPLANNED[name]) == attacker.ask_source(expected)


def test_people_within_the_limit_get_the_answer_of_postgres(attacker: Attacker) -> None:
    query = f"SELECT count(*) FROM visits a JOIN visits b ON {TIED} WHERE a.patient_id <> {HEAVY}"
    assert attacker.ask(query) == attacker.ask_source(query)


def test_other_peoples_rows_do_not_choose_which_rows_are_left(attacker: Attacker) -> None:
    """The same rows at other places of the table, behind those of somebody else."""
    table = "insurances a JOIN insurances b ON b.patient_id = a.patient_id AND b.premium < a.premium"
    before = attacker.ask(f"SELECT count(*), sum(a.premium), sum(b.premium) FROM {table} WHERE a.patient_id > 2000")
    attacker.source.execute(
        "CREATE TEMP TABLE kept AS SELECT * FROM insurances; TRUNCATE insurances; "
        "INSERT INTO insurances SELECT 1, 'company 0', i % 500 FROM generate_series(1, 5000) AS i; "
        "INSERT INTO insurances SELECT * FROM kept ORDER BY company DESC, premium DESC"
    )
    after = attacker.ask(f"SELECT count(*), sum(a.premium), sum(b.premium) FROM {table} WHERE a.patient_id >= {HEAVY}")
    assert before == after


LONG = {
    "a text": ("SELECT count(*) FROM visits WHERE patient_id = {unit} AND {long}", 2000),
    "in an aggregate": ("SELECT count(*) FILTER (WHERE {long}) FROM visits WHERE patient_id = {unit}", 2000),
    "below another SELECT": ("SELECT count(*) FROM (SELECT patient_id FROM visits WHERE {long}) AS x WHERE patient_id = {unit}", 2000),
    "above another SELECT": ("SELECT count(*) FROM (SELECT patient_id, diagnosis FROM visits) AS x WHERE {long} AND patient_id = {unit}", 2000),
    "in EXISTS": (
        "SELECT count(*) FROM patients p WHERE p.patient_id = {unit} AND EXISTS "
        "(SELECT FROM visits v WHERE v.patient_id = p.patient_id AND v.visit_id > 102000 AND {long})",
        0,
    ),
    "beside a few public rows": ("SELECT count(*) FROM visits CROSS JOIN regions r WHERE patient_id = {unit} AND {long}", 5 * MOST),
}  # fmt: skip
"""What the heavy patient is answered whose 60 000 visits could be long texts."""


@pytest.mark.parametrize(("query", "counted"), LONG.values(), ids=LONG.keys())
def test_of_rows_that_may_take_long_each_person_has_so_many(query: str, counted: int, attacker: Attacker) -> None:
    long = query.format(unit=HEAVY, long="lower(upper(diagnosis)) IS NULL")
    assert attacker.ask(long) == [(counted,)]
    short = query.format(unit=INSIDE, long="lower(upper(diagnosis)) IS NULL")
    assert attacker.ask(short) == attacker.ask_source(short)


def test_explain_says_of_how_many_rows_that_may_take_long(attacker: Attacker) -> None:
    lines = [
        line
        for (line,) in attacker.ask(
            f"EXPLAIN {LONG['a text'][0].format(unit=HEAVY, long='lower(upper(diagnosis)) IS NULL')}"
        )
    ]
    assert "  Rows that may take long: at most 2000 of a unit in public.visits; further ones take no part" in lines


@pytest.mark.parametrize(
    ("condition", "most"),
    [
        ("a.minutes < b.minutes", 400),
        ("a.region || b.region = 'x'", 100),
        ("a.minutes < b.minutes AND a.region = 'x'", 200),
    ],
)
def test_the_longer_a_pair_of_rows_may_take_the_fewer_rows_meet(condition: str, most: int, attacker: Attacker) -> None:
    query = f"SELECT count(*) FROM visits a JOIN visits b ON b.patient_id = a.patient_id AND {condition}"
    lines = [line for (line,) in attacker.ask(f"EXPLAIN {query}")]
    assert f"  Rows that meet others: at most {most} of a unit in public.visits; further ones take no part" in lines


def test_explain_says_how_many_rows_of_a_unit_take_part(attacker: Attacker) -> None:
    lines = [line for (line,) in attacker.ask(f"EXPLAIN {MULTIPLYING['two tables']}")]
    assert f"  Rows that meet others: at most {MOST} of a unit in public.visits; further ones take no part" in lines
    assert f"  Rows that meet others: at most {MOST} of a unit in public.insurances; further ones take no part" in lines
    assert not any("meet others" in line for (line,) in attacker.ask(f"EXPLAIN {LINEAR['by a key']}"))


TOO_MUCH = {
    "a join of private rows beside a series": (
        "SELECT count(*) FROM visits a JOIN visits b USING (patient_id), generate_series(1, 9999) g WHERE a.patient_id = 42",
        "multiplying-joins",
    ),
    "with a series in a subquery": (
        f"SELECT count(*) FROM visits a WHERE EXISTS (SELECT FROM visits b, generate_series(1, 9999) g WHERE {TIED} + g)",
        "multiplying-joins",
    ),
    "with a series in a subquery of its own": (
        f"SELECT count(*) FROM visits a JOIN visits b ON {TIED} WHERE EXISTS (SELECT FROM regions q, regions r, regions s WHERE q.population > a.minutes)",
        "multiplying-joins",
    ),
    "hundreds of subqueries": (
        f"SELECT count(*) FROM ({' UNION ALL '.join(['SELECT minutes FROM visits'] * 200)}) AS x",
        "passes",
    ),
    "hundreds of windows": (
        f"SELECT count(*) FROM (SELECT {', '.join(f'rank() OVER (PARTITION BY patient_id ORDER BY minutes + {i}) AS r{i}' for i in range(200))} "
        "FROM visits) AS x WHERE r0 > 1",
        "row-work",
    ),
    "hundreds of distinct values": (
        f"SELECT {', '.join(f'count(DISTINCT minutes + {i})' for i in range(150))} FROM visits",
        "passes",
    ),
    "a CTE read hundreds of times": (
        f"WITH x AS (SELECT minutes FROM visits) SELECT count(*) FROM ({' UNION ALL '.join(['SELECT minutes FROM x'] * 200)}) AS y",
        "depth",
    ),
    "a list with NULLs for each row": (
        "SELECT count(*) FROM visits a WHERE a.minutes NOT IN (SELECT b.minutes FROM visits b WHERE b.patient_id = a.patient_id)",
        "multiplying-joins",
    ),
    "a public table beside each row": (
        "SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM regions r, regions q, regions p, regions o, regions n, regions m "
        "WHERE r.zone = v.region AND r.population < v.minutes)",
        "multiplying-joins",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("query", "rule"), TOO_MUCH.values(), ids=TOO_MUCH.keys())
def test_work_without_a_limit_is_refused(query: str, rule: str, attacker: Attacker) -> None:
    attacker.assert_refused(query, UNSUPPORTED, rule)
