"""What commands read from what becomes of statements."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from proxy.rehearsal.query_tests import check_script, recorded
from proxy.rehearsal.rehearsing import Outcome
from proxy.rehearsal.report import json_report, text_report

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


def read(reading: str, scripts: Mapping[str, str], outcomes: Sequence[Sequence[Outcome]]) -> list[Any]:
    """What is read from each script, in order.

    Args:
        reading: a key of `READINGS`.
        scripts: by name.
        outcomes: of each script's statements.
    """
    return [
        READINGS[reading](name, script, found) for (name, script), found in zip(scripts.items(), outcomes, strict=True)
    ]


def _explained(report: str, outcomes: Sequence[Outcome]) -> tuple[str, bool] | None:
    return (report, any(outcome.refusal is not None for outcome in outcomes)) if outcomes else None
