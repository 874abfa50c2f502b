"""After a load every question is a new one, as a public table of the source tells; without it nothing is answered."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest

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
        for load in (False, False, True, False):
            if load:
                owner.execute("INSERT INTO loads VALUES (now())")
            client.execute(QUERY)
        assert [text == FREE for text in notices.texts] == [False, True, False, True]
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
