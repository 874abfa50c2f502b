"""Rules on a policy's times: the clock of private questions (`sql.trees.clock`)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Final

from proxy.policy.findings import Finding, SourceMap
from proxy.policy.model import Policy

_SECOND: Final = dt.timedelta(seconds=1)
_LONGEST: Final = dt.timedelta(days=366)


def check_clocks(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """A clock ticks after whole seconds; timestamps snap to its ticks, so that it must not run freely."""
    for name, table in policy.tables.items():
        path = ("tables", name, "clock")
        if table.clock and (table.clock % _SECOND or not _SECOND <= table.clock <= _LONGEST):
            message = "the clock's step is not a whole number of seconds from 1 to those of 366 days"
            yield source_map.error("DP330", path, message, "write `clock: 1 hour`, or `clock: off`")
        elif table.snap and not table.clock:
            message = "there is nothing that timestamps could snap to: the clock is off"
            yield source_map.error("DP330", ("tables", name, "snap"), message, "remove `snap`, or `clock: off`")
