"""Is everything there that a question needs? What `dpproxy health` asks, and an orchestrator's readiness probe."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

logger = logging.getLogger(__name__)

_SECONDS: Final = 3.0
"""How long a part may take to answer."""
_KEPT_SECONDS: Final = 1.0
"""How long a finding is good: who asks often must not keep the databases busy."""

Probe = Callable[[], Awaitable[object]]
"""Raises if its part does not work."""


class Health:
    """Asks each part of a proxy whether it works.

    Args:
        probes: by the names of the parts.

    Attributes:
        seconds: how long each part that works took to answer when it was last asked.
    """

    def __init__(self, probes: Mapping[str, Probe]) -> None:
        self.seconds: dict[str, float] = {}
        self._probes = probes
        self._found: dict[str, bool] = {}
        self._at = -_KEPT_SECONDS
        self._lock = asyncio.Lock()

    async def parts(self) -> dict[str, bool]:
        """Which parts work, at most a second ago."""
        async with self._lock:
            if time.monotonic() - self._at >= _KEPT_SECONDS:
                works = await asyncio.gather(*(self._works(name, probe) for name, probe in self._probes.items()))
                self._found = dict(zip(self._probes, works, strict=True))
                self._at = time.monotonic()
            return dict(self._found)

    async def _works(self, name: str, probe: Probe) -> bool:
        begun = time.monotonic()
        self.seconds.pop(name, None)
        try:
            async with asyncio.timeout(_SECONDS):
                await probe()
        except Exception as error:
            logger.warning("not ready: the %s does not answer (%s)", name, type(error).__name__)
            return False
        self.seconds[name] = time.monotonic() - begun
        return True
