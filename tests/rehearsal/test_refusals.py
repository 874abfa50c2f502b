"""Without a source and without a ledger, every refusal is the server's own: rule, SQLSTATE, text, position, hint."""

from __future__ import annotations

import asyncio
import datetime as dt
from pathlib import Path

import pytest

from proxy.policy.catalog_file import catalog_of_policy, read_catalog_file
from proxy.rehearsal.opened import opened
from proxy.rehearsal.rehearsing import Outcome, rehearse
from proxy.rehearsal.servers import starting_server
from proxy.rehearsal.stages import built_stage
from tests.end_to_end.odd_clinic import odd_policy
from tests.end_to_end.refusals import NATIVE_FIRST, REFUSALS

pytestmark = pytest.mark.postgres

AFTER_PLANNING = {
    "answer-size": "is found when declared keys are counted, which public rows are needed for",
    "error-share": "compares with what was released before",
    "feedback-failed": "is found in released numbers",
    "feedback-keys": "is found in released rows",
    "feedback-size": "is found in released rows",
    "max-price": "compares with what the ledger says",
    "one-statement": "is of the extended protocol, and a script is cut into its statements",
    "temporary-size": "is found when released rows are kept",
    "undeclared-mode": "is found when declared keys are enumerated",
}
"""Refusals that a rehearsal does not reach, since they need rows of public tables, released numbers, or the ledger."""
TESTED = {name: refusal for name, refusal in REFUSALS.items() if name not in AFTER_PLANNING}


def test_what_is_left_out_is_refused_by_the_server() -> None:
    assert AFTER_PLANNING.keys() <= REFUSALS.keys()


@pytest.fixture(scope="module")
def outcomes(catalog_file: Path) -> dict[str, Outcome]:
    """What becomes of the statement of each refusal, and of what Postgres refuses."""
    policy = odd_policy()
    scripts = [";\n".join((*refusal.first, refusal.query)) for refusal in TESTED.values()]
    scripts += [query for query, _ in NATIVE_FIRST.values()]
    with (
        starting_server() as server,
        asyncio.Runner() as runner,
    ):
        place = opened(built_stage(policy, catalog_of_policy(read_catalog_file(catalog_file), policy), server))
        found = runner.run(rehearse(place, "ana", scripts))
        runner.run(place.stage.close())
    return dict(zip((*TESTED, *NATIVE_FIRST), (each[-1] for each in found), strict=True))


@pytest.mark.parametrize("rule", TESTED)
def test_a_rehearsal_refuses_as_the_server_does(outcomes: dict[str, Outcome], rule: str) -> None:
    found, expected = outcomes[rule].refusal, TESTED[rule]
    assert found is not None
    assert (found.rule, found.sqlstate) == (rule, expected.sqlstate)
    assert found.message.startswith(expected.message)
    assert (found.detail or "").startswith(expected.detail or "")
    assert (found.hint or "").startswith(expected.hint or "")
    assert (found.position is not None) == (expected.at is not None)
    if expected.at is not None:
        assert outcomes[rule].text[(found.position or 1) - 1 :].startswith(expected.at)


@pytest.mark.parametrize("rule", NATIVE_FIRST)
def test_errors_of_postgres_are_postgres_own(outcomes: dict[str, Outcome], rule: str) -> None:
    refusal = outcomes[rule].refusal
    assert refusal is not None
    assert (refusal.rule, refusal.sqlstate) == (None, NATIVE_FIRST[rule][1])


def test_the_last_day_of_an_analyst_is_that_of_the_server(catalog_file: Path) -> None:
    policy = odd_policy()
    late = policy.analysts["ana"].model_copy(update={"valid_until": dt.date(2020, 12, 31)})
    policy = policy.model_copy(update={"analysts": {**policy.analysts, "ana": late}})
    script = "SELECT count(*) FROM visits; SELECT count(*) FROM regions; SELECT 1"
    with starting_server() as server, asyncio.Runner() as runner:
        place = opened(built_stage(policy, catalog_of_policy(read_catalog_file(catalog_file), policy), server))
        (found,) = runner.run(rehearse(place, "ana", [script]))
        runner.run(place.stage.close())
    assert [each.refusal.rule if each.refusal is not None else None for each in found] == ["login-expired", None, None]
