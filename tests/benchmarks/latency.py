"""What the proxy adds to a query: planning, a new text, and a recalled or a fresh answer through the wire, in milliseconds."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import psycopg

from proxy.demo.play import demo_policy
from proxy.policy.catalog import Catalog
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.settings import QuerySettings
from proxy.sql import analysis
from proxy.sql.schema import Schema
from proxy.sql.source_queries.exact_sums import sums_sql
from proxy.sql.statement import parse_statement
from tests.benchmarks.bystanders import client_dsn, serving
from tests.benchmarks.demo_proxy import loaded_clinic
from tests.benchmarks.processor_time import computed_around

QUERIES = (
    "SELECT count(*) FROM patients",
    "SELECT region, count(*) FROM visits GROUP BY region ORDER BY 2 DESC",
    "SELECT region, count(*), sum(cost), avg(cost) FROM visits WHERE minutes > 10 GROUP BY region HAVING count(*) > 100",
    "SELECT date_trunc('month', visited_at) AS month, specialty, avg(minutes) FROM visits GROUP BY 1, 2 ORDER BY 1, 2",
    "SELECT r.zone, count(*), count(DISTINCT patient_id) FROM visits v JOIN regions r ON r.name = v.region GROUP BY 1",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this program."""
    parser.add_argument("--rows", type=int, default=20_000, help="visits in the clinic (default: 20000)")
    parser.add_argument("--repetitions", type=int, default=200)


def run(arguments: argparse.Namespace) -> None:
    """Measure and print."""
    policy = demo_policy()
    with loaded_clinic(arguments.rows) as source:
        catalog = read_catalog(source, list(policy.tables))
        _planning(policy, catalog, arguments.repetitions)
        with serving(source, budget=1_000_000) as (port, process):
            _answers(client_dsn(port, "ana"), process.pid, arguments.repetitions)


def _planning(policy: Policy, catalog: Catalog, repetitions: int) -> None:
    schema = Schema(policy, catalog)
    print("planning from text to source query, median ms (nothing cached)")
    for query in QUERIES:
        print(f"  {_median(partial(_plan, query, schema), repetitions):7.3f}  {query[:90]}")


def _plan(query: str, schema: Schema) -> None:
    statement = parse_statement(query)
    assert statement is not None
    analysed = analysis.analyse(statement, (), schema, ("public",))
    for block in analysed.blocks:
        sums_sql(analysis.plan_block(block, schema, ("public",), QuerySettings(), "ana").plan)


def _answers(dsn: str, proxy: int, repetitions: int) -> None:
    with psycopg.connect(dsn, autocommit=True) as client:
        print("through the wire, ms: first answer, then the median of recalled ones")
        for query in QUERIES:
            started = time.perf_counter()
            _fetch(client, query)
            first = (time.perf_counter() - started) * 1e3
            recalled = _median(partial(_fetch, client, query), repetitions)
            print(f"  {first:7.2f} {recalled:7.3f}  {query[:90]}")
        floor = _median(partial(_fetch, client, "SELECT 1"), repetitions)
        print(f"  {'':7} {floor:7.3f}  SELECT 1, which the stage answers alone")
        computed = {
            what: _of_texts(
                client, proxy, what, [(query, partial(new, before + query)) for query in QUERIES], repetitions
            )
            for what, before, new in (
                (_NEW, "", _with_another_condition),
                (_RENAMED, "", _with_another_name),
                ("EXPLAIN of a new text with a new block", "EXPLAIN ", _with_another_condition),
                (_KNOWN, "", _with_another_comment),
            )
        }
        print("what a new text takes more than a known one: planning with its round trips, mean ms of CPU")
        print("with a new block, with a known one")
        known = computed[_KNOWN]
        more = [[new - each for new, each in zip(computed[kind], known, strict=True)] for kind in (_NEW, _RENAMED)]
        for query, *each in zip(QUERIES, *more, strict=True):
            print(_columns(*each), query[:90])
        print(_columns(*map(statistics.median, more)), "median of these")


_NEW: Final = "a new text with a new block, recalled"
_RENAMED: Final = "a new text with a known block, recalled"
_KNOWN: Final = "a text with a new comment, recalled"


def _of_texts(
    client: psycopg.Connection,
    proxy: int,
    what: str,
    queries: Sequence[tuple[str, Callable[[int], str]]],
    repetitions: int,
) -> list[float]:
    """Print what the proxy computes for texts of each query, and return that of all its processes, in milliseconds."""
    print(f"{what}, mean ms of CPU: all of the proxy, its planning alone; median ms")
    measured = []
    for query, text in queries:
        measured.append(_computed(client, proxy, text(-1), [text(number) for number in range(repetitions)]))
        print(_columns(*measured[-1]), query[:90])
    print(_columns(*map(statistics.median, zip(*measured, strict=True))), "median of these")
    return [all_of_it for all_of_it, _, _ in measured]


def _columns(*milliseconds: float) -> str:
    return "  " + " ".join(f"{number:7.3f}" for number in milliseconds) + " "


def _with_another_name(query: str, number: int) -> str:
    return query.replace(" FROM", f" AS n{number if number >= 0 else 'one'} FROM", 1)


def _with_another_condition(query: str, number: int) -> str:
    """A condition on an aggregate of the query that all groups meet: the block is new, and what it releases is not."""
    groups, order, by = query.partition(" ORDER BY")
    aggregate = groups.partition("SELECT ")[2].partition(" FROM ")[0].split(", ")[-1]
    return f"{groups} {'AND' if 'HAVING' in groups else 'HAVING'} {aggregate} < {10**9 + number}{order}{by}"


def _with_another_comment(query: str, number: int) -> str:
    return f"{query} /* {number} */"


def _computed(client: psycopg.Connection, proxy: int, query: str, texts: list[str]) -> tuple[float, float, float]:
    """What the proxy's own processes compute for each text, without Postgres and the client, once `query` was asked."""
    durations = []
    _fetch(client, query)
    before = computed_around(proxy)
    for text in texts:
        started = time.perf_counter()
        _fetch(client, text)
        durations.append(time.perf_counter() - started)
    used = computed_around(proxy, before)
    each = 1e3 / len(texts)
    return (used["proxy"] + used["planning"]) * each, used["planning"] * each, statistics.median(durations) * 1e3


def _fetch(client: psycopg.Connection, query: str) -> None:
    client.execute(query.encode()).fetchall()


def _median(action: Callable[[], object], repetitions: int) -> float:
    """Median duration in milliseconds, after one run to warm up."""
    action()
    times = []
    for _ in range(repetitions):
        started = time.perf_counter()
        action()
        times.append(time.perf_counter() - started)
    return statistics.median(times) * 1e3
