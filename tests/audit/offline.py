"""What stewards and operators release: `suggest-bounds` and `export-local`, on every pair.

A choice of `suggest-bounds` is private if one more unit raises each of its counts by 0 or 1; a local release if one
more unit adds at most `values_per_unit` rows and takes none away. The second question of `suggest-bounds` looks inside
what the first one chose, so choices are played back on the larger database.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray

from proxy.budget.ledger import Ledger
from proxy.dp.search import Search
from proxy.errors import DpproxyError
from proxy.local_model.export import LocalExporter
from proxy.local_model.question import LocalRequest
from proxy.local_model.release import release_rows
from proxy.policy.model import Policy
from proxy.policy.traps import Watch
from proxy.postgres.catalog_reader import read_catalog
from proxy.postgres.source import Source
from proxy.sql.schema import Schema
from proxy.sql.suggesting.questions import Questions, plan_questions
from proxy.sql.suggesting.requests import Request, all_numbers, everything, query_relation, table_relation
from proxy.suggest_bounds import choosing
from tests.audit.cases import Case
from tests.audit.clinic import PRIVATE, PUBLIC, policy
from tests.audit.databases import SOURCE_TIMEOUT, Databases
from tests.audit.neighbours import NEIGHBOURS, Neighbour
from tests.audit.recorder import SEED
from tests.audit.running import Violation
from tests.conftest import drop_databases

QUERIES: Final = (
    "SELECT * FROM visits WHERE urgent",
    "SELECT v.cost, v.minutes, p.height FROM visits v JOIN people p USING (person)",
    "SELECT person, sum(cost) AS cost, count(*) AS n FROM visits GROUP BY person",
    "SELECT amount FROM claims WHERE kind LIKE 'kind%'",
)
GROUPED: Final = (("visits", ("ward",)), ("visits", ("region", "urgent")), ("claims", ("kind",)))
EXPORTS: Final = (
    LocalRequest("public.visits", ("region", "urgent"), "rappor", Fraction(8), 3),
    LocalRequest("public.visits", ("ward", "code"), "sketch", Fraction(8), 2),
    LocalRequest("public.people", ("region", "grade", "sex", "smoker"), "rappor", Fraction(8)),
    LocalRequest("public.people", ("town", "badge", "born"), "sketch", Fraction(8)),
    LocalRequest("public.prescriptions", ("drug", "dose"), "sketch", Fraction(8), 5),
    LocalRequest("public.claims", ("kind",), "sketch", Fraction(8), 4),
)


@dataclass(frozen=True)
class Rows:
    """What a local release randomises: how often each row occurs, and how many of them one unit may have."""

    numbers: Counter[Any]
    most: int


@dataclass
class Watched:
    """What a choice or a release was given, in order; or what to choose instead.

    Attributes:
        given: the exact numbers, or rows.
        chosen: what was chosen from them.
        script: what to choose instead.
    """

    given: list[Any] = field(default_factory=list)
    chosen: list[int] = field(default_factory=list)
    script: Sequence[int] = ()


@dataclass(frozen=True)
class Outcome:
    """What one question did on one database."""

    watched: Watched
    result: str
    charged: bool


@contextmanager
def _watching(script: Sequence[int]) -> Iterator[Watched]:
    watched, choose, release = Watched(script=script), Search.choose, release_rows

    def choosing(search: Search, outside: NDArray[Any], penalties: NDArray[np.float64], allowed: int = 0) -> int:
        index = watched.script[len(watched.chosen)] if watched.script else choose(search, outside, penalties, allowed)
        watched.given.append([int(units) for units in outside])
        watched.chosen.append(index)
        return index

    def releasing(draft: Any, privacy: Any, rows: Sequence[Any]) -> Any:
        watched.given.append(Rows(Counter(rows), privacy.values_per_unit))
        return release(draft, privacy, rows)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Search, "choose", choosing)
        patch.setattr("proxy.local_model.export.release_rows", releasing)
        for name in ("proxy.local_model.export.uniform_bits", "proxy.local_model.release.uniform_bits"):
            patch.setattr(name, lambda _bits: SEED)
        yield watched


Question = Callable[[Schema, Source, Ledger], Any]


def questions(schema: Schema, tested: Policy) -> dict[str, Question]:
    """What is asked, by name."""
    requests = {f"--table {name} --all": everything(schema, f"public.{name}") for name in PRIVATE}
    for query in QUERIES:
        relation = query_relation(schema, query)
        requests[f"--query {query}"] = Request(relation, all_numbers(relation), max_rows=not relation.unit_unique)
    for name, columns in GROUPED:
        relation = table_relation(schema, f"public.{name}")
        requests[f"--table {name} --group-by {','.join(columns)}"] = Request(relation, (), True, columns)
    found: dict[str, Question] = {}
    for name, request in requests.items():
        if request.choices:
            found[f"suggest-bounds {name}"] = _suggestion(plan_questions(request, tested, None))
    for export in EXPORTS:
        found[f"export-local {export.table} {', '.join(export.columns)} {export.mechanism}"] = _export(export)
    return found


def _suggestion(asked: Questions) -> Question:
    async def ask(_schema: Schema, source: Source, ledger: Ledger) -> str:
        return str((await choosing.ask(asked, "the audit", ledger, source))[1])

    return ask


def _export(request: LocalRequest) -> Question:
    async def ask(schema: Schema, source: Source, ledger: Ledger) -> str:
        exported = await LocalExporter(schema, source, ledger, ["ana"]).export(request)
        return exported.release.header.model_copy(update={"total": 0, "records": 0}).model_dump_json()

    return ask


def observe(
    databases: Databases, neighbour: Neighbour, tested: Policy, scripts: dict[str, Outcome] | None = None
) -> dict[str, Outcome]:
    """Every question on one database.

    Args:
        databases: makes the source and a ledger.
        neighbour: the database.
        tested: the policy.
        scripts: what was chosen on its neighbour.
    """
    dsn = databases.source(neighbour)
    catalog = read_catalog(dsn, list(tested.tables), [f"public.{name}" for name in PUBLIC])
    schema, ledger_dsn = Schema(tested, catalog), databases.ledger()
    return asyncio.run(_observe(questions(schema, tested), schema, dsn, ledger_dsn, scripts or {}))


async def _observe(
    asked: dict[str, Question], schema: Schema, dsn: str, ledger_dsn: str, scripts: dict[str, Outcome]
) -> dict[str, Outcome]:
    source = Source(dsn, Watch(schema.policy, schema.catalog), statement_timeout_seconds=SOURCE_TIMEOUT)
    ledger = Ledger(ledger_dsn)
    await ledger.open()
    found = {}
    try:
        for name, ask in asked.items():
            before = await ledger.accounts()
            with _watching(scripts[name].watched.chosen if scripts else ()) as watched:
                try:
                    result = await ask(schema, source, ledger)
                except DpproxyError as error:
                    result = f"{error.sqlstate} {error}"
            found[name] = Outcome(watched, result, await ledger.accounts() != before)
    finally:
        await source.close()
        await ledger.close()
        drop_databases([ledger_dsn])
    return found


def broken(smaller: Outcome, whole: Outcome) -> Iterator[str]:
    """What tells the two apart."""
    if smaller.result != whole.result:
        yield f"{smaller.result:.200} without the unit, {whole.result:.200} with it"
    if len(smaller.watched.given) != len(whole.watched.given):
        yield f"{len(smaller.watched.given)} choices without the unit, {len(whole.watched.given)} with it"
    for fewer, more in zip(smaller.watched.given, whole.watched.given, strict=False):
        if isinstance(fewer, Rows):
            yield from _rows_broken(fewer, more)
        elif len(fewer) != len(more) or not {after - before for before, after in zip(fewer, more, strict=False)} <= {
            0,
            1,
        }:
            yield f"counts of units move by other than 0 or 1: {fewer} without the unit, {more} with it"[:300]
    if any(outcome.watched.given and not outcome.charged for outcome in (smaller, whole)):
        yield "nothing was charged"


def _rows_broken(fewer: Rows, more: Rows) -> Iterator[str]:
    gone, new = fewer.numbers - more.numbers, more.numbers - fewer.numbers
    if gone:
        yield f"rows of others are gone with the unit: {list(gone)[:5]}"
    if new.total() > fewer.most:
        yield f"the unit adds {new.total()} rows, claimed {fewer.most}"


def offline(databases: Databases, neighbours: Sequence[Neighbour] = NEIGHBOURS) -> list[Violation]:
    """Every question on every pair."""
    tested, known, found = policy(), dict[Neighbour, dict[str, Outcome]](), []
    for neighbour in neighbours:
        if neighbour.nobody not in known:
            known[neighbour.nobody] = observe(databases, neighbour.nobody, tested)
        base = known[neighbour.nobody]
        for name, outcome in observe(databases, neighbour, tested, base).items():
            case = Case("offline", (name,))
            found += [Violation(neighbour.name, case, what) for what in broken(base[name], outcome)]
    return found
