"""What a source query costs the source against the raw query: CPU time of the backend, as a ratio in one run."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

import psycopg

from proxy.demo.play import demo_policy
from proxy.policy.load import examine_text
from proxy.policy.model import Policy
from proxy.postgres.catalog_reader import read_catalog
from proxy.postgres.source_connection import PINNED_SETTINGS
from proxy.sql.schema import Schema
from proxy.sql.source_queries.exact_sums import sums_sql
from tests.benchmarks.accuracy_clipping import POLICY, SKEW
from tests.benchmarks.demo_proxy import loaded_clinic
from tests.benchmarks.skewed_visits import loaded_visits
from tests.planned import plan_of

QUERIES = (
    "SELECT count(*) FROM patients",
    "SELECT region, count(*) FROM patients GROUP BY region",
    "SELECT region, avg(birth_year) FROM patients GROUP BY region",
    "SELECT count(*) FROM visits",
    "SELECT sum(cost) FROM visits",
    "SELECT count(DISTINCT patient_id) FROM visits",
    "SELECT region, count(*) FROM visits GROUP BY region",
    "SELECT region, count(*), sum(cost), avg(cost) FROM visits GROUP BY region",
    "SELECT specialty, avg(minutes) FROM visits WHERE cost > 100 GROUP BY specialty",
    "SELECT date_trunc('month', visited_at), count(*) FROM visits GROUP BY 1",
    "SELECT diagnosis, count(*) FROM visits GROUP BY diagnosis",
    "SELECT count(DISTINCT diagnosis) FROM visits",
    "SELECT region, count(DISTINCT minutes) FROM visits GROUP BY region",
    "SELECT count(*), count(DISTINCT visit_id) FROM visits",
)

SKEWED = (
    "SELECT count(*) FROM visits",
    "SELECT sum(amount) FROM visits",
    "SELECT country, count(*) FROM visits GROUP BY country",
    "SELECT country, sum(amount) FROM visits GROUP BY country",
    "SELECT country, count(*), sum(amount), avg(amount) FROM visits GROUP BY country",
    "SELECT country, count(DISTINCT user_id) FROM visits GROUP BY country",
    "SELECT country, stddev(least(greatest(amount, 0), 1000)) FROM visits GROUP BY country",
    "SELECT country, stddev(least(greatest(amount::double precision, 0), 1000)) FROM visits GROUP BY country",
    "SELECT visit_id % 50, count(*) FROM visits GROUP BY 1",
    "SELECT country, visit_id % 4, count(*) FROM visits GROUP BY 1, 2",
)
"""Of a million visits of very unequal people, under a policy without any bound."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this program."""
    parser.add_argument("--rows", type=int, default=200_000, help="visits in the clinic (default: 200000)")
    parser.add_argument("--repetitions", type=int, default=15)


def run(arguments: argparse.Namespace) -> None:
    """Measure and print: medians of the paired ratios, source query / raw query."""
    with loaded_clinic(arguments.rows) as source:
        _compare_all(source, demo_policy(), QUERIES, arguments.repetitions)
    with loaded_visits(SKEW) as source:
        unbounded = examine_text(POLICY, "policy.yaml", {}).policy
        assert unbounded is not None
        _compare_all(source, unbounded, SKEWED, max(arguments.repetitions // 3, 3))


def _compare_all(source: str, policy: Policy, queries: Sequence[str], repetitions: int) -> None:
    schema = Schema(policy, read_catalog(source, list(policy.tables)))
    with psycopg.connect(source, autocommit=True) as connection:
        for name, value in PINNED_SETTINGS.items():
            if name != "search_path":
                connection.execute("SELECT set_config(%s, %s, false)", (name, value))
        # One process, so that its CPU time is all of it.
        connection.execute("SET max_parallel_workers_per_gather = 0")
        print("CPU ratio   raw ms   measured ms   path")
        ratios = [_compare(connection, query, schema, repetitions) for query in queries]
        print(f"{statistics.geometric_mean(ratios):8.2f}x geometric mean", flush=True)


def _compare(connection: psycopg.Connection, query: str, schema: Schema, repetitions: int) -> float:
    plan = plan_of(query, schema)
    source_query = sums_sql(plan)
    raw, measured = [], []
    _cpu_seconds(connection, query)
    _cpu_seconds(connection, source_query)
    for _ in range(repetitions):
        raw.append(_cpu_seconds(connection, query))
        measured.append(_cpu_seconds(connection, source_query))
    ratio = statistics.median(after / before for after, before in zip(measured, raw, strict=True))
    print(
        f"{ratio:8.2f}x {statistics.median(raw) * 1e3:8.2f} {statistics.median(measured) * 1e3:13.2f}   "
        f"{plan.path:12}  {query}",
        flush=True,
    )
    return ratio


def _cpu_seconds(connection: psycopg.Connection, query: str) -> float:
    """CPU time that the backend spent on one execution; wall time where the kernel does not tell."""
    schedule = Path(f"/proc/{connection.info.backend_pid}/schedstat")
    started = time.perf_counter()
    before = int(schedule.read_text().split()[0]) if schedule.exists() else None
    connection.execute(query.encode())
    if before is None:
        return time.perf_counter() - started
    return (int(schedule.read_text().split()[0]) - before) / 1e9
