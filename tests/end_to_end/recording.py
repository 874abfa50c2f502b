"""Proxies that note what they refuse and what they ask, for tests that look behind answers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager

import pytest

from proxy.errors import DpproxyError
from proxy.postgres.source import Source
from proxy.postgres.transaction import SourceRequest, Transaction
from proxy.query.private_router import PrivateRouter
from proxy.wire.router import Answer, Parameter, SessionContext, StatementText


class RuleRecorder(PrivateRouter):
    """The router itself, which also notes the rule of every refusal."""

    rules: list[str | None]

    async def split(self, text: str, analyst: str) -> tuple[StatementText, ...]:
        try:
            return await super().split(text, analyst)
        except DpproxyError as error:
            self.rules.append(error.rule)
            raise

    async def check(self, text: str, analyst: str) -> bool:
        try:
            return await super().check(text, analyst)
        except DpproxyError as error:
            self.rules.append(error.rule)
            raise

    async def answer(self, text: str, parameters: Sequence[Parameter], session: SessionContext) -> Answer:
        try:
            return await super().answer(text, parameters, session)
        except DpproxyError as error:
            self.rules.append(error.rule)
            raise


@contextmanager
def recording(rules: list[str | None] | None = None, requests: list[SourceRequest] | None = None) -> Iterator[None]:
    """Proxies that are started meanwhile note, as long as they run.

    Args:
        rules: gets the rule of each refusal, in order.
        requests: gets all that a source is asked.
    """
    noted_rules: list[str | None] = [] if rules is None else rules
    noted_requests: list[SourceRequest] = [] if requests is None else requests

    class Router(RuleRecorder):
        rules = noted_rules

    class NotingSource(Source):
        @asynccontextmanager
        async def transaction(self, request: SourceRequest) -> AsyncIterator[Transaction]:
            noted_requests.append(request)
            async with super().transaction(request) as transaction:
                yield transaction

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("proxy.serving.service.PrivateRouter", Router)
        patch.setattr("proxy.serving.service.Source", NotingSource)
        yield
