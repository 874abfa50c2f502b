"""Work that blocks, in a thread that does not keep the process from ending."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


async def in_thread(
    function: Callable[Parameters, Result], *arguments: Parameters.args, **named: Parameters.kwargs
) -> Result:
    """As `asyncio.to_thread`; but where the caller is cancelled, nobody waits for the thread at the end."""
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[Result] = loop.create_future()

    def settle(result: Result | None, error: BaseException | None) -> None:
        if outcome.done():
            return
        if error is not None:
            outcome.set_exception(error)
        else:
            outcome.set_result(result)  # type: ignore[arg-type]

    def work() -> None:
        result, raised = None, None
        try:
            result = function(*arguments, **named)
        except BaseException as error:
            raised = error
        with contextlib.suppress(RuntimeError):  # the loop has been closed
            loop.call_soon_threadsafe(settle, result, raised)

    threading.Thread(target=work, name=function.__name__, daemon=True).start()
    return await outcome
