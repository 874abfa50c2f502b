"""A block that is found again by what it is made of has the plan that it would get, whatever stands around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

import pytest
from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.settings import QuerySettings
from proxy.sql import analysis
from proxy.sql.analysis import Analysis
from proxy.sql.nodes import Shape, copied, walk
from proxy.sql.rows.stage_columns import StageColumn
from proxy.sql.statement import parse_statement
from proxy.sql.trees import marks
from proxy.sql.trees.block_shapes import block_made_of, made_of
from proxy.sql.trees.blocks import Block
from tests.planned import PUBLIC, analysed, as_sent
from tests.plans.cases import FILES, read
from tests.plans.schema import SCHEMA

STATEMENTS = [case.statement for file in FILES for case in read(file)]
_MARKS = [mark for mark in vars(marks).values() if isinstance(mark, marks.Mark)]


def found(statement: str) -> Analysis | None:
    with suppress(DpproxyError):
        return analysed(statement, SCHEMA)
    return None


def plan_of(block: Block) -> str:
    """A block's plan as it leaves a planning process. Which rule refuses it may depend on what stands around it."""
    try:
        plan = analysis.plan_block(block, SCHEMA, PUBLIC, QuerySettings(), "ana").plan
    except DpproxyError:
        return "refused"
    return as_sent(plan, SCHEMA)


@pytest.fixture(scope="module")
def blocks() -> list[Block]:
    """The blocks of the cases, as they are planned, without those that read others' results."""
    every = [block for statement in STATEMENTS for each in [found(statement)] if each for block in each.blocks]
    alone = [block for block in every if not block.feedback]
    assert len(alone) > 500
    return alone


def varied(select: exp.Select) -> Iterator[exp.Select]:
    """The block in other words around its groups."""
    named = copied(select)
    for number, output in enumerate(named.expressions):
        if isinstance(output, exp.Alias):
            output.set("alias", exp.to_identifier(f"Called {number}", quoted=True))
    yield named
    limited = copied(select)
    limited.set("limit", exp.Limit(expression=exp.Literal.number(7)))
    limited.set("offset", exp.Offset(expression=exp.Literal.number(3)))
    yield limited
    names = [name for output in select.expressions if (name := output.alias_or_name)]
    for key in (exp.Literal.number(1), *(exp.column(exp.to_identifier(name, quoted=True)) for name in names)):
        ordered = copied(select)
        ordered.set("order", exp.Order(expressions=[exp.Ordered(this=key, desc=True)]))
        yield ordered


def test_blocks_that_are_made_of_the_same_have_the_same_plan(blocks: list[Block]) -> None:
    same = 0
    for block in blocks:
        shape = block_made_of(block.select)
        for select in varied(block.select):
            if block_made_of(select) == shape:
                same += 1
                assert plan_of(Block(select)) == plan_of(block), select.sql("postgres")
    assert same > 2 * len(blocks)


def test_two_cases_that_are_made_of_the_same_have_the_same_plan(blocks: list[Block]) -> None:
    by_shape: dict[object, list[Block]] = {}
    for block in blocks:
        by_shape.setdefault(block_made_of(block.select), []).append(block)
    assert all(len({plan_of(block) for block in equal}) == 1 for equal in by_shape.values())
    assert 500 < len(by_shape) < len(blocks)


@pytest.mark.parametrize("shaped", [made_of, block_made_of])
def test_a_text_that_differs_anywhere_makes_another_block(
    blocks: list[Block], shaped: Callable[[exp.Select], Shape]
) -> None:
    changed = 0
    for block in blocks[::5]:
        select = copied(block.select)
        before = shaped(select)
        for node in walk(select):
            text = node.args.get("this")
            if not isinstance(text, str) or (shaped is block_made_of and _is_around(node, select)):
                continue
            node.args["this"] = f"{text}x"
            assert shaped(select) != before, (node, select.sql("postgres"))
            node.args["this"] = text
            changed += 1
        assert shaped(select) == before
    assert changed > 1000


def _is_around(node: exp.Expr, select: exp.Select) -> bool:
    """Is it the name of an output, or in what may be left out?"""
    names = [output.args["alias"] for output in select.expressions if isinstance(output, exp.Alias)]
    clauses = [clause for name in ("limit", "offset", "order") if (clause := select.args.get(name)) is not None]
    return any(node is name for name in names) or any(node is part for clause in clauses for part in walk(clause))


def test_a_note_on_any_node_makes_another_block_but_for_places(blocks: list[Block]) -> None:
    for block in blocks[::50]:
        before = block_made_of(block.select)
        for node in walk(block.select):
            if _is_around(node, block.select):
                continue
            for mark in _MARKS:
                kept = dict(node.meta)
                mark.put(node, 99)
                assert (block_made_of(block.select) == before) == (mark is marks.BLOCK), (mark, node)
                node.meta.clear()
                node.meta.update(kept)
    assert len(_MARKS) > 5


@pytest.mark.parametrize(
    ("one", "another"),
    [
        ("SELECT count(*) AS n FROM visits", "SELECT count(*) AS m FROM visits"),
        ("SELECT count(*) AS n FROM visits LIMIT 10", "SELECT count(*) AS n FROM visits LIMIT 20 OFFSET 1"),
        (
            "SELECT region AS of, count(*) AS n FROM visits GROUP BY 1 ORDER BY 1",
            "SELECT region AS of, count(*) AS n FROM visits GROUP BY 1 ORDER BY n DESC, OF",
        ),
        (
            "SELECT region, count(*) FROM visits GROUP BY 1",
            "SELECT region, count(*) FROM visits GROUP BY 1 ORDER BY region",
        ),
        (
            "SELECT region AS of, count(*) AS n FROM visits GROUP BY 1 ORDER BY 1",
            "SELECT region AS r, count(*) AS visits_of_it FROM visits GROUP BY 1 ORDER BY 2 DESC NULLS LAST LIMIT 5",
        ),
    ],
)
def test_what_stands_around_the_groups_is_left_out(one: str, another: str) -> None:
    assert block_made_of(select_of(one)) == block_made_of(select_of(another))
    assert made_of(select_of(one)) != made_of(select_of(another))


@pytest.mark.parametrize(
    ("one", "another"),
    [
        ("SELECT count(*) FROM visits", "SELECT count(*) FROM samples"),
        ("SELECT count(*) FROM visits WHERE cost > 1", "SELECT count(*) FROM visits WHERE cost > 2"),
        ("SELECT count(*) FROM visits WHERE urgent", "SELECT count(*) FROM visits WHERE NOT urgent"),
        ("SELECT count(*) FROM visits", "SELECT count(*) FROM visits HAVING count(*) > 1"),
        ("SELECT count(*) FROM visits", "SELECT count(*) FROM visits ORDER BY sum(cost)"),
        (
            "SELECT region AS r, count(*) FROM visits GROUP BY region",
            "SELECT region AS r, count(*) FROM visits GROUP BY region ORDER BY region",
        ),
        (
            "SELECT region, count(*) FROM visits GROUP BY region",
            "SELECT region, count(*) FROM visits GROUP BY region ORDER BY visits.region",
        ),
        (
            "SELECT region AS r, count(*) FROM visits GROUP BY region",
            'SELECT region AS r, count(*) FROM visits GROUP BY region ORDER BY "R"',
        ),
        (
            "SELECT count(*) AS n FROM (SELECT * FROM visits UNION ALL SELECT * FROM visits) AS v",
            "SELECT count(*) AS cost FROM (SELECT * FROM visits UNION ALL SELECT * FROM visits) AS v",
        ),
        ("SELECT count(*) FROM visits LIMIT 1", "SELECT count(*) FROM visits LIMIT (SELECT 1)"),
        # What outputs are called matters where they are named.
        (
            "SELECT region AS a, diagnosis AS b, count(*) FROM visits GROUP BY a",
            "SELECT region AS b, diagnosis AS a, count(*) FROM visits GROUP BY a",
        ),
        (
            "SELECT cost * 2 AS double, count(*) FROM visits GROUP BY DOUBLE",
            "SELECT cost * 2 AS twice, count(*) FROM visits GROUP BY DOUBLE",
        ),
        ("SELECT region FROM visits", "SELECT DISTINCT region FROM visits"),
        ("SELECT count(*) FROM visits AS n", "SELECT count(*) FROM visits AS m"),
        ("SELECT count(DISTINCT region) FROM visits", "SELECT count(region) FROM visits"),
        ("SELECT count(*) FROM visits WHERE note = 'a'", "SELECT count(*) FROM visits WHERE note = 'A'"),
        ("SELECT count(*) FROM visits WHERE note = '1'", "SELECT count(*) FROM visits WHERE note = 1"),
        ('SELECT count("note") FROM visits', "SELECT count(note) FROM visits"),
        (
            "SELECT count(*) FROM (SELECT patient_id AS n FROM visits LIMIT 5) AS v LIMIT 1",
            "SELECT count(*) FROM (SELECT patient_id AS n FROM visits LIMIT 6) AS v LIMIT 1",
        ),
        (
            "SELECT count(*) FROM (SELECT patient_id AS n FROM visits) AS v",
            "SELECT count(*) FROM (SELECT patient_id AS m FROM visits) AS v",
        ),
    ],
)
def test_what_a_plan_may_depend_on_stays(one: str, another: str) -> None:
    assert block_made_of(select_of(one)) != block_made_of(select_of(another))


def test_what_a_part_is_to_the_whole_makes_another_block() -> None:
    def of_schema(**place: exp.Identifier) -> exp.Select:
        return exp.Select(
            expressions=[exp.Star()], from_=exp.From(this=exp.Table(this=exp.to_identifier("t"), **place))
        )

    name = exp.to_identifier("public")
    assert made_of(of_schema(db=name.copy())) != made_of(of_schema(catalog=name.copy()))
    assert made_of(exp.Select(expressions=[exp.true()])) != made_of(exp.Select(expressions=[exp.Boolean(this=1)]))


def select_of(text: str) -> exp.Select:
    statement = parse_statement(text)
    assert statement is not None
    assert isinstance(statement.query, exp.Select)
    return statement.query


def test_a_name_of_an_output_is_no_column_that_a_query_reads() -> None:
    """Rows of UNION ALL have only the columns that are read, and are the same question under every name."""
    rows = "(SELECT * FROM visits WHERE urgent UNION ALL SELECT * FROM visits WHERE NOT urgent) AS v"
    plans = {plan_of_only(f"SELECT count(*) AS {name} FROM {rows}") for name in ("n", "cost", "region")}
    assert len(plans) == 1
    assert plans.isdisjoint({plan_of_only(f"SELECT count(cost) AS cost FROM {rows}")})


def plan_of_only(text: str) -> str:
    (block,) = analysed(text, SCHEMA).blocks
    return plan_of(block)


def test_what_a_block_reads_is_part_of_what_decides_its_plan() -> None:
    (block,) = [
        block
        for block in analysed(
            "WITH t AS (SELECT region FROM visits GROUP BY 1 ORDER BY count(*) DESC LIMIT 2) "
            "SELECT count(*) FROM visits WHERE region IN (SELECT region FROM t)",
            SCHEMA,
        ).blocks
        if block.feedback
    ]
    (read,) = block.feedback
    texts, numbers = (StageColumn("region", "text"),), (StageColumn("region", "integer"),)
    known = analysis.decisive(block, [texts], names=True)
    assert known == analysis.decisive(block, [texts], names=True)
    counted = replace(block, feedback=(replace(read, counted=3),))
    other = replace(block, feedback=(replace(read, query=select_of("SELECT 1")),))
    assert known != analysis.decisive(block, [numbers], names=True)
    assert known != analysis.decisive(counted, [texts], names=True)
    assert known != analysis.decisive(other, [texts], names=True)


def test_what_a_cte_means_is_part_of_what_decides_a_plan() -> None:
    """The same text is another query with RECURSIVE, where it reads itself."""

    def decisive(with_: str, number: str = "1") -> analysis.Decisive:
        body = f"{with_} z AS (SELECT {number} AS n UNION ALL SELECT n + 1 FROM z WHERE n < 5)"
        (block,) = analysed(
            f"{body} SELECT * FROM (SELECT count(*), (SELECT max(n) FROM z) FROM visits) AS q", SCHEMA
        ).blocks
        assert len(block.ctes) == 1
        return analysis.decisive(block, [], names=True)

    assert decisive("WITH RECURSIVE") == decisive("WITH RECURSIVE")
    assert decisive("WITH RECURSIVE") != decisive("WITH")
    assert decisive("WITH RECURSIVE") != decisive("WITH RECURSIVE", "1.5")
