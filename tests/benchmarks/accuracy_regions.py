"""How far from the truth is a query with COUNT, SUM and AVG by region of the demo's visits, clipping included?

Asked through the wire, of the demo's data under the demo's policy with more budget. "ε = 1, δ = 1e-6" can be read in
two ways, and both are measured:

- strict: all that the query reveals is (1, 1e-6)-DP. Its price is the largest ρ that converts to that (theorem 14).
- per query: the query's epsilon is 1, as with `SET dp.epsilon = 1`; its ρ is 1/2, for an account with delta.

Each repetition adds a condition that is always true, since the same question would be answered with the same numbers.
The last row has next to no noise: what is left is clipping.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from fractions import Fraction
from typing import TypeAlias

import psycopg
from psycopg.rows import TupleRow

from proxy.demo.clinic import exact_rows
from proxy.demo.data import DEFAULT_ROWS
from proxy.demo.play import demo_policy
from proxy.dp.conversion import largest_rho
from proxy.dp.mechanisms import gaussian_rho
from proxy.policy.model import Policy, TableBudget
from tests.benchmarks.demo_proxy import loaded_clinic, running_proxy
from tests.dp.conversion import conversion_delta

Connection: TypeAlias = psycopg.Connection[TupleRow]

EPSILON, DELTA = Fraction(1), Fraction(1, 10**6)
GOALS = {"count(*)": 0.01, "sum(cost)": 0.02, "avg(cost)": 0.01}
QUESTION = "SELECT region, {columns} FROM visits WHERE visit_id > {bound} GROUP BY region ORDER BY region"
PLENTIFUL = TableBudget(epsilon=Decimal("1e12"), delta=Decimal("1e-6"))
LARGEST_EPSILON = Decimal("1e6")


@dataclass(frozen=True)
class Reading:
    """A meaning of "ε = 1, δ = 1e-6", as the epsilon that a session sets."""

    name: str
    epsilon: Decimal


def readings() -> list[Reading]:
    # A query's epsilon q buys ρ = q²/2; rounded down, so that the price is not above the largest ρ.
    strict = (2 * Decimal(float(largest_rho(EPSILON, DELTA)))).sqrt().quantize(Decimal("1e-6"), ROUND_DOWN)
    if conversion_delta(gaussian_rho(Fraction(strict)), EPSILON) > DELTA:
        raise AssertionError("the strict reading spends more than (1, 1e-6)")
    return [
        Reading("strict: the answer is (1, 1e-6)-DP", strict),
        Reading("per query: dp.epsilon = 1", Decimal(1)),
        Reading("clipping alone: dp.epsilon = 1e6", LARGEST_EPSILON),
    ]


def generous(policy: Policy) -> Policy:
    """The demo's policy with budget for any number of repetitions; bounds and contributions stay as they are."""
    visits = policy.tables["public.visits"]
    query = visits.query.model_copy(update={"max_epsilon": LARGEST_EPSILON, "min_epsilon": Decimal("1e-3")})
    changes = {"budget": PLENTIFUL, "per_analyst": PLENTIFUL, "query": query}
    tables = {**policy.tables, "public.visits": visits.model_copy(update=changes)}
    return policy.model_copy(update={"tables": tables})


def relative_errors(exact: Sequence[Sequence[object]], noisy: Sequence[Sequence[object]]) -> list[list[float]]:
    """For each column after the key, the relative error in each region."""
    by_region = {row[0]: row for row in exact}
    errors: list[list[float]] = [[] for _ in GOALS]
    for row in noisy:
        for index, column in enumerate(errors, start=1):
            truth = float(str(by_region[row[0]][index]))
            column.append(abs(float(str(row[index])) - truth) / truth)
    return errors


def measure(connection: Connection, source: str, reading: Reading, repetitions: int) -> list[list[float]]:
    """The relative errors of all regions and repetitions, for each column."""
    columns = ", ".join(GOALS)
    exact = exact_rows(source, QUESTION.format(columns=columns, bound=0))
    connection.execute(f"SET dp.epsilon = '{reading.epsilon}'".encode())
    notices: list[str | None] = []
    connection.add_notice_handler(lambda diagnostic: notices.append(diagnostic.message_primary))
    errors: list[list[float]] = [[] for _ in GOALS]
    for repetition in range(repetitions):
        noisy = connection.execute(QUESTION.format(columns=columns, bound=-repetition).encode()).fetchall()
        for column, found in zip(errors, relative_errors(exact, noisy), strict=True):
            column += found
    if sum("charged" in (notice or "") for notice in notices) != repetitions:
        raise AssertionError("an answer was recalled instead of measured")
    return errors


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this part."""
    parser.add_argument("--rows", type=int, default=DEFAULT_ROWS, help=f"visits (default: {DEFAULT_ROWS})")
    parser.add_argument("--repetitions", type=int, default=50)


def run(arguments: argparse.Namespace) -> None:
    """Measure and print."""
    print(f"median relative error over regions and {arguments.repetitions} repetitions, clipping included")
    print(f"{'':44} {'rho':>8}" + "".join(f"{name:>12}" for name in GOALS))
    print(f"{'goal':44} {'':8}" + "".join(f"{goal:>12.2%}" for goal in GOALS.values()))
    with loaded_clinic(arguments.rows) as source, running_proxy(source, generous(demo_policy())) as proxy:
        for reading in readings():
            with psycopg.connect(proxy.dsn(), autocommit=True) as connection:
                errors = measure(connection, source, reading, arguments.repetitions)
            rho = float(gaussian_rho(Fraction(reading.epsilon)))
            print(
                f"{reading.name:44} {rho:8.4g}"
                + "".join(f"{statistics.median(measured):>12.2%}" for measured in errors)
            )
