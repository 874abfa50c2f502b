"""The end of step 3: the stage parses what it will execute, before anything is charged."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from proxy.errors import UnsupportedError
from proxy.postgres.stage_description import VIRTUAL_COLUMNS
from proxy.query.desk import Desk
from proxy.query.planned import Plan, PlannedBlock, all_blocks
from proxy.sql.rows.feedback import evaluation_sql
from proxy.sql.staging import staged
from proxy.sql.staging.values import values_relation
from proxy.wire.router import SessionContext, StageError

_WRONG_STATEMENT = ("0A", "42")
"""First characters of the SQLSTATEs of errors that are the statement's own, whatever the data."""
logger = logging.getLogger(__name__)


async def try_out(plan: Plan, session: SessionContext, desk: Desk) -> None:
    """Let the stage parse what it will execute, over empty relations of the right types, so that its errors come now.

    Raises:
        UnsupportedError: the stage accepts the client's statement, but not the rewritten one. The stage's own message
            would name things that the client has never seen.
        StageError: something else is wrong with the stage.
    """
    try:
        for sql in await desk.do(session.analyst, _tried_out, plan):
            await session.stage.describe(sql, written=False)
    except StageError as error:
        if not error.sqlstate.startswith(_WRONG_STATEMENT):
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
    return [staged.literal_relation(block.plan, block.types, staged.ReleasedRows([], [], [])) for block in blocks]
