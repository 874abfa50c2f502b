"""How much faster a Citus cluster answers when its two workers have twice the cores: a core for both, then one each."""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

import psycopg

from proxy.policy.load import examine_text
from proxy.postgres.catalog_reader import read_catalog
from proxy.postgres.cluster import reads_twice
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.postgres.source import Source
from proxy.postgres.transaction import SourceRequest
from proxy.sql.schema import Schema
from proxy.sql.source_queries.exact_sums import sums_sql
from tests.benchmarks.accuracy_clipping import POLICY, SKEW
from tests.benchmarks.skewed_visits import SCHEMA, fill_visits
from tests.benchmarks.source_cost import SKEWED
from tests.end_to_end.cluster import SHARDS, Cluster, running_cluster
from tests.planned import plan_of

_DISTRIBUTION = f"""
SELECT create_reference_table('countries');
SELECT create_distributed_table('visits', 'user_id', shard_count => {SHARDS})
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this program."""
    parser.add_argument("--repetitions", type=int, default=5, help="of each query, in turns (default: 5)")


def run(arguments: argparse.Namespace) -> None:
    """Measure and print: medians in milliseconds, and the ratio of the two."""
    cores = sorted(os.sched_getaffinity(0))[:2]
    if "DPPROXY_TEST_CITUS" not in os.environ or len(cores) < 2:
        raise SystemExit(
            "two cores, and DPPROXY_TEST_CITUS with a PostgreSQL with Citus, are needed: see tests/README.md"
        )
    with running_cluster() as cluster:
        owner = cluster.create_database("visits")
        _fill(owner)
        requests = _requests(owner)
        print("one core   a core each   ratio   query")
        ratios = []
        for query, request in requests.items():
            narrow, wide = [], []
            for _ in range(arguments.repetitions):
                narrow.append(_seconds(cluster, owner, request, (cores[0], cores[0])))
                wide.append(_seconds(cluster, owner, request, (cores[0], cores[1])))
            before, after = statistics.median(narrow) * 1e3, statistics.median(wide) * 1e3
            ratios.append(after / before)
            print(f"{before:8.0f} {after:13.0f} {after / before:7.2f}   {query}{_mark(request)}", flush=True)
        print(f"{statistics.geometric_mean(ratios):30.2f}   geometric mean")


def _fill(owner: str) -> None:
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(
            SCHEMA.replace("visit_id bigint PRIMARY KEY", "visit_id bigint")
            .replace("amount numeric(10,2) NOT NULL", "amount numeric(10,2) NOT NULL, PRIMARY KEY (user_id, visit_id)")
            .encode()
        )
        for statement in _DISTRIBUTION.split(";\n"):
            connection.execute(statement.encode())
    fill_visits(owner, SKEW)


def _requests(owner: str) -> Mapping[str, SourceRequest]:
    """What the proxy asks for each query."""
    policy = examine_text(POLICY, "policy.yaml", {}).policy
    assert policy is not None
    schema = Schema(policy, read_catalog(owner, list(policy.tables)))
    requests = {}
    for query in SKEWED:
        requests[query] = SourceRequest((sums_sql(plan_of(query, schema)),), tables=("public.visits",))
    return requests


def _seconds(cluster: Cluster, owner: str, request: SourceRequest, cores: Iterable[int]) -> float:
    """How long one source query takes, on a second run of a new session."""
    for worker, core in zip(cluster.workers, cores, strict=True):
        _confine(worker, core)

    async def measure() -> float:
        source = Source(owner, None)
        try:
            await source.run(request)
            started = time.perf_counter()
            await source.run(request)
            return time.perf_counter() - started
        finally:
            await source.close()

    return asyncio.run(measure())


def _confine(server: EmbeddedPostgres, core: int) -> None:
    """A server, and all that it will start, run on one core."""
    postmaster = int((server.data_directory / "postmaster.pid").read_text().splitlines()[0])
    children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
    for process in (postmaster, *map(int, children)):
        # A session of the last measurement may end meanwhile.
        with suppress(ProcessLookupError):
            os.sched_setaffinity(process, {core})


def _mark(request: SourceRequest) -> str:
    """Of what has one connection to each worker."""
    return " (one snapshot)" if any(reads_twice(text, request.tables) for text in request.statements) else ""
