"""Bounds without their upper end, as Postgres writes ranges: "[2024-01-01, 2026-01-01)" is two whole years."""

from __future__ import annotations

import datetime as dt
import re
from typing import Final

from proxy.policy.scalars import UnreadableScalarError, read_scalar

_HALF_OPEN: Final = re.compile(r"\[\s*([^\s,\[\]()][^,\[\]()]*?)\s*,\s*([^\s,\[\]()][^,\[\]()]*?)\s*\)")


def without_upper_end(value: object) -> object:
    """The closed bounds that hold the same dates, or the same timestamps to the microsecond, as half-open ones.

    Args:
        value: what the policy has in the place of bounds.

    Returns:
        The two closed bounds; `value` itself if it is no text of two dates or two timestamps in this form.
    """
    match = _HALF_OPEN.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return value
    try:
        low, high = (read_scalar(text) for text in match.groups())
        if not isinstance(low, dt.date) or not isinstance(high, dt.date):
            return value
        last = high - (dt.timedelta(microseconds=1) if isinstance(high, dt.datetime) else dt.timedelta(days=1))
    except (UnreadableScalarError, OverflowError):
        return value
    return (low, last)
