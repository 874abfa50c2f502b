"""Source queries as programs: `python -m tests.benchmarks NAME`."""

from __future__ import annotations

import argparse
from typing import Final

from tests.benchmarks import (
    accuracy,
    bystanders,
    charges,
    cluster,
    dashboard,
    dashboard_day,
    floods,
    intervals,
    latency,
    questions_per_budget,
    rates,
    source_cost,
    tpch,
)
from tests.benchmarks.program import Program, add_programs

PROGRAMS: Final[dict[str, Program]] = {
    "accuracy": accuracy,
    "bystanders": bystanders,
    "charges": charges,
    "cluster": cluster,
    "dashboard": dashboard,
    "dashboard_day": dashboard_day,
    "floods": floods,
    "intervals": intervals,
    "latency": latency,
    "questions_per_budget": questions_per_budget,
    "rates": rates,
    "source_cost": source_cost,
    "tpch": tpch,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    add_programs(parser, PROGRAMS, required=True)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
