"""What a benchmark is: a module with options that measures something and prints it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Protocol


class Program(Protocol):
    """A module that measures something and prints it."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the program's options."""

    def run(self, arguments: argparse.Namespace) -> None:
        """Measure and print."""


def add_programs(parser: argparse.ArgumentParser, programs: Mapping[str, Program], *, required: bool) -> None:
    """Declare a subcommand for each program, which runs it."""
    subparsers = parser.add_subparsers(metavar="NAME", required=required, help=", ".join(programs))
    for name, program in programs.items():
        subparser = subparsers.add_parser(name, description=(program.__doc__ or "").partition("\n")[0])
        subparser.set_defaults(run=program.run)
        program.add_arguments(subparser)
