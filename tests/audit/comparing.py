"""What tells two neighbouring databases apart."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from proxy.dp.accounting import Price
from proxy.dp.mechanisms import GaussianMechanism
from proxy.sql.planning.plan import BlockPlan
from tests.audit.claims import claims_broken, price_broken
from tests.audit.observing import FACTOR, SLOW, Observation, Seen


def differences(base: Observation, other: Observation) -> Iterator[str]:
    """One sentence for each difference between two observations of one case that no mechanism accounts for."""
    for number, (first, second) in enumerate(zip(base.seen, other.seen, strict=True), start=1):
        yield from _visible(first, second, f"statement {number}: " if len(base.seen) > 1 else "")
    if base.charged != other.charged:
        yield f"charged {_charged(base)} without the unit, {_charged(other)} with it"
    if len(base.released) != len(other.released):
        yield f"{len(base.released)} blocks were released without the unit, {len(other.released)} with it"
    for one_block, two_block in zip(base.released, other.released, strict=False):
        if one_block.question != two_block.question:
            yield "the plan, or what it read of released results, is not the same"
        else:
            yield from claims_broken(one_block.plan, one_block.measured, two_block.measured)


def slower(base: Observation, other: Observation) -> Iterator[str]:
    """One sentence for each statement that takes much longer on one side. One such answer may be the machine's doing."""
    for number, (first, second) in enumerate(zip(base.seen, other.seen, strict=True), start=1):
        slow, fast = max(first.seconds, second.seconds), min(first.seconds, second.seconds)
        if slow > SLOW and slow > FACTOR * fast:
            yield f"statement {number} took {first.seconds:.1f} s without the unit, {second.seconds:.1f} s with it, twice"


def unpaid(observation: Observation) -> Iterator[str]:
    """What was released for more than was charged."""
    owed: dict[str, Price] = {}
    for released in observation.released:
        yield from price_broken(released.plan)
        if released.plan.asks_source:
            for account in released.plan.accounts:
                owed[account.name] = owed.get(account.name, Price.zero()) + account.price(_cost(released.plan))
    for name, price in owed.items():
        _, rho, delta = observation.charged.get(name, (None, Fraction(0), Fraction(0)))
        if rho < price.rho or delta < price.delta:
            yield f"{name} was charged rho {float(rho):g}, delta {float(delta):g} for what costs {price}"


def _cost(plan: BlockPlan) -> Price:
    """What a plan's noise costs. Its price rounds up the share of each number, which a family's charge does not; and a
    family's plan may be to measure only what is missing, of which its noise tells."""
    if not plan.is_refinable:
        return plan.price
    levels = [level.mechanisms for level in plan.levels.measured] if plan.levels is not None else [plan.mechanisms]
    noise = [mechanism for mechanisms in levels for mechanism in mechanisms]
    return Price.gaussian(sum((each.rho for each in noise if isinstance(each, GaussianMechanism)), Fraction(0)))


def _visible(first: Seen, second: Seen, where: str) -> Iterator[str]:
    if first.outcome != second.outcome:
        yield f"{where}{first.outcome} without the unit ({_brief(first)}), {second.outcome} with it ({_brief(second)})"
        return
    for aspect in first.aspects.keys() | second.aspects.keys():
        mine, others = first.aspects.get(aspect), second.aspects.get(aspect)
        if mine != others:
            yield f"{where}{aspect}: {_short(mine)} without the unit, {_short(others)} with it"


def _brief(seen: Seen) -> str:
    return _short(seen.aspects.get("error") or seen.aspects.get("tag"))


def _short(value: object) -> str:
    if isinstance(value, tuple):
        value = tuple(part for part in value if part is not None)
    text = repr(value)
    return text if len(text) <= 300 else f"{text[:300]}…"


def _charged(observation: Observation) -> str:
    return (
        ", ".join(f"{name} rho {float(price[1]):g}" for name, price in sorted(observation.charged.items())) or "nothing"
    )
