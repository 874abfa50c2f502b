"""A process plans a block once, and a text around a block that it knows as if it knew none."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from proxy.policy.catalog_file import catalog_of_policy, read_catalog_file
from proxy.query import planning
from proxy.query.planned import Plan, all_blocks
from proxy.rehearsal.opened import RehearsalStage, opened
from proxy.rehearsal.rehearsing import Rehearsal, rehearse
from proxy.rehearsal.servers import starting_server
from proxy.rehearsal.stages import built_stage
from proxy.sql import analysis, repeats
from proxy.sql.schema import Schema
from proxy.wire.stage_connection import connect
from tests.end_to_end.odd_clinic import odd_policy
from tests.planned import as_sent

pytestmark = pytest.mark.postgres

_TOP = "(SELECT region FROM visits GROUP BY region ORDER BY count(*) DESC LIMIT 2)"
_READING = "SELECT * FROM (SELECT region, count(*), (SELECT max(n) FROM z) AS m FROM visits GROUP BY region) AS q"
PAIRS = (
    (f"WITH z AS (SELECT 1 AS n) {_READING}", f"WITH z AS (SELECT text 'a' AS n) {_READING}"),
    (f"WITH z AS (SELECT 1 AS n), y AS (SELECT 2 AS n) {_READING}", f"WITH y AS (SELECT text 'a' AS n), z AS (TABLE y) {_READING}"),
    ("SELECT count(*) AS a FROM visits", "SELECT count(*) AS b FROM visits"),
    ("SELECT count(*) FROM visits", "EXPLAIN SELECT count(*) FROM visits"),
    ("SELECT count(*) AS a FROM visits", "SELECT a + 1 FROM (SELECT count(*) AS a FROM visits) AS v"),
    ("SELECT a FROM (SELECT count(*) AS a FROM visits) AS v", "SELECT b FROM (SELECT count(*) AS b FROM visits) AS v"),
    ("SELECT a FROM (SELECT count(*) AS a FROM visits) AS v", "SELECT max(a) FROM (SELECT count(*) AS a FROM visits) AS v"),
    (
        "SELECT region AS a, avg(cost) AS b FROM visits GROUP BY region ORDER BY 2 DESC LIMIT 3",
        "SELECT region AS x, avg(cost) AS y FROM visits GROUP BY region ORDER BY 1",
    ),
    (
        "SELECT region AS a, avg(cost) AS b FROM visits GROUP BY 1",
        "WITH x AS (SELECT region AS a, avg(cost) AS b FROM visits GROUP BY 1) SELECT sum(b) FROM x",
    ),
    (
        f"SELECT region AS a, sum(cost) AS b FROM visits WHERE region IN {_TOP} GROUP BY 1",
        f"SELECT region AS x, sum(cost) AS y FROM visits WHERE region IN {_TOP} GROUP BY 1",
    ),
    (
        f"SELECT region AS a, sum(cost) AS b FROM visits WHERE region IN {_TOP} GROUP BY 1",
        f"SELECT region AS x, sum(cost) AS y FROM visits WHERE region IN {_TOP.replace('2', '3')} GROUP BY 1",
    ),
    (
        f"WITH t AS {_TOP} SELECT region, count(*) FROM visits WHERE region IN (SELECT region FROM t) GROUP BY 1",
        f"WITH t AS {_TOP.replace('2', '3')} SELECT region, count(*) FROM visits WHERE region IN (SELECT region FROM t) GROUP BY 1",
    ),
    (
        "SELECT diagnosis AS a, count(*) FROM visits GROUP BY 1 HAVING count(*) > 10",
        "SELECT diagnosis AS b, count(*) FROM visits GROUP BY 1 HAVING count(*) > 20",
    ),
    (
        "SELECT (SELECT count(*) FROM visits) AS a, (SELECT count(*) FROM patients) AS b",
        "SELECT (SELECT count(*) FROM patients) AS a, (SELECT count(*) FROM visits) AS b",
    ),
    (
        "SELECT count(*) AS a FROM visits UNION ALL SELECT count(*) FROM visits",
        "SELECT count(*) AS b FROM visits UNION ALL SELECT count(*) FROM patients",
    ),
    (
        "SELECT sex, count(*) AS a FROM patients GROUP BY ROLLUP (sex)",
        "SELECT sex, count(*) AS b, grouping(sex) AS c FROM patients GROUP BY ROLLUP (sex)",
    ),
    (
        "SELECT zone, count(*) AS a FROM visits JOIN regions ON name = region GROUP BY zone",
        "SELECT zone AS z, count(*) AS b FROM visits JOIN regions ON name = region GROUP BY zone LIMIT 1",
    ),
    ("SELECT count(*) AS a FROM visits", "SET dp.epsilon = 0.02; SELECT count(*) AS b FROM visits"),
    ("SELECT count(*) AS a FROM visits", "SET dp.empty_groups = hide; SELECT count(*) AS b FROM visits"),
    ("SELECT count(*) AS a FROM regions, visits", "SET search_path = archive; SELECT count(*) AS b FROM regions, public.visits"),
    (
        "SELECT date_trunc('day', visited_at::timestamptz) AS a, count(*) FROM visits GROUP BY 1",
        "SET TimeZone = 'Asia/Tokyo'; SELECT date_trunc('day', visited_at::timestamptz) AS b, count(*) FROM visits GROUP BY 1",
    ),
)  # fmt: skip

Rehearse = Callable[[Sequence[str]], list[Plan]]


@pytest.fixture(scope="module")
def place(catalog_file: Path) -> Iterator[tuple[asyncio.Runner, RehearsalStage]]:
    policy = odd_policy()
    with starting_server() as server, asyncio.Runner() as runner:
        found = opened(built_stage(policy, catalog_of_policy(read_catalog_file(catalog_file), policy), server))
        yield runner, found
        runner.run(found.stage.close())


@pytest.fixture
def schema(place: tuple[asyncio.Runner, RehearsalStage]) -> Schema:
    return place[1].schema


@pytest.fixture
def planned(place: tuple[asyncio.Runner, RehearsalStage]) -> Rehearse:
    """The last plan of each script, each of which has a process of its own."""

    def last(scripts: Sequence[str]) -> list[Plan]:
        runner, stage = place
        found = [outcomes[-1] for outcomes in runner.run(rehearse(stage, "ana", scripts))]
        assert not [outcome.refusal for outcome in found if outcome.refusal is not None]
        return [outcome.plan for outcome in found if outcome.plan is not None]

    return last


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_a_text_is_planned_as_if_nothing_was_planned_before(
    first: str, second: str, planned: Rehearse, schema: Schema
) -> None:
    alone, after, again = [
        as_sent(plan, schema) for plan in planned([f"SELECT 1; {second}", f"{first}; {second}", f"{second}; {second}"])
    ]
    assert after == alone
    assert again == alone


def test_blocks_of_one_plan_are_never_the_same_object(planned: Rehearse) -> None:
    """What is known of one by its identity is not known of the other."""
    count = "SELECT count(*) FROM visits"
    (plan,) = planned([f"{count}; {count} UNION ALL {count} UNION ALL {count}"])
    assert len({id(block) for block in all_blocks(plan.blocks)}) == 3


@pytest.fixture
def times(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by one number for each block that is planned."""
    found: list[int] = []
    plan_block = analysis.plan_block

    def counted(*arguments: Any) -> Any:
        found.append(len(found))
        return plan_block(*arguments)

    monkeypatch.setattr(analysis, "plan_block", counted)
    return found


@pytest.mark.parametrize(
    ("script", "blocks"),
    [
        ("SELECT count(*) AS a FROM visits; SELECT count(*) AS b FROM visits LIMIT 2; SELECT count(*) AS c FROM visits", 1),
        ("EXPLAIN SELECT count(*) AS a FROM visits; SELECT count(*) AS b FROM visits", 1),
        ("SELECT count(*) AS a FROM visits; SELECT count(*) AS a FROM visits WHERE cost > 1", 2),
        ("SELECT count(*) AS a FROM visits; SET dp.epsilon = 0.02; SELECT count(*) AS b FROM visits", 2),
        ("SELECT count(*) AS a FROM visits; SET TimeZone = 'Asia/Tokyo'; SELECT count(*) AS b FROM visits", 2),
        (f"SELECT count(*) AS a FROM visits WHERE region IN {_TOP}; SELECT count(*) AS b FROM visits WHERE region IN {_TOP}", 2),
        # A block around released rows depends on how many there can be.
        (
            f"SELECT count(*) AS a FROM visits WHERE region IN {_TOP}; "
            f"SELECT count(*) AS b FROM visits WHERE region IN {_TOP.replace('2', '1')}",
            4,
        ),
    ],
)  # fmt: skip
def test_a_block_is_planned_once_for_each_session_state(
    script: str, blocks: int, planned: Rehearse, times: list[int]
) -> None:
    planned([script])
    assert len(times) == blocks


def test_a_block_is_planned_again_the_next_day(
    place: tuple[asyncio.Runner, RehearsalStage], times: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose windows of time have begun depends on the date."""
    runner, stage = place

    async def planned() -> list[int]:
        connection = await connect(stage.address, "ana", {"client_encoding": "UTF8"})
        rehearsal, found = Rehearsal(stage, "ana", connection), list[int]()
        for day in (1, 1, 2):
            monkeypatch.setattr(planning, "today", lambda day=day: dt.date(2030, 1, day))
            await rehearsal.rehearse(f"SELECT count(*) AS n{len(found)} FROM visits")
            found.append(len(times))
        connection.close()
        return found

    assert runner.run(planned()) == [1, 1, 2]


def test_a_block_that_could_not_count_public_rows_is_planned_again(
    planned: Rehearse, times: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another statement may count them, and then more of it can be answered."""
    monkeypatch.setattr(repeats, "_COUNTS", 0)
    planned(["SELECT count(*) AS a FROM visits; SELECT count(*) AS b FROM visits"])
    assert len(times) == 2
