"""Runs a service from the command line until a signal ends it."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
import socket
from collections.abc import AsyncIterator, Callable, Coroutine
from ipaddress import ip_address
from typing import Any, Final, TypeVar

from proxy.postgres.embedded import EmbeddedPostgres
from proxy.serving.service import Service
from proxy.serving.signals import EarlySignals
from proxy.serving.watchdog import keep_running
from proxy.wire.channel import log_failure

Result = TypeVar("Result")

_LOOKED_THROUGH: Final = 10_000
"""New objects after which the interpreter looks for those that nobody needs: a question makes some thousands."""


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """As `asyncio.run`, on the event loop of uvloop where that is installed: it relays about a half more a second."""
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        return runner.run(main)


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Makes uvloop's event loops; None where that is not installed."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


@contextlib.asynccontextmanager
async def stop_signals(early: EarlySignals, again: Callable[[], None] = lambda: None) -> AsyncIterator[asyncio.Event]:
    """An event that SIGINT (Ctrl-C) and SIGTERM set instead of ending the process.

    Args:
        early: the signals so far.
        again: is called by each further of these signals.
    """
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()

    def stop() -> None:
        if stopped.is_set():
            again()
        stopped.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    if early.interrupts:
        stopped.set()
    try:
        yield stopped
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


async def serve_until_stopped(service: Service, early: EarlySignals, server: EmbeddedPostgres | None = None) -> bool:
    """Start `service`, print where it listens, read its policy and certificate again on SIGHUP, and stop it in order
    on SIGINT or SIGTERM. A second one of these ends what still runs.

    Args:
        service: the proxy.
        early: the signals so far.
        server: its databases' server, which is started again if it ends by itself.

    Returns:
        Whether it came to listen.

    Raises:
        EmbeddedPostgresError: the server ended too often.
        Exception: what `Service.start` raises.
    """
    async with stop_signals(early, again=service.hurry) as stopped:
        hung_up = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, hung_up.set)
        if early.hangups:
            hung_up.set()
        starting = asyncio.create_task(service.start())
        stopping = asyncio.create_task(stopped.wait())
        tasks: list[asyncio.Task[Any]] = [starting, stopping]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if not starting.done():
                starting.cancel()
                await asyncio.wait((starting,))
                return False
            host, port = starting.result()
            _expect_long_lives()
            _say(f"listening on {host}:{port}")
            watching = asyncio.create_task(_watched(server))
            tasks += [watching, asyncio.create_task(_reload_again_and_again(service, hung_up))]
            await asyncio.wait((watching, stopping), return_when=asyncio.FIRST_COMPLETED)
            _say("stopping")
            if watching.done():
                watching.result()
            return True
        finally:
            await service.stop()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def _reload_again_and_again(service: Service, hung_up: asyncio.Event) -> None:
    while True:
        await hung_up.wait()
        hung_up.clear()
        try:
            await service.reload()
        except Exception as error:
            log_failure(error)


def _expect_long_lives() -> None:
    """Leave what a started proxy consists of out of the search for garbage, which stops everybody while it lasts, and
    search once there is enough that is new."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_LOOKED_THROUGH)


def _say(text: str) -> None:
    """Print a line for the operator; a full disk, or nobody who reads it, is no reason to end."""
    with contextlib.suppress(OSError):
        print(text, flush=True)


async def _watched(server: EmbeddedPostgres | None) -> None:
    await (keep_running(server) if server is not None else asyncio.Event().wait())


def is_loopback(host: str) -> bool:
    """Does the host's name or address lead to this machine alone? Not if nobody knows the name."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return False
    return all(ip_address(str(address[0]).partition("%")[0]).is_loopback for *_, address in found)


def parse_address(text: str) -> tuple[str, int]:
    """HOST:PORT, :PORT or PORT as a host and a port; [::1]:5433 for IPv6.

    Raises:
        ValueError: not of that form.
    """
    host, separator, port = text.rpartition(":")
    if not port.isdigit() or int(port) > 65535 or (separator and "[" in host and not host.endswith("]")):
        raise ValueError(f"{text!r} is not HOST:PORT")
    return host.strip("[]") or "127.0.0.1", int(port)
