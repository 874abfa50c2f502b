"""Tells the operator which accounts do not count all that was charged of what they cover."""

from __future__ import annotations

import logging
from typing import Final

from proxy.budget.ledger import Ledger
from proxy.policy.model import Policy
from proxy.query.uncounted import find_uncounted

logger = logging.getLogger(__name__)

_MOST_TOLD: Final = 20


async def warn_of_uncounted(policy: Policy, ledger: Ledger) -> None:
    """Log a WARNING for each such account: its budget promises nothing of what was charged without it.

    Args:
        policy: in force from now on.
        ledger: open.

    Raises:
        LedgerUnavailableError: the ledger cannot be asked.
    """
    found = await find_uncounted(policy, ledger)
    for each in found[:_MOST_TOLD]:
        logger.warning("%s; its budget promises nothing of them", each.sentence)
    if len(found) > _MOST_TOLD:
        logger.warning("%d more accounts do not count all that they cover: see dpproxy report", len(found) - _MOST_TOLD)
