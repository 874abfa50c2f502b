"""What the stage will execute is tried out before a charge: once, however many filters a dashboard tries."""

from __future__ import annotations

from collections.abc import Sequence

import psycopg
import pytest

from proxy.query import trial
from proxy.query.planned import Plan
from proxy.wire.router import SessionContext
from tests.end_to_end.running import RunningProxy


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements that are tried out, as they are."""
    found: list[str] = []
    accepted = trial._accepted

    async def noted(plan: Plan, statements: Sequence[str], session: SessionContext) -> None:
        found.extend(statements)
        await accepted(plan, statements, session)

    monkeypatch.setattr(trial, "_accepted", noted)
    return found


def test_other_filters_are_not_tried_again_but_other_outputs_are(proxy: RunningProxy, tried: list[str]) -> None:
    # What no other test asks of the same proxy.
    outputs = "region AS of_trials, 7171 * count(*)"
    with proxy.connect() as client:
        for minutes in (11, 12, 13):
            client.execute(f"EXPLAIN SELECT {outputs} FROM visits WHERE minutes > {minutes} GROUP BY 1".encode())
        assert len(tried) == 1
        client.execute(f"EXPLAIN SELECT {outputs}, 1 FROM visits WHERE minutes > 11 GROUP BY 1".encode())
        assert len(tried) == 2
        client.execute("SET search_path = public, pg_catalog")
        client.execute(f"EXPLAIN SELECT {outputs} FROM visits WHERE minutes > 12 GROUP BY 1".encode())
        assert len(tried) == 3


def test_what_the_stage_does_not_take_is_refused_each_time(proxy: RunningProxy, tried: list[str]) -> None:
    wrong = (
        "SELECT region, count(*), (SELECT max(n) FROM generate_series(1, 3) AS n WHERE n < length(region)) "
        "FROM visits GROUP BY region"
    )
    with proxy.connect() as client:
        for number in (1, 2):
            with pytest.raises(psycopg.errors.FeatureNotSupported, match="from released groups"):
                client.execute(wrong.encode())
            assert len(tried) == number
