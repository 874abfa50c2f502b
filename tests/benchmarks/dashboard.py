"""A dashboard of twelve charts, asked on six connections: when all of them are there, fresh and recalled."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import psycopg

from tests.benchmarks.bystanders import client_dsn, serving
from tests.benchmarks.demo_proxy import loaded_clinic

CONNECTIONS = 6
CHARTS = (
    "SELECT count(*) FROM visits",
    "SELECT count(*) FROM patients",
    "SELECT count(DISTINCT patient_id) FROM visits",
    "SELECT sum(cost) FROM visits",
    "SELECT region, count(*) FROM visits GROUP BY region ORDER BY 2 DESC",
    "SELECT specialty, count(*), avg(minutes) FROM visits GROUP BY specialty ORDER BY 1",
    "SELECT date_trunc('month', visited_at) AS month, count(*) FROM visits GROUP BY 1 ORDER BY 1",
    "SELECT date_trunc('month', visited_at) AS month, specialty, sum(cost) FROM visits GROUP BY 1, 2 ORDER BY 1, 2",
    "SELECT sex, count(*) FROM patients GROUP BY sex ORDER BY 1",
    "SELECT birth_year / 10 * 10 AS decade, count(*) FROM patients GROUP BY 1 ORDER BY 1",
    "SELECT region, avg(cost) FROM visits WHERE minutes > 30 GROUP BY region ORDER BY 2 DESC LIMIT 3",
    "SELECT r.zone, count(*) FROM visits v JOIN regions r ON r.name = v.region GROUP BY 1 ORDER BY 1",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this program."""
    parser.add_argument("--rows", type=int, default=1_000_000, help="visits in the clinic (default: 1000000)")
    parser.add_argument("--repetitions", type=int, default=50, help="of the recalled dashboard (default: 50)")


def run(arguments: argparse.Namespace) -> None:
    """Measure and print. The source's own share: the same questions without privacy, on as many connections."""
    with loaded_clinic(arguments.rows) as source, serving(source, budget=1_000_000) as (port, _):
        print("all twelve charts after, s; median and 99 % of one chart, ms")
        _shown("plain, on the source", [_loaded(source)])
        _shown("fresh", [_loaded(client_dsn(port, "ana"))])
        _shown("recalled", [_loaded(client_dsn(port, "ana")) for _ in range(arguments.repetitions)])


def _loaded(dsn: str) -> tuple[float, list[float]]:
    """How long all the charts took, and each of them, in seconds; connecting is not counted."""
    connections = [psycopg.connect(dsn, autocommit=True) for _ in range(CONNECTIONS)]
    try:
        with ThreadPoolExecutor(CONNECTIONS) as browsers:
            begun = time.perf_counter()
            took = list(browsers.map(_asked, connections, [CHARTS[i::CONNECTIONS] for i in range(CONNECTIONS)]))
            return time.perf_counter() - begun, [each for of_one in took for each in of_one]
    finally:
        for connection in connections:
            connection.close()


def _asked(connection: psycopg.Connection, charts: Sequence[str]) -> list[float]:
    took = []
    for chart in charts:
        begun = time.perf_counter()
        connection.execute(chart.encode()).fetchall()
        took.append(time.perf_counter() - begun)
    return took


def _shown(name: str, loads: Sequence[tuple[float, list[float]]]) -> None:
    whole = statistics.median(load for load, _ in loads)
    each = sorted(took for _, charts in loads for took in charts)
    middle, most = each[len(each) // 2] * 1e3, each[len(each) * 99 // 100] * 1e3
    print(f"{name:22} {whole:8.2f} {middle:10.1f} {most:10.1f}", flush=True)
