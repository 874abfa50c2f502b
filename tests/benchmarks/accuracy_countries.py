"""COUNT, SUM and AVG of a million skewed visits by 30 countries, ε = 1 and δ = 1e-6 for everything, bounds included.

Nobody tells the policy anything of the data: `dpproxy suggest-bounds` finds the bounds of the amounts and of the visits
of one person, and what is left of the budget pays for the query. Each repetition begins with a budget of its own. The
errors are against Postgres's own answers, so they hold what clipping takes away as well as the noise.

Peers are asked the same, at the same (ε, δ) for the query alone, with the bounds that the first repetition suggested.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from proxy.cli import main as dpproxy
from proxy.dp.accounting import Account
from proxy.policy.load import load_policy
from proxy.policy.model import Policy
from proxy.postgres.databases import LEDGER_DATABASE, ensure_database
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.serving.options import ServiceOptions
from tests.benchmarks.skewed_visits import COUNTRIES, Skew, loaded_visits
from tests.end_to_end.clinic import PASSWORD, VERIFIER
from tests.end_to_end.running import RunningProxy

EPSILON, DELTA = Fraction(1), Fraction(1, 10**6)
GOALS = {"count(*)": 0.005, "sum(amount)": 0.01, "avg(amount)": 0.005}
QUESTION = "SELECT country, count(*), sum(amount), avg(amount) FROM visits GROUP BY country ORDER BY country"
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
    budget: {{epsilon: 1, delta: 1e-6}}
    query: {{epsilon: 0.2, max_epsilon: 1}}
    columns:
      country: {{values_from: public.countries.name}}
      amount: {{step: 0.01}}
"""
PEERS = {"smartnoise": "SmartNoise SQL", "qrlew": "Qrlew"}

Errors = dict[str, list[float]]


@dataclass(frozen=True)
class Repetition:
    """One budget, spent: the policy with its suggested bounds, and the relative errors of each column."""

    policy: Policy
    errors: Errors


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this part."""
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--activity", type=float, default=Skew.activity, help="spread of how active people are")
    parser.add_argument("--home", type=float, default=Skew.home, help="share of a person's visits to one country")
    parser.add_argument("--amounts", type=float, default=Skew.amounts, help="spread of the amounts")
    parser.add_argument("--bounds-epsilon", default="0.05", help="price of the bounds (default: 0.05)")
    for name, system in PEERS.items():
        parser.add_argument(f"--{name}", metavar="PYTHON", help=f"the Python of an environment with {system}")


def run(arguments: argparse.Namespace) -> None:
    """Measure and print."""
    skew = Skew(activity=arguments.activity, home=arguments.home, amounts=arguments.amounts)
    print(f"median relative error of {len(COUNTRIES)} countries and {arguments.repetitions} repetitions; {skew}")
    _print("goal", {name: [goal] for name, goal in GOALS.items()})
    with loaded_visits(skew) as source:
        exact = _exact(source)
        repetitions = [repeat(source, exact, arguments.bounds_epsilon) for _ in range(arguments.repetitions)]
        errors = {name: [error for repetition in repetitions for error in repetition.errors[name]] for name in GOALS}
        _print("dpproxy, bounds included", errors)
        visits = repetitions[0].policy.tables["public.visits"]
        print(
            f"  first bounds: {visits.contribution}, amount {visits.columns['amount'].bounds if visits.columns else ''}"
        )
        for name, system in PEERS.items():
            python = getattr(arguments, name)
            if python is not None:
                _print(f"{system}, the query alone", peer_errors(name, python, source, exact, repetitions[0].policy))


def repeat(source: str, exact: Mapping[str, Sequence[float]], bounds_epsilon: str) -> Repetition:
    """Suggest bounds, then ask with all that is left."""
    with TemporaryDirectory() as directory, EmbeddedPostgres(Path(directory) / "stage") as stage:
        file = Path(directory) / "policy.yaml"
        file.write_text(POLICY)
        ledger = ensure_database(stage.dsn(), LEDGER_DATABASE)
        asked = [
            "--table",
            "public.visits",
            "--column",
            "amount",
            "--max-rows",
            "--group-by",
            "country",
            "--groups",
            "30",
        ]
        where = ["--source", source, "--ledger", ledger, "--epsilon", bounds_epsilon, "--write"]
        if dpproxy(["suggest-bounds", str(file), *asked, *where]) != 0:
            raise AssertionError("no bounds were suggested")
        policy = load_policy(file)
        options = ServiceOptions(policy, source, stage.dsn(), ledger, owns_stage_cluster=True, port=0)
        with RunningProxy(options, "source", PASSWORD) as proxy, proxy.connect() as client:
            client.execute(f"SET dp.epsilon = '{_epsilon_left(client)}'".encode())
            rows = client.execute(QUESTION.encode()).fetchall()
        return Repetition(policy, relative_errors(exact, {row[0]: [float(value) for value in row[1:]] for row in rows}))


def _epsilon_left(client: psycopg.Connection) -> Decimal:
    """The epsilon of a query that costs all ρ that is left, but for rounding."""
    row = client.execute("SELECT rho_spent FROM dp.budget").fetchone()
    if row is None:
        raise AssertionError("the table has an account")
    left = Decimal(float(Account(EPSILON, DELTA).rho_max)) - row[0]
    return Decimal((2 * left).sqrt().quantize(Decimal("1e-5"), ROUND_DOWN))


def _exact(source: str) -> dict[str, list[float]]:
    with psycopg.connect(source) as connection:
        rows = connection.execute(QUESTION.encode()).fetchall()
    return {row[0]: [float(value) for value in row[1:]] for row in rows}


def relative_errors(exact: Mapping[str, Sequence[float]], answered: Mapping[str, Sequence[float]]) -> Errors:
    """For each column the relative errors; a country that is not answered is wrong by all of it."""
    errors: Errors = {name: [] for name in GOALS}
    for country, truth in exact.items():
        found = answered.get(country, [0.0] * len(truth))
        for column, value, true in zip(errors.values(), found, truth, strict=True):
            column.append(abs(value - true) / true)
    return errors


def peer_errors(name: str, python: str, source: str, exact: Mapping[str, Sequence[float]], policy: Policy) -> Errors:
    """The errors of another system, under the same bounds and at the same (ε, δ) for the query alone."""
    visits = policy.tables["public.visits"]
    amount = (visits.columns or {})["amount"].bounds
    if amount is None:
        raise AssertionError("bounds were suggested")
    asked = {
        "dsn": source,
        "table": "visits",
        "unit": "user_id",
        "key": "country",
        "keys": COUNTRIES,
        "value": "amount",
        "bounds": [float(str(limit)) for limit in amount],
        "rows": Skew.visits,
        "max_rows": visits.contribution.max_rows,
        "max_groups": len(COUNTRIES),
        "epsilon": float(EPSILON),
        "delta": float(DELTA),
        "repetitions": 3,
    }
    program = Path(__file__).parent / "peers" / f"{name}.py"
    result = subprocess.run([python, str(program)], input=json.dumps(asked), capture_output=True, text=True, check=True)
    errors: Errors = {name: [] for name in GOALS}
    for answer in json.loads(result.stdout):
        for column, found in relative_errors(exact, {row[0]: row[1:] for row in answer}).items():
            errors[column] += found
    return errors


def _print(label: str, errors: Errors) -> None:
    print(
        f"{label:32}" + "".join(f"{name:>14} {statistics.median(measured):7.2%}" for name, measured in errors.items())
    )
