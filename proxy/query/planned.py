"""The result of step 3: a statement as a `Plan` of blocks.

It depends on nothing but public state, so it is cached; and it holds no tree, so it comes from a planning process in no
time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from proxy.query.holding import Holding, holding_of
from proxy.sql.analysis import Computed
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.rows.feedback import Promises
from proxy.sql.rows.stage_columns import StageColumn
from proxy.sql.staging import staged
from proxy.sql.staging.block_types import BlockTypes
from proxy.sql.statement import Wrapping
from proxy.wire.router import Origin


@dataclass(frozen=True, eq=False)
class PlannedBlock:
    """A block with its plan, typed by the stage. It is equal to itself alone.

    Attributes:
        plan: keys, statistics, mechanism, noise, price.
        types: of its columns on the stage.
        hash: the key of its stored answer, if it reads no feedback (`same_question`).
        family: the same at any ρ; None if there is no such question (theorem 23).
        feedback: the queries whose results it reads; their rows are part of the question.
        probes: constant expressions that the source has to be able to compute.
        database: the name of the private one.
        settings: of the session, as of `block_hashes`: those that it reads.
        rest: what it holds if it measures what is missing of another one's numbers; None for a client's own block.
    """

    plan: BlockPlan
    types: BlockTypes
    hash: str
    family: str | None = None
    feedback: tuple[PlannedFeedback, ...] = ()
    probes: tuple[str, ...] = ()
    database: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    rest: Holding | None = None

    @cached_property
    def holding(self) -> Holding | None:
        """What it holds for other blocks, and looks for among theirs (theorem 25); None if nothing. Only what has to be
        measured is asked for it, and most answers are recalled."""
        return self.rest if self.rest is not None else holding_of(self.plan, self.settings, self.database)


@dataclass(frozen=True)
class PlannedFeedback:
    """A query that the stage evaluates before the block that reads it.

    Attributes:
        promises: what its text promises of its rows.
        blocks: its own blocks, which are released first.
        template: its SQL with a marker for each of them.
        columns: as the stage describes them.
        misses_groups: it shows groups of selected keys, of which small ones are missing; not only the greatest.
    """

    promises: Promises
    blocks: tuple[PlannedBlock, ...]
    template: str
    columns: tuple[StageColumn, ...]
    misses_groups: bool


@dataclass(frozen=True)
class Plan:
    """A statement that is planned and typed.

    Attributes:
        wrapping: the text around its query.
        blocks: what is released for it.
        template: the stage's SQL with a marker for each block.
        virtual: which of dp.budget, dp.last, dp.ledger and dp.sessions it reads.
        columns: of its result, as the stage describes the client's own text.
        origins: the columns of tables that these are; empty where the result is another one's.
        quiet: it is a query that changes no setting of the session.
        once: it has rows of the session's own: it is good for this once only.
        computed: the constants for which it is good; None if it has none.
        counts_groups: it aggregates released groups further or shows the first ones, so that empty ones count.
        aggregates_groups: it aggregates them.
        misses_groups: it takes groups of selected keys for all that there are, of which small ones do not show.
    """

    wrapping: Wrapping
    blocks: tuple[PlannedBlock, ...]
    template: str
    virtual: frozenset[str]
    columns: tuple[StageColumn, ...]
    origins: tuple[Origin, ...] = ()
    quiet: bool = False
    once: bool = False
    computed: Computed | None = None
    counts_groups: bool = False
    aggregates_groups: bool = False
    misses_groups: bool = False

    def result_sql(self, relations: Sequence[str], virtual: Mapping[str, str]) -> str:
        """The stage's SQL for the statement's query.

        Args:
            relations: the literal relation of each block.
            virtual: the rows of dp.budget, dp.last, dp.ledger and dp.sessions, as far as they are read.
        """
        return staged.typed_result(staged.fill(self.template, relations, dict(virtual)), self.columns)


def all_blocks(blocks: Sequence[PlannedBlock]) -> Iterator[PlannedBlock]:
    """The blocks and those that they read, in the order in which they are released."""
    for block in blocks:
        for feedback in block.feedback:
            yield from all_blocks(feedback.blocks)
        yield block


def numbered_blocks(blocks: Sequence[PlannedBlock]) -> list[tuple[PlannedBlock, int | None, list[int]]]:
    """Each block that is measured, in that order, with its number, if there are several, and the numbers of the blocks
    that it reads. What is one question, as a CTE that the statement reads and a block of it reads, too, is one block.
    """
    found: dict[_Question, PlannedBlock] = {}
    for block in all_blocks(blocks):
        found.setdefault(_question(block), block)
    numbers = {question: number for number, question in enumerate(found, start=1)}
    return [
        (
            block,
            number if len(found) > 1 else None,
            [numbers[_question(read)] for feedback in block.feedback for read in feedback.blocks],
        )
        for block, number in zip(found.values(), numbers.values(), strict=True)
    ]


_Question = tuple[str, tuple[object, ...]]


def _question(block: PlannedBlock) -> _Question:
    """What two blocks have in common that are one question of a statement: so are all that they read."""
    return block.hash, tuple((read.template, *map(_question, read.blocks)) for read in block.feedback)
