"""The rules on queries: are they planned as they expect (7xx)?"""

from __future__ import annotations

from typing import Final

from proxy.policy.rule_texts.row import Row

QUERIES: Final[tuple[Row, ...]] = (
    ("DP701", "error", "a query is refused that should be answered", "SELECT * FROM visits;"),
    (
        "DP702",
        "error",
        "a query is answered, or refused by another rule",
        "-- expect: refused\nSELECT count(*) FROM visits;",
    ),
    ("DP703", "error", "a query costs more than expected", "-- max_epsilon: 0.001\nSELECT count(*) FROM visits;"),
    (
        "DP704",
        "error",
        "the noise of a number is wider than expected, or not known before the answer",
        "-- max_error: ±0.1\nSELECT count(*) FROM visits;",
    ),
    ("DP705", "error", "other accounts pay than expected", "-- accounts: unit:doctor\nSELECT count(*) FROM visits;"),
    ("DP706", "error", "queries or expectations that cannot be read", "-- max_epsilom: 0.1\nSELECT 1;"),
)
