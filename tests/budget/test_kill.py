"""kill -9 at any moment loses nothing that was acknowledged and refunds nothing (decision 6, attack 29)."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from fractions import Fraction

from proxy.budget.ledger import Ledger
from tests.budget.charging_process import ACCOUNTS
from tests.budget.support import TABLE, charge, execute, of_table, promise, pure, with_ledger

KILLS = 15


def acknowledged_before_a_kill(dsn: str, name: str, seconds: float) -> list[str]:
    """Let a process charge for some time after its first charge, kill it, and give the charges it knew of."""
    command = [sys.executable, "-m", "tests.budget.charging_process", dsn, name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(seconds)
        process.kill()
        *complete, _partial = (first + process.stdout.read()).split("\n")
    return complete


def test_every_acknowledged_charge_survives_a_killed_proxy(dsn: str) -> None:
    with_ledger(dsn, Ledger.verify)
    moments = random.Random(9)
    acknowledged = [
        identity
        for kill in range(KILLS)
        for identity in acknowledged_before_a_kill(dsn, f"process {kill}", moments.uniform(0, 0.05))
    ]
    charges = execute(dsn, "SELECT charge_id, count(*) FROM dpproxy.charge GROUP BY charge_id")
    recorded = {str(identity) for identity, _ in charges}

    assert len(acknowledged) >= KILLS
    assert set(acknowledged) <= recorded
    assert len(recorded) <= len(acknowledged) + 2 * KILLS, "at most one unacknowledged charge for each task that died"
    assert {accounts for _, accounts in charges} == {len(ACCOUNTS)}, "all accounts of a charge, or none"

    async def check(ledger: Ledger) -> None:
        assert await ledger.verify() == []
        for account, spent in (await ledger.accounts()).items():
            assert spent.epsilon == len(recorded) * Fraction("0.001"), account
        ((granted,),) = execute(dsn, "SELECT count(*) FROM dpproxy.granted")
        assert (await ledger.states())[TABLE].granted == (Fraction(granted), Fraction(0))
        await charge(ledger, of_table(pure("0.001"), promise("1e6")))

    with_ledger(dsn, check)
