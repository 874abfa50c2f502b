"""How each part of a policy is judged when it changes. What has no judge counts as weaker, so that a person looks."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Mapping
from ipaddress import ip_network
from typing import Any, Final

from pydantic import BaseModel

from proxy.policy.durations import spoken
from proxy.policy.findings import PolicyPath
from proxy.policy.model import (
    Analyst,
    Budget,
    ColumnPolicy,
    ContributionPolicy,
    Group,
    Policy,
    QueryPrice,
    RecallPolicy,
    Steward,
    Strict,
    TablePolicy,
    Timing,
    Unit,
)
from proxy.review.budget_judges import FROM_NOW_ON, amount, judge_budget, unjudged
from proxy.review.judging import Both, Change, Judge


def judged(path: PolicyPath, old: Strict, new: Strict, both: Both) -> Iterator[Change]:
    """What changed between two objects of one class, field by field."""
    for field in type(new).model_fields:
        before, after = getattr(old, field), getattr(new, field)
        if before != after:
            judge = JUDGES.get((type(new), field), _unknown)
            yield from judge((*path, field), before, after, both)


def _unknown(path: PolicyPath, old: Any, new: Any, _both: Both) -> Iterator[Change]:
    yield Change("DP814", path, f"was {_shown(old)}, is {_shown(new)}; nothing is known of what that does")


def _shown(value: Any) -> str:
    text = "absent" if value is None else str(value)
    if isinstance(value, BaseModel):
        text = json.dumps(value.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False).replace('"', "")
    elif isinstance(value, tuple):
        text = f"[{', '.join(map(str, value))}]".replace("\0", "")
    return text if len(text) <= 80 else f"{text[:77]}…"


def _budget(path: PolicyPath, old: Budget | None, new: Budget | None, both: Both) -> Iterator[Change]:
    yield from judge_budget(path, old, new, both)
    for name in unjudged(old, new):
        yield from _unknown((*path, name), getattr(old, name), getattr(new, name), both)


def _public(path: PolicyPath, old: bool, new: bool, _both: Both) -> Iterator[Change]:
    if new:
        yield Change("DP803", path, "every analyst can read the rows of this table from now on, for ever")
    elif old:
        yield Change("DP853", path, "the rows are private now; what was read stays known")


def _unit_reference(path: PolicyPath, old: Any, new: Any, _both: Both) -> Iterator[Change]:
    """Whose rows they are."""
    before, after = (f"{ref.name}, by {ref.column or ref.via}" for ref in (old, new))
    if before != after:
        meaning = "another unit is protected, and what was charged was charged for the old one"
        yield Change("DP806", path, f"{before} → {after}: {meaning}")
    if old.when_null != new.when_null:
        place = (*path, "when_null")
        if new.when_null == "each_row":
            yield Change("DP812", place, "rows without a unit count, and only each of them by itself is protected")
        elif old.when_null == "each_row":
            yield Change("DP858", place, "rows without a unit are not counted any more")


def _columns(path: PolicyPath, old: Any, new: Any, both: Both) -> Iterator[Change]:
    if old is None or new is None:
        if new is None:
            yield Change("DP805", path, "all columns are shown, those that are added later, too")
        else:
            yield Change("DP854", path, f"only these columns are shown: {', '.join(new) or 'none'}")
        return
    for name in new.keys() - old.keys():
        yield Change("DP805", (*path, name), "analysts can ask about this column")
    for name in old.keys() - new.keys():
        yield Change("DP854", (*path, name), "no longer exists for analysts")
    for name in old.keys() & new.keys():
        yield from judged((*path, name), old[name], new[name], both)


def _recall(path: PolicyPath, old: Any, new: Any, _both: Both) -> Iterator[Change]:
    meaning = "the same questions are new ones, and are paid anew"
    yield Change("DP882", path, f"{_shown(old)} → {_shown(new)}: {meaning}")


def _price(path: PolicyPath, old: Any, new: Any, _both: Both) -> Iterator[Change]:
    yield Change("DP881", path, f"{_shown(old)} → {_shown(new)}: the budget stays the bound of all questions together")


def _query(path: PolicyPath, old: QueryPrice, new: QueryPrice, both: Both) -> Iterator[Change]:
    """The least price bounds how many questions a budget pays for, and so how often something unforeseen is seen."""
    yield from judged(path, old, new, both)
    before, after = old.least_epsilon, new.least_epsilon
    if before != after:
        more = "more" if after < before else "fewer"
        message = f"the least price is epsilon {float(before):g} → {float(after):g}: a budget pays for {more} questions"
        yield Change("DP811" if after < before else "DP857", (*path, "min_epsilon"), message)


def _nothing(_path: PolicyPath, _old: Any, _new: Any, _both: Both) -> Iterator[Change]:
    """Judged with what is around it."""
    yield from ()


def _min_units(path: PolicyPath, old: int, new: int, _both: Both) -> Iterator[Change]:
    rule = "DP813" if new < old else "DP858"
    yield Change(rule, path, f"undeclared groups of fewer than about {new} units do not show; that was {old}")


def _timing(path: PolicyPath, old: Timing | None, new: Timing | None, _both: Both) -> Iterator[Change]:
    if new is None:
        yield Change("DP810", path, "how long answers take is not in the guarantee any more")
    elif old is None:
        yield Change("DP856", path, "how long answers take is in the guarantee")
    else:
        if new.work_seconds != old.work_seconds:
            rule = "DP810" if new.work_seconds < old.work_seconds else "DP856"
            meaning = "the time that the rows of one unit are taken to cost"
            yield Change(rule, (*path, "work"), f"{old.work} → {new.work}: {meaning}")
        for name in ("epsilon", "delta"):
            before, after = getattr(old, name), getattr(new, name)
            if before != after:
                yield from _price((*path, name), before, after, _both)


def _failures(path: PolicyPath, old: int, new: int, _both: Both) -> Iterator[Change]:
    rule = "DP811" if new > old else "DP857"
    meaning = "failed source queries of an analyst before the suspension; each may tell of one row"
    yield Change(rule, path, f"{old} → {new} {meaning}")


def _statement_texts(path: PolicyPath, old: str, new: str, _both: Both) -> Iterator[Change]:
    yield Change("DP887", path, f"{old} → {new}: of statements to come, stewards and their authors see that")


def _source(path: PolicyPath, _old: Any, _new: Any, _both: Both) -> Iterator[Change]:
    meaning = "another database is asked, under the same accounts; change data_version of its tables if its rows differ"
    yield Change("DP884", path, meaning)


def _networks(path: PolicyPath, old: Any, new: Any, _both: Both) -> Iterator[Change]:
    if new is None:
        yield Change("DP809", path, "can log in from everywhere")
        return
    inside = old is None or all(_within(network, old) for network in new)
    yield Change("DP855" if inside else "DP809", path, f"can log in from {', '.join(new) or 'nowhere'}")


def _within(network: str, others: tuple[str, ...]) -> bool:
    inner = ip_network(network)
    return any(
        inner.version == outer.version and inner.subnet_of(outer)  # type: ignore[arg-type]
        for outer in map(ip_network, others)
    )


def _login(path: PolicyPath, old: Any, new: Any, _both: Both) -> Iterator[Change]:
    if old is None:
        yield Change("DP809", path, f"can log in by {path[-1]}, too")
    elif new is None:
        yield Change("DP855", path, f"can no longer log in by {path[-1]}")
    else:
        yield Change("DP883", path, f"another {path[-1]}")


def _may(path: PolicyPath, old: Any, new: Any, _both: Both) -> Iterator[Change]:
    if new is None:
        yield Change("DP808", path, "may ask about all private tables")
    else:
        more = old is not None and not set(new) <= set(old)
        yield Change("DP808" if more else "DP855", path, f"may ask about {', '.join(new) or 'nothing'} only")


def _valid_until(path: PolicyPath, old: Any, new: Any, _both: Both) -> Iterator[Change]:
    if new is None:
        yield Change("DP808", path, "may ask for ever")
    else:
        later = old is not None and new > old
        yield Change("DP808" if later else "DP855", path, f"may ask until {new}")


def _settings(path: PolicyPath, old: Mapping[str, str], new: Mapping[str, str], _both: Both) -> Iterator[Change]:
    said = [f"{name} {old.get(name, 'absent')} → {new.get(name, 'absent')}" for name in sorted({*old, *new})]
    yield Change("DP885", path, "; ".join(text for text in said if len(set(text.partition(" ")[2].split(" → "))) > 1))


def _analysts(path: PolicyPath, old: Any, new: Any, both: Both) -> Iterator[Change]:
    for name in new.keys() - old.keys():
        shares = [table for table, policy in both.new.tables.items() if policy.per_analyst is not None]
        own = f", with a share of its own of {', '.join(shares)}" if shares else ""
        yield Change("DP808", (*path, name), f"a new analyst{own}; the limits of tables bound all analysts together")
    for name in old.keys() - new.keys():
        yield Change("DP855", (*path, name), "can no longer log in")
    for name in old.keys() & new.keys():
        yield from judged((*path, name), old[name], new[name], both)


def _stewards(path: PolicyPath, old: Any, new: Any, both: Both) -> Iterator[Change]:
    for name in new.keys() - old.keys():
        yield Change("DP808", (*path, name), "a new steward, who sees every account and charge, but no private table")
    for name in old.keys() - new.keys():
        yield Change("DP855", (*path, name), "can no longer log in")
    for name in old.keys() & new.keys():
        yield from judged((*path, name), old[name], new[name], both)


def _groups(path: PolicyPath, old: Any, new: Any, both: Both) -> Iterator[Change]:
    for name in new.keys() - old.keys():
        yield from _new_group((*path, name), new[name], both)
    for name in old.keys() - new.keys():
        if old[name].budget is not None or old[name].may is not None:
            limits = amount(old[name].budget) if old[name].budget is not None else "what they may ask"
            yield Change("DP802", (*path, name), f"its members are no longer limited by the group, to {limits}")
        else:
            yield Change("DP882", (*path, name), "its members are no longer shown each other's answers")
    for name in old.keys() & new.keys():
        yield from judged((*path, name), old[name], new[name], both)


def _new_group(path: PolicyPath, group: Group, both: Both) -> Iterator[Change]:
    if len(group.members) > 1:
        yield Change("DP808", (*path, "members"), f"shown what any of them has paid for: {', '.join(group.members)}")
    if group.budget is not None:
        limit = f"its members together have a limit of {amount(group.budget)}"
        yield Change("DP852", (*path, "budget"), f"{limit}; {FROM_NOW_ON}")
    if group.may is not None:
        yield from _may((*path, "may"), None, group.may, both)


def _members(path: PolicyPath, old: tuple[str, ...], new: tuple[str, ...], both: Both) -> Iterator[Change]:
    limit = both.new.groups[str(path[1])].budget
    counts = f", and limited by its {amount(limit)} {FROM_NOW_ON}" if limit is not None else ""
    for name in sorted(set(new) - set(old)):
        yield Change("DP808", path, f"{name} is shown what the group has paid for{counts}")
    limit = both.old.groups[str(path[1])].budget
    for name in sorted(set(old) - set(new)):
        if limit is not None and name in both.new.analysts:
            yield Change("DP802", path, f"{name} is no longer limited by the group's {amount(limit)}")
        else:
            yield Change("DP855", path, f"{name} is no longer shown what the group has paid for")


def _clock(path: PolicyPath, old: Any, new: Any, _both: Both) -> Iterator[Change]:
    """When questions are the same, and for how long: nothing that is protected depends on it."""
    yield Change("DP886", path, f"{_length(old)} → {_length(new)}: {_CLOCK_MEANS[str(path[-1])]}")


_CLOCK_MEANS: Final = {
    "clock": "now() moves at other times, so that questions about the present are paid for as often",
    "snap": "constants that timestamps are compared with are moved, or no longer",
    "recall": "answers are recalled so long; then the same question is asked, and paid, anew",
}


def _length(value: Any) -> str:
    if value is None:
        return "for ever"
    if isinstance(value, RecallPolicy):
        value = value.for_
    return ("off" if not value else spoken(value)) if isinstance(value, dt.timedelta) else str(value).lower()


def _view(path: PolicyPath, _old: bool, new: bool, _both: Both) -> Iterator[Change]:
    meaning = "whose rows these are, and who pays, follows from the tables that it reads"
    if not new:
        meaning = "whose rows these are, and who pays, is what the policy says, without a proof"
    yield Change("DP806", path, meaning)
    if not new:
        meaning = f"a fresh account table:{path[1]}; what was spent of the tables that it reads does not count there"
        yield Change("DP807", path, meaning)


def _units(path: PolicyPath, old: Any, new: Any, both: Both) -> Iterator[Change]:
    gone, added = old.keys() - new.keys(), new.keys() - old.keys()
    for name in added:
        if gone and new[name].budget is not None:
            yield Change(
                "DP807",
                (*path, name),
                f"a fresh account unit:{name}; what {', '.join(sorted(gone))} spent does not count there",
            )
    for name in gone:
        if old[name].budget is not None:
            yield Change("DP802", (*path, name), f"the cap of unit {name}, {amount(old[name].budget)}, is gone")
    for name in old.keys() & new.keys():
        yield from judged((*path, name), old[name], new[name], both)


def _tables(path: PolicyPath, old: Any, new: Any, both: Both) -> Iterator[Change]:
    gone = {name: old[name] for name in old.keys() - new.keys()}
    for name in new.keys() - old.keys():
        yield _added((*path, name), name, new[name], both)
    for name, table in gone.items():
        kept = "" if table.public else f"; the ledger keeps what table:{name} has spent"
        yield Change("DP854", (*path, name), f"no longer exists for analysts{kept}")
    for name in old.keys() & new.keys():
        kept = "public" if old[name].public != new[name].public else "view" if old[name].view != new[name].view else ""
        # What else changes with the kind of a table says no more than that.
        if kept:
            judge = JUDGES.get((TablePolicy, kept), _unknown)
            yield from judge((*path, name, kept), getattr(old[name], kept), getattr(new[name], kept), both)
        else:
            yield from judged((*path, name), old[name], new[name], both)


def _added(path: PolicyPath, name: str, table: TablePolicy, both: Both) -> Change:
    if table.public:
        return Change("DP804", path, "every analyst can read all of its rows")
    if table.view:
        return Change("DP804", path, "a view over private tables, which bound and pay what is asked of it")
    ended = _without_budget(both)
    before = next((other for other, was in ended.items() if _alike(name, table, other, was)), None)
    if before is not None:
        meaning = f"a fresh account table:{name}. If this is {before} renamed, what was spent of it does not count here"
        return Change("DP807", path, f"{meaning}: lower the budget by that")
    if ended:
        meaning = f"a fresh account table:{name}. If its rows are rows of {', '.join(sorted(ended))}, as where one is a"
        meaning += " view or a partition of the other, what was spent of them does not count here"
        return Change("DP807", path, f"{meaning}: `serve` refuses that unless `new_accounts: true` states it")
    unit = table.unit.name if table.unit is not None else "unit"
    meaning = f"a private table with an account of its own, {amount(table.budget)}"
    return Change(
        "DP804", path, f"{meaning}: one {unit} is protected by the sum of all its tables' budgets, or by its cap"
    )


def _without_budget(both: Both) -> dict[str, TablePolicy]:
    """The tables that had accounts of their own, and have none any more."""
    paying = {name for name, table in both.new.tables.items() if table.budget is not None}
    return {name: was for name, was in both.old.tables.items() if was.budget is not None and name not in paying}


def _alike(name: str, table: TablePolicy, other: str, was: TablePolicy) -> bool:
    """Do they look like one table under two names?"""
    if was.public or was.view or was.unit is None or table.unit is None:
        return False
    if name.partition(".")[2] == other.partition(".")[2]:
        return True
    mine, theirs = set(table.columns or {}), set(was.columns or {})
    return was.unit.name == table.unit.name and 2 * len(mine & theirs) > max(len(mine), len(theirs))


def _nested(path: PolicyPath, old: Any, new: Any, both: Both) -> Iterator[Change]:
    yield from judged(path, old, new, both)


JUDGES: Final[dict[tuple[type[Strict], str], Judge]] = {
    (Policy, "source"): _source,
    (Policy, "failures"): _failures,
    (Policy, "timing"): _timing,
    (Policy, "statement_texts"): _statement_texts,
    (Policy, "analysts"): _analysts,
    (Policy, "units"): _units,
    (Policy, "tables"): _tables,
    (Policy, "stewards"): _stewards,
    (Policy, "groups"): _groups,
    (Group, "members"): _members,
    (TablePolicy, "view"): _view,
    **{(TablePolicy, name): _clock for name in ("clock", "snap", "recall")},
    **{(login, name): _login for login in (Analyst, Steward) for name in ("password", "certificate")},
    **{(login, "networks"): _networks for login in (Analyst, Steward)},
    **{(login, "settings"): _settings for login in (Analyst, Steward)},
    **{(asking, "may"): _may for asking in (Analyst, Group)},
    (Analyst, "valid_until"): _valid_until,
    (Group, "budget"): _budget,
    (Unit, "budget"): _budget,
    (TablePolicy, "public"): _public,
    (TablePolicy, "unit"): _unit_reference,
    (TablePolicy, "budget"): _budget,
    (TablePolicy, "per_analyst"): _budget,
    (TablePolicy, "query"): _query,
    (TablePolicy, "contribution"): _nested,
    (TablePolicy, "columns"): _columns,
    (TablePolicy, "data_version"): _recall,
    (QueryPrice, "epsilon"): _price,
    (QueryPrice, "max_epsilon"): _price,
    (QueryPrice, "min_epsilon"): _nothing,
    (QueryPrice, "profile_epsilon"): _price,
    (QueryPrice, "delta"): _price,
    (QueryPrice, "mechanism"): _recall,
    (QueryPrice, "calibration"): _recall,
    (ContributionPolicy, "max_rows"): _recall,
    (ContributionPolicy, "max_rows_per_group"): _recall,
    (ContributionPolicy, "max_groups"): _recall,
    (ContributionPolicy, "min_units"): _min_units,
    **{(ColumnPolicy, name): _recall for name in ("bounds", "step", "values", "values_from", "range", "others")},
}
