"""How many rows is a median off? 100 000 people with one income each, asked through the wire at ρ = 0.005."""

from __future__ import annotations

import argparse
import statistics
from fractions import Fraction

import psycopg

from proxy.dp.mechanisms import gaussian_rho
from tests.benchmarks.people import people

ROWS = 100_000
EPSILON = "0.1"
GOAL = 10
QUESTION = "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY income) FROM people WHERE person_id > {bound}"


def rank_error(source: psycopg.Connection, median: float) -> float:
    """Distance in rows from the middle to the rows that have this value, or would stand where it is."""
    counts = (
        "SELECT count(*) FILTER (WHERE income < %(at)s), count(*) FILTER (WHERE income <= %(at)s), count(*) FROM people"
    )
    below, until, rows = source.execute(counts.encode(), {"at": round(median, 2)}).fetchone() or (0, 0, 0)
    return max(float(below - rows / 2), float(rows / 2 - until), 0.0)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this part."""
    parser.add_argument("--repetitions", type=int, default=50)


def run(arguments: argparse.Namespace) -> None:
    """Measure and print."""
    repetitions = arguments.repetitions
    with people(ROWS) as table, table.proxy.connect() as client, psycopg.connect(table.source) as source:
        client.execute(f"SET dp.epsilon = '{EPSILON}'".encode())
        errors = []
        for repetition in range(repetitions):
            # Always true, and another question each time.
            ((median,),) = client.execute(QUESTION.format(bound=-repetition).encode()).fetchall()
            errors.append(rank_error(source, median))
    print(f"rank error of a median of {ROWS} rows at rho {float(gaussian_rho(Fraction(EPSILON))):g}")
    within = sum(error <= GOAL for error in errors) / repetitions
    print(f"{repetitions} releases: median {statistics.median(errors):g} rows, maximum {max(errors):g}")
    print(f"{within:.0%} are at most {GOAL} rows off")
