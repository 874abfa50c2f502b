"""What CHECK constraints say of columns, and bounds that say something else (decision 5)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from proxy.policy.catalog import Catalog
from proxy.policy.check_constraints import Allowed, allowed_by_checks
from proxy.policy.findings import Finding, PolicyPath, SourceMap
from proxy.policy.model import Bound, ColumnPolicy, Policy

_NEARLY: Final = Decimal("0.01")
"""Of the bounds' width: where CHECK says x < 1, bounds that end at 0.999 say the same."""


def check_limits(policy: Policy, catalog: Catalog, places: SourceMap) -> list[Finding]:
    """Bounds end where values do: narrower ones change values in silence, wider ones are paid for in noise."""
    return [
        finding
        for name, table in policy.tables.items()
        if table.unit is not None and name in catalog.tables
        for column, allowed in allowed_by_checks(catalog.tables[name]).items()
        for finding in _check_column(
            ("tables", name, "columns", column), (table.columns or {}).get(column), allowed, places
        )
    ]


def _check_column(
    path: PolicyPath, declared: ColumnPolicy | None, allowed: Allowed, places: SourceMap
) -> Iterator[Finding]:
    bounds = None if declared is None else declared.bounds or declared.range
    if declared is None or bounds is None:
        return
    key = "bounds" if declared.bounds is not None else "range"
    ends = (("at least", allowed.low), ("at most", allowed.high))
    said = "CHECK says " + " and ".join(f"{words} {end}" for words, end in ends if end is not None)
    match _compared(bounds, allowed):
        case "narrower":
            fate = "are in no group of answers" if key == "range" else "count as the nearest bound"
            hint = f"give `{key}` the limits of the CHECK; or say why not, with `# dpproxy: allow DP527 reason`"
            message = f"{said}: values that it allows, and these {key} do not, {fate}"
            yield places.warning("DP527", (*path, key), message, hint)
        case "wider":
            message = f"{said}: noise is made for values that no row can have"
            yield places.warning("DP528", (*path, key), message, f"end `{key}` where the CHECK does")


def _compared(bounds: tuple[Bound, Bound], allowed: Allowed) -> str:
    """How bounds relate to limits: "narrower" than them at one end at least, only "wider", or "as" they are."""
    ends = (*bounds, allowed.low, allowed.high)
    low, high, least, greatest = map(_position, ends)
    kinds = {isinstance(end, dt.date) for end in ends if end is not None}
    if len(kinds) > 1 or low is None or high is None or not low < high:
        return "as"
    nearly = (high - low) * _NEARLY
    inside = [*([low - least] if least is not None else []), *([greatest - high] if greatest is not None else [])]
    if any(by > nearly for by in inside):
        return "narrower"
    return "wider" if any(-by > nearly for by in inside) else "as"


def _position(bound: Bound | None) -> Decimal | None:
    """A number, or the number of a day; None for durations, and where there is no limit."""
    match bound:
        case Decimal():
            return bound
        case dt.date():
            return Decimal(bound.toordinal())
    return None
