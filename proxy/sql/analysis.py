"""A claimed statement from text to plans, and from plans to stage SQL: the front door for `proxy.query`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from proxy.settings import QuerySettings
from proxy.sql.dialect import render
from proxy.sql.names import folded
from proxy.sql.planning import plan
from proxy.sql.refusal import unsupported
from proxy.sql.rows.feedback import Feedback, StageColumn
from proxy.sql.schema import Schema
from proxy.sql.staging import staged
from proxy.sql.staging.staged import mark_blocks
from proxy.sql.statement import Statement
from proxy.sql.trees import constants
from proxy.sql.trees.blocks import Block, blocks_within, find_blocks, virtual_tables
from proxy.sql.trees.constant_items import write_constant_rows_as_subqueries
from proxy.sql.trees.ctes import write_out_ctes
from proxy.sql.trees.existence import write_existence_as_counts
from proxy.sql.trees.interval_calls import check_interval_calls
from proxy.sql.trees.laterals import join_lateral_subqueries
from proxy.sql.trees.listing_aggregates import refuse_listing_aggregates
from proxy.sql.trees.qualified_columns import drop_schemas_of_columns
from proxy.sql.trees.quantifiers import write_quantifiers_as_in
from proxy.sql.trees.row_equalities import write_row_equalities_as_conjunctions
from proxy.sql.trees.scalar_subqueries import join_scalar_subqueries
from proxy.sql.trees.walking import replace_all


@dataclass(frozen=True)
class BoundParameter:
    """The value of `$n`: text form and `format_type` name of its type."""

    text: str | None
    type_name: str


@dataclass(frozen=True)
class PlannedBlock:
    """A block's plan and the statement whose description gives its types."""

    plan: plan.BlockPlan
    description_sql: str
    output_count: int


@dataclass
class Analysis:
    """A parsed statement on its way to plans. The tree is its own copy: folding constants changes it.

    Attributes:
        statement: the statement.
        query: its query with parameters bound and, after `fold`, constants folded.
        blocks: the SELECTs of `query` that aggregate private rows, each with its feedback.
        virtual: which of dp.budget and dp.ledger it reads.
        constants: expressions for the stage to compute before planning, over all blocks.
    """

    statement: Statement
    query: exp.Query
    blocks: list[Block]
    virtual: frozenset[str]
    constants: list[exp.Expr]

    @property
    def probe_sql(self) -> str | None:
        """What the stage has to compute before planning; None if nothing."""
        return constants.probe_sql(self.constants) if self.constants else None

    @property
    def pattern_probe_sql(self) -> str | None:
        """What the stage has to accept before planning, once constants are folded; None if nothing."""
        return constants.pattern_probe_sql([block.select for block in blocks_within(self.blocks)])

    def fold(self, values: Sequence[str | None]) -> None:
        """Put the stage's row for `probe_sql` into the tree."""
        constants.substitute(self.constants, values)
        self.constants = []


def analyse(
    statement: Statement, parameters: Sequence[BoundParameter], schema: Schema, search_path: tuple[str, ...]
) -> Analysis:
    """Bind parameters and find what has to be released.

    Raises:
        UnsupportedError: placeholders that are not $n, or subqueries that cannot be told apart.
    """
    query = write_quantifiers_as_in(_bound(statement.query, parameters))
    write_row_equalities_as_conjunctions(query)
    drop_schemas_of_columns(query, schema, search_path)
    write_out_ctes(query, schema, search_path)
    write_constant_rows_as_subqueries(query, schema)
    join_lateral_subqueries(query, schema)
    write_existence_as_counts(query, schema)
    join_scalar_subqueries(query, schema)
    found = find_blocks(query, schema)
    check_interval_calls(query, [block.select for block in blocks_within(found)])
    virtual = {folded(table.this) for table in virtual_tables(query)}
    for block in blocks_within(found):
        for evaluated in block.feedback:
            mark_blocks([inner.select for inner in evaluated.blocks])
            virtual |= {folded(table.this) for table in virtual_tables(evaluated.query)}
    mark_blocks([block.select for block in found])
    folding = [node for block in blocks_within(found) for node in constants.foldable(block.select)]
    return Analysis(statement, query, found, frozenset(virtual), folding)


def _bound(query: exp.Query, parameters: Sequence[BoundParameter]) -> exp.Query:
    copy = query.copy()
    literals: list[tuple[exp.Expr, exp.Expr]] = []
    for node in list(copy.find_all(exp.Parameter, exp.Placeholder)):
        number = node.this if isinstance(node, exp.Parameter) else None
        if not isinstance(number, exp.Literal) or not number.name.isdigit():
            raise unsupported(
                node, f"{node.sql()} is not a parameter of Postgres", rule="parameter", hint="Use $1, $2 …."
            )
        index = int(number.name)
        if not 1 <= index <= len(parameters):
            raise unsupported(node, f"there is no value for ${index}", rule="parameter")
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
) -> PlannedBlock:
    """Plan a block of a folded analysis.

    Args:
        block: the block.
        schema: policy and catalog.
        search_path: schemas for unqualified names, in order.
        settings: the session's.
        analyst: whose own account pays too.
        feedback: the columns of each of its evaluated queries, as the stage describes them.

    Raises:
        DpproxyError: the first refusal.
    """
    refuse_listing_aggregates(block.select)
    known = [Feedback(one.query, tuple(columns)) for one, columns in zip(block.feedback, feedback, strict=True)]
    planned = plan.plan_block(block.select, schema, search_path, settings, analyst, known)
    calls = list(staged.aggregate_calls(block.select, planned.relation).values())
    description = staged.description_sql(block.select, planned, calls)
    return PlannedBlock(planned, description, len(block.select.expressions))


def plan_blocks(
    analysis: Analysis, schema: Schema, search_path: tuple[str, ...], settings: QuerySettings, analyst: str
) -> list[PlannedBlock]:
    """Plan every block of a folded analysis whose blocks read no released results.

    Raises:
        DpproxyError: the first refusal.
    """
    return [plan_block(block, schema, search_path, settings, analyst) for block in analysis.blocks]


def query_text(query: exp.Query) -> str:
    """The query as SQL for the stage to describe."""
    return render(query)
