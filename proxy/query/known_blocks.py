"""Blocks that were planned before: a planning process finds them again by what decides their plans.

A text that was never seen is often made of blocks that were: a statement after its EXPLAIN, a chart in another order or
under other names, one of several blocks of a longer statement. To plan its blocks takes half of the time of a new text.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Final

from proxy.budget.cache import ImmutableCache
from proxy.query.planned import PlannedBlock
from proxy.query.session_state import SessionState
from proxy.sql.analysis import Decisive

_KEPT: Final = 40_000
"""Parts of the trees of all blocks that are kept, of some 0.8 kB in a plan: a usual block has a hundred or two."""
_CHARACTERS: Final = 200
"""Of SQL that count like one of them."""


@dataclass(frozen=True)
class BlockKey:
    """What a block's plan depends on, besides policy and catalog.

    Attributes:
        made_of: as `analysis.decisive` says.
        state: of the session; whose question it is, too, so that nobody is answered sooner since others have asked.
        today: which windows of time are present.
    """

    made_of: Decisive
    state: SessionState
    today: dt.date


class KnownBlocks:
    """Planned blocks, for one schema; without the queries that they read, which are planned for each statement."""

    def __init__(self) -> None:
        self._blocks: ImmutableCache[BlockKey, PlannedBlock] = ImmutableCache(_KEPT)

    def find(self, key: BlockKey) -> PlannedBlock | None:
        """The block that was planned for this key; None if there is none any more."""
        return self._blocks.get(key)

    def keep(self, key: BlockKey, block: PlannedBlock) -> None:
        """Keep a block for later texts."""
        plan = block.plan
        listed = [plan.domain, *(choice.candidates for choice in plan.choices)]
        characters = sum(len(each.sql) for each in listed if each is not None)
        # Each window of time has accounts of its own.
        weight = key.made_of.size + len(plan.accounts) + characters // _CHARACTERS
        self._blocks.put(key, block, weight)
