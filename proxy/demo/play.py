"""The demo from beginning to end: two embedded servers, the clinic, the proxy, the questions, then serving."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final

from proxy.demo.client import PASSWORD, Client, psql_command
from proxy.demo.clinic import clinic_dsn, find_clinic, load_clinic
from proxy.demo.data import VISITS_PER_PATIENT
from proxy.demo.first_questions import QUESTIONS
from proxy.demo.screen import Screen
from proxy.demo.side_by_side import compare
from proxy.policy.load import load_policy
from proxy.policy.model import Policy
from proxy.postgres.databases import LEDGER_DATABASE, ensure_database
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.postgres.interrupts import postponed
from proxy.postgres.temporary import temporary_directory
from proxy.serving.options import ServiceOptions
from proxy.serving.running import stop_signals
from proxy.serving.service import Service
from proxy.serving.signals import EarlySignals

EXPLANATION: Final = (
    "How to read this: the exact answers come straight from the clinic's database, which only a demo may show; "
    "analysts get the noisy ones, and the intervals with dp.low(…) and dp.high(…). As far as noise is concerned, the "
    "exact number lies in the interval 19 times out of 20. Clipping comes on top: a few patients with hundreds of "
    "visits count for less, which lowers the numbers by about 1 % at most."
)

SUGGESTIONS: Final = (
    "SELECT specialty, avg(cost) FROM visits GROUP BY specialty;     ask something new",
    "EXPLAIN SELECT count(*) FROM visits;                            mechanism, noise and price, free of charge",
    "SELECT * FROM visits;                                           refused, and why",
    "SELECT * FROM dp.budget;                                        what is left",
)


class CannotListenError(Exception):
    """The address cannot be listened on; the text says which and why."""


@dataclass(frozen=True)
class DemoOptions:
    """The options of the command line.

    Attributes:
        rows: number of visits in a new clinic.
        host: address to listen on.
        port: port to listen on; 0 picks a free one.
        state: directory to keep the clinic and the ledger in; None for a temporary one.
        once: stop after the questions.
        http: address of the dashboard; None for none.
    """

    rows: int
    host: str
    port: int
    state: Path | None
    once: bool
    http: tuple[str, int] | None = None


def demo_policy() -> Policy:
    """The demo's policy, which is packaged beside this module.

    Raises:
        PolicyError: it cannot be used.
    """
    with resources.as_file(resources.files("proxy.demo") / "demo.yaml") as path:
        return load_policy(path)


def play(options: DemoOptions, screen: Screen, early: EarlySignals) -> bool:
    """Run the demo until it is over or stopped. Everything that it started has ended when this returns or raises.

    Args:
        options: of the command line.
        screen: shows what happens.
        early: the signals so far.

    Returns:
        Whether all questions were asked.

    Raises:
        EmbeddedPostgresError: a server does not start, or the state directory is in use.
        CannotListenError: the address is taken.
        psycopg.Error: a server fails.
        OSError: the directory cannot be written.
        KeyboardInterrupt: stopped before the proxy was up.
    """
    with ExitStack() as stack:
        directory = options.state
        if directory is None:
            with postponed():
                directory = stack.enter_context(temporary_directory())
        with screen.step("Starting the clinic's own PostgreSQL"):
            # A temporary clinic of made-up rows need not survive a crash.
            source = EmbeddedPostgres(directory / "source", durable=options.state is not None)
            _start_in(stack, source)
        with screen.step("Starting dpproxy's PostgreSQL for stage and ledger"):
            own = EmbeddedPostgres(directory / "dpproxy")
            _start_in(stack, own)
        _provide_clinic(source.dsn(), options.rows, screen)
        service_options = ServiceOptions(
            demo_policy(),
            source_dsn=clinic_dsn(source.dsn()),
            stage_dsn=own.dsn(),
            ledger_dsn=ensure_database(own.dsn(), LEDGER_DATABASE),
            owns_stage_cluster=True,
            host=options.host,
            port=options.port,
            http=options.http,
        )
        return asyncio.run(_run_service(service_options, screen, early, once=options.once))


def _start_in(stack: ExitStack, server: EmbeddedPostgres) -> None:
    stack.callback(server.stop)  # first, or an interrupt at the end of the start would leave it running
    server.start()


def _provide_clinic(server_dsn: str, rows: int, screen: Screen) -> None:
    size = find_clinic(server_dsn)
    kept = ", kept from an earlier run" if size is not None else ""
    if size is None:
        with screen.step("Loading the clinic", rows + rows // VISITS_PER_PATIENT) as advance:
            size = load_clinic(server_dsn, rows, advance)
    screen.say(f"The clinic has {size.visits:,} visits of {size.patients:,} patients{kept}")


async def _run_service(options: ServiceOptions, screen: Screen, early: EarlySignals, *, once: bool) -> bool:
    service = Service(options)
    async with stop_signals(early) as stopped:
        try:
            with screen.step("Starting the proxy"):
                host, port = await _start(service, options)
            screen.say(f"listening on {host}:{port}, log in with the password {PASSWORD}:")
            screen.say(f"  {psql_command(host, port)}")
            if service.http is not None:
                address, number = service.http
                screen.say(f"the dashboard is on http://{address}:{number}, log in as sam with the same password")
            if not await _unless_stopped(_ask_questions(options, host, port, screen), stopped):
                return False
            if not once:
                _invite(host, port, screen)
                await stopped.wait()
            return True
        finally:
            with screen.step("Stopping"):
                await service.stop()


async def _start(service: Service, options: ServiceOptions) -> tuple[str, int]:
    try:
        return await service.start()
    except OSError as error:
        addresses = [f"{host}:{port}" for host, port in ((options.host, options.port), options.http or ("", 0)) if host]
        raise CannotListenError(f"{' or '.join(addresses)}: {error.strerror or error}") from error


async def _unless_stopped(work: Coroutine[object, object, None], stopped: asyncio.Event) -> bool:
    """Do `work`, or abandon it when `stopped` is set; returns whether it was done."""
    working, stopping = asyncio.create_task(work), asyncio.create_task(stopped.wait())
    try:
        await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            return False
        await working
        return True
    finally:
        for task in (working, stopping):
            task.cancel()
        await asyncio.gather(working, stopping, return_exceptions=True)


async def _ask_questions(options: ServiceOptions, host: str, port: int, screen: Screen) -> None:
    client = await Client.connect(host, port)
    try:
        for number, question in enumerate(QUESTIONS, start=1):
            screen.comparison(number, await compare(question, client, options.source_dsn))
    finally:
        await client.close()
    screen.say()
    screen.remark(EXPLANATION)


def _invite(host: str, port: int, screen: Screen) -> None:
    screen.say()
    screen.say("Your turn, until Ctrl-C here:")
    screen.say(f"  {psql_command(host, port)}")
    for line in SUGGESTIONS:
        screen.say(f"  {line}")
