"""Long answers, written and read in a thread: it takes a tenth of a second, for which no other session should wait."""

from __future__ import annotations

import asyncio
from typing import Final

from proxy.budget.stored_answer import StoredAnswer

_ROWS_AT_ONCE: Final = 1_000
_CHARACTERS_AT_ONCE: Final = 50_000


async def encoded(answer: StoredAnswer) -> str:
    """`StoredAnswer.encode`."""
    return answer.encode() if len(answer.keys) <= _ROWS_AT_ONCE else await asyncio.to_thread(answer.encode)


async def decoded(content: str) -> StoredAnswer:
    """`StoredAnswer.decode`."""
    if len(content) <= _CHARACTERS_AT_ONCE:
        return StoredAnswer.decode(content)
    return await asyncio.to_thread(StoredAnswer.decode, content)
