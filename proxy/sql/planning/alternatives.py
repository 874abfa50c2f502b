"""The kinds of noise that EXPLAIN compares: those that a block could get under its guarantee (theorem 16)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from proxy.dp.accounting import Price
from proxy.dp.calibrated import CALIBRATIONS
from proxy.dp.comparison import Candidate, candidates
from proxy.dp.mechanisms import GaussianMechanism, LaplaceMechanism, Mechanism
from proxy.sql.planning import pricing
from proxy.sql.planning.plan import BlockPlan


@dataclass(frozen=True)
class Alternative:
    """A kind of noise for the block.

    Attributes:
        name: mechanism, and calibration where a delta is stated.
        standard_deviation: of the first noisy number, in cells; infinite if the noise is not possible.
        price: of the whole block; None if the noise is not possible.
        chosen: is it the block's own noise?
        reason: why it is not possible; empty if it is.
    """

    name: str
    standard_deviation: float
    price: Price | None
    chosen: bool
    reason: str


def alternatives(plan: BlockPlan) -> tuple[Alternative, ...]:
    """The kinds of noise for the plan's first statistic; the ratios between them are the same for the others."""
    promise, mechanism = plan.guarantee, plan.mechanisms[0]
    # Each number has an equal part of the price. That equals the whole price for a vector of as many equal numbers.
    parts = round(promise.share(mechanism.name, 1) / _share(mechanism))
    l1, l2_squared = pricing.sensitivities(plan.statistics[0], plan.contribution, plan.cells_per_step(0))
    pure_only = any(account.budget.delta == 0 for account in plan.accounts)
    found = candidates(
        l1 * parts, l2_squared * parts, promise.epsilon, promise.noise_delta, promise.cells, pure_only, CALIBRATIONS
    )
    return tuple(_alternative(plan, candidate, parts) for candidate in found)


def _alternative(plan: BlockPlan, candidate: Candidate, parts: int) -> Alternative:
    calibration, mechanism = candidate.calibration, candidate.mechanism
    price = _whole_price(plan, mechanism, parts) if mechanism is not None else None
    chosen = candidate.name == plan.noise_name and calibration in (None, plan.guarantee.calibration)
    name = candidate.name + (f" {calibration}" if calibration is not None else "")
    return Alternative(name, candidate.standard_deviation, price, chosen, candidate.reason)


def _whole_price(plan: BlockPlan, mechanism: Mechanism, parts: int) -> Price:
    selecting = Price.key_selection(plan.selection.delta) if plan.selection is not None else Price.zero()
    price = sum([_price(_share(mechanism) / parts, mechanism)] * parts, selecting)
    price = pricing.at_least(price, plan.relation.private_tables)
    return price + plan.delay.price if plan.delay is not None else price


def _share(mechanism: Mechanism) -> Fraction:
    return mechanism.epsilon if isinstance(mechanism, LaplaceMechanism) else mechanism.rho


def _price(share: Fraction, mechanism: Mechanism) -> Price:
    return Price.gaussian(share) if isinstance(mechanism, GaussianMechanism) else Price.laplace(share)
