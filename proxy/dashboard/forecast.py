"""Until when a budget lasts, if it goes on being spent as in the last days."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from proxy.dp.accounting import Account, Price

LOOKED_AT: Final = dt.timedelta(days=7)
_LEAST: Final = dt.timedelta(days=1)
_FARTHEST: Final = dt.timedelta(days=3650)


@dataclass(frozen=True)
class Step:
    """What was charged to an account at a time."""

    at: dt.datetime
    price: Price


@dataclass(frozen=True)
class Point:
    """The share of a budget, from 0 to 1, that was left at a time."""

    at: dt.datetime
    left: float


@dataclass(frozen=True)
class Forecast:
    """How a budget goes on at its present rate.

    Attributes:
        per_day: the share of it that a day takes.
        over: the time that was looked at.
        empty_at: when nothing is left; None if it lasts for years, or nothing is spent.
    """

    per_day: float
    over: dt.timedelta
    empty_at: dt.datetime | None


def history(limit: Account, spent: Price, steps: Sequence[Step], since: dt.datetime, now: dt.datetime) -> list[Point]:
    """What was left at `since`, after each step and now.

    Args:
        limit: of the account, as it is now.
        spent: all that was charged to it.
        steps: what was charged to it since `since`, oldest first.
        since: where the history begins.
        now: where it ends.
    """
    before = _without(spent, [step.price for step in steps])
    points, running = [Point(since, _left(limit, before))], before
    for step in steps:
        running += step.price
        points.append(Point(step.at, _left(limit, running)))
    points.append(Point(now, _left(limit, spent)))
    return points


def forecast(points: Sequence[Point]) -> Forecast:
    """What follows from the last days of a history, or from all of it if it is shorter."""
    now, last = points[-1].at, points[-1].left
    first = next((point.at for point in points[1:] if point.left < points[0].left), now)
    over = max(_LEAST, min(LOOKED_AT, now - first))
    base = next((point.left for point in reversed(points) if point.at < now - over), points[0].left)
    per_day = max(0.0, base - last) / (over / dt.timedelta(days=1))
    if last <= 0:
        return Forecast(per_day, over, now)
    days = last / per_day if per_day else float("inf")
    empty_at = now + dt.timedelta(days=days) if days <= _FARTHEST.days else None
    return Forecast(per_day, over, empty_at)


def _left(limit: Account, spent: Price) -> float:
    return float(limit.share_left(limit.remaining(spent)))


def _without(spent: Price, parts: Sequence[Price]) -> Price:
    """What had been spent before `parts` were; of δ and ρ never less than nothing."""
    epsilon = spent.epsilon
    for part in parts:
        epsilon = None if epsilon is None or part.epsilon is None else max(epsilon - part.epsilon, epsilon * 0)
    rho = max(spent.rho - sum(part.rho for part in parts), spent.rho * 0)
    delta = max(spent.delta - sum(part.delta for part in parts), spent.delta * 0)
    return Price(epsilon, rho, delta)
