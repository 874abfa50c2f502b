"""COUNT, SUM and AVG by 30 countries under a policy without any bound, against the best fixed threshold in hindsight.

A million visits of 50 000 very unequal people. Each aggregate is asked by itself, and chooses its threshold from the
data for a tenth of its price (theorem 22). Hindsight has all of the price for its noise, and tries every threshold on
the exact data: for an average the same ones for sum and count, with half of the price each.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import psycopg
from numpy.typing import NDArray

from proxy.dp.clipping import threshold
from proxy.dp.mechanisms import gaussian_rho
from proxy.policy.load import load_policy
from proxy.postgres.databases import LEDGER_DATABASE, ensure_database
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.serving.options import ServiceOptions
from tests.benchmarks.skewed_visits import COUNTRIES, Skew, loaded_visits
from tests.end_to_end.clinic import PASSWORD, VERIFIER
from tests.end_to_end.running import RunningProxy

SKEW = Skew(activity=1.2, home=0.95, countries=1.1, amounts=0.9)
EPSILONS = ("0.0316", "0.1", "0.18", "0.5")
AGGREGATES = ("count(*)", "sum(amount)", "avg(amount)")
TRIALS = 40
QUESTION = "SELECT country, {aggregate} FROM visits WHERE visit_id > {bound} GROUP BY country"
POLICY = f"""\
version: 1
analysts:
  ana: {{password: "{VERIFIER}"}}
units:
  person: {{}}
tables:
  public.countries: {{public: true}}
  public.visits:
    unit: {{name: person, column: user_id}}
    budget: {{epsilon: 1000, delta: 1e-6}}
    query: {{epsilon: 0.1, max_epsilon: 1, mechanism: gaussian}}
    columns:
      visit_id: {{}}
      user_id: {{}}
      country: {{values_from: public.countries.name}}
      amount: {{}}
"""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PerUnit:
    """What each person has in each country: `rows` and `cents`, of `person` in `country`."""

    person: NDArray[np.intp]
    country: NDArray[np.intp]
    rows: Numbers
    cents: Numbers

    def totals(self, values: Numbers) -> Numbers:
        """By country."""
        found: Numbers = np.bincount(self.country, values, len(COUNTRIES)).astype(np.float64)
        return found

    def clipped(self, values: Numbers, limit: float) -> Numbers:
        """Totals of people scaled down to an L2 norm."""
        norms = np.sqrt(np.bincount(self.person, values**2))
        return self.totals(values * np.minimum(1, limit / np.maximum(norms, 1e-9)[self.person]))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this part."""
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--users", type=int, default=SKEW.users)
    parser.add_argument("--visits", type=int, default=SKEW.visits)


def run(arguments: argparse.Namespace) -> None:
    """Measure and print."""
    skew = Skew(arguments.users, arguments.visits, SKEW.activity, SKEW.home, SKEW.countries, SKEW.amounts)
    print(f"median relative error of {len(COUNTRIES)} countries, {arguments.repetitions} repetitions; {skew}")
    print(f"{'':12}{'rho':>9}{'hindsight':>11}{'chosen':>9}{'ratio':>7}")
    with loaded_visits(skew) as source, TemporaryDirectory() as directory:
        known = _per_unit(source)
        with EmbeddedPostgres(Path(directory) / "stage") as stage:
            file = Path(directory) / "policy.yaml"
            file.write_text(POLICY)
            ledger = ensure_database(stage.dsn(), LEDGER_DATABASE)
            options = ServiceOptions(load_policy(file), source, stage.dsn(), ledger, owns_stage_cluster=True, port=0)
            with RunningProxy(options, "source", PASSWORD) as proxy, proxy.connect() as client:
                numbers = itertools.count(-1, -1)
                for epsilon, aggregate in itertools.product(EPSILONS, AGGREGATES):
                    errors = [
                        _asked(client, epsilon, aggregate, next(numbers), _exact(known, aggregate))
                        for _ in range(arguments.repetitions)
                    ]
                    rho = float(gaussian_rho(Fraction(epsilon)))
                    best, chosen = _hindsight(known, aggregate, rho), statistics.median(errors)
                    print(f"{aggregate:12}{rho:9.4g}{best:11.2%}{chosen:9.2%}{chosen / best:7.2f}", flush=True)


def _per_unit(source: str) -> PerUnit:
    text = (
        "SELECT user_id, substr(country, 9)::int - 1, count(*), (100 * sum(amount))::bigint FROM visits GROUP BY 1, 2"
    )
    with psycopg.connect(source) as connection:
        columns = list(zip(*connection.execute(text.encode()).fetchall(), strict=True))
    person = np.unique(np.array(columns[0]), return_inverse=True)[1]
    return PerUnit(person, np.array(columns[1]), *(np.array(column, dtype=np.float64) for column in columns[2:]))


def _exact(known: PerUnit, aggregate: str) -> Numbers:
    rows, sums = known.totals(known.rows), known.totals(known.cents) / 100
    return {"count(*)": rows, "sum(amount)": sums, "avg(amount)": sums / rows}[aggregate]


def _asked(client: psycopg.Connection, epsilon: str, aggregate: str, bound: int, exact: Numbers) -> float:
    """The median relative error of one release; the condition is always true, and makes another question each time."""
    client.execute(f"SET dp.epsilon = '{epsilon}'".encode())
    answered: dict[str, float] = dict(
        client.execute(QUESTION.format(aggregate=aggregate, bound=bound).encode()).fetchall()
    )
    return _error(np.array([float(answered[name] or 0) for name in COUNTRIES]), exact)


def _error(numbers: Numbers, exact: Numbers) -> float:
    return float(np.median(np.abs(numbers - exact) / exact))


def _hindsight(known: PerUnit, aggregate: str, rho: float) -> float:
    """The least median error of any fixed thresholds."""
    generator = np.random.default_rng(1)
    exact = _exact(known, aggregate)
    half = rho / 2 if aggregate == "avg(amount)" else rho

    def noisy(values: Numbers, limit: float) -> Callable[[], Numbers]:
        clipped = known.clipped(values, limit)
        return lambda: clipped + generator.normal(0, limit / np.sqrt(2 * half), len(clipped))

    counts = [noisy(known.rows, float(threshold(index))) for index in range(4, 24)]
    sums = [noisy(known.cents / 100, float(threshold(index)) / 100) for index in range(20, 50)]
    draws: Iterable[Callable[[], Numbers]] = {"count(*)": counts, "sum(amount)": sums}.get(aggregate, [])
    if aggregate == "avg(amount)":
        draws = [partial(_quotient, *pair) for pair in itertools.product(sums[::2], counts[::2])]
    return min(statistics.median(_error(draw(), exact) for _ in range(TRIALS)) for draw in draws)


def _quotient(total: Callable[[], Numbers], count: Callable[[], Numbers]) -> Numbers:
    return total() / np.maximum(count(), 1)
