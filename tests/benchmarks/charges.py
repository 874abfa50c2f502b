"""Charges of the ledger: how many a second, and how long each takes, by sessions that charge one table at a time."""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from fractions import Fraction
from pathlib import Path

from proxy.budget.ledger import Ledger
from proxy.budget.order import AccountCharge
from proxy.dp.accounting import Account, Price
from proxy.postgres.databases import ensure_database
from proxy.postgres.embedded import EmbeddedPostgres

LIMIT, PRICE = Account(Fraction(10**6), Fraction(1, 10**6)), Price.gaussian(Fraction(1, 1000))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this program."""
    parser.add_argument("--sessions", type=int, nargs="+", default=[1, 8, 64], help="at a time (default: 1 8 64)")
    parser.add_argument("--seconds", type=float, default=5, help="for each (default: 5)")


def run(arguments: argparse.Namespace) -> None:
    """Measure and print. The embedded Postgres keeps what it commits: every commit waits for the disk."""
    with tempfile.TemporaryDirectory() as directory, EmbeddedPostgres(Path(directory) / "state") as server:
        dsn = ensure_database(server.dsn(), "ledger")
        print("sessions   charges/s   median ms   99 % within ms")
        for sessions in arguments.sessions:
            took, elapsed = asyncio.run(_charge(dsn, sessions, arguments.seconds))
            median, most = statistics.median(took) * 1e3, sorted(took)[int(0.99 * len(took))] * 1e3
            print(f"{sessions:8} {len(took) / elapsed:11.0f} {median:11.2f} {most:16.1f}")


async def _charge(dsn: str, sessions: int, seconds: float) -> tuple[list[float], float]:
    """How long each charge took, and all of them together."""
    ledger, took = Ledger(dsn), list[float]()
    await ledger.open()
    begun = time.perf_counter()

    async def session(number: int) -> None:
        analyst, turn = f"analyst{number}", 0
        accounts = ("table:public.visits", f"analyst:{analyst}:public.visits")
        while time.perf_counter() < begun + seconds:
            started, turn = time.perf_counter(), turn + 1
            charges = [AccountCharge(account, LIMIT, PRICE) for account in accounts]
            await ledger.charge(analyst, charges, f"block {number} {turn}", "count(*) over public.visits")
            took.append(time.perf_counter() - started)

    try:
        await asyncio.gather(*(session(number) for number in range(sessions)))
        elapsed = time.perf_counter() - begun
        if found := await ledger.verify():
            raise AssertionError(found)
    finally:
        await ledger.close()
    return took, elapsed
