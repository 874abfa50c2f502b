"""What a budget means: how much somebody who knows all other rows may learn of one unit at most (theorem 14)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

from proxy.dp.accounting import Account

PRIOR: Final = 0.01


@dataclass(frozen=True)
class Risk:
    """What somebody who knows all other rows may learn of one unit.

    Attributes:
        advantage: how much better than a coin such a person can tell whether the unit is in the data, from 0 to 1.
        posterior: the most that a suspicion of one in a hundred can grow to.
    """

    advantage: float
    posterior: float

    def __str__(self) -> str:
        advantage, posterior = (min(share, 0.9999) for share in (self.advantage, self.posterior))
        return f"{advantage:.4g}, and a suspicion of {PRIOR:.0%} can grow to {posterior:.4g}"


def risk_at_worst(account: Account) -> Risk:
    """However a budget is spent, its delta left aside: odds change by a factor of at most e^epsilon."""
    epsilon = float(account.epsilon)
    return Risk(math.tanh(epsilon / 2), 1 / (1 + (1 / PRIOR - 1) * math.exp(-min(epsilon, 700.0))))


def risk_by_gaussian(account: Account) -> Risk | None:
    """Where all of a budget is spent on Gaussian noise; None if it cannot be, without delta.

    Releases of rho in all are then as hard to tell apart as two normal distributions whose means are mu = sqrt(2 rho)
    apart (Dong, Roth, Su: Gaussian Differential Privacy, corollary 2.13 and section 3.2). That does not hold of zCDP
    in general: Laplace noise and the exponential mechanism at the same rho can tell more.
    """
    if account.delta == 0:
        return None
    mu = math.sqrt(2 * account.rho_max)
    normal = NormalDist()
    return Risk(2 * normal.cdf(mu / 2) - 1, normal.cdf(normal.inv_cdf(PRIOR) + mu))


def risk_text(account: Account) -> str:
    """Both in words; once where they are alike to all digits shown."""
    worst, gaussian = str(risk_at_worst(account)), risk_by_gaussian(account)
    text = f"whether one unit is in the data with an advantage of up to {worst}"
    if gaussian is None or str(gaussian) == worst:
        return text
    return f"{text}; if Gaussian noise is all that is paid for, {gaussian}"
