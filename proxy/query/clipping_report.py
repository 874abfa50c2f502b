"""What an answer tells of its clipping, in words: how much does not count (theorem 22; post-processing, free)."""

from __future__ import annotations

from proxy.budget.answers import ClippingReport
from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.clipping import Told
from proxy.release.clipping import lost_shares, told_of
from proxy.sql import explain
from proxy.sql.planning.clipping import DistinctValues
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.statistic import GridSum
from proxy.sql.planning.wording import listed, short

_MUCH = 0.1
"""The share of what is counted or summed whose loss is worth a warning."""

_CLEAR = 0.1
"""Shares of units that are no further apart are told as one."""

_CLOSE = 0.03
"""Shares that are lost in several groups, as noise leaves them known, and no further apart, are told as one."""

_LEAST = 0.01
"""A share below which there is nothing to say of what is lost at least."""

_MUCH_WEIGHT = 0.5
"""The share of the weight of rows: where a rank is sought, only values that differ from others' are missed."""


def clipping_text(plan: BlockPlan, answer: StoredAnswer) -> str:
    """Sentences about the units that were scaled down; empty where nothing was chosen."""
    known = plan.clipped_at(answer.thresholds)
    found = told_of(known, answer)
    sentences = [_sentence(known, place, told) for place, told in found if told.is_some]
    not_told = [_limit_text(known, place) for place, told in found if not (told.is_some or told.is_little)]
    if not_told:
        sentences.append(
            f"How many units were scaled down to {listed(not_told)} cannot be told from so few units at this price."
        )
    of_those = "Of the rows that take part, hardly" if plan.footprint.cuts else "Hardly"
    few = [
        _limit_text(known, place) for place, told in found if told.is_little and not (told.is_some or told.is_nothing)
    ]
    if few:
        more = "what those few have more can be more than the noise"
        sentences.append(f"{of_those} any unit was scaled down to {listed(few)}; {more}.")
    elif found and not sentences:
        sentences = [f"{of_those} any unit was scaled down."]
    return " ".join([*sentences, *_rounded(plan)])


def clipping_report(plan: BlockPlan, answer: StoredAnswer) -> ClippingReport | None:
    """What the ledger keeps about an answer's clipping; None where nothing was chosen."""
    if not plan.norms:
        return None
    shares = lost_shares(plan, answer)
    known = [share for share in shares if share is not None]
    return ClippingReport(clipping_text(plan, answer), max(known) if len(known) == len(shares) else None)


def _rounded(plan: BlockPlan) -> list[str]:
    """What the source makes of values that have neither bounds nor a grid, which no share tells."""
    grids = {
        (aggregate.label, statistic.grid)
        for aggregate in plan.aggregates
        for statistic in (plan.statistics[index] for index in aggregate.statistics)
        if isinstance(statistic, GridSum) and statistic.unbounded and statistic.value.step is None
    }
    return [
        f"Values in {label} are added in steps of {float(grid.step):f}, and cut at ±{short(grid.high * grid.step)}."
        for label, grid in sorted(grids, key=str)
    ]


def misleads(plan: BlockPlan, answer: StoredAnswer) -> bool:
    """Does so much not count that the numbers mislead who reads them alone, or can that not be told?"""
    return any(_misleads(plan, place, told) for place, told in told_of(plan, answer))


def _misleads(plan: BlockPlan, place: int, told: Told) -> bool:
    if _rests_on_few(plan, place):
        return not told.is_nothing
    if plan.is_limit(place):
        share = told.lost_between[0] if told.is_unknown else told.share_lost
        return told.is_some and share > _MUCH_WEIGHT
    return told.share_lost > _MUCH if told.is_some else not told.is_little


def _rests_on_few(plan: BlockPlan, place: int) -> bool:
    """Can few units with large sums decide what is made of a sum, since values are squared?"""
    of = plan.norms[place].of
    return isinstance(of, int) and any(a.rests_on_few for a in plan.aggregates if of in a.statistics)


def _sentence(plan: BlockPlan, place: int, told: Told) -> str:
    limit = _limit_text(plan, place)
    scaled = f"{_units_text(told)} of units were scaled down to {limit}"
    lost = _lost_text(told)
    if lost is None:
        return f"{scaled}. How much that leaves out cannot be told from so few units at this price."
    if plan.is_limit(place):
        return f"{scaled}: together their values weigh {lost} less than all rows would."
    if isinstance(plan.norms[place].of, DistinctValues):
        return f"{scaled}: {lost} of values are not counted, if no other unit has these."
    what = {"rows": "rows", "groups": "units"}.get(str(plan.norms[place].of), "what is summed")
    return f"{scaled}: {lost} of {what} is not counted."


def _lost_text(told: Told) -> str | None:
    """Which share is lost; None where that cannot be told."""
    low, high = told.lost_between
    if told.is_far_above:
        return f"at least {low:.0%}, maybe far more," if low >= _LEAST else None
    if told.is_unknown and low < _LEAST:
        return None
    if told.is_known and (told.losses is None or high - low <= _CLOSE):
        return f"about {told.share_lost:.1%}"
    if told.is_known or low >= _LEAST:
        return f"between {low:.0%} and {high:.0%}"
    return f"up to about {told.share_lost:.1%}"


def _limit_text(plan: BlockPlan, place: int) -> str:
    choice = plan.norms[place].choice
    is_root = choice is not None and choice.over_groups
    return explain.limit_text(plan, place) + (" (root of the sum of squares over groups)" if is_root else "")


def _units_text(told: Told) -> str:
    low, high = told.units_between
    if high - low <= _CLEAR:
        return f"About {told.share_of_units:.1%}"
    return f"Between {low:.0%} and {high:.0%}"
