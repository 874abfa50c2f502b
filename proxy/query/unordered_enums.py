"""Says why the stage refuses what needs the order of an enum whose labels nothing makes public."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from proxy.wire.backend import Report
from proxy.wire.router import StageError

_UNDEFINED_FUNCTION: Final = "42883"
_BY_ORDER: Final = re.compile(
    r"could not identify an? (?:ordering operator|comparison function) for type (?P<sorted>.+)"
    r"|operator does not exist: (?P<compared>.+ [<>]=? .+)"
    r"|function (?:min|max)\((?P<extreme>.+)\) does not exist",
    re.DOTALL,
)
"""Messages of Postgres about values without an order."""


def explained(error: StageError, enums: Mapping[str, tuple[str, ...] | None]) -> StageError:
    """The error with the reason and what to write instead, where it is about the order of such an enum.

    Args:
        error: the stage's own, which does not know why the type has no order there.
        enums: labels by "schema.name"; None where they are not declared.
    """
    if error.sqlstate != _UNDEFINED_FUNCTION:
        return error
    report = Report.decode(error.body)
    found = _BY_ORDER.fullmatch(report["M"].decode("utf-8", "replace"))
    words = set(re.findall(r"\w[\w ]*\w|\w", found[found.lastgroup or 0])) if found is not None else set()
    names = (name.partition(".")[2] for name, labels in enums.items() if labels is None)
    enum = next((name for name in names if name in words or words & {f"{name} unknown"}), None)
    if enum is None:
        return error
    told = {
        "D": f"The policy does not declare the labels of {enum}, so that their order is unknown here.",
        "H": f"Compare and sort them as texts, as in column::text, or list them, as in column IN (…); with `values: "
        f"from_type` in the policy {enum} has its own order.",
    }
    others = [field for field in report.fields if field[0] not in told]
    body = Report((*others, *((code, text.encode()) for code, text in told.items()))).encode()
    return StageError(body, error.sqlstate, parsed=error.parsed)
