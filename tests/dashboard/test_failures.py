"""What the dashboard says when something else does not work: a line, without a detail; the log has the rest."""

from __future__ import annotations

import asyncio
import datetime as dt

import pytest
from aiohttp import ClientSession, CookieJar, web

from proxy.budget.overview import Overview
from proxy.dashboard.site import Site
from proxy.dashboard.told import Live, in_force
from proxy.errors import LedgerUnavailableError
from proxy.serving.logins import accounts_of
from tests.dashboard.conftest import policy
from tests.dashboard.visitor import find_token
from tests.end_to_end.clinic import PASSWORD

EMPTY = Overview({}, {}, [], [], [], [])


async def _asked(ledger: Exception | None, proxy: Exception | None) -> tuple[int, str]:
    async def read(_since: dt.datetime, _charges: int, _clipped: int) -> Overview:
        if ledger is not None:
            raise ledger
        return EMPTY

    async def live() -> Live:
        if proxy is not None:
            raise proxy
        return Live(dt.datetime.now(dt.UTC), (), (), ())

    site, wanted = Site(read, live, secure=False), policy()
    site.use(in_force(wanted, accounts_of(wanted)))
    runner = web.AppRunner(site.application())
    await runner.setup()
    listening = web.TCPSite(runner, "127.0.0.1", 0)
    await listening.start()
    try:
        host, port = runner.addresses[0]
        async with ClientSession(f"http://{host}:{port}", cookie_jar=CookieJar(unsafe=True)) as browser:
            async with browser.get("/login") as form:
                token = find_token(await form.text())
            fields = {"token": token, "name": "sam", "password": PASSWORD}
            async with browser.post("/login", data=fields) as answer:
                return answer.status, await answer.text()
    finally:
        await runner.cleanup()


def asked(ledger: Exception | None = None, proxy: Exception | None = None) -> tuple[int, str]:
    """The first page after the login."""
    return asyncio.run(_asked(ledger, proxy))


def test_an_ordinary_page_comes_without_failures() -> None:
    status, text = asked()
    assert status == 200
    assert "All accounts" in text


def test_a_ledger_that_does_not_answer_is_told() -> None:
    failure = LedgerUnavailableError("postgresql://secret@somewhere is down")
    assert asked(failure) == (503, "The ledger does not answer; the log has the cause. Try again later.\n")


def test_a_proxy_that_does_not_answer_is_told() -> None:
    assert asked(proxy=ConnectionError("secret")) == (503, "dpproxy does not answer; try again later.\n")


def test_what_nobody_expected_is_for_the_log(caplog: pytest.LogCaptureFixture) -> None:
    assert asked(RuntimeError("secret")) == (500, "This page could not be made; the log has the cause.\n")
    assert "a page could not be made: RuntimeError" in caplog.text
