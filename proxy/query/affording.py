"""Can a statement be paid for as a whole? Asked before its first block is charged, so that nobody pays for a part.

Only each charge decides: what others spend in the meantime can still leave a later block unpaid.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from proxy.errors import BudgetExhaustedError
from proxy.query.asking import Asker
from proxy.query.paying import Payments
from proxy.query.planned import PlannedBlock, all_blocks
from proxy.query.precise import alone
from proxy.query.session_state import SessionState
from proxy.sql.planning.accounts import Prices
from proxy.sql.planning.plan import BlockPlan

Literals = Callable[[PlannedBlock], Awaitable[list[str]]]
"""The released results that a block reads, once all of them are known for nothing."""


async def check_together(
    blocks: Sequence[PlannedBlock], asker: Asker, payments: Payments, state: SessionState, literals_of: Literals
) -> None:
    """Refuse a statement whose blocks cannot all be paid for.

    Raises:
        BudgetExhaustedError: an account can pay for some blocks, but not for all.
        DpproxyError: a block's keys cannot be enumerated, or what it reads cannot be evaluated.
    """
    found = list(all_blocks(blocks))
    if len(found) < 2:
        return
    bills: dict[str, tuple[BlockPlan, Prices]] = {}
    known: set[int] = set()
    for block in found:
        if not block.plan.asks_source:
            known.add(id(block))
        elif all(id(read) in known for feedback in block.feedback for read in feedback.blocks):
            literals = await literals_of(block)
            hashes = await payments.recalls.hashes(block, literals)
            question = await payments.current(await asker.question(block, literals, hashes, state), state)
            prices = await payments.bill(question, state)
            bills[question.hash] = block.plan, prices
            if not prices:
                known.add(id(block))
        else:
            # What it reads is yet to be measured, so that it is a question nobody has asked.
            bills[f"{id(block)}"] = block.plan, alone(block.plan).prices
    try:
        await payments.check_all(list(bills.values()))
    except BudgetExhaustedError as error:
        error.name_together(sum(bool(prices) for _, prices in bills.values()))
        raise
