"""Step 6, query the source: from a question that is paid for to exact sums, `ExactResults`, which nobody sees."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from proxy.dp.randomness import uniform_bits
from proxy.errors import SourceUnavailableError
from proxy.postgres.source import Source
from proxy.postgres.transaction import BrokenPromiseError, SlowTrialError, SourceRequest, Transaction
from proxy.query.asking import Question, slow_keys
from proxy.query.session_state import SessionState
from proxy.query.source_checks import SourceChecks
from proxy.query.source_request import source_request
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.rows.feedback import broken_promise, promise_sql
from proxy.sql.source_queries import exact_sums
from proxy.sql.source_queries.exact_sums import ExactResults
from proxy.sql.source_queries.sending import only_declared

_FEW_ROWS = 20
"""They are read in less time than a thread takes to begin."""


async def agreed_transaction(
    source: Source, question: Question, request: SourceRequest, checks: SourceChecks, stack: AsyncExitStack
) -> Transaction:
    """A transaction in which the source has verified what the proof rests on, and parsed the source query.

    Args:
        source: the private database.
        question: the question.
        request: its `request_of`.
        checks: its `checks_of`.
        stack: its exit ends the transaction.

    Raises:
        UnsupportedError: released rows are not what the plan assumes, or the source computes other keys than the stage,
            or takes too long to.
        DpproxyError: the source cannot be asked.
    """
    try:
        transaction = await stack.enter_async_context(source.transaction(request))
    except BrokenPromiseError as broken:
        raise broken_promise(question.block.feedback[broken.number].promises) from None
    except SlowTrialError as slow:
        if slow.number < len(request.trials) - len(checks.declared):
            raise SourceUnavailableError from None
        raise slow_keys("the private database") from None
    checks.compare(transaction.found)
    return transaction


async def exact_results(plan: BlockPlan, transaction: Transaction, held: AsyncExitStack) -> ExactResults:
    """Run a source query that is paid for; its exact sums may be shown to nobody.

    Args:
        plan: the block's plan.
        transaction: in which it runs.
        held: its exit ends the transaction.
    """
    async with held:
        result = await transaction.run()
    if sum(map(len, result.results)) <= _FEW_ROWS:
        return exact_sums.read_results(plan, result.results)
    # In a thread: many groups would keep everybody waiting.
    return await asyncio.to_thread(exact_sums.read_results, plan, result.results)


def checks_of(question: Question) -> SourceChecks:
    """What the source has to agree with, whatever its rows hold."""
    plan = question.plan
    choices = zip((choice.candidates for choice in plan.choices), question.candidates, strict=True)
    return SourceChecks(
        question.block.probes,
        tuple(
            (question.with_feedback(domain.sql), rows)
            for domain, rows in ((plan.domain, question.domain), *choices)
            if domain is not None and domain.depends_on_server
        ),
    )


def request_of(question: Question, checks: SourceChecks, state: SessionState) -> SourceRequest:
    """The source query, and what the source has to verify about the released rows that the question reads."""
    plan = question.plan
    statements = exact_sums.source_statements(plan, uniform_bits(62))
    declared = only_declared(plan, statements, question.domain, question.candidates)
    promises = [
        promise_sql(feedback.columns, feedback.promises, literal)
        for feedback, literal in zip(question.block.feedback, question.literals, strict=True)
    ]
    return source_request(
        [question.with_feedback(statement) for statement in declared],
        plan.footprint,
        dict(state.shared),
        promises,
        checks.queries,
    )
