"""The end of step 3: the stage parses what it will execute, before anything is charged."""

from __future__ import annotations

import functools
import logging
import re
from collections.abc import Sequence

from proxy.budget.cache import ImmutableCache
from proxy.errors import UnsupportedError
from proxy.postgres.stage_description import VIRTUAL_COLUMNS
from proxy.query.planned import Plan, PlannedBlock, all_blocks
from proxy.query.session_state import SessionState
from proxy.sql.lexemes import lexemes
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.rows.feedback import evaluation_sql
from proxy.sql.staging import staged
from proxy.sql.staging.block_types import BlockTypes
from proxy.sql.staging.values import values_relation
from proxy.sql.statement import Wrapping
from proxy.wire.router import SessionContext, StageError

_WRONG_STATEMENT = ("0A", "42")
"""First characters of the SQLSTATEs of errors that are the statement's own, whatever the data."""
_KEPT = 4_000_000
"""Characters of statements that the stage has accepted."""
_RELATIONS_KEPT = 500
"""Of plans that other texts have blocks of, too."""
_COLUMN = r"dpproxy_rows_\d+\.\w+"
_NAMED = re.compile(
    rf"""(SELECT\ {_COLUMN}\ AS\ )"(?:[^"]|"")+"
    ((?:,\ {_COLUMN}\ AS\ "(?:[^"]|"")+")*)
    (\ FROM\ (?:\bdpproxy_\w+(?:\.\w+)?|\b\d+(?:\.\d*)?|[\s(),<>=]
        |\b(?:AS|WHERE|AND|OR|NOT|ORDER|BY|ASC|DESC|NULLS|FIRST|LAST|LIMIT|OFFSET)\b)*)""",
    re.VERBOSE,
)
"""A template of released columns with names that nothing in it refers to: its words are keywords and our own names."""
_NAME = re.compile(r'"(?:[^"]|"")+"')
logger = logging.getLogger(__name__)


async def try_out(plan: Plan, session: SessionContext) -> None:
    """Let the stage parse what it will execute, over empty relations of the right types, so that its errors come now.

    What Postgres checks only when a statement begins is tried too: options of COPY, the right to call a function, and
    constants that cannot be computed. No row is computed: what fails over no rows need not fail over released ones.

    Raises:
        UnsupportedError: the stage accepts the client's statement, but not the rewritten one. The stage's own message
            would name things that the client has never seen.
        StageError: the statement fails whatever is released, or something is wrong with the stage.
    """
    await _accepted(plan, _tried_out(plan), session)


class Trials:
    """Tries out statements, each once: what a dashboard's filters change is no part of what the stage executes, and
    it is all the same what most outputs are called."""

    def __init__(self) -> None:
        self._known: ImmutableCache[object, bool] = ImmutableCache(_KEPT)

    async def try_out(self, plan: Plan, session: SessionContext, state: SessionState) -> None:
        """As the function, unless the stage has accepted the same for the same settings before."""
        statements = _told_apart(plan)
        key = (state, plan.wrapping, *statements)
        if plan.once or self._known.get(key) is None:
            await _accepted(plan, _tried_out(plan), session)
            if not plan.once:
                self._known.put(key, True, weight=sum(map(len, statements)))


def _told_apart(plan: Plan) -> list[str]:
    """What two plans have in common of which the stage accepts both or none, beside their wrappings."""
    unnamed = _without_names(plan.template) if plan.wrapping.carrier == "query" else None
    if unnamed is None or plan.virtual or any(block.feedback for block in plan.blocks):
        return _tried_out(plan)
    return [unnamed, *(column.type_name for column in plan.columns), *_empty(plan.blocks)]


def _without_names(template: str) -> str | None:
    """A template without the names of its outputs, if nothing depends on them; else None."""
    named = _NAMED.fullmatch(template)
    return None if named is None else "".join((named[1], _NAME.sub("", named[2]), named[3]))


async def _accepted(plan: Plan, statements: Sequence[str], session: SessionContext) -> None:
    *read, result = statements
    try:
        for sql in read:
            await session.stage.rows(f"EXPLAIN {sql}", quiet=plan.quiet)
        if plan.wrapping.prefix.lstrip().lower().startswith("copy"):
            await session.stage.describe(result, written=False)
            await session.stage.rows(plan.wrapping.around(f"SELECT * FROM ({result}) AS tried LIMIT 0"))
        else:
            await session.stage.rows(f"EXPLAIN {result}", quiet=plan.quiet)
    except StageError as error:
        if error.parsed or not error.sqlstate.startswith(_WRONG_STATEMENT):
            raise
        logger.warning("the stage does not take a statement over released groups: SQLSTATE %s", error.sqlstate)
        raise UnsupportedError(
            "this cannot be computed from released groups",
            detail="The groups are released first, and everything around them is computed from their keys and "
            "numbers. PostgreSQL accepts this over the tables, but not over released groups.",
            hint="Qualify keys with their table in subqueries, as v.key, or release the groups in a subquery and do "
            "the rest around it: SELECT … FROM (SELECT key, count(*) AS n FROM … GROUP BY key) AS released.",
            rule="released-groups",
        ) from None


async def try_cursor(declared: Wrapping, session: SessionContext) -> None:
    """Let the stage open the cursor of a DECLARE over no rows, and close it, so that its errors come now: there is no
    transaction, or another cursor of that name.

    Raises:
        StageError: the stage does not open it.
    """
    await session.stage.rows(declared.around("SELECT"))
    name = list(lexemes(declared.prefix))[1]
    await session.stage.rows(f"CLOSE {declared.prefix[name.start : name.end]}")


def _tried_out(plan: Plan) -> list[str]:
    """The statements that the stage has to accept."""
    virtual = {name: values_relation(VIRTUAL_COLUMNS[name], ()) for name in plan.virtual}
    texts = [
        evaluation_sql(staged.fill(feedback.template, _empty(feedback.blocks), virtual), feedback.columns)
        for block in all_blocks(plan.blocks)
        for feedback in block.feedback
    ]
    return [*texts, plan.result_sql(_empty(plan.blocks), virtual)]


def _empty(blocks: Sequence[PlannedBlock]) -> list[str]:
    """An empty literal relation for each block."""
    return [_empty_relation(block.plan, block.types.keys, block.types.aggregates) for block in blocks]


@functools.lru_cache(maxsize=_RELATIONS_KEPT)
def _empty_relation(plan: BlockPlan, keys: tuple[str, ...], aggregates: tuple[str, ...]) -> str:
    nothing = staged.ReleasedRows([], [], [])
    return staged.literal_relation(plan.clipped_least, BlockTypes((), keys, aggregates), nothing)
