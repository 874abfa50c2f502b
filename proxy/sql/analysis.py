"""A claimed statement from text to plans, and from plans to stage SQL: the compiler's front door for `proxy.answer`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from proxy.settings import QuerySettings
from proxy.sql import blocks, constants, plan, staged
from proxy.sql.flatten import flatten
from proxy.sql.refusal import unsupported
from proxy.sql.schema import Schema, folded
from proxy.sql.statement import Statement


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
        blocks: the SELECTs of `query` that aggregate private rows.
        virtual: which of dp.budget and dp.ledger it reads.
        constants: expressions for the stage to compute before planning, over all blocks.
    """

    statement: Statement
    query: exp.Query
    blocks: list[exp.Select]
    virtual: frozenset[str]
    constants: list[exp.Expr]

    @property
    def probe_sql(self) -> str | None:
        """What the stage has to compute before planning; None if nothing."""
        return constants.probe_sql(self.constants) if self.constants else None

    @property
    def pattern_probe_sql(self) -> str | None:
        """What the stage has to accept before planning, once constants are folded; None if nothing."""
        return constants.pattern_probe_sql(self.blocks)

    def fold(self, values: Sequence[str | None]) -> None:
        """Put the stage's row for `probe_sql` into the tree."""
        constants.substitute(self.constants, values)
        self.constants = []


def analyse(
    statement: Statement, parameters: Sequence[BoundParameter], schema: Schema, search_path: tuple[str, ...]
) -> Analysis:
    """Bind parameters and find what has to be released.

    Raises:
        UnsupportedError: placeholders that are not $n, or private tables where no block can be.
    """
    query = flatten(_bound(statement.query, parameters), schema, search_path)
    selects = blocks.find_blocks(query, schema, search_path)
    virtual = frozenset(folded(table.this) for table in blocks.virtual_tables(query))
    folding = [node for select in selects for node in constants.foldable(select)]
    return Analysis(statement, query, selects, virtual, folding)


def _bound(query: exp.Query, parameters: Sequence[BoundParameter]) -> exp.Query:
    copy = query.copy()
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
        node.replace(literal)
    return copy


def plan_blocks(
    analysis: Analysis, schema: Schema, search_path: tuple[str, ...], settings: QuerySettings, analyst: str
) -> list[PlannedBlock]:
    """Plan every block of a folded analysis.

    Raises:
        DpproxyError: the first refusal.
    """
    planned = []
    for select in analysis.blocks:
        block = plan.plan_block(select, schema, search_path, settings, analyst)
        calls = list(staged.aggregate_calls(select, block.relation).values())
        planned.append(PlannedBlock(block, staged.description_sql(select, block, calls), len(select.expressions)))
    return planned


def stage_template(
    analysis: Analysis,
    schema: Schema,
    search_path: tuple[str, ...],
    planned: Sequence[PlannedBlock],
    types: Sequence[staged.BlockTypes],
) -> str:
    """The query's stage SQL with markers; see `staged.template`."""
    return staged.template(analysis.query, schema, search_path, [block.plan for block in planned], types)
