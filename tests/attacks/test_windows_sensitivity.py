"""The proof behind budgets for windows of time, tried on generated blocks: without one unit's rows of one window, the
exact sums move by no more than the sensitivity if the block is charged to the window, and not at all if it is not
(theorem 24).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace

import psycopg
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from psycopg import sql

from proxy.policy.model import Policy
from proxy.policy.windows import Per, Windows, window_of
from proxy.postgres.catalog_reader import read_catalog
from proxy.settings import QuerySettings
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.schema import Schema
from proxy.sql.source_queries.exact_sums import ExactResults
from tests.attacks import generated
from tests.attacks.test_sensitivity import (
    EXAMPLES,
    FILTERED,
    INSERT,
    POLICIES,
    SETTINGS,
    Database,
    Row,
    assert_within_sensitivity,
    at_every_threshold,
    moved,
    planned,
    settle,
)
from tests.conftest import PostgresCluster

pytestmark = pytest.mark.postgres

PER: list[Per] = ["month", "month", "week", "quarter", "day", "year"]
TIMES = {
    "moment": ["2024-01-31 23:59:59.999999", "2024-02-01", "2024-02-15 12:00", "2024-03-01", "2024-03-31 23:30"],
    "instant": ["2024-01-31 23:59:59.999999+00", "2024-02-01 00:30+01", "2024-02-15 12:00+00", "2024-03-01 00:00+00"],
    "day": ["2024-01-31", "2024-02-01", "2024-02-15", "2024-03-01", "2024-03-31"],
}
"""Each row has one of these, NULL, an infinity, or a time outside of all windows."""
OUTSIDE = {
    "moment": ["infinity", "-infinity", "2029-01-01", "4713-01-01 BC"],
    "instant": ["infinity", "-infinity", "2029-01-01 00:00+00"],
    "day": ["infinity", "-infinity", "2029-01-01", "5874897-12-31"],
}
WHERE = [
    "{t} >= '{a}' AND {t} < '{b}'",
    "{t} >= '{a}'",
    "{t} < '{b}'",
    "{t} BETWEEN '{a}' AND '{b}'",
    "{t} = '{a}'",
    "NOT {t} < '{a}'",
    "({t} < '{a}' OR {t} >= '{b}')",
    "{t}::date = '2024-02-15'",
    "{t} IS NOT NULL",
]
KEYS = [
    "region", "word", "flag", "date_trunc('month', {t})", "date_trunc('month', {t} AT TIME ZONE 'UTC')", "{t}::date", "{t}",
]  # fmt: skip


@pytest.fixture(scope="module")
def database(postgres_cluster: PostgresCluster) -> Iterator[Database]:
    dsn = postgres_cluster.create_database("windows_sensitivity")
    with psycopg.connect(dsn) as connection, psycopg.connect(dsn, autocommit=True) as checker:
        checker.execute(generated.SCHEMA.encode())
        connection.execute("SET search_path = pg_catalog, pg_temp")
        connection.commit()
        catalog = read_catalog(dsn, ["public.events", "public.people", "public.regions"], ["public.regions"])
        yield Database(connection, checker, catalog)


def windowed(policy: Policy, time: str, per: Per) -> Policy:
    content = policy.model_dump()
    events = content["tables"]["public.events"]
    events["budget"] |= {"per": per, "of": time}
    events["columns"][time] = {"bounds": "[2023-12-15, 2024-05-01)"}
    return Policy.model_validate(content)


@st.composite
def blocks(draw: st.DrawFn, time: str) -> str:
    keys = [key.format(t=f"t.{time}") for key in draw(st.lists(st.sampled_from(KEYS), max_size=2, unique=True))]
    aggregates = draw(st.lists(FILTERED, min_size=1, max_size=3))
    join = draw(st.sampled_from(["", "", " LEFT JOIN public.regions r ON r.name = t.region"]))
    a, b = sorted(draw(st.tuples(*[st.sampled_from(TIMES[time])] * 2)))
    conditions = draw(st.lists(st.sampled_from(WHERE), max_size=2))
    conditions += draw(st.lists(generated.CONDITIONS, max_size=1))
    text = f"SELECT {', '.join([*keys, *aggregates])} FROM public.events t{join}"
    if conditions:
        text += f" WHERE {' AND '.join(f'({one})' for one in conditions).format(t=f't.{time}', a=a, b=b)}"
    return text + (f" GROUP BY {', '.join(str(i + 1) for i in range(len(keys)))}" if keys else "")


@st.composite
def examples(draw: st.DrawFn) -> tuple[str, Per, str, list[Row]]:
    """The time's column, the windows' length, a block, and rows."""
    time = draw(st.sampled_from(sorted(TIMES)))
    place = 1 + list(generated.VALUE_COLUMNS).index(time)
    units = st.integers(1, 3)
    times = st.none() | st.sampled_from(TIMES[time] * 4 + OUTSIDE[time])

    def at(drawn: tuple[Row, str | None, int]) -> list[Row]:
        row, moment, often = drawn
        return [(*row[:place], moment, *row[place + 1 :])] * often

    some = st.tuples(generated.rows(units), times, st.integers(1, 4)).map(at)
    rows = [row for run in draw(st.lists(some, min_size=3, max_size=12)) for row in run]
    return time, draw(st.sampled_from(PER)), draw(blocks(time)), rows


def row(unit: int, time: str, at: str) -> Row:
    """A row that has nothing but its unit and time."""
    return (str(unit), *(at if name == time else None for name in generated.VALUE_COLUMNS))


CHOOSING = generated.policy(max_rows=None, max_rows_per_group=1, max_groups=1, bound=None, step=None)
OF_ONE_ROW = generated.policy(max_rows=1, max_rows_per_group=1, max_groups=1, bound=None, step=None)
EVERYWHERE: tuple[str, Per, str, list[Row]] = (
    "moment",
    "month",
    "SELECT count(*) FROM public.events t",
    [row(unit, "moment", at) for unit in (1, 2) for at in TIMES["moment"] + OUTSIDE["moment"][:3] for _ in range(9)],
)
"""Two units with many rows in each window, and outside of all."""


@settings(settle, max_examples=EXAMPLES)
@example(case=EVERYWHERE, policy=CHOOSING, query_settings=QuerySettings())
@example(case=EVERYWHERE, policy=OF_ONE_ROW, query_settings=QuerySettings(mechanism="laplace"))
@given(case=examples(), policy=POLICIES, query_settings=SETTINGS)
def test_one_window_of_a_unit_moves_what_is_charged_to_it_by_at_most_the_sensitivity(
    database: Database, case: tuple[str, Per, str, list[Row]], policy: Policy, query_settings: QuerySettings
) -> None:
    time, per, text, rows = case
    plan = planned(database, text, Schema(windowed(policy, time, per), database.catalog), query_settings)
    charged = {account.name.partition("@")[2] for account in plan.accounts if account.name.startswith("table:")}
    clock = f"{time} AT TIME ZONE 'UTC'" if time == "instant" else time
    insert = INSERT.format(sql.Identifier("public", "events"), sql.SQL(", ").join([sql.Placeholder()] * len(rows[0])))
    place = 1 + list(generated.VALUE_COLUMNS).index(time)
    numbers = {window_of(_date(str(row[place])), per) for row in rows if row[0] == "1" and row[place] in TIMES[time]}
    outside = f"{time} IS NULL OR NOT isfinite({time}) OR {clock} >= '2028-01-01' OR {clock} < '2000-01-01'"
    removals = {outside: False}
    for number in numbers:
        window = Windows(per, number, number)
        removals[f"{clock} >= '{window.start}' AND {clock} < '{window.end}'"] = str(window) in charged
    try:
        database.connection.cursor().executemany(insert, rows)
        whole = database.measure(plan)
        for removal, is_charged in removals.items():
            with database.connection.transaction(force_rollback=True):
                database.connection.execute(f"DELETE FROM public.events WHERE unit = 1 AND ({removal})".encode())
                smaller = database.measure(plan)
            if is_charged:
                assert_within_sensitivity(plan, whole, smaller)
            else:
                assert_same(plan, whole, smaller)
    finally:
        database.connection.rollback()


def _date(text: str) -> dt.date:
    """The date of one of TIMES, in UTC."""
    moment = dt.datetime.fromisoformat(text)
    return (moment.astimezone(dt.UTC) if moment.tzinfo is not None else moment).date()


def assert_same(plan: BlockPlan, whole: ExactResults, smaller: ExactResults) -> None:
    """Nothing that is measured differs."""
    assert whole.units == smaller.units
    for clipped in at_every_threshold(plan):
        more, less = (replace(measured, sums=measured.clipped(clipped)) for measured in (whole, smaller))
        assert not any(any(cells) or weight for cells, weight in moved(plan, more, less).values())
