"""EXPLAIN: what step 3 decided, and what the accounts have left; the source is asked nothing (decision 7)."""

from __future__ import annotations

from proxy.budget.answers import Answers
from proxy.budget.ledger import Ledger
from proxy.query import notices
from proxy.query.desk import Desk
from proxy.query.planned import Plan, PlannedBlock, all_blocks
from proxy.sql import explain
from proxy.sql.terms.term import quote_literal
from proxy.wire.router import Answer


class Explainer:
    """Explains planned statements.

    Args:
        ledger: the accounts.
        answers: the released answers.
        desk: the threads that build the text.
    """

    def __init__(self, ledger: Ledger, answers: Answers, desk: Desk) -> None:
        self._ledger = ledger
        self._answers = answers
        self._desk = desk

    async def explanation(self, plan: Plan, analyst: str) -> Answer:
        """The plan as text, one row per line."""
        lines: list[str] = []
        numbers = {id(block): number for number, block in enumerate(all_blocks(plan.blocks), start=1)}
        for block in all_blocks(plan.blocks):
            reads = [numbers[id(read)] for feedback in block.feedback for read in feedback.blocks]
            number = numbers[id(block)] if len(numbers) > 1 else None
            lines.extend(await self._desk.do(analyst, explain.explain_block, block.plan, number, reads))
            lines.extend(await self._of_accounts(block))
        if not lines:
            lines.append("Reads what dpproxy itself knows; free")
        rows = ", ".join(f"({quote_literal(line)})" for line in lines)
        return Answer(f'SELECT line AS "QUERY PLAN" FROM (VALUES {rows}) AS plan(line)')

    async def _of_accounts(self, block: PlannedBlock) -> list[str]:
        plan = block.plan
        if not plan.asks_source:
            return []
        if not block.feedback and await self._answers.find(block.hash) is not None:
            return ["  Already answered: asking again recalls the same numbers"]
        lines = []
        for account in plan.accounts:
            limit, spent = notices.account_limit(account), await self._ledger.spent(account.name)
            left = limit.queries_left(spent, plan.price)
            lines.append(f"  Account {account.name}: enough for {left} such queries")
        return lines
