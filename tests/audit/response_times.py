"""When answers leave: what is measured after its delay, everything else at once, and a slow unit hides in the delays.

A row-level security policy of the source stands for an expression that takes long for the one unit's row.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator
from typing import Final

import numpy as np

from tests.audit.clinic import ONE, policy
from tests.audit.databases import Databases
from tests.audit.neighbours import Neighbour
from tests.audit.observing import Before, Observer
from tests.audit.recorder import Recorder
from tests.audit.suspensions import FAILING, count
from tests.timing.simulated import Seen, proven_epsilon

TIMES: Final = "11 response times"
EPSILON, DELTA, WORK = 1, "1e-3", 0.05
"""What the time of an answer may cost, for a unit whose rows take so many seconds."""

DELAY: Final = -WORK / EPSILON * math.log(float(DELTA))
"""Seconds that an answer waits on average, or a little longer."""

QUESTIONS: Final = 80
"""Of each neighbour."""

SLOW: Final = Neighbour(
    "a row that takes long",
    f"INSERT INTO claims VALUES ({ONE}, 'kind 1', 10);",
    owner=f"""
CREATE FUNCTION slow(person numeric) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF person = {ONE} THEN
        PERFORM pg_sleep({WORK});
    END IF;
    RETURN true;
END $$;
ALTER TABLE claims ENABLE ROW LEVEL SECURITY;
CREATE POLICY slow ON claims USING (public.slow(person));
""",
)
_AT_ONCE: Final = (
    "SELECT * FROM claims;",
    "EXPLAIN SELECT count(*) FROM claims;",
    "SELECT name FROM regions;",
    "SELECT DISTINCT sex FROM people;",
    "SELECT count(*) FROM people p JOIN visits v ON v.region = p.region;",
)
"""Refusals, and what reads nothing private."""


def _seconds(observer: Observer, statements: list[str]) -> float:
    return observer.observe(statements).seen[0].seconds


def _before(databases: Databases, neighbour: Neighbour) -> Before:
    timing = {"epsilon": str(EPSILON), "delta": DELTA, "work": f"{1000 * WORK:g} ms"}
    source = databases.reader(databases.source(neighbour))
    return Before(databases, source, policy(timing=timing, failures=QUESTIONS), Recorder())


def show_times(databases: Databases) -> Iterator[str]:
    """What the time of an answer tells."""
    seen = []
    for neighbour in (SLOW.nobody, SLOW):
        with _before(databases, neighbour) as observer:
            fresh = [_seconds(observer, count(number)) for number in range(QUESTIONS)]
            recalled = [_seconds(observer, count(number)) for number in range(QUESTIONS)]
            at_once = {text: [_seconds(observer, [text]) for _ in range(15)] for text in _AT_ONCE}
        seen.append(Seen(np.zeros(QUESTIONS), np.array(fresh)))
        if statistics.median(fresh) < DELAY / 2:
            yield f"half of the answers leave within {statistics.median(fresh):.3f} s; they should wait {DELAY:.2f} s"
        for what, times in {"a recall": recalled, **at_once}.items():
            if statistics.median(times) > statistics.median(fresh) / 2:
                yield f"{what} takes {statistics.median(times):.3f} s, a fresh answer {statistics.median(fresh):.3f} s"
    proven = proven_epsilon(seen[0], seen[1], float(DELTA))
    if proven > EPSILON:
        yield f"the times of answers have an epsilon of at least {proven:.2f}, claimed {EPSILON}"
    with _before(databases, FAILING) as observer:
        failed = [_seconds(observer, count(number)) for number in range(QUESTIONS // 4)]
    if statistics.median(failed) < DELAY / 2:
        yield f"half of the failures leave within {statistics.median(failed):.3f} s; they should wait {DELAY:.2f} s"
