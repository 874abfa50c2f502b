"""TPC-H: what each query costs the source against the raw query, in CPU time of the backend, and how long it is planned.

Queries go through the wire, under policies/tpch.yaml with more budget. A session that sets another epsilon asks another
question, so that each repetition is planned and measured anew. EXPLAIN is parsing, proofs, bounds and price, with the
stage's round trips for constants and types, and the ledger's for what remains. Planning is the CPU time that this takes
in the proxy and in the client, which is the same process: an upper bound.

Needs Linux, whose scheduler tells the CPU time of a process.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from pathlib import Path

import psycopg
from psycopg.rows import TupleRow

from proxy.policy.model import Policy, TableBudget, TablePolicy, Unit
from proxy.postgres.databases import LEDGER_DATABASE, ensure_database
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.postgres.source_connection import PINNED_SETTINGS
from proxy.serving.options import ServiceOptions
from tests.end_to_end.running import RunningProxy
from tests.tpch.expectations import ANSWERED, QUERIES
from tests.tpch.loading import generate, load
from tests.tpch.policies import tpch_policy

Connection = psycopg.Connection[TupleRow]

PLENTIFUL = TableBudget(epsilon=Decimal("1e15"), delta=Decimal("1e-3"))
LARGEST_EPSILON = Decimal("1e6")
SOURCE_TIMEOUT_SECONDS = 1800.0


@dataclass(frozen=True)
class Cost:
    """Seconds that one query took: of the source's CPU raw and measured, of our own CPU and of the clock to EXPLAIN it."""

    raw: float
    measured: float
    planning: float
    explaining: float

    @property
    def ratio(self) -> float:
        return self.measured / self.raw


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this program."""
    parser.add_argument("--scale", type=float, default=1.0, help="1 is a gigabyte of data (default: 1)")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument(
        "--data", type=Path, help="directory that keeps the generated files between runs (default: a temporary one)"
    )
    parser.add_argument("--queries", nargs="+", choices=ANSWERED, default=ANSWERED, metavar="Q", help="such as Q1 Q6")


def run(arguments: argparse.Namespace) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as temporary:
        files = generated_files(arguments.data or Path(temporary), arguments.scale)
        with loaded_source(files) as source_dsn, _running(source_dsn) as proxy:
            print(f"scale {arguments.scale:g}, medians of {arguments.repetitions} repetitions")
            print(f"{'':6} {'CPU ratio':>10} {'raw ms':>10} {'measured ms':>12} {'planning ms':>12} {'EXPLAIN ms':>11}")
            with psycopg.connect(source_dsn, autocommit=True) as source, proxy.connect() as client:
                _settle(source)
                bench = _Bench(source, client, arguments.repetitions)
                _print_costs(bench, arguments.queries)


def _print_costs(bench: _Bench, names: Sequence[str]) -> None:
    ratios = []
    for name in names:
        try:
            cost = bench.cost(QUERIES[name])
        except (psycopg.errors.FeatureNotSupported, psycopg.errors.InsufficientPrivilege) as refusal:
            print(f"{name:6} refused: {refusal.diag.message_primary}", flush=True)
            continue
        if cost is None:
            print(f"{name:6} reads public tables only: the stage answers it", flush=True)
            continue
        ratios.append(cost.ratio)
        print(_line(name, cost), flush=True)
    if ratios:
        print(f"{'median':6} {statistics.median(ratios):9.2f}x over {len(ratios)} queries")


def _line(name: str, cost: Cost) -> str:
    raw, measured, planning, explaining = (
        1e3 * seconds for seconds in (cost.raw, cost.measured, cost.planning, cost.explaining)
    )
    return f"{name:6} {cost.ratio:9.2f}x {raw:10.1f} {measured:12.1f} {planning:12.2f} {explaining:11.2f}"


def generated_files(directory: Path, scale: float) -> Path:
    """The directory of the data's files, generated unless an earlier run left them there."""
    files = directory / f"scale-{scale:g}"
    if not files.exists():
        unfinished = Path(tempfile.mkdtemp(dir=directory))
        generate(unfinished, scale)
        unfinished.rename(files)
    return files


@contextmanager
def loaded_source(files: Path) -> Iterator[str]:
    """Connection string of a source with the data of `files`."""
    with (
        tempfile.TemporaryDirectory() as directory,
        EmbeddedPostgres(Path(directory) / "source", durable=False) as server,
    ):
        dsn = ensure_database(server.dsn(), "tpch")
        started = time.perf_counter()
        load(dsn, files)
        print(f"loaded in {time.perf_counter() - started:.0f} s", flush=True)
        with psycopg.connect(dsn, autocommit=True) as connection:
            # One process for each query, so that its CPU time is all of it.
            connection.execute("ALTER DATABASE tpch SET max_parallel_workers_per_gather = 0")
        yield dsn


@contextmanager
def _running(source_dsn: str) -> Iterator[RunningProxy]:
    with tempfile.TemporaryDirectory() as directory, EmbeddedPostgres(Path(directory) / "stage") as stage:
        options = ServiceOptions(
            generous(tpch_policy()),
            source_dsn,
            stage.dsn(),
            ensure_database(stage.dsn(), LEDGER_DATABASE),
            owns_stage_cluster=True,
            port=0,
            source_timeout=SOURCE_TIMEOUT_SECONDS,
        )
        with RunningProxy(options, "tpch") as proxy:
            yield proxy


def generous(policy: Policy) -> Policy:
    """The policy with budget for any number of repetitions; bounds and contributions stay as they are."""
    tables = {name: table if table.public else _generous(table) for name, table in policy.tables.items()}
    return policy.model_copy(update={"tables": tables, "units": {name: Unit() for name in policy.units}})


def _generous(table: TablePolicy) -> TablePolicy:
    query = table.query.model_copy(
        update={"max_epsilon": LARGEST_EPSILON, "min_epsilon": Decimal("1e-4"), "delta": Decimal("1e-9")}
    )
    return table.model_copy(update={"budget": PLENTIFUL, "per_analyst": None, "query": query})


def _settle(source: Connection) -> None:
    """Give raw queries the source queries' memory and no JIT, which would cost them more than it brings here.

    How to join is left to the planner, which is as the owner would run them.
    """
    for name in ("work_mem", "jit"):
        source.execute("SELECT set_config(%s, %s, false)", (name, PINNED_SETTINGS[name]))


class _Bench:
    """Measures one query at a time.

    Args:
        source: the owner's session.
        client: an analyst's session on the proxy.
        repetitions: of everything, after one to warm up.
    """

    def __init__(self, source: Connection, client: Connection, repetitions: int) -> None:
        self._source = source
        self._client = client
        self._repetitions = repetitions

    def cost(self, query: str) -> Cost | None:
        """Medians over the repetitions, raw and measured in turn; None if no private table is read.

        Raises:
            psycopg.Error: the proxy refuses the query.
        """
        costs = [self._once(query, repetition) for repetition in range(self._repetitions + 1)][1:]
        if not any(cost.measured for cost in costs):
            return None
        return Cost(
            statistics.median(cost.raw for cost in costs),
            statistics.median(cost.measured for cost in costs),
            statistics.median(cost.planning for cost in costs),
            statistics.median(cost.explaining for cost in costs),
        )

    def _once(self, query: str, repetition: int) -> Cost:
        # Each repetition asks with an epsilon of its own; the source query on the source is the same.
        self._client.execute(f"SET dp.epsilon = '0.{repetition + 1:04d}'".encode())
        clock, cpu = time.perf_counter(), time.process_time()
        self._client.execute(f"EXPLAIN {query}".encode())
        explaining, planning = time.perf_counter() - clock, time.process_time() - cpu
        raw = _cpu_seconds(partial(self._source.execute, query.encode()), lambda: [self._source.info.backend_pid])
        # All that the source does for the query: locks, checks of proofs, every source query.
        measured = _cpu_seconds(partial(self._client.execute, query.encode()), self._proxy_processes)
        return Cost(raw, measured, planning, explaining)

    def _proxy_processes(self) -> list[int]:
        """The source's processes that serve the proxy."""
        query = "SELECT pid FROM pg_stat_activity WHERE application_name = 'dpproxy' AND datname = current_database()"
        return [pid for (pid,) in self._source.execute(query)]


def _cpu_seconds(action: Callable[[], object], processes: Callable[[], Sequence[int]]) -> float:
    """CPU time of the processes while the action runs; those that come up in it count from their start."""
    before = {pid: _scheduled(pid) for pid in processes()}
    action()
    return sum(_scheduled(pid) - before.get(pid, 0.0) for pid in processes())


def _scheduled(pid: int) -> float:
    """CPU time of a process since its start."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
