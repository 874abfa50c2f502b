"""The proof behind every answer, tried on generated blocks: without one unit, the exact sums move by no more than the
sensitivity that the noise is made for (theorems 1 and 12; attacks 2, 3, 5, 6, 11, 16 and 20).

The same examples show that the source query cannot fail, whatever the rows hold.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace

import psycopg
import pytest
from hypothesis import HealthCheck, assume, given, note, reject, settings
from hypothesis import strategies as st
from psycopg import sql

from proxy.dp.mechanisms import LaplaceMechanism, Mechanism
from proxy.errors import DpproxyError
from proxy.policy.catalog import Catalog
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.settings import QuerySettings
from proxy.sql.planning.group_keys import canonical_key
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.schema import Schema
from proxy.sql.source_queries.exact_sums import ExactResults, read_sums, sums_sql
from proxy.sql.source_queries.sending import only_declared
from tests.attacks import generated
from tests.conftest import PostgresCluster
from tests.planned import analysed, only_plan

EXAMPLES = int(os.environ.get("DPPROXY_SENSITIVITY_EXAMPLES", "60"))
SEED = 123456789
Row = tuple[str | None, ...]
INSERT = sql.SQL("INSERT INTO {} VALUES ({})")


@dataclass
class Database:
    """A connection whose changes are rolled back after each example, and one that only checks a client's text."""

    connection: psycopg.Connection
    checker: psycopg.Connection
    catalog: Catalog

    def accepts(self, text: str) -> bool:
        """Would the stage accept the statement when it parses it?"""
        result = self.checker.pgconn.prepare(b"", text.encode())
        return result.status == psycopg.pq.ExecStatus.COMMAND_OK

    def constants(self, probe: str) -> tuple[str | None, ...]:
        """What the stage computes before planning."""
        row = self.checker.execute(probe.encode()).fetchone()
        assert row is not None
        return row

    def measure(self, plan: BlockPlan, *, sent: bool = False) -> ExactResults:
        """What the source computes; with `sent` only what it sends, of selected keys those that some unit helps to
        select."""
        statements = [sums_sql(plan, SEED)]
        if sent and plan.selection is not None:
            statements = only_declared(plan, statements, (), ())
        cursor = self.connection.execute(statements[0].encode())
        result = cursor.pgresult
        assert result is not None
        texts = [[result.get_value(row, column) for column in range(result.nfields)] for row in range(result.ntuples)]
        return read_sums(plan, [tuple(t if t is None else t.decode() for t in row) for row in texts])


@pytest.fixture(scope="module")
def database(postgres_cluster: PostgresCluster) -> Iterator[Database]:
    dsn = postgres_cluster.create_database("sensitivity")
    with psycopg.connect(dsn) as connection, psycopg.connect(dsn, autocommit=True) as checker:
        checker.execute(generated.SCHEMA.encode())
        # As the source is asked: every statement with the search path pinned.
        connection.execute("SET search_path = pg_catalog, pg_temp")
        connection.commit()
        catalog = read_catalog(dsn, ["public.events", "public.people", "public.regions"], ["public.regions"])
        yield Database(connection, checker, catalog)


AGGREGATES = st.one_of(
    st.sampled_from(["count(*)", "count(DISTINCT unit)"]),
    st.tuples(st.sampled_from(["sum", "avg", "count"]), generated.NUMBERS).map(lambda t: f"{t[0]}({t[1]})"),
)
FILTERED = st.tuples(AGGREGATES, st.none() | generated.CONDITIONS).map(
    lambda t: t[0] if t[1] is None else f"{t[0]} FILTER (WHERE {t[1]})"
)
JOINS = st.sampled_from(
    [
        "",
        " JOIN public.regions r ON r.name = t.region",
        " LEFT JOIN public.regions r ON r.name = t.region AND r.code < 3",
        " CROSS JOIN public.regions r",
        " LEFT JOIN public.regions r ON r.code > t.whole",
        " JOIN public.regions r ON r.code = t.whole",
    ]
)


@st.composite
def blocks(draw: st.DrawFn) -> tuple[str, str]:
    """A table and an aggregate query over it."""
    table = draw(st.sampled_from(["events", "events", "people"]))
    keys = draw(st.lists(generated.KEYS, max_size=2))
    aggregates = draw(st.lists(FILTERED, min_size=0 if keys else 1, max_size=3))
    join = draw(JOINS)
    if join:
        keys += draw(st.lists(st.sampled_from(["r.zone", "r.code"]), max_size=1))
    where = draw(st.none() | generated.CONDITIONS)
    text = f"SELECT {', '.join([*keys, *aggregates])} FROM public.{table} t{join}"
    text += f" WHERE {where}" if where is not None else ""
    return table, text + (f" GROUP BY {', '.join(str(i + 1) for i in range(len(keys)))}" if keys else "")


@st.composite
def plain_blocks(draw: st.DrawFn) -> tuple[str, str]:
    """Sums and averages of all numeric columns, by nothing, a declared or an undeclared key."""
    table = draw(st.sampled_from(["events", "events", "people"]))
    function = draw(st.sampled_from(["sum", "avg"]))
    sums = ", ".join(f"{function}({name})" for name in ("small", "whole", "big", "money", "free", "wide", "narrow"))
    key = draw(st.sampled_from(["", "region", "word", "free", "wide", "flag"]))
    text = f"SELECT count(*), count(DISTINCT unit), {sums} FROM public.{table}"
    return table, f"{text} GROUP BY {key}" if key else text


@st.composite
def narrowed_blocks(draw: st.DrawFn) -> tuple[str, str]:
    """Sums and averages whose bounds conditions narrow, of numbers inside, at and beyond the limits."""
    table = draw(st.sampled_from(["events", "events", "people"]))
    name = draw(st.sampled_from(["small", "whole", "big", "money", "free", "wide", "narrow"]))
    column = f"inside.{name}" if draw(st.booleans()) else name
    low, high = sorted(draw(st.tuples(LIMITS, LIMITS)), key=float)
    condition = draw(
        st.sampled_from(
            [
                f"{column} BETWEEN {low} AND {high}",
                f"{column} < {high}",
                f"{low} <= {column} AND NOT {column} > {high}",
                f"{column} IN ({low}, {high}, 0)",
                f"coalesce({column}, {low}) <= {high}",
            ]
        )
    )
    argument = draw(st.sampled_from(["{0}", "{0} * 2", "abs({0})", "coalesce({0}, 5)", "coalesce({0}, {1})"]))
    function = draw(st.sampled_from(["sum", "avg"]))
    call = f"{function}({argument.format(column, low)})"
    rows = f"public.{table}"
    if column != name:
        rows = f"(SELECT * FROM {rows} WHERE {condition.replace('inside.', '')}) AS inside"
    elif draw(st.booleans()):
        call, condition = f"{call} FILTER (WHERE {condition})", "true"
    key = draw(st.sampled_from(["", "region", "word"]))
    text = f"SELECT {call}, {function}({column}) FROM {rows} WHERE {condition}"
    return table, f"{text} GROUP BY {key}" if key else text


LIMITS = st.sampled_from(["-7", "0", "0.1", "3", "5", "12.34", "300", "46341", "99999999.98"])
POLICIES = st.builds(
    generated.policy,
    max_rows=st.integers(1, 6) | st.none(),
    max_rows_per_group=st.integers(1, 4),
    max_groups=st.integers(1, 3),
    bound=st.sampled_from(["1", "10", "12.3", "1000000", "1e12"]),
    step=st.sampled_from([None, "0.01", "0.1", "0.5", "1"]),
)
SETTINGS = st.builds(QuerySettings, mechanism=st.sampled_from(["laplace", "gaussian"]))


ALONE = st.lists(
    # Equal rows are the worst that a unit can do: all of its contribution in one cell.
    st.tuples(generated.rows(st.just(1)), st.integers(1, 8)).map(lambda repeated: [repeated[0]] * repeated[1]),
    min_size=1,
    max_size=3,
).map(lambda runs: [row for run in runs for row in run])
"""Rows of the unit whose removal makes the neighbour."""


def planned(database: Database, text: str, schema: Schema, query_settings: QuerySettings) -> BlockPlan:
    """The plan of a block as the proxy makes it; what it or Postgres refuses is no example."""
    assume(database.accepts(text))
    try:
        found = analysed(text, schema)
        if found.probe_sql is not None:
            found = found.folded(database.constants(found.probe_sql))
        plan = only_plan(found, schema, query_settings)
    except (DpproxyError, psycopg.Error):
        reject()
    note(text)
    note(sums_sql(plan, SEED))
    return plan


def moved(plan: BlockPlan, more: ExactResults, other: ExactResults) -> dict[object, tuple[list[int], int]]:
    """For each group, by how many cells each statistic and the selection weight differ."""
    types = [key.term.type for key in plan.keys]
    nothing = [0] * len(plan.statistics)
    found: dict[object, tuple[list[int], int]] = {}
    for sign, measured in ((1, more), (-1, other)):
        weights = measured.weights or [0] * len(measured.keys)
        for key, cells, weight in zip(measured.keys, measured.sums, weights, strict=True):
            before, weight_before = found.get(canonical_key(key, types), (nothing, 0))
            after = [total + sign * cell for total, cell in zip(before, cells, strict=True)]
            found[canonical_key(key, types)] = (after, weight_before + sign * weight)
    return found


def assert_same_texts(plan: BlockPlan, more: ExactResults, other: ExactResults) -> None:
    """A group's own text, which is shown once it is selected, is not one unit's doing."""
    types = [key.term.type for key in plan.keys]
    texts = {canonical_key(key, types): [part and part.rstrip(" ") for part in key] for key in more.keys}
    for key in other.keys:
        if canonical_key(key, types) in texts:
            assert [part and part.rstrip(" ") for part in key] == texts[canonical_key(key, types)]


def assert_within(mechanism: Mechanism, distances: list[int]) -> None:
    if isinstance(mechanism, LaplaceMechanism):
        assert sum(map(abs, distances)) <= mechanism.sensitivity
    else:
        assert sum(distance**2 for distance in distances) <= mechanism.squared_sensitivity


def at_every_threshold(plan: BlockPlan) -> Iterator[BlockPlan]:
    """The plan at each threshold that it could choose; itself where bounds are fixed."""
    if not plan.norms:
        yield plan
        return
    last = [norm.thresholds - 1 for norm in plan.norms]
    for index in range(max(last) + 1):
        yield plan.clipped_at([min(index, most) for most in last])


def assert_units_counted_once(whole: ExactResults, smaller: ExactResults) -> None:
    """The unit is in one bucket of each norm, and moves nobody else's."""
    for more, less in zip(whole.units, smaller.units, strict=True):
        differences = [one - other for one, other in zip(more, less, strict=True)]
        assert sorted(differences)[:-1] == [0] * (len(differences) - 1)
        assert max(differences) <= 1


def _keys_in_both(plan: BlockPlan, one: ExactResults, other: ExactResults) -> set[object]:
    types = [key.term.type for key in plan.keys]
    ones, others = ({canonical_key(key, types) for key in found.keys} for found in (one, other))
    return {*(ones & others)}


def assert_within_sensitivity(
    plan: BlockPlan, whole: ExactResults, smaller: ExactResults, *, sent: bool = False
) -> None:
    """Removing the unit moves each number, and each selection weight, by no more than its noise is made for, whatever
    thresholds are chosen. Groups that only this unit helps to select are sent with it alone, and show with no more than
    a chance of delta (theorem 12)."""
    assert_same_texts(plan, whole, smaller)
    assert_units_counted_once(whole, smaller)
    for clipped in at_every_threshold(plan):
        more, less = (replace(measured, sums=measured.clipped(clipped)) for measured in (whole, smaller))
        found = moved(plan, more, less)
        compared = _keys_in_both(plan, whole, smaller) if sent and plan.selection is not None else set(found)
        for index, mechanism in enumerate(plan.mechanisms):
            assert_within(mechanism, [cells[index] for key, (cells, _) in found.items() if key in compared])
        groups = found.values()
    if plan.selection is not None:
        weights = [weight for _, weight in groups]
        assert_within(plan.selection.mechanism, weights)
        assert sum(weight != 0 for weight in weights) <= plan.selection.max_groups


def assert_neighbours_are_close(
    database: Database,
    block: tuple[str, str],
    policy: Policy,
    query_settings: QuerySettings,
    rows: list[Row],
    change: str = "",
    *,
    sent: bool = False,
) -> None:
    """Measure with all rows and without those of unit 1; the difference must be within what the noise is made for.

    Public rows may have changed since the plan was made.
    """
    table, text = block
    plan = planned(database, text, Schema(policy, database.catalog), query_settings)
    rows = rows if table == "events" else list({row[0]: row for row in rows}.values())
    target = sql.Identifier("public", table)
    try:
        database.connection.execute(change.encode())
        insert = INSERT.format(target, sql.SQL(", ").join([sql.Placeholder()] * len(rows[0])))
        database.connection.cursor().executemany(insert, rows)
        whole = database.measure(plan, sent=sent)
        database.connection.execute(sql.SQL("DELETE FROM {} WHERE unit = 1").format(target))
        smaller = database.measure(plan, sent=sent)
    finally:
        database.connection.rollback()
    assert_within_sensitivity(plan, whole, smaller, sent=sent)


ROWS = st.tuples(st.lists(generated.rows(st.integers(1, generated.UNITS)), min_size=4, max_size=25), ALONE).map(
    lambda parts: [*parts[0], *parts[1]]
)
settle = settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@settle
@given(block=blocks(), policy=POLICIES, query_settings=SETTINGS, rows=ROWS)
def test_one_unit_moves_the_sums_of_any_block_by_at_most_the_sensitivity(
    database: Database, block: tuple[str, str], policy: Policy, query_settings: QuerySettings, rows: list[Row]
) -> None:
    assert_neighbours_are_close(database, block, policy, query_settings, rows)


@settle
@given(block=plain_blocks(), policy=POLICIES, query_settings=SETTINGS, rows=ROWS)
def test_one_unit_moves_the_sums_of_columns_by_at_most_the_sensitivity(
    database: Database, block: tuple[str, str], policy: Policy, query_settings: QuerySettings, rows: list[Row]
) -> None:
    """Plain columns reach their bounds often: a sensitivity that is 30 % too small fails here."""
    assert_neighbours_are_close(database, block, policy, query_settings, rows)


@settle
@given(block=narrowed_blocks(), policy=POLICIES, query_settings=SETTINGS, rows=ROWS)
def test_one_unit_moves_narrowed_sums_by_at_most_the_sensitivity(
    database: Database, block: tuple[str, str], policy: Policy, query_settings: QuerySettings, rows: list[Row]
) -> None:
    assert_neighbours_are_close(database, block, policy, query_settings, rows)


UNBOUNDED = st.builds(
    generated.policy,
    max_rows=st.none(),
    max_rows_per_group=st.just(1),
    max_groups=st.integers(1, 3),
    bound=st.none(),
    step=st.sampled_from([None, "0.01", "1", "1000"]),
)


@settle
@given(block=st.one_of(blocks(), plain_blocks()), policy=UNBOUNDED, query_settings=SETTINGS, rows=ROWS)
def test_one_unit_moves_sums_without_bounds_by_at_most_the_sensitivity(
    database: Database, block: tuple[str, str], policy: Policy, query_settings: QuerySettings, rows: list[Row]
) -> None:
    """Whatever threshold is chosen: units are scaled down by their own sums, of values up to the ends of their types."""
    assert_neighbours_are_close(database, block, policy, query_settings, rows)


OF_PUBLIC_ROWS = ["r.factor", "r.code", "r.factor * r.code", "t.whole * r.factor", "abs(r.factor) + t.narrow"]


@settle
@given(
    function=st.sampled_from(["count(*)", "sum(whole)", "count(DISTINCT unit)"]),
    policy=st.one_of(UNBOUNDED, POLICIES),
    query_settings=SETTINGS,
    rows=ROWS,
)
def test_which_groups_are_sent_moves_no_sum_beyond_the_sensitivity(
    database: Database, function: str, policy: Policy, query_settings: QuerySettings, rows: list[Row]
) -> None:
    """Units in several groups help to select few of them, and count in the others if somebody else does."""
    text = f"SELECT word, {function} FROM public.events GROUP BY word"
    assert_neighbours_are_close(database, ("events", text), policy, query_settings, rows, sent=True)


@settle
@given(
    value=st.sampled_from(OF_PUBLIC_ROWS),
    function=st.sampled_from(["sum", "avg"]),
    factor=st.sampled_from(["factor", "-9999.99", "9999.99", "'NaN'", "NULL"]),
    policy=POLICIES,
    query_settings=SETTINGS,
    rows=ROWS,
)
def test_public_rows_that_change_move_no_sum_beyond_the_sensitivity(
    database: Database,
    value: str,
    function: str,
    factor: str,
    policy: Policy,
    query_settings: QuerySettings,
    rows: list[Row],
) -> None:
    """Their range when the catalog was read bounds what is summed."""
    text = f"SELECT {function}({value}) FROM public.events t JOIN public.regions r ON r.name = t.region"
    change = f"UPDATE public.regions SET factor = {factor}, code = code * 1000"
    assert_neighbours_are_close(database, ("events", text), policy, query_settings, rows, change)
