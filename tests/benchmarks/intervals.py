"""How often noise intervals hold what is true, through a proxy: the goal is 95 % ± 1 %.

Groups of several sizes, both kinds of noise. In small groups, where the noise can make a denominator from nothing, the
intervals of quotients are wide and hold it more often.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import psycopg

from proxy.postgres.databases import ensure_database
from proxy.postgres.embedded import EmbeddedPostgres
from tests.benchmarks.demo_proxy import running_proxy
from tests.end_to_end import clinic, coverage

PLAIN = ("count(*)", "sum(y)", "avg(x)", "sum(x)")
MOMENTS = (
    "variance(x)",
    "stddev_pop(x)",
    "covar_pop(x, y)",
    "corr(x, y)",
    "regr_slope(x, y)",
    "regr_intercept(x, y)",
    "regr_r2(x, y)",
)
EXPRESSIONS = (
    "sum(y) / count(*)",
    "avg(x) - avg(y)",
    "sum(x) - 2 * sum(y)",
    "sum(y) / nullif(sum(x), 0)",
    "100.0 * count(*) FILTER (WHERE x > 55) / nullif(count(*), 0)",
)
GROUPS = 500
EPSILONS = {"gaussian": "0.25", "laplace": "0.5"}
SIZES = {PLAIN: (1_000, 300, 30), MOMENTS: (3_000, 1_000, 300), EXPRESSIONS: (1_000, 300)}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this program."""
    parser.add_argument("--cells", type=int, default=20_000, help="cells per number (default: 20000)")
    parser.add_argument("--confidence", default="0.95", help="of the intervals (default: 0.95)")


def run(arguments: argparse.Namespace) -> None:
    """Measure and print."""
    repetitions = -(-arguments.cells // GROUPS)
    error = (0.95 * 0.05 / (repetitions * GROUPS)) ** 0.5
    print(f"coverage of {arguments.confidence} intervals in {repetitions * GROUPS} cells, ± {error:.2%} by chance")
    for aggregates, sizes in SIZES.items():
        print(f"\n{'':26}" + "".join(f"{aggregate:>21.21}" for aggregate in aggregates))
        for rows in sizes:
            _measure(aggregates, rows, repetitions, arguments.confidence)


def _measure(aggregates: tuple[str, ...], rows: int, repetitions: int, confidence: str) -> None:
    with (
        tempfile.TemporaryDirectory() as directory,
        EmbeddedPostgres(Path(directory) / "source", durable=False) as server,
    ):
        source_dsn = ensure_database(server.dsn(), "clinic")
        coverage.create(source_dsn, GROUPS, rows)
        with running_proxy(source_dsn, coverage.policy(GROUPS), clinic.PASSWORD) as proxy:
            for mechanism, epsilon in EPSILONS.items():
                with proxy.connect() as client, psycopg.connect(source_dsn, autocommit=True) as source:
                    client.execute(f"SET dp.mechanism = '{mechanism}'".encode())
                    client.execute(f"SET dp.epsilon = '{epsilon}'".encode())
                    found = coverage.coverage(client, source, aggregates, repetitions, confidence)
                line = "".join(f"{found[aggregate]:>21.2%}" for aggregate in aggregates)
                print(f"{mechanism:10} {rows:>5} rows each {line}", flush=True)
