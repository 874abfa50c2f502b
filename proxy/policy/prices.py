"""Rules on budgets, prices and contribution bounds: can they be spent, and do they protect (theorems 1, 12, 15)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Final

from proxy.policy.account_rules import budgets
from proxy.policy.findings import Finding, PolicyPath, SourceMap, format_path
from proxy.policy.model import Budget, Policy, QueryPrice, TablePolicy

# With probability delta a release may show anything: a delta of one in a thousand exposes rows of small tables.
_LARGE_DELTA: Final = Decimal("1e-3")
_SMALL_DELTA: Final = Decimal("1e-20")
"""Less likely than any accident."""
_LONGEST_SCALE: Final = 10  # seconds
_SMALLER_DELTA: Final = "keep delta far below one over the number of units, such as 1e-6"


def check_budgets(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Parts are no larger than the whole, and delta is small."""
    for path, budget in budgets(policy):
        yield from _check_delta(budget.delta, (*path, "delta"), source_map)
        if 0 < budget.delta < _SMALL_DELTA:
            message = f"a delta of {budget.delta} protects nobody better than {_SMALL_DELTA} would, and pays for less"
            yield source_map.warning("DP318", (*path, "delta"), message, _SMALLER_DELTA)
    for table_name, table in policy.tables.items():
        path = ("tables", table_name)
        if table.budget is None:
            continue
        if table.per_analyst is not None:
            yield from _check_share(table.per_analyst, table.budget, path, source_map)
        cap = _unit_cap(policy, table)
        if cap is not None and table.budget.epsilon > cap.epsilon:
            message = f"{table.budget.epsilon} cannot all be spent: the unit's cap is {cap.epsilon}"
            yield source_map.warning(
                "DP301", (*path, "budget", "epsilon"), message, "lower it, or raise the budget under units"
            )
        if cap is not None and table.budget.delta > cap.delta:
            message = f"{table.budget.delta} cannot all be spent: the unit's cap is {cap.delta}"
            if cap.delta == 0:
                message += ", so that neither Gaussian noise nor an undeclared group key is ever paid for"
            yield source_map.warning(
                "DP301", (*path, "budget", "delta"), message, "raise the delta under units, or lower this one"
            )


def _unit_cap(policy: Policy, table: TablePolicy) -> Budget | None:
    unit = policy.units.get(table.unit.name) if table.unit is not None else None
    return unit.budget if unit is not None else None


def _check_delta(delta: Decimal, path: PolicyPath, source_map: SourceMap) -> Iterator[Finding]:
    if delta >= _LARGE_DELTA:
        yield source_map.warning("DP302", path, f"a delta of {delta} is too large to protect anybody", _SMALLER_DELTA)


def _check_share(share: Budget, whole: Budget, table_path: PolicyPath, source_map: SourceMap) -> Iterator[Finding]:
    for key, part, limit in (("epsilon", share.epsilon, whole.epsilon), ("delta", share.delta, whole.delta)):
        if part > limit:
            path = (*table_path, "per_analyst", key)
            message = f"one analyst's {part} is more than the table's {limit}"
            yield source_map.error("DP303", path, message, f"give at most {limit}, or raise the table's budget")


def check_queries(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Prices are possible and affordable, and the mechanism fits the budget's delta."""
    for table_name, table in policy.tables.items():
        path = ("tables", table_name, "query")
        query = table.query
        if query.max_epsilon is not None and query.max_epsilon < query.epsilon:
            yield source_map.error(
                "DP304",
                (*path, "max_epsilon"),
                f"{query.max_epsilon} is less than the default price of {query.epsilon}",
                f"give at least {query.epsilon}, or lower query.epsilon",
            )
        if query.min_epsilon is not None and query.min_epsilon > query.epsilon:
            yield source_map.error(
                "DP304",
                (*path, "min_epsilon"),
                f"{query.min_epsilon} is more than the default price of {query.epsilon}",
                f"give at most {query.epsilon}, or raise query.epsilon",
            )
        yield from _check_profile(query, path, source_map)
        if query.delta is not None:
            yield from _check_delta(query.delta, (*path, "delta"), source_map)
        for key, budget in (("budget", table.budget), ("per_analyst", table.per_analyst)):
            if budget is not None:
                yield from _check_affordable(policy, table_name, key, budget, source_map)
        if query.mechanism == "gaussian" and table.budget is not None and table.budget.delta == 0:
            hint = "give the budget a delta, or write `mechanism: laplace`"
            yield source_map.error("DP305", (*path, "mechanism"), "Gaussian noise cannot be paid without delta", hint)
        if query.calibration is not None:
            yield from _check_calibration(policy, table_name, source_map)


def _check_profile(query: QueryPrice, path: PolicyPath, source_map: SourceMap) -> Iterator[Finding]:
    """Describing columns costs no more than other questions, and not less than the least."""
    own, usual, least = query.profile_epsilon, query.epsilon, query.min_epsilon
    if own is None or (least or 0) <= own <= usual:
        return
    message = f"{own} is more than the default price of {usual}" if own > usual else f"{own} is less than {least}"
    hint = f"give {least or 'more than 0'} to {usual}, or leave it out for a quarter of query.epsilon"
    yield source_map.error("DP304", (*path, "profile_epsilon"), message, hint)


def _check_calibration(policy: Policy, table_name: str, source_map: SourceMap) -> Iterator[Finding]:
    """A calibration has a delta, which all accounts have, and an epsilon for which it is proven."""
    path, table = ("tables", table_name, "query"), policy.tables[table_name]
    query = table.query
    if query.delta is None:
        message, hint = "calibration requires a delta", "add `delta: 1e-7` beside it"
        yield source_map.error("DP306", (*path, "calibration"), message, hint)
    if query.calibration == "classic" and query.epsilon >= 1:
        message = f"the classic calibration is proven only for epsilon below 1, got {query.epsilon}"
        hint = "write `calibration: analytic`, or lower query.epsilon"
        yield source_map.error("DP306", (*path, "calibration"), message, hint)
    paying = (table.budget, table.per_analyst, _unit_cap(policy, table))
    least = min((budget.delta for budget in paying if budget is not None), default=None)
    if query.delta is not None and least is not None and query.delta > least:
        message = f"each query states a delta of {query.delta}, but a budget that pays for it has {least} in all"
        yield source_map.error("DP306", (*path, "delta"), message, "lower query.delta, or remove query.calibration")


def _check_affordable(
    policy: Policy, table_name: str, key: str, budget: Budget, source_map: SourceMap
) -> Iterator[Finding]:
    path, query = ("tables", table_name, "query"), policy.tables[table_name].query
    if query.epsilon > budget.epsilon:
        message = f"the default price of {query.epsilon} is more than {key}.epsilon, {budget.epsilon}"
        yield source_map.warning(
            "DP307", (*path, "epsilon"), message, "lower query.epsilon: sessions can only ask for less now"
        )
    if query.delta is not None and query.delta > budget.delta and query.calibration is None:
        message = f"{query.delta} a query is more than {key}.delta, {budget.delta}"
        yield source_map.warning(
            "DP308", (*path, "delta"), message, "lower query.delta: undeclared group keys cannot be paid now"
        )


def check_contributions(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """A unit's rows in one group are some of its rows: m <= M (theorem 1)."""
    for table_name, table in policy.tables.items():
        bounds, path = table.contribution, ("tables", table_name, "contribution", "max_rows_per_group")
        if bounds.max_rows_per_group is None:
            continue
        if bounds.max_rows is None:
            message = "max_rows_per_group has no meaning without max_rows: each query chooses how much of a unit counts"
            yield source_map.error("DP309", path, message, "add max_rows, or leave both out")
        elif bounds.max_rows_per_group > bounds.max_rows:
            yield source_map.error(
                "DP309",
                path,
                f"{bounds.max_rows_per_group} rows in one group are more than max_rows, {bounds.max_rows}",
                f"give at most {bounds.max_rows}, or raise max_rows",
            )


def check_times_are_covered(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """A policy that says nothing about `timing` is told what that means; `timing: null` states it."""
    if "timing" not in policy.model_fields_set:
        message = "how long answers take is not in the guarantee: who measures times precisely may learn of one unit"
        hint = "write `timing: {epsilon: 0.1, delta: 1e-7, work: 1 ms}`, or `timing: null` to leave times out of it"
        yield source_map.warning("DP310", ("timing",), message, hint)


def check_timing(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """The time of release can be paid for by every account, and the delays are tolerable."""
    timing = policy.timing
    if timing is None:
        return
    if timing.work_seconds == 0:
        yield source_map.error(
            "DP311", ("timing", "work"), "a unit's rows take some time", "write `work: 1 ms` or more"
        )
    elif timing.work_seconds / Fraction(timing.epsilon) > _LONGEST_SCALE:
        message = f"every answer would wait for minutes: {timing.work} at an epsilon of {timing.epsilon}"
        yield source_map.error(
            "DP311", ("timing", "work"), message, "raise timing.epsilon, or bound the work of one unit"
        )
    yield from _check_delta(timing.delta, ("timing", "delta"), source_map)
    for path, budget in budgets(policy):
        if timing.epsilon > budget.epsilon:
            message = f"each answer pays {timing.epsilon} for its time, and {format_path(path)} has {budget.epsilon}"
            hint = "lower timing.epsilon to a small part of every budget"
            yield source_map.error("DP311", ("timing", "epsilon"), message, hint)
        # Half of an account's delta is for what can fail, the other half for the conversion from zCDP.
        if timing.delta > budget.delta / 2:
            message = (
                f"each block pays a delta of {timing.delta} for its time, and {format_path(path)} has "
                f"{budget.delta / 2} for that"
            )
            yield source_map.error("DP311", ("timing", "delta"), message, "give every budget that pays a larger delta")
