"""What a planning process does for a command: plans a share of the statements, and reads what became of all of them."""

from __future__ import annotations

import asyncio
import json
import pickle
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from proxy.rehearsal.opened import opened
from proxy.rehearsal.query_tests import check_script, recorded
from proxy.rehearsal.rehearsing import Outcome, rehearse
from proxy.rehearsal.report import json_report, text_report
from proxy.rehearsal.shares import shares
from proxy.rehearsal.stages import BuiltStage

READINGS: Final[Mapping[str, Callable[[str, str, Sequence[Outcome]], object]]] = {
    "check": check_script,
    "record": lambda _name, script, outcomes: recorded(script, outcomes),
    "text": lambda _name, _script, outcomes: _explained(text_report(outcomes), outcomes),
    "json": lambda _name, _script, outcomes: _explained(
        json.dumps(json_report(outcomes), indent=2, ensure_ascii=False), outcomes
    ),
}
"""From a script's name, its text and what becomes of its statements, to values that the command knows: `check` to the
findings, `record` to the script with its expectations, `text` and `json` to a report and whether something is refused,
or None without a statement."""


def plan(built: BuiltStage, analyst: str, scripts: Sequence[str], share: int, count: int) -> bytes:
    """What becomes of the statements of one of `count` shares, for `read`. It raises what `rehearse` does."""
    found = shares(scripts, count)[share]

    async def planned() -> list[list[Outcome]]:
        place = opened(built)
        try:
            return await rehearse(place, analyst, scripts, found)
        finally:
            await place.stage.close()

    return pickle.dumps(asyncio.run(planned()) if found else [[] for _ in scripts], pickle.HIGHEST_PROTOCOL)


def read(reading: str, scripts: Mapping[str, str], planned: Sequence[bytes]) -> list[Any]:
    """What is read from each script, in order.

    Args:
        reading: a key of `READINGS`.
        scripts: by name.
        planned: of each share, by `plan`.
    """
    parts = [pickle.loads(part) for part in planned]
    read_from, found = READINGS[reading], []
    for place, (name, script) in enumerate(scripts.items()):
        outcomes = sorted((each for part in parts for each in part[place]), key=lambda each: each.start)
        found.append(read_from(name, script, outcomes))
    return found


def _explained(report: str, outcomes: Sequence[Outcome]) -> tuple[str, bool] | None:
    return (report, any(outcome.refusal is not None for outcome in outcomes)) if outcomes else None
