"""The router of the policy in force, which can change while sessions go on: each statement gets the one of its time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from proxy.wire.router import Answer, Notice, Parameter, Router, SessionContext, StatementText


class CurrentRouter:
    """A `Router` that passes everything on.

    Args:
        router: the first.

    Attributes:
        router: the one in force.
    """

    def __init__(self, router: Router) -> None:
        self.router = router

    def check_startup(self, parameters: Mapping[str, str]) -> tuple[Notice, ...]:
        return self.router.check_startup(parameters)

    def claims(self, text: str) -> bool:
        return self.router.claims(text)

    def split_short(self, text: str) -> tuple[StatementText, ...] | None:
        return self.router.split_short(text)

    async def split(self, text: str, analyst: str) -> tuple[StatementText, ...]:
        return await self.router.split(text, analyst)

    async def check(self, text: str, analyst: str) -> bool:
        return await self.router.check(text, analyst)

    async def answer(self, text: str, parameters: Sequence[Parameter], session: SessionContext) -> Answer:
        return await self.router.answer(text, parameters, session)
