"""A question of which others' numbers are worth more for some numbers than for others: only what is missing of each is
measured, as a question of its own (theorem 25)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.mechanisms import GaussianMechanism, gaussian_rho
from proxy.query.adding_up import Part, worths
from proxy.query.asking import Question, Rest
from proxy.query.deriving import Found
from proxy.query.planned import PlannedBlock
from proxy.query.same_question import question_hash
from proxy.release.precision import mean_by_number
from proxy.sql.planning.plan import BlockPlan
from proxy.sql.planning.pricing import least_epsilon

_LEAST_SAVED: Final = Fraction(1, 100)
"""Of a question's price: for less, all of its numbers are measured alike, as what all who ask for it can share. Unless
one is held as precisely as it is asked for: measured again, it would be shown less precisely than it is known."""


@dataclass(frozen=True)
class Split:
    """What is missing of a block.

    Attributes:
        parts: what is there: what was shown of the block itself, too, since it is not measured again.
        block: what is missing.
        places: of its numbers among the block's statistics.
    """

    parts: tuple[Part, ...]
    block: PlannedBlock
    places: tuple[int, ...]

    def worths(self, plan: BlockPlan) -> tuple[Fraction, ...]:
        """The ρ that each number of the block, whose plan is given, is worth once what is missing is measured."""
        measured = _measured(self.block.plan, self.places)
        return tuple(known + _worth(plan, measured, place) for place, known in enumerate(worths(self.parts)))


def split(block: PlannedBlock, family: str, found: Found) -> Split | None:
    """What is missing of each of a block's numbers; None if it is as much of all, or about so.

    Args:
        block: with a family.
        family: its own, of the edition that counts.
        found: of what it can be made.
    """
    plan, holding = block.plan, block.holding
    parts = (*found.parts, *([found.own] if found.own is not None else []))
    if not found.parts or holding is None:
        return None
    missing = [max(plan.rho - worth, Fraction(0)) for worth in worths(parts)]
    rhos = {place: mechanism.rho * missing[place] / plan.rho for place, mechanism in _noise(plan) if missing[place]}
    alike, apart = max(missing), sum(rhos.values(), Fraction(0))
    # What asks the source costs at least the least price, so it may be as exact.
    least = gaussian_rho(least_epsilon(plan.footprint.private_tables))
    is_held = len(rhos) < len(_noise(plan))
    if not rhos or (not is_held and alike - max(apart, least) < _LEAST_SAVED * plan.rho):
        return None
    measured = plan.of_numbers({place: rho * max(least / apart, Fraction(1)) for place, rho in rhos.items()})
    # What is missing beside other parts is another question.
    named = json.dumps([family, [(part.family, str(part.rho)) for part in parts], [str(rho) for rho in missing]])
    own = hashlib.sha256(named.encode()).hexdigest()
    rest = replace(
        block,
        plan=measured,
        hash=hashlib.sha256(f"{block.hash} {own}".encode()).hexdigest(),
        family=own,
        rest=holding.of_numbers(tuple(rhos), measured, own),
    )
    return Split(parts, rest, tuple(rhos))


def with_rest(question: Question, found: Found) -> Question | None:
    """The question with its parts and the rest, if that is missing more of some numbers than of others; else None."""
    if question.family is None:
        return None
    made = split(question.block, question.family, found)
    if made is None:
        return None
    rest = replace(
        question,
        block=made.block,
        hash=question_hash(made.block.hash, question.literals, question.versions),
        family=question_hash(made.block.family or "", question.literals, question.versions),
        at=None,
        parts=(),
        whole=question.asked_for,
    )
    return replace(question, parts=made.parts, rest=Rest(rest, made.places))


def completed(
    question: Question, rest: Rest, made: Sequence[StoredAnswer], released: StoredAnswer, rho: Fraction
) -> tuple[Fraction, StoredAnswer]:
    """All numbers of a question, and the ρ that they are worth.

    Args:
        question: with its parts.
        rest: what was missing.
        made: what each of the parts says.
        released: what was measured.
        rho: what that is worth.
    """
    plan, of_rest = question.plan, rest.question.plan
    measured = _measured(of_rest, rest.places)
    columns = {place: index for index, place in enumerate(rest.places)}
    numbers = range(len(plan.statistics))
    values = tuple(
        tuple(row[columns[place]] if place in columns else 0 for place in numbers) for row in released.values
    )
    weights = [_worth(plan, measured, place) * rho / of_rest.rho for place in numbers]
    weighted = [(part.worths, answer) for part, answer in zip(question.parts, made, strict=True)]
    weighted.append((tuple(weights), replace(released, values=values)))
    together = [sum(each, Fraction(0)) for each in zip(*(weights for weights, _ in weighted), strict=True)]
    return min(together), mean_by_number(weighted)


def _measured(of_rest: BlockPlan, places: Sequence[int]) -> dict[int, Fraction]:
    """The ρ of the noise of what is missing, by its places among a block's statistics."""
    return dict(zip(places, (mechanism.rho for _, mechanism in _noise(of_rest)), strict=True))


def _worth(plan: BlockPlan, measured: Mapping[int, Fraction], place: int) -> Fraction:
    """At which ρ of a block a number has the noise that it was measured with; 0 if it was not."""
    own = dict(_noise(plan))[place]
    return plan.rho * measured[place] / own.rho if place in measured else Fraction(0)


def _noise(plan: BlockPlan) -> list[tuple[int, GaussianMechanism]]:
    noise = [(place, mechanism) for place, mechanism in enumerate(plan.mechanisms)]
    return [(place, mechanism) for place, mechanism in noise if isinstance(mechanism, GaussianMechanism)]
