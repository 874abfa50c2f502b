"""EXPLAIN: what step 3 decided, and what the accounts have left; the source is asked nothing (decision 7)."""

from __future__ import annotations

from proxy.budget.answers import Answers
from proxy.budget.editions import Edition
from proxy.budget.ledger import Ledger
from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.accounting import Price
from proxy.policy.durations import spoken
from proxy.query import notices
from proxy.query.clipping_report import clipping_text
from proxy.query.desk import Desk
from proxy.query.planned import Plan, PlannedBlock, all_blocks
from proxy.query.recalling import Recalls, age_text, longest_recall
from proxy.query.session_state import SessionState
from proxy.query.window_ranges import ranges
from proxy.sql import explain
from proxy.sql.explain_formats import explanation_sql
from proxy.sql.planning.plan import BlockPlan
from proxy.wire.router import Answer


class Explainer:
    """Explains planned statements.

    Args:
        ledger: the accounts.
        answers: the released answers.
        recalls: which of them count.
        desk: the threads that build the text.
    """

    def __init__(self, ledger: Ledger, answers: Answers, recalls: Recalls, desk: Desk) -> None:
        self._ledger = ledger
        self._answers = answers
        self._recalls = recalls
        self._desk = desk

    async def explanation(self, plan: Plan, state: SessionState) -> Answer:
        """The plan: as text one row per line, else one row."""
        explained: list[list[str]] = []
        numbers = {id(block): number for number, block in enumerate(all_blocks(plan.blocks), start=1)}
        for block in all_blocks(plan.blocks):
            reads = [numbers[id(read)] for feedback in block.feedback for read in feedback.blocks]
            number = numbers[id(block)] if len(numbers) > 1 else None
            answer, edition = await self._answer(block, state)
            known = block.plan.clipped_at(answer.thresholds) if answer is not None else block.plan
            lines = await self._desk.do(state.analyst, explain.explain_block, known, number, reads)
            if answer is not None:
                lines.extend(_of_answer(block.plan, answer, edition))
            else:
                lines.extend(await self._of_accounts(block))
            explained.append(lines)
        if not explained:
            nothing = "Reads what dpproxy itself knows; free" if plan.virtual else "Reads no private rows; free"
            explained.append([nothing])
        return Answer(explanation_sql(explained, plan.statement.explained_in))

    async def _answer(self, block: PlannedBlock, state: SessionState) -> tuple[StoredAnswer | None, Edition]:
        """The block's answer, if the analyst would be told it without a charge (attack 53); None if there is none.

        What reads released rows is a question of its own each time.
        """
        if block.feedback or not block.plan.asks_source:
            return None, Edition(block.hash, None)
        edition = await self._recalls.edition(await self._recalls.hash(block), block.plan, state)
        own = any(account.name.startswith("analyst:") for account in block.plan.accounts)
        if own and not await self._answers.paid(edition.key, state.analyst):
            return None, edition
        return await self._answers.find(edition.key), edition

    async def _of_accounts(self, block: PlannedBlock) -> list[str]:
        plan = block.plan
        if not plan.asks_source:
            return []
        spent = await self._ledger.accounts()
        told = []
        for account in plan.accounts:
            limit, used = notices.account_limit(account), spent.get(account.name, Price.zero())
            price = account.price(plan.price)
            several = f", each for {explain.price_text(price)}" if account.group > 1 else ""
            told.append((account.name, f"enough for {limit.queries_left(used, price)} such queries{several}"))
        return [f"  Account {name}: {left}" for name, left in ranges(told)]


def _of_answer(plan: BlockPlan, answer: StoredAnswer, edition: Edition) -> list[str]:
    scaled, age, limit = clipping_text(plan, answer), age_text(edition), longest_recall(plan)
    recalled = "asking again recalls the same numbers" + (f", which are {age}" if age else "")
    until = f", until they are {spoken(limit)} old" if limit is not None else ""
    return [
        f"  Already answered: {recalled}{until}",
        *([f"  Clipping: {scaled}"] if scaled else []),
    ]
