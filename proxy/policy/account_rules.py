"""Rules on accounts: when budgets are there, who is in which group, who may ask what (theorem 15)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Final

from proxy.policy.findings import Finding, PolicyPath, SourceMap, did_you_mean
from proxy.policy.ledger_names import ends_like_a_rate
from proxy.policy.model import Budget, Policy

_DAY: Final = dt.timedelta(days=1)


def budgets(policy: Policy) -> Iterator[tuple[PolicyPath, Budget]]:
    """Every budget of a policy, and where it stands."""
    for name, unit in policy.units.items():
        if unit.budget is not None:
            yield ("units", name, "budget"), unit.budget
    for name, group in policy.groups.items():
        if group.budget is not None:
            yield ("groups", name, "budget"), group.budget
    for name, table in policy.tables.items():
        for key, budget in (("budget", table.budget), ("per_analyst", table.per_analyst)):
            if budget is not None:
                yield ("tables", name, key), budget
        if table.budget is not None and table.budget.total is not None:
            yield ("tables", name, "budget", "total"), table.budget.total


def check_renewals(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Budgets begin anew at times that there are."""
    for path, budget in budgets(policy):
        fault = budget.renew.fault() if budget.renew is not None else None
        if budget.renew is not None and fault is not None:
            key, hint = fault
            message = f"a {budget.renew.every} cannot begin then" if key == "at" else "there is no such time zone"
            place = (*path, "renew", key) if (*path, "renew", key) in source_map else (*path, "renew")
            yield source_map.error("DP335", place, message, hint)


def check_unlocking(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Parts of a budget have a first day, and come once a day."""
    for path, budget in budgets(policy):
        if budget.unlock is None:
            continue
        over, since, place = budget.unlock.over, budget.unlock.since, (*path, "unlock")
        if over < 2 * _DAY or over % _DAY:
            yield source_map.error(
                "DP337", (*place, "over"), "a part becomes available each day", "write whole days, such as 30 days"
            )
        if budget.renew is None and since is None:
            hint = "add `since: 2026-01-31`, or `renew`, with which it begins with each window"
            yield source_map.error("DP337", place, "nothing says when the first part becomes available", hint)
        if budget.renew is not None and since is not None:
            yield source_map.error(
                "DP337", (*place, "since"), "a budget that renews begins with each window", "leave `since` out"
            )


def check_rates(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """What may be spent in one period is less than what there is."""
    for path, budget in budgets(policy):
        if budget.at_most is not None and budget.at_most.epsilon >= budget.epsilon:
            message = f"{budget.at_most.epsilon} per {budget.at_most.per} is no limit to a budget of {budget.epsilon}"
            hint = f"give less than {budget.epsilon}, or leave `at_most` out"
            yield source_map.warning("DP338", (*path, "at_most", "epsilon"), message, hint)


def check_names_of_accounts(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """No account has the name of another one's `at_most`, of this policy or an earlier one."""
    private = [name for name, table in policy.tables.items() if table.budget is not None]
    named = {"tables": private, "groups": list(policy.groups), "units": list(policy.units)}
    for key, name in ((key, name) for key, names in named.items() for name in names):
        if ends_like_a_rate(name):
            hint = "rename it" if key != "tables" else "rename it, or list a view of it under another name"
            message = (
                "its account would have a name like that of an `at_most`, so that one could be taken for the other"
            )
            yield source_map.error("DP351", (key, name), message, hint)


def check_groups(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """The members of a group are analysts, each of one group."""
    groups: dict[str, str] = {}
    for name, group in policy.groups.items():
        path = ("groups", name, "members")
        for index, member in enumerate(group.members):
            if member not in policy.analysts and ("analysts", member) not in source_map:
                hint = did_you_mean(member, policy.analysts, "add it to `analysts`, or correct its name")
                yield source_map.error("DP341", (*path, index), f"there is no analyst {member!r}", hint)
            elif groups.setdefault(member, name) != name:
                message = f"{member!r} is a member of {groups[member]!r}, too"
                yield source_map.error("DP341", (*path, index), message, "let it be in one group")


def check_tables_that_may_be_asked(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """`may` lists private tables of the policy."""
    lists = [
        *((("analysts", name, "may"), analyst.may) for name, analyst in policy.analysts.items()),
        *((("groups", name, "may"), group.may) for name, group in policy.groups.items()),
    ]
    for path, tables in lists:
        for index, table in enumerate(tables or ()):
            known = policy.tables.get(table)
            if known is None and ("tables", table) not in source_map:
                private = [name for name, found in policy.tables.items() if not found.public and not found.view]
                hint = did_you_mean(table, private, "write schema.table")
                yield source_map.error("DP342", (*path, index), f"there is no table {table!r}", hint)
            elif known is not None and (known.public or known.view):
                message = f"{table!r} has no private rows of its own"
                hint = "list private tables: public ones are everybody's, and a view needs the tables that it reads"
                yield source_map.error("DP342", (*path, index), message, hint)


def check_stewards(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """A steward sees everybody's accounts and asks nothing; an analyst asks and sees its own."""
    for name in policy.stewards:
        if name in policy.analysts:
            message, hint = f"{name!r} is an analyst, too", "give the steward a login of its own"
            yield source_map.error("DP343", ("stewards", name), message, hint)
