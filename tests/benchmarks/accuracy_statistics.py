"""One query with 50 numbers that each person is in: Gaussian against Laplace noise at the same (ε, δ) (theorem 16)."""

from __future__ import annotations

import argparse
import math
import statistics
from fractions import Fraction
from itertools import chain

import psycopg

from proxy.dp.calibration import analytic_gaussian_sigma
from proxy.dp.conversion import largest_rho
from tests.benchmarks.people import STATISTICS, people

ROWS = 20_000
EPSILON, DELTA = Fraction(1), Fraction(1, 10**5)
COUNTS = ", ".join(f"count(*) FILTER (WHERE c{index})" for index in range(STATISTICS))
QUESTION = f"SELECT {COUNTS} FROM people WHERE person_id > {{bound}}"


def errors_of(client: psycopg.Connection, exact: tuple[int, ...], repetitions: int) -> list[int]:
    """The errors of all numbers in all repetitions."""
    found = []
    for repetition in range(repetitions):
        (noisy,) = client.execute(QUESTION.format(bound=-repetition).encode()).fetchall()
        found.append([value - truth for value, truth in zip(noisy, exact, strict=True)])
    return list(chain.from_iterable(found))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this part."""
    parser.add_argument("--repetitions", type=int, default=50)


def run(arguments: argparse.Namespace) -> None:
    """Measure and print."""
    repetitions = arguments.repetitions
    print(
        f"{STATISTICS} counts that each person is in, at epsilon {EPSILON}, delta {float(DELTA):g}; {repetitions} releases"
    )
    print(f"{'noise':24} {'mean |error|':>13} {'deviation':>10} {'expected':>9}")
    norm = math.sqrt(STATISTICS)
    expected = {
        ("gaussian", "zcdp"): norm / math.sqrt(2 * float(largest_rho(EPSILON, DELTA))),
        ("gaussian", "analytic"): analytic_gaussian_sigma(float(EPSILON), float(DELTA), norm),
        ("laplace", "zcdp"): math.sqrt(2) * STATISTICS / float(EPSILON),
    }
    with people(ROWS) as table, table.proxy.connect() as client, psycopg.connect(table.source) as source:
        client.execute(f"SET dp.epsilon = {EPSILON}; SET dp.delta = '{float(DELTA):g}'".encode())
        exact = source.execute(QUESTION.format(bound=0).encode()).fetchone() or ()
        for (mechanism, calibration), deviation in expected.items():
            client.execute(f"SET dp.mechanism = '{mechanism}'; SET dp.calibration = '{calibration}'".encode())
            errors = errors_of(client, exact, repetitions)
            mean = statistics.fmean(map(abs, errors))
            name = mechanism if mechanism == "laplace" else f"{mechanism}, {calibration}"
            print(f"{name:24} {mean:13.2f} {statistics.pstdev(errors):10.2f} {deviation:9.2f}")
