"""All rows of one unit together take at most two seconds wherever one of them may take long, or the query is refused."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import psycopg
import pytest

from proxy.errors import UnsupportedError
from proxy.policy.catalog import Catalog
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.settings import QuerySettings
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.rows.limits import row_work
from proxy.sql.rows.members import Derived
from proxy.sql.rows.multiplicity import rows_of_unit
from proxy.sql.source_queries.exact_sums import sums_sql
from proxy.sql.terms.work import MOST_LONG_ROWS, MOST_UNIT_WORK, SHORT_ROW_WORK
from tests.conftest import PostgresCluster
from tests.end_to_end import clinic
from tests.sql.test_planning import plan

PUBLIC = """
CREATE TABLE years (year integer PRIMARY KEY, double_year double precision UNIQUE, name text UNIQUE, day date UNIQUE, moment timestamp UNIQUE);
INSERT INTO years SELECT i, i, i::text, date '2000-01-01' + i, date '2000-01-01' + i FROM generate_series(1, 5000) AS i;
CREATE TABLE periods (period integer PRIMARY KEY, first_day date, last_day date);
INSERT INTO periods SELECT i, date '2024-01-01' + i, date '2024-01-08' + i FROM generate_series(1, 400) AS i;
"""

ANSWERED = {
    "periods": "SELECT period, count(*), sum(cost) FROM visits JOIN periods ON visited_at BETWEEN first_day AND last_day GROUP BY period",
    "later rows": "SELECT count(*) FROM visits a JOIN visits b ON b.patient_id = a.patient_id AND b.visited_at > a.visited_at",
    "rows with the same text": "SELECT count(*), sum(b.cost) FROM visits a JOIN visits b ON b.patient_id = a.patient_id AND b.diagnosis = a.diagnosis "
    "AND b.visited_at BETWEEN a.visited_at AND a.visited_at + interval '30 days'",
    "no later row with the same text": "SELECT count(*) FROM visits a WHERE NOT EXISTS "
    "(SELECT FROM visits b WHERE b.patient_id = a.patient_id AND b.visited_at > a.visited_at AND b.diagnosis = a.diagnosis)",
    "a text": "SELECT count(*) FROM visits WHERE lower(diagnosis) LIKE '%flu%'",
    "a text in EXISTS": "SELECT count(*) FROM patients p WHERE EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id AND lower(diagnosis) = 'flu')",
    "numbers": "SELECT region, sum(minutes), avg(cost) FROM visits GROUP BY region",
    "a few public rows": "SELECT count(*) FROM visits v CROSS JOIN regions r WHERE v.region > r.name",
}  # fmt: skip

LOOKED_UP = {
    "an expression": "extract(year FROM visited_at) = year",
    "the other way round": "year = minutes + 2000",
    "a text": "name = to_char(visited_at, 'YYYY')",
    "a day": "visited_at::date = day",
    "a moment": "moment = date_trunc('day', visited_at)",
}

MULTIPLIED = {
    "a moment that equals a day": "day = visited_at",
    "a float": "year = score + 1",
    "a float that is a key": "double_year = minutes + 1",
    "an expression over the key": "year + 0 = minutes + 1",
    "an expression over both": "year = minutes + year - minutes",
    "an inequality": "year > minutes + 1",
    "no conjunct": "(year = minutes + 1 OR urgent)",
}


@pytest.fixture(scope="module")
def dsn(postgres_cluster: PostgresCluster) -> str:
    return postgres_cluster.create_database("unit_work")


@pytest.fixture(scope="module")
def catalog(dsn: str) -> Catalog:
    clinic.create(dsn)
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(PUBLIC)
    public = ["public.regions", "public.specialties", "public.years", "public.periods"]
    return read_catalog(dsn, ["public.patients", "public.visits", *public], public)


def policy(max_rows: int) -> Policy:
    """The clinic's with public tables of days, and so many rows of a patient."""
    found = clinic.policy(visits={"contribution": {"max_rows": max_rows, "max_rows_per_group": max_rows}})
    tables = found.tables | {f"public.{name}": found.tables["public.regions"] for name in ("years", "periods")}
    return found.model_copy(update={"tables": tables})


def work_of_unit(plan: BlockPlan, max_rows: int) -> int:
    """Nanoseconds that the expressions of a unit's rows may take, or those of one row if nothing limits the rows."""
    relation = plan.relation
    most = max((cut.most for cut in plan.footprint.cuts), default=1)
    met = relation.multiplicity.met(most if relation.multiplicity.private else rows_of_unit(max_rows))
    return row_work(relation, [key.term for key in plan.keys]) * met * most


@pytest.mark.parametrize("max_rows", [1, 20, 60, 200, 100_000])
@pytest.mark.parametrize("text", ANSWERED.values(), ids=ANSWERED.keys())
def test_what_a_unit_takes_is_bounded_and_ordinary_questions_are_answered(
    text: str, max_rows: int, catalog: Catalog
) -> None:
    planned = plan(text, catalog, policy(max_rows))
    limit = MOST_UNIT_WORK if planned.footprint.cuts else SHORT_ROW_WORK
    assert 0 < work_of_unit(planned, max_rows) <= limit


UNITS = "lower(patient_id::text || patient_id::text) LIKE '%7%'"
LONG_CONDITIONS = {
    "a text": ANSWERED["a text"],
    "a text in EXISTS": ANSWERED["a text in EXISTS"],
    "a text of the unit": f"{ANSWERED['a text']} AND {UNITS}",
    "a text of the unit outside": f"SELECT count(*) FROM (SELECT patient_id, diagnosis FROM visits) AS v WHERE {UNITS} "
    "AND lower(diagnosis) LIKE '%flu%'",
}


def spread(catalog: Catalog) -> Catalog:
    """The same tables, by the unit over the workers of a cluster."""
    tables = {
        name: replace(table, distributed_by="patient_id" if "patient_id" in table.columns else None)
        for name, table in catalog.tables.items()
    }
    return Catalog(tables, on_cluster=True)


@pytest.mark.parametrize("on_cluster", [False, True])
@pytest.mark.parametrize("name", LONG_CONDITIONS)
def test_no_condition_is_computed_for_rows_that_take_no_part(
    name: str, on_cluster: bool, catalog: Catalog, dsn: str
) -> None:
    """The planner would rather filter each scan first, all rows of a unit with it."""
    sql = sums_sql(plan(LONG_CONDITIONS[name], spread(catalog) if on_cluster else catalog, policy(20)))
    assert ("OFFSET 0" in sql) == (not on_cluster)
    with psycopg.connect(dsn) as connection:
        lines = [str(line) for (line,) in connection.execute(f"EXPLAIN {sql}").fetchall()]
    under_scans = [line for above, line in pairwise(lines) if "Scan" in above and " on visits" in above]
    assert len(under_scans) > 1
    assert not any("diagnosis" in line or "~~" in line for line in under_scans)


@pytest.mark.parametrize("name", LONG_CONDITIONS)
def test_the_same_rows_of_a_unit_take_part_on_a_cluster(name: str, catalog: Catalog, dsn: str) -> None:
    heavy = f"""INSERT INTO visits (visit_id, patient_id, visited_at, minutes, urgent, diagnosis)
        SELECT 500000 + i, 7, '2025-01-01', 1, false, 'flu' || i FROM generate_series(1, {3 * MOST_LONG_ROWS}) AS i"""
    with psycopg.connect(dsn) as connection:
        connection.execute(heavy.encode())
        sums = [
            connection.execute(sums_sql(plan(LONG_CONDITIONS[name], found, policy(10_000_000))).encode()).fetchall()
            for found in (catalog, spread(catalog))
        ]
        connection.rollback()
    assert sums[0] == sums[1] != []


REPEATED = "SELECT count(*) FROM (SELECT {} AS n FROM visits{}) AS each WHERE n > 1"
ALONE = {
    "a window": ("lag(strpos(diagnosis, 'a')) OVER (PARTITION BY patient_id)", ""),
    "an aggregate": ("max(strpos(diagnosis, 'a'))", " GROUP BY patient_id"),
}


@pytest.mark.parametrize("value", ALONE)
def test_an_aggregate_counts_once_however_often_it_stands_in_an_expression(value: str, catalog: Catalog) -> None:
    expression, rest = ALONE[value]
    often = f"CASE WHEN {expression} > 1 THEN {expression} % 7 ELSE -{expression} END"
    alone, repeated = (
        row_work(plan(REPEATED.format(text, rest), catalog, policy(20)).relation) for text in (expression, often)
    )
    assert alone < repeated < 1.5 * alone


MOVING = "SELECT count(*) FROM (SELECT patient_id, min(ln(cost)) {}OVER (PARTITION BY patient_id ORDER BY visited_at{}) AS n FROM visits) AS each WHERE n > 1"


@pytest.mark.parametrize("condition", ["", "FILTER (WHERE ln(cost) > 1) "])
def test_a_frame_whose_start_moves_computes_its_arguments_anew(condition: str, catalog: Catalog) -> None:
    def work(frame: str) -> int:
        return row_work(plan(MOVING.format(condition, frame), catalog, policy(20)).relation)

    alone = work(" ROWS UNBOUNDED PRECEDING")
    argument = work(" ROWS BETWEEN 1 PRECEDING AND CURRENT ROW") - alone
    assert argument > 1000
    assert work(" ROWS BETWEEN 10 PRECEDING AND 9 FOLLOWING") == alone + 19 * argument
    assert work(" ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING") == alone + 5 * argument


READ_OFTEN = (
    "SELECT count(*) FROM (SELECT patient_id, {} FROM visits{}) AS each (patient, n) WHERE n > 1 AND n < 8 AND n <> 3"
)
COMPUTED_ONCE = {
    "a window": ("max(strpos(diagnosis, 'a')) OVER (PARTITION BY patient_id)", ""),
    "an expression of a window": (
        "strpos(diagnosis, 'a') - max(minutes) OVER (PARTITION BY patient_id)",
        "",
    ),
    "an aggregate": ("max(strpos(diagnosis, 'a'))", " GROUP BY patient_id"),
}
COMPUTED_AGAIN = {
    "an expression": ("strpos(diagnosis, 'a')", ""),
    "an expression of an aggregate": ("strpos(max(diagnosis), 'a')", " GROUP BY patient_id"),
    "a key": ("strpos(diagnosis, 'a')", " GROUP BY 1, 2"),
}


@pytest.mark.parametrize("value", [*COMPUTED_ONCE, *COMPUTED_AGAIN])
def test_what_a_subquery_computes_once_counts_once(value: str, catalog: Catalog, dsn: str) -> None:
    """Where it counts once, no condition of the source's plan computes it again."""
    planned = plan(READ_OFTEN.format(*(COMPUTED_ONCE | COMPUTED_AGAIN)[value]), catalog, policy(20))
    inside = planned.relation.members[0].table
    assert isinstance(inside, Derived)
    once = row_work(planned.relation) < 2 * inside.work
    assert once == (value in COMPUTED_ONCE)
    with psycopg.connect(dsn) as connection:
        lines = [str(line) for (line,) in connection.execute(f"EXPLAIN {sums_sql(planned)}").fetchall()]
    conditions = [line for line in lines if "Filter:" in line]
    assert conditions
    if once:
        assert not any("strpos" in line.replace("max(strpos", "") for line in conditions)


@pytest.mark.parametrize("condition", LOOKED_UP.values(), ids=LOOKED_UP.keys())
def test_an_expression_that_gives_a_key_of_public_rows_meets_one_of_them(condition: str, catalog: Catalog) -> None:
    multiplicity = plan(f"SELECT count(*) FROM visits JOIN years ON {condition}", catalog, policy(20)).relation
    assert multiplicity.joined.rows == 1
    left = plan(f"SELECT count(*) FROM visits LEFT JOIN years ON {condition}", catalog, policy(20)).relation
    assert left.joined.rows == 1


@pytest.mark.parametrize("condition", MULTIPLIED.values(), ids=MULTIPLIED.keys())
def test_what_gives_no_key_that_is_hashed_meets_all_public_rows(condition: str, catalog: Catalog) -> None:
    planned = plan(f"SELECT count(*) FROM visits JOIN years ON {condition}", catalog, policy(20))
    assert planned.relation.joined.rows == 5000


def test_no_proof_rests_on_a_row_that_an_expression_leads_to(catalog: Catalog) -> None:
    planned = plan("SELECT count(*) FROM patients JOIN years ON year = birth_year + 1", catalog, policy(20))
    assert planned.path != "unique"


def test_fewer_rows_of_a_unit_take_part_where_each_of_them_takes_longer(catalog: Catalog) -> None:
    short = "SELECT count(*) FROM visits CROSS JOIN years"
    assert [cut.most for cut in plan(short, catalog, policy(200)).relation.cuts] == [400]
    longer = f"{short} WHERE minutes + 1 > year AND minutes * 2 < year"
    assert [cut.most for cut in plan(longer, catalog, policy(200)).relation.cuts] == [200]
    pairs = "FROM visits a JOIN visits b ON b.patient_id = a.patient_id AND b.diagnosis = a.diagnosis"
    for sums, most in ((7, 100), (25, 50), (80, 40), (130, 25)):
        many = ", ".join(f"sum(a.minutes + b.minutes + {number})" for number in range(sums))
        assert {cut.most for cut in plan(f"SELECT {many} {pairs}", catalog, policy(200)).relation.cuts} == {most}


@pytest.mark.parametrize(
    "text",
    [
        "SELECT count(*) FROM visits JOIN years ON lower(diagnosis) > name",
        "SELECT count(DISTINCT minutes) FROM visits CROSS JOIN years",
        "SELECT specialty_id, avg(minutes) FROM visits CROSS JOIN years GROUP BY specialty_id",
        "SELECT count(*) FROM visits a JOIN visits b ON b.patient_id = a.patient_id AND lower(a.diagnosis) > upper(b.diagnosis) "
        "AND upper(a.diagnosis) > lower(b.diagnosis)",
    ],
)
def test_more_than_ten_milliseconds_with_all_rows_that_are_met_is_refused(text: str, catalog: Catalog) -> None:
    with pytest.raises(UnsupportedError) as refusal:
        plan(text, catalog, policy(20))
    assert (refusal.value.rule, refusal.value.sqlstate) == ("row-work", "0A000")


ALONG_A_KEY = "v.patient_id = p.patient_id"
BOTH = "SELECT count(*) FROM {} FULL JOIN {} ON {}"
FULL_JOINS = {
    "along a key of the right side": BOTH.format("visits AS v", "patients AS p", ALONG_A_KEY),
    "along a key of the left side": BOTH.format("patients AS p", "visits AS v", ALONG_A_KEY),
    "of two groups of each unit": BOTH.format(
        *("(SELECT patient_id, count(*) FROM visits GROUP BY 1) AS " + name for name in "pv"), ALONG_A_KEY
    ),
}


@pytest.mark.parametrize("text", FULL_JOINS.values(), ids=FULL_JOINS.keys())
def test_all_rows_take_part_in_a_full_join_along_a_key_of_either_side(text: str, catalog: Catalog) -> None:
    relation = plan(text, catalog, policy(20)).relation
    assert relation.cuts == ()
    assert relation.joined.private == 0
    assert relation.joined.rows == 3, "with both sides, and with each alone"


def test_rows_of_a_unit_are_limited_in_a_full_join_along_no_key(catalog: Catalog) -> None:
    text = BOTH.format("visits AS v", "visits AS p", ALONG_A_KEY)
    relation = plan(text, catalog, policy(20)).relation
    assert len(relation.cuts) == 2
    assert relation.joined.private == 1


@pytest.mark.parametrize(
    "text",
    [
        "SELECT count(*) FROM visits v JOIN regions r ON r.name = v.region WHERE r.zone ILIKE '%l%'",
        "SELECT upper(zone), count(*) FROM visits v JOIN regions r ON r.name = v.region GROUP BY 1",
    ],
)
def test_a_public_text_takes_no_longer_than_the_longest_one_of_its_table(text: str, catalog: Catalog) -> None:
    assert not plan(text, catalog, policy(20)).footprint.cuts
    unknown = {name: replace(table, octets={}) for name, table in catalog.tables.items()}
    assert plan(text, replace(catalog, tables=unknown), policy(20)).footprint.cuts


def test_the_same_rows_take_part_whether_groups_without_rows_are_shown_or_not(catalog: Catalog) -> None:
    """A count that tells empty groups takes time as well, and would limit the rows of one setting alone."""
    limited = []
    for sums in range(35, 70):
        added = ", ".join(f"sum(minutes + {number})" for number in range(sums))
        text = f"SELECT specialty_id, {added} FROM visits GROUP BY specialty_id"
        shown, hidden = (
            plan(text, catalog, policy(20), QuerySettings(empty_groups=groups)).footprint.cuts
            for groups in ("show", "hide")
        )
        assert shown == hidden
        limited.append(bool(shown))
    assert set(limited) == {False, True}


def test_elements_are_not_listed_of_rows_that_are_spread_over_a_cluster(catalog: Catalog) -> None:
    text = "SELECT count(*) FROM visits v, string_to_table(v.diagnosis, ' ') AS t"
    assert "LIMIT 50" in sums_sql(plan(text, catalog, policy(20)))
    with pytest.raises(UnsupportedError, match=r"string_to_table\(\) of rows that are spread over a cluster"):
        plan(text, spread(catalog), policy(20))
