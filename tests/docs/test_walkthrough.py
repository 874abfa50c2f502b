"""The query that `proxy/README.md` follows from the socket and back, and the value that each of its steps makes.

To be read beside the docstring of `proxy.query`. A whole proxy answers the query over the demo's clinic; the steps are
watched, not replaced.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest
from psycopg.conninfo import conninfo_to_dict
from sqlglot import exp

from proxy.demo.client import PASSWORD
from proxy.demo.clinic import clinic_dsn, load_clinic
from proxy.demo.play import demo_policy
from proxy.postgres.databases import LEDGER_DATABASE, ensure_database
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.query import releasing
from proxy.query.analysing import Analyser
from proxy.query.answering import Answerer
from proxy.query.asking import Asker
from proxy.query.paying import Payments
from proxy.query.planning import Planner
from proxy.query.reading import Reader
from proxy.query.releasing import Releaser
from proxy.serving.options import ServiceOptions
from proxy.sql.analysis import query_text
from proxy.sql.planning.statistic import GridSum, RowCount
from tests.end_to_end.running import RunningProxy

pytestmark = pytest.mark.postgres

QUERY: Final = "SELECT region, avg(cost) FROM visits GROUP BY region"
REGIONS: Final = ["centre", "east", "north", "south", "west"]

WATCHED: Final[list[tuple[Any, str]]] = [
    (Reader, "parse"),
    (Analyser, "analyse"),
    (Planner, "plan"),
    (Asker, "question"),
    (Payments, "recall"),
    (releasing, "request_of"),
    (Payments, "charge"),
    (releasing, "draw"),
    (releasing, "exact_results"),
    (Releaser, "release"),
    (Answerer, "answer"),
]
"""The steps, in the order in which they end."""


class Walk:
    """What the steps made, in order, and the rows that the client got."""

    def __init__(self) -> None:
        self.made: dict[str, Any] = {}
        self.rows: list[tuple[Any, ...]] = []

    def watching(self, name: str, step: Callable[..., Any]) -> Callable[..., Any]:
        """`step`, whose result is kept."""

        async def awaited(*args: Any, **named: Any) -> Any:
            self.made[name] = await step(*args, **named)
            return self.made[name]

        def called(*args: Any) -> Any:
            self.made[name] = step(*args)
            return self.made[name]

        return awaited if inspect.iscoroutinefunction(step) else called


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walk]:
    walk = Walk()
    with (
        EmbeddedPostgres(tmp_path_factory.mktemp("source"), durable=False) as source,
        EmbeddedPostgres(tmp_path_factory.mktemp("own"), durable=False) as own,
        pytest.MonkeyPatch.context() as patch,
    ):
        load_clinic(source.dsn(), 2000, lambda _: None)
        ledger = ensure_database(own.dsn(), LEDGER_DATABASE)
        dsn = clinic_dsn(source.dsn())
        options = ServiceOptions(demo_policy(), dsn, own.dsn(), ledger, owns_stage_cluster=True, port=0)
        for owner, name in WATCHED:
            patch.setattr(owner, name, walk.watching(name, getattr(owner, name)))
        with RunningProxy(options, str(conninfo_to_dict(dsn)["dbname"]), PASSWORD) as proxy, proxy.connect() as client:
            walk.rows = client.execute(QUERY).fetchall()
        yield walk


def test_the_readme_follows_this_query_through_these_files() -> None:
    text = (Path(__file__).parents[2] / "proxy/README.md").read_text()
    followed = text.partition("## One query")[2].partition("\n## ")[0]
    assert QUERY in followed
    files = [inspect.getmodule(owner).__name__ for owner, _ in WATCHED]  # type: ignore[union-attr]
    missing = {file for file in files if f"`{'/'.join(file.split('.')[1:])}.py`" not in followed}
    assert missing == set()


def test_the_steps_end_in_their_order(walk: Walk) -> None:
    assert list(walk.made) == [name for _, name in WATCHED]


def test_1_reading_parses_the_text(walk: Walk) -> None:
    statement = walk.made["parse"]
    assert (statement.carrier, statement.query_text) == ("query", QUERY)
    assert isinstance(statement.query, exp.Select)


def test_2_analysing_says_whose_tables_are_meant_and_finds_the_one_block(walk: Walk) -> None:
    analysis = walk.made["analyse"]
    (block,) = analysis.blocks
    assert query_text(block.select) == 'SELECT region, avg(cost) FROM "public".visits GROUP BY region'
    assert (block.feedback, analysis.virtual, analysis.constants) == ((), frozenset(), ())


def test_3_planning_decides_everything_before_any_data_are_asked(walk: Walk) -> None:
    plan = walk.made["plan"]
    (block,) = plan.blocks
    assert (block.plan.relation.sql, block.plan.relation.unit_sql) == ('"public"."visits" AS t0', 't0."patient_id"')
    assert [key.label for key in block.plan.keys] == ["region"]
    rows, total = block.plan.statistics
    assert rows == RowCount()
    assert isinstance(total, GridSum)
    assert (total.grid.low, total.grid.high) == (0, 50_000)
    assert [mechanism.name for mechanism in block.plan.mechanisms] == ["gaussian", "gaussian"]
    assert (block.plan.contribution.max_rows, block.plan.contribution.max_rows_per_group) == (40, 32)
    assert (block.plan.price.rho, block.plan.price.delta) == (Fraction(1, 200), 0)
    assert [account.name for account in block.plan.accounts] == ["table:public.visits", "analyst:ana:public.visits"]
    assert [(column.name, column.type_name) for column in plan.columns] == [("region", "text"), ("avg", "numeric")]
    assert "dpproxy_relation_0" in plan.template


def test_4_asking_lists_the_declared_groups(walk: Walk) -> None:
    question = walk.made["question"]
    assert [key for (key,) in question.domain] == REGIONS
    assert (question.literals, question.candidates) == ((), [])
    assert question.hash == question.block.hash


def test_5_paying_recalls_nothing_and_charges_each_account(walk: Walk) -> None:
    assert walk.made["recall"].question.parts == (), "nothing that was released is a part of the answer"
    spent = {name: left.rho for name, left in walk.made["charge"].remaining.items()}
    assert list(spent) == ["table:public.visits", "analyst:ana:public.visits"]


def test_6_measuring_asks_the_source_one_statement_over_bounded_units(walk: Walk) -> None:
    request = walk.made["request_of"]
    (statement,) = request.statements
    for part in (
        "GROUP BY unit HAVING count(*) > 35",  # units that may have to be scaled down
        "<= 500",  # values clamped to the bounds
        "WINDOW w AS (PARTITION BY unit)",  # those units, scaled down by all their rows
        """'{"centre","east","north","south","west"}'""",  # no other groups leave the source
    ):
        assert part in statement
    assert request.verified_keys == (("public.visits", ("visit_id",)),)
    measured = walk.made["exact_results"]
    assert sorted(key for (key,) in measured.keys) == REGIONS
    assert all(len(sums) == 2 for sums in measured.sums)


def test_7_releasing_adds_noise_that_was_drawn_before(walk: Walk) -> None:
    drawn = walk.made["draw"]
    assert [len(stocks) for stocks in drawn.numbers] == [2]
    released = walk.made["release"]
    assert [key for (key,) in released.answer.keys] == REGIONS
    exact = dict(zip(walk.made["exact_results"].keys, walk.made["exact_results"].sums, strict=True))
    pairs = [(noisy, exact[key]) for key, noisy in zip(released.answer.keys, released.answer.values, strict=True)]
    assert all(noisy != sums for noisy, sums in pairs)
    assert released.notice.message == "dpproxy charged epsilon 0.1 (rho 0.005)"


def test_8_answering_puts_the_released_rows_in_the_place_of_the_block(walk: Walk) -> None:
    answer = walk.made["answer"]
    assert 'SELECT r.c0::text AS "region", r.c1::numeric AS "avg" FROM (' in answer.sql
    assert """FROM unnest('{"centre","east","north","south","west"}'::text[], '{""" in answer.sql
    assert "visits" not in answer.sql
    assert [notice.message for notice in answer.notices] == [walk.made["release"].notice.message]
    assert [region for region, _ in walk.rows] == REGIONS
    assert all(average is None or 0 <= average <= 500 for _, average in walk.rows)
