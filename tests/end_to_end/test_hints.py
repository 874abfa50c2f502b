"""What a refusal tells a client to write is answered when it is written: the hint has the text, and the text works."""

from __future__ import annotations

import psycopg
import pytest

from tests.end_to_end.comparing import Connections, assert_same_answer

_MOVED = "visited_at + visit_id * INTERVAL '1 day'"
_SINCE = "seen_at - to_timestamp(visit_id)"

HINTS = {
    "SELECT sum(visit_id) FROM visits": [
        "sum(least(greatest(visit_id, 0), 100))",
        "visit_id BETWEEN 0 AND 100",
    ],
    "SELECT corr(visit_id, cost) FROM visits": [
        "corr(least(greatest(visit_id, 0), 100), cost)",
        "visit_id BETWEEN 0 AND 100",
    ],
    "SELECT sum(DISTINCT visit_id) FILTER (WHERE urgent) FROM visits": [
        "sum(DISTINCT least(greatest(visit_id, 0), 100)) FILTER(WHERE urgent)"
    ],
    "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY visit_id) FROM visits": [
        "percentile_disc(0.5) WITHIN GROUP (ORDER BY least(greatest(visit_id, 0), 100))",
        "visit_id BETWEEN 0 AND 100",
    ],
    "SELECT min(registered + visit_id::int) FROM patients JOIN visits USING (patient_id)": [
        "min(least(greatest(registered + CAST(visit_id AS INT), date '2020-01-01'), date '2030-01-01'))",
        "visit_id BETWEEN 0 AND 100",
    ],
    f"SELECT max({_MOVED}) FROM visits": [
        f"max(least(greatest({_MOVED}, timestamp '2020-01-01'), timestamp '2030-01-01'))",
        "visit_id BETWEEN 0 AND 100",
    ],
    "SELECT max(to_timestamp(visit_id)) FROM visits": [
        "max(least(greatest(to_timestamp(visit_id), timestamptz '2020-01-01'), timestamptz '2030-01-01'))",
        "visit_id BETWEEN 0 AND 100",
    ],
    f"SELECT max({_SINCE}) FROM visits": [
        f"make_interval(secs => max(least(greatest(extract(epoch FROM {_SINCE}), 0), 86400)))"
    ],
}
"""What is refused, and what its hint says: calls in its place, or conditions beside it."""

CASES = [(query, text) for query, texts in HINTS.items() for text in texts]


@pytest.mark.parametrize(("query", "text"), CASES)
def test_what_a_hint_says_is_answered(query: str, text: str, connections: Connections) -> None:
    with pytest.raises(psycopg.Error) as refusal:
        connections[0].execute(query.encode())
    assert text in (refusal.value.diag.message_hint or "")
    from_ = query[query.index(" FROM ") :]
    followed = f"{query} WHERE {text}" if text.endswith("AND 100") else f"SELECT {text}{from_}"
    assert_same_answer(followed, connections)
