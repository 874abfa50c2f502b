"""Rules on a policy's times: the clock of private questions (`sql.trees.clock`), and how long answers are recalled."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Final

from proxy.policy.durations import spoken
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


def check_recalls(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Answers are recalled for some time; a dashboard must not pay for each refresh."""
    for name, table in policy.tables.items():
        path = ("tables", name, "recall", "for")
        if table.recall is None:
            continue
        if table.recall.for_ < _SECOND:
            message = "answers would never be recalled: every refresh of a dashboard would be charged"
            yield source_map.error("DP331", path, message, "write `recall: {for: 24 hours}`, or leave it out")
        elif table.recall.for_ < table.clock:
            lasts, step = spoken(table.recall.for_), spoken(table.clock)
            message = f"answers are asked anew after {lasts}, but now() moves only every {step}"
            yield source_map.warning("DP332", path, message, f"write `recall: {{for: {step}}}` or more")
