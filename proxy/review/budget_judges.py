"""How changes of a budget are judged: how much may be spent, when, and under which accounts (theorems 23 and 24)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from proxy.dp.accounting import Account
from proxy.dp.risk import risk_at_worst
from proxy.policy.durations import spoken
from proxy.policy.findings import PolicyPath
from proxy.policy.model import Budget, Rate, TableBudget
from proxy.policy.renewal import WINDOWS_PER_YEAR, Renewal, Unlocking
from proxy.review.judging import Both, Change

_DAYS: Final = {"day": 1, "week": 7, "month": 30}
FROM_NOW_ON: Final = "from now on: what was spent before does not count"
_FRESH: Final = "an account begins anew, and what was spent does not count in it"


def judge_budget(path: PolicyPath, old: Budget | None, new: Budget | None, both: Both) -> Iterator[Change]:
    """Of a table, of each analyst, of a group, of a unit, or of all windows together."""
    if new is None:
        meaning = "and has no limit of its own now; what is spent meanwhile will not count in a later one"
        yield Change("DP802", path, f"had {amount(old)}, {meaning}")
        return
    if old is None:
        yield Change("DP852", path, f"has a limit of {amount(new)}, there was none; {FROM_NOW_ON}")
        return
    for name in ("epsilon", "delta"):
        before, after = getattr(old, name), getattr(new, name)
        if after > before:
            yield Change("DP801", (*path, name), f"{name} {_small(before)} → {_small(after)}{_meaning(name, old, new)}")
        elif after < before:
            spent = "; what was spent stays spent, so that nothing may be left"
            yield Change("DP851", (*path, name), f"{name} {_small(before)} → {_small(after)}{spent}")
    if old.renew != new.renew:
        yield from _renewal((*path, "renew"), old.renew, new)
    if old.unlock != new.unlock:
        yield _unlocking((*path, "unlock"), old.unlock, new.unlock)
    if old.at_most != new.at_most:
        yield from _rate((*path, "at_most"), old.at_most, new.at_most)
    yield from _new_accounts((*path, "new_accounts"), old, new)
    if isinstance(old, TableBudget) and isinstance(new, TableBudget):
        yield from _windows(path, old, new, both)


def amount(budget: Budget | None) -> str:
    """A budget in numbers."""
    return "nothing" if budget is None else f"(ε, δ) = ({budget.epsilon}, {_small(budget.delta)})"


def _small(number: Decimal) -> str:
    return str(number).lower()


def _meaning(name: str, old: Budget, new: Budget) -> str:
    if name == "delta":
        return ": a larger probability that the bound of epsilon does not hold"
    limits = (Account(Fraction(budget.epsilon), Fraction(budget.delta)) for budget in (old, new))
    before, after = (f"{100 * min(risk_at_worst(limit).advantage, 0.9999):.4g} %" for limit in limits)
    return (
        f": who knows all other rows can tell whether one unit is in the data with an advantage of up to {after}, "
        f"instead of {before}"
    )


def _renewal(path: PolicyPath, old: Renewal | None, new: Budget) -> Iterator[Change]:
    """Each window of a budget that renews is an account, which goes by when it began."""
    if new.renew is None:
        message = "it no longer begins anew; what was spent in windows until now is added to what it promises"
        yield Change("DP851", path, message)
        return
    often = WINDOWS_PER_YEAR[new.renew.every]
    together = f"what the {often} of a year tell of the same rows adds up, to epsilon {float(often * new.epsilon):.3g}"
    if old is None:
        yield Change("DP801", path, f"it begins anew every {new.renew.every}: {together}")
        return
    before = WINDOWS_PER_YEAR[old.every]
    if often != before:
        message = f"it begins anew every {new.renew.every} instead of every {old.every}: {together}"
        if often < before and not new.new_accounts:
            message += "; the present window goes on at least until it was to end, and counts what was spent in it"
            yield Change("DP851", (*path, "every"), message)
            return
        yield Change("DP801" if often > before else "DP851", (*path, "every"), message)
    yield Change("DP807", path, f"windows begin at other times: {_FRESH}")


def _unlocking(path: PolicyPath, old: Unlocking | None, new: Unlocking | None) -> Change:
    if new is None:
        return Change("DP801", path, "all of it is available at once, not part by part")
    told = f"all of it is available after {spoken(new.over)}"
    if new.since is not None:
        told += f", of which the first is {new.since}"
    if old is None:
        return Change("DP851", path, f"{told}, not at once")
    later = new.over >= old.over and (new.since is None or old.since is None or new.since >= old.since)
    return Change("DP851" if later else "DP801", path, f"{told}; before, after {spoken(old.over)}")


def _rate(path: PolicyPath, old: Rate | None, new: Rate | None) -> Iterator[Change]:
    if old is None or new is None:
        if new is not None:
            yield Change("DP852", path, f"at most epsilon {new.epsilon} may be spent in one {new.per}")
        elif old is not None:
            yield Change("DP802", path, f"more than epsilon {old.epsilon} may be spent in one {old.per}")
        return
    before, after = old.epsilon / _DAYS[old.per], new.epsilon / _DAYS[new.per]
    message = f"epsilon {old.epsilon} per {old.per} → {new.epsilon} per {new.per}"
    if before != after:
        yield Change("DP801" if after > before else "DP851", path, message)
    if old.per != new.per:
        yield Change("DP807", (*path, "per"), f"{message}: {_FRESH}")


def _windows(path: PolicyPath, old: TableBudget, new: TableBudget, both: Both) -> Iterator[Change]:
    """Accounts of windows go by the table, the time's column and the window."""
    if (old.per, old.of) != (new.per, new.of):
        key = "per" if old.per != new.per else "of"
        what = f"each {new.per} by {new.of}" if new.per is not None else "all rows together"
        before = f"each {old.per} by {old.of}" if old.per is not None else "all rows together"
        yield Change("DP807", (*path, key), f"the budget is that of {what}, not of {before}: {_FRESH}")
    if old.total != new.total:
        yield from judge_budget((*path, "total"), old.total, new.total, both)


def _new_accounts(path: PolicyPath, old: Budget, new: Budget) -> Iterator[Change]:
    if new.new_accounts and not old.new_accounts:
        yield Change("DP807", path, "states that what was spent under other accounts of it does not count in this one")
    elif old.new_accounts and not new.new_accounts:
        yield Change("DP851", path, "the proxy does not start where something was spent under other accounts of it")


BUDGET_FIELDS: Final[frozenset[str]] = frozenset(
    {"epsilon", "delta", "renew", "unlock", "at_most", "per", "of", "total", "new_accounts"}
)
"""What `judge_budget` looks at."""


def unjudged(old: Any, new: Any) -> list[str]:
    """Fields of a budget that differ and that nobody has thought of."""
    names = sorted(set(type(new).model_fields) - BUDGET_FIELDS) if old is not None and new is not None else []
    return [name for name in names if getattr(old, name) != getattr(new, name)]
