"""Cautions of `dpproxy check` about a policy by itself: legal, and seldom meant (decision 8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import Final

from proxy.policy.findings import Finding, SourceMap
from proxy.policy.identifying import identifying
from proxy.policy.model import Policy
from proxy.policy.prices import check_times_are_covered

_WIDEST: Final = Decimal("1e15")
"""No amount of anything is as large; noise for such bounds hides all else."""


def check_cautions(policy: Policy, source_map: SourceMap) -> list[Finding]:
    """All of them, for a policy without errors."""
    return [finding for caution in CAUTIONS for finding in caution(policy, source_map)]


def check_most_epsilon(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """No session may spend a whole budget by one query."""
    for name, table in policy.tables.items():
        most = table.query.max_epsilon
        for key, budget in (("budget", table.budget), ("per_analyst", table.per_analyst)):
            if most is not None and budget is not None and table.query.epsilon <= budget.epsilon < most:
                message = f"one query may ask for {most}, which is more than {key}.epsilon, {budget.epsilon}"
                hint = "give a small part of it, so that no careless query spends the budget"
                yield source_map.warning("DP312", ("tables", name, "query", "max_epsilon"), message, hint)
                break


def check_wide_bounds(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Bounds are those of the world, not of the type."""
    for name, table in policy.tables.items():
        for column_name, column in (table.columns or {}).items():
            bounds = column.bounds
            if bounds is None or not isinstance(bounds[0], Decimal) or not isinstance(bounds[1], Decimal):
                continue
            if bounds[1] - bounds[0] > _WIDEST:
                message = f"bounds as wide as {bounds[1] - bounds[0]:.0e} make noise that hides every answer"
                hint = "give limits of the world; or leave them out: each query then chooses how much of a sum counts"
                path = ("tables", name, "columns", column_name, "bounds")
                yield source_map.warning("DP410", path, message, hint)


def check_identifying(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Columns that tell who somebody is are not listed: no answer needs them."""
    for name, table in policy.tables.items():
        for column_name, column in (table.columns or {}).items():
            meaning = identifying(column_name, "")
            is_unit = table.unit is not None and column_name == table.unit.column
            if meaning is None or is_unit or table.public or table.view or column.model_fields_set:
                continue
            message = f"seems to be {meaning}, which tells who somebody is and helps no statistic"
            hint = "remove it; or keep it, with `# dpproxy: allow DP411 reason` on the line"
            yield source_map.warning("DP411", ("tables", name, "columns", column_name), message, hint)


Caution = Callable[[Policy, SourceMap], Iterable[Finding]]
CAUTIONS: Final[tuple[Caution, ...]] = (
    check_times_are_covered,
    check_most_epsilon,
    check_wide_bounds,
    check_identifying,
)
