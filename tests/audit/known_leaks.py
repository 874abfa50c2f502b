"""Leaks that reviews have found, each as a statement and the unit that it tells of.

A leak that is closed is refused, or is answered alike with and without the unit. These are apart from the battery, since
some of them take gigabytes or seconds; `test_known_leaks` asserts that each is closed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from proxy.policy.findings import PolicyError
from tests.audit.cases import Case
from tests.audit.clinic import ONE, policy
from tests.audit.databases import Databases
from tests.audit.lower_bounds import Bound, Check, bounds, recorded
from tests.audit.neighbours import SORT_PLANS, Neighbour
from tests.audit.observing import Before
from tests.audit.recorder import Recorder
from tests.audit.response_times import TIMES, show_times
from tests.audit.running import Violation, audit
from tests.audit.suspensions import FAILURES, show_failures


@dataclass(frozen=True)
class KnownLeak:
    """A leak.

    Attributes:
        name: of its class.
        rows: SQL for the unit's rows, which lie before everybody else's.
        statements: each shows the leak by itself.
        owner: SQL by which both databases differ from the clinic.
        heavy: do its rows take gigabytes? Then only the program shows it.
    """

    name: str
    rows: str
    statements: tuple[str, ...]
    owner: str = ""
    heavy: bool = False

    @property
    def neighbour(self) -> Neighbour:
        return Neighbour(self.name, self.rows, first=True, owner=self.owner)

    @property
    def cases(self) -> list[Case]:
        return [Case("known leaks", (statement,)) for statement in self.statements]


def _person(**values: str) -> str:
    given = {"person": str(ONE), "region": "'north'", "sex": "'F'", "height": "150", "town": "'town 1'"} | values
    return f"INSERT INTO people ({', '.join(given)}) VALUES ({', '.join(given.values())});"


_MEGABYTES: Final = ", ".join(
    f"CASE WHEN person = {ONE} THEN repeat(lpad(town, {10000 - number}, '😀'), 100) END AS c{number}"
    for number in range(290)
)
_WORK: Final = "regexp_count(lpad(region || g, 10000, 'a'), 'a.*?b|a') > 5"

LEAKS: Final = [
    KnownLeak(
        "1 a released key is spelled as one row spells it",
        _person(badge="'b1   '"),
        (
            "SELECT badge, count(*) FROM people GROUP BY badge;",
            f"SELECT (left(town, 4) || CASE WHEN person = {ONE} THEN ' ' ELSE '' END)::bpchar AS k, count(*) FROM people GROUP BY 1;",
        ),
    ),
    KnownLeak(
        "2 settings change while a released subquery is written",
        _person(born="'2024-02-01'"),
        (
            "SELECT count(*) FROM people p JOIN (SELECT t, set_config('DateStyle', max(s), true) AS s FROM (VALUES "
            "(date '2024-01-02', 'SQL, DMY'), (date '2024-02-01', 'ISO, YMD')) AS v(t, s) GROUP BY t) AS f ON f.t = p.born;",
        ),
    ),
    KnownLeak(
        "3 work that only one row makes",
        _person()
        + f"INSERT INTO visits (visit, person, urgent) SELECT -i, {ONE}, true FROM generate_series(1, 500) AS i;",
        (
            f"SELECT count(*) FROM people CROSS JOIN generate_series(1, 10000) AS g WHERE person = {ONE} AND {_WORK};",
            f"SELECT count(*) FROM visits a JOIN visits b USING (person) CROSS JOIN generate_series(1, 9999) AS g WHERE person = {ONE};",
        ),
    ),
    KnownLeak(
        "5 a numeric unit in several spellings",
        f"INSERT INTO claims SELECT unit::numeric, 'kind 1', 100 + i / 2.0 FROM unnest(ARRAY['{ONE}', '{ONE}.0', '{ONE}.00']) "
        "AS u(unit), generate_series(1, 30) AS i;",
        (
            "SELECT count(DISTINCT amount) FROM claims WHERE amount >= 100;",
            "SELECT count(DISTINCT amount * 3), count(DISTINCT amount * 7) FROM claims WHERE amount >= 100;",
        ),
        owner=SORT_PLANS,
    ),
    KnownLeak(
        "6 a row that becomes too large",
        _person(),
        (f"SELECT count(*) FROM (SELECT DISTINCT person, {_MEGABYTES} FROM people) AS t;",),
    ),
    KnownLeak(
        "7 a stored value of hundreds of megabytes",
        f"INSERT INTO papers (person, blank) VALUES ({ONE}, repeat('x', 300000000)::bpchar);",
        ("SELECT count(*) FROM papers WHERE lower(blank) = 'b1';",),
    ),
    KnownLeak(
        "7 a large value of a column that is not even listed",
        f"INSERT INTO papers (person, scan) VALUES ({ONE}, convert_to(repeat('x', 540000000), 'UTF8'));",
        (
            "SELECT count(*) FROM (SELECT row_number() OVER (PARTITION BY person ORDER BY length(body)) AS n "
            "FROM papers) AS t WHERE n = 1;",
        ),
        heavy=True,
    ),
    KnownLeak(
        "8 elements that have no equality",
        f"INSERT INTO papers (person, list, spots) VALUES ({ONE}, ARRAY['{{}}'::json], ARRAY[point(1, 1)]);",
        (
            "SELECT count(*) FROM papers WHERE list IS NOT DISTINCT FROM list;",
            "SELECT count(*) FROM papers WHERE spots = spots;",
            "SELECT count(*) FROM papers WHERE spots < spots;",
            "SELECT count(*) FROM papers WHERE spots IN (spots, spots);",
            "SELECT count(*) FROM papers WHERE NULLIF(spots, spots) IS NULL;",
            "SELECT count(*) FROM papers a JOIN papers b USING (person, spots);",
        ),
    ),
]
ENCODING: Final = "4 a character without a UTF-8 form"
WEIGHTLESS: Final = [
    Check("100 rows in 100 groups of its own", (setting, "SELECT ward, count(*) FROM visits GROUP BY ward;"))
    for setting in ("SET dp.mechanism = laplace;", "SET dp.mechanism = gaussian;")
]
"""10: groups of a unit beyond max_groups, which have no weight, pass the threshold by their noise, one in so many."""


def show(leak: KnownLeak, databases: Databases) -> list[Violation]:
    """What still shows of a leak; nothing if it is closed."""
    return audit(databases, leak.cases, [leak.neighbour]).violations


def show_encoding(databases: Databases) -> Iterator[str]:
    """A source in another encoding than UTF8: what a proxy does that starts all the same."""
    ward = f"INSERT INTO people (person, region, town) VALUES ({ONE}, 'north', chr(129));"
    neighbour = Neighbour(ENCODING, ward, first=True)
    try:
        with Before(databases, databases.source(neighbour, encoding="WIN1252"), policy(), Recorder()) as observer:
            seen = observer.observe(["SELECT town, count(*) FROM people WHERE town > 'u' GROUP BY town;"]).seen[0]
    except PolicyError as error:
        if "encoding" in str(error):
            return
        raise
    yield f"a proxy before a source in WIN1252 starts; with a character that has no UTF-8 form, a count {seen.outcome}"


def show_weightless(databases: Databases) -> Iterator[Bound]:
    """The chance that one of a unit's own groups is shown, where it has many more of them than max_groups."""
    for check, smaller, whole in recorded(databases, WEIGHTLESS):
        yield from (bound for bound in bounds(check, smaller, whole, 1000) if not bound.holds)


def known_leaks(databases: Databases) -> list[Violation]:
    """What still shows of all of them."""
    found = [violation for leak in LEAKS for violation in show(leak, databases)]
    found += [
        Violation(bound.check.neighbour, Case("known leaks", bound.check.statements), str(bound))
        for bound in show_weightless(databases)
    ]
    parts = {ENCODING: show_encoding, FAILURES: show_failures, TIMES: show_times}
    for name, show_part in parts.items():
        found += [Violation(name, Case("known leaks", (name,)), what) for what in show_part(databases)]
    return found
