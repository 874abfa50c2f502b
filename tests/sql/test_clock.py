"""now() and its like stand still in private questions, and nowhere else; timestamps in WHERE snap to the same grid."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

import pytest

from proxy.policy.model import Policy
from proxy.sql.plain_postgres import render
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.schema import Schema
from tests.planned import analysed, plan_of
from tests.sql.events import CATALOG, POLICY

HOUR = "TO_TIMESTAMP(FLOOR(EXTRACT(EPOCH FROM NOW()) / 3600) * 3600)"


def schema(**tables: Mapping[str, object]) -> Schema:
    """The events' schema with other keys for some tables."""
    changed = POLICY.model_dump()
    for name, keys in tables.items():
        changed["tables"][f"public.{name}"] |= keys
    return Schema(Policy.model_validate(changed), CATALOG)


def where_of(plan: BlockPlan) -> str:
    assert plan.where is not None
    return plan.where.sql


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("now()", HOUR),
        ("transaction_timestamp()", HOUR),
        ("statement_timestamp()", HOUR),
        ("CURRENT_TIMESTAMP", HOUR),
        ("current_timestamp(3)", HOUR),
        ("CURRENT_DATE", f"CAST({HOUR} AS DATE)"),
        ("LOCALTIMESTAMP", f"CAST({HOUR} AS TIMESTAMP)"),
        ("localtimestamp(0)", f"CAST({HOUR} AS TIMESTAMP)"),
        ("date_trunc('day', now())", f"DATE_TRUNC('day', {HOUR})"),
        ("now() - age(seen)", HOUR),
    ],
)
def test_what_tells_the_time_is_the_last_tick(written: str, told: str) -> None:
    found = analysed(f"SELECT count(*) FROM events WHERE seen > {written}", schema())
    assert told.lower() in [render(constant).lower() for constant in found.constants]


def test_age_counts_from_the_last_tick() -> None:
    found = analysed("SELECT count(*) FROM events WHERE age(seen) > interval '1 day'", schema())
    assert [render(constant).upper() for constant in found.constants] == [f"CAST({HOUR} AS DATE)"]


def test_outside_of_blocks_the_clock_is_free() -> None:
    found = analysed("SELECT now(), n FROM (SELECT count(*) AS n FROM events WHERE seen < now()) AS q", schema())
    assert render(found.query).upper().count("NOW()") == 2
    assert render(found.blocks[0].select).upper().count(HOUR) == 1
    public = analysed("SELECT count(*) FROM towns WHERE now() > 'epoch'", schema())
    assert "EXTRACT" not in render(public.query).upper()


def test_what_a_block_reads_has_its_clock() -> None:
    text = (
        "SELECT count(*) FROM events WHERE seen > (SELECT max(d) FROM generate_series(now(), now(), '1 day') AS s(d))"
    )
    assert render(analysed(text, schema()).query).upper().count(HOUR) == 2


def test_the_slowest_clock_counts() -> None:
    known = schema(events={"clock": "1 day"}, people={"clock": "off"})
    text = "SELECT count(*) FROM events NATURAL JOIN people WHERE seen < now()"
    assert "/ 86400) * 86400" in render(analysed(text, known).query)
    free = analysed("SELECT count(*) FROM people WHERE age < extract(year FROM now())", known)
    assert "EPOCH" not in render(free.query).upper()


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("at >= '2024-03-01 10:07:12.345'", "at >= '2024-03-01 10:00:00'"),
        ("at > timestamp '2024-03-01 10:07:12.345'", "at > timestamp '2024-03-01 10:00:00'"),
        ("'2024-03-01 10:07' > at", "'2024-03-01 11:00:00' > at"),
        ("at <= '2024-03-01 10:00:00.001'", "at <= '2024-03-01 11:00:00'"),
        ("NOT at >= '2024-03-01 10:07'", "at < '2024-03-01 11:00:00'"),
        (
            "at BETWEEN '2024-03-01 10:07' AND '2024-03-31 23:59'",
            "at BETWEEN '2024-03-01 10:00:00' AND '2024-04-01 00:00:00'",
        ),
        ("seen >= '2024-03-01T10:07:12.345Z'", "seen >= '2024-03-01 10:00:00+00'"),
        ("seen < '2024-03-01 10:07+05:30'", "seen < '2024-03-01 05:00:00+00'"),
        ("at < '1969-12-31 23:30'", "at < '1970-01-01 00:00:00'"),
        (
            "many > 3 AND NOT urgent AND at >= '2024-03-01 10:07'",
            "many > 3 AND NOT urgent AND at >= '2024-03-01 10:00:00'",
        ),
    ],
)
def test_constants_snap_outward(written: str, asked: str) -> None:
    known = schema(events={"snap": True})
    found, expected = (plan_of(f"SELECT count(*) FROM events WHERE {where}", known) for where in (written, asked))
    assert where_of(found) == where_of(expected)
    assert (found.snap, expected.snap) == (dt.timedelta(hours=1), dt.timedelta())


@pytest.mark.parametrize(
    "written",
    [
        "at >= '2024-03-01 10:00'",
        "seen >= '2024-03-01 10:07'",
        "day >= '2024-03-01'",
        "at = '2024-03-01 10:07'",
        "at BETWEEN SYMMETRIC '2024-03-01 10:07' AND '2024-02-01 10:07'",
        "NOT (at >= '2024-03-01 10:07' AND urgent)",
        "at >= 'infinity'",
    ],
)
def test_other_constants_stay(written: str) -> None:
    text = f"SELECT count(*) FROM events WHERE {written}"
    found, plain = plan_of(text, schema(events={"snap": True})), plan_of(text, schema())
    assert where_of(found) == where_of(plain)
    assert not found.snap
