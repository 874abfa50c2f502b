"""What a proxy counts and measures, in Prometheus's text format. No private value is in it, and no client's SQL."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping
from typing import Final

_INTERVAL: Final = 0.1

Sample = tuple[Mapping[str, str], float]
"""Labels and a value."""


class LoopLag:
    """How late the event loop is: everybody waits so long. The worst since it was last read."""

    def __init__(self) -> None:
        self._worst = 0.0

    async def measure(self) -> None:
        """Go on measuring until the caller is cancelled."""
        while True:
            due = time.monotonic() + _INTERVAL
            await asyncio.sleep(_INTERVAL)
            self._worst = max(self._worst, time.monotonic() - due)

    def worst(self) -> float:
        """Seconds; counts anew from here."""
        worst, self._worst = self._worst, 0.0
        return worst


def metric(name: str, kind: str, meaning: str, samples: Iterable[Sample]) -> str:
    """The lines of a metric.

    Args:
        name: without `dpproxy_`.
        kind: `counter` or `gauge`.
        meaning: one sentence.
        samples: its values.
    """
    lines = [f"# HELP dpproxy_{name} {meaning}", f"# TYPE dpproxy_{name} {kind}"]
    for labels, value in samples:
        written = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
        lines.append(f"dpproxy_{name}{{{written}}} {value:.12g}" if written else f"dpproxy_{name} {value:.12g}")
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
