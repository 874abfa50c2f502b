"""How declared keys are listed by the stage: refused soon and once where they are too many, and in true words."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import cast

import pytest

from proxy.errors import DpproxyError
from proxy.postgres.stage import Stage, StageQueryError
from proxy.query.asking import Asker
from proxy.query.planned import PlannedBlock
from proxy.query.session_state import SessionState
from proxy.settings import QuerySettings
from proxy.sql.planning.domains import MOST_DECLARED
from proxy.sql.schema import Schema
from tests.planned import plan_of
from tests.plans.schema import CATALOG, POLICY

_STATE = SessionState(QuerySettings(), ("public",), (), "ana")
_TIED = "SELECT diagnosis, minutes, count(*) FROM visits WHERE diagnosis = 'flu' OR minutes < 5 GROUP BY 1, 2"


class _Stage:
    """A stage that has so many keys to show, and keeps what it was asked."""

    def __init__(self, some: int, every: int, fails: str | None = None) -> None:
        self.asked: list[str] = []
        self._some, self._every, self._fails = some, every, fails

    async def rows_as(self, _: str, query: str, __: Mapping[str, str]) -> list[tuple[str | None, ...]]:
        self.asked.append(query)
        if self._fails is not None:
            raise StageQueryError("canceling statement", self._fails)
        return [(str(number), None) for number in range(self._some if "SELECT DISTINCT *" in query else self._every)]


def _refusals(stage: _Stage, times: int) -> list[str]:
    asker = Asker(cast("Stage", stage))
    block = cast("PlannedBlock", type("Block", (), {"plan": plan_of(_TIED, Schema(POLICY, CATALOG))}))
    found = []
    for _ in range(times):
        with pytest.raises(DpproxyError) as refusal:
            asyncio.run(asker.check_keys(block, _STATE))
        found.append(str(refusal.value))
    return found


def test_too_many_of_the_first_keys_are_refused_at_once_and_looked_at_once() -> None:
    stage = _Stage(MOST_DECLARED + 1, 10**9)
    assert all("more than 100000 declared combinations" in text for text in _refusals(stage, 3))
    assert len(stage.asked) == 1


def test_too_many_keys_behind_few_first_ones_are_looked_at_once() -> None:
    stage = _Stage(5, MOST_DECLARED + 1)
    assert all("more than 100000 declared combinations" in text for text in _refusals(stage, 3))
    assert len(stage.asked) == 2


@pytest.mark.parametrize("sqlstate", ["57014", "53400"])
def test_keys_that_take_too_long_to_list_are_not_called_too_many(sqlstate: str) -> None:
    (text,) = _refusals(_Stage(0, 0, sqlstate), 1)
    assert "listing the declared group keys takes the session's database too long" in text
