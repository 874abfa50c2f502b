"""dp.max_price: a statement that costs too much of an account is refused with its price, before anything is charged.

For clients that show no notices, such as BI tools. Prices and limits are those of text, policy and settings; which
answers were paid for is what the asker may know anyway (attack 53).
"""

from __future__ import annotations

from fractions import Fraction

from proxy.dp.accounting import Account, Price
from proxy.errors import BudgetExhaustedError
from proxy.query.limits import account_limit
from proxy.query.outlooks import Outlooks
from proxy.query.planned import Plan, all_blocks
from proxy.query.session_state import SessionState
from proxy.sql import explain


async def check_price(plan: Plan, state: SessionState, most: Fraction | None, outlooks: Outlooks) -> None:
    """Refuse a statement whose blocks together cost more of an account's limit than `most`; None allows any price.

    Raises:
        BudgetExhaustedError: it costs more.
        LedgerUnavailableError: the ledger cannot be asked what was paid for.
    """
    if most is None:
        return
    owed: dict[str, tuple[Account, Price]] = {}
    for block in {block.hash: block for block in all_blocks(plan.blocks)}.values():
        for account, price in await outlooks.owed(block, state):
            _, before = owed.get(account.name, (None, Price.zero()))
            owed[account.name] = (account_limit(account), before + price)
    for name, (limit, price) in sorted(owed.items()):
        share = limit.share_of(price)
        if share > most:
            raise BudgetExhaustedError(
                f'this statement costs {_percent(share)} of "{name}", but dp.max_price is {float(100 * most):g} %',
                detail=f"Nothing was charged. Its price is {explain.price_text(price)}.",
                hint=f"SET dp.max_price = '{_percent(share)}' if it is worth that, or lower dp.epsilon.",
                rule="max-price",
            )


def _percent(share: Fraction) -> str:
    """Rounded up, so that what a refusal prints is enough."""
    hundredths = -(-share * 10_000 // 1)
    return f"{float(hundredths) / 100:g} %"
