"""A month of charges in a ledger, made up and always the same, so that there is something to draw."""

from __future__ import annotations

import datetime as dt
import random
import uuid
from decimal import Decimal

import psycopg

ANALYSTS = (("ana", 2), ("superset", 5), ("bob", 1))
QUESTIONS = {
    "public.visits": (
        ("avg(cost) over public.visits by region", "SELECT region, avg(cost) FROM visits GROUP BY region"),
        ("count(*) over public.visits", "SELECT count(*) FROM visits WHERE cost > ?"),
        ("sum(minutes) over public.visits by specialty", "SELECT specialty, sum(minutes) FROM visits GROUP BY ?"),
    ),
    "public.patients": (("count(*) over public.patients by sex", "SELECT sex, count(*) FROM patients GROUP BY sex"),),
}


def month_of_charges(dsn: str, now: dt.datetime, *, seed: int = 1, days: int = 30, most: str = "0.0016") -> None:
    """Fill a ledger that a proxy has opened.

    Args:
        dsn: the ledger.
        now: when the month ends.
        seed: of what is asked.
        days: its length.
        most: the largest ρ of a charge.
    """
    chance = random.Random(seed)
    rows: list[tuple[object, ...]] = []
    texts: list[tuple[object, ...]] = []
    for day in range(days, 0, -1):
        busy = (now - dt.timedelta(days=day)).weekday() < 5
        for analyst, weight in ANALYSTS:
            for _ in range(chance.randint(0, weight if busy else 1)):
                table = chance.choice(["public.visits", "public.visits", "public.patients"])
                label, query = chance.choice(QUESTIONS[table])
                at = now - dt.timedelta(days=day - 1, hours=chance.uniform(0, 10), minutes=chance.uniform(0, 60))
                charge, block = uuid.UUID(int=chance.getrandbits(128)), f"{chance.getrandbits(256):064x}"
                rho = (Decimal(most) * chance.choice((1, 2, 4)) / 4).quantize(Decimal("1e-9"))
                texts.append((charge, query))
                for account in (f"table:{table}", f"analyst:{analyst}:{table}"):
                    rows.append((charge, account, analyst, rho, block, label, at))
    rows.sort(key=lambda row: str(row[-1]))
    with psycopg.connect(dsn) as connection, connection.cursor() as cursor:
        accounts = sorted({str(row[1]) for row in rows})
        cursor.executemany(
            "INSERT INTO dpproxy.account (account) VALUES (%s) ON CONFLICT DO NOTHING", [(name,) for name in accounts]
        )
        cursor.executemany(
            "INSERT INTO dpproxy.charge (charge_id, account, analyst, epsilon, rho, delta, block, statement, recorded_at)"
            " VALUES (%s, %s, %s, NULL, %s, 0, %s, %s, %s)",
            rows,
        )
        cursor.executemany("INSERT INTO dpproxy.statement VALUES (%s, %s)", texts)
        for name in accounts:
            total = sum((Decimal(str(row[3])) for row in rows if row[1] == name), Decimal())
            cursor.execute(
                "UPDATE dpproxy.account SET epsilon = NULL, rho = rho + %s WHERE account = %s", (total, name)
            )
