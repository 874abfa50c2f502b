"""Measurements as programs: `python -m tests.benchmarks NAME`."""

from __future__ import annotations

import argparse
from typing import Final, Protocol

from tests.benchmarks import accuracy, bounds, countries, intervals, latency, source_cost, tpch


class Program(Protocol):
    """A module that measures something and prints it."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the program's options."""

    def run(self, arguments: argparse.Namespace) -> None:
        """Measure and print."""


PROGRAMS: Final[dict[str, Program]] = {
    "accuracy": accuracy,
    "bounds": bounds,
    "countries": countries,
    "intervals": intervals,
    "latency": latency,
    "source_cost": source_cost,
    "tpch": tpch,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    subparsers = parser.add_subparsers(metavar="NAME", required=True)
    for name, program in PROGRAMS.items():
        one = subparsers.add_parser(name, description=(program.__doc__ or "").partition("\n")[0])
        program.add_arguments(one)
        one.set_defaults(run=program.run)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
