"""The guarantee of a block, epsilon alone or (epsilon, delta), and what its parts may spend (theorem 16).

A stated delta covers the whole block. Where keys are selected, one half is the chance that selection shows a group that
only one unit has, and the other half belongs to the noise; otherwise the noise has all of it. Noise and selection
together keep the guarantee: let A and B be the releases with and without one unit, p <= δ_keys the chance that A shows
a group of that unit alone, and A' what A releases of the other groups. The noise makes A' and B (ε, δ_noise)-close. For
every set S of outputs P[A in S] <= p + P[A' in S] <= p + e^ε·P[B in S] + δ_noise. In the other direction, P[A in S] >=
(1 - p)·P[A' in S], as the noise of different groups is independent, hence P[B in S] - e^ε·P[A in S] <= (1 - p)·(P[B in
S] - e^ε·P[A' in S]) + p·P[B in S] <= δ_noise + p. With Laplace noise δ_noise is 0; the truncated geometric is (ε,
δ_keys)-DP for its share of ε, and shares add up.

Accounts do not rely on any of this: they are charged the ρ that the noise has, and the δ of key selection.
"""

from __future__ import annotations

import decimal
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from proxy.dp.calibrated import Calibration, calibrated_rho
from proxy.dp.mechanisms import gaussian_rho
from proxy.errors import InvalidSettingError
from proxy.policy import model
from proxy.settings import QuerySettings
from proxy.sql.replacing import replace

Noise = Literal["laplace", "gaussian"]

_LARGEST_KEYS_DELTA = Fraction(1, 4)
_DOWN = decimal.Context(prec=6, rounding=decimal.ROUND_DOWN)


@dataclass(frozen=True)
class Guarantee:
    """The guarantee of one block.

    Attributes:
        epsilon: pure with Laplace noise; with Gaussian noise half its square is the ρ, if no delta is stated.
        delta: the stated one, in (0, 1); None if only epsilon is stated.
        calibration: how Gaussian noise is calibrated to (epsilon, delta).
        selects_keys: is a part of delta spent on group keys?
        cells: cells of the least contribution of a row, wherever `refines` holds.
    """

    epsilon: Fraction
    delta: Fraction | None
    calibration: Calibration
    selects_keys: bool
    cells: int

    @property
    def noise_delta(self) -> Fraction | None:
        """The part of a stated delta that the noise may use; Laplace noise uses none of it."""
        return self.delta / 2 if self.delta is not None and self.selects_keys else self.delta

    @property
    def keys_delta(self) -> Fraction | None:
        """The part of a stated delta that key selection uses."""
        return min(self.delta / 2, _LARGEST_KEYS_DELTA) if self.delta is not None and self.selects_keys else None

    @property
    def refines(self) -> bool:
        """Must sums be on a fine grid? For these two calibrations, discrete noise is close to continuous noise only if
        a contribution has many cells."""
        return self.delta is not None and self.calibration != "zcdp"

    def cells_per_contribution(self, *, scaled: bool) -> int:
        """Cells of one row or one grid step: one where nothing is scaled down, unless the noise needs a fine grid."""
        return self.cells if scaled or self.refines else 1

    @property
    def by_zcdp(self) -> Guarantee:
        """The same guarantee for a block with choices: the two other calibrations are proven for noise alone."""
        return replace(self, calibration="zcdp")

    @property
    def rho(self) -> Fraction:
        """The price of the block's Gaussian noise.

        Raises:
            ValueError: the calibration is not possible.
        """
        if self.noise_delta is None:
            return gaussian_rho(self.epsilon)
        return calibrated_rho(self.calibration, self.epsilon, self.noise_delta, self.cells)

    def share(self, noise: Noise, parts: int | Fraction) -> Fraction:
        """The price of one of `parts` parts: epsilon with Laplace noise, ρ with Gaussian noise.

        Raises:
            ValueError: the calibration is not possible.
        """
        return (self.epsilon if noise == "laplace" else self.rho) / parts


def guarantee(
    queries: Sequence[model.QueryPrice],
    settings: QuerySettings,
    epsilon: Fraction,
    most_delta: Fraction,
    selects_keys: bool,
    cells: int,
) -> Guarantee:
    """The strictest guarantee that the session and the tables ask for.

    A delta is stated by the session's `dp.delta` or `dp.calibration`, or by a table with a `query.calibration`.

    Args:
        queries: the policy's prices for the block's tables.
        settings: the session's.
        epsilon: of the block.
        most_delta: the least delta of the accounts that pay.
        selects_keys: are group keys selected?
        cells: of `Guarantee.cells`.

    Raises:
        InvalidSettingError: a delta beyond an account's, or a calibration without a delta.
    """
    delta = settings.delta
    if delta is None:
        stating = [query for query in queries if settings.calibration is not None or query.calibration is not None]
        delta = min((Fraction(query.delta) for query in stating if query.delta is not None), default=None)
    if delta is None and settings.calibration is not None:
        raise InvalidSettingError(
            "calibration requires a delta",
            detail="dp.calibration is set, but neither dp.delta nor the policy states a delta for these tables.",
            hint="SET dp.delta = '1e-7'; or RESET dp.calibration;",
            rule="calibration-delta",
        )
    if delta is not None and delta > most_delta:
        raise _too_much(delta, most_delta)
    asked = {query.calibration for query in queries} - {None}
    # Tables that disagree get the calibration that is possible at every epsilon.
    calibration = settings.calibration or (asked.pop() if len(asked) == 1 else None) or "zcdp"
    return Guarantee(epsilon, delta, calibration, selects_keys, cells)


def impossible(reason: str) -> InvalidSettingError:
    """The refusal of a calibration that is impossible for this epsilon and delta."""
    return InvalidSettingError(
        reason,
        hint="SET dp.calibration = 'analytic'; or 'zcdp'; or another dp.epsilon.",
        rule="calibration-range",
    )


def _too_much(delta: Fraction, most: Fraction) -> InvalidSettingError:
    if most == 0:
        return InvalidSettingError(
            f"delta is {float(delta):g}, but an account that pays for this query allows none",
            detail="Such an account pays only for Laplace noise and declared group keys, which need no delta.",
            hint="RESET dp.delta; RESET dp.calibration;",
            rule="delta-limit",
        )
    # Rounded down, so that the value in the hint is not refused.
    possible = format(_DOWN.divide(Decimal(most.numerator), Decimal(most.denominator)), "g")
    return InvalidSettingError(
        f"delta is {float(delta):g}, but an account that pays for this query allows {possible} in total",
        hint=f"SET dp.delta = '{possible}'; or less, since selecting group keys consumes half of it.",
        rule="delta-limit",
    )
