"""A claimed statement from text to plans, and from plans to stage SQL: the front door for `proxy.query`."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from sqlglot import exp

from proxy.settings import QuerySettings
from proxy.sql.names import folded
from proxy.sql.nodes import Nodes, Shape, copied, find_all, identical, walk
from proxy.sql.plain_postgres import render
from proxy.sql.planning import planner
from proxy.sql.planning.by_error import planned_within
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.refusal import unsupported
from proxy.sql.replacing import replace
from proxy.sql.rows import row_counts
from proxy.sql.rows.feedback import Feedback, calls_any
from proxy.sql.rows.stage_columns import StageColumn
from proxy.sql.rows.time_windows import Asked
from proxy.sql.schema import Schema
from proxy.sql.staging.block_types import UntypedBlock
from proxy.sql.statement import Statement
from proxy.sql.trees import constants
from proxy.sql.trees.aggregate_calls import collect, released_clauses
from proxy.sql.trees.block_shapes import block_made_of, made_of
from proxy.sql.trees.blocks import Block, blocks_within, find_blocks, virtual_tables
from proxy.sql.trees.clock import CLOCKS, stand_still, tells_time
from proxy.sql.trees.interval_calls import INTERVAL_CALLS, check_interval_calls
from proxy.sql.trees.listing_aggregates import refuse_listing_aggregates
from proxy.sql.trees.marks import ANSWERED, BLOCK
from proxy.sql.trees.passes import rewritten
from proxy.sql.trees.walking import replace_all

_QUALIFIED = ((exp.Table, "db"),)
"""What is added to every statement: the schemas of its tables."""


@dataclass(frozen=True)
class BoundParameter:
    """The value of `$n`: text form and `format_type` name of its type."""

    text: str | None
    type_name: str


@dataclass(frozen=True)
class Computed:
    """The constants of a statement, and the numbers of rows that it writes out. They may read the clock.

    Attributes:
        sql: asks the stage for them.
        values: its row.
        has_constants: are there others than numbers of rows?
    """

    sql: str
    values: tuple[str | None, ...]
    has_constants: bool


@dataclass(frozen=True)
class Analysis:
    """What has to be released for a statement. Nothing changes the tree any more.

    Attributes:
        statement: the statement.
        query: its query with parameters bound and all passes done.
        nodes: of `query`.
        blocks: the SELECTs of `query` that aggregate private rows, each with its feedback.
        virtual: which of dp.budget, dp.last, dp.ledger and dp.sessions it reads.
        constants: expressions for the stage to compute before planning, over all blocks.
        countable: the queries that blocks read whose rows the stage counts then.
        answered: parts of it need no private row, and are written so that the stage answers them.
        computed: the query for them and the stage's row, once they are; None if there were none.
    """

    statement: Statement
    query: exp.Query
    nodes: Nodes
    blocks: tuple[Block, ...]
    virtual: frozenset[str]
    constants: tuple[exp.Expr, ...]
    countable: tuple[exp.Query, ...] = ()
    answered: bool = False
    computed: Computed | None = None

    def is_of(self, statement: Statement) -> bool:
        """Is the query the statement's own, but for the schemas of its tables?"""
        return identical(self.query, statement.query, _QUALIFIED)

    @property
    def probe_sql(self) -> str | None:
        """What the stage has to compute before planning; None if nothing."""
        asked = [*constants.probes(self.constants), *map(row_counts.count_sql, self.countable)]
        return f"SELECT {', '.join(asked)}" if asked else None

    @property
    def pattern_probe_sql(self) -> str | None:
        """What the stage has to accept before planning, once constants are folded; None if nothing."""
        return constants.trying([probe for block in blocks_within(self.blocks) for probe in block.patterns])

    def calling_none_of(self, volatile: AbstractSet[str]) -> Analysis:
        """The analysis without counting rows of queries that call functions of these names."""
        return replace(self, countable=tuple(query for query in self.countable if not calls_any(walk(query), volatile)))

    def folded(self, values: Sequence[str | None]) -> Analysis:
        """The analysis of the same statement with the stage's row for `probe_sql` in the place of its constants."""
        query, probe_sql = copied(self.query), self.probe_sql or ""
        twins = {id(node): twin for node, twin in zip(walk(self.query), walk(query), strict=True)}
        constants.substitute([twins[id(node)] for node in self.constants], values)
        counts = values[len(values) - len(self.countable) :]
        counted = {
            id(read): int(count) for read, count in zip(self.countable, counts, strict=True) if count is not None
        }
        blocks = tuple(block.within(twins, counted) for block in self.blocks)
        computed = Computed(probe_sql, tuple(values), bool(self.constants))
        nodes = walk(query)
        return replace(self, query=query, nodes=nodes, blocks=blocks, constants=(), countable=(), computed=computed)


@dataclass(frozen=True)
class Decisive:
    """Blocks for which this is equal have the same plan, for one schema, session's state and day.

    Attributes:
        block: what the block is made of.
        read: what each of its feedback queries is made of, its columns, and how many rows it has, as far as counted.
        around: what the CTEs around it are made of that it names: they decide about types.
        named: the names of the block's outputs are part of it.
    """

    block: Shape
    read: tuple[tuple[Shape, tuple[StageColumn, ...], int | None], ...]
    around: tuple[Shape, ...]
    named: bool

    @property
    def size(self) -> int:
        """How many parts it has."""
        read = sum(len(query) + len(columns) for query, columns, _ in self.read)
        return len(self.block) + read + sum(map(len, self.around))


def analyse(
    statement: Statement, parameters: Sequence[BoundParameter], schema: Schema, search_path: tuple[str, ...]
) -> Analysis:
    """Bind parameters, rewrite, and find what has to be released.

    Raises:
        UnsupportedError: placeholders that are not $n, or subqueries that cannot be told apart.
    """
    query, kinds = rewritten(_bound(statement.query, parameters), schema, search_path)
    blocks = find_blocks(query, schema)
    nodes = walk(query)
    if not kinds.isdisjoint(INTERVAL_CALLS):
        check_interval_calls(nodes, [block.select for block in blocks_within(blocks)])
    answered = any(map(ANSWERED.on, nodes))
    virtual = {folded(table.this) for table in virtual_tables(nodes)}
    for block in blocks_within(blocks):
        for read in block.feedback:
            _number(read.blocks)
            virtual |= {folded(table.this) for table in virtual_tables(walk(read.query))}
    _number(blocks)
    if "age" in kinds:
        for block in blocks_within(blocks):
            constants.write_out_ages(block.select)
    if "age" in kinds or not kinds.isdisjoint(CLOCKS):
        stand_still(blocks, schema)
        nodes = walk(query)
    folding = [node for block in blocks_within(blocks) for node in constants.foldable(block.select)]
    feedback = [each for block in blocks_within(blocks) for each in block.feedback if not each.blocks]
    countable = tuple(each.query for each in feedback if row_counts.is_countable(each.query, schema))
    # What is counted now is evaluated later, and not by another clock.
    folding += [node for each in countable for node in filter(tells_time, constants.foldable_everywhere(each))]
    return Analysis(statement, query, nodes, blocks, frozenset(virtual), tuple(folding), countable, answered)


def _number(blocks: Sequence[Block]) -> None:
    for number, block in enumerate(blocks):
        BLOCK.put(block.select, number)


def _bound(query: exp.Query, parameters: Sequence[BoundParameter]) -> exp.Query:
    copy = copied(query)
    literals: list[tuple[exp.Expr, exp.Expr]] = []
    for node in find_all(copy, exp.Parameter, exp.Placeholder):
        number = node.this if isinstance(node, exp.Parameter) else None
        if not isinstance(number, exp.Literal) or not number.name.isdigit():
            raise unsupported(
                node, f"{node.sql()} is not a PostgreSQL parameter", rule="parameter", hint="Use $1, $2 …."
            )
        index = int(number.name)
        if not 1 <= index <= len(parameters):
            raise unsupported(
                node,
                f"there is no value for ${index}",
                rule="parameter",
                hint="Give the query a value for each parameter, or write a constant in its place.",
            )
        value = parameters[index - 1]
        literal = constants.literal(value.text, value.type_name)
        literal.meta.update(number.meta)
        literals.append((node, literal))
    replace_all(literals)
    return copy


def plan_block(
    block: Block,
    schema: Schema,
    search_path: tuple[str, ...],
    settings: QuerySettings,
    analyst: str,
    feedback: Sequence[Sequence[StageColumn]] = (),
    asked: Asked | None = None,
) -> UntypedBlock:
    """Plan a block of a folded analysis.

    Args:
        block: the block.
        schema: policy and catalog.
        search_path: schemas for unqualified names, in order.
        settings: the session's.
        analyst: whose own account pays too.
        feedback: the columns of each of its feedback queries, as the stage describes them.
        asked: when, for windows of time.

    Raises:
        DpproxyError: the first refusal.
    """
    calls = collect(released_clauses(block.select))
    refuse_listing_aggregates(calls)
    known = [
        Feedback(read.query, tuple(columns), read.counted)
        for read, columns in zip(block.feedback, feedback, strict=True)
    ]

    def plan_at(priced: QuerySettings) -> BlockPlan:
        return planner.plan_block(block.select, schema, search_path, priced, analyst, known, asked)

    return UntypedBlock(planned_within(plan_at, settings, block.select), block.select, calls, block.ctes)


def decisive(block: Block, feedback: Sequence[Sequence[StageColumn]], *, names: bool) -> Decisive:
    """What decides the plan of a block of a folded analysis.

    Args:
        block: the block.
        feedback: as of `plan_block`.
        names: do the names of its outputs matter?
    """
    read = tuple(
        (made_of(read.query), tuple(columns), read.counted)
        for read, columns in zip(block.feedback, feedback, strict=True)
    )
    shape = made_of(block.select) if names else block_made_of(block.select)
    return Decisive(shape, read, tuple(map(made_of, block.ctes)), names)


def query_text(query: exp.Query) -> str:
    """The query as SQL for the stage to describe."""
    return render(query)
