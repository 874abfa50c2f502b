"""EXPLAIN: what step 3 decided, and what the accounts have left; the source is asked nothing (decision 7)."""

from __future__ import annotations

from collections.abc import Sequence

from proxy.budget.ledger import Ledger
from proxy.policy.durations import spoken
from proxy.postgres.stage import Stage
from proxy.query.asking import Asker
from proxy.query.clipping_report import clipping_text
from proxy.query.desk import Desk
from proxy.query.goodness import says_little
from proxy.query.limits import state_of
from proxy.query.outlooks import Outlooks
from proxy.query.paying import Recalled
from proxy.query.planned import Plan, PlannedBlock, all_blocks, numbered_blocks
from proxy.query.precise import as_answered
from proxy.query.recalling import age_text, longest_recall
from proxy.query.relative_error import has_noise
from proxy.query.session_state import SessionState
from proxy.query.window_ranges import ranges
from proxy.settings import QuerySettings
from proxy.sql import explain
from proxy.sql.explain_formats import explanation_sql
from proxy.sql.planning.accuracy import accuracy_text
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.wording import short
from proxy.wire.router import Answer


class Explainer:
    """Explains planned statements.

    Args:
        stage: enumerates declared values.
        ledger: the accounts.
        outlooks: what was answered, and what is owed.
        desk: the threads that build the text.
    """

    def __init__(self, stage: Stage, ledger: Ledger, outlooks: Outlooks, desk: Desk) -> None:
        self._asker = Asker(stage)
        self._ledger = ledger
        self._outlooks = outlooks
        self._desk = desk

    async def explanation(self, plan: Plan, state: SessionState, told: Sequence[str] = ()) -> Answer:
        """The plan: as text one row per line, else one row.

        Args:
            plan: of the statement.
            state: the session's.
            told: for each block with noise, what its epsilon follows from, if dp.error is a share.
        """
        noisy = [id(block) for block in all_blocks(plan.blocks) if has_noise(block.plan)]
        shares = dict(zip(noisy, told, strict=True)) if told else {}
        explained: list[list[str]] = []
        for block, number, reads in numbered_blocks(plan.blocks):
            recalled = await self._outlooks.answer(block, state)
            known = block.plan if recalled is None else block.plan.clipped_at(recalled.answer.thresholds)
            lines = await self._desk.do(state.analyst, explain.explain_block, known, number, reads)
            lines += [f"  {shares[id(block)]}"] if id(block) in shares else []
            lines += [f"  Note: {sentence}" for sentence in await self._asker.undeclared(block.plan, state)]
            if block.plan.asks_source and await self._asker.has_no_group(block, state):
                lines.append("  Answered without a row: no declared key meets the conditions; free")
            elif recalled is not None:
                lines += _of_answer(block.plan, recalled, state.settings)
            else:
                lines += await self._of_accounts(block, state)
            explained.append(lines)
        if not explained:
            nothing = "Reads what dpproxy itself knows; free" if plan.virtual else "Reads no private rows; free"
            explained.append([nothing])
        return Answer(explanation_sql(explained, plan.wrapping.explained_in))

    async def _of_accounts(self, block: PlannedBlock, state: SessionState) -> list[str]:
        plan = block.plan
        if not plan.asks_source:
            return []
        outlook, halved = await self._outlooks.outlook(block, state), explain.with_half_the_noise(plan)
        prices = outlook.prices
        if not prices:
            answered = plan.at_rhos([worth + outlook.held for worth in outlook.worths])
            return [
                f"  Already answered: each number is {outlook.told}; free",
                f"  Compared: {explain.compared_text(plan, answered)}",
            ]
        # Accounts that protect units over several windows of time are told apart, below.
        single = [price.rho for account, price in prices if account.entities == 1]
        lines, most = [], max(single or [price.rho for _, price in prices])
        if outlook.held:
            accuracy = accuracy_text(plan.at_rho(outlook.held))
            lines.append(f"  Held: {accuracy}; asked as here it costs rho {short(most)} more")
        if outlook.told:
            share = f", worth {float(100 * outlook.worth / plan.rho):.3g} % of the price" if outlook.worth else ""
            known = f"{outlook.told}{share}; asked now it costs rho {short(most)}"
            lines.append(f"  {'Part of each number' if outlook.worth else 'Known of some of the numbers'}: {known}")
        lines.extend(explain.other_noise(plan, halved, state.settings.error))
        states, opened = await self._ledger.states(), await self._ledger.opened()
        told = []
        for account, price in prices:
            limit, spent = state_of(account, states, opened)
            left = limit.queries_left(spent, price)
            times = limit.queries_left(spent, account.price(halved)) if halved is not None else 0
            others = f", or for {times} with half the noise" if halved is not None else ""
            several = f", each for {explain.price_text(price)}" if account.entities > 1 else ""
            queries = "query" if left == 1 else "queries"
            told.append((account.name, f"enough for {left} such {queries}{several}{others}"))
        return lines + [f"  Account {name}: {left}" for name, left in ranges(told)]


def _of_answer(plan: BlockPlan, recalled: Recalled, settings: QuerySettings) -> list[str]:
    """What is known of an answer, and what less noise would cost."""
    scaled, age, limit = clipping_text(plan, recalled.answer), age_text(recalled.at), longest_recall(plan)
    known = as_answered(plan, recalled.answer, recalled.rho)
    little = says_little(known, recalled.answer, hide_empty=settings.empty_groups == "hide")
    less = explain.other_noise(plan, explain.with_half_the_noise(plan), settings.error)
    told = "asking again recalls the same numbers"
    if recalled.rho is not None and recalled.rho > plan.rho:
        told, less = f"asking recalls more precise numbers, {accuracy_text(known)}", []
    told += f", which are {age}" if age else ""
    until = f", until they are {spoken(limit)} old" if limit is not None else ""
    return [
        f"  Already answered: {told}{until}",
        *([f"  Noise: {little}"] if little else []),
        *([f"  Clipping: {scaled}"] if scaled else []),
        *less,
    ]
