"""How far from the truth are answers? All parts, or one with options of its own: `accuracy medians --repetitions 200`."""

from __future__ import annotations

import argparse
from typing import Final

from tests.benchmarks import (
    accuracy_clipping,
    accuracy_countries,
    accuracy_medians,
    accuracy_r2t,
    accuracy_regions,
    accuracy_statistics,
)
from tests.benchmarks.program import Program, add_programs

PARTS: Final[dict[str, Program]] = {
    "regions": accuracy_regions,
    "countries": accuracy_countries,
    "clipping": accuracy_clipping,
    "r2t": accuracy_r2t,
    "medians": accuracy_medians,
    "statistics": accuracy_statistics,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """A subcommand for each part."""
    add_programs(parser, PARTS, required=False)


def run(arguments: argparse.Namespace) -> None:  # noqa: ARG001
    """All parts, as they are without options."""
    for name, part in PARTS.items():
        print(f"== {name}", flush=True)
        parser = argparse.ArgumentParser()
        part.add_arguments(parser)
        part.run(parser.parse_args([]))
