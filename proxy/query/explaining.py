"""EXPLAIN: what step 3 decided, and what the accounts have left; the source is asked nothing (decision 7)."""

from __future__ import annotations

from fractions import Fraction

from proxy.budget.answers import Answers
from proxy.budget.ledger import Ledger
from proxy.budget.stored_answer import StoredAnswer
from proxy.postgres.stage import Stage
from proxy.query import notices
from proxy.query.asking import Asker
from proxy.query.clipping_report import clipping_text
from proxy.query.desk import Desk
from proxy.query.planned import Plan, PlannedBlock, all_blocks
from proxy.query.session_state import SessionState
from proxy.sql import explain
from proxy.sql.explain_formats import explanation_sql
from proxy.sql.planning.plan import BlockPlan
from proxy.wire.router import Answer


class Explainer:
    """Explains planned statements.

    Args:
        stage: enumerates declared values.
        ledger: the accounts.
        answers: the released answers.
        desk: the threads that build the text.
    """

    def __init__(self, stage: Stage, ledger: Ledger, answers: Answers, desk: Desk) -> None:
        self._asker = Asker(stage)
        self._ledger = ledger
        self._answers = answers
        self._desk = desk

    async def explanation(self, plan: Plan, state: SessionState) -> Answer:
        """The plan: as text one row per line, else one row."""
        analyst = state.analyst
        explained: list[list[str]] = []
        numbers = {id(block): number for number, block in enumerate(all_blocks(plan.blocks), start=1)}
        for block in all_blocks(plan.blocks):
            reads = [numbers[id(read)] for feedback in block.feedback for read in feedback.blocks]
            number = numbers[id(block)] if len(numbers) > 1 else None
            answer = await self._answer(block, analyst)
            known = block.plan.clipped_at(answer.thresholds) if answer is not None else block.plan
            lines = await self._desk.do(analyst, explain.explain_block, known, number, reads)
            lines += [f"  Note: {sentence}" for sentence in await self._asker.undeclared(block.plan, state)]
            lines.extend(
                _of_answer(block.plan, answer)
                if answer is not None
                else await self._of_accounts(block, state.settings.error)
            )
            explained.append(lines)
        if not explained:
            nothing = "Reads what dpproxy itself knows; free" if plan.virtual else "Reads no private rows; free"
            explained.append([nothing])
        return Answer(explanation_sql(explained, plan.statement.explained_in))

    async def _answer(self, block: PlannedBlock, analyst: str) -> StoredAnswer | None:
        """The block's answer, if the analyst would be told it without a charge (attack 53); None if there is none.

        What reads released rows is a question of its own each time.
        """
        if block.feedback or not block.plan.asks_source:
            return None
        answer = await self._answers.find(block.hash)
        own = any(account.name.startswith("analyst:") for account in block.plan.accounts)
        return None if own and not await self._answers.paid(block.hash, analyst) else answer

    async def _of_accounts(self, block: PlannedBlock, error: Fraction | None) -> list[str]:
        plan = block.plan
        if not plan.asks_source:
            return []
        lines = []
        halved = explain.with_half_the_noise(plan)
        for account in plan.accounts:
            limit, spent = notices.account_limit(account), await self._ledger.spent(account.name)
            left = limit.queries_left(spent, plan.price)
            others = f", or for {limit.queries_left(spent, halved)} with half the noise" if halved is not None else ""
            queries = "query" if left == 1 else "queries"
            lines.append(f"  Account {account.name}: enough for {left} such {queries}{others}")
        return [*explain.other_noise(plan, halved, error), *lines]


def _of_answer(plan: BlockPlan, answer: StoredAnswer) -> list[str]:
    scaled = clipping_text(plan, answer)
    return [
        "  Already answered: asking again recalls the same numbers",
        *([f"  Clipping: {scaled}"] if scaled else []),
    ]
