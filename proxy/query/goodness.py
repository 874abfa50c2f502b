"""How good an answer's numbers are, in words: their noise, which rows count, and how much is left out.

All of it follows from the plan and what was released (post-processing, free). So whoever gets the numbers is told the
same, whether they were measured now, are recalled, or are made of other questions' numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from proxy.budget.stored_answer import StoredAnswer
from proxy.query.clipping_report import clipping_text, misleads
from proxy.query.crossed_choices import crossed_text
from proxy.query.far_choices import far_choices, far_text
from proxy.query.loud_noise import MOST_GROUPS, loud_aggregates, loud_text, what_to_do
from proxy.release.noisy_answers import first_shown
from proxy.sql.planning.accuracy import accuracy_text, choices_text, decisions_text, scarcity_text
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.remarks import counts_units_once, remarks_about_rows

_IN_FULL: Final = (
    "Units in several groups count as less than one in each: SET dp.max_rows_per_group to max_rows divided by the"
    " number of groups that most of them are in."
)

_OF_NO_GROUP: Final = (
    "Ask for larger groups, or SET dp.epsilon to more; keys that the policy declares show whatever rows they have."
)

_ALL_ROWS: Final = (
    "How many rows that leaves out is not known. All rows take part in joins by a unique key of the other table without"
    " functions around it."
)


_MORE_OF_EACH: Final = "The price decides how much of a unit counts: SET dp.epsilon to more for more of it."


@dataclass(frozen=True)
class Goodness:
    """What is told of an answer's numbers, whatever was paid for them.

    Attributes:
        loud: the sentence about noise that goes farther than the numbers; empty if none does.
        accuracy: how far 95 % of the noise goes.
        rest: how far chosen values are off, of how few they mean nothing, which groups may be missing, which rows and
            how much of units do not count.
        hint: what to do about it; None if there is nothing.
        warning: do the numbers mislead who reads them alone?
    """

    loud: str
    accuracy: str
    rest: str
    hint: str | None
    warning: bool


def goodness(
    plan: BlockPlan, known: BlockPlan, answer: StoredAnswer, undeclared: Sequence[str], *, hide_empty: bool = False
) -> Goodness:
    """What is told of an answer.

    Args:
        plan: the block's plan.
        known: the plan as it was answered.
        answer: what was released.
        undeclared: sentences about constants that are no declared values.
        hide_empty: does the session hide groups that look empty?
    """
    little, no_group = says_little(known, answer, hide_empty=hide_empty), plan.selection is not None and not answer.keys
    rows, clipped = sentences(remarks_about_rows(plan)), clipping_text(plan, answer)
    decided = sentences([choices_text(known), scarcity_text(known), decisions_text(known)])
    of_constants, cut = [f"{sentence}." for sentence in undeclared], misleads(plan, answer)
    about_rows = _what_to_do_about_rows(plan) or (_MORE_OF_EACH if cut else None)
    return Goodness(
        little,
        sentences([accuracy_text(known)]),
        joined(decided, _missing_groups(plan), rows, clipped, *of_constants),
        what_to_do(plan) if little else _OF_NO_GROUP if no_group else about_rows,
        bool(little) or no_group or bool(plan.beyond) or _leaves_rows_out(plan) or cut,
    )


def says_little(known: BlockPlan, answer: StoredAnswer, *, hide_empty: bool) -> str:
    """Which numbers of an answer say little, as noise goes beyond them or far from the rank sought; else empty. Those
    of groups that the session hides do not count."""
    if hide_empty:
        answer = first_shown(known, answer, MOST_GROUPS)
    return joined(
        loud_text(known, loud_aggregates(known, answer)),
        far_text(known, far_choices(known, answer)),
        crossed_text(known, answer),
    )


def joined(*parts: str) -> str:
    """Parts of a text, with a space between those that are not empty."""
    return " ".join(filter(None, parts))


def sentences(parts: Sequence[str]) -> str:
    """Each of the texts that are not empty as a sentence."""
    return joined(*(f"{part[0].upper()}{part[1:]}." for part in parts if part))


def _leaves_rows_out(plan: BlockPlan) -> bool:
    return counts_units_once(plan) or any(cut.meets for cut in plan.footprint.cuts)


def _what_to_do_about_rows(plan: BlockPlan) -> str | None:
    if not _leaves_rows_out(plan):
        return None
    return _IN_FULL if counts_units_once(plan) else _ALL_ROWS


def _missing_groups(plan: BlockPlan) -> str:
    """Why groups may be missing: the threshold of selected keys, which the policy and the price decide. In each of
    several groups a unit weighs less."""
    selection = plan.selection
    if selection is None:
        return ""
    least, most = ceil(selection.threshold / selection.resolution), ceil(selection.units_needed)
    if plan.relation.unit_unique or least == most:
        return f"Groups of fewer than about {least} units do not show."
    return (
        f"Groups of fewer than about {least} units do not show; where units are in several groups it takes more of"
        f" them, up to about {most} of those that are in {selection.max_groups} or more."
    )
