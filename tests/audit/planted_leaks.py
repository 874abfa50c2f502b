"""The leaks that reviews have found, put back: the rule that mends each is taken out, and what told of a unit is asked.

The numbers are those of `known_leaks`. Each is looked for on one pair of neighbouring databases, by what differs between
the two; what fails on both counts for nothing here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any, Final

import psycopg
import pytest
from psycopg.rows import TupleRow

from proxy.budget.failures import Failures
from proxy.dp.selection import KeySelection
from proxy.query.pacing import Pacer
from proxy.sql.rows.compiler import RowCompiler
from proxy.sql.rows.multiplicity import Multiplicity
from proxy.sql.rows.tie_breakers import TieBreakers
from proxy.sql.terms.stored import Stored, stored
from tests.audit.cases import Case
from tests.audit.clinic import ONE
from tests.audit.databases import SOURCE_TIMEOUT, Databases
from tests.audit.known_leaks import LEAKS, show_encoding, show_weightless
from tests.audit.neighbours import NEIGHBOURS, Neighbour
from tests.audit.response_times import show_times
from tests.audit.running import audit
from tests.audit.suspensions import show_failures

Plant = Callable[[pytest.MonkeyPatch], None]
Look = Callable[[Databases], Sequence[str]]
LIMITLESS: Final = 10**15


@dataclass(frozen=True)
class PlantedLeak:
    """A leak that is there again.

    Attributes:
        name: which, and what is taken out.
        plant: takes it out of the product.
        look: what tells two neighbours apart, sentence by sentence.
        slow: does it take gigabytes, or many seconds? Then only the program looks for it.
    """

    name: str
    plant: Plant
    look: Look
    slow: bool = False


def _between(neighbour: Neighbour, *statements: str, timeout: float = SOURCE_TIMEOUT) -> Look:
    """What the statements, each by itself, show of a neighbour."""

    def look(databases: Databases) -> list[str]:
        cases = [Case("planted leaks", (statement,)) for statement in statements]
        found = audit(databases, cases, [neighbour], source_timeout=timeout).violations
        return [violation.what for violation in found if violation.pair == neighbour.name]

    return look


def _known(name: str, *statements: int, timeout: float = SOURCE_TIMEOUT) -> Look:
    """What some statements of a known leak show, by their places."""
    (leak,) = [leak for leak in LEAKS if leak.name == name]
    return _between(leak.neighbour, *(leak.statements[place] for place in statements), timeout=timeout)


def _among(name: str, *statements: str, timeout: float = SOURCE_TIMEOUT) -> Look:
    """What the statements show of a neighbour of the battery."""
    (neighbour,) = [neighbour for neighbour in NEIGHBOURS if neighbour.name == name]
    return _between(neighbour, *statements, timeout=timeout)


def _texts(look: Callable[[Databases], Iterator[Any]]) -> Look:
    return lambda databases: [str(found) for found in look(databases)]


def _unspelled(patch: pytest.MonkeyPatch) -> None:
    for module in ("grouping", "derived", "set_operations"):
        patch.setattr(f"proxy.sql.rows.{module}.require_canonical", lambda _, term: term)


def _believed(patch: pytest.MonkeyPatch) -> None:
    """Released rows are taken for what the text of their query promises, whatever it calls."""
    patch.setattr("proxy.query.planning.check_functions", lambda *_: None)
    patch.setattr("proxy.query.querying.promise_sql", lambda *_: "SELECT true")


class _AnyEncoding(psycopg.Connection[TupleRow]):
    """Takes every server for one in UTF8."""

    def execute(self, query: Any, params: Any = None, **options: Any) -> psycopg.Cursor[TupleRow]:
        query = "SELECT 'UTF8'" if query == "SHOW server_encoding" else query
        return super().execute(query, params, **options)


def _unlimited_work(patch: pytest.MonkeyPatch) -> None:
    for name in ("MOST_ROW_WORK", "MOST_MET_WORK", "MOST_UNIT_WORK", "SHORT_ROW_WORK"):
        patch.setattr(f"proxy.sql.rows.limits.{name}", LIMITLESS)
    for name in ("MOST_ROW_WORK", "SHORT_ROW_WORK"):
        patch.setattr(f"proxy.sql.rows.compiler.{name}", LIMITLESS)


def _unlimited_joins(patch: pytest.MonkeyPatch) -> None:
    _unlimited_work(patch)
    patch.setattr(Multiplicity, "check", lambda *_: None)
    _uncut(patch)


def _uncut(patch: pytest.MonkeyPatch) -> None:
    """All rows of a unit take part, however many rows they meet."""
    patch.setattr(RowCompiler, "_cuts", lambda *_, **__: ())


def _unlimited_size(patch: pytest.MonkeyPatch) -> None:
    _unlimited_work(patch)
    patch.setattr("proxy.sql.rows.limits.MOST_ROW_OCTETS", LIMITLESS)
    patch.setattr("proxy.sql.terms.work.MOST_VALUE", LIMITLESS)
    patch.setattr("proxy.sql.terms.texts._MOST_COPIES", LIMITLESS)


def _unguarded(patch: pytest.MonkeyPatch) -> None:
    """Stored values are read as they are."""

    def bare(sql: str, *arguments: Any, **options: Any) -> Stored:
        return replace(stored(sql, *arguments, **options), sql=sql)

    patch.setattr("proxy.sql.named_tables.stored", bare)


def _whole_rows(patch: pytest.MonkeyPatch) -> None:
    """Rows are told apart by all that is stored of them."""
    patch.setattr(
        "proxy.sql.rows.derived.tie_breakers",
        lambda relation: TieBreakers(tuple(f"{member.alias}::text" for member in relation.members)),
    )


def _comparable(patch: pytest.MonkeyPatch) -> None:
    for module in ("terms.conditionals", "terms.comparisons", "rows.per_unit"):
        patch.setattr(f"proxy.sql.{module}.is_comparable", lambda _: True)


def _uncounted(patch: pytest.MonkeyPatch) -> None:
    async def record(*_: Any) -> int:
        return 1

    patch.setattr(Failures, "record", record)


def _unsuspended(patch: pytest.MonkeyPatch) -> None:
    async def require_active(*_: Any) -> None:
        pass

    patch.setattr(Failures, "require_active", require_active)


def _unpaced(patch: pytest.MonkeyPatch) -> None:
    """Answers leave when they are ready."""

    async def paced(_: Pacer, __: Any, work: Callable[[], Any]) -> Any:
        return await work()

    patch.setattr(Pacer, "paced", paced)


def _helped(patch: pytest.MonkeyPatch) -> None:
    """Groups that no unit helps to select leave the source, and are shown where their noise is large enough."""
    select = KeySelection.select
    patch.setattr("proxy.sql.source_queries.sending._HELPED", "m.weight >= 0")
    patch.setattr(
        KeySelection,
        "select",
        lambda self, weights, drawn=None: select(self, [max(1, weight) for weight in weights], drawn),
    )


_MANY, _LARGE = "10 000 rows in one group", "more than can be read of a value"
_READING: Final = (
    "SELECT count(*) FROM papers WHERE lower(blank) = 'b1';",
    "SELECT count(*) FROM papers WHERE body ~ 'o.*y';",
)
_PRESENT: Final = Neighbour("a person", f"INSERT INTO people (person, region, town) VALUES ({ONE}, 'north', 'town 1');")

PLANTED_LEAKS: Final = [
    PlantedLeak(
        "1 keys as a row spells them",
        _unspelled,
        _among(
            "other spellings of everybody's values",
            "SELECT badge, count(*) FROM people GROUP BY 1;",
            "SELECT score, count(*) FROM visits GROUP BY 1;",
        ),
    ),
    PlantedLeak(
        "1 keys of expressions as a row spells them",
        _unspelled,
        _known("1 a released key is spelled as one row spells it", 1),
    ),
    PlantedLeak(
        "2 released rows are believed",
        _believed,
        _known("2 settings change while a released subquery is written", 0),
    ),
    PlantedLeak("3 no limit of a row's work", _unlimited_work, _known("3 work that only one row makes", 0, timeout=1)),
    PlantedLeak(
        "3 no limit of the rows that a row meets",
        _unlimited_joins,
        _known("3 work that only one row makes", 1, timeout=1),
    ),
    PlantedLeak(
        "3 all rows of a unit meet all others",
        _uncut,
        _among(
            _MANY, "SELECT count(*) FROM visits v JOIN visits o ON o.person = v.person AND o.cost <= v.cost;", timeout=1
        ),
    ),
    PlantedLeak(
        "4 a source in any encoding",
        lambda patch: patch.setattr(
            "proxy.postgres.catalog_reader.psycopg", SimpleNamespace(connect=_AnyEncoding.connect)
        ),
        _texts(show_encoding),
    ),
    PlantedLeak(
        "5 units as their rows spell them",
        lambda patch: patch.setattr("proxy.sql.rows.unit_spelling.bare_value", lambda term: term),
        _known("5 a numeric unit in several spellings", 0, 1),
    ),
    PlantedLeak(
        "6 no limit of a value's size",
        _unlimited_size,
        _between(
            _PRESENT,
            f"SELECT count(*) FROM people WHERE CASE WHEN person = {ONE} "
            "THEN repeat(lpad(town, 10000, '😀'), 30000) END > 'x';",
        ),
    ),
    PlantedLeak("6 no limit of a row's size", _unlimited_size, _known("6 a row that becomes too large", 0), slow=True),
    PlantedLeak(
        "7 stored values are read whole",
        _unguarded,
        _known("7 a stored value of hundreds of megabytes", 0, timeout=1),
    ),
    PlantedLeak(
        "7 stored values of every type are read whole",
        _unguarded,
        _among(_LARGE, *_READING, timeout=1),
        slow=True,
    ),
    PlantedLeak(
        "7 rows are told apart by all that is stored",
        _whole_rows,
        _known("7 a large value of a column that is not even listed", 0),
        slow=True,
    ),
    PlantedLeak("8 everything is compared", _comparable, _known("8 elements that have no equality", 0, 1, 2, 3, 4, 5)),
    PlantedLeak("9 failures are not counted", _uncounted, _texts(show_failures)),
    PlantedLeak("9 nobody is suspended", _unsuspended, _texts(show_failures)),
    PlantedLeak("10 groups without weight are shown", _helped, _texts(show_weightless), slow=True),
    PlantedLeak("11 answers leave when they are ready", _unpaced, _texts(show_times), slow=True),
]
