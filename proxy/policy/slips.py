"""Cautions about what was probably not meant: numbers as other countries write them, names with blanks, ways in that
are not needed, accounts that cannot do what they are for (decision 8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Final

from pydantic import BaseModel

from proxy.policy.account_rules import budgets
from proxy.policy.findings import Finding, PolicyPath, SourceMap
from proxy.policy.identifying import words_of
from proxy.policy.logins import logins
from proxy.policy.model import Policy

_SHARED: Final = frozenset(
    "all analysts anonymous anybody anyone common department everybody everyone guest guests office shared staff team "
    "users".split()
)

_DAYS: Final = {"day": 1, "week": 7, "month": 31, "quarter": 92, "year": 366}
"""The most that there are in a window."""


def check_thousands(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """A point is not a separator of thousands: who writes 200.000 for 200 seldom means that."""
    numbers = dict(_numbers(policy, ()))
    for path, number in numbers.items():
        if not _reads_as_thousands(number) or _is_of_thousandths(path, numbers):
            continue
        message = f"{number} is the number {number.normalize():f}, with three digits behind its point"
        hint = f"write {number.scaleb(3):.0f} if that is meant; or {number.normalize():f}"
        yield source_map.warning("DP417", path, message, hint)


def _numbers(value: object, path: PolicyPath) -> Iterator[tuple[PolicyPath, Decimal]]:
    if isinstance(value, Decimal):
        yield path, value
    elif isinstance(value, BaseModel):
        for name in sorted(value.model_fields_set):
            yield from _numbers(getattr(value, name), (*path, name))
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from _numbers(part, (*path, str(key)))
    elif isinstance(value, tuple):
        for index, part in enumerate(value):
            yield from _numbers(part, (*path, index))


def _is_of_thousandths(path: PolicyPath, numbers: Mapping[PolicyPath, Decimal]) -> bool:
    """Is it a number of a column whose other bound, values or step have three digits behind the point?"""
    column = path[:4] if path[0] == "tables" and path[2:3] == ("columns",) else path
    return any(
        _has_three_places(number) and not _reads_as_thousands(number)
        for other, number in numbers.items()
        if other[: len(column)] == column and other != path
    )


def _has_three_places(number: Decimal) -> bool:
    return number.as_tuple().exponent == -3


def _reads_as_thousands(number: Decimal) -> bool:
    """One to three digits, a point, and three more of which the last is a zero that says nothing."""
    return _has_three_places(number) and number.as_tuple().digits[-1] == 0 and 1 <= abs(number) < 1000


def check_groups_of_units(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Values of the unit's own column would make each unit a group, which its noise hides."""
    for name, table in policy.tables.items():
        column = table.unit.column if table.unit is not None else None
        declared = (table.columns or {}).get(column or "")
        for key in ("values", "values_from", "range"):
            if declared is not None and column is not None and getattr(declared, key) is not None:
                message = "each unit would be a group of its own, of which the noise leaves nothing"
                hint = f"write `{column}: {{}}`: units can be counted, and are never shown"
                yield source_map.warning("DP418", ("tables", name, "columns", column, key), message, hint)


def check_spellings(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Texts that differ in case or blanks alone are two groups to PostgreSQL."""
    for table_name, table in policy.tables.items():
        for name, column in (table.columns or {}).items():
            path: PolicyPath = ("tables", table_name, "columns", name)
            texts = [(value, (*path, "values", place)) for place, value in enumerate(column.listed)]
            texts += [(column.others, (*path, "others"))] if column.others is not None else []
            seen: dict[str, str] = {}
            for value, place in texts:
                if not isinstance(value, str):
                    continue
                first = seen.setdefault(" ".join(value.casefold().split()), value)
                if first != value:
                    message = f"{value!r} and {first!r} differ in case or blanks alone, and are two groups"
                    hint = "correct it; or allow DP419 and say why, if rows really have both"
                    yield source_map.warning("DP419", place, message, hint)


def check_names_of_logins(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """A login's name is typed, stands in connection strings, and says who asked."""
    for path, name, _ in logins(policy):
        if name != "".join(name.split()):
            message = f"the login name {name!r} has a blank, which is easily mistyped, and has to be quoted by clients"
            hint = f"write {'_'.join(name.split())}, for example"
            yield source_map.warning("DP224", path, message, hint)
        elif path[0] == "analysts" and _SHARED & {*words_of(name)}:
            message = "a login that several people seem to share: nothing tells which of them asked, or revokes one"
            hint = "give each a login of their own, and one account to all by `groups`; or allow DP226 and say why"
            yield source_map.warning("DP226", path, message, hint)


def check_ways_in(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Whoever has either of two proofs can log in, so that the weaker one decides."""
    for path, _, login in logins(policy):
        if login.password is not None and login.certificate is not None:
            message = "either of password and certificate is enough: the password opens what the certificate protects"
            hint = "remove one of them; or keep both, with `# dpproxy: allow DP225 reason` on the line"
            yield source_map.warning("DP225", (*path, "certificate"), message, hint)


def check_deltas_are_stated(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """An account without a delta cannot pay for most of what there is; whoever wants that says so."""
    for path, budget in budgets(policy):
        if "delta" not in budget.model_fields_set:
            message = "no delta is stated: then it pays for Laplace noise and declared keys only"
            hint = "add `delta: 1e-6`, far below one over the number of units; or `delta: 0` if that is meant"
            yield source_map.warning("DP325", path, message, hint)


def check_parts_come_in_time(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """The parts of a budget are all there before it begins anew."""
    for path, budget in budgets(policy):
        if budget.renew is None or budget.unlock is None:
            continue
        days = _DAYS[budget.renew.every]
        if budget.unlock.over.days > days:
            message = f"it begins anew after {days} days, so that the parts of later ones are never there"
            hint = f"write `over: {days} days` or less"
            yield source_map.warning("DP326", (*path, "unlock", "over"), message, hint)


def check_accounts_that_add_up(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """A budget may be spent again by an edit where a policy says so."""
    for path, budget in budgets(policy):
        if budget.new_accounts:
            message = (
                "what was spent under earlier accounts of this budget does not count: both add up, and so they do "
            )
            message += "after later edits"
            hint = "leave it out where nothing was spent; else accept that with `# dpproxy: allow DP340 reason`"
            yield source_map.warning("DP340", (*path, "new_accounts"), message, hint)
