"""The proof behind row-level relations, tried on generated ones: without one unit, the exact sums of every query that is
accepted move by no more than the sensitivity that the noise is made for (decision 3; attacks 3, 13, 14, 16 to 19).

The neighbour's rows also lie in another order on disk, since the order in which a scan meets rows is no property of the
unit that they belong to: a row number among equals that followed it would tell of other people.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import psycopg
import pytest
from hypothesis import Phase, assume, given, note, reject, seed, settings

from proxy.errors import DpproxyError, UnsupportedError
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.settings import QuerySettings
from proxy.sql.analysis import plan_block, query_text
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import DistinctCount
from proxy.sql.rows.feedback import check_released_size, evaluation_sql, promise_sql, promises_of
from proxy.sql.rows.stage_columns import StageColumn
from proxy.sql.schema import Schema
from proxy.sql.source_queries.exact_sums import ExactResults, read_sums, sums_sql
from proxy.sql.staging.staged import feedback_literal, with_feedback
from proxy.sql.trees.blocks import FeedbackQuery, blocks_within
from tests.attacks import row_data, row_relations, row_sources
from tests.attacks.test_sensitivity import (
    EXAMPLES,
    SEED,
    SETTINGS,
    Database,
    assert_within_sensitivity,
    at_every_threshold,
    moved,
    settle,
)
from tests.conftest import PostgresCluster
from tests.planned import analysed

MOST_REFUSED = 0.5
"""A generator of which the compiler refuses more than this would prove little."""


@dataclass(frozen=True)
class Planned:
    """A block's plan and the released results that it reads, with their columns."""

    plan: BlockPlan
    released: tuple[tuple[FeedbackQuery, tuple[StageColumn, ...]], ...]


@dataclass
class RowDatabase(Database):
    """A database that evaluates what blocks read of released results, as the stage does."""

    def described(self, query: str) -> tuple[StageColumn, ...]:
        """The columns of a query."""
        result = self.checker.execute(query.encode()).pgresult
        assert result is not None
        columns = []
        for index in range(result.nfields):
            typed = self.constants(f"SELECT format_type({result.ftype(index)}, {result.fmod(index)})")
            columns.append(StageColumn((result.fname(index) or b"").decode(), typed[0] or ""))
        return tuple(columns)

    def literals(self, planned: Planned) -> list[str]:
        """The results that a block reads, as they are now: constants for whatever database it is measured on."""
        found = []
        for feedback, columns in planned.released:
            rows = self.connection.execute(evaluation_sql(query_text(feedback.query), columns).encode()).fetchall()
            schema = Schema(row_data.policy(2, 1, 2), self.catalog)
            promises = promises_of(feedback.query, columns, schema, feedback.counted)
            check_released_size(columns, promises, rows, planned.plan.footprint.most_uncounted)
            literal = feedback_literal(columns, rows)
            assert self.connection.execute(promise_sql(columns, promises, literal).encode()).fetchone() == (True,)
            found.append(literal)
        return found

    def measure_with(self, plan: BlockPlan, literals: Sequence[str]) -> ExactResults:
        result = self.connection.execute(with_feedback(sums_sql(plan, SEED), literals).encode()).pgresult
        assert result is not None
        texts = [[result.get_value(row, column) for column in range(result.nfields)] for row in range(result.ntuples)]
        return read_sums(plan, [tuple(t if t is None else t.decode() for t in row) for row in texts])


@pytest.fixture(scope="module")
def database(postgres_cluster: PostgresCluster) -> Iterator[RowDatabase]:
    dsn = postgres_cluster.create_database("row_relations")
    with psycopg.connect(dsn) as connection, psycopg.connect(dsn, autocommit=True) as checker:
        checker.execute(row_data.SCHEMA)
        # As the source is asked: every statement with the search path pinned.
        connection.execute("SET search_path = pg_catalog, pg_temp")
        # Compiling takes seconds where the planner takes a table that nobody has analysed for a large one.
        connection.execute("SET jit = off")
        connection.commit()
        catalog = read_catalog(dsn, row_data.TABLES, row_data.PUBLIC_TABLES)
        yield RowDatabase(connection, checker, catalog)


def planned_blocks(database: RowDatabase, text: str, schema: Schema, query_settings: QuerySettings) -> list[Planned]:
    """The plans of all blocks of a query, as the proxy makes them. Raises DpproxyError for the first refusal."""
    found = analysed(text, schema)
    if found.probe_sql is not None:
        found = found.folded(database.constants(found.probe_sql))
    plans = []
    for block in blocks_within(found.blocks):
        columns = [database.described(query_text(feedback.query)) for feedback in block.feedback]
        plan = plan_block(block, schema, ("public",), query_settings, "ana", columns).plan
        plans.append(Planned(plan, tuple(zip(block.feedback, columns, strict=True))))
    return plans


@dataclass(frozen=True)
class Neighbours:
    """What a block measures of everybody's rows, without those of unit 1, of those alone, and of nobody's."""

    everybody: ExactResults
    others: ExactResults
    alone: ExactResults
    nobody: ExactResults


def sums_of_neighbours(database: RowDatabase, planned: Sequence[Planned], rows: row_data.Rows) -> list[Neighbours]:
    """Each block on the same rows; those of the others come in another order."""
    connection = database.connection

    def measured() -> list[ExactResults]:
        return [database.measure_with(question.plan, read) for question, read in zip(planned, literals, strict=True)]

    try:
        row_data.insert(connection, rows)
        literals = [database.literals(question) for question in planned]
        everybody = measured()
        row_data.remove(connection, "<> 1")
        alone = measured()
        row_data.remove(connection, "= 1")
        nobody = measured()
        connection.rollback()
        row_data.insert(connection, rows, backwards=True)
        row_data.remove(connection, "= 1")
        others = measured()
    finally:
        connection.rollback()
    return [Neighbours(*four) for four in zip(everybody, others, alone, nobody, strict=True)]


def assert_part_is_its_own(plan: BlockPlan, measured: Neighbours) -> None:
    """What the unit adds to sums does not depend on who else is there, nor what the others add on it or on the order of
    rows: a much smaller influence than the sensitivity shows here. Only distinct values are no sums."""
    adding = [index for index, statistic in enumerate(plan.statistics) if not isinstance(statistic, DistinctCount)]

    def parts(more: ExactResults, other: ExactResults) -> dict[object, tuple[int, ...]]:
        found = {
            key: (*(cells[index] for index in adding), weight)
            for key, (cells, weight) in moved(plan, more, other).items()
        }
        return {key: part for key, part in found.items() if any(part)}

    for clipped in at_every_threshold(plan):
        everybody, others, alone, nobody = (
            replace(each, sums=each.clipped(clipped))
            for each in (measured.everybody, measured.others, measured.alone, measured.nobody)
        )
        assert parts(everybody, others) == parts(alone, nobody)


def assert_private(database: RowDatabase, planned: Sequence[Planned], rows: row_data.Rows) -> None:
    for question, measured in zip(planned, sums_of_neighbours(database, planned, rows), strict=True):
        assert_within_sensitivity(question.plan, measured.everybody, measured.others)
        assert_part_is_its_own(question.plan, measured)


@settings(settle, max_examples=3 * EXAMPLES)
@given(query=row_relations.queries(), policy=row_data.POLICIES, query_settings=SETTINGS, rows=row_data.ROWS)
def test_one_unit_moves_the_sums_of_any_row_level_query_by_at_most_the_sensitivity(
    database: RowDatabase, query: row_sources.Query, policy: Policy, query_settings: QuerySettings, rows: row_data.Rows
) -> None:
    assume(database.accepts(query.text))
    note(query.text)
    try:
        planned = planned_blocks(database, query.text, Schema(policy, database.catalog), query_settings)
    except DpproxyError:
        reject()
    for question in planned:
        note(sums_sql(question.plan, SEED))
    assert_private(database, planned, rows)


def test_most_generated_queries_are_answered(database: RowDatabase) -> None:
    """Of the same queries each time: Hypothesis varies what it has drawn, so that the share of refused ones among the
    hundreds of the test above is above a half in one run of twelve. In short runs with seeds of their own it varies less.
    """
    refused: list[bool] = []
    for number in range(12):

        @seed(number)
        @settings(settle, max_examples=15, phases=[Phase.generate])
        @given(query=row_relations.queries(), policy=row_data.POLICIES, query_settings=SETTINGS)
        def plan(query: row_sources.Query, policy: Policy, query_settings: QuerySettings) -> None:
            assume(database.accepts(query.text))
            try:
                planned_blocks(database, query.text, Schema(policy, database.catalog), query_settings)
            except DpproxyError:
                refused.append(True)
            else:
                refused.append(False)

        plan()
    assert len(refused) >= 12 * 15
    assert refused.count(True) <= MOST_REFUSED * len(refused)


SUBTLE = {
    "a public table that only an outer join's condition ties": "SELECT count(*) FROM people p CROSS JOIN regions r "
    "LEFT JOIN badges b ON b.unit = p.unit AND b.region = r.name",
    "the same of a right join": "SELECT count(*) FROM (SELECT unit, max(region) AS last FROM cards GROUP BY unit) b "
    "RIGHT JOIN (people p CROSS JOIN regions r) ON b.unit = p.unit AND b.last = r.name",
    "the same in a subquery": "SELECT sum(n) FROM (SELECT p.unit, count(*) AS n FROM people p CROSS JOIN factors f "
    "LEFT JOIN badges b ON b.unit = p.unit AND b.amount = f.code GROUP BY p.unit) x",
    "a row number among equals": "SELECT sum(amount) FROM (SELECT amount, row_number() OVER (PARTITION BY unit "
    "ORDER BY region) AS n FROM cards) x WHERE n = 1",
    "the first of equals": "SELECT sum(x) FROM (SELECT first_value(amount) OVER (PARTITION BY unit) AS x FROM events) y",
    "the row before among equals": "SELECT sum(x) FROM (SELECT lag(amount, 1) OVER (PARTITION BY unit ORDER BY region) "
    "AS x FROM events) y",
    "a frame of rows among equals": "SELECT sum(x) FROM (SELECT min(amount) OVER (PARTITION BY unit ORDER BY region "
    "ROWS UNBOUNDED PRECEDING) AS x FROM events) y",
    "a bucket among equals": "SELECT sum(amount) FROM (SELECT amount, ntile(2) OVER (PARTITION BY unit ORDER BY region) "
    "AS n FROM events) y WHERE n = 1",
    "a sum of floats that cancel": "SELECT sum(x) FROM (SELECT unit, sum(score) AS x FROM cards GROUP BY unit) y",
    "a running sum of floats that cancel": "SELECT sum(x) FROM (SELECT sum(score) OVER (PARTITION BY unit) AS x FROM cards) y",
    "a spelling among equals": "SELECT count(DISTINCT x::text), count(*) FILTER (WHERE x::text = '1') FROM "
    "(SELECT DISTINCT unit, cost AS x FROM cards) y",
    "the spelling of an extreme": "SELECT count(*) FILTER (WHERE x::text = '1') FROM (SELECT unit, min(cost) AS x "
    "FROM cards GROUP BY unit) y",
    "groups of both, with and without a match": "SELECT count(*) FROM (SELECT e.unit, c.unit AS other FROM events e "
    "LEFT JOIN cards c ON c.unit = e.unit AND c.amount = e.amount AND c.amount = 7 GROUP BY e.unit, c.unit) y",
    "constants that a person's row meets twice": "SELECT count(*), sum(p.grade * w.factor) FROM people p JOIN (VALUES (7, 7), (7, -9), (2, 3), "
    "(3, 1)) AS w(grade, factor) ON w.grade = p.grade",
    "constants that a person's row meets once": "SELECT count(*), sum(w.factor) FROM people p JOIN (VALUES (7, 7), (2, 3), (3, 1)) AS w(grade, factor) "
    "ON w.grade = p.grade",
    "constants of two columns that a person's row meets once": "SELECT count(*), sum(w.factor) FROM people p JOIN (VALUES (7, 'north', 7), "
    "(7, 'south', 3), (2, 'north', 5)) AS w(grade, region, factor) ON w.grade = p.grade AND w.region = p.region",
    "constants of two columns that a person's row meets by one": "SELECT count(*), sum(w.factor) FROM people p JOIN (VALUES (7, 'north', 7), "
    "(7, 'south', 3), (2, 'north', 5)) AS w(grade, region, factor) ON w.grade = p.grade",
    "a series that a person's row meets often": "SELECT count(*), sum(g.n) FROM people p JOIN generate_series(1, 9) AS g(n) ON g.n > p.grade",
    "a series that keeps public rows": "SELECT g.n, count(p.unit), sum(p.grade) FROM generate_series(6, 8) AS g(n) LEFT JOIN people p ON p.grade = g.n GROUP BY g.n",
    "numbers equal in several spellings": "SELECT count(*), sum(c.amount) FROM (SELECT unit, max(amount) AS amount, max(cost) AS cost FROM cards GROUP BY unit) c "
    "JOIN (VALUES (2), (2.0), (7)) AS w(cost) ON w.cost = c.cost",
    "rows not in one's own rows": "SELECT count(*), sum(p.grade) FROM people p WHERE (p.unit, p.grade) NOT IN (SELECT q.unit, q.grade FROM people q WHERE q.region IS NULL)",
    "rows that are equal in a join": "SELECT count(*), sum(e.amount) FROM people p JOIN events e ON (p.unit, p.region) = (e.unit, e.region)",
    "constants whose key another column is named after": "SELECT count(*), sum(p.grade) FROM people p JOIN (SELECT n AS x, min(1) AS x "
    "FROM generate_series(1, 9) AS n GROUP BY n) AS f(n, x) ON f.x = p.unit",
    "distinct constants whose key another column is named after": "SELECT count(*), sum(p.grade) FROM people p JOIN (SELECT DISTINCT n AS x, 1 AS x "
    "FROM generate_series(1, 9) AS n) AS f(n, x) ON f.x = p.unit",
    "numbers that are grouped by the text they are made of": "SELECT count(*), sum(c.amount) FROM (SELECT unit, max(amount) AS amount, max(cost) AS cost "
    "FROM cards GROUP BY unit) c JOIN (SELECT x::numeric AS x FROM (VALUES ('2.0'), ('2.00'), ('2.000')) AS v(x) GROUP BY x) AS w ON w.x = c.cost",
    "a right join by USING": "SELECT count(*), sum(p.grade), count(c.unit), count(unit), sum(c.amount) FROM cards c RIGHT JOIN people p USING (unit)",
    "groups of the merged column of a right join": "SELECT sum(n) FROM (SELECT unit, count(*) AS n FROM cards c RIGHT JOIN people p USING (unit) GROUP BY unit) x",
    "a chain of left joins": "SELECT count(*), sum(e.amount), sum(n.amount) FROM people p LEFT JOIN (events e LEFT JOIN notes n ON n.event = e.event) ON e.unit = p.unit",
    "groups of the merged column of a full join": "SELECT sum(n), count(*) FROM (SELECT unit, count(*) AS n FROM cards c FULL JOIN badges b USING (unit) GROUP BY unit) x",
    "rows joined along the merged column of a full join": "SELECT count(*), sum(x.n * p.grade) FROM (SELECT coalesce(b.unit, c.unit) AS unit, c.n FROM badges b "
    "FULL JOIN (SELECT unit, count(*) AS n FROM cards GROUP BY unit) c ON c.unit = b.unit) x JOIN people p ON p.unit = x.unit",
    "the first of a person's groups": "SELECT x.region, count(*), sum(x.n) FROM (SELECT DISTINCT ON (unit) unit, region, count(*) AS n FROM events "
    "GROUP BY unit, region ORDER BY unit, sum(amount) DESC, region) x GROUP BY x.region",
    "groups on both sides of a full join by USING": "SELECT count(*), sum(n), sum(m) FROM (SELECT unit, count(*) AS n FROM cards GROUP BY 1) c "
    "FULL JOIN (SELECT unit, sum(amount) AS m FROM badges GROUP BY unit) b USING (unit) WHERE unit > 0",
    "rows joined along casts of the unit": "SELECT count(*), sum(x.amount * y.grade) FROM (SELECT unit::text AS u, amount FROM cards) x "
    "JOIN (SELECT unit::text AS u, grade FROM people) y ON y.u = x.u",
    "rows joined by casts of the unit": "SELECT count(*), sum(c.amount * p.grade) FROM cards c JOIN people p ON c.unit::text = p.unit::text",
    "groups of keys that are made of the unit": "SELECT sum(n), count(*) FROM (SELECT md5(coalesce(unit::text, '?') || '-' || coalesce(region, '?')) AS k, "
    "count(*) AS n FROM cards GROUP BY 1) x",
    "sums without bounds of what a person's groups meet": "SELECT sum(n) FROM (SELECT p.unit, sum(w.code) AS n FROM (SELECT unit, count(*) AS number FROM people "
    "GROUP BY unit) p JOIN (VALUES ('north', 7), ('north', 1), ('south', NULL)) AS w(name, code) ON p.number < w.code GROUP BY p.unit) x",
    "groups of the negative unit": "SELECT count(*), sum(n) FROM (SELECT -unit AS k, count(*) AS n FROM cards GROUP BY 1) x",
    "groups of half a hash of the unit": "SELECT count(*), sum(n) FROM (SELECT left(md5(unit::text), 16) AS k, count(*) AS n FROM cards GROUP BY 1) x",
    "values of the only row of a person": "SELECT count(*), sum((SELECT p.grade FROM people p WHERE p.unit = e.unit)) FROM events e",
    "values of the only row that a row leads to": "SELECT count(*), sum((SELECT e.amount FROM events e WHERE e.event = n.event)) FROM notes n",
    "what nobody's rows share": "SELECT count(*), sum(x) FROM (SELECT unit, count(*) AS x FROM events GROUP BY unit) y",
}
"""What a wrong proof, or none, would let through: generated queries come upon some of it once in a thousand."""

SUBTLY_MIXED = {
    "the last of equals": (
        "SELECT sum(x) FROM (SELECT last_value(amount) OVER (PARTITION BY unit) AS x FROM events) y",
        "per-unit-window",
    ),
    "windows over rows without a match": (
        "SELECT sum(x) FROM (SELECT count(*) OVER (PARTITION BY b.unit) AS x FROM people p "
        "LEFT JOIN badges b ON b.unit = p.unit AND b.amount = 1) y",
        "window-over-units",
    ),
    "groups of rows without a match": (
        "SELECT sum(x), count(*) FROM (SELECT b.unit, count(*) AS x FROM people p "
        "LEFT JOIN badges b ON b.unit = p.unit AND b.amount = 1 GROUP BY b.unit) y",
        "mixed-rows",
    ),
    "groups with and without a match": (
        "SELECT count(*) FROM (SELECT c.unit, count(*) AS x FROM events e "
        "LEFT JOIN cards c ON c.unit = e.unit AND c.amount = e.amount AND c.amount = 7 GROUP BY c.unit) y",
        "mixed-rows",
    ),
    "a union of rows without a match": (
        "SELECT count(*) FROM (SELECT b.unit, p.grade FROM people p LEFT JOIN badges b "
        "ON b.unit = p.unit AND b.amount = 1 UNION SELECT unit, amount FROM badges) y",
        "row-set-operation",
    ),
    "rows of two people": (
        "SELECT count(*), sum(b.amount) FROM people p JOIN badges b ON b.amount = p.grade",
        "private-join",
    ),
    "groups of two people": (
        "SELECT sum(x) FROM (SELECT unit, count(*) AS x FROM events GROUP BY unit) y "
        "JOIN people p ON p.grade = y.x OR p.unit = y.unit",
        "private-join",
    ),
    "somebody else's row exists": (
        "SELECT count(*) FROM people p WHERE EXISTS (SELECT 1 FROM badges b "
        "WHERE b.amount = p.grade AND b.unit <> p.unit)",
        "private-join",
    ),
    "rows of IN that tie by one member": (
        "SELECT count(*), sum(e.amount) FROM events e WHERE (e.event, e.region) IN (SELECT n.note, n.region FROM notes n "
        "WHERE n.amount > 1)",
        "private-join",
    ),
    "groups of a text in which units run into numbers": (
        "SELECT sum(n), count(*) FROM (SELECT unit::text || amount::text AS k, count(*) AS n FROM cards GROUP BY 1) x",
        "mixed-rows",
    ),
    "groups of numbers that two units share": (
        "SELECT sum(n), count(*) FROM (SELECT abs(unit - 4) AS k, count(*) AS n FROM cards GROUP BY 1) x",
        "mixed-rows",
    ),
    "rows joined along texts that are cut": (
        "SELECT count(*), sum(x.amount * y.grade) FROM (SELECT unit::varchar(1) AS u, amount FROM cards) x "
        "JOIN (SELECT unit::varchar(1) AS u, grade FROM people) y ON y.u = x.u",
        "private-join",
    ),
    "groups of a text that NULL takes away": (
        "SELECT sum(n), count(*) FROM (SELECT unit::text || '-' || region AS k, count(*) AS n FROM cards GROUP BY 1) x",
        "mixed-rows",
    ),
    "groups of a text whose unit begins anywhere": (
        "SELECT sum(n), count(*) FROM (SELECT coalesce(region, '') || '-' || unit AS k, count(*) AS n FROM cards GROUP BY 1) x",
        "mixed-rows",
    ),
    "groups of numbers that are rounded": (
        "SELECT sum(n), count(*) FROM (SELECT unit + '1e30'::float8 AS k, count(*) AS n FROM cards GROUP BY 1) x",
        "mixed-rows",
    ),
    "groups of units with another one in the place of one": (
        "SELECT sum(n), count(*) FROM (SELECT coalesce(nullif(unit, 2), 1) AS k, count(*) AS n FROM cards GROUP BY 1) x",
        "mixed-rows",
    ),
    "groups of one side of a full join": (
        "SELECT sum(n), count(*) FROM (SELECT coalesce(c.unit) AS unit, count(*) AS n FROM cards c FULL JOIN badges b "
        "ON c.unit = b.unit GROUP BY coalesce(c.unit)) x",
        "mixed-rows",
    ),
    "rows joined along a merged column that is no unit": (
        "SELECT count(*), sum(p.grade) FROM (SELECT coalesce(c.unit, b.amount) AS unit FROM cards c FULL JOIN badges b "
        "ON c.unit = b.unit) x JOIN people p ON p.unit = x.unit",
        "private-join",
    ),
    "a value of somebody else's only row": (
        "SELECT count(*), sum((SELECT p.grade FROM people p WHERE p.unit = e.amount)) FROM events e",
        "private-join",
    ),
    "rows not in rows without a person": (
        "SELECT count(*) FROM people p WHERE (p.unit, p.grade) NOT IN (SELECT b.unit, b.amount FROM badges b)",
        "private-join",
    ),
}
"""The same, with the rule that refuses it."""


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
@pytest.mark.parametrize("text", SUBTLE.values(), ids=SUBTLE.keys())
def test_what_a_wrong_proof_would_let_through_is_private(
    database: RowDatabase, text: str, mechanism: Literal["laplace", "gaussian"]
) -> None:
    schema = Schema(row_data.policy(2, 1, 2), database.catalog)
    planned = planned_blocks(database, text, schema, QuerySettings(mechanism=mechanism))
    assert_private(database, planned, row_data.EVERYBODY)


@pytest.mark.parametrize(("text", "rule"), SUBTLY_MIXED.values(), ids=SUBTLY_MIXED.keys())
def test_what_would_mix_several_people_is_refused(database: RowDatabase, text: str, rule: str) -> None:
    assert database.accepts(text)
    with pytest.raises(UnsupportedError) as refusal:
        planned_blocks(database, text, Schema(row_data.policy(2, 1, 2), database.catalog), QuerySettings())
    assert refusal.value.rule == rule
