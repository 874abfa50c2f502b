"""What source queries that fail at the source tell: at most three times that they fail, and nobody but who asked.

A row-level security policy of the source stands for a leak that nobody knows: it fails at the one unit's row, while the
source query runs, after the charge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tests.audit.clinic import ONE, policy
from tests.audit.comparing import differences
from tests.audit.databases import Databases
from tests.audit.neighbours import Neighbour
from tests.audit.observing import Before, Observation
from tests.audit.recorder import Recorder, recording

FAILURES: Final = "9 failures at the source, again and again"
ENOUGH: Final = 3
"""Failures after which an analyst's private questions wait for a steward."""

FAILING: Final = Neighbour(
    "a row that makes source queries fail",
    f"INSERT INTO claims VALUES ({ONE}, 'kind 1', 10);",
    owner=f"""
CREATE FUNCTION sprung(person numeric) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF person = {ONE} THEN
        RAISE EXCEPTION 'a private value' USING ERRCODE = '22012';
    END IF;
    RETURN true;
END $$;
ALTER TABLE claims ENABLE ROW LEVEL SECURITY;
CREATE POLICY sprung ON claims USING (public.sprung(person));
""",
)

_ELSEWHERE: Final = (
    "SELECT sex, count(*) FROM people GROUP BY sex;",
    "EXPLAIN SELECT count(*) FROM claims WHERE amount > 40;",
    "SELECT account, rho_spent, delta_spent FROM dp.budget ORDER BY account;",
    "SELECT count(*) FROM dp.ledger;",
    "SELECT name FROM regions ORDER BY 1;",
)
"""What another analyst asks meanwhile."""


@dataclass(frozen=True)
class _Seen:
    """By one analyst until the last failure, by another one then, and by the first one after it."""

    first: list[Observation]
    others: list[Observation]
    later: list[Observation]


def count(number: int) -> list[str]:
    """A question of its own for each number."""
    return [f"SELECT count(*) FROM claims WHERE amount <> {number + 10_000};"]


def _seen(databases: Databases, neighbour: Neighbour, recorder: Recorder, base: _Seen | None = None) -> _Seen:
    source = databases.reader(databases.source(neighbour))
    before = Before(databases, source, policy(failures=ENOUGH), recorder)
    with before as ana:
        bob = before.observer("bob")
        first = [ana.observe(count(number)) for number in range(ENOUGH)]
        scripts = [observed.released for observed in base.others] if base is not None else [None] * len(_ELSEWHERE)
        others = [bob.observe([text], script) for text, script in zip(_ELSEWHERE, scripts, strict=True)]
        later = [ana.observe(count(ENOUGH + number)) for number in range(2)]
    return _Seen(first, others, later)


def show_failures(databases: Databases) -> Iterator[str]:
    """What failures tell beyond themselves."""
    with recording() as recorder:
        base = _seen(databases, FAILING.nobody, recorder)
        found = _seen(databases, FAILING, recorder, base)
    failures = [observed.seen[0] for observed in found.first]
    if any(failure.outcome != "failed" or failure.aspects != failures[0].aspects for failure in failures):
        yield f"{ENOUGH} source queries that fail look like {[failure.aspects.get('error') for failure in failures]}"
    if [observed.charged for observed in found.first] != [observed.charged for observed in base.first]:
        yield "a source query that fails costs something else than one that does not"
    for text, usual, other in zip(_ELSEWHERE, base.others, found.others, strict=True):
        yield from (f"another analyst's {text} tells of the failures: {what}" for what in differences(usual, other))
    for observed in found.later:
        if observed.seen[0].outcome != "refused" or observed.charged:
            told = observed.seen[0].aspects.get("error")
            yield f"after {ENOUGH} failures a question was {observed.seen[0].outcome} ({told}), charged {observed.charged}"
