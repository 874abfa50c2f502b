"""After a load every question is a new one, as a public table of the source tells; without it nothing is answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from proxy.budget.precisions import Precisions
from proxy.policy.model import Policy
from proxy.query import live_versions
from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.test_budget import Notices

pytestmark = pytest.mark.postgres

QUERY = "SELECT count(*) FROM visits WHERE minutes < 50"
FREE = "dpproxy recalled an earlier answer, free of charge"


def policy(query: str) -> Policy:
    content = clinic.policy().model_dump()
    content["tables"]["public.visits"] |= {"data_version": {"query": query}, "per_analyst": None}
    content["tables"]["public.loads"] = {"public": True}
    return Policy.model_validate(content)


@pytest.fixture
def source(copy_clinic: Callable[[], str]) -> str:
    dsn = copy_clinic()
    with psycopg.connect(dsn, autocommit=True) as owner:
        owner.execute("CREATE TABLE loads (at timestamptz)")
    return dsn


def test_a_load_makes_every_question_a_new_one(
    proxies: StartProxy, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_versions, "REMEMBERED_SECONDS", 0.0)
    proxy = proxies(policy("SELECT max(at) FROM public.loads"), source=source)
    with psycopg.connect(source, autocommit=True) as owner, proxy.connect() as client:
        notices = Notices(client)
        for load in (False, False, False, False, True, False, False):
            if load:
                owner.execute("INSERT INTO loads VALUES (now())")
            client.execute(QUERY)
        assert [text == FREE for text in notices.texts] == [False, True, True, True, False, True, True]
        owner.execute("ALTER TABLE loads RENAME TO hidden")
        for text in (QUERY, f"EXPLAIN {QUERY}"):
            with pytest.raises(psycopg.errors.CannotConnectNow, match="private database is not available"):
                client.execute(text)
        owner.execute("ALTER TABLE hidden RENAME TO loads")
        notices.texts.clear()
        client.execute(QUERY)
        assert notices.texts == [FREE]


def test_a_version_is_remembered_for_a_short_time(proxies: StartProxy, source: str) -> None:
    with (
        psycopg.connect(source, autocommit=True) as owner,
        proxies(policy("SELECT count(*) FROM public.loads"), source=source).connect() as client,
    ):
        first = client.execute(QUERY).fetchone()
        owner.execute("INSERT INTO loads VALUES (now())")
        assert client.execute(QUERY).fetchone() == first


def test_numbers_from_before_a_load_are_no_part_of_answers_after_it(
    proxies: StartProxy, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the load comes while they are measured: they are of the data that were asked about."""
    monkeypatch.setattr(live_versions, "REMEMBERED_SECONDS", 0.0)
    proxy = proxies(policy("SELECT max(at) FROM public.loads"), source=source)
    measure = Precisions.measure
    with psycopg.connect(source, autocommit=True) as owner, proxy.connect() as client:

        async def after_a_load(precisions: Precisions, *args: Any) -> bool:
            owner.execute("INSERT INTO loads VALUES (clock_timestamp())")
            return await measure(precisions, *args)

        notices = Notices(client)
        client.execute("SET dp.epsilon = 1")
        client.execute("SELECT urgent, count(*) FROM visits WHERE minutes < 51 GROUP BY 1")
        client.execute("SET dp.epsilon = 0.5")
        client.execute("SELECT count(*) FROM visits WHERE minutes < 51")
        assert notices.texts[1] == "dpproxy answered from numbers that were released before, free of charge"
        monkeypatch.setattr(Precisions, "measure", after_a_load)
        client.execute("SELECT region, count(*) FROM visits WHERE minutes < 51 AND urgent GROUP BY 1")
        monkeypatch.setattr(Precisions, "measure", measure)
        for query in (
            "SELECT count(*) FROM visits WHERE minutes < 51",
            "SELECT count(*) FILTER (WHERE region = 'north') FROM visits WHERE minutes < 51 AND urgent",
        ):
            client.execute(query.encode())
            assert notices.texts[-1] == "dpproxy charged epsilon 0.5 (rho 0.125)"
