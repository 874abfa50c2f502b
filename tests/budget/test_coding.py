"""Long answers are written and read in a thread, and are the same."""

from __future__ import annotations

import asyncio
import threading

import pytest

from proxy.budget.coding import decoded, encoded
from proxy.budget.stored_answer import StoredAnswer


def answer(rows: int) -> StoredAnswer:
    return StoredAnswer(tuple((f"key {row}",) for row in range(rows)), tuple((row,) for row in range(rows)))


@pytest.mark.parametrize(("rows", "elsewhere"), [(10, False), (10_000, True)])
def test_a_long_answer_leaves_the_event_loop_alone(rows: int, elsewhere: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    threads = []
    encode, decode = StoredAnswer.encode, StoredAnswer.decode

    def encode_and_tell(self: StoredAnswer) -> str:
        threads.append(threading.current_thread())
        return encode(self)

    def decode_and_tell(content: str) -> StoredAnswer:
        threads.append(threading.current_thread())
        return decode(content)

    monkeypatch.setattr(StoredAnswer, "encode", encode_and_tell)
    monkeypatch.setattr(StoredAnswer, "decode", decode_and_tell)

    async def there_and_back() -> StoredAnswer:
        return await decoded(await encoded(answer(rows)))

    assert asyncio.run(there_and_back()) == answer(rows)
    assert [thread is not threading.main_thread() for thread in threads] == [elsewhere, elsewhere]
